"""Methods of chunked objects: what they return is lazy, and chunked as X is."""

import warnings
from collections.abc import Sequence
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from labelscape._core.chunks.features import check_columns, two_rows
from labelscape._core.chunks.parts import column_of, parts_of, tasks_of
from labelscape._core.chunks.recognition import is_chunked, is_frame
from labelscape._core.chunks.shipping import bare
from labelscape._core.chunks.sums import added_up, computed, shipped, task, tree
from labelscape._core.errors import InputError


def lazy(method: Any) -> Any:
    """Decorate a method of objects: of chunked ones it returns a lazy Dask array.

    The model is in the graph once, for all chunks; nothing is computed before the
    array is. Rows stay in their order, and chunks of unknown sizes are welcome.
    """

    @wraps(method)
    def call(self: Any, *args: Any, **options: Any) -> Any:
        X = args[0] if args else options.get("X")
        if not is_chunked(X):
            return method(self, *args, **options)
        options.pop("X", None)
        return _lazily(method.__name__, self, X, args[1:], options)

    return call


def _lazily(
    name: str, model: Any, X: Any, args: Sequence[Any], options: dict[str, Any]
) -> Any:
    check_is_fitted(model)
    check_columns(model, X, reset=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of objects that are made up
        tried = getattr(model, name)(two_rows(X), *args, **options)
    owner = type(model).__name__
    tasks, sizes = tasks_of(X, owner=owner, name="X", n_dimensions=2)
    several = isinstance(tried, tuple)
    like = [np.asarray(one)[:0] for one in (tried if several else [tried])]
    call = shipped((traveling(model, X), name, args, options, like))
    answers = [task(_answer, part, i, call) for i, part in enumerate(tasks)]
    found = [array_of(answers, k, sizes, one) for k, one in enumerate(like)]
    return tuple(found) if several else found[0]


def array_of(
    answers: Sequence[Any], k: int, sizes: Sequence[float], like: NDArray[Any]
) -> Any:
    """Return the k-th results of all tasks as one Dask array, of the type of others."""
    import dask.array as da

    arrays = [
        da.from_delayed(answer[k], (size, *like.shape[1:]), meta=like)
        for answer, size in zip(answers, sizes, strict=True)
    ]
    return da.concatenate(arrays, allow_unknown_chunksizes=True)


def traveling(model: Any, X: Any) -> Any:
    """Return a model as it goes to chunks of X, whose names have been compared."""
    bared = bare(model)
    if not is_frame(X):
        vars(bared).pop("feature_names_in_", None)
    return bared


def _answer(part: Any, number: int, call: tuple[Any, ...]) -> list[NDArray[Any]]:
    """Return what a method says of a chunk, as a list of arrays."""
    model, name, args, options, like = call
    if not len(part):
        return list(like)
    try:
        found = getattr(model, name)(part, *args, **options)
    except InputError as error:
        error.parts += (f" Rows are counted in chunk {number} of X.",)
        raise
    return list(found) if isinstance(found, tuple) else [found]


def score_of_chunks(model: Any, X: Any, y: Any, sample_weight: Any) -> float:
    """Return the share of chunked objects whose class is predicted, by weight."""
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
        raise InputError("X has no objects of a weight above 0.", owner=owner)
    return float(right / total)


def _right(X: Any, y: Any, weights: Any, model: Any) -> tuple[float, float]:
    n = len(X)
    weights = np.ones(n) if weights is None else np.asarray(weights, dtype=float)
    return (
        model.score(X, y, weights) * weights.sum() if weights.any() else 0.0,
        float(weights.sum()),
    )
