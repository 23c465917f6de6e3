"""The places of rows as a table for other programs."""

import csv
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.arguments import arguments, instance, matrix_argument
from labelscape._core.errors import InputError
from labelscape.datasets import Table
from labelscape.datasets._internal import Rows

# How a formula may begin that a spreadsheet computes. A class that is called -1 is a
# number all the same. The rule of csv.ts.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
AXES = ("x", "y", "z")


def cell_text(value: Any) -> str:
    """Return a name or class so that no spreadsheet takes it for a formula."""
    text = str(value)
    is_safe = not text.startswith(FORMULA) or NUMBER.fullmatch(text)
    return text if is_safe else f"'{text}"


@arguments(table=instance(Table))
def positions_csv(table: Table, positions: NDArray[Any]) -> str:
    """Return the place of each row with its name and class, as a text with commas."""
    y = table.y
    if y is None:
        raise ValueError(f"{table.name!r} has no classes, and places come with them.")
    positions = matrix_argument("positions_csv", "positions", positions)
    if len(positions) != len(y) or positions.shape[1] > len(AXES):
        raise InputError(
            f"positions must hold {len(y):,} places of 1 to {len(AXES)} numbers, got "
            f"an array of shape {positions.shape}.",
            owner="positions_csv",
            parameter="positions",
        )
    names = range(len(y)) if table.ids is None else table.ids.tolist()
    return _lines(names, y, positions, with_header=True)


def positions_by_pieces(
    model: Any, pieces: Iterable[Rows], n_components: int
) -> Iterator[bytes]:
    """Yield the same for a table that is read in pieces, placed by a fitted model."""
    yield _lines((), (), np.empty((0, n_components)), with_header=True).encode()
    so_far = 0
    for rows in pieces:
        names = (
            np.arange(so_far, so_far + len(rows.X)) if rows.ids is None else rows.ids
        )
        Z = np.asarray(model.transform(rows.X))
        yield _lines(names.tolist(), rows.labels, Z, with_header=False).encode()
        so_far += len(rows.X)


def _lines(
    names: Iterable[Any],
    labels: Iterable[Any],
    positions: NDArray[Any],
    *,
    with_header: bool,
) -> str:
    text = StringIO(newline="")
    writer = csv.writer(text)
    if with_header:
        writer.writerow(["id", "class", *AXES[: positions.shape[1]]])
    for name, label, place in zip(names, labels, positions, strict=True):
        words = (cell_text(name), "" if label is None else cell_text(label))
        writer.writerow([*words, *(repr(float(v)) for v in place)])
    return text.getvalue()
