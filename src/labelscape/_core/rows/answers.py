"""Predictions and other methods for new samples, for all kinds of X.

For chunked samples, results are lazy and have the chunks of X. For an array of another
library, results are computed on its device, with a model of NumPy arrays.

With ``sklearn.set_config(array_api_dispatch=True)``, fitted attributes are arrays of
the library of X, and predictions need arrays of the same library. Without this setting,
fitted attributes are NumPy arrays, and only results are on the device of X.
"""

import copy
from collections.abc import Sequence
from functools import wraps
from typing import Any

import numpy as np
from sklearn import __version__ as sklearn_version
from sklearn import get_config
from sklearn.base import ClassifierMixin
from sklearn.utils.fixes import parse_version
from sklearn.utils.validation import check_is_fitted

from labelscape._core.errors import InputError
from labelscape._core.estimator import Estimator
from labelscape._core.labels import check_sample_weight, labels_argument
from labelscape._core.rows.chunks import (
    added_up,
    array_of,
    bare,
    check_columns,
    column_of,
    computed,
    is_frame,
    parts_of,
    shipped,
    task,
    tasks_of,
    tree,
    two_rows,
)
from labelscape._core.rows.device import device_of, where_is
from labelscape._core.rows.kinds import as_numpy, is_chunked, namespace_of, to_numpy
from labelscape._core.threads import ignored
from labelscape._core.types import Array

# Earlier versions of scikit-learn require the classes on the device, too.
FOLLOWS = parse_version(sklearn_version) >= parse_version("1.9")


def lazy(method: Any) -> Any:
    """Decorate a method so that it returns a lazy Dask array for chunked samples."""

    @wraps(method)
    def call(self: Any, *args: Any, **options: Any) -> Any:
        X = args[0] if args else options.get("X")
        if not is_chunked(X):
            return method(self, *args, **options)
        options.pop("X", None)
        return _lazily(method.__name__, self, X, args[1:], options)

    return call


def of_any_rows(method: Any) -> Any:
    """Let a method take samples of any type, although its model uses NumPy."""

    @wraps(method)
    def call(self: Any, X: Any) -> Any:
        return method(numpy_copy(self, X, method.__name__), X)

    return lazy(call)


# Chunked samples.


def _lazily(
    name: str, model: Any, X: Any, args: Sequence[Any], options: dict[str, Any]
) -> Any:
    check_is_fitted(model)
    check_columns(model, X, reset=False)
    with ignored(Warning):  # for made-up samples
        tried = getattr(model, name)(two_rows(X), *args, **options)
    tasks, sizes = tasks_of(X, owner=type(model).__name__, name="X", n_dimensions=2)
    several = isinstance(tried, tuple)
    like = [np.asarray(one)[:0] for one in (tried if several else [tried])]
    call = shipped((traveling(model, X), name, args, options, like))
    answers = [task(_answer, part, i, call) for i, part in enumerate(tasks)]
    arrays = [array_of(answers, k, sizes, one) for k, one in enumerate(like)]
    return tuple(arrays) if several else arrays[0]


def traveling(model: Any, X: Any) -> Any:
    """Return a model to send to the workers, after a check of the columns of X."""
    bared = bare(model)
    if not is_frame(X):
        vars(bared).pop("feature_names_in_", None)
    return bared


def _answer(part: Any, number: int, call: tuple[Any, ...]) -> list[Array]:
    """Return the results of a method for one chunk, as a list of arrays."""
    model, name, args, options, like = call
    if not len(part):
        return list(like)
    try:
        answer = getattr(model, name)(part, *args, **options)
    except InputError as error:
        error.parts += (f" The row is counted from the start of chunk {number} of X.",)
        raise
    return list(answer) if isinstance(answer, tuple) else [answer]


class ScoringClassifier(ClassifierMixin, Estimator):  # type: ignore[misc]
    """Base class of classifiers, with a score for samples of all types."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy of the predictions for samples X with classes y.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            True classes of the samples.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample.

        Returns
        -------
        float
            Accuracy, between 0 and 1.
        """
        if is_chunked(X):
            return _score_of_chunks(self, X, y, sample_weight)
        owner, predicted = type(self).__name__, to_numpy(self.predict(X))
        y, sample_weight = as_numpy(y), as_numpy(sample_weight)
        labels = labels_argument(owner, "y", y, size=len(predicted))
        weights = check_sample_weight(sample_weight, len(predicted), owner=owner)
        return float(np.average(labels == predicted, weights=weights))


def _score_of_chunks(model: Any, X: Any, y: Any, sample_weight: Any) -> float:
    """Return the weighted accuracy on chunked samples."""
    owner = type(model).__name__
    check_is_fitted(model)
    check_columns(model, X, reset=False)
    parts = parts_of(X, owner=owner, name="X", n_dimensions=2)
    labels = column_of(y, parts, owner=owner, name="y")
    weights: list[Any] = [None] * len(labels)
    if sample_weight is not None:
        weights = column_of(sample_weight, parts, owner=owner, name="sample_weight")
    out = shipped(traveling(model, X))
    rows = zip(parts.tasks, labels, weights, strict=True)
    sums = [task(_right, *given, out) for given in rows]
    right, total = computed([tree(added_up, sums)])[0]
    if not total:
        raise InputError("X has no samples with a weight above 0.", owner=owner)
    return float(right / total)


def _right(X: Any, y: Any, weights: Any, model: Any) -> tuple[float, float]:
    weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=float)
    right = model.score(X, y, weights) * weights.sum() if weights.any() else 0.0
    return right, float(weights.sum())


# Fitted models on the device of X.


def follow(model: Any, X: Any) -> None:
    """Move fitted attributes to the device of X, if scikit-learn's dispatch is on."""
    xp = namespace_of(X)
    if xp is None or not get_config()["array_api_dispatch"]:
        return
    for name, value in vars(model).items():
        is_learned = isinstance(value, np.ndarray) and name != "classes_"
        if is_learned and value.dtype.kind in "biuf":
            setattr(model, name, xp.asarray(value, device=device_of(X)))


def to_numpy_state(model: Any) -> Any:
    """Convert the fitted attributes of a model to NumPy arrays; return the model."""
    for name, value in vars(model).items():
        if namespace_of(value) is not None and name not in model.get_params(deep=False):
            setattr(model, name, to_numpy(value))
    return model


def numpy_copy(model: Any, X: Any = None, method: str = "") -> Any:
    """Return a copy of a model with NumPy arrays, after a check of the device of X."""
    learned = (value for name, value in vars(model).items() if name[-1] == "_")
    elsewhere = next((A for A in learned if namespace_of(A) is not None), None)
    if elsewhere is None:
        return model
    if method and where_is(X) != where_is(elsewhere):
        check_dispatch(model, method)
    return to_numpy_state(copy.copy(model))


def check_dispatch(model: Any, method: str) -> None:
    """Raise an error if dispatch is on and X is on another device than the model."""
    if get_config()["array_api_dispatch"]:
        raise InputError(
            # scikit-learn's checks look for "must use the same namespace"
            f"X of {type(model).__name__}.{method}() must use the same namespace and "
            "device as X of fit(), because scikit-learn's array_api_dispatch is on. "
            "Convert X, or call sklearn.set_config(array_api_dispatch=False).",
            owner=type(model).__name__,
            parameter="X",
        )
