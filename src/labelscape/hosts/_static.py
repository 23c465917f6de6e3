"""The built view: files that `make view` puts beside this one."""

from pathlib import Path

STATIC = Path(__file__).with_name("static")


def built(name: str) -> str:
    """Return the text of a built file of the view, or say how to get it.

    Parameters
    ----------
    name : {"view.js", "page.js", "app.js"}
        The module that notebooks load, the program of a page, or of the local app.
    """
    try:
        return (STATIC / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FileNotFoundError(
            f"The view is not built: there is no {name} in this installation. Install "
            "a wheel of Labelscape, or run 'make view' in its sources (with Node)."
        ) from None
