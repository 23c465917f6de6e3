"""The inverse map, from map positions to samples: normalized kernels around centers.

With centers y_j and widths sigma_j on the map, a position y is mapped to

    p^-1(y) = sum_j a_j psi_j(y),    psi_j(y) = k_j(y) / sum_l k_l(y),
    k_j(y)  = exp(-|y - y_j|^2 / (2 sigma_j^2)).

The a_j are fitted to the known pairs of position and sample by ridge regression. Its
penalty keeps each a_j near the sample x_j of its center,

    |X - Psi A|^2 + penalty |A - X_c|^2.

A penalty that moves samples toward the mean would be worse. If it is weak, samples at
positions between the data are unrealistic (farther from held-out samples than the mean
is). If it is strong, all samples are near the mean. With the penalty above, even if it
is very strong, samples are weighted means of their neighbors.
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
# Minimum width of a kernel, relative to the map. Squares of smaller widths lose digits.
NARROWEST = 1e-8
# Weights below exp(-36) of the largest are below its rounding error, and omitted.
NEGLIGIBLE = 36.0
# Number of positions in a tile, which share a list of centers: enough for an efficient
# matrix product, but near each other.
TILE = 256


@declares(
    centers=numbers("kernels", 2),
    widths=numbers("kernels", low=SMALLEST_SPREAD),
    coefficients=numbers("kernels", "features"),
)
class InverseMap(NamedTuple):
    """Kernel centers on the map (m, 2), widths (m,), and samples (m, D)."""

    centers: np.ndarray
    widths: np.ndarray
    coefficients: np.ndarray

    def __repr__(self):
        m, d = self.coefficients.shape
        return f"InverseMap: {m} kernels, {d} features"

    def __call__(self, Z):
        """Return the samples (n, D) for positions (n, 2)."""
        return self.with_support(Z)[0]

    def with_support(self, Z):
        """Return samples (n, D), and distances (n,) in widths of the closest kernel."""
        # A position far from all kernels gets the sample of the closest one. Only
        # kernels that have a weight somewhere in a tile of positions are computed.
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
        """Return Psi (n, m): the weight of each kernel at each position (sum 1)."""
        return kernel_weights(_squares(Z, self.centers), self.widths)

    def _felt_in(self, Z, scales):
        """Return the kernels whose weight is not negligible at one of the positions."""
        # In the box around the positions, exponents of the closest kernel are at most
        # ``most``, and those of kernel j at least ``least[j]``.
        low, high = Z.min(axis=0), Z.max(axis=0)
        outside = np.maximum(low - self.centers, self.centers - high)
        least = scales * np.square(np.maximum(outside, 0.0)).sum(axis=1)
        corner = np.maximum(self.centers - low, high - self.centers)
        most = (scales * np.square(corner).sum(axis=1)).min()
        return np.flatnonzero(least <= most + NEGLIGIBLE)


def fitted_inverse(Z, X, *, centers, factor, ridge):
    """Return the InverseMap from positions Z (n, 2) to samples X (n, D)."""
    X = np.asarray(X, dtype=np.float64)
    Y, own = Z[centers], X[centers]
    inverse = InverseMap(Y, factor * neighbor_widths(Y), own)
    gaps = X - inverse(Z)
    A = coefficients(lambda rows: inverse.weights(Z[rows]), gaps, len(Y), ridge)
    return inverse._replace(coefficients=own + A)


def neighbor_widths(Y):
    """Return the distance (m,) of each position to its fifth neighbor, never 0."""
    # Copies are not neighbors, because their kernels would be too narrow. With fewer
    # than six positions, the farthest one is used; a single position has the width 1.
    distinct = np.unique(Y, axis=0)
    k = min(NEIGHBOR, len(distinct) - 1)
    if k == 0:
        return np.ones(len(Y))
    distances = KDTree(distinct).query(Y, k=k + 1)[0][:, -1]  # without itself
    return np.maximum(distances, NARROWEST * np.ptp(Y, axis=0).max())


def tiles(Z):
    """Sort positions into cells of about TILE points; return order and cell ends."""
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
    """Return ends of cells with at most 4 ``TILE`` positions."""
    steps = [np.arange(a, b, 4 * TILE) for a, b in pairwise(ends)]
    return np.append(np.concatenate(steps), ends[-1])


def _squares(Z, Y):
    """Return squared distances (n, m) on the map; exactly 0 for equal positions."""
    gaps = Z[:, :1] - Y[:, 0]
    squares = gaps * gaps
    np.subtract(Z[:, 1:], Y[:, 1], out=gaps)
    gaps *= gaps
    squares += gaps
    return squares


# Agreement of positions with their samples.


def round_trip_r2(X, again, mean):
    """Return the R^2 of samples after mapping and inverse mapping, at most 1."""
    # If all samples are equal to the mean of the fitted ones, the result is 0 or 1.
    lost, total = np.square(X - again).sum(), np.square(X - mean).sum()
    if total == 0.0:
        return float(lost == 0.0)
    return float(1.0 - lost / total)


def copied(Z_fitted, labels, Z=None):
    """Return the label of the nearest other fitted position, for each position."""
    tree = KDTree(Z_fitted)
    if Z is not None:
        return labels[tree.query(Z)[1]]
    nearest = tree.query(Z_fitted, k=2)[1]
    own = np.arange(len(Z_fitted))
    # Among positions that coincide, a point need not be its own first neighbor.
    return labels[np.where(nearest[:, 0] == own, nearest[:, 1], nearest[:, 0])]
