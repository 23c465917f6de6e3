"""The chunks of X, with labels and weights cut as X is.

Sizes of chunks may be unknown, as those of a data frame always are. Then each chunk is
asked for its length; no row comes to the client.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d

from labelscape._core.checks import exact_labels
from labelscape._core.chunks.recognition import is_array, is_chunked, is_frame
from labelscape._core.chunks.sums import computed, task
from labelscape._core.errors import InputError, InputTypeError


class Parts(NamedTuple):
    """Chunks along the rows, as tasks, and how many rows each of them has."""

    tasks: list[Any]
    sizes: NDArray[np.intp]

    @property
    def starts(self) -> NDArray[np.intp]:
        """The first row of each chunk, and the number of rows."""
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
    """Return the chunks, and how many rows each has: NaN where nobody knows."""
    if is_frame(value) and value.ndim == n_dimensions:
        tasks = list(value.to_delayed())
        return tasks, [np.nan] * len(tasks)
    if not is_array(value) and not is_frame(value):
        raise InputTypeError(
            f"{name} is a {type(value).__name__} of Dask. Pass an array or a data "
            "frame, such as the .data of an array of xarray.",
            owner=owner,
            parameter=name,
        )
    if value.ndim != n_dimensions:
        wanted = "a table, with a row for each object" if n_dimensions == 2 else "1-D"
        raise InputError(
            f"{name} must be {wanted}; got a {type(value).__name__} of Dask with "
            f"{value.ndim} dimension{'s' * (value.ndim != 1)}.",
            owner=owner,
            parameter=name,
        )
    if n_dimensions == 2 and len(value.chunks[1]) > 1:
        value = value.rechunk({1: -1})
    return value.to_delayed().ravel().tolist(), list(value.chunks[0])


def column_of(value: Any, like: Parts, *, owner: str, name: str) -> list[Any]:
    """Return labels or weights as tasks, cut as the chunks of X are.

    They may be chunked otherwise than X, or an array in memory.
    """
    if is_frame(value) and value.ndim == 2:
        value = _only_column(value, owner=owner, name=name)
    if is_chunked(value):
        given = parts_of(value, owner=owner, name=name, n_dimensions=1)
        _check_length(int(given.sizes.sum()), like, owner=owner, name=name)
        if np.array_equal(given.sizes, like.sizes):
            return given.tasks
        return _cut_as(like, given)
    value = _one_column(value, owner=owner, name=name)
    _check_length(len(value), like, owner=owner, name=name)
    bounds = zip(like.starts[:-1], like.starts[1:], strict=True)
    return [task(_itself, value[start:stop]) for start, stop in bounds]


def _one_column(value: Any, *, owner: str, name: str) -> NDArray[Any]:
    """Return labels or weights in memory as an array with one axis."""
    column = exact_labels(value)
    if name == "y" and column.ndim == 2 and column.shape[1] == 1:
        column = column_or_1d(column, warn=True)
    if column.ndim != 1:
        raise InputError(
            f"{name} must have one value for each object, got an array of shape "
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
    n_objects = int(like.sizes.sum())
    if n_given == n_objects:
        return
    if name == "y":
        raise InputError(
            f"X has {n_objects} objects but y has {n_given} labels. Give one label "
            "per object.",
            owner=owner,
        )
    raise InputError(
        f"{name} must hold one number per object ({n_objects}), got an array of shape "
        f"({n_given},).",
        owner=owner,
        parameter=name,
    )


def _cut_as(like: Parts, given: Parts) -> list[Any]:
    """Return other chunks of the same rows: each is joined from those it overlaps."""
    starts, cut = given.starts, []
    for start, stop in zip(like.starts[:-1], like.starts[1:], strict=True):
        first = int(np.searchsorted(starts, start, side="right")) - 1
        last = int(np.searchsorted(starts, stop, side="left"))
        pieces, offset = given.tasks[first:last], starts[first]
        cut.append(task(_joined, pieces, int(start - offset), int(stop - offset)))
    return cut


def _joined(pieces: Sequence[Any], start: int, stop: int) -> NDArray[Any]:
    arrays = [exact_labels(piece) for piece in pieces]
    return np.concatenate(arrays)[start:stop] if arrays else np.empty(0)


def _itself(value: Any) -> Any:
    return value
