"""Results of papers and ours: rules of verdicts, and pages."""

import os
from importlib import import_module
from pathlib import Path

import pytest
from joblib import Memory
from matplotlib.figure import Figure

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
    ("ours", "error", "verdict"),
    [
        (87.9, 0.0, "reached"),  # one unit of the last digit
        (86.0, 0.95, "reached"),
        (86.1, 0.5, "near"),
        (85.8, 0.5, "not reached"),
        (95.0, 0.0, "reached"),
    ],
)
def test_a_number_is_reached_near_or_not(verdicts, ours, error, verdict):
    measured = verdicts.Measured(ours, error)
    assert verdicts.at_least("88.0", measured) == verdict
    upside_down = verdicts.Measured(-ours, error)
    assert verdicts.at_least("-88.0", upside_down, -verdicts.POINTS) == verdict


def test_a_rival_is_judged_on_both_sides(verdicts):
    found = [verdicts.same("88.0", verdicts.Measured(v)) for v in (88.1, 89.0, 91.0)]
    assert found == ["reached", "near", "differs"]
    assert verdicts.same("88.0", verdicts.Measured(85.0)) == "differs"


@pytest.mark.parametrize(
    ("gap", "verdict"),
    [(1.1, "reached"), (0.9, "undecided"), (-0.9, "undecided"), (-1.1, "not reached")],
)
def test_a_claim_holds_or_fails_by_two_standard_errors(verdicts, gap, verdict):
    assert verdicts.claim(verdicts.Measured(gap, 0.5)) == verdict


def test_a_difference_of_two_points_is_small(verdicts):
    gaps = [verdicts.Measured(gap, 0.1) for gap in (1.0, 1.9, 2.3, -5.0)]
    found = [verdicts.alike(gap) for gap in gaps]
    assert found == ["reached", "undecided", "not reached", "reached"]


def test_errors_are_those_of_the_difference_to_the_printed_mean(verdicts):
    alone = verdicts.Measured.of([1.0, 3.0])
    assert alone == pytest.approx((2.0, 1.0))
    beside = verdicts.Measured.of([1.0, 3.0], printed_runs=1)
    assert beside.error == pytest.approx((2.0 * 1.5) ** 0.5)
    assert beside.shown() == "2.0 ± 1.7"
    assert verdicts.Measured(2.0).shown() == "2.0"


def test_several_numbers_are_judged_by_the_worst(verdicts):
    assert verdicts.worst(["near", "reached"]) == "near"
    assert verdicts.worst(["near", "not reached", "reached"]) == "not reached"


@pytest.fixture
def results(part, tmp_path, monkeypatch):
    """Return the records, which are kept in a folder of their own."""
    found = part("_record")
    for name, place in {
        "OUT": "out",
        "RESULTS": "out/results.jsonl",
        "PUBLISHED": "docs/results.jsonl",
        "OTHER_SEEDS": "docs/other.jsonl",
        "OTHER_PROCESSORS": "docs/processors.jsonl",
        "FIGURES": "docs/figures",
    }.items():
        monkeypatch.setattr(found, name, tmp_path / place)
    return found


def noted(results, verdicts, ours, **more):
    row = verdicts.row("share", 3, ours, "none", verdicts.holds(ours == 2))
    results.record("000", "Fig. 0", [row], **more)
    results.append({"script": "p000.fig0", "seconds": 1.5, "cpu": 0.5 * ours})
    return row


def test_the_last_result_of_an_item_counts(results, verdicts):
    row = [noted(results, verdicts, ours) for ours in (1, 2)][-1]
    assert results.latest()["000", "Fig. 0"]["rows"] == [row]
    assert results.seconds() == {"p000.fig0": 1.5}


def test_of_several_runs_the_longest_time_counts_because_others_find_fits(
    results, verdicts
):
    for ours in (1, 3, 2):
        noted(results, verdicts, ours)
    assert results.processor_times() == {"p000.fig0": 1.5}
    results.publish()
    results.RESULTS.unlink()
    noted(results, verdicts, 2)
    assert results.processor_times() == {"p000.fig0": 1.0}


def test_what_is_published_stays_until_there_is_a_newer_result(
    results, verdicts, tmp_path
):
    figure = Figure(figsize=(1, 1))
    first = noted(results, verdicts, 1, figure=figure)
    results.publish()
    assert (tmp_path / "docs/figures/000_fig0.png").exists()
    results.RESULTS.unlink()  # as in a fresh clone: nothing has run, the page is there
    assert results.seconds() == {}
    assert results.latest()["000", "Fig. 0"]["rows"] == [first]
    row = noted(results, verdicts, 2)
    assert results.latest()["000", "Fig. 0"]["rows"] == [row]
    results.publish()
    assert len(results.PUBLISHED.read_text(encoding="utf-8").splitlines()) == 2


def test_a_run_on_other_seeds_changes_no_published_result(
    results, verdicts, monkeypatch
):
    first = noted(results, verdicts, 1)
    results.publish()
    before = results.PUBLISHED.read_text(encoding="utf-8")
    monkeypatch.setattr(results, "SEED", 1)
    second = noted(results, verdicts, 2)
    results.publish()
    assert results.PUBLISHED.read_text(encoding="utf-8") == before
    assert results.latest(results.PUBLISHED)["000", "Fig. 0"]["rows"] == [first]
    assert results.other_seeds()["000", "Fig. 0"]["rows"] == [second]


def test_verdicts_that_other_seeds_change_are_listed(part, verdicts, monkeypatch):
    papers_page = import_module("papers_page")
    rows = [verdicts.row(what, 3, 2, "", verdicts.REACHED) for what in "abc"]
    again = [rows[0], verdicts.row("b", 3, 1.5, "", verdicts.NEAR)]
    result, other = ({"rows": some} for some in (rows, again))
    both = {("000", "Fig. 1"): result, ("000", "Fig. 2"): result}
    monkeypatch.setattr(papers_page, "other_seeds", lambda: {("000", "Fig. 1"): other})
    page = papers_page.coin_flips(both)
    assert (
        "results of 1 of 2 scripts with other seeds. Of 2 rows, 1 have the same verdict"
        in page
    )
    assert page.endswith(
        "| Bunte et al. (2012), Fig. 1: b | 3 | 2 | reached | 1.5 | near |"
    )


def test_a_run_on_another_processor_stays_beside_the_published_results(
    results, verdicts, monkeypatch
):
    first = noted(results, verdicts, 1)
    results.publish()
    before = results.PUBLISHED.read_text(encoding="utf-8")
    for name, ours in (("Nehalem", 2), ("Haswell", 1), ("Nehalem", 3)):
        monkeypatch.setattr(results, "PROCESSOR", name)
        results.RESULTS.unlink()
        last = noted(results, verdicts, ours)
        results.publish()
    assert results.PUBLISHED.read_text(encoding="utf-8") == before
    found = results.other_processors()
    assert found["Haswell"]["000", "Fig. 0"]["rows"] == [first]
    assert found["Nehalem"]["000", "Fig. 0"]["rows"] == [last]


def test_verdicts_that_depend_on_the_processor_are_listed(part, verdicts, monkeypatch):
    papers_page = import_module("papers_page")
    rows = [verdicts.row(what, 3, 2, "", verdicts.REACHED) for what in "ab"]
    again = [rows[0], verdicts.row("b", 3, 1.5, "", verdicts.NEAR)]
    key = ("000", "Fig. 1")
    runs = {"Nehalem": {key: {"rows": again}}, "Haswell": {key: {"rows": rows}}}
    monkeypatch.setattr(papers_page, "other_processors", lambda: runs)
    page = papers_page.processors({key: {"rows": rows}})
    assert (
        "Of 2 rows, 2 were repeated with Haswell (2 have the same verdict), 2" in page
    )
    assert "with Nehalem (1 have the same verdict).\n" in page
    assert page.endswith(
        "| Bunte et al. (2012), Fig. 1: b | 3 | 2 | reached | Nehalem | 1.5 | near |"
    )


def test_seeds_of_runs_have_none_in_common(part, monkeypatch):
    record = part("_record")
    first = set(record.seeds(50))
    monkeypatch.setattr(record, "FIRST", 1000)
    assert first.isdisjoint(record.seeds(50))


def test_what_was_tried_is_told_where_a_claim_was_not_reached(verdicts):
    missed, held = (
        verdicts.row("a", 3, 2, "", verdicts.holds(is_so), "much")
        for is_so in (False, True)
    )
    assert missed["tried"] == "much"
    assert "tried" not in held


def test_fits_that_figures_share_are_made_once(part, monkeypatch, tmp_path):
    kept = part("_kept")
    monkeypatch.setattr(kept, "_MEMORY", Memory(tmp_path, verbose=0))
    made = []

    def fitted(rank, many=False):
        made.append(rank)
        return rank, many

    once, again = kept.kept(fitted), kept.kept(fitted)
    assert once(2) == once(2, False) == again(2, many=False) == (2, False)
    assert made == [2]
    kept.forget()
    assert kept.kept(fitted)(2) == (2, False)
    assert made == [2, 2]


def test_every_test_that_shows_something_is_there(part):
    acceptance = part("acceptance")
    proofs = [row.proof for row in acceptance.rows()]
    tests = [proof for proof in proofs if proof.startswith("tests/")]
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
    monkeypatch.setattr(papers_page, "processor_times", lambda: {"p000.fig02": 12.5})
    page = papers_page.papers_page()
    assert page.index("### Fig. 2\n") < page.index("### Fig. 10\n")
    assert "| a \\| b | 3 | 2 | none | not reached |" in page
    assert "- Much. Rows: a | b." in page
    assert "| Bunte et al. (2012) | 0 | 0 | 0 | 2 | 0 | 0 | 0 | 0 |" in page
    assert "![Fig. 2](images/papers/a.png)" in page
    assert "| p000.fig02 | 12.5 |" in page
    assert "| p000.fig03 | not run yet |" in page
    names = part("__main__").scripts()
    assert {f"p000.fig{k:02}" for k in range(1, 13)} <= set(names)
    assert {f"p000.table{k}" for k in range(1, 4)} <= set(names)
    assert {f"p001.fig{k}" for k in range(1, 6)} <= set(names)
    assert {"p002.fig1", "p002.fig2", "p002.table1"} <= set(names)
    assert {f"p003.fig{k:02}" for k in range(4, 11)} <= set(names)
    assert {f"p003.table{k}" for k in range(1, 4)} <= set(names)
    assert "p004.comparison" in names


def test_the_page_is_that_of_the_published_results(part, monkeypatch, tmp_path):
    results, papers_page = part("_record"), import_module("papers_page")
    monkeypatch.setattr(results, "RESULTS", tmp_path / "none")
    page = (ROOT / "docs/papers.md").read_text(encoding="utf-8")
    assert papers_page.papers_page() == page, "run scripts/papers_page.py"
    assert "not run" not in page
    rows = [row for one in results.latest().values() for row in one["rows"]]
    silent = [row for row in rows if row["verdict"] in ("not reached", "differs")]
    assert [row["what"] for row in silent if not row.get("tried")] == []
    figures = {one["figure"] for one in results.latest().values() if "figure" in one}
    assert {file.name for file in results.FIGURES.iterdir()} == figures
