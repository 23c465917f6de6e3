"""Distances and nearest neighbors in arrays of other libraries, on any device.

Distances use functions of the array API standard (``xp``): one matrix product, then
differences for near pairs, so that duplicates have distance 0.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np

from labelscape._core.points.distances import NEAR
from labelscape._core.points.spaces import Dissimilarities, Points, Which
from labelscape._core.rows.device import (
    blocks_of,
    device_of,
    floats_like,
    has_kernels,
)
from labelscape._core.rows.kinds import to_numpy
from labelscape._core.types import AnyCall, Array, Ints


def squared_norms(xp: Any, A: Any) -> Any:
    """Return the squared length (n,) of each row of A."""
    return xp.sum(A * A, axis=1)


def squared_distances(xp: Any, A: Any, B: Any, A_norms: Any, B_norms: Any) -> Any:
    """Return ``|a|^2 + |b|^2 - 2 a.b`` (n, m) for the rows of A (n, d) and B (m, d)."""
    D = xp.matmul(-2.0 * A, B.T)
    D += A_norms[:, None]
    D += B_norms[None, :]
    return xp.clip(D, 0.0, None)


def corrected_squared_distances(
    xp: Any, A: Any, B: Any, A_norms: Any, B_norms: Any
) -> Any:
    """Return squared distances (n, m) between rows of centered arrays A and B."""
    D = squared_distances(xp, A, B, A_norms, B_norms)
    # Below this share of the norms, a product has lost the digits of a squared
    # distance.
    near = NEAR * (A_norms[:, None] + B_norms[None, :]) >= D
    i, j = xp.nonzero(near)
    if i.shape[0]:
        D[near] = listed_squared_distances(xp, A, B, i, j)
    return D


def listed_squared_distances(xp: Any, A: Any, B: Any, i: Any, j: Any) -> Any:
    """Return the squared distances of rows ``i[k]`` of A and ``j[k]`` of B."""
    parts = []
    for pairs in blocks_of(i, 8 * A.shape[1]):
        gaps = xp.take(A, i[pairs], axis=0) - xp.take(B, j[pairs], axis=0)
        parts.append(squared_norms(xp, gaps))
    return xp.concat(parts)


# Search for the nearest points of each row.

GROUP = 64  # number of columns whose minimum is compared first


def sorted_nearest(xp: Any, D: Any, k: int) -> tuple[Any, Any]:
    """Return the k smallest numbers of each row of D, sorted, and their columns."""
    columns = nearest(xp, D, k)
    values = picked(xp, D, columns)
    # Columns are ascending in each row, and a stable sort keeps this order for ties.
    order = xp.argsort(values, axis=1, stable=True)
    return picked(xp, values, order), picked(xp, columns, order)


def picked(xp: Any, D: Any, columns: Any) -> Any:
    """Return the entries (b, k) of D (b, n) in given columns of each row."""
    rows = xp.arange(D.shape[0], device=columns.device)[:, None] * D.shape[1]
    flat = xp.reshape(rows + columns, (-1,))
    return xp.reshape(xp.take(xp.reshape(D, (-1,)), flat), columns.shape)


def nearest(xp: Any, D: Any, k: int) -> Any:
    """Return the unsorted columns (b, k) of the k smallest numbers of each row of D."""
    # Columns are ascending in each row. Most of a row is read once: without ties, only
    # the k groups of columns with the lowest minima can contain the nearest points.
    values, columns, tied = D, None, False
    b, n = D.shape
    if n >= 4 * k * GROUP:
        whole, device = n // GROUP, device_of(D)
        minima = xp.reshape(D[:, : whole * GROUP], (b, whole, GROUP))
        minima = xp.min(minima, axis=2)
        groups = xp.sort(_least(xp, minima, k)[1], axis=1)
        columns = groups[:, :, None] * GROUP + xp.arange(GROUP, device=device)
        rest = xp.arange(whole * GROUP, n, device=device)
        rest = xp.broadcast_to(rest, (b, n - whole * GROUP))
        columns = xp.concat([xp.reshape(columns, (b, -1)), rest], axis=1)
        values = picked(xp, D, columns)
    last = _least(xp, values, k)[0][:, k - 1, None]
    is_near = last >= values
    if columns is not None:
        tied = bool(xp.any(xp.count_nonzero(last >= minima, axis=1) > k))
    if tied or bool(xp.any(xp.count_nonzero(is_near, axis=1) > k)):
        # Points as far away as the k-th are chosen in the order of their columns.
        before, ties = last > D, xp.astype(last == D, xp.int32)
        rest = k - xp.count_nonzero(before, axis=1)[:, None]
        columns = None
        is_near = before | ((ties > 0) & (xp.cumulative_sum(ties, axis=1) <= rest))
    found = xp.reshape(xp.nonzero(is_near)[1], (b, k))
    return found if columns is None else picked(xp, columns, found)


def _least(xp: Any, D: Any, k: int) -> tuple[Any, Any]:
    """Return the k smallest numbers of each row in order, and their columns."""
    if hasattr(xp, "topk"):  # the standard has no partial sort
        return tuple(xp.topk(D, k, largest=False))
    order = xp.argsort(D, axis=1)[:, :k]
    return picked(xp, D, order), order


def without_self(xp: Any, D: Any, place: Any) -> Any:
    """Return distances (b, n), with infinity in a given column (b,) of each row."""
    index = xp.arange(D.shape[1], device=place.device)
    if not hasattr(xp, "topk"):
        return xp.where(index == place[:, None], xp.inf, D)
    D[index[: D.shape[0]], place] = xp.inf  # in place, which the standard does not have
    return D


@cache
def in_one_kernel(function: AnyCall) -> AnyCall:
    """Return a function of tensors, compiled by PyTorch into one kernel."""
    import torch

    compiled: AnyCall = torch.compile(function, dynamic=True)
    return compiled


def _rooted(products: Any, A_norms: Any, B_norms: Any) -> Any:
    return (products + A_norms[:, None] + B_norms).clamp(min=0.0).sqrt()


# If the mean is farther from 0 than this many standard deviations, points are centered,
# because products would lose digits. Other points do not change, so that products of
# integers are exact, and ties remain ties.
FAR = 100.0


class ArrayPoints(Dissimilarities):
    """Points X (n, d) with Euclidean distances, on their device."""

    def __init__(
        self, xp: Any, X: Any, *, owner: str, name: str, device: Any = None
    ) -> None:
        self.xp, self.device = xp, device_of(X) if device is None else device
        X = floats_like(xp, X, device=self.device, owner=owner, name=name)
        middle = xp.mean(X, axis=0)
        spread = xp.mean((X - middle) ** 2)
        self.X = X - middle if xp.mean(middle**2) > FAR**2 * spread else X
        self.n = int(X.shape[0])

    @cached_property
    def _squares(self) -> Any:
        return self.xp.sum(self.X**2, axis=1)

    @property
    def numbers(self) -> Array:
        """Data that define this space, to compare it with other spaces."""
        return to_numpy(self.X)

    def rows(self, which: Which) -> Array:
        """Return the distances (b, n) from some points to all, as a NumPy array."""
        return to_numpy(self.distances(np.arange(self.n)[which])).astype(np.float64)

    def distances(self, own: Ints) -> Any:
        """Return the distances (b, n) from some points to all, on the device."""
        xp = self.xp
        which = xp.asarray(own, device=self.device)
        A, squares = xp.take(self.X, which, axis=0), xp.take(self._squares, which)
        if has_kernels(A):
            products = xp.matmul(-2.0 * A, self.X.T)
            return in_one_kernel(_rooted)(products, squares, self._squares)
        return xp.sqrt(squared_distances(xp, A, self.X, squares, self._squares))

    def pairs(self, i: Array, j: Array) -> Array:
        """Return the distances of the pairs (i[k], j[k])."""
        return Points(self.numbers).pairs(i, j)

    def squared_to_centroids(self, members: Sequence[Array]) -> Array:
        """Return squared distances of all points to the centroids of groups, (n, g)."""
        return Points(self.numbers).squared_to_centroids(members)
