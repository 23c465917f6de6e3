"""The built view: files that `make view` puts beside this one."""

from pathlib import Path

from labelscape._core.errors import Message

STATIC = Path(__file__).with_name("static")


class NotBuiltError(Message, FileNotFoundError):
    """The view is not in this installation."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.parts = (
            f"The view is not built: there is no {name} in this installation. Install "
            "a wheel of Labelscape, or run 'make view' in its sources (with Node).",
        )


def built(name: str) -> str:
    """Return the text of a built file of the view, or say how to get it."""
    try:
        return (STATIC / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotBuiltError(name) from None
