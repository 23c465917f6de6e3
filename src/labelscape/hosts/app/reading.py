"""How a text file is written, as far as its cells tell."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from labelscape.datasets import ColumnInfo, describe_columns

# As most files are written.
USUAL: dict[str, Any] = {"decimal": ".", "missing_values": []}

_MAYBE_COMMA = re.compile(r"[+-]?\d+(,\d+)?")
_POINT = re.compile(r"[+-]?\d*\.\d+")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+")


def as_written(path: Path) -> tuple[list[ColumnInfo], dict[str, Any]]:
    """Return the columns of a file, and how it seems to be written."""
    columns = describe_columns(path)
    if has_decimal_commas(columns):
        again = describe_columns(path, decimal=",")
        if _n_numbers(again) > _n_numbers(columns):
            return again, USUAL | {"decimal": ","}
    return columns, USUAL


def has_decimal_commas(columns: Sequence[ColumnInfo]) -> bool:
    """Whether numbers with commas are most likely meant so.

    A column holds such numbers, some of them can not be thousands ("1,5"), and no
    number of the file has a point.
    """
    with_commas = [
        [word for word in column.examples if "," in word]
        for column in columns
        if all(_MAYBE_COMMA.fullmatch(word) for word in column.examples)
    ]
    words = [word for found in with_commas for word in found]
    return any(not _THOUSANDS.fullmatch(word) for word in words) and not any(
        _POINT.fullmatch(word) for column in columns for word in column.examples
    )


def _n_numbers(columns: Sequence[ColumnInfo]) -> int:
    return sum(column.kind == "number" for column in columns)
