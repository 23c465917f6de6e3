"""Kernel maps where tensors are: the same places, by products of matrices (spec 5)."""

import numpy as np

from labelscape._core.points.array_distances import (
    listed_squared_distances,
    mended_squared_distances,
    near_pairs,
    squared_distances,
    squared_norms,
)
from labelscape._core.points.array_objects import blocks_of
from labelscape._core.points.arrays import moved, to_numpy, where_is
from labelscape._core.points.center import middle
from labelscape._core.points.normalized_kernels import RCOND
from labelscape.geometry._internal import array_squares

# Where new objects are.


def over_blocks(model, X, function):
    """Return a function of squared distances (b, m) to kernels, block after block."""
    xp, device = where_is(X)
    squares = squares_to(model, xp, device)
    blocks = blocks_of(X, 8 * model.widths_.shape[0])
    return xp.concat([function(squares(X[rows, :])) for rows in blocks], axis=0)


def squares_to(model, xp, device):
    """Return the function from objects (b, d) to squared distances (b, m) to kernels.

    ``model`` has its arrays where the objects are.
    """
    chosen = model.center_indices_
    if model._is_euclidean():
        center = moved(middle(to_numpy(model.training_X_)), xp, device)
        C = xp.take(model.training_X_, chosen, axis=0) - center
        norms = squared_norms(xp, C)

        def squares(A):
            A = A - center
            return squared_distances(xp, A, C, squared_norms(xp, A), norms)

        return squares
    if model._has_reach():
        return array_squares(model.metric_, chosen)
    return lambda A: _squared_columns(xp, A, chosen)


def weights_of(xp, squares, widths):
    """Return phi (b, m) from squared distances (b, m), as `kernel_weights` does."""
    powers = _powers(xp, squares, widths)
    return powers / xp.sum(powers, axis=1, keepdims=True)


def _powers(xp, squares, widths):
    """Return the same in proportion: the largest of a row is 1."""
    exponents = squares / (-2.0 * widths * widths)
    exponents -= xp.max(exponents, axis=1, keepdims=True)
    return xp.exp(exponents)


def placed(model, X):
    """Return the places (n, q) of objects, those of fitted ones as they are."""
    xp, _ = where_is(X)

    def place(squares):
        powers = _powers(xp, squares, model.widths_)
        return (powers @ model.coefficients_) / xp.sum(powers, axis=1, keepdims=True)

    return _at_known_places(model, X, over_blocks(model, X, place))


def _at_known_places(model, X, Z):
    """Return places Z (n, q), but of fitted objects the mean place that they have."""
    xp, device = where_is(X)
    places, copies = model.embedding_, _copies_among(model, xp, device)
    found = []
    for rows in blocks_of(X, 8 * places.shape[0]):
        same = copies(X[rows, :])
        if not bool(xp.any(same)):
            found.append(Z[rows, :])
            continue
        weights = xp.astype(same, xp.float64)
        counts = xp.sum(weights, axis=1, keepdims=True)
        mean = (weights @ places) / xp.clip(counts, 1.0, None)
        found.append(xp.where(counts > 0.0, mean, Z[rows, :]))
    return xp.concat(found, axis=0)


def _copies_among(model, xp, device):
    """Return the function from objects (b, d) to which fitted ones (b, n) they are."""
    if model.training_X_ is None:
        return lambda A: A == 0.0
    center = moved(middle(to_numpy(model.training_X_)), xp, device)
    fitted = xp.astype(model.training_X_, xp.float64)
    C = fitted - center
    norms = squared_norms(xp, C)

    def copies(A):
        A = xp.astype(A, xp.float64)
        own = squared_norms(xp, A - center)
        D = squared_distances(xp, A - center, C, own, norms)
        near = near_pairs(D, own, norms)
        same = xp.zeros_like(near)
        i, j = xp.nonzero(near)
        if i.shape[0]:
            same[near] = listed_squared_distances(xp, A, fitted, i, j) == 0.0
        return same

    return copies


# Where kernels are fitted.


class CenterSquares:
    """Distances of the fitted objects, where these are."""

    def __init__(self, X, D=None):
        self.X, self.D = X, D
        self.xp, self.device = where_is(X if D is None else D)
        if D is None:
            self.X = X - moved(middle(to_numpy(X)), self.xp, self.device)

    def subset(self, index):
        """Return the same for some of the objects."""
        xp, index = self.xp, moved(index, self.xp, self.device)
        if self.D is None:
            return CenterSquares(xp.take(self.X, index, axis=0))
        rows = xp.take(self.D, index, axis=0)
        return CenterSquares(None, xp.take(rows, index, axis=1))

    def matrix(self):
        """Return all distances (n, n), in float64 and as NumPy's."""
        if self.D is not None:
            return to_numpy(self.D).astype(np.float64)
        norms = squared_norms(self.xp, self.X)
        D = mended_squared_distances(self.xp, self.X, self.X, norms, norms)
        return np.sqrt(to_numpy(D))

    def coefficients(self, Z, index, widths, ridge):
        """Return the place (m, q) that each kernel gives, fitted to the map Z (n, q).

        The arguments are NumPy's; ``index`` (m,) are the objects with a kernel.
        """
        xp = self.xp
        Y, index, widths = (moved(A, xp, self.device) for A in (Z, index, widths))
        squares = self._squares(index)
        blocks = blocks_of(Y, 8 * index.shape[0])
        phi = (weights_of(xp, squares(rows), widths) for rows in blocks)
        return fitted_places(xp, phi, Y, blocks, ridge)

    def _squares(self, index):
        """Return the function from a slice of the objects to squares (b, m)."""
        xp = self.xp
        if self.D is not None:
            return lambda rows: _squared_columns(xp, self.D[rows, :], index)
        C = xp.take(self.X, index, axis=0)
        norms, own = squared_norms(xp, C), squared_norms(xp, self.X)
        return lambda rows: squared_distances(xp, self.X[rows, :], C, own[rows], norms)


def _squared_columns(xp, D, index):
    return xp.astype(xp.take(D, index, axis=1), xp.float64) ** 2


def fitted_places(xp, parts, Y, blocks, ridge):
    """Return alpha (m, q) with the least ``|Phi alpha - Y|^2 + penalty``.

    As `normalized_kernels.coefficients` does, from the rows of Phi in blocks.
    """
    mean = xp.mean(Y, axis=0)
    gaps = Y - mean
    if ridge == 0.0:
        return mean + xp.linalg.pinv(xp.concat([*parts]), rtol=RCOND) @ gaps
    G = right = 0.0
    for rows, part in zip(blocks, parts, strict=True):
        G, right = part.T @ part + G, part.T @ gaps[rows, :] + right
    m = G.shape[0]
    G = G + ridge * xp.linalg.trace(G) / m * xp.eye(m, dtype=G.dtype, device=Y.device)
    return mean + xp.linalg.solve(G, right)
