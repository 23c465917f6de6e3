"""Distances along lines: all pairs, listed pairs, nearest neighbors, near points.

The angle between the posteriors of two points is a lower bound for the length of every
path between them, and needs one product per class. So a search for neighbors first
computes the lengths with the smallest bounds, and then the lengths whose bound is below
the k-th smallest length. The result is exact. `squares_in_reach` omits kernels whose
weight is negligible according to a bound.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from labelscape._core.points.distances import (
    corrected_squared_distances,
    exact_squared_distances,
    listed_squared_distances,
    nearest_in_rows,
    squared_distances,
    squared_norms,
)
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape.geometry._lines import columns_of, listed_pairs

# Number of rows per tile of columns; small enough to divide a few hundred points
# between threads.
BLOCK_ROWS = 128
# Rounding error of lengths that are compared with bounds.
LENGTH_SLACK = {np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-12}
FIRST_MORE = 8  # number of lengths computed first, beyond the k that a search needs
# Memory per column in a block of rows: bounds, distances, masks, an order.
BYTES_PER_COLUMN = 48
SHORTEST = 1e-300  # length of duplicates; sparse graphs ignore edges of length 0


class PointSet(NamedTuple):
    """Points prepared for distances."""

    X: np.ndarray  # (n, d), centered
    norms: np.ndarray  # squared norms
    rows: Any  # the data for lengths of lines
    dtype: Any  # the floating-point type of the given points, and of distances

    def take(self, rows):
        parts = self.X[rows, :], self.norms[rows], self.rows.take(rows)
        return PointSet(*parts, self.dtype)


def squared_gaps(A, B):
    """Return the squared Euclidean distances (n, m) of two sets of points."""
    return corrected_squared_distances(A.X, B.X, A.norms, B.norms)


def end_lengths(h):
    """Return step lengths ``4 asin(|u - v| / 2)`` from ``h = |u - v|^2 / 4``."""
    from labelscape.geometry._kernels import add_arcs

    lengths = np.zeros_like(h)
    add_arcs(h.ravel(), lengths.ravel())
    return lengths


class StraightDistances:
    """Distances from probabilities along straight lines, or only at the ends."""

    def __init__(self, lines, epsilon, center, endpoint=False):
        self.lines, self.epsilon = lines, epsilon
        self.center, self.endpoint = center, endpoint
        # Whether distances are at least as large as the angle between their ends.
        self.bounded = endpoint or lines.rule == "sphere"

    def points(self, X, own=None, single=False):
        """Return points prepared for distances; ``own`` are their own Parzen points."""
        centered = X - self.center
        rows = self.lines.prepare(X, own, single=single or X.dtype == np.float32)
        return PointSet(centered, squared_norms(centered), rows, X.dtype)

    def lighter(self, A):
        """Return points with lines in float32, if the range of weights allows it."""
        return A._replace(rows=self.lines.lighter(A.rows))

    def common(self, A, B):
        """Return two sets of points in a common precision."""
        rows = self.lines.common(A.rows, B.rows)
        return A._replace(rows=rows[0]), B._replace(rows=rows[1])

    def block(self, A, B, offset=-1):
        """Return the distances (b, m) from a block of points to others."""
        lengths = self.block_lengths(A, B, offset)
        return self._regularized(lengths, lambda: squared_gaps(A, B))

    def _regularized(self, lengths, gaps):
        """Return ``sqrt(d_T^2 + eps |v|^2)``; ``gaps()`` returns ``|v|^2``."""
        if self.epsilon == 0.0:
            return lengths
        return np.sqrt(lengths.astype(np.float64) ** 2 + self.epsilon * gaps())

    def block_lengths(self, A, B, offset=-1):
        """Return lengths (b, m) of a block, without the Euclidean term."""
        if self.endpoint:
            return end_lengths(exact_squared_distances(A.rows.U, B.rows.U) / 4.0)
        return self.lines.block(A.rows, B.rows, offset)

    def listed(self, A, B, bounds, chosen):
        """Return distances from point i to ``chosen[bounds[i]:bounds[i + 1]]`` of B."""
        pairs = A, B, bounds, chosen
        lengths = self.listed_lengths(*pairs)
        return self._regularized(lengths, lambda: self.listed_gaps(*pairs))

    def listed_gaps(self, A, B, bounds, chosen):
        """Return squared Euclidean distances of listed pairs, in the same order."""
        return listed_squared_distances(A.X, B.X, bounds, chosen)

    def listed_lengths(self, A, B, bounds, chosen):
        """Return lengths of listed pairs, without the Euclidean term."""
        if self.endpoint:
            U, V = A.rows.U, B.rows.U
            return end_lengths(listed_squared_distances(U, V, bounds, chosen) / 4.0)
        return self.lines.listed(A.rows, B.rows, bounds, chosen)

    def matrix(self, A, B):
        """Return all distances (n, m) from points A to points B."""
        A, B = self.common(A, B)
        D = np.empty((len(A.X), len(B.X)), np.result_type(A.dtype, B.dtype))

        def fill(rows):
            D[rows] = self.block(A.take(rows), B)

        self.map_rows(fill, len(A.X))
        return D

    def symmetric_matrix(self, A):
        """Return all distances (n, n) between points; each pair is computed once."""
        n = len(A.X)
        D = np.zeros((n, n), A.dtype)

        def fill(rows):
            after = slice(rows.start, n)
            block = self.block(A.take(rows), A.take(after), offset=0)
            D[rows, after] = np.triu(block, 1)

        def mirror(rows):
            # Up to the diagonal block, whose lower half is still 0.
            D[rows, rows] += D[rows, rows].T
            D[rows.stop :, rows] = D[rows, rows.stop :].T

        self.map_rows(fill, n)
        self.map_rows(mirror, n)
        return D

    def nearest(self, A, B, n_neighbors, *, without_self):
        """Return distances and indices (n, k) of the nearest points of B."""
        A, B = self.common(A, B)
        search = _by_bounds if self.bounded else _by_force

        def block(rows):
            own = np.arange(rows.start, rows.stop) if without_self else None
            lengths, order = search(self, A.take(rows), B, n_neighbors, own)
            return lengths.astype(np.result_type(A.dtype, B.dtype)), order

        size = row_blocks(len(A.X), BYTES_PER_COLUMN * len(B.X))
        parts = self.map_slices(block, size)
        return tuple(np.concatenate(column) for column in zip(*parts, strict=True))

    def map_rows(self, function, n):
        """Apply a function to blocks of n rows."""
        return self.map_slices(function, row_blocks(n, 1, BLOCK_ROWS))

    def map_slices(self, function, slices):
        """Apply a function to slices, in threads if the lines allow it."""
        if self.lines.threaded:
            return map_blocks(function, slices)
        with one_blas_thread():
            return [function(rows) for rows in slices]


def lower_bounds(distances, A, B):
    """Return lower bounds of distances (n, m), from angles between posteriors."""
    gaps = squared_distances(A.X, B.X, B.norms) if distances.epsilon > 0.0 else None
    return np.sqrt(squared_bounds(distances, A, B, gaps))


def squared_bounds(distances, A, B, gaps):
    """Return squared lower bounds (n, m); gaps are squared Euclidean distances."""
    U, V = A.rows.U.astype(np.float64), B.rows.U.astype(np.float64)
    h = squared_distances(U, V)
    h /= 4.0
    h -= _rounding(U.shape[1])
    bounds = end_lengths(np.maximum(h, 0.0, out=h))
    bounds *= bounds
    if gaps is not None:
        sure = gaps - _rounding(A.X.shape[1]) * (A.norms[:, None] + B.norms)
        np.maximum(sure, 0.0, out=sure)
        sure *= distances.epsilon
        bounds += sure
    return bounds


def _rounding(n_terms):
    """Return the largest rounding error of a product of n terms with norms 1."""
    return 2.0 * (n_terms + 8) * np.finfo(np.float64).eps


def _by_force(distances, A, B, n_neighbors, own):
    """Return distances and indices (b, k) of nearest points; compute all distances."""
    return nearest_in_rows(distances.block(A, B), n_neighbors, own)[::-1]


def _by_bounds(distances, A, B, n_neighbors, own):
    """Return distances and indices (b, k) of nearest points; compute few distances."""
    bounds = lower_bounds(distances, A, B)
    if own is not None:
        bounds[np.arange(len(bounds)), own] = np.inf
    batch = min(n_neighbors + FIRST_MORE, len(B.X) - (own is not None))
    least = np.partition(bounds, batch - 1, axis=1)[:, batch - 1 : batch]
    first = bounds <= least
    D = np.empty(bounds.shape)
    D[first] = distances.listed(A, B, *listed_pairs(first))
    reach = np.partition(_padded(D, first)[0], n_neighbors - 1, axis=1)
    reach = reach[:, n_neighbors - 1 : n_neighbors]
    # Another point can be among the nearest only if its bound is below the k-th length.
    slack = 1.0 + LENGTH_SLACK[A.rows.U.dtype]
    measured = bounds <= np.maximum(least, reach * slack)
    more = measured & ~first
    # If bounds exclude few points, a block of all pairs is faster than single pairs.
    if more.sum() * distances.lines.listed_cost > more.size:
        return _by_force(distances, A, B, n_neighbors, own)
    D[more] = distances.listed(A, B, *listed_pairs(more))
    lengths, columns = _padded(D, measured)
    order, least = nearest_in_rows(lengths, n_neighbors)
    return least, np.take_along_axis(columns, order, axis=1)


def _padded(D, mask):
    """Return the masked values of D, padded with inf, and their columns (b, w)."""
    counts = mask.sum(axis=1)
    there = np.arange(counts.max()) < counts[:, None]
    values, columns = np.full(there.shape, np.inf), np.zeros(there.shape, dtype=int)
    values[there], columns[there] = D[mask], columns_of(mask)
    return values, columns


# Squared distances to the centers of kernels that have weight.
#
# With squared distances d_j^2 and scales s_j, a kernel has the weight ``exp(-s_j
# d_j^2)``. A lower bound of its distance is cheap to compute, and gives the upper bound
# ``exp(s_0 d_0^2 - s_j bound_j)`` of its share in the sum of all kernels, where d_0 is
# the distance of the center with the smallest bound. Kernels whose shares add up to at
# most ``TOLERANCE`` are omitted, the farthest first, and their lengths are not
# computed.

# Total relative weight of the omitted kernels: a mean of positions is then wrong by at
# most this share of the largest distance between positions.
TOLERANCE = 1e-4
# Rounding error of a length in float32, and largest exponents of kernels with weight.
SINGLE_ERROR, FARTHEST = 2e-6, 64.0


def single_suffices(scales):
    """Return whether float32 changes all exponents s d^2 by less than the tolerance."""
    return 2.0 * np.sqrt(scales.max() * FARTHEST) * SINGLE_ERROR <= TOLERANCE


def squares_in_reach(distances, A, B, scales):
    """Return squared distances (n, m), infinite where kernel weights are negligible."""
    A, B = distances.common(A, B)
    gaps = squared_gaps(A, B) if distances.epsilon > 0.0 else None
    if distances.endpoint or not distances.bounded:
        return _squared(distances.block_lengths(A, B), gaps, distances.epsilon)
    heavy = _heavy(distances, A, B, gaps, scales)
    # If most kernels have weight, a block of all pairs is faster than single pairs.
    if heavy.sum() * distances.lines.listed_cost > heavy.size:
        return _squared(distances.block_lengths(A, B), gaps, distances.epsilon)
    lengths = distances.listed_lengths(A, B, *listed_pairs(heavy))
    squares = np.full(heavy.shape, np.inf)
    near = None if gaps is None else gaps[heavy]
    squares[heavy] = _squared(lengths, near, distances.epsilon)
    return squares


def _heavy(distances, A, B, gaps, scales):
    """Return a mask (n, m) of kernels whose weight is not negligible."""
    from labelscape.geometry._kernels import mark_heavy

    exponents = squared_bounds(distances, A, B, gaps)
    exponents *= scales
    nearest = exponents.argmin(axis=1)
    ends = np.arange(len(nearest) + 1)
    known = distances.listed(A, B, ends, nearest).astype(np.float64) ** 2
    heavy = np.empty(exponents.shape, dtype=bool)
    mark_heavy(exponents, known * scales[nearest], TOLERANCE, heavy)
    return heavy


def _squared(lengths, gaps, epsilon):
    squares = lengths.astype(np.float64) ** 2
    return squares if gaps is None else squares + epsilon * gaps


# Shorter than straight lines: paths from neighbor to neighbor.


class GraphDistances(StraightDistances):
    """Length of a line, or of a path through neighbors if this is shorter."""

    def __init__(self, lines, epsilon, center, fitted, n_neighbors):
        super().__init__(lines, epsilon, center)
        self.fitted, self.n_neighbors = fitted, n_neighbors  # fitted() returns points

    def matrix(self, A, B):
        return self._shortened(super().matrix(A, B), A, B)

    def symmetric_matrix(self, A):
        return self._shortened(super().symmetric_matrix(A), A, A)

    def nearest(self, A, B, n_neighbors, *, without_self):
        own = np.arange(len(A.X)) if without_self else None
        return nearest_in_rows(self.matrix(A, B), n_neighbors, own)[::-1]

    def _joined(self, A):
        """Return distances and indices of the fitted points nearest to A."""
        fitted = self.fitted()
        k = min(self.n_neighbors, len(fitted.X) - (A is fitted))
        return super().nearest(A, fitted, k, without_self=A is fitted)

    def _shortened(self, D, A, B):
        """Return the smaller of distance D (n, m) and path length, from A to B."""
        fitted = self.fitted()
        lists = [(0, *self._joined(fitted))]
        first, n_nodes = {id(fitted): 0}, len(fitted.X)
        for points in (A, B):
            if id(points) not in first:
                first[id(points)] = n_nodes
                lists.append((n_nodes, *self._joined(points)))
                n_nodes += len(points.X)
        sources = slice(first[id(A)], first[id(A)] + len(A.X))
        paths = shortest_paths(lists, n_nodes, sources)
        targets = slice(first[id(B)], first[id(B)] + len(B.X))
        shorter = np.minimum(D, paths[:, targets]).astype(D.dtype)
        # The two directions of a path are summed in different orders.
        return np.minimum(shorter, shorter.T) if A is B else shorter


def shortest_paths(lists, n_nodes, sources):
    """Return the lengths (s, n_nodes) of shortest paths in a graph of neighbors."""
    i = np.concatenate(
        [np.repeat(first + np.arange(len(d)), d.shape[1]) for first, d, _ in lists]
    )
    j = np.concatenate([indices.ravel() for _, _, indices in lists])
    lengths = np.concatenate([d.ravel() for _, d, _ in lists]).astype(np.float64)
    # If two nodes are neighbors of each other, they have one edge, listed once.
    low, high = np.minimum(i, j), np.maximum(i, j)
    _, first = np.unique(low * n_nodes + high, return_index=True)
    weights = np.maximum(lengths[first], SHORTEST)
    shape = (n_nodes, n_nodes)
    graph = coo_array((weights, (low[first], high[first])), shape=shape).tocsr()
    return dijkstra(graph, directed=False, indices=np.arange(n_nodes)[sources])
