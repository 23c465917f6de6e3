"""Squared Euclidean distances: quick ones by BLAS, exact ones by differences."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[Any]


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
    from labelscape._core._distance_kernels import squared_differences

    A = np.ascontiguousarray(A, dtype=np.float64)
    features = np.ascontiguousarray(np.asarray(B, dtype=np.float64).T)
    D = np.empty((A.shape[0], features.shape[1]))
    squared_differences(A, features, D)
    return D
