"""Points of another library: their distances are worked out where they are."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.points.arrays import device_of, floats_like, to_numpy
from labelscape._core.points.spaces import Matrix, Points, Space, Which

# Points whose middle is farther from 0 than so many spreads are moved there: products
# would lose too many digits. Nearer ones stay as they are, so that products of whole
# numbers are exact, and ties stay ties.
FAR = 100.0


class ArrayPoints(Space):
    """Points X (n, d) with Euclidean distances, on their device."""

    def __init__(self, xp: Any, X: Any, *, device: Any, owner: str, name: str) -> None:
        self.xp, self.device = xp, device
        X = floats_like(xp, X, device=device, owner=owner, name=name)
        middle = xp.mean(X, axis=0)
        spread = xp.mean((X - middle) ** 2)
        self.X = X - middle if xp.mean(middle**2) > FAR**2 * spread else X
        self.n = int(X.shape[0])

    @cached_property
    def _squares(self) -> Any:
        return self.xp.sum(self.X**2, axis=1)

    @property
    def numbers(self) -> Matrix:
        """All that distinguishes this space from another."""
        return to_numpy(self.X)

    def rows(self, which: Which) -> Matrix:
        """Return the distances (b, n) from some points to all, as NumPy's."""
        own = np.arange(self.n)[which]
        return to_numpy(self.distances(own)).astype(np.float64)

    def distances(self, own: NDArray[np.integer]) -> Any:
        """Return the distances (b, n) from some points to all, on the device."""
        xp = self.xp
        which = xp.asarray(own, device=self.device)
        A, squares = xp.take(self.X, which, axis=0), xp.take(self._squares, which)
        D = self._squares + squares[:, None] - 2.0 * (A @ self.X.T)
        return xp.sqrt(xp.where(D > 0.0, D, xp.zeros_like(D)))

    def pairs(self, i: Matrix, j: Matrix) -> Matrix:
        """Return the distances of the pairs (i[k], j[k])."""
        return Points(self.numbers).pairs(i, j)

    def squared_to_centroids(self, members: Sequence[Matrix]) -> Matrix:
        """Return squared distances of all points to the centroids of groups, (n, g)."""
        return Points(self.numbers).squared_to_centroids(members)


def array_points(xp: Any, X: Any, *, owner: str, name: str) -> ArrayPoints:
    """Return points that stay on the device of X."""
    return ArrayPoints(xp, X, device=device_of(X), owner=owner, name=name)


def exact_distances(xp: Any, A: Any, B: Any) -> Any:
    """Return the distances (a, b) of rows of A and B, by their differences."""
    if hasattr(xp, "cdist"):  # of PyTorch: without a table for each feature
        return xp.cdist(A, B, compute_mode="donot_use_mm_for_euclid_dist")
    squares = ((A[:, k, None] - B[None, :, k]) ** 2 for k in range(A.shape[1]))
    return xp.sqrt(sum(squares))
