"""Chunks of Dask: division of X, tasks on the workers, sums in a fixed order.

What all tasks need, such as a model, is sent once, as a part of the graph: if a worker
dies, all its results can be computed again. If the sizes of chunks are unknown, as in
data frames, each chunk reports its length; no row is sent to the client.
"""

import copy
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
from sklearn.utils import column_or_1d

from labelscape._core.checks import check_X
from labelscape._core.errors import InputError, InputTypeError
from labelscape._core.estimator import DATA, LISTENERS
from labelscape._core.labels import (
    exact_labels,
    label_array,
    not_one_each,
    other_length,
)
from labelscape._core.rows.kinds import is_chunked
from labelscape._core.threads import as_one_of_many
from labelscape._core.types import AnyCall, Array, Ints

FAN_IN = 8  # number of results that are added at a time
# Share of the cluster's memory that samples may use; bytes if there is no cluster.
SHARE_KEPT, BYTES_KEPT = 0.4, 2**30


def task(function: AnyCall, *arguments: Any, called: str | None = None) -> Any:
    """Return a function as a Dask task, named ``called`` in Dask's progress."""
    from dask import delayed

    name = str(called or getattr(function, "__name__", "task")).strip("_")
    key = f"{name}-{uuid4().hex}"
    return delayed(_as_one, pure=False)(function, *arguments, dask_key_name=key)


def shipped(model: Any) -> Any:
    """Return an object that all tasks need, sent only once with the graph."""
    from dask import delayed

    return delayed(model, traverse=False)


def bare(model: Any) -> Any:
    """Return a copy of a model without callbacks, which may be impossible to send."""
    bared = copy.copy(model)
    for name in (DATA, LISTENERS, "_callback_fit_ctx"):
        vars(bared).pop(name, None)
    for name in ("callback", "verbose"):
        if hasattr(bared, name):  # a callback may contain a window or a lock
            setattr(bared, name, None if name == "callback" else False)
    return bared


def tree(add: Callable[[Any, Any], Any], parts: Sequence[Any]) -> Any:
    """Return the sum of results, added in the same order on every cluster."""
    level = list(parts)
    while len(level) > 1:
        groups = [level[i : i + FAN_IN] for i in range(0, len(level), FAN_IN)]
        level = [task(reduce, add, group, called="added") for group in groups]
    return level[0]


def computed(parts: Iterable[Any]) -> list[Any]:
    """Return the results of tasks, in their order."""
    import dask

    return list(dask.compute(*parts))


def persisted(parts: Sequence[Any], n_bytes: int) -> list[Any]:
    """Return chunks that remain on their workers, if there is enough memory."""
    import dask

    return list(dask.persist(*parts)) if n_bytes <= _room() else list(parts)


def added_up(a: Any, b: Any) -> Any:
    """Return the elementwise sum of two results, which may be nested."""
    if a is None:
        return None
    if isinstance(a, tuple):
        parts = [added_up(x, y) for x, y in zip(a, b, strict=True)]
        return type(a)(*parts) if hasattr(a, "_fields") else tuple(parts)
    return a + b


def _as_one(function: AnyCall, *arguments: Any) -> Any:
    with as_one_of_many():
        return function(*arguments)


def _room() -> float:
    """Return how many bytes of samples the workers can store between two passes."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return BYTES_KEPT
    try:
        client = distributed.default_client()
    except ValueError:  # there is no cluster
        return BYTES_KEPT
    limits: dict[str, int] = client.run(_memory_limit)
    return SHARE_KEPT * sum(limits.values())


def _memory_limit(dask_worker: Any = None) -> int:
    return int(dask_worker.memory_manager.memory_limit or 2**40)


# X, labels and weights, cut in the same way


def is_frame(X: Any) -> bool:
    """Return whether chunked data are a data frame or a column of one."""
    # a Delayed object has attributes of all names
    return isinstance(getattr(X, "npartitions", None), int) and hasattr(X, "loc")


def is_array(X: Any) -> bool:
    """Return whether chunked data are an array."""
    return isinstance(getattr(X, "chunks", None), tuple) and hasattr(X, "to_delayed")


class Parts(NamedTuple):
    """Chunks of rows as tasks, with the number of rows in each."""

    tasks: list[Any]
    sizes: Ints

    @property
    def starts(self) -> Ints:
        """First row of each chunk, and the total number of rows."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.intp)


def parts_of(value: Any, *, owner: str, name: str, n_dimensions: int) -> Parts:
    """Return the chunks of an array or data frame of Dask, with their sizes."""
    tasks, sizes = tasks_of(value, owner=owner, name=name, n_dimensions=n_dimensions)
    if np.isnan(sizes).any():
        sizes = computed(task(len, part) for part in tasks)
    return Parts(tasks, np.array(sizes, dtype=np.intp))


def tasks_of(
    value: Any, *, owner: str, name: str, n_dimensions: int
) -> tuple[list[Any], list[float]]:
    """Return the chunks, and the number of rows in each, or NaN if unknown."""
    if is_frame(value) and value.ndim == n_dimensions:
        tasks = list(value.to_delayed())
        return tasks, [np.nan] * len(tasks)
    if not is_array(value) and not is_frame(value):
        raise InputTypeError(
            f"{name} is a Dask {type(value).__name__}. Pass an array or a data "
            "frame, such as the .data of an xarray array.",
            owner=owner,
            parameter=name,
        )
    if value.ndim != n_dimensions:
        wanted = "a table, with a row for each sample" if n_dimensions == 2 else "1-D"
        raise InputError(
            f"{name} must be {wanted}; got a Dask {type(value).__name__} with "
            f"{value.ndim} dimension{'s' * (value.ndim != 1)}.",
            owner=owner,
            parameter=name,
        )
    if n_dimensions == 2 and len(value.chunks[1]) > 1:
        value = value.rechunk({1: -1})
    return value.to_delayed().ravel().tolist(), list(value.chunks[0])


def column_of(value: Any, like: Parts, *, owner: str, name: str) -> list[Any]:
    """Return labels or weights of any type as tasks, in the chunks of X."""
    import dask.array as da

    if is_frame(value) and value.ndim == 2:
        value = _only_column(value, owner=owner, name=name)
    chunks = (tuple(like.sizes.tolist()),)
    if not is_chunked(value):
        value = _one_column(value, owner=owner, name=name)
        _check_length(len(value), like, owner=owner, name=name)
        return list(da.from_array(value, chunks).to_delayed())
    given = parts_of(value, owner=owner, name=name, n_dimensions=1)
    _check_length(int(given.sizes.sum()), like, owner=owner, name=name)
    if np.array_equal(given.sizes, like.sizes):
        return given.tasks
    pieces = [(task(exact_labels, part),) for part in given.tasks]
    column = array_of(pieces, 0, given.sizes.tolist(), np.empty(0, dtype=object))
    return list(column.rechunk(chunks).to_delayed())


def gathered_column(values: Any, *, owner: str, name: str) -> Any:
    """Return a chunked column as an array, and other columns unchanged."""
    if not is_chunked(values):
        return values
    columns = computed(parts_of(values, owner=owner, name=name, n_dimensions=1).tasks)
    return np.concatenate([label_array(column, owner=owner) for column in columns])


def _one_column(value: Any, *, owner: str, name: str) -> Array:
    """Return labels or weights in memory as a one-dimensional array."""
    column = exact_labels(value)
    if name == "y" and column.ndim == 2 and column.shape[1] == 1:
        column = column_or_1d(column, warn=True)
    if column.ndim != 1:
        raise InputError(
            f"{name} must have one value for each sample, got an array of shape "
            f"{column.shape}.",
            owner=owner,
            parameter=name,
        )
    return column


def _only_column(frame: Any, *, owner: str, name: str) -> Any:
    if len(frame.columns) != 1:
        listed = ", ".join(repr(column) for column in list(frame.columns)[:5])
        raise InputError(
            f"{name} must be one column, got a data frame of {len(frame.columns)} "
            f"({listed}). Choose one: frame[{frame.columns[0]!r}].",
            owner=owner,
            parameter=name,
        )
    return frame[frame.columns[0]]


def _check_length(n_given: int, like: Parts, *, owner: str, name: str) -> None:
    n_samples = int(like.sizes.sum())
    if n_given == n_samples:
        return
    if name == "y":
        raise other_length(n_samples, n_given, owner=owner)
    raise not_one_each(name, n_samples, (n_given,), owner=owner, what="number")


def array_of(
    answers: Sequence[Any], k: int, sizes: Sequence[float], like: Array
) -> Any:
    """Return result k of all tasks as one Dask array, with the type of ``like``."""
    import dask.array as da

    arrays = [
        da.from_delayed(answer[k], (size, *like.shape[1:]), meta=like)
        for answer, size in zip(answers, sizes, strict=True)
    ]
    return da.concatenate(arrays, allow_unknown_chunksizes=True)


def check_columns(estimator: Any, X: Any, *, reset: bool) -> None:
    """Store or compare the number and names of features, without reading values."""
    owner = type(estimator).__name__
    if not ((is_frame(X) or is_array(X)) and X.ndim == 2):
        tasks_of(X, owner=owner, name="X", n_dimensions=2)  # raises the error
    check_X(estimator, two_rows(X), reset=reset)


def two_rows(X: Any) -> Any:
    """Return two made-up samples with the features of chunked samples."""
    rows = np.outer([0.0, 1.0], np.ones(X.shape[1])).astype(dtype_of(X))
    if not is_frame(X):
        return rows
    import pandas as pd  # chunks of a data frame are pandas'

    return pd.DataFrame(rows, columns=list(X.columns))


def dtype_of(X: Any) -> str:
    """Return the float type of converted samples: float32 remains, as in `check_X`."""
    dtypes = list(X.dtypes) if is_frame(X) else [X.dtype]
    return "f4" if all(dtype == np.float32 for dtype in dtypes) else "f8"
