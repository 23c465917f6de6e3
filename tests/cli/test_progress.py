import subprocess
import sys
from contextlib import suppress
from io import StringIO

import pytest
from rich.console import Console

from labelscape.cli import _estimate, _progress
from labelscape.cli._estimate import COSTS, Span, map_seconds, run_seconds
from labelscape.cli._progress import steps
from labelscape.datasets import load
from labelscape.jobs import Step, methods_of
from labelscape.jobs._internal import THOROUGH

COMMAND = "from labelscape.cli.main import main; main()"


def test_a_pipe_gets_a_line_for_each_step(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "compare", "iris", "-m", "pca,lda"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    steps_done = [line.partition(" (")[0] for line in done.stderr.splitlines()]
    assert steps_done[0].startswith("Reading iris: ")
    assert steps_done[1:-1] == [
        "Fitting PCA",
        "Measuring quality",
        "Asking how honest PCA is",
        "Fitting LinearDiscriminantAnalysis",
        "Measuring quality",
        "Asking how honest LinearDiscriminantAnalysis is",
    ]
    assert steps_done[-1].startswith("Drawing: ")
    assert "Reading" not in done.stdout


class Clock:
    """A clock that stands still until it is told to go on."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(_progress, "perf_counter", clock)
    return clock


def test_parts_of_a_step_tell_how_long_the_others_take(clock, capsys):
    with steps() as begin:
        advance = begin(Step("judging", "LiRaMLVQ", 4))
        for now in (2.0, 2.5, 9.0, 12.0):  # the second comes too soon for a line
            clock.now = now
            advance({"fit": 1})
    assert capsys.readouterr().err.splitlines() == [
        "Asking how honest LiRaMLVQ is: 1 of 4, about 6 s left",
        "Asking how honest LiRaMLVQ is: 3 of 4, about 3 s left",
        "Asking how honest LiRaMLVQ is: 12 s",
    ]


def test_methods_that_are_tried_promise_no_time(clock, capsys):
    with steps() as begin:
        advance = begin(Step("choosing", "", 3))
        for now in (2.0, 4.0, 90.0):  # the last takes longest
            clock.now = now
            advance()
    assert capsys.readouterr().err.splitlines() == [
        "Trying methods on rows that they do not see: 1 of 3",
        "Trying methods on rows that they do not see: 2 of 3",
        "Trying methods on rows that they do not see: 90 s",
    ]


def test_rows_of_steps_tell_which_of_how_many_they_are(clock, capsys):
    with steps() as begin:
        for i in (1, 2, 3):
            begin(Step("fitting", f"M{i}", place=(i, 3)))
            clock.now += 4.0
    assert capsys.readouterr().err.splitlines() == [
        "Fitting M1 (1 of 3): 4 s",
        "Fitting M2 (2 of 3): 4 s",
        "Fitting M3 (3 of 3): 4 s",
    ]


def test_quick_work_and_errors_leave_no_lines(capsys):
    with suppress(ValueError), steps() as begin:
        begin(Step("reading", "table.csv"))
        begin(Step("fitting", "PCA"))
        raise ValueError("The table is broken.")
    assert capsys.readouterr().err == ""


def test_long_work_without_parts_leaves_lines(clock, capsys):
    with steps() as begin:
        begin(Step("reading", "table.csv"))
        clock.now = 0.25
        begin(Step("fitting", "PCA"))
        clock.now = 200.25
    said = ["Reading table.csv: 0.2 s", "Fitting PCA: 3 min"]
    assert capsys.readouterr().err.splitlines() == said


def test_a_terminal_shows_the_step_its_time_and_what_is_left():
    screen = StringIO()
    console = Console(file=screen, force_terminal=True, width=120)
    with _progress._bar(console) as begin:
        advance = begin(Step("judging", "LiRaMLVQ", 4))
        advance()
        advance()
    shown = screen.getvalue()
    assert "Asking how honest LiRaMLVQ is" in shown
    assert "0:00:00" in shown
    assert "2 of 4, about " in shown


def test_every_method_has_a_cost_that_grows_with_the_table():
    assert {one.name for one in methods_of("map")} == set(COSTS)
    for name in COSTS:
        small, large = (map_seconds(name, n, 20, THOROUGH) for n in (500, 1500))
        assert 0.0 < small < large


def test_what_is_asked_for_costs_more():
    table = load("wine")
    plain = run_seconds(table, ["lfda"], judge=False)
    assert plain < run_seconds(table, ["lfda"], judge=True)
    assert plain < run_seconds(table, ["lfda"], judge=False, audit=None)
    assert plain < run_seconds(table, ["auto"], judge=False)
    few = run_seconds(table, ["classnerv"], judge=False, n_landmarks=50)
    assert few < run_seconds(table, ["classnerv"], judge=False)


def test_a_method_that_is_not_chosen_yet_leaves_it_open_how_long():
    table = load("wine")
    auto = run_seconds(table, ["auto"], judge=True)
    known = run_seconds(table, ["lfda"], judge=True)
    assert auto.least < auto.most
    assert known.least == known.most
    assert str(Span(40.0, 200.0)) == "0.7 to 3 minutes, by the method that is taken"
    assert str(Span(4000.0, 9000.0)).startswith("1 to 2 hours")
    assert str(Span(61.0, 70.0)) == "about a minute"


def test_a_long_run_is_announced_and_a_short_one_is_not(run, monkeypatch):
    wish = ("map", "iris", "--method", "pca", "--no-honesty", "--no-audit")
    assert "This may take" not in run(*wish).stderr
    monkeypatch.setitem(COSTS, "pca", _estimate.Cost(2000.0, 1.0, 0.0))
    done = run(*wish)
    assert "This may take about 5 minutes: 150 rows, 4 features." in done.stderr
    assert "This may take" not in done.stdout


def test_methods_that_fit_some_rows_take_little_longer_for_more():
    first, second = (map_seconds("crossfit", n, 50) for n in (100_000, 1_000_000))
    assert second < 600.0
    assert first < second < 10 * first
