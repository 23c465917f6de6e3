"""Points of a sparse matrix, with Euclidean distances."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_array

from labelscape._core.checks import check_finite
from labelscape._core.points.spaces import Space, Which, squared_to_places
from labelscape._core.threads import map_blocks, row_blocks

Matrix = NDArray[Any]

# Squared distances below this share of the norms have lost digits in the difference.
CLOSE = 1e-7


class SparsePoints(Space):
    """Points X (n, d) of a sparse matrix, in rows; a block of distances is dense."""

    def __init__(self, X: Any) -> None:
        self.X = X
        self.n: int = X.shape[0]
        self._norms = _squares(X)

    @property
    def numbers(self) -> Matrix:
        """All that distinguishes this space from another."""
        return np.concatenate([self.X.indptr, self.X.indices, self.X.data])

    def rows(self, which: Which) -> Matrix:
        """Return the distances (b, n) from some points to all."""
        some = self.X[which]
        sizes = _squares(some)[:, None] + self._norms
        D: Matrix = sizes - 2.0 * (some @ self.X.T).toarray()
        i, j = np.nonzero(CLOSE * sizes >= D)
        D[i, j] = _squares(some[i] - self.X[j])
        return np.sqrt(D, out=D)

    def pairs(self, i: Matrix, j: Matrix) -> Matrix:
        """Return the distances of the pairs (i[k], j[k])."""

        def block(pairs: slice) -> Matrix:
            return np.sqrt(_squares(self.X[i[pairs]] - self.X[j[pairs]]))

        filled = -(-self.X.nnz // max(self.n, 1))
        return np.concatenate(map_blocks(block, row_blocks(len(i), 48 * (filled + 1))))

    def squared_to_centroids(self, members: Sequence[Matrix]) -> Matrix:
        """Return squared distances of all points to the centroids of groups, (n, g)."""
        means = [np.asarray(self.X[rows].mean(axis=0)).ravel() for rows in members]
        return squared_to_places(
            lambda rows: self.X[rows].toarray(), self.n, np.stack(means)
        )


def sparse_points(X: Any, *, owner: str) -> SparsePoints:
    """Check a sparse matrix given to a function, and return its points."""
    checked = check_array(
        X, accept_sparse="csr", dtype=np.float64, ensure_all_finite=False
    )
    check_finite(checked, owner=owner)
    return SparsePoints(checked)


def _squares(X: Any) -> Matrix:
    return np.asarray(X.multiply(X).sum(axis=1)).ravel()
