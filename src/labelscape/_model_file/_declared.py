"""Checks of a loaded model against the declarations of its fitted attributes.

Our estimators declare their fitted attributes themselves. Preprocessing and linear maps
of scikit-learn are stored as their public attributes, declared here. Private
attributes of such steps are restored by fitting them to a few rows (`STAND_INS`).
"""

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from labelscape._core.errors import InputError, ParameterError
from labelscape._core.learned import (
    Attribute,
    Declared,
    Learned,
    LoadCheck,
    classes,
    numbers,
    optional,
    or_none,
    record,
    resolved,
    tested,
)
from labelscape._core.params import Rule, anything, finite, one_of, rules_of, whole
from labelscape._core.threads import ignored
from labelscape._core.types import Array
from labelscape._model_file._registry import STEPS


def _are_names(value: Any, fit: LoadCheck) -> bool:
    named = all(isinstance(column, str) for column in value)
    return (
        value.dtype.kind == "O" and named and fit.has_shape(("features",), value.shape)
    )


# scikit-learn's private name for the options of `set_output`.
_SET = StandardScaler().set_output(transform="default")
_OUTPUT = next(iter(vars(_SET).keys() - _SET.get_params().keys()))
# Attributes of every fitted estimator of scikit-learn.
COMMON: Learned = {
    "n_features_in_": tested(
        "a whole number of at least 1",
        lambda value, fit: whole(1).holds(value) and fit.binds("features", int(value)),
    ),
    "feature_names_in_": optional(tested("names of all features", _are_names)),
    _OUTPUT: optional(
        tested("a dict, as set_output makes it", lambda value, _: type(value) is dict)
    ),
}


def check_learned(
    model: Any, declared: Learned, may_miss: Collection[str] = ()
) -> None:
    """Raise an error if an attribute of a model violates its declaration."""
    fit = LoadCheck(model)
    for name, declaration in declared.items():
        if name not in vars(model) and name in may_miss:
            continue
        attribute = resolved(declaration, model)
        if name in vars(model):
            attribute.check(name, getattr(model, name), fit)
        elif not attribute.optional:
            fit.refuse(name, "set", None)


def check_record(value: Any) -> None:
    """Raise an error if a record from a file violates its class's declaration."""
    if hasattr(type(value), "_learned"):
        record(type(value)).check(type(value).__name__, value, LoadCheck(value))


def _check_params(model: Any) -> None:
    """Raise an error for an invalid parameter; if files omit it, it may be None."""
    for parameter, rule in rules_of(type(model)).items():
        given = getattr(model, parameter, None)
        removed = given is None and parameter in getattr(model, "_removable", ())
        if not removed and not rule.holds(given):
            raise ParameterError(type(model).__name__, parameter, given, rule.wanted)


_PER_FEATURE = numbers("features")
_SCALE = numbers("features", above=0.0)
_COUNT = anything()  # of rows or iterations; no result depends on it


def _are_categories(value: Any, fit: Any) -> bool:
    return (
        type(value) is list
        and fit.binds("features", len(value))
        and all(type(one) is np.ndarray and one.ndim == 1 and len(one) for one in value)
    )


def _used(declared: Attribute, switch: str) -> Declared:
    """Declare an attribute that may be None if the parameter ``switch`` is off."""
    return lambda step: declared if getattr(step, switch) else or_none(declared)


def _one_line(model: Any) -> int:
    """Return the number of score columns: one for two classes, else one per class."""
    return 1 if len(model.classes_) == 2 else len(model.classes_)


LEARNED: dict[str, dict[str, Declared]] = {
    "Pipeline": {},
    "StandardScaler": {
        "mean_": _used(_PER_FEATURE, "with_mean"),
        "var_": _used(numbers("features", low=0.0), "with_std"),
        "scale_": _used(_SCALE, "with_std"),
        "n_samples_seen_": _COUNT,
    },
    "MinMaxScaler": {
        **dict.fromkeys(("min_", "data_min_", "data_max_"), _PER_FEATURE),
        "scale_": _SCALE,
        "data_range_": numbers("features", low=0.0),
        "n_samples_seen_": _COUNT,
    },
    "RobustScaler": {
        "center_": _used(_PER_FEATURE, "with_centering"),
        "scale_": _used(_SCALE, "with_scaling"),
    },
    "OneHotEncoder": {
        "categories_": tested("the categories of each column", _are_categories)
    },
    "SimpleImputer": {
        "statistics_": tested(
            "a value for each feature",
            lambda value, fit: fit.has_shape(("features",), value.shape),
        )
    },
    "PCA": {
        "components_": numbers("components", "features"),
        "mean_": _PER_FEATURE,
        "explained_variance_": numbers("components", low=0.0),
        "explained_variance_ratio_": numbers("components", low=0.0),
        "singular_values_": numbers("components", low=0.0),
        "noise_variance_": finite(0.0),
        "n_components_": tested(
            "the number of components", lambda n, fit: fit.binds("components", n)
        ),
        "n_samples_": _COUNT,
    },
    "NeighborhoodComponentsAnalysis": {
        "components_": numbers("components", "features"),
        "n_iter_": _COUNT,
    },
    "LinearDiscriminantAnalysis": {
        "classes_": classes(),
        "coef_": lambda model: numbers(_one_line(model), "features"),
        "intercept_": lambda model: numbers(_one_line(model)),
        "means_": numbers("classes", "features"),
        "priors_": numbers("classes", low=0.0),
        "xbar_": optional(_PER_FEATURE),
        "covariance_": optional(numbers("features", "features")),
        "scalings_": optional(numbers("features", "rank")),
        "explained_variance_ratio_": optional(numbers("parts", low=0.0)),
    },
}
NO_FILES = Rule(
    "None, because a model file cannot use other files. Call set_params(memory=None) "
    "before saving",
    lambda value: value is None,
)
# Allowed values of parameters whose other values, such as functions, cannot be saved.
RULES: dict[str, dict[str, Rule]] = {
    "Pipeline": {"memory": NO_FILES},
    "OneHotEncoder": {
        "min_frequency": one_of(None),
        "max_categories": one_of(None),
        "feature_name_combiner": one_of("concat"),
    },
    "SimpleImputer": {"add_indicator": one_of(False)},
    "NeighborhoodComponentsAnalysis": {"callback": one_of(None)},
    "LinearDiscriminantAnalysis": {"covariance_estimator": one_of(None)},
}


def each_category_once(encoder: Any) -> tuple[Array]:
    """Return rows with all categories; short columns repeat their last category."""
    longest = max(len(one) for one in encoder.categories_)
    columns = [
        np.append(one, [one[-1]] * (longest - len(one))).astype(object)
        for one in encoder.categories_
    ]
    return (np.column_stack(columns),)


def _two_of_each_class(model: Any) -> tuple[Array, Array]:
    y = np.repeat(model.classes_, 2)
    return np.random.default_rng(0).normal(size=(len(y), model.n_features_in_)), y


# For each class: a function that returns rows (and labels) for a fit with the same
# shapes, and the parameters of this fit.
STAND_INS: dict[str, tuple[Callable[[Any], tuple[Any, ...]], dict[str, Any]]] = {
    "OneHotEncoder": (each_category_once, {}),
    "SimpleImputer": (lambda imputer: (imputer.statistics_[None],), {}),
    "LinearDiscriminantAnalysis": (
        _two_of_each_class,
        {"solver": "svd", "shrinkage": None},
    ),
}


def is_step(cls: type) -> bool:
    """Return whether files store a scikit-learn class by its public attributes."""
    return cls.__name__ in STEPS and cls.__module__.startswith("sklearn.")


def declared_of(cls: type[Any]) -> Learned:
    """Return the declarations of fitted attributes of a class and its bases."""
    if is_step(cls):
        return COMMON | LEARNED[cls.__name__]
    declared: Learned = {}
    for base in reversed(cls.__mro__):
        declared |= vars(base).get("_learned", {})
    return COMMON | declared if declared else {}


def check_model(model: Any) -> None:
    """Check fitted attributes of a loaded model, and restore private attributes."""
    if is_step(type(model)):
        check_step(model)
        _complete(model)
        return
    declared = declared_of(type(model))
    if not declared:
        return
    try:
        check_is_fitted(model)
    except NotFittedError:  # a failed fit leaves some attributes
        check_learned(model, declared, may_miss=declared)
        return
    _check_params(model)
    check_learned(model, declared, getattr(model, "_training_data", ()))


def _complete(step: Any) -> None:
    """Restore the private attributes of a fitted step of scikit-learn."""
    if "n_features_in_" not in vars(step) or type(step).__name__ not in STAND_INS:
        return
    rows, parameters = STAND_INS[type(step).__name__]
    known = step.get_params(deep=False) | state_of(step)
    with ignored(Warning):
        step.set_params(**parameters).fit(*rows(step))
    vars(step).update(known)


def state_of(model: Any) -> dict[str, Any]:
    """Return the fitted attributes of a model that a file stores."""
    parameters = model.get_params(deep=False)
    fitted = {k: v for k, v in vars(model).items() if k not in parameters}
    if not is_step(type(model)):
        return fitted
    # Private attributes of other libraries differ between versions.
    declared = declared_of(type(model))
    return {k: v for k, v in fitted.items() if k in declared}


def check_step(model: Any) -> None:
    """Raise an error if fitted attributes of a scikit-learn step are invalid."""
    name = type(model).__name__
    check_rules(name, model.get_params(deep=False), RULES.get(name, {}))
    if name != "Pipeline":
        declared = declared_of(type(model))
        fitted = "n_features_in_" in vars(model)
        check_learned(model, declared, may_miss=() if fitted else declared)


def check_rules(name: str, values: dict[str, Any], rules: dict[str, Rule]) -> None:
    """Raise an error if a value of a model, called ``name``, violates its rule."""
    for parameter, rule in rules.items():
        if parameter in values and not rule.holds(values[parameter]):
            raise InputError(
                f"{name}.{parameter} must be {rule.wanted}, got "
                f"{values[parameter]!r:.60}.",
                parameter=parameter,
            )
