"""Neighbourhoods in the data: how wide they are, and who belongs to them."""

import numpy as np

from labelscape._core.points.distances import squared_norms
from labelscape._core.points.spaces import Points
from labelscape._core.threads import map_blocks, row_blocks

# At the start of a run a neighbourhood reaches as far as this part of the objects.
WIDE = 0.8
# Small enough that two threads share the rows held at a time, large enough for BLAS.
BLOCK_BYTES = 4 * 2**20
# exp(-40) = 4e-18 stands for everything smaller.
LOWEST_EXPONENT = -40.0
# An error in the exponent of h that changes h by one part in a hundred.
WORST_EXPONENT = 0.01


def reaches(space):
    """Return how far each object is from the others: 80 % quantile, and nearest.

    Duplicates are no nearest others: where many objects have one, neighbourhoods would
    end with no width at all.
    """
    n = space.n
    # The object itself, at 0, is the first of the n sorted values, so that this is the
    # quantile of the n - 1 others.
    level = (1.0 + WIDE * (n - 2)) / (n - 1)

    def block(rows):
        D = space.rows(rows)
        nearest = np.min(D, axis=1, where=D > 0.0, initial=np.inf)
        return np.quantile(D, level, axis=1), nearest

    parts = map_blocks(block, row_blocks(n, 3 * 8 * n))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


class NeighborRows:
    """Rows of ``h = exp(-delta^2/(2 sigma^2))``, computed on demand in float32."""

    def __init__(self, space, smallest_sigma):
        self._space = space
        self._columns = None
        if isinstance(space, Points):
            self._prepare_product(space.X, smallest_sigma)

    def _prepare_product(self, X, smallest_sigma):
        """Keep columns whose product gives the exponents, where that is exact enough.

        [a/s^2, -|a|^2/(2 s^2), -1/(2 s^2)] . [b, 1, |b|^2] = -|a - b|^2/(2 s^2)

        The terms cancel and leave an error of a few eps |x|^2/s^2. In high dimensions,
        where neighbours are far apart, that is nothing even in float32; there the
        product takes most of the time, and half as long as in float64.
        """
        centered = X - X.mean(axis=0)
        self._unit = np.abs(centered).max()  # squares neither overflow nor vanish
        centered /= self._unit
        norms = squared_norms(centered)
        size = 8.0 * norms.max() * (self._unit / smallest_sigma) ** 2
        for dtype in (np.float32, np.float64):
            if size * np.finfo(dtype).eps < WORST_EXPONENT:
                columns = np.column_stack([centered, np.ones(len(X)), norms])
                self._columns = columns.astype(dtype)
                return

    def rows(self, objects, sigma, *, logarithms=False):
        """Return h (b, n) of some objects, each with its own sigma, to all; or ln h."""
        n = self._space.n
        H = np.empty((len(objects), n), dtype=np.float32)
        write = np.positive if logarithms else np.exp

        def fill(block):
            exponents = self._exponents(objects[block], sigma[block, None])
            np.clip(exponents, LOWEST_EXPONENT, 0.0, out=exponents)
            write(exponents, out=H[block], casting="same_kind")

        map_blocks(fill, row_blocks(len(objects), 8 * n, budget=BLOCK_BYTES))
        return H

    def _exponents(self, objects, sigma):
        """Return ``-delta^2/(2 sigma^2)`` (b, n)."""
        if self._columns is None:
            exponents = np.square(self._space.rows(objects) / sigma)
            exponents *= -0.5
            return exponents
        precision = (self._unit / sigma) ** 2
        A = self._columns[objects] * precision.astype(self._columns.dtype)
        A[:, -2:] = -0.5 * A[:, [-1, -2]]
        return A @ self._columns.T


def neighborhood_means(dissimilarities, n_new, Z, sigma):
    """Return the places (n_new, q) of new objects among the images Z (n, q).

    Each is the mean of all images with weights ``exp(-delta^2/(2 sigma^2))``: where the
    neighbourhoods of the last step would pull it. An object without a neighbour within
    sigma goes to its nearest, one that equals a fitted object to that one's image.
    """

    def block(rows):
        D = dissimilarities(rows)
        least = D.min(axis=1, keepdims=True)
        # Relative to the nearest, so that the largest weight is 1 however far it is;
        # as a product, which does not cancel where both are large.
        H = np.exp(-0.5 * ((D - least) / sigma) * ((D + least) / sigma))
        H /= H.sum(axis=1, keepdims=True)
        places = np.einsum("bn,nq->bq", H, Z)  # not BLAS: each row by itself
        return np.where(least > 0.0, places, Z[D.argmin(axis=1)])

    return np.concatenate(map_blocks(block, row_blocks(n_new, 4 * 8 * len(Z))))
