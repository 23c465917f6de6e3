"""Columns to look at, in whatever form they were given."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.columns.shown import ShownColumn
from labelscape._core.errors import InputError, shown
from labelscape.datasets._internal import shown_columns, shown_values

OWNER = "build_scene"


def given_columns(columns: Any, n_points: int) -> tuple[ShownColumn, ...]:
    """Return columns to look at from a data frame, a dict, or records of them."""
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
        return tuple(shown_values(str(name), one) for name, one in columns.items())
    if hasattr(columns, "columns"):
        return shown_columns(columns)
    is_list = isinstance(columns, Sequence) and not isinstance(columns, str)
    if is_list and all(isinstance(column, ShownColumn) for column in columns):
        return tuple(columns)
    raise InputError(
        "columns must be a data frame, a dict from names to values, or a list of "
        f"ShownColumn; got {shown(columns)}.",
        owner=OWNER,
        parameter="columns",
    )
