"""Parameters that several estimators share, described once.

A docstring holds places such as ``{common}``, each on a line of its own;
`shared_parameters` fills them.
"""

import inspect
import re
from collections.abc import Callable
from typing import TypeVar

Model = TypeVar("Model", bound=type)


def shared_parameters(texts: dict[str, str]) -> Callable[[Model], Model]:
    """Return a decorator that fills the places of a class docstring.

    Examples
    --------
    >>> @shared_parameters({"common": "tol : float"})
    ... class Map:
    ...     '''A map.
    ...
    ...     {common}
    ...     '''
    >>> print(Map.__doc__)
    A map.
    <BLANKLINE>
    tol : float
    """

    def filled(place: re.Match[str]) -> str:
        return inspect.cleandoc(texts[place.group(1)])

    def decorate(model: Model) -> Model:
        # With `python -OO` there are no docstrings.
        text = inspect.cleandoc(model.__doc__ or "")
        model.__doc__ = re.sub(r"^\{(\w+)\}$", filled, text, flags=re.MULTILINE)
        return model

    return decorate
