"""Distances along straight lines between points of another library, in tiles."""

from typing import Any, NamedTuple

from labelscape._core.points.array_distances import (
    listed_squared_distances,
    mended_squared_distances,
    sorted_nearest,
    squared_norms,
)
from labelscape._core.points.arrays import to_numpy
from labelscape._core.threads import row_blocks
from labelscape.geometry.arrays.lines import arcs, end_arcs


class ArrayPointSet(NamedTuple):
    """Centred coordinates X (n, d), their squared norms, and what lines are made of.

    ``dtype`` is the precision in which the points were given, and distances are.
    """

    X: Any
    norms: Any
    rows: Any
    dtype: Any

    def take(self, rows):
        """Return the same for a slice of the points."""
        parts = self.X[rows, :], self.norms[rows], self.rows.take(rows)
        return ArrayPointSet(*parts, self.dtype)

    def chosen(self, xp, index):
        """Return the same for listed points."""
        X, norms = xp.take(self.X, index, axis=0), xp.take(self.norms, index)
        return ArrayPointSet(X, norms, self.rows.chosen(xp, index), self.dtype)


class ArrayDistances:
    """Distances along straight lines, or from their endpoints alone."""

    def __init__(self, lines, epsilon, center, endpoint):
        self.lines, self.xp = lines, lines.xp
        self.epsilon, self.endpoint = epsilon, endpoint
        self.center = lines.parzen.numbers(center)
        self.device = lines.parzen.device

    def points(self, X, own=None):
        """Return points made ready; ``own`` are their own Parzen points, if any."""
        centered = X - self.center
        norms = squared_norms(self.xp, centered)
        return ArrayPointSet(centered, norms, self.lines.prepare(X, own), X.dtype)

    def common(self, A, B):
        """Return two sets of points in the precision that both allow."""
        rows = self.lines.common(A.rows, B.rows)
        return A._replace(rows=rows[0]), B._replace(rows=rows[1])

    def tile(self, A, B):
        """Return the distances (b, m) of some points to others, in float64."""
        xp = self.xp
        measure = self._ends if self.endpoint else self.lines.tile
        lengths = xp.astype(measure(A.rows, B.rows), xp.float64)
        if self.epsilon == 0.0:
            return lengths
        gaps = mended_squared_distances(xp, A.X, B.X, A.norms, B.norms)
        return xp.sqrt(lengths * lengths + self.epsilon * gaps)

    def _ends(self, rows, columns):
        return end_arcs(self.xp, rows.U, columns.U)

    def listed(self, A, B, bounds, chosen):
        """Return lengths from point i to ``chosen[bounds[i]:bounds[i + 1]]`` of B.

        Of a few pairs, and as NumPy's, for who calibrates.
        """
        if not self.endpoint:
            return self.lines.listed(A.rows, B.rows, bounds, chosen)
        i, j = self.lines.pairs(bounds, chosen)
        gaps = self.xp.take(A.rows.U, i, axis=0) - self.xp.take(B.rows.U, j, axis=0)
        return to_numpy(arcs(self.xp, gaps, axis=1))

    def listed_gaps(self, A, B, bounds, chosen):
        """Return the squared Euclidean distances of the same pairs."""
        i, j = self.lines.pairs(bounds, chosen)
        return to_numpy(listed_squared_distances(self.xp, A.X, B.X, i, j))

    def matrix(self, A, B, dtype=None):
        """Return all distances (n, m) from the points A to the points B.

        In the precision of both, or in another one.
        """
        return self._filled(*self.common(A, B), dtype or self._precision(A, B))

    def symmetric_matrix(self, A):
        """Return all distances (n, n) among points: each pair is worked out once."""
        xp, slices = self.xp, self._slices(A)
        D = self._empty(A, A, A.dtype)
        for k, rows in enumerate(slices):
            part = A.take(rows)
            upper = xp.triu(xp.astype(self.tile(part, part), A.dtype), k=1)
            D[rows, rows] = upper + upper.T
            for there in slices[k + 1 :]:
                D[rows, there] = xp.astype(self.tile(part, A.take(there)), A.dtype)
                D[there, rows] = D[rows, there].T
        return D

    def nearest(self, A, B, n_neighbors, *, without_self):
        """Return distances and indices (n, k) of the points of B nearest to each of A.

        ``without_self`` says that point i of A is point i of B, no neighbor of its own.
        """
        xp, precision = self.xp, self._precision(A, B)
        A, B = self.common(A, B)
        place = xp.arange(B.X.shape[0], device=self.device)
        found = []
        for rows in self._slices(A):
            D = self._filled(A.take(rows), B, xp.float64)
            if without_self:
                D = xp.where(place == place[rows][:, None], xp.inf, D)
            found.append(sorted_nearest(xp, D, n_neighbors))
        distances, indices = (xp.concat(side) for side in zip(*found, strict=True))
        return xp.astype(distances, precision), indices

    def _filled(self, A, B, dtype):
        """Return all distances (n, m) of points in one precision, tile by tile."""
        D, columns = self._empty(A, B, dtype), self._slices(B)
        for rows in self._slices(A):
            part = A.take(rows)
            for there in columns:
                D[rows, there] = self.xp.astype(self.tile(part, B.take(there)), dtype)
        return D

    def _empty(self, A, B, dtype):
        shape = A.X.shape[0], B.X.shape[0]
        return self.xp.empty(shape, dtype=dtype, device=self.device)

    def _precision(self, A, B):
        return self.xp.result_type(A.dtype, B.dtype)

    def _slices(self, A):
        return row_blocks(A.X.shape[0], 1, self.lines.side(A.rows))
