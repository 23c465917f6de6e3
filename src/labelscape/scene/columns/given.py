"""Columns to look at, in whatever form they were given."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import is_label
from labelscape._core.columns_shown import ShownColumn
from labelscape._core.errors import InputError, shown
from labelscape.datasets._internal import are_names

OWNER = "build_scene"
TRUTHS, NUMBERS = (bool, np.bool_), (int, float, np.number)


def given_columns(columns: Any, n_points: int) -> tuple[ShownColumn, ...]:
    """Return columns to look at from a data frame, a dict, or records of them.

    Examples
    --------
    >>> batch, seen = given_columns({"batch": ["a", "b", "a"], "seen": [1, 0, None]}, 3)
    >>> batch.kind, seen.kind, seen.values
    ('category', 'number', array([ 1.,  0., nan]))
    """
    if columns is None:
        return ()
    found = _records(columns)
    for column in found:
        if np.shape(column.values) != (n_points,):
            raise InputError(
                f"columns must have one value for each of the {n_points} points, got "
                f"{_length(column.values)} for {column.name!r}.",
                owner=OWNER,
                parameter="columns",
            )
    return found


def _length(values: NDArray[Any]) -> str:
    return str(len(values)) if values.ndim == 1 else f"an array of shape {values.shape}"


def _records(columns: Any) -> tuple[ShownColumn, ...]:
    if isinstance(columns, Mapping):
        return tuple(column_of(str(name), values) for name, values in columns.items())
    if hasattr(columns, "columns"):
        return tuple(column_of(name, values) for name, values in frame_items(columns))
    is_list = isinstance(columns, Sequence) and not isinstance(columns, str)
    if is_list and all(isinstance(column, ShownColumn) for column in columns):
        return tuple(columns)
    raise InputError(
        "columns must be a data frame, a dict from names to values, or a list of "
        f"ShownColumn; got {shown(columns)}.",
        owner=OWNER,
        parameter="columns",
    )


def frame_items(frame: Any) -> list[tuple[str, NDArray[Any]]]:
    """Return the columns of a data frame by name."""
    import narwhals as nw

    try:
        table = nw.from_native(frame, eager_only=True)
    except (TypeError, nw.exceptions.NarwhalsError) as error:
        raise InputError(
            f"columns is no data frame that can be read: {error}",
            owner=OWNER,
            parameter="columns",
        ) from None
    return [(str(series.name), series.to_numpy()) for series in table.iter_columns()]


def column_of(name: str, values: Any) -> ShownColumn:
    """Return a column of values as what they are: numbers, days, truth, or words."""
    array = _array(values)
    if array.dtype.kind == "b":
        return ShownColumn(name, "truth", array.astype(np.float64))
    if array.dtype.kind in "iuf":
        return ShownColumn(name, "number", array.astype(np.float64))
    if array.dtype.kind == "M":
        return ShownColumn(name, "date", _days(array))
    if array.ndim != 1:  # which is told with its length
        return ShownColumn(name, "text", array)
    return _of_objects(name, array.astype(object))


def _array(values: Any) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except ValueError:  # lists of several lengths, which are shown as they are
        return np.fromiter(values, dtype=object)


def _of_objects(name: str, values: NDArray[Any]) -> ShownColumn:
    known = np.array([is_label(value) for value in values], dtype=bool)
    there = values[known].tolist()
    for kind, types in (("truth", TRUTHS), ("number", NUMBERS), ("date", date)):
        if there and all(isinstance(value, types) for value in there):
            numbers = np.full(len(values), np.nan)
            with suppress(OverflowError):  # more digits than a number has: words
                numbers[known] = _dates(there) if kind == "date" else there
                return ShownColumn(name, kind, numbers)  # type: ignore[arg-type]
    words = np.full(len(values), None, dtype=object)
    words[known] = [str(value) for value in there]
    is_text = are_names(len(set(words[known])), len(there))
    return ShownColumn(name, "text" if is_text else "category", words)


def _dates(values: list[date | datetime]) -> NDArray[np.float64]:
    bare = [v.replace(tzinfo=None) if isinstance(v, datetime) else v for v in values]
    return _days(np.array(bare, dtype="datetime64[us]"))


def _days(moments: NDArray[Any]) -> NDArray[np.float64]:
    days = moments.astype("datetime64[us]").astype(np.float64) / 86400e6
    return np.where(np.isnat(moments), np.nan, days)
