"""The summary lines of a verdict, as text and on a picture."""

import re
from pathlib import Path

import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from labelscape.cli._files import COLORS, draw_lights
from labelscape.cli.messages import MARKS, lights_text
from labelscape.quality import Light, Verdict

TOKENS = Path(__file__).parents[2] / "view" / "src" / "css" / "tokens.css"


class Judged:
    """A verdict with one light of each state."""

    lights = tuple(
        Light("Is it real?", state, state, f"the {state} figure") for state in MARKS
    )


def drawn(verdict, notes=()):
    """Return the marks and texts that are drawn below a map."""
    ax = Figure().add_subplot()
    draw_lights(ax, verdict, notes)
    (box,) = ax.artists
    marks = [one for one in box.findobj(Line2D) if one.get_marker() != "None"]
    return marks, [one.get_text() for one in box.findobj(Text) if one.get_text()]


def test_every_state_has_a_shape_and_a_colour_of_its_own():
    marks, _ = drawn(Judged)
    looks = {(one.get_marker(), one.get_markerfacecolor()) for one in marks}
    assert len(looks) == len(set(MARKS.values())) == 4
    shown = [to_hex(one.get_markerfacecolor()) for one in marks[:3]]
    assert shown == [COLORS[state] for state in ("good", "fair", "bad")]


def test_answers_figures_and_notes_are_written():
    _, texts = drawn(Judged, ["Copies stay together."])
    assert texts[:2] == ["Is it real? good", "the good figure"]
    assert texts[-1] == "Copies stay together."


def test_what_was_not_tested_is_drawn_with_its_reason():
    marks, texts = drawn(Verdict("untested", None, why="there are 4 rows"))
    assert {one.get_markerfacecolor() for one in marks} == {"none"}
    assert texts[:2] == [
        "Are the classes really separated? Not tested",
        "there are 4 rows.",
    ]


def test_every_light_is_a_line_in_a_terminal():
    lines = lights_text(Judged.lights).splitlines()
    assert [line[0] for line in lines] == list(MARKS.values())


@pytest.mark.parametrize("state", COLORS)
def test_colours_are_those_of_the_view(state):
    light, _ = re.findall(rf"--ls-{state}: (#\w+)", TOKENS.read_text(encoding="utf-8"))
    assert COLORS[state] == light


def test_a_long_figure_stays_inside_the_picture():
    figure = Figure(figsize=(7.2, 5.6))
    ax = figure.add_subplot()
    question = "Are the classes really separated?"
    words = "98% of held-out rows get the right class from their neighbors. " * 2
    draw_lights(
        ax, type("Verdict", (), {"lights": [Light(question, "good", "Yes", words)]})
    )
    figure.canvas.draw()
    (box,) = ax.artists
    extent = box.get_window_extent()
    assert extent.width < figure.bbox.width
