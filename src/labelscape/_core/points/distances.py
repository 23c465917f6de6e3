"""Squared Euclidean distances: quick ones by BLAS, exact ones by differences."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import check_intact

Matrix = NDArray[Any]

# A tile of points stays in the cache while many rows are worked out: so many columns,
# or fewer where there are many features, but enough for vector instructions.
WIDEST_TILE, NARROWEST_TILE, TILE_NUMBERS = 256, 32, 2**15
# Nearer than this share of their norms, a product has lost ten digits of a distance.
NEAR = 1e-6


def squared_norms(A: Matrix) -> Matrix:
    """Return the squared length of each row of ``A``."""
    norms: Matrix = np.einsum("ij,ij->i", A, A)
    return norms


def squared_distances(
    A: Matrix, B: Matrix, B_norms: Matrix | None = None, out: Matrix | None = None
) -> Matrix:
    """Return ``|a|^2 + |b|^2 - 2 a.b`` for the rows of A (n, d) and B (m, d).

    One matrix product, so as fast as BLAS; the price is a rounding error of about
    ``eps (|a|^2 + |b|^2)``. Centre data that lie far from the origin first, and
    use :func:`exact_squared_distances` where ties and duplicates matter.
    """
    B_norms = squared_norms(B) if B_norms is None else B_norms
    D = np.matmul(A, B.T, out=out)
    D *= -2.0
    D += squared_norms(A)[:, None]
    D += B_norms
    return np.maximum(D, 0.0, out=D)


def exact_squared_distances(A: Matrix, B: Matrix) -> Matrix:
    """Return ``sum_k (a_k - b_k)^2``, added up in the order of the features.

    Duplicates are at distance exactly 0, ``d(a, b)`` equals ``d(b, a)`` to the last bit
    and ties stay ties, on every platform: what ranks need.
    """
    return Tiles(B).squared_distances(A)


class Tiles:
    """Points made ready for exact distances to them, a block of rows at a time."""

    def __init__(self, X: Matrix) -> None:
        features = np.asarray(X, dtype=np.float64).T
        d, self.n = features.shape
        width = min(max(TILE_NUMBERS // max(d, 1), NARROWEST_TILE), WIDEST_TILE)
        whole = self.n - self.n % width
        tiles = features[:, :whole].reshape(d, -1, width)
        self._tiles = np.ascontiguousarray(tiles.transpose(1, 0, 2))
        self._tail = np.ascontiguousarray(features[:, whole:])

    def squared_distances(self, A: Matrix) -> Matrix:
        """Return the exact squared distances (b, n) of the rows of A (b, d)."""
        from labelscape._core.points._distance_kernels import (
            rows_of_squared_differences,
        )

        A = np.ascontiguousarray(A, dtype=np.float64)
        check_intact(A.shape[1] == len(self._tail), "new rows and rows of the fit")
        D = np.empty((len(A), self.n))
        rows_of_squared_differences(A, self._tiles, self._tail, D)
        return D


def mended_squared_distances(
    A: Matrix, B: Matrix, A_norms: Matrix, B_norms: Matrix
) -> Matrix:
    """Return the squared distances (n, m) of rows of A and B, whose mean is near 0.

    One matrix product, then near pairs again by differences: duplicates are at 0.
    """
    from labelscape._core.points._distance_kernels import mend_close

    D = squared_distances(A, B, B_norms)
    mend_close(A, B, A_norms, B_norms, NEAR, D)
    return D


def listed_squared_distances(
    A: Matrix, B: Matrix, bounds: Matrix, chosen: Matrix
) -> Matrix:
    """Return those from row i of A to ``chosen[bounds[i]:bounds[i + 1]]`` of B."""
    from labelscape._core.points._distance_kernels import listed_squares

    squares = np.empty(len(chosen))
    listed_squares(A, B, bounds, chosen, squares)
    return squares
