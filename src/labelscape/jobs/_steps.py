"""How a job says what it is doing."""

from collections.abc import Callable
from typing import Any

# ``begin(words, total)`` says what begins and how many parts it has (None: nobody
# knows), and returns what to call after each part.
Begin = Callable[[str, int | None], Callable[..., Any]]


def silent(words: str, total: int | None) -> Callable[..., Any]:
    """Begin a step without telling anybody."""
    return lambda *_: None
