"""A column into class labels or ids."""

import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape.datasets._codes import are_names, is_missing
from labelscape.datasets._columns import Column, ColumnKey, find_position
from labelscape.datasets._kinds import coerced

_WHOLE = re.compile(r"0|-?[1-9]\d{0,17}")


def class_labels(column: Column) -> NDArray[Any]:
    """Return the classes of a label column: whole numbers where all are, else words."""
    labels = identifiers(column, role="Label")
    n_classes = len(np.unique(labels))
    if n_classes == 1:
        raise ValueError(
            f"Label column {column.name!r} holds 1 class, {labels[0]!s}, and at least "
            "two are needed. With one class there is nothing to tell apart."
        )
    if are_names(n_classes, len(labels)):
        raise ValueError(
            f"Label column {column.name!r} holds {n_classes} different values in "
            f"{len(labels)} rows: names or measurements, not classes. "
            "Give another column, or bin the values first."
        )
    return labels


def labelled_rows(columns: Sequence[Column], label: ColumnKey) -> list[Column]:
    """Return the columns without the rows that have no class, and warn of these."""
    at = find_position([column.name for column in columns], label, role="label")
    kept = ~is_missing(columns[at])
    n_left_out = len(kept) - int(kept.sum())
    if not kept.any():
        raise ValueError(
            f"Label column {columns[at].name!r} holds no class at all. "
            "Give another one."
        )
    if n_left_out:
        rows = "1 row" if n_left_out == 1 else f"{n_left_out} rows"
        warnings.warn(f"Left out: {rows} without a class.", stacklevel=3)
    return [Column(c.name, c.kind, c.values[kept]) for c in columns]


def identifiers(column: Column, *, role: str) -> NDArray[Any]:
    """Return whole numbers where all values are, else words; none may be missing."""
    words: NDArray[Any] = coerced(column, "nominal").values
    gaps = np.flatnonzero(is_missing(column))
    if len(gaps):
        raise ValueError(
            f"{role} column {column.name!r} holds {len(gaps)} missing "
            f"value{'s' * (len(gaps) > 1)}, the first in row {gaps[0]}. "
            + (
                "Fill them in, or pass unlabelled='drop' to leave these rows out."
                if role == "Label"
                else "Fill them in or leave these rows out."
            )
        )
    if column.kind == "boolean":
        return column.values.astype(bool)
    # "007" and "1.0" are kept as they are written.
    if all(_WHOLE.fullmatch(word) for word in set(words)):
        return words.astype(np.int64)
    return words.astype(str)
