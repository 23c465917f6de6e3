"""All straight lengths between two sets of points, regularised, in blocks of rows."""

from typing import Any, NamedTuple

import numpy as np

from labelscape._core.points.distances import (
    exact_squared_distances,
    listed_squared_distances,
    mended_squared_distances,
    squared_norms,
)
from labelscape._core.threads import map_blocks, one_blas_thread

# Rows that share the loading of a tile of columns; small enough to share out the rows
# of a few hundred points between threads.
BLOCK_ROWS = 128


class PointSet(NamedTuple):
    """Centred coordinates X (n, d), their squared norms, and what lines are made of.

    ``dtype`` is the precision in which the points were given, and distances are.
    """

    X: np.ndarray
    norms: np.ndarray
    rows: Any
    dtype: Any

    def take(self, rows):
        """Return the same for some of the points."""
        parts = self.X[rows], self.norms[rows], self.rows.take(rows)
        return PointSet(*parts, self.dtype)


def squared_gaps(A, B):
    """Return the squared Euclidean distances (n, m) of two sets of points."""
    return mended_squared_distances(A.X, B.X, A.norms, B.norms)


def needed_pairs(shape, offset):
    """Return which pairs of a block are asked for: row i from ``offset + i`` on."""
    if offset < 0:
        return np.ones(shape, dtype=bool)
    return np.arange(shape[1]) >= offset + np.arange(shape[0])[:, None]


def endpoint_lengths(U, V):
    """Return ``4 asin(|u - v| / 2)`` (n, m): lengths of one step (section 3.2)."""
    from labelscape.geometry._fisher_kernels import add_arcs

    h = exact_squared_distances(U, V) / 4.0
    out = np.zeros_like(h)
    add_arcs(h.ravel(), out.ravel())
    return out


def listed_endpoint_lengths(U, V, bounds, chosen):
    """Return the same from point i to ``chosen[bounds[i]:bounds[i + 1]]`` of V."""
    from labelscape.geometry._fisher_kernels import add_arcs

    h = listed_squared_distances(U, V, bounds, chosen) / 4.0
    out = np.zeros_like(h)
    add_arcs(h, out)
    return out


def regularized(lengths, squared, epsilon):
    """Return ``sqrt(d_T^2 + eps |v|^2)`` (section 3.4)."""
    return np.sqrt(lengths.astype(np.float64) ** 2 + epsilon * squared)


class StraightDistances:
    """Distances along straight lines, or from their endpoints alone."""

    def __init__(self, lines, epsilon, center, endpoint=False):
        self.lines = lines
        self.epsilon = epsilon
        self.center = center
        self.endpoint = endpoint

    def points(self, X, own=None, single=False):
        """Return points made ready; ``own`` are their own Parzen points, if any.

        ``single`` allows lines in float32 whatever the precision of X.
        """
        centered = X - self.center
        rows = self.lines.prepare(X, own, single=single or X.dtype == np.float32)
        return PointSet(centered, squared_norms(centered), rows, X.dtype)

    def lighter(self, A):
        """Return points with lines in float32, where the range of weights allows it."""
        return A._replace(rows=self.lines.lighter(A.rows))

    def common(self, A, B):
        """Return two sets of points in the precision that both allow."""
        rows = self.lines.common(A.rows, B.rows)
        return A._replace(rows=rows[0]), B._replace(rows=rows[1])

    def block(self, A, B, offset=-1):
        """Return the distances (b, m) of a block of points to others."""
        lengths = self.block_lengths(A, B, offset)
        if self.epsilon == 0.0:
            return lengths
        return regularized(lengths, squared_gaps(A, B), self.epsilon)

    def block_lengths(self, A, B, offset=-1):
        """Return the same without regularisation."""
        if self.endpoint:
            return endpoint_lengths(A.rows.U, B.rows.U)
        return self.lines.block(A.rows, B.rows, offset)

    def listed(self, A, B, bounds, chosen):
        """Return distances from point i to ``chosen[bounds[i]:bounds[i + 1]]`` of B."""
        lengths = self.listed_lengths(A, B, bounds, chosen)
        if self.epsilon == 0.0:
            return lengths
        squared = self.listed_gaps(A, B, bounds, chosen)
        return regularized(lengths, squared, self.epsilon)

    def listed_gaps(self, A, B, bounds, chosen):
        """Return the squared Euclidean distances of the same pairs."""
        return listed_squared_distances(A.X, B.X, bounds, chosen)

    def listed_lengths(self, A, B, bounds, chosen):
        """Return the same without regularisation."""
        if self.endpoint:
            return listed_endpoint_lengths(A.rows.U, B.rows.U, bounds, chosen)
        return self.lines.listed(A.rows, B.rows, bounds, chosen)

    def matrix(self, A, B):
        """Return all distances (n, m) from the points A to the points B."""
        A, B = self.common(A, B)
        D = np.empty((len(A.X), len(B.X)), np.result_type(A.dtype, B.dtype))

        def fill(rows):
            D[rows] = self.block(A.take(rows), B)

        self.map_rows(fill, len(A.X))
        return D

    def symmetric_matrix(self, A):
        """Return all distances (n, n) among points: each pair is worked out once."""
        n = len(A.X)
        D = np.zeros((n, n), A.dtype)

        def fill(rows):
            after = slice(rows.start, n)
            found = self.block(A.take(rows), A.take(after), offset=0)
            D[rows, after] = np.triu(found, 1)

        def mirror(rows):
            # Down to its own diagonal block, whose lower half is still 0.
            D[rows, rows] += D[rows, rows].T
            D[rows.stop :, rows] = D[rows, rows.stop :].T

        self.map_rows(fill, n)
        self.map_rows(mirror, n)
        return D

    def map_rows(self, function, n):
        """Apply a function to blocks of n rows."""
        starts = range(0, n, BLOCK_ROWS)
        return self.map_slices(function, [_slice(i, n) for i in starts])

    def map_slices(self, function, slices):
        """Apply a function to slices, by threads where the lines bear it."""
        if self.lines.threaded:
            return map_blocks(function, slices)
        with one_blas_thread():
            return [function(rows) for rows in slices]


def _slice(start, n):
    return slice(start, min(start + BLOCK_ROWS, n))
