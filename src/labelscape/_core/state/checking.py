"""Whether a model, and each model inside it, is what its class declares of it."""

from collections.abc import Callable, Collection
from functools import cache
from typing import Any

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from labelscape._core.errors import ParameterError, shown
from labelscape._core.rules import Rule, rules_of, whole
from labelscape._core.state.attributes import (
    COMMON,
    Attribute,
    Fit,
    Learned,
    got,
    record,
    resolved,
)


def fitted_of(estimator: type[Any]) -> Learned:
    """Return what a class and its bases declare of fitted attributes, or nothing.

    Examples
    --------
    >>> from labelscape._core.state import curve, numbers
    >>> class Map:
    ...     _learned = {"embedding_": numbers("objects", 2)}
    >>> class Curve(Map):
    ...     _learned = {"loss_curve_": curve()}
    >>> [name for name in fitted_of(Curve) if name not in COMMON]
    ['embedding_', 'loss_curve_']
    """
    return _merged(estimator.__mro__)


@cache
def _merged(bases: tuple[type, ...]) -> Learned:
    found: Learned = {}
    for base in reversed(bases):
        found |= vars(base).get("_learned", {})
    return COMMON | found if found else {}


def check_fitted(model: Any, *, whole: bool = False) -> None:
    """Raise unless a model is fitted, and all of it is as a fit leaves it behind.

    Parameters
    ----------
    model : estimator
        Any; of those that declare nothing it is only asked whether they are fitted.
    whole : bool, default=False
        Whether to look at what methods do not compute with, too.

    Raises
    ------
    NotFittedError
        If there was no fit.
    StateError
        If an attribute is missing or wrong. Attributes that remember objects of the
        fit may be missing: model files leave them out.
    ParameterError
        If a parameter breaks its rule.
    """
    try:
        check_is_fitted(model)
    except NotFittedError:
        raise
    except (AttributeError, TypeError):  # its tags ask what a parameter can not tell
        if fitted_of(type(model)):
            _check_params(model)
        raise
    declared = fitted_of(type(model))
    if not declared:
        return
    _check_params(model)
    _check(Fit(model, whole), declared, getattr(model, "_training_data", ()))


class FittedParameterError(ParameterError, AttributeError):
    """A parameter was broken after the fit."""


def _check_params(model: Any) -> None:
    for parameter, rule in _rules(type(model)).items():
        given = getattr(model, parameter, None)
        if given is None and parameter in getattr(model, "_removable", ()):
            continue  # what a file can not hold is taken out before saving
        if not rule.holds(given):
            owner = type(model).__name__
            raise FittedParameterError(owner, parameter, given, rule.wanted)


# Methods ask each time, and signatures take longer to read than rules to check.
_rules: Callable[[Any], dict[str, Rule]] = cache(rules_of)


def check_loaded(model: Any) -> None:
    """Raise if a model from a file, fitted or not, has an attribute that is wrong."""
    declared = fitted_of(type(model))
    if not declared:
        return
    try:
        check_fitted(model, whole=True)
    except NotFittedError:  # a fit that failed leaves some attributes behind
        check_learned(model, declared, may_miss=declared)


def check_learned(
    model: Any, declared: Learned, may_miss: Collection[str] = ()
) -> None:
    """Raise if an attribute of a model is not what somebody declares of it."""
    _check(Fit(model, whole=True), declared, may_miss)


def check_record(value: Any) -> None:
    """Raise if a record from a file is not what its class declares."""
    if hasattr(type(value), "_learned"):
        record(type(value)).check(type(value).__name__, value, Fit(value, whole=True))


def _check(fit: Fit, declared: Learned, may_miss: Collection[str]) -> None:
    """Check all that is declared, in its order."""
    for name, declaration in declared.items():
        there = name in vars(fit.model)
        if not there and name in may_miss:
            continue
        attribute = resolved(declaration, fit.model)
        if there:
            attribute.check(name, getattr(fit.model, name), fit)
        elif not attribute.optional:
            fit.refuse(name, "there", "nothing")


def part(*methods: str, kind: type | None = None) -> Attribute:
    """Declare a fitted estimator inside the model, which has these methods."""

    def check(name: str, value: Any, fit: Fit) -> None:
        able = all(callable(getattr(value, method, None)) for method in methods)
        if isinstance(value, type) or not able or not isinstance(value, kind or object):
            wanted = kind.__name__ if kind else f"an object with {', '.join(methods)}"
            fit.refuse(name, f"a fitted {wanted}", got(value))
        known = fit.sizes.get("features")
        n_features = getattr(value, "n_features_in_", known)
        if known is not None and not whole(known, known).holds(n_features):
            wanted = f"fitted to {known} features"
            fit.refuse(name, wanted, f"one of {shown(n_features)}")
        if hasattr(value, "__sklearn_tags__"):  # those of other libraries can not tell
            check_fitted(value, whole=fit.whole)

    return Attribute(check)
