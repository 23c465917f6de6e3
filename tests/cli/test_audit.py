import csv
import json

import numpy as np
import pytest

from labelscape.cli.audit import parsed_rule
from labelscape.jobs import audit as jobs_auditing


@pytest.fixture
def tools(tmp_path):
    """Write a small table with three wrong labels."""
    rng = np.random.RandomState(0)
    kinds = np.array(["saw", "drill", "lathe"])
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 4)) + 6.0 * np.eye(3, 4)[y]
    y[[7, 30, 61]] = (y[[7, 30, 61]] + 1) % 3
    path = tmp_path / "tools.csv"
    lines = ["name,a,b,c,d,kind"]
    for i in range(90):
        cells = ",".join(f"{x:.4f}" for x in X[i])
        lines.append(f"t{i},{cells},{kinds[y[i]]}")
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_suspects_are_printed_and_written_with_their_ids(run, tools, tmp_path):
    done = run("audit", tools, "-l", "kind", "--id", "name", "-o", "found/them.csv")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("tools: 90 rows, 4 features, 3 classes")
    assert "look wrong (at most" in done.stdout
    assert done.stdout.endswith("Written: found/them.csv\n")
    with (tmp_path / "found" / "them.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    suspects = {row["id"] for row in rows if row["suspect"] == "True"}
    assert suspects == {"t7", "t30", "t61"}
    first = rows[0]
    assert first["given"] != first["likely"]
    assert len(first["near_likely"].split()) == 3
    assert "typically" in first["against"]


def test_json_holds_what_the_terminal_says_and_so_does_the_file(run, tools, tmp_path):
    done = run("audit", tools, "-l", "kind", "--id", "name", "--json", "-o", "a.json")
    found = json.loads(done.stdout)
    written = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert found["n_suspects"] == len(found["suspects"]) == 3
    assert found["output"] == "a.json"
    assert {one["id"] for one in found["suspects"]} == {"t7", "t30", "t61"}
    assert written["suspects"] == found["suspects"]
    assert found["findings"] == []
    assert found["failed_on"] == []


def test_a_page_opens_on_what_the_audit_found_and_lies_beside_the_table(
    run, shown, tools, tmp_path, monkeypatch
):
    audits = []
    made = jobs_auditing.audited
    monkeypatch.setattr(
        jobs_auditing, "audited", lambda *a, **k: audits.append(1) or made(*a, **k)
    )
    wish = ("audit", tools, "-l", "kind", "--id", "name", "--rate", "0.2", "--json")
    page = ("-o", "them.csv", "-o", "them.html", "--method", "lfda", "--no-honesty")
    done = run(*wish, *page)
    assert done.exit_code == 0, done.output
    found, scene = json.loads(done.stdout), shown("them.html")
    assert (found["output"], found["page"]) == ("them.csv", "them.html")
    assert found["map"]["method"] == "lfda"
    assert len(audits) == 1
    assert scene.audit.rate == 0.2
    assert [one.row for one in scene.audit.suspects] == [
        one["row"] for one in found["suspects"]
    ]
    n_rows = found["n_suspects"] + len(found["look_first"])
    assert (tmp_path / "them.csv").read_text().count("\n") == 1 + n_rows


def test_a_page_says_how_far_to_believe_its_map(run, shown):
    done = run("audit", "iris", "-o", "iris.html", "--method", "lfda")
    assert "● Are the classes really separated?" in done.stdout
    assert done.stdout.endswith("Written: iris.html\n")
    assert shown("iris.html").maps[0].honesty.real == "yes"


def test_a_counter_is_no_feature_of_the_page_and_hides_no_copies(run, shown, tools):
    header, *lines = tools.read_text(encoding="utf-8").splitlines()
    lines += lines[:5]
    counted = [f"number,{header}"] + [f"{i},{line}" for i, line in enumerate(lines)]
    tools.write_text("\n".join(counted), encoding="utf-8")
    wish = ("audit", tools, "-l", "kind", "--drop", "name", "-m", "lfda")
    page = ("--no-honesty", "-o", "a.html")
    assert "'number' is a row counter" in run(*wish, *page).stdout
    scene = shown("a.html")
    assert (scene.n_points, len(scene.features)) == (95, 4)
    assert run(*wish, *page, "--drop-copies").exit_code == 0
    assert shown("a.html").n_points == 90


class Report:
    """The values that a rule checks."""

    ranking = range(90)
    suspects = range(3)
    findings = ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("suspects", True),
        ("suspects>3", False),
        ("suspects > 2", True),
        ("suspects>3.3%", True),
        ("suspects>3.4%", False),
        ("findings", False),
    ],
)
def test_a_rule_counts_or_shares(text, expected):
    given, holds = parsed_rule(text)
    assert given == text
    assert holds(Report) is expected


def test_a_rule_that_holds_gives_an_exit_code(run, tools):
    rules = ["--fail-on", "findings", "--fail-on", "suspects>1%"]
    done = run("audit", tools, "-l", "kind", "--id", "name", *rules)
    assert done.exit_code == 1
    assert "Failed on: suspects>1%." in done.stdout
    assert "Failed on: findings" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["iris", "--fail-on", "errors"], "--fail-on must be suspects or findings"),
        (["iris", "--fail-on", "findings>1%"], "only suspects can have a limit"),
        (["iris", "--rate", "0"], "rate must be a number above 0"),
        (["iris", "-o", "map.png"], "must end in .csv, .json or .html"),
        (["iris", "-o", "a.html", "-o", "b.html"], "takes at most one page"),
        (["iris", "--method", "lfda"], "--method sets the method for the map"),
        (["iris", "--method", "lfd", "-o", "a.html"], "There is no method 'lfd'"),
        (["absent.csv", "-l", "kind"], "There is no file"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_fitted(
    run, arguments, words
):
    done = run("audit", *arguments)
    assert done.exit_code == 2
    assert words in done.stderr


def test_a_counter_is_a_finding_with_the_option_that_mends_it(run, tools):
    lines = tools.read_text(encoding="utf-8").splitlines()
    counted = [f"number,{lines[0]}"] + [
        f"{i},{line}" for i, line in enumerate(lines[1:])
    ]
    tools.write_text("\n".join(counted), encoding="utf-8")
    done = run("audit", tools, "-l", "kind", "--id", "name")
    assert "'number' is a row counter" in done.stdout
    assert "To leave it out, pass --drop 'number'." in done.stdout


def test_a_batch_is_judged_and_is_no_feature(run, tools):
    lines = tools.read_text(encoding="utf-8").splitlines()
    plates = ["plate", *(f"p{i // 3 % 2}" for i in range(90))]
    both = zip(lines, plates, strict=True)
    tools.write_text("\n".join(f"{a},{b}" for a, b in both), encoding="utf-8")
    done = run(
        "audit", tools, "-l", "kind", "--id", "name", "--batch", "plate", "--json"
    )
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["batch"]["chance"] == 0.5
    assert not found["batch"]["is_detected"]
    assert (
        "4 features"
        in run("audit", tools, "-l", "kind", "--id", "name", "--batch", "plate").stdout
    )


def test_where_nothing_is_promised_every_host_shows_where_to_look(run, tmp_path):
    rng = np.random.RandomState(0)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 3)) + np.array([1.2, 0, 0]) * y[:, None]
    lines = [
        f"{a:.4f},{b:.4f},{c:.4f},{['no', 'yes'][k]}"
        for (a, b, c), k in zip(X, y, strict=True)
    ]
    (tmp_path / "votes.csv").write_text("\n".join(["a,b,c,vote", *lines]))
    done = run("audit", "votes.csv", "-l", "vote", "-o", "them.csv")
    assert "overlap too much" in done.stdout
    assert "Rows to look at first (hints, not suspects):" in done.stdout
    with (tmp_path / "them.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 20
    assert {row["suspect"] for row in rows} == {"False"}
    assert {row["chance_wrong"] for row in rows} == {""}
    assert [row["rank"] for row in rows] == [str(1 + i) for i in range(20)]
    found = json.loads(run("audit", "votes.csv", "-l", "vote", "--json").stdout)
    assert [one["row"] for one in found["look_first"]] == [
        int(row["row"]) for row in rows
    ]
    assert found["suspects"] == []
    assert {one["chance_wrong"] for one in found["look_first"]} == {None}
    assert not found["can_tell"]
    shown = run(
        "map", "votes.csv", "-l", "vote", "-m", "lfda", "--no-honesty", "--audit"
    )
    assert "Rows to look at first (hints, not suspects):" in shown.stdout
