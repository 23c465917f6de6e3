"""The two lights of a verdict, in a terminal and on a saved picture."""

from typing import Any

# Said without colours, too: a shape for each state.
MARKS = {"good": "●", "fair": "◐", "bad": "○", "none": "·"}


def lights_text(verdict: Any) -> str:
    """Return the lights of a verdict, one line each.

    Examples
    --------
    >>> from labelscape.quality import Verdict
    >>> print(lights_text(Verdict("untested", None, why="there are 4 rows")))
    · Is it real?        not tested  there are 4 rows
    · How much is kept?  not tested
    """
    lights = verdict.lights
    first = max(len(light.question) for light in lights)
    second = max(len(light.answer) for light in lights)
    return "\n".join(
        f"{MARKS[light.state]} {light.question:{first}}  "
        f"{light.answer:{second}}  {light.figure}".rstrip()
        for light in lights
    )
