"""The positions of rows as a table for other programs."""

import csv
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

import numpy as np

from labelscape._core.checks import matrix_argument
from labelscape._core.errors import InputError, readable
from labelscape._core.params import arguments, instance
from labelscape._core.types import Array
from labelscape.datasets import Table

# First characters of a formula in a spreadsheet; a class named -1 is a number. The same
# rule as in csv.ts.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
AXES = ("x", "y", "z")


def cell_text(value: Any) -> str:
    """Return a name or class as text that spreadsheets do not read as a formula."""
    text = readable(str(value))
    is_safe = not text.startswith(FORMULA) or NUMBER.fullmatch(text)
    return text if is_safe else f"'{text}"


@arguments(table=instance(Table))
def positions_csv(table: Table, positions: Array) -> str:
    """Return the position of each row with its name and class, as CSV text."""
    y = table.y
    if y is None:
        raise ValueError(f"{table.name!r} has no classes to write to the CSV file.")
    positions = matrix_argument("positions_csv", "positions", positions)
    if len(positions) != len(y) or positions.shape[1] > len(AXES):
        raise InputError(
            f"positions must have {len(y):,} rows of 1 to {len(AXES)} numbers, got "
            f"an array of shape {positions.shape}.",
            owner="positions_csv",
            parameter="positions",
        )
    names = range(len(y)) if table.ids is None else table.ids.tolist()
    return _header(positions.shape[1]) + _lines(names, y, positions)


def positions_by_pieces(
    model: Any, pieces: Iterable[tuple[Any, Any, Any]], n_components: int
) -> Iterator[bytes]:
    """Yield the CSV text of all positions, for a table that is read in pieces."""
    yield _header(n_components).encode()
    first = 0
    for X, labels, ids in pieces:
        names = np.arange(first, first + len(X)) if ids is None else ids
        Z = np.asarray(model.transform(X))
        yield _lines(names.tolist(), labels, Z).encode()
        first += len(X)


def _header(n_components: int) -> str:
    return ",".join(["id", "class", *AXES[:n_components]]) + "\r\n"


def _lines(names: Iterable[Any], labels: Iterable[Any], positions: Array) -> str:
    text = StringIO(newline="")
    writer = csv.writer(text)
    for name, label, position in zip(names, labels, positions, strict=True):
        words = (cell_text(name), "" if label is None else cell_text(label))
        writer.writerow([*words, *(repr(float(v)) for v in position)])
    return text.getvalue()
