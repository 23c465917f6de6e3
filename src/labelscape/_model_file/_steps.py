"""What the steps of scikit-learn must be that a model file may hold.

Their classes can declare nothing for us; the declarations stand here.
"""

from typing import Any

import numpy as np

from labelscape._core.errors import InputError
from labelscape._core.fits.learned import Attribute, Declared, numbers, or_none
from labelscape._core.rules import Rule, finite, flag, one_of
from labelscape._model_file import _columns, _declared, _others
from labelscape._model_file._declared import COMMON, check_learned, check_loaded
from labelscape._model_file._registry import STEPS

_PER_FEATURE = numbers("features")
_SCALE = numbers("features", above=0.0)


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
    steps = [step for _, step in value]
    return distinct and _is_step(steps[-1], "fit") and _transform(steps[:-1])


def _transform(steps: list[Any]) -> bool:
    return all(_is_step(step, "transform") for step in steps)


def _is_step(value: Any, method: str) -> bool:
    if value is None or (isinstance(value, str) and value == "passthrough"):
        return True
    return not isinstance(value, type) and hasattr(value, method)


_SEEN = Rule("a number of rows", _is_count)
_RANGE = Rule("two numbers, the lower one first", _is_range)


def _used(declared: Attribute, switch: str) -> Declared:
    """Declare an attribute that may be None where a parameter of the step is off."""
    return lambda step: declared if getattr(step, switch) else or_none(declared)


LEARNED: dict[str, dict[str, Declared]] = _others.LEARNED | {
    "Pipeline": {},
    "ColumnTransformer": _columns.LEARNED,
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
}
RULES: dict[str, dict[str, Rule]] = _others.RULES | {
    "ColumnTransformer": _columns.RULES,
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
}


def learned_of(cls: type) -> dict[str, Declared]:
    """Return what a class that a file may hold declares of its fitted attributes."""
    return COMMON | LEARNED[cls.__name__] if is_step(cls) else _declared.learned_of(cls)


def check_model(model: Any) -> None:
    """Raise if a model from a file is not as a fit leaves it."""
    if not is_step(type(model)):
        check_loaded(model)
        return
    check_step(model)
    if type(model).__name__ != "Pipeline":
        _others.complete(model)
        _others.try_out(model)


def state_of(model: Any) -> dict[str, Any]:
    """Return the fitted attributes of a model as a file holds them."""
    parameters = model.get_params(deep=False)
    fitted = {k: v for k, v in vars(model).items() if k not in parameters}
    if not is_step(type(model)):
        return fitted
    # What others keep for themselves differs from version to version.
    declared = learned_of(type(model))
    return {k: v for k, v in fitted.items() if k in declared}


def held_by(model: Any) -> tuple[str, ...]:
    """Return what a model keeps of its objects because it is made of them."""
    if is_step(type(model)):
        held = _others.HELD.get(type(model).__name__, ())
        return tuple(name for name in held if name in vars(model))
    held_objects = getattr(model, "_held_objects", None)
    return () if held_objects is None else tuple(held_objects())


def check_step(model: Any) -> None:
    """Raise if a step of scikit-learn is not as a fit leaves it.

    It is asked before a step is written, too: no file is made that can't be read.
    """
    _check_parameters(model)
    if type(model).__name__ != "Pipeline":
        declared = learned_of(type(model))
        fitted = "n_features_in_" in vars(model)
        check_learned(model, declared, may_miss=() if fitted else declared)


def _check_parameters(model: Any) -> None:
    """Raise if a parameter of a step is no part of a model file."""
    parameters = model.get_params(deep=False)
    for parameter, rule in RULES[type(model).__name__].items():
        found = parameters.get(parameter)
        if parameter in parameters and not rule.holds(found):
            raise InputError(
                f"{type(model).__name__}.{parameter} must be {rule.wanted}, got "
                f"{found!r:.60}.",
                parameter=parameter,
            )


def is_step(cls: type) -> bool:
    """Return whether a class is one of scikit-learn's that a file may hold."""
    return cls.__name__ in STEPS and cls.__module__.startswith("sklearn.")
