"""Squared distances of points of another library, and which of them are nearest.

By functions of the array standard ``xp``: one matrix product, so as fast as the device
multiplies, then near pairs again by differences, so that duplicates are at 0.
"""

from typing import Any

from labelscape._core.points.array_objects import blocks_of
from labelscape._core.points.distances import NEAR


def squared_norms(xp: Any, A: Any) -> Any:
    """Return the squared length (n,) of each row of A."""
    return xp.sum(A * A, axis=1)


def squared_distances(xp: Any, A: Any, B: Any, A_norms: Any, B_norms: Any) -> Any:
    """Return ``|a|^2 + |b|^2 - 2 a.b`` (n, m) for the rows of A (n, d) and B (m, d)."""
    D = xp.matmul(A, B.T)
    D *= -2.0
    D += A_norms[:, None]
    D += B_norms[None, :]
    return xp.clip(D, 0.0, None)


def mended_squared_distances(
    xp: Any, A: Any, B: Any, A_norms: Any, B_norms: Any
) -> Any:
    """Return the squared distances (n, m) of rows of A and B, whose mean is near 0."""
    D = squared_distances(xp, A, B, A_norms, B_norms)
    near = near_pairs(D, A_norms, B_norms)
    i, j = xp.nonzero(near)
    if i.shape[0]:
        D[near] = listed_squared_distances(xp, A, B, i, j)
    return D


def near_pairs(D: Any, A_norms: Any, B_norms: Any) -> Any:
    """Return where (n, m) a product has lost the digits of a squared distance D."""
    return NEAR * (A_norms[:, None] + B_norms[None, :]) >= D


def listed_squared_distances(xp: Any, A: Any, B: Any, i: Any, j: Any) -> Any:
    """Return those of the rows ``i[k]`` of A and ``j[k]`` of B, by differences."""
    parts = []
    for pairs in blocks_of(i, 8 * A.shape[1]):
        gaps = xp.take(A, i[pairs], axis=0) - xp.take(B, j[pairs], axis=0)
        parts.append(squared_norms(xp, gaps))
    return xp.concat(parts)


# The nearest of each row.


def sorted_nearest(xp: Any, D: Any, k: int) -> tuple[Any, Any]:
    """Return the k least numbers of rows D (b, n) by (number, column), and columns."""
    columns = nearest(xp, D, k)
    found = picked(xp, D, columns)
    # Columns rise in each row, and a stable order keeps those of ties so.
    order = xp.argsort(found, axis=1, stable=True)
    return picked(xp, found, order), picked(xp, columns, order)


def picked(xp: Any, D: Any, columns: Any) -> Any:
    """Return the entries (b, k) of D (b, n) in some columns of each row."""
    rows = xp.arange(D.shape[0], device=columns.device)[:, None] * D.shape[1]
    flat = xp.reshape(rows + columns, (-1,))
    return xp.reshape(xp.take(xp.reshape(D, (-1,)), flat), columns.shape)


def nearest(xp: Any, D: Any, k: int) -> Any:
    """Return the k nearest (b, k) of rows D (b, n), by (distance, index), unordered."""
    last = kth_smallest(xp, D, k)[:, None]
    taken = last >= D
    if bool(xp.any(xp.count_nonzero(taken, axis=1) > k)):
        # Of those that are as far as the last, the first ones.
        before, ties = last > D, xp.astype(last == D, xp.int32)
        rest = k - xp.count_nonzero(before, axis=1)[:, None]
        taken = before | ((ties > 0) & (xp.cumulative_sum(ties, axis=1) <= rest))
    return xp.reshape(xp.nonzero(taken)[1], (D.shape[0], k))


def kth_smallest(xp: Any, D: Any, k: int) -> Any:
    """Return the k-th number of each row (b,), counted from the smallest."""
    if hasattr(xp, "topk"):  # of PyTorch: the standard can only sort
        return xp.topk(D, k, largest=False).values[:, -1]
    return xp.sort(D, axis=1)[:, k - 1]
