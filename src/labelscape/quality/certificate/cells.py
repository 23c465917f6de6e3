"""Values that would spoil a test: impossible cells, and tiny numbers."""

from collections.abc import Iterator, Sequence

import numpy as np

from labelscape._core.types import Array, Ints
from labelscape.quality.records import Finding

# A value is impossible if its distance to the next value is larger than this multiple
# of the range of all others.
FAR = 10.0
# Squares of numbers below this power of the smallest normal number may become 0.
POWER = 0.4


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


def far_cell_findings(X: Array, rows: Ints, names: Sequence[str]) -> list[Finding]:
    """Return a finding for each impossible value of tested rows of a table."""
    found = [(rows[[i]], str(names[j]), float(X[i, j])) for i, j, _ in far_cells(X)]
    return [
        Finding("far cell", (name,), 1, row, "likely", figure=value)
        for row, name, value in found
    ]


def enlarged(A: Array, axis: int | None = None) -> Array:
    """Return numbers times a power of 2 if they are too small to be squared."""
    # Per column for axis=0. Other numbers are unchanged.
    largest = np.abs(A).max(axis=axis)
    is_tiny = (largest > 0.0) & (largest < np.finfo(A.dtype).tiny ** POWER)
    if not np.any(is_tiny):
        return A
    return np.asarray(np.ldexp(A, np.where(is_tiny, -np.frexp(largest)[1], 0)))
