"""Labeled samples of a sparse matrix, of which a block at a time becomes dense.

Where a product is all that is needed, ``part(rows)`` stays sparse. What is learned has
all features, and is never sparse.
"""

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelscape._core.rows.rows import Floats, Rows, equal_steps, kmeans_centers


class SparseRows(Rows):
    """The same of a sparse matrix in rows, as scipy's CSR has them."""

    is_sparse: ClassVar[bool] = True

    def _compact(self, X: Any) -> Any:
        return X

    @cached_property
    def ranges(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The lowest and the highest value of each feature."""
        lowest, highest = self.X.min(axis=0), self.X.max(axis=0)
        return _vector(lowest.todense()), _vector(highest.todense())

    def block(self, which: Any) -> Any:
        """Return some samples as a dense array."""
        return self.X[which].toarray()

    def sampled(self, most: int) -> Rows:
        """Return at most this many samples, at equal steps through the classes."""
        by_class = np.argsort(self.codes, kind="stable")
        which = by_class[equal_steps(len(self), most)]
        return Rows(
            self.block(which), self.labels, self.codes[which], self.weights[which]
        )

    def projected(self, basis: Floats) -> Any:
        """Return all samples about the center in a basis (N, m)."""
        return self.X @ basis - self.center @ basis

    def _near(self, points: NDArray[Any]) -> Any:
        """Return the few samples that are near a point, by the angle between them."""
        W = points.astype(np.float64)
        squares = _vector(self.X.multiply(self.X).sum(axis=1))
        sizes = squares[:, None] + np.einsum("ij,ij->i", W, W)
        gaps = sizes - 2.0 * (self.X @ W.T)
        return self.block(np.flatnonzero((gaps <= 1e-4 * sizes).any(axis=1)))

    def kmeans(self, count: int, rng: Any) -> Any:
        """Return the centers of k-means, about the center: centered, X were dense."""
        X = self.X.astype(np.float64)
        return kmeans_centers(X, self.shares, count, rng) - self.center


def _vector(column: Any) -> NDArray[Any]:
    return np.asarray(column).ravel()
