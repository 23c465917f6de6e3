"""What there is to call: every public name of the library, found through its doors."""

import inspect
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from sklearn.base import BaseEstimator
from tests.faults.fuzz import good

import labelscape
from labelscape._core.params import Rule, rules_of

# Scikit-learn's own, and what every tuple has.
OTHERS = ("get_", "set_", "count", "index")
# Methods that show what a fit has learned, asked for after each fit.
SHOWING = ("transform", "predict", "predict_proba", "pairwise")


@dataclass(frozen=True)
class Target:
    """Something public that can be called with arguments by name."""

    name: str
    parameters: dict[str, inspect.Parameter]
    call: Callable[[dict[str, Any]], Any]
    rules: dict[str, Rule]

    @property
    def needed(self) -> list[str]:
        """The arguments that have no default."""
        return [
            name
            for name, parameter in self.parameters.items()
            if parameter.default is inspect.Parameter.empty
        ]


@cache
def targets() -> tuple[Target, ...]:
    """Return all of them: functions, fits, methods, and attributes that can be set."""
    found: dict[str, Target] = {}
    for room in _rooms():
        for name in room.__all__:
            thing = getattr(room, name)
            if getattr(thing, "__module__", "").startswith("labelscape"):
                title = f"{room.__name__}.{name}".removeprefix("labelscape.")
                found |= {target.name: target for target in _of(title, thing)}
    return tuple(found.values())


def _rooms() -> list[ModuleType]:
    inner = (getattr(labelscape, name) for name in labelscape.__all__)
    rooms = [room for room in inner if inspect.ismodule(room)]
    parts = (getattr(room, name) for room in rooms for name in room.__all__)
    inside = [one for one in parts if inspect.ismodule(one) and hasattr(one, "__all__")]
    return [labelscape, *rooms, *inside, import_module("labelscape.hosts")]


def _of(title: str, thing: Any) -> list[Target]:
    if inspect.isfunction(thing):
        return [_function(title, thing)]
    if not inspect.isclass(thing) or issubclass(thing, BaseException):
        return []
    if issubclass(thing, BaseEstimator):
        fitted = cache(lambda: _fit(thing, good.needed(title, _needed_by_fit(thing))))
        return [_fitting(title, thing), *_methods(title, thing, fitted)]
    make = good.RECORDS.get(thing.__name__)
    return [] if make is None else _methods(title, thing, make)


def _function(title: str, function: Callable[..., Any]) -> Target:
    return Target(title, _named(function), lambda arguments: function(**arguments), {})


def _fitting(title: str, estimator: type) -> Target:
    """Return a fit with its constructor, and a look at what was learned."""
    parameters = _named(estimator) | _named(estimator.fit)

    def call(arguments: dict[str, Any]) -> Any:
        model = _fit(estimator, arguments)
        shown = (getattr(model, name) for name in SHOWING if hasattr(model, name))
        return model, [show(deepcopy(arguments["X"])) for show in shown]

    return Target(title, parameters, call, rules_of(estimator))


def _fit(estimator: type, arguments: dict[str, Any]) -> Any:
    own = _named(estimator)
    model = estimator(**{k: v for k, v in arguments.items() if k in own})
    return model.fit(**{k: v for k, v in arguments.items() if k not in own})


def _needed_by_fit(estimator: type) -> list[str]:
    both = _named(estimator) | _named(estimator.fit)
    quick = [name for name in both if name in good.QUICK]
    return [*_without_default(both), *quick, *(n for n in ("y",) if n in both)]


def _methods(title: str, kind: type, make: Callable[[], Any]) -> list[Target]:
    return [
        _method(f"{title}.{name}", name, member, make)
        for name, member in inspect.getmembers(kind)
        if not name.startswith(("_", *OTHERS)) and _can_be_given(member)
    ]


def _can_be_given(member: Any) -> bool:
    is_method = inspect.isfunction(member) or inspect.ismethod(member)
    return is_method or (isinstance(member, property) and member.fset is not None)


def _method(title: str, name: str, member: Any, make: Callable[[], Any]) -> Target:
    if isinstance(member, property):
        value = inspect.Parameter("value", inspect.Parameter.KEYWORD_ONLY)
        return Target(
            f"{title} =",
            {"value": value},
            lambda arguments: setattr(deepcopy(make()), name, arguments["value"]),
            {},
        )
    return Target(
        title,
        _named(member),
        lambda arguments: getattr(deepcopy(make()), name)(**arguments),
        getattr(member, "_rules", {}),
    )


def _named(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return the arguments that can be given by name."""
    many = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {
        name: parameter
        for name, parameter in inspect.signature(function).parameters.items()
        if name != "self" and parameter.kind not in many
    }


def _without_default(parameters: dict[str, inspect.Parameter]) -> list[str]:
    return [n for n, p in parameters.items() if p.default is inspect.Parameter.empty]
