"""Objects of a sparse matrix, of which a block at a time becomes dense.

A method that takes objects in blocks asks for one by ``X[rows]``, an ordinary array;
where a product is all that it needs, ``X.part(rows)`` stays sparse. What it learns has
all features, and is never sparse.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.chunks.labeled import LabeledChunks
from labelscape._core.points.array_objects import ArrayObjects
from labelscape._core.points.distances import squared_norms


class SparseObjects:
    """A sparse matrix (n, N) in rows, as scipy's CSR has them."""

    # A product with an array is ours to compute, not the array's.
    __array_ufunc__ = None

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix
        self.shape: tuple[int, int] = matrix.shape
        self.dtype: np.dtype[Any] = matrix.dtype
        self.itemsize: int = matrix.dtype.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: Any) -> NDArray[Any]:
        dense: NDArray[Any] = self.matrix[rows].toarray()
        return dense

    def __rmatmul__(self, weights: NDArray[Any]) -> Any:
        return weights @ self.matrix

    def part(self, rows: Any) -> Any:
        """Return some of the objects, sparse, for products."""
        return self.matrix[rows]


Objects = NDArray[Any] | SparseObjects | ArrayObjects


def objects_in(X: Any) -> Objects:
    """Return checked objects as methods take them."""
    return SparseObjects(X) if hasattr(X, "tocsr") else X


def chosen(X: Objects, rows: Any) -> Objects:
    """Return some of the objects, sparse where all are."""
    if isinstance(X, SparseObjects):
        return SparseObjects(X.matrix[rows])
    if isinstance(X, ArrayObjects):
        return X.chosen(rows)
    dense: NDArray[Any] = X[rows]
    return dense


def range_of_features(X: Objects | LabeledChunks) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the lowest and the highest value of each feature."""
    if isinstance(X, LabeledChunks | ArrayObjects):
        return X.low, X.high
    if isinstance(X, SparseObjects):
        lowest, highest = X.matrix.min(axis=0), X.matrix.max(axis=0)
        return _vector(lowest.todense()), _vector(highest.todense())
    return np.nanmin(X, axis=0), np.nanmax(X, axis=0)


def objects_near(X: Objects, points: NDArray[Any]) -> NDArray[Any]:
    """Return the objects that may be some of the points: all, or if costly a few."""
    if isinstance(X, ArrayObjects):
        return X.nearest_to(points)
    if not isinstance(X, SparseObjects):
        return X
    W = points.astype(np.float64)
    of_objects = _vector(X.matrix.multiply(X.matrix).sum(axis=1))
    sizes = of_objects[:, None] + squared_norms(W)
    squares = sizes - 2.0 * (X.matrix @ W.T)
    return X[np.flatnonzero((squares <= 1e-4 * sizes).any(axis=1))]


def _vector(found: Any) -> NDArray[Any]:
    return np.asarray(found).ravel()
