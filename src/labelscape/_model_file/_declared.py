"""Comparing a loaded model with what is declared of it.

Our estimators declare their fitted attributes themselves. Preprocessing and linear maps
of scikit-learn are held by their public attributes, declared here. What scikit-learn
keeps beside them is made by a fit to a few rows (`STAND_INS`).
"""

import warnings
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from labelscape._core.errors import InputError, ParameterError
from labelscape._core.fits.learned import (
    Attribute,
    Declared,
    Fit,
    Learned,
    classes,
    numbers,
    optional,
    or_none,
    record,
    resolved,
    tested,
)
from labelscape._core.rules import Rule, finite, flag, jobs, one_of, rules_of, whole
from labelscape._model_file._registry import STEPS


def _is_width(value: Any, fit: Fit) -> bool:
    return whole(1).holds(value) and fit.binds("features", int(value))


def _are_names(value: Any, fit: Fit) -> bool:
    named = all(isinstance(column, str) for column in value)
    return (
        value.dtype.kind == "O" and named and fit.has_shape(("features",), value.shape)
    )


class _Transformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Shows under which name scikit-learn keeps what ``set_output`` is given."""

    def transform(self, X: Any) -> Any:
        """Return X."""
        return X

    def get_feature_names_out(self) -> list[str]:
        """Return nothing."""
        return []


# What every estimator has after a fit, by scikit-learn.
COMMON: Learned = {
    "n_features_in_": tested("a whole number of at least 1", _is_width),
    "feature_names_in_": optional(tested("names of all features", _are_names)),
    next(iter(vars(_Transformer().set_output(transform="default")))): optional(
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


_PER_FEATURE = numbers("features")
_SCALE = numbers("features", above=0.0)
_COUNT = whole(0)


def _is_count(value: Any) -> bool:
    """Whether a value says how many rows a scaler has seen, or how many per feature."""
    return finite(0).holds(value) or (
        type(value) is np.ndarray and value.dtype.kind in "iuf" and value.ndim == 1
    )


def _is_range(value: Any) -> bool:
    return (
        type(value) in (tuple, list)
        and len(value) == 2
        and all(finite().holds(end) for end in value)
        and value[0] < value[1]
    )


def _are_steps(value: Any) -> bool:
    """Whether a value is the list of steps of a Pipeline, with different names."""
    if type(value) is not list or not value:
        return False
    if not all(type(step) is tuple and len(step) == 2 for step in value):
        return False
    names = [name for name, _ in value]
    named = all(type(name) is str and "__" not in name for name in names)
    distinct = named and len(set(names)) == len(names)
    *before, last = [step for _, step in value]
    return (
        distinct
        and _is_step(last, "fit")
        and all(_is_step(step, "transform") for step in before)
    )


def _is_step(value: Any, method: str) -> bool:
    if value is None or (isinstance(value, str) and value == "passthrough"):
        return True
    return not isinstance(value, type) and hasattr(value, method)


def _are_categories(value: Any, fit: Any) -> bool:
    return (
        type(value) is list
        and fit.binds("features", len(value))
        and all(type(one) is np.ndarray and one.ndim == 1 and len(one) for one in value)
    )


_SEEN = Rule("a number of rows", _is_count)
_RANGE = Rule("two numbers, the lower one first", _is_range)


def _used(declared: Attribute, switch: str) -> Declared:
    """Declare an attribute that may be None where a parameter of the step is off."""
    return lambda step: declared if getattr(step, switch) else or_none(declared)


def _one_line(model: Any) -> int:
    """Return how many scores decide; of two classes one is enough."""
    return 1 if len(model.classes_) == 2 else len(model.classes_)


LEARNED: dict[str, dict[str, Declared]] = {
    "Pipeline": {},
    "StandardScaler": {
        "mean_": _used(_PER_FEATURE, "with_mean"),
        "var_": _used(numbers("features", low=0.0), "with_std"),
        "scale_": _used(_SCALE, "with_std"),
        "n_samples_seen_": _SEEN,
    },
    "MinMaxScaler": {
        "min_": _PER_FEATURE,
        "scale_": _SCALE,
        "data_min_": _PER_FEATURE,
        "data_max_": _PER_FEATURE,
        "data_range_": numbers("features", low=0.0),
        "n_samples_seen_": _SEEN,
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
_SEED = Rule(
    "None or a whole number",
    lambda value: value is None or whole(0, 2**32 - 1).holds(value),
)
RULES: dict[str, dict[str, Rule]] = {
    # A folder, or what wraps one, would make a later fit read pickles from there.
    "Pipeline": {
        "steps": Rule("a list of pairs (name, step)", _are_steps),
        "memory": Rule(
            "None: a model file reaches no other file. Call set_params(memory=None) "
            "before saving",
            lambda value: value is None,
        ),
        "verbose": flag(),
        "transform_input": one_of(None),
    },
    "StandardScaler": {"copy": flag(), "with_mean": flag(), "with_std": flag()},
    "MinMaxScaler": {"feature_range": _RANGE, "copy": flag(), "clip": flag()},
    "RobustScaler": {
        "with_centering": flag(),
        "with_scaling": flag(),
        "quantile_range": _RANGE,
        "copy": flag(),
        "unit_variance": flag(),
    },
    "OneHotEncoder": {
        "min_frequency": one_of(None),
        "max_categories": one_of(None),
        "feature_name_combiner": one_of("concat"),
    },
    "SimpleImputer": {"add_indicator": one_of(False)},
    "PCA": {"whiten": flag(), "random_state": _SEED},
    "NeighborhoodComponentsAnalysis": {"random_state": _SEED, "callback": one_of(None)},
    "LinearDiscriminantAnalysis": {
        "solver": one_of("svd", "lsqr", "eigen"),
        "covariance_estimator": one_of(None),
        "n_jobs": jobs(),
    },
}


def _each_category_once(encoder: Any) -> tuple[NDArray[Any]]:
    """Return rows that have each category of a column, the last one again."""
    longest = max(len(one) for one in encoder.categories_)
    columns = [
        np.append(one, [one[-1]] * (longest - len(one))).astype(object)
        for one in encoder.categories_
    ]
    return (np.column_stack(columns),)


def _two_of_each_class(model: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    y = np.repeat(model.classes_, 2)
    return np.random.default_rng(0).normal(size=(len(y), model.n_features_in_)), y


# Rows, and labels if needed, that give a fit of the same shape, and the parameters that
# such a fit needs.
STAND_INS: dict[str, tuple[Callable[[Any], tuple[Any, ...]], dict[str, Any]]] = {
    "OneHotEncoder": (_each_category_once, {}),
    "SimpleImputer": (lambda imputer: (imputer.statistics_[None],), {}),
    "LinearDiscriminantAnalysis": (
        _two_of_each_class,
        {"solver": "svd", "shrinkage": None},
    ),
}


def is_step(cls: type) -> bool:
    """Return whether a class is one of scikit-learn's that a file holds by itself."""
    return cls.__name__ in STEPS and cls.__module__.startswith("sklearn.")


def declared_of(cls: type) -> dict[str, Declared]:
    """Return what a class that a file may hold declares of its fitted attributes."""
    return COMMON | LEARNED[cls.__name__] if is_step(cls) else learned_of(cls)


def check_model(model: Any) -> None:
    """Raise if a model from a file is not as a fit leaves it; complete it if it is."""
    if not is_step(type(model)):
        check_loaded(model)
        return
    check_step(model)
    if "n_features_in_" in vars(model) and type(model).__name__ in STAND_INS:
        rows, parameters = STAND_INS[type(model).__name__]
        usual = model.get_params(deep=False)
        learned = state_of(model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.set_params(**parameters).fit(*rows(model))
        vars(model).update(usual | learned)


def state_of(model: Any) -> dict[str, Any]:
    """Return the fitted attributes of a model as a file holds them."""
    parameters = model.get_params(deep=False)
    fitted = {k: v for k, v in vars(model).items() if k not in parameters}
    if not is_step(type(model)):
        return fitted
    # What others keep for themselves differs from version to version.
    declared = declared_of(type(model))
    return {k: v for k, v in fitted.items() if k in declared}


def check_step(model: Any) -> None:
    """Raise if a step of scikit-learn is not as a fit leaves it.

    It is asked before a step is written, too: no file is made that can't be read.
    """
    name, parameters = type(model).__name__, model.get_params(deep=False)
    for parameter, rule in RULES[name].items():
        value = parameters.get(parameter)
        if parameter in parameters and not rule.holds(value):
            raise InputError(
                f"{name}.{parameter} must be {rule.wanted}, got {value!r:.60}.",
                parameter=parameter,
            )
    if name != "Pipeline":
        declared = declared_of(type(model))
        fitted = "n_features_in_" in vars(model)
        check_learned(model, declared, may_miss=() if fitted else declared)
