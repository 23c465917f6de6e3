"""Parameters that several estimators share, described once.

A docstring holds places such as ``{common}``, each on a line of its own;
`shared_parameters` fills them.
"""

import inspect
import re
from collections.abc import Callable
from typing import TypeVar

Documented = TypeVar("Documented", bound=Callable[..., object])


def shared_parameters(texts: dict[str, str]) -> Callable[[Documented], Documented]:
    """Return a decorator that fills the placeholders of a docstring."""

    def filled(place: re.Match[str]) -> str:
        return inspect.cleandoc(texts[place.group(1)])

    def decorate(documented: Documented) -> Documented:
        # With `python -OO` there are no docstrings.
        text = inspect.cleandoc(documented.__doc__ or "")
        documented.__doc__ = re.sub(r"^\{(\w+)\}$", filled, text, flags=re.MULTILINE)
        return documented

    return decorate
