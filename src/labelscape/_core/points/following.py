"""Fitted models that follow X as scikit-learn wants it, where its dispatch is on.

With ``sklearn.set_config(array_api_dispatch=True)``, what a fit learned from an array
of another library is kept in that library, and models are asked with arrays like those
of the fit. Without it, what was learned are NumPy's arrays, and only answers follow.
"""

import copy
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from sklearn import __version__ as sklearn_version
from sklearn import get_config
from sklearn.utils.fixes import parse_version

from labelscape._core.errors import InputError
from labelscape._core.points.arrays import device_of, namespace_of, to_numpy

# Before, scikit-learn wanted the classes to follow as well, by an older standard.
FOLLOWS = parse_version(sklearn_version) >= parse_version("1.9")


def as_tag(takes_arrays: bool) -> bool:
    """Return whether a model that takes arrays of others does so by the rules here."""
    return takes_arrays and FOLLOWS


def follow(model: Any, X: Any) -> None:
    """Keep what a model has learned beside X, if scikit-learn's dispatch is on.

    Words stay NumPy's, and the classes as scikit-learn keeps them.
    """
    xp = namespace_of(X)
    if xp is None or not get_config()["array_api_dispatch"]:
        return
    for name, value in vars(model).items():
        is_learned = isinstance(value, np.ndarray) and name != "classes_"
        if is_learned and value.dtype.kind in "biuf":
            setattr(model, name, xp.asarray(value, device=device_of(X)))


def bring_back(model: Any) -> Any:
    """Make NumPy's arrays of what a model has learned; return it."""
    for name, value in vars(model).items():
        if namespace_of(value) is not None and name not in model.get_params(deep=False):
            setattr(model, name, to_numpy(value))
    return model


def brought_back(model: Any) -> Any:
    """Return a model that has learned NumPy's arrays: a copy, if this one has not."""
    is_elsewhere = any(namespace_of(value) is not None for value in _learned(model))
    return bring_back(copy.copy(model)) if is_elsewhere else model


def following(method: Any) -> Any:
    """Decorate a method of objects that computes with what a model has learned."""

    @wraps(method)
    def call(self: Any, X: Any) -> Any:
        _check_alike(self, X, method)
        return method(brought_back(self), X)

    return call


def _learned(model: Any) -> list[Any]:
    return [value for name, value in vars(model).items() if name[-1] == "_"]


def _check_alike(model: Any, X: Any, method: Callable[..., Any]) -> None:
    """Raise if X is elsewhere than what was learned, where dispatch is on."""
    elsewhere = [A for A in _learned(model) if namespace_of(A) is not None]
    if not elsewhere:
        return
    xp, learned = namespace_of(X), elsewhere[0]
    is_alike = xp is namespace_of(learned) and device_of(X) == device_of(learned)
    if not is_alike:
        check_dispatch(model, method.__name__)


def check_dispatch(model: Any, method: str) -> None:
    """Raise where dispatch is on: X of a method is elsewhere than what was learned."""
    if get_config()["array_api_dispatch"]:
        raise InputError(
            f"X of {type(model).__name__}.{method}() must use the same "
            "namespace and the same device as X of fit(), because scikit-learn's "
            "array_api_dispatch is on. Move it there, or turn that off.",
            owner=type(model).__name__,
            parameter="X",
        )
