"""Squared Euclidean distances, fast (with BLAS) or exact, and nearest neighbors.

The rule for ties: a point's neighbors are ordered by (distance, index). So of two
equally near points, the one with the lower index comes first, on every platform.
A point is never its own neighbor, but its duplicates are.
"""

from typing import Any

import numpy as np

from labelscape._core.checks import check_intact
from labelscape._core.threads import map_blocks, row_blocks
from labelscape._core.types import Array, Floats, Ints

# A tile of points stays in the processor's cache while many rows are computed: the
# limits of its width, and the number of values in it.
WIDEST_TILE, NARROWEST_TILE, TILE_NUMBERS = 256, 32, 2**15
# Below this share of their norms, a product has lost ten digits of a squared distance.
NEAR = 1e-6


def squared_norms(A: Array) -> Array:
    """Return the squared length of each row of A."""
    return np.asarray(np.einsum("ij,ij->i", A, A))


def squared_distances(
    A: Array, B: Array, B_norms: Array | None = None, out: Array | None = None
) -> Array:
    """Return ``|a|^2 + |b|^2 - 2 a.b`` for the rows of A (n, d) and B (m, d)."""
    # One matrix product, with a rounding error of about eps (|a|^2 + |b|^2): center
    # data first, and use `exact_squared_distances` where ties and duplicates matter.
    B_norms = squared_norms(B) if B_norms is None else B_norms
    D = np.matmul(A, B.T, out=out)
    D *= -2.0
    D += squared_norms(A)[:, None]
    D += B_norms
    return np.maximum(D, 0.0, out=D)


def exact_squared_distances(A: Array, B: Array) -> Array:
    """Return ``sum_k (a_k - b_k)^2`` with features in order, so that ties are exact."""
    return Tiles(B).squared_distances(A)


class Tiles:
    """Points prepared for exact distances, computed in blocks of rows."""

    def __init__(self, X: Array) -> None:
        features = np.asarray(X, dtype=np.float64).T
        d, self.n = features.shape
        width = min(max(TILE_NUMBERS // max(d, 1), NARROWEST_TILE), WIDEST_TILE)
        even = self.n - self.n % width
        tiles = features[:, :even].reshape(d, -1, width)
        self._tiles = np.ascontiguousarray(tiles.transpose(1, 0, 2))
        self._tail = np.ascontiguousarray(features[:, even:])

    def squared_distances(self, A: Array) -> Array:
        """Return the exact squared distances (b, n) of the rows of A (b, d)."""
        from labelscape._core.points._kernels import rows_of_squared_differences

        A = np.ascontiguousarray(A, dtype=np.float64)
        check_intact(A.shape[1] == len(self._tail), "new rows and rows of the fit")
        D = np.empty((len(A), self.n))
        rows_of_squared_differences(A, self._tiles, self._tail, D)
        return D


def corrected_squared_distances(
    A: Array, B: Array, A_norms: Array, B_norms: Array
) -> Array:
    """Return squared distances (n, m) of centered rows; exact for near rows."""
    from labelscape._core.points._kernels import correct_close

    D = squared_distances(A, B, B_norms)
    correct_close(A, B, A_norms, B_norms, NEAR, D)
    return D


def listed_squared_distances(A: Array, B: Array, bounds: Array, chosen: Array) -> Array:
    """Return squared distances of A_i to B_j for j in ``chosen[bounds[i]:...]``."""
    from labelscape._core.points._kernels import listed_squares

    squares = np.empty(len(chosen))
    listed_squares(A, B, bounds, chosen, squares)
    return squares


# If an outlier, such as a missing-value code of 1e20, moves the mean this many typical
# distances away from the median, distances from the mean lose their digits. Then the
# median is used.
DRAGGED = 1e4
FEW = 100  # number of rows used to estimate the typical distance


def middle(X: Array) -> Floats:
    """Return the mean (d,) of rows, or a median if far outliers distort the mean."""
    mean: Floats = X.mean(axis=0, dtype=np.float64)
    for rows in (X[:: -(-len(X) // FEW)], X):  # all, if the first rows are equal
        median: Floats = np.median(rows.astype(np.float64), axis=0)
        gaps = np.sqrt(np.square(rows - median).sum(axis=1))
        if gaps.any():
            usual = np.median(gaps[gaps > 0.0])
            dragged = np.sqrt(np.square(mean - median).sum()) > DRAGGED * usual
            return median if dragged else mean
    return mean


# Result of a search: indices (b, k) and distances (b, k), nearest first.
Neighbors = tuple[Ints, Array]


def nearest_in_rows(D: Array, n_neighbors: int, own: Ints | None = None) -> Neighbors:
    """Return the nearest columns (not ``own``) of each row of D, and their values."""
    from labelscape._core.points._kernels import nearest_of_rows

    indices = np.empty((len(D), n_neighbors), dtype=np.int64)
    distances = np.empty(indices.shape, dtype=D.dtype)
    own = np.full(len(D), -1) if own is None else own
    nearest_of_rows(D, own, indices, distances)
    return indices, distances


def nearest_neighbors(
    X: Array, n_neighbors: int, queries: Array | None = None
) -> Neighbors:
    """Return the nearest points in X (n, d) of each point of X, or of each query."""
    tiles = Tiles(X)
    points = X if queries is None else queries

    def block(rows: slice) -> Neighbors:
        own = np.arange(rows.start, rows.stop) if queries is None else None
        D = tiles.squared_distances(points[rows])
        # Squared distances are compared, because roots may be equal where squares
        # differ in the last bits.
        indices, squares = nearest_in_rows(D, n_neighbors, own)
        return indices, np.sqrt(squares)

    return in_blocks(block, row_blocks(len(points), 8 * len(X)))


def in_blocks(search: Any, blocks: list[slice]) -> Neighbors:
    """Return the joined results of a neighbor search for all blocks of rows."""
    parts = map_blocks(search, blocks)
    indices, distances = (np.concatenate(side) for side in zip(*parts, strict=True))
    return indices, distances
