"""Objects of a sparse matrix, of which a block at a time becomes dense.

Training takes objects in blocks. What it asks of a block by ``X[rows]`` is an ordinary
array; where a product is all that is needed, ``X.part(rows)`` stays sparse. Prototypes
and matrices have all features, so a model is never sparse.
"""

import numpy as np

from labelscape._core.points.distances import squared_norms


class SparseObjects:
    """A sparse matrix (n, N), as training takes objects."""

    # A product with an array is ours to compute, not the array's.
    __array_ufunc__ = None

    def __init__(self, matrix):
        self.matrix = matrix  # in rows: scipy's CSR
        self.shape, self.dtype = matrix.shape, matrix.dtype
        self.itemsize = matrix.dtype.itemsize

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, rows):
        return self.matrix[rows].toarray()

    def __rmatmul__(self, weights):
        return weights @ self.matrix

    def part(self, rows):
        """Return some of the objects, sparse, for products."""
        return self.matrix[rows]


def objects_in(X):
    """Return checked objects as training takes them."""
    return SparseObjects(X) if hasattr(X, "tocsr") else X


def chosen(X, rows):
    """Return some of the objects, sparse where all are."""
    if isinstance(X, SparseObjects):
        return SparseObjects(X.matrix[rows])
    return X[rows]


def range_of_features(X):
    """Return the lowest and the highest value of each feature."""
    if isinstance(X, SparseObjects):
        return tuple(
            np.asarray(found.todense()).ravel()
            for found in (X.matrix.min(axis=0), X.matrix.max(axis=0))
        )
    return np.nanmin(X, axis=0), np.nanmax(X, axis=0)


def objects_near(X, prototypes):
    """Return the objects that may be prototypes: all, or of a sparse matrix a few."""
    if not isinstance(X, SparseObjects):
        return X
    W = prototypes.astype(np.float64)
    of_objects = np.asarray(X.matrix.multiply(X.matrix).sum(axis=1)).reshape(-1, 1)
    sizes = of_objects + squared_norms(W)
    squares = sizes - 2.0 * (X.matrix @ W.T)
    return X[np.flatnonzero((squares <= 1e-4 * sizes).any(axis=1))]
