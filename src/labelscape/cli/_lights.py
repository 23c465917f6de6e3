"""The two lights of a verdict, in a terminal and on a saved picture."""

from collections.abc import Sequence
from textwrap import fill
from typing import Any

# Said without colours, too: a shape for each state, as in the view.
MARKS = {"good": "●", "fair": "◆", "bad": "▲", "none": "○"}


def lights_text(verdict: Any) -> str:
    """Return the lights of a verdict, one line each."""
    lights = verdict.lights
    first = max(len(light.question) for light in lights)
    second = max(len(light.answer) for light in lights)
    return "\n".join(
        f"{MARKS[light.state]} {light.question:{first}}  "
        f"{light.answer:{second}}  {light.figure}".rstrip()
        for light in lights
    )


# On a picture: shapes and colours of the view, see `tokens.css` there.
SHAPES = {"good": "o", "fair": "D", "bad": "^", "none": "o"}
COLORS = {"good": "#00866f", "fair": "#b88900", "bad": "#a62314", "none": "#7d848d"}
# Letters on a line below a map, and the size of a mark beside them, in points.
LINE, MARK = 84, 9
SMALL = {"size": 7.5, "color": "#5b626b"}


def draw_lights(ax: Any, verdict: Any, notes: Sequence[str] = ()) -> None:
    """Draw the lights of a verdict below a map, and what to know of it below them."""
    from matplotlib.offsetbox import AnchoredOffsetbox, TextArea, VPacker

    rows = [_light(light) for light in verdict.lights]
    rows += [TextArea(fill(note, LINE + 26), textprops=SMALL) for note in notes]
    ax.add_artist(
        AnchoredOffsetbox(
            "upper left",
            child=VPacker(children=rows, align="left", pad=0, sep=4),
            frameon=False,
            bbox_to_anchor=(0, -0.02),
            bbox_transform=ax.transAxes,
            pad=0,
            borderpad=0,
        )
    )


def _light(light: Any) -> Any:
    from matplotlib.lines import Line2D
    from matplotlib.offsetbox import DrawingArea, HPacker, TextArea

    color, is_ring = COLORS[light.state], light.state == "none"
    mark = Line2D(
        [MARK / 2],
        [MARK / 2],
        marker=SHAPES[light.state],
        markersize=MARK * (0.75 if light.state == "fair" else 0.9),
        markerfacecolor="none" if is_ring else color,
        markeredgecolor=color if is_ring else "none",
        markeredgewidth=1.6,
    )
    place = DrawingArea(MARK, MARK)
    place.add_artist(mark)
    said = TextArea(
        f"{light.question} {light.answer}", textprops={"size": 9, "weight": "bold"}
    )
    figure = TextArea(fill(light.figure, LINE), textprops=SMALL | {"size": 8})
    return HPacker(children=[place, said, figure], align="center", pad=0, sep=6)
