"""New rows for a model of a table: their features, and what had to be filled in."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape.datasets._codes import Code, is_missing
from labelscape.datasets._columns import Column
from labelscape.datasets._encoder import TableEncoder


class UnknownCategory(NamedTuple):
    """A category that the table did not have, and the new row that has it."""

    row: int
    column: str
    word: str


class EncodedRows(NamedTuple):
    """New rows as features, and which of their cells held no value that is known.

    ``X`` is NaN where a cell is missing and the encoder fills nothing in; ``missing``
    says so for each column of each row, cells with an unknown category among them.
    """

    X: NDArray[np.float64]
    missing: NDArray[np.bool_]
    unknown: list[UnknownCategory]


def encoded_rows(encoder: TableEncoder, rows: Any) -> EncodedRows:
    """Return new rows as ``encoder`` codes them, with gaps and unknown categories."""
    known, unknown = [], []
    for code, column in zip(encoder.codes, encoder._columns_of(rows), strict=True):
        words = _unknown(code, column)
        unknown += words
        known.append(_without(column, [one.row for one in words]))
    missing = np.column_stack([is_missing(column) for column in known])
    return EncodedRows(encoder._filled(known), missing, unknown)


def _unknown(code: Code, column: Column) -> list[UnknownCategory]:
    """Return the categories of a column that its code does not know."""
    if code.kind != "nominal":
        return []
    known = {*code.categories, None}
    return [
        UnknownCategory(row, column.name, word)
        for row, word in enumerate(column.values.tolist())
        if word not in known
    ]


def _without(column: Column, rows: list[int]) -> Column:
    """Return a column of words with some of them missing."""
    if not rows:
        return column
    values = column.values.copy()
    values[rows] = None
    return replace(column, values=values)
