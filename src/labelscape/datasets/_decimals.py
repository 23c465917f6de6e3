"""Whether commas in numbers are decimal signs, as far as the cells of a file tell."""

import re
from collections.abc import Callable, Sequence

from labelscape.datasets._columns import Column
from labelscape.datasets._describe import ColumnInfo, described

_MAYBE_COMMA = re.compile(r"[+-]?\d+(,\d+)?")
_POINT = re.compile(r"[+-]?\d*\.\d+")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+")


def likely_decimal(columns: Sequence[Column]) -> str:
    """Return the decimal sign of columns that were read with points."""
    looked_at = (word for c in columns if c.kind == "text" for word in c.values[:200])
    if not any(word is not None and "," in word for word in looked_at):
        return "."
    found, _ = as_decimals_tell(lambda decimal: described(columns, decimal))
    return found


def as_decimals_tell(
    describe: Callable[[str], list[ColumnInfo]],
) -> tuple[str, list[ColumnInfo]]:
    """Return the decimal sign that makes more numbers, and what columns are by it.

    ``describe`` says what they are by a given sign.
    """
    columns = describe(".")
    if has_decimal_commas(columns):
        again = describe(",")
        if _n_numbers(again) > _n_numbers(columns):
            return ",", again
    return ".", columns


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
