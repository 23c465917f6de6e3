"""From a seed to a case: which target is called with what."""

import inspect
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from tests.faults.fuzz import bad, good
from tests.faults.fuzz.targets import Target, targets

# Whole numbers that say how long to work: a large one is no fault, only long.
PATIENCE = {
    "max_iter",
    "n_init",
    "epochs",
    "early_exaggeration_iter",
    "n_splits",
    "n_steps",
    "max_push",
    "n",
    "push_patience",
    "grow_patience",
}


@dataclass(frozen=True)
class Case:
    """A call to try: its arguments, and what is odd about them in words."""

    name: str
    call: Callable[[dict[str, Any]], Any]
    arguments: dict[str, Any]
    oddities: dict[str, str]
    must_be_refused: bool = False

    def __str__(self) -> str:
        listed = (f"{name}={self.oddities.get(name, '…')}" for name in self.arguments)
        return f"{self.name}({', '.join(listed)})"


def public_case(seed: int) -> Case:
    """Return the case of a seed; seeds go round all public names."""
    every = targets()
    target, rng = every[seed % len(every)], Random(seed)
    arguments = right_arguments(target, rng)
    names = list(target.parameters)
    n_odd = min(rng.choice([0, 1, 1, 1, 1, 1, 2]), len(names))
    oddities = {}
    for name in rng.sample(names, n_odd):
        oddities[name], arguments[name] = _odd(target, name, rng)
    broken = (_breaks_rule(target, name, arguments[name]) for name in oddities)
    return Case(target.name, target.call, arguments, oddities, any(broken))


def right_arguments(target: Target, rng: Random | None = None) -> dict[str, Any]:
    """Return arguments that are right: the needed ones, with ``rng`` some others."""
    arguments = good.needed(target.name, target.needed)
    for name, parameter in target.parameters.items():
        if name in arguments:
            continue
        if name in good.QUICK or name == "y":
            value = good.good(target.name, name)
            # A right value for one may be none for another: the default always is.
            fits = name not in target.rules or target.rules[name].holds(value)
            arguments[name] = value if fits else parameter.default
        elif rng is not None and rng.random() < 0.15:
            arguments |= _other(target, name, rng)
    return arguments


def _other(target: Target, name: str, rng: Random) -> dict[str, Any]:
    """Return an argument with a right value besides the default, if one is known."""
    if name in target.rules:
        known = bad.kept(target.rules[name])
        return {name: rng.choice(known)[1]()} if known else {}
    value = good.good(target.name, name)
    return {} if value is good.NOTHING else {name: value}


def _odd(target: Target, name: str, rng: Random) -> tuple[str, Any]:
    """Return a value that is wrong, or right in an odd way."""
    right = good.good(target.name, name)
    tried = [bad.damaged(right), bad.plain_values()]
    rule = target.rules.get(name)
    if rule is not None:
        tried += [bad.kept(rule), bad.just_kept(rule)]
    quick = ([v for v in some if not _takes_long(name, v[1])] for some in tried)
    values = rng.choice([some for some in quick if some])
    while True:
        words, make = rng.choice(values)
        try:
            with warnings.catch_warnings(action="ignore"):  # that something is lost
                return words, make()
        except (TypeError, ValueError, OverflowError):  # no such thing can be made
            continue


def _takes_long(name: str, make: Callable[[], Any]) -> bool:
    if name not in PATIENCE:
        return False
    value = make()
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return is_whole and value >= 1000


def _breaks_rule(target: Target, name: str, value: Any) -> bool:
    if name in target.rules:
        return not target.rules[name].holds(value)
    default = target.parameters[name].default
    is_flag = isinstance(default, bool) and name != "verbose"
    annotation = target.parameters[name].annotation
    if not is_flag or annotation not in (bool, inspect.Parameter.empty):
        return False
    return not isinstance(value, bool | np.bool_)
