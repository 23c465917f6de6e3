"""From places on a map back to data: normalized kernels around some of the places.

With centers y_j and widths sigma_j on the map, a place goes to (spec 7)

    p^-1(y) = sum_j a_j psi_j(y),    psi_j(y) = k_j(y) / sum_l k_l(y),
    k_j(y)  = exp(-|y - y_j|^2 / (2 sigma_j^2)).

The a_j are those of a ridge regression on the known pairs of place and sample, whose
penalty holds each a_j to the sample x_j of its center,

    |X - Psi A|^2 + penalty |A - X_c|^2.

Held to 0 or to the mean instead, they are either so free that places between the data
get samples unlike any (held-out samples come back worse than their mean), or so tied
that all samples move to the middle. This way any penalty gives reasonable samples: a
very large one leaves the weighted mean of the neighbors.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.spatial import KDTree

from labelscape._core.checks import SMALLEST_SPREAD
from labelscape._core.learned import declares, numbers
from labelscape._core.points.normalized_kernels import coefficients, kernel_weights
from labelscape._core.threads import map_blocks, row_blocks

NEIGHBOR = 5  # a width is a multiple of the distance to this neighbor
# No kernel is narrower than this part of the map: squares of less lose their digits.
NARROWEST = 1e-8
# Weights below exp(-36) of the largest are beneath its rounding, and are left out.
NEGLIGIBLE = 36.0
# Places that share one list of centers: enough for a matrix product, near each other.
TILE = 256


@declares(
    centers=numbers("kernels", 2),
    widths=numbers("kernels", low=SMALLEST_SPREAD),
    coefficients=numbers("kernels", "features"),
)
class InverseMap(NamedTuple):
    """Kernels on the map (m, 2), their widths (m,), and the sample of each (m, D)."""

    centers: np.ndarray
    widths: np.ndarray
    coefficients: np.ndarray

    def __repr__(self):
        m, d = self.coefficients.shape
        return f"InverseMap: {m} kernels, {d} features"

    def __call__(self, Z):
        """Return the samples (n, D) that belong at places (n, 2)."""
        return self.with_support(Z)[0]

    def with_support(self, Z):
        """Return samples (n, D), and the widths to the closest kernel (n,)."""
        # However far a place is, it gets the sample of the closest kernel. Only kernels
        # that have a weight somewhere in a tile of places are computed there.
        Z = np.asarray(Z, dtype=np.float64)
        X = np.empty((len(Z), self.coefficients.shape[1]))
        support = np.empty(len(Z))
        order, ends = tiles(Z)
        scales = 0.5 / np.square(self.widths)

        def fill(block):
            for i in range(block.start, block.stop):
                rows = order[ends[i] : ends[i + 1]]
                near = self._felt_in(Z[rows], scales)
                squares = _squares(Z[rows], self.centers[near])
                support[rows] = np.sqrt((2.0 * squares * scales[near]).min(axis=1))
                weights = kernel_weights(squares, self.widths[near])
                X[rows] = weights @ self.coefficients[near]

        map_blocks(fill, row_blocks(len(ends) - 1, 1, budget=16))
        return X, support

    def weights(self, Z):
        """Return Psi (n, m): the weight of each kernel at each place, rows sum to 1."""
        return kernel_weights(_squares(Z, self.centers), self.widths)

    def _felt_in(self, Z, scales):
        """Return which kernels may have a weight at one of the places."""
        # In the box around the places, no exponent of the closest kernel is above
        # ``most``, and none of kernel j is below ``least[j]``.
        low, high = Z.min(axis=0), Z.max(axis=0)
        outside = np.maximum(low - self.centers, self.centers - high)
        least = scales * np.square(np.maximum(outside, 0.0)).sum(axis=1)
        corner = np.maximum(self.centers - low, high - self.centers)
        most = (scales * np.square(corner).sum(axis=1)).min()
        return np.flatnonzero(least <= most + NEGLIGIBLE)


def fitted_inverse(Z, X, *, centers, factor, ridge):
    """Return the InverseMap from places Z (n, 2) to samples X (n, D)."""
    X = np.asarray(X, dtype=np.float64)
    Y, own = Z[centers], X[centers]
    inverse = InverseMap(Y, factor * neighbor_widths(Y), own)
    gaps = X - inverse(Z)
    A = coefficients(lambda rows: inverse.weights(Z[rows]), gaps, len(Y), ridge)
    return inverse._replace(coefficients=own + A)


def neighbor_widths(Y):
    """Return the distance (m,) of each place to its fifth other neighbor, never 0."""
    # The kernels of many copies would else be needles. Of fewer places the farthest,
    # and 1 if there is but one.
    distinct = np.unique(Y, axis=0)
    k = min(NEIGHBOR, len(distinct) - 1)
    if k == 0:
        return np.ones(len(Y))
    distances = KDTree(distinct).query(Y, k=k + 1)[0][:, -1]  # the first is its own
    return np.maximum(distances, NARROWEST * np.ptp(Y, axis=0).max())


def tiles(Z):
    """Return an order of places (n,) and ends of cells of about ``TILE`` neighbors."""
    low, high = Z.min(axis=0), Z.max(axis=0)
    spread = np.maximum(high - low, np.finfo(float).tiny)
    n_cells = max(1.0, len(Z) / TILE)
    side = max(np.sqrt(spread.prod() / n_cells), spread.max() / n_cells)
    cell = ((Z - low) // side).astype(np.intp)
    number = cell[:, 0] * (cell[:, 1].max() + 1) + cell[:, 1]
    order = np.argsort(number, kind="stable")
    starts = np.flatnonzero(np.diff(number[order], prepend=-1))
    return order, _cut(np.append(starts, len(Z)))


def _cut(ends):
    """Return ends between which there are at most 4 ``TILE`` places."""
    steps = [np.arange(a, b, 4 * TILE) for a, b in pairwise(ends)]
    return np.append(np.concatenate(steps), ends[-1])


def _squares(Z, Y):
    """Return squared distances (n, m) on the map, by differences: exact at 0."""
    gaps = Z[:, :1] - Y[:, 0]
    squares = gaps * gaps
    np.subtract(Z[:, 1:], Y[:, 1], out=gaps)
    gaps *= gaps
    squares += gaps
    return squares


# How far places agree with their samples (spec 7).


def round_trip_r2(X, again, mean):
    """Return ``1 - |X - p^-1(p(X))|^2 / |X - mean|^2``: 1 if nothing is lost."""
    # Samples that are all equal to the mean of the fitted ones can only be hit or
    # missed.
    lost, total = np.square(X - again).sum(), np.square(X - mean).sum()
    if total == 0.0:
        return float(lost == 0.0)
    return float(1.0 - lost / total)


def copied(Z_fitted, labels, Z=None):
    """Return the label of the fitted place nearest to Z, or nearest to each other."""
    tree = KDTree(Z_fitted)
    if Z is not None:
        return labels[tree.query(Z)[1]]
    nearest = tree.query(Z_fitted, k=2)[1]
    own = np.arange(len(Z_fitted))
    # Among places that coincide, a point need not be the first of its neighbors.
    return labels[np.where(nearest[:, 0] == own, nearest[:, 1], nearest[:, 0])]
