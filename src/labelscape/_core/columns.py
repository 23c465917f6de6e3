"""Columns of a table: categories, row numbers, impossible values, feature selection."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from labelscape._core.types import Array, Floats, Ints

ShownKind = Literal["number", "date", "truth", "category", "text"]
# With fewer rows, a counter (row number) cannot be distinguished from a measurement.
FEWEST_COUNTED = 10
# A counter contains at least this share of the whole numbers in its range.
DENSE = 0.5
# A counter that starts again in each part of a table has at most this many parts, with
# at least this many rows on average. Hours and days of a month have more, or shorter.
MOST_PARTS, ROWS_OF_PART = 10, 40
# A value is impossible if its distance to the next value is larger than this multiple
# of the range of all others.
FAR = 10.0
# Squares of numbers below this power of the smallest normal number may become 0.
POWER = 0.4
MOSTLY = 0.95  # share of rows in which a linear counter is off by less than one step
WIDE = 500  # wide tables have more features than this, and more features than samples
# Number of features selected per class in a wide table, and its limits.
PER_CLASS, FEWEST_SELECTED, MOST_SELECTED = 25, 50, 200


@dataclass(frozen=True, eq=False)
class ShownColumn:
    """A column that is shown with the rows, but is not a feature.

    `Table.shown` contains these columns, with one value per row of the table.

    Attributes
    ----------
    name : str
        The column.
    kind : {"number", "date", "truth", "category", "text"}
        The kind of its values.
    values : ndarray of shape (n_rows,)
        Numbers, with NaN for missing values; dates are days since 1970, and truth
        values are 0 and 1. Categories and text are strings, or None if missing.

    Examples
    --------
    >>> import numpy as np
    >>> dose = ShownColumn("dose", "number", np.array([0.5, np.nan, 2.0]))
    >>> dose.take(np.array([0, 2])).values
    array([0.5, 2. ])
    """

    name: str
    kind: ShownKind
    values: Array

    def take(self, rows: Array) -> "ShownColumn":
        """Return the column restricted to some rows."""
        return replace(self, values=self.values[rows])


@dataclass(frozen=True, eq=False)
class Categories:
    """A categorical column that is encoded as one or more features of a matrix."""

    name: str  # name of the column
    words: tuple[str, ...]  # its categories
    # (m,) The columns of the matrix that encode the categories; two categories need
    # only one column.
    features: Ints
    # (n_categories, m) The values of these features for each category, scaled like the
    # matrix.
    codes: Floats

    def of(self, X: Array) -> Ints:
        """Return the category of each row; -1 if an imputed value has no category."""
        part = X[:, self.features].astype(np.float64)
        # Compares only the part of squared distances that differs between categories.
        nearest = (part @ self.codes.T - 0.5 * (self.codes**2).sum(axis=1)).argmax(1)
        is_there = np.isclose(part, self.codes[nearest], rtol=1e-6, atol=1e-9).all(1)
        return np.where(is_there, nearest, -1)


def is_counter(values: Array, rows: Array | None = None) -> bool:
    """Return whether a feature contains only row numbers, maybe reordered or scaled."""
    x = np.asarray(values, dtype=np.float64)
    if len(x) < FEWEST_COUNTED or not np.isfinite(x).all():
        return False
    with np.errstate(over="ignore"):
        steps = np.diff(np.sort(x))
    if not (steps.min() > 0.0 and np.isfinite(steps.sum())):
        return False
    multiples = steps / steps.min()
    # A counter has whole steps with few gaps, in any order, or is a linear function of
    # the row number.
    is_whole = np.abs(multiples - np.rint(multiples)) < 1e-3
    if is_whole.all() and len(steps) / multiples.sum() >= DENSE:
        return True
    place = np.arange(len(x), dtype=np.float64) if rows is None else rows * 1.0
    slope, start = np.polyfit(place, x, 1)
    off = np.abs(x - (start + slope * place))
    return bool(np.mean(off < abs(slope)) >= MOSTLY)


def counts_parts(values: Array) -> bool:
    """Return whether a feature counts the rows of each of a few parts of a table."""
    x = np.asarray(values, dtype=np.float64)
    steps = np.diff(x)
    starts = x[np.concatenate([[True], steps != 1.0])] if len(x) else x
    return (
        2 <= len(starts) <= min(MOST_PARTS, len(x) / ROWS_OF_PART)
        and starts[0] in (0.0, 1.0)
        and bool((starts == starts[0]).all())
    )


def counts_classes(values: Array, codes: Array) -> bool:
    """Return whether a feature counts the rows of each class, in any order."""
    first = values.min(initial=np.inf)
    _, sizes = np.unique(codes, return_counts=True)
    if first not in (0.0, 1.0) or len(sizes) < 2 or sizes.min() < FEWEST_COUNTED:
        return False
    pairs = np.unique(np.column_stack([codes, values]), axis=0)
    last = [values[codes == code].max() for code in np.unique(codes)]
    return len(pairs) == len(values) and bool(
        (last - first + 1.0 <= sizes / MOSTLY).all()
    )


def is_wide(n: int, n_features: int) -> bool:
    """Return whether a table has more features than samples, and more than 500."""
    return n_features > max(WIDE, n)


def n_selected(n_classes: int) -> int:
    """Return how many features of a wide table are selected."""
    return int(np.clip(PER_CLASS * n_classes, FEWEST_SELECTED, MOST_SELECTED))


def selected_features(X: Array, codes: Array, count: int) -> Ints:
    """Return the features whose class means differ most (F statistic of an ANOVA)."""
    if count >= X.shape[1]:
        return np.arange(X.shape[1])
    counts = np.bincount(codes)
    means = np.zeros((len(counts), X.shape[1]))
    with np.errstate(over="ignore", invalid="ignore"):
        total = X.var(axis=0) * len(X)
        for c in np.flatnonzero(counts):
            means[c] = X[codes == c].mean(axis=0)
        between = counts @ (means - X.mean(axis=0)) ** 2
    # Rounding errors would give constant features large quotients.
    varies = (X.max(axis=0) > X.min(axis=0)) & (total > 0)
    share = np.divide(between, total, out=np.zeros_like(total), where=varies)
    return np.sort(np.argsort(-share, kind="stable")[:count])


class UnknownCategory(NamedTuple):
    """A category in a new row that does not occur in the fitted table."""

    row: int
    column: str
    word: str


def far_cells(X: Array) -> Iterator[tuple[int, int, float]]:
    """Yield row, column, and the next value, of impossible values in columns of X."""
    n = len(X)
    if n < 4:
        return
    ranks = [0, 1, n // 4, n - 1 - n // 4, n - 2, n - 1]
    ends = np.partition(X, ranks, axis=0)[ranks].astype(np.float64)
    low, least, quarter, three_quarters, most, high = ends
    # In a column of mostly one value, such as 0, any other value is far.
    far = FAR * (most - least) * (quarter < three_quarters)
    for j in np.flatnonzero((far > 0.0) & (high - most > far)).tolist():
        yield int(X[:, j].argmax()), j, float(most[j])
    for j in np.flatnonzero((far > 0.0) & (least - low > far)).tolist():
        yield int(X[:, j].argmin()), j, float(least[j])


def without_far_cells(X: Array) -> Array:
    """Return an array (n, d) in which impossible values are the next ones."""
    cells = list(far_cells(X))
    if cells:
        X = X.copy()
        for i, j, value in cells:
            X[i, j] = value
    return X


def enlarged(A: Array, axis: int | None = None) -> Array:
    """Return numbers times a power of 2 if they are too small to be squared."""
    # Per column for axis=0. Other numbers are unchanged.
    largest = np.abs(A).max(axis=axis)
    is_tiny = (largest > 0.0) & (largest < np.finfo(A.dtype).tiny ** POWER)
    if not np.any(is_tiny):
        return A
    return np.asarray(np.ldexp(A, np.where(is_tiny, -np.frexp(largest)[1], 0)))
