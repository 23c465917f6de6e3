"""The papers beside ours: rules of verdicts, and pages that say what is there."""

import os
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DATA = os.environ.get("LABELSCAPE_DATA", str(ROOT.parent / "shared" / "data"))


@pytest.fixture
def part(monkeypatch):
    """Return the function that imports a part of the benchmarks of the papers."""
    monkeypatch.setenv("LABELSCAPE_DATA", DATA)  # which benchmarks set otherwise
    for folder in (ROOT, ROOT / "scripts"):
        monkeypatch.syspath_prepend(folder)
    return lambda name: import_module(f"benchmarks.papers.{name}")


@pytest.fixture
def verdicts(part):
    return part("_verdict")


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [(88.0, "reached"), (87.96, "reached"), (86.1, "near"), (85.9, "not reached")],
)
def test_a_number_is_reached_near_or_not(verdicts, ours, verdict):
    assert verdicts.at_least(88.0, ours) == verdict


def test_several_numbers_are_judged_by_the_worst(verdicts):
    assert verdicts.pair((90.0, 80.0), (95.0, 79.0)) == "near"
    assert verdicts.pair((90.0, 80.0), (95.0, 70.0)) == "not reached"
    assert verdicts.pair((90.0, 80.0), (95.0, 80.0)) == "reached"


def test_a_number_may_have_to_lie_in_a_range(verdicts):
    found = [verdicts.between(9, 10, count, spread=2) for count in (7, 9, 10, 12, 13)]
    assert found == ["near", "reached", "reached", "near", "not reached"]


def test_the_last_result_of_an_item_counts(part, verdicts, tmp_path, monkeypatch):
    results = part("_record")
    monkeypatch.setattr(results, "OUT", tmp_path)
    monkeypatch.setattr(results, "RESULTS", tmp_path / "results.jsonl")
    for ours in (1, 2):
        row = verdicts.row("share", 3, ours, "none", verdicts.holds(ours == 2))
        results.record("000", "Fig. 0", [row])
    results.append({"script": "p000.fig0", "seconds": 1.5})
    assert results.latest()["000", "Fig. 0"]["rows"] == [row]
    assert results.seconds() == {"p000.fig0": 1.5}


def test_every_test_that_shows_something_is_there(part):
    acceptance = part("acceptance")
    tests = [row.proof for row in acceptance.ROWS if row.proof.startswith("tests/")]
    assert len(tests) > 40
    assert [proof for proof in tests if not acceptance.is_there(proof)] == []


def test_the_table_of_settings_is_that_of_the_estimators(part):
    settings = part("settings")
    page = (ROOT / "docs/papers_settings.md").read_text(encoding="utf-8")
    assert settings.renewed(page) == page, "run scripts/papers_page.py"


def test_the_page_has_all_results_and_each_figure_has_a_script(
    part, verdicts, monkeypatch
):
    papers_page = import_module("papers_page")
    row = verdicts.row("a | b", 3, 2, "none", verdicts.MISSED) | {"tried": "much"}
    result = {"paper": "000", "item": "Fig. 2", "rows": [row], "figure": "a.png"}
    results = {
        ("000", "Fig. 10"): result | {"item": "Fig. 10"},
        ("000", "Fig. 2"): result,
    }
    monkeypatch.setattr(papers_page, "latest", lambda: results)
    monkeypatch.setattr(papers_page, "seconds", lambda: {"p000.fig02": 12.5})
    page = papers_page.papers_page()
    assert page.index("### Fig. 2\n") < page.index("### Fig. 10\n")
    assert "| a \\| b | 3 | 2 | none | not reached |" in page
    assert "- a | b: much" in page
    assert "| 000 | 0 | 0 | 2 | 0 |" in page
    assert "| p000.fig02 | 12.5 |" in page
    assert "| p000.fig03 | not run yet |" in page
    names = part("__main__").scripts()
    assert {f"p000.fig{k:02}" for k in range(1, 13)} <= set(names)
    assert {f"p000.table{k}" for k in range(1, 4)} <= set(names)
    assert {f"p001.fig{k}" for k in range(1, 6)} <= set(names)
    assert "p004.comparison" in names
