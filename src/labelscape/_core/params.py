"""Rules for the values of parameters, checked by fits and by the app's input forms.

An estimator lists the rules of its own parameters, and inherits those of its bases::

    class Map(BaseEstimator):
        _rules: ClassVar = COMMON | {
            "n_components": whole(1), "solver": one_of("sgd", "lbfgs")
        }

A public function has its rules in a decorator::

    @arguments(show=one_of("raw", "scaled"), title=optional(text()))
    def plot(embedding, y=None, *, show="raw", title=None): ...

The function itself checks arrays (see `checks`), as their sizes depend on each other.
"""

import inspect
import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, ClassVar, Literal, ParamSpec, TypeVar

import numpy as np

from labelscape._core.errors import ParameterError

# Squares and products of larger numbers overflow; those of smaller ones become 0.
HUGE, TINY = 1e100, 1e-100
Kind = Literal["whole", "number", "choice", "flag", "other"]
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Rule:
    """The allowed values of a parameter, as text, as a test, and for input forms."""

    wanted: str  # in words, after "must be"
    holds: Callable[[Any], bool]  # whether a value is allowed
    kind: Kind = "other"  # the type of input in a form
    choices: tuple[Any, ...] = ()  # the allowed values, for a choice
    parts: tuple["Rule", ...] = ()  # the rules that `either` combines with "or"
    # The largest sensible value of a number. An error message contains this limit only
    # if the value exceeds it.
    limit: int | None = None

    @property
    def alternatives(self) -> tuple["Rule", ...]:
        """The rules that `either` combined; for any other rule, the rule itself."""
        if not self.parts:
            return (self,)
        return tuple(rule for part in self.parts for rule in part.alternatives)


def whole(
    low: int | None = None, high: int | None = None, *, limit: int | None = None
) -> Rule:
    """Return the rule for a whole number from ``low`` to ``high``, both included."""
    most = limit if high is None else high

    def holds(value: Any) -> bool:
        if not isinstance(value, int | np.integer) or isinstance(value, bool):
            return False
        return (low is None or int(value) >= low) and (
            most is None or int(value) <= most
        )

    return Rule("a whole number" + _range(low, high), holds, "whole", limit=limit)


def finite(
    low: float | None = None,
    high: float | None = None,
    *,
    above: float | None = None,
    below: float | None = None,
) -> Rule:
    """Return the rule for a finite number; ``above`` and ``below`` are excluded."""

    def holds(value: Any) -> bool:
        if not isinstance(value, int | float | np.integer | np.floating) or isinstance(
            value, bool
        ):
            return False
        try:
            size = float(value)
        except OverflowError:  # larger than all integers of NumPy
            return False
        return (
            math.isfinite(size)
            and (low is None or size >= low)
            and (high is None or size <= high)
            and (above is None or size > above)
            and (below is None or size < below)
        )

    bounds = [_range(low, high)] if low is not None or high is not None else []
    bounds += [f" above {above:g}"] if above is not None else []
    bounds += [f" below {below:g}"] if below is not None else []
    return Rule("a number" + " and".join(bounds), holds, "number")


def number(
    low: float | None = None,
    high: float | None = None,
    *,
    above: float | None = None,
    below: float | None = None,
    vanishing: bool = True,
) -> Rule:
    """Return the rule for a finite number whose square does not overflow."""
    rule = finite(low, high, above=above, below=below)

    def holds(value: Any) -> bool:
        if not rule.holds(value):
            return False
        size = abs(float(value))
        # Unless `vanishing`, tiny values are not allowed, although 0 is.
        is_lost = size < TINY and (above == 0.0 or (size > 0.0 and not vanishing))
        return size < HUGE and not is_lost

    return replace(rule, holds=holds)


def one_of(*choices: Any) -> Rule:
    """Return the rule for one of a few fixed values, which may include None."""

    def holds(value: Any) -> bool:
        return any(
            value is choice or (isinstance(value, str) and value == choice)
            for choice in choices
        )

    wanted = " or ".join(repr(choice) for choice in choices)
    return Rule(wanted, holds, "choice", choices)


def flag() -> Rule:
    return Rule(
        "True or False", lambda value: isinstance(value, bool | np.bool_), "flag"
    )


def array(n_dims: int) -> Rule:
    """Return the rule for an array-like with ``n_dims`` dimensions."""

    def holds(value: Any) -> bool:
        try:
            return not isinstance(value, str) and np.ndim(value) == n_dims
        except ValueError:  # rows of different lengths
            return False

    return Rule(f"an array with {n_dims} dimensions", holds)


def mapping() -> Rule:
    return Rule("a dict", lambda value: isinstance(value, dict))


def function() -> Rule:
    return Rule("a function", callable)


def seed() -> Rule:
    """Return the rule for ``random_state``, as in scikit-learn."""

    def holds(value: Any) -> bool:
        known = (np.random.RandomState, type(np.random))
        return value is None or isinstance(value, known) or seeds.holds(value)

    seeds = whole(0, 2**32 - 1)
    return Rule(f"None, {seeds.wanted} or a numpy RandomState", holds)


def jobs() -> Rule:
    """Return the rule for ``n_jobs``; -1 is one worker per core."""
    return Rule(
        "a whole number of at least 1, -1 for all cores, or None",
        lambda value: value is None or (whole().holds(value) and value != 0),
    )


def either(*rules: Rule) -> Rule:
    """Return the rule that allows a value if one of ``rules`` allows it."""
    return Rule(
        ", or ".join(rule.wanted for rule in rules),
        lambda value: any(rule.holds(value) for rule in rules),
        parts=rules,
    )


def optional(rule: Rule) -> Rule:
    """Return the rule for a value that may also be None."""
    return either(rule, one_of(None))


def instance(*kinds: type) -> Rule:
    """Return the rule for an instance of one of several classes."""
    names = [kind.__name__ for kind in kinds]
    words = [f"{'an' if name[0] in 'AEIOU' else 'a'} {name}" for name in names]
    return Rule(" or ".join(words), lambda value: isinstance(value, kinds))


def text() -> Rule:
    return Rule("text", lambda value: isinstance(value, str))


def path() -> Rule:
    def holds(value: Any) -> bool:
        if not isinstance(value, str | os.PathLike):
            return False
        return bool(name := os.fspath(value)) and "\0" not in str(name)

    return Rule("the name of a file", holds)


def binary() -> Rule:
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
    """Return the rule for an object of any class that has a certain attribute."""
    return Rule(
        noun, lambda value: hasattr(value, attribute) and not isinstance(value, type)
    )


def anything() -> Rule:
    """Return the rule that allows every value."""
    return Rule("anything", lambda value: True)


def several(what: str, rule: Rule) -> Rule:
    """Return the rule for a list, tuple or array whose items all meet one rule."""
    row = iterable()

    def holds(value: Any) -> bool:
        is_list = row.holds(value) and hasattr(value, "__len__")
        return is_list and all(rule.holds(part) for part in value)

    return Rule(f"a list of {what}", holds)


def iterable() -> Rule:
    """Return the rule for an iterable: a list, an array, a generator."""

    def holds(value: Any) -> bool:
        if isinstance(value, str | bytes | Mapping | set | type):
            return False
        return isinstance(value, Iterable) and getattr(value, "ndim", 1) == 1

    return Rule("a list", holds)


def seed_rule() -> Rule:
    """Return the rule for the seed of a random generator."""
    return replace(whole(0, 2**32 - 1), wanted="a whole number from 0 to 2^32 - 1")


def rules_of(estimator: type) -> dict[str, Rule]:
    """Return the rule of each parameter that has one, in the constructor's order."""
    rules: dict[str, Rule] = {}
    for base in reversed(estimator.__mro__):
        rules |= vars(base).get("_rules", {})
    parameters = inspect.signature(estimator).parameters
    return {name: rules[name] for name in parameters if name in rules}


def check_params(estimator: object) -> None:
    """Raise a `ParameterError` for the first parameter whose value is not allowed."""
    owner = type(estimator).__name__
    for parameter, rule in rules_of(type(estimator)).items():
        check_argument(owner, parameter, getattr(estimator, parameter), rule)


class CheckedRecord:
    """Base of dataclasses of parameters; creating an object checks its values."""

    _rules: ClassVar[dict[str, Rule]] = {}

    def __post_init__(self) -> None:
        check_params(self)


def check_argument(owner: str, argument: str, value: Any, rule: Rule) -> None:
    """Raise a `ParameterError` if an argument of a function is not allowed."""
    if not rule.holds(value):
        raise ParameterError(
            owner, argument, value, rule.wanted + _extreme(value, rule)
        )


def arguments(**rules: Rule) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that checks the arguments of a function by their rules."""

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


def _extreme(value: Any, rule: Rule) -> str:
    """Return the limit as text if a number is too large or too small; else ""."""
    for part in rule.alternatives:
        if part.limit is not None and whole(part.limit + 1).holds(value):
            return f", at most {part.limit}"
    if not isinstance(value, float | np.floating) or not math.isfinite(value):
        return ""
    size = float(value)
    if abs(size) >= HUGE:
        return f", below {HUGE:g} in absolute value"
    return f", not below {TINY:g}" if 0.0 < size < TINY else ""


def _range(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f" between {_plain(low)} and {_plain(high)}"
    if low is not None:
        return f" of at least {_plain(low)}"
    if high is not None:
        return f" of at most {_plain(high)}"
    return ""


def _plain(bound: float) -> str:
    return str(bound) if isinstance(bound, int) else f"{bound:g}"


# Parameters that have the same name and meaning in all estimators.
COMMON: dict[str, Rule] = {
    "random_state": seed(),
    "verbose": either(flag(), whole(0)),
    "callback": either(function(), one_of(None)),
    "n_jobs": jobs(),
}
