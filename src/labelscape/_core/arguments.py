"""Arguments of public functions: one way to check them, with one wording.

What an argument may be by itself is a rule that stands above the function::

    @arguments(show=one_of("raw", "scaled"), title=optional(text()))
    def plot(embedding, y=None, *, show="raw", title=None): ...

Arrays, whose sizes depend on each other, are checked and converted in its first lines.
"""

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import (
    array_argument,
    check_finite,
    checked_labels,
    exact_labels,
    numbers_argument,
)
from labelscape._core.errors import ParameterError
from labelscape._core.rules import Rule, check_argument, either, one_of

P = ParamSpec("P")
R = TypeVar("R")


def arguments(**rules: Rule) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Check arguments of a function by their rules before it begins."""

    def checked(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            given = signature.bind(*args, **kwargs).arguments
            for name, rule in rules.items():
                if name in given:
                    check_argument(function.__qualname__, name, given[name], rule)
            return function(*args, **kwargs)

        call._rules = rules  # type: ignore[attr-defined]
        return call

    return checked


# Rules that only functions need.


def optional(rule: Rule) -> Rule:
    """Return the rule for something that may be None."""
    return either(rule, one_of(None))


def instance(*kinds: type) -> Rule:
    """Return the rule for an object of one of some classes."""
    names = " or ".join(_with_article(kind.__name__) for kind in kinds)
    return Rule(names, lambda value: isinstance(value, kinds))


def _with_article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "AEIOU" else f"a {noun}"


def text() -> Rule:
    """Return the rule for a text."""
    return Rule("a text", lambda value: isinstance(value, str))


def path() -> Rule:
    """Return the rule for the name of a file."""

    def holds(value: Any) -> bool:
        if not isinstance(value, str | os.PathLike):
            return False
        return bool(name := os.fspath(value)) and "\0" not in str(name)

    return Rule("the name of a file", holds)


def binary() -> Rule:
    """Return the rule for bytes."""
    return Rule(
        "bytes", lambda value: isinstance(value, bytes | bytearray | memoryview)
    )


def dict_like() -> Rule:
    """Return the rule for a mapping of names to values."""
    return Rule(
        "a dict with names as keys",
        lambda value: (
            isinstance(value, Mapping) and all(isinstance(key, str) for key in value)
        ),
    )


def having(attribute: str, noun: str) -> Rule:
    """Return the rule for an object with a certain attribute, not its class."""
    return Rule(
        noun,
        lambda value: hasattr(value, attribute) and not isinstance(value, type),
    )


def anything() -> Rule:
    """Return the rule that everything keeps."""
    return Rule("anything", lambda value: True)


def several(what: str, rule: Rule) -> Rule:
    """Return the rule for a list, tuple or array of things that keep a rule."""

    def holds(value: Any) -> bool:
        if isinstance(value, str | bytes | Mapping | set | type):
            return False
        is_list = hasattr(value, "__len__") and getattr(value, "ndim", 1) == 1
        return is_list and all(rule.holds(part) for part in value)

    return Rule(f"a list of {what}", holds)


def iterable() -> Rule:
    """Return the rule for a row of things: a list, an array, a generator."""

    def holds(value: Any) -> bool:
        if isinstance(value, str | bytes | Mapping | set | type):
            return False
        return isinstance(value, Iterable) and getattr(value, "ndim", 1) == 1

    return Rule("a list", holds)


def seed() -> Rule:
    """Return the rule for a number that random ones begin with."""

    def holds(value: Any) -> bool:
        is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        return is_whole and 0 <= int(value) < 2**32

    return Rule("a whole number from 0 to 2^32 - 1", holds, "whole")


# Arrays: their kind, their sizes, and the numbers in them.


def matrix_argument(
    owner: str,
    name: str,
    value: Any,
    *,
    n_rows: int | None = None,
    n_columns: int | None = None,
    finite: bool = True,
) -> NDArray[np.float64]:
    """Return a table of numbers of the size that is wanted; ``finite`` all of them."""
    array = numbers_argument(owner, name, value)
    wanted = (n_rows, n_columns)
    fits = array.ndim == 2 and all(
        size == want or (want is None and size)
        for size, want in zip(array.shape, wanted, strict=True)
    )
    if not fits:
        words = _counted(n_rows, "row"), _counted(n_columns, "column")
        sizes = " and ".join(word for word in words if word)
        noun = f"a table of numbers{' with ' if sizes else ''}{sizes}"
        raise ParameterError(owner, name, array, noun)
    if finite:
        check_finite(array, owner=owner, name=name)
    return array


def vector_argument(
    owner: str, name: str, value: Any, *, size: int | None = None
) -> NDArray[np.float64]:
    """Return a row of finite numbers of the size that is wanted."""
    array = numbers_argument(owner, name, value)
    if array.ndim != 1 or (size is not None and len(array) != size):
        many = "numbers in one row" if size is None else _counted(size, "number")
        raise ParameterError(owner, name, array, many)
    check_finite(array[None, :], owner=owner, name=name)
    return array


def mask_argument(
    owner: str, name: str, value: Any, *, size: int | None = None
) -> NDArray[np.bool_]:
    """Return True or False for each object; 1 and 0 are taken for these."""
    array = array_argument(owner, name, value)
    fits = array.ndim == 1 and size in (None, len(array)) and len(array) > 0
    if not fits or not _are_truths(array):
        each = "each object" if size is None else f"each of the {size} objects"
        raise ParameterError(owner, name, value, f"True or False for {each}")
    return array.astype(bool)


def _are_truths(array: NDArray[Any]) -> bool:
    is_number = array.dtype.kind in "biuf"
    return is_number and bool(np.isin(array, (0, 1)).all())


def labels_argument(
    owner: str, name: str, value: Any, *, size: int | None = None
) -> NDArray[Any]:
    """Return the label of each object: none missing, all of one kind."""
    array = array_argument(owner, name, value)
    is_row = array.ndim == 1 and array.dtype.kind != "V" and len(array) > 0
    if is_row:
        array = exact_labels(value)
    if not is_row or size not in (None, len(array)):
        each = "object" if size is None else f"each of the {size} objects"
        raise ParameterError(owner, name, array, f"one label for {each}")
    return checked_labels(array, owner=owner, name=name)


def _counted(n: int | None, noun: str) -> str:
    return "" if n is None else f"{n} {noun}{'s' * (n != 1)}"
