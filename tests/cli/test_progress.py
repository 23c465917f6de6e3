import subprocess
import sys
from contextlib import suppress
from io import StringIO

import pytest
from rich.console import Console

from labelscape.cli import _terminal
from labelscape.cli._terminal import steps
from labelscape.jobs import Step

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
        "Testing PCA on held-out rows",
        "Fitting LinearDiscriminantAnalysis",
        "Measuring quality",
        "Testing LinearDiscriminantAnalysis on held-out rows",
    ]
    assert steps_done[-1].startswith("Drawing: ")
    assert "Reading" not in done.stdout


class Clock:
    """A clock that only moves when the test moves it."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(_terminal, "perf_counter", clock)
    return clock


def test_parts_of_a_step_tell_how_long_the_others_take(clock, capsys):
    with steps() as begin:
        advance = begin(Step("judging", "LiRaMLVQ", 4))
        for now in (2.0, 2.5, 9.0, 12.0):  # the second comes too soon for a line
            clock.now = now
            advance({"fit": 1})
    assert capsys.readouterr().err.splitlines() == [
        "Testing LiRaMLVQ on held-out rows: 1 of 4, about 6 s left",
        "Testing LiRaMLVQ on held-out rows: 3 of 4, about 3 s left",
        "Testing LiRaMLVQ on held-out rows: 12 s",
    ]


def test_methods_that_are_tried_promise_no_time(clock, capsys):
    with steps() as begin:
        advance = begin(Step("choosing", "", 3))
        for now in (2.0, 4.0, 90.0):  # the last takes longest
            clock.now = now
            advance()
    assert capsys.readouterr().err.splitlines() == [
        "Choosing a method (cross-validation): 1 of 3",
        "Choosing a method (cross-validation): 2 of 3",
        "Choosing a method (cross-validation): 90 s",
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
    with _terminal._bar(console) as begin:
        advance = begin(Step("judging", "LiRaMLVQ", 4))
        advance()
        advance()
    shown = screen.getvalue()
    assert "Testing LiRaMLVQ on held-out rows" in shown
    assert "0:00:00" in shown
    assert "2 of 4, about " in shown
