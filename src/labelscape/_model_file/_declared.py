"""Comparing a loaded model with what its class declares of it."""

from collections.abc import Collection
from typing import Any

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from labelscape._core.errors import ParameterError
from labelscape._core.fits.learned import (
    Fit,
    Learned,
    optional,
    record,
    resolved,
    tested,
)
from labelscape._core.rules import rules_of, whole


def _is_count(value: Any, fit: Fit) -> bool:
    return whole(1).holds(value) and fit.binds("features", int(value))


def _are_names(value: Any, fit: Fit) -> bool:
    named = all(isinstance(column, str) for column in value)
    return (
        value.dtype.kind == "O" and named and fit.has_shape(("features",), value.shape)
    )


# What every estimator has after a fit, by scikit-learn.
COMMON: Learned = {
    "n_features_in_": tested("a whole number of at least 1", _is_count),
    "feature_names_in_": optional(tested("names of all features", _are_names)),
    "_sklearn_output_config": optional(
        tested("a dict, as set_output makes it", lambda value, _: type(value) is dict)
    ),
}


def learned_of(estimator: type[Any]) -> Learned:
    """Return what a class and its bases declare of fitted attributes, or nothing."""
    declared: Learned = {}
    for base in reversed(estimator.__mro__):
        declared |= vars(base).get("_learned", {})
    return COMMON | declared if declared else {}


def check_loaded(model: Any) -> None:
    """Raise if a model from a file, fitted or not, has an attribute that is wrong.

    Attributes with training data may be missing: files leave them out.
    """
    declared = learned_of(type(model))
    if not declared:
        return
    try:
        check_is_fitted(model)
    except NotFittedError:  # a fit that failed leaves some attributes behind
        check_learned(model, declared, may_miss=declared)
        return
    except (AttributeError, TypeError):  # its tags depend on a wrong parameter
        _check_params(model)
        raise
    _check_params(model)
    check_learned(model, declared, getattr(model, "_training_data", ()))


def check_learned(
    model: Any, declared: Learned, may_miss: Collection[str] = ()
) -> None:
    """Raise if an attribute of a model is not what is declared of it."""
    fit = Fit(model)
    for name, declaration in declared.items():
        if name not in vars(model) and name in may_miss:
            continue
        attribute = resolved(declaration, model)
        if name in vars(model):
            attribute.check(name, getattr(model, name), fit)
        elif not attribute.optional:
            fit.refuse(name, "set", None)


def check_record(value: Any) -> None:
    """Raise if a record from a file is not what its class declares."""
    if hasattr(type(value), "_learned"):
        record(type(value)).check(type(value).__name__, value, Fit(value))


def _check_params(model: Any) -> None:
    """Raise if a parameter breaks its rule; some may be removed before saving."""
    for parameter, rule in rules_of(type(model)).items():
        given = getattr(model, parameter, None)
        removed = given is None and parameter in getattr(model, "_removable", ())
        if not removed and not rule.holds(given):
            raise ParameterError(type(model).__name__, parameter, given, rule.wanted)
