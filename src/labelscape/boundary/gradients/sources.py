"""Where the slope of a classifier's strength comes from (spec 7, in this order).

A *source* is a function ``(Z, target) -> (gaps, G)`` with ``gaps = r(Z) - target``
(n, C') and ``G = J_r(Z)^T gaps`` (n, D): all that the label term needs to know of r.
"""

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from labelscape._core.errors import InputError
from labelscape._core.points.distances import squared_distances
from labelscape._core.probabilities import as_numbers
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.boundary.gradients.passes import radial_sum

# Rows in a block of points: enough for a matrix product, few enough for the cache.
BLOCK = 256
# Steps to both sides, in units of a feature's standard deviation: for slopes, and to
# find out whether there is a slope at all. Both are felt by networks in float32.
STEP, SMALL_STEP = 1e-4, 1e-6
# Where fewer points than this part notice a small step, r is constant in pieces.
LEAST_MOVED = 0.25
# A formula holds if it leaves no more than this part of the values' variance. Not all
# are exact: votes of pairs are smoothed, and libsvm stops early when it couples them.
LEAST_LEFT = 0.1


def by_formula(forward):
    """Return the source that a pass gives, block after block."""

    def source(Z, target):
        gaps, G = np.empty_like(target), np.empty_like(Z)

        def block(rows):
            values, back = forward(Z[rows])
            gaps[rows] = values - target[rows]
            G[rows] = back(gaps[rows])

        map_blocks(block, row_blocks(len(Z), 1, budget=BLOCK))
        return gaps, G

    return source


def values_by_formula(forward, Z):
    """Return the values (n, C') of a pass, block after block."""
    blocks = row_blocks(len(Z), 1, budget=BLOCK)
    return np.concatenate(map_blocks(lambda rows: forward(Z[rows])[0], blocks))


def formula_holds(ours, values):
    """Return whether a formula gives what the classifier says."""
    if ours.shape != values.shape:
        return False
    left = np.square(ours - values).sum()
    return bool(left <= LEAST_LEFT * np.square(values - values.mean(axis=0)).sum())


def by_user(strength, slope):
    """Return the source of a function ``Z -> (n, C', D)`` that the user gave."""

    def source(Z, target):
        gaps, G = strength.values(Z) - target, np.empty_like(Z)
        for rows in row_blocks(len(Z), 8 * target.shape[1] * Z.shape[1]):
            wanted = (rows.stop - rows.start, target.shape[1], Z.shape[1])
            J = _checked_slope(slope(Z[rows].copy()), wanted)
            G[rows] = np.einsum("nc,ncd->nd", gaps[rows], J)
        return gaps, G

    return source


def _checked_slope(J, wanted):
    """Return what a user's slope gave as floats, or say what is wrong with it."""
    shape = f"an array of numbers, of shape {wanted}"
    J = as_numbers(J, wanted=shape, source="ClassifierMap: slope")
    if J.shape != wanted:
        raise InputError(
            "slope must return an array of shape (points, columns of "
            f"the strength, features) = {wanted}, got {J.shape}. Its entry [i, c, j] "
            "is the slope of column c at point i along feature j.",
            owner="ClassifierMap",
            parameter="slope",
        )
    wrong = ~np.isfinite(J).all(axis=(1, 2))
    if wrong.any():
        what = "NaN" if np.isnan(J).any() else "infinity"
        raise InputError(
            f"slope returned {what}, in {wrong.sum()} of {len(J)} rows, "
            f"the first in row {wrong.argmax()}. Return 0 where there is no slope.",
            owner="ClassifierMap",
        )
    return J


def by_differences(strength, scale):
    """Return the source of central differences: 2 D predictions per point."""

    def source(Z, target):
        gaps, G = strength.values(Z) - target, np.zeros_like(Z)
        for j in np.flatnonzero(scale):  # a feature that never varies stays as it is
            step = np.zeros(Z.shape[1])
            step[j] = STEP * scale[j]
            rise = strength.values(Z + step) - strength.values(Z - step)
            G[:, j] = np.sum(gaps * rise, axis=1) / (2.0 * step[j])
        return gaps, G

    return source


def by_surrogate(strength, points, r):
    """Return the source of a surrogate's slope, with the true r in the gaps."""
    back = fitted_surrogate(points, r, strength.kind)

    def source(Z, target):
        values = strength.values(Z)
        gaps = values - target
        return gaps, back(Z, values, gaps)

    return source


def is_piecewise_constant(strength, Z, scale):
    """Return whether small steps leave r as it is at most of the points."""
    directions = np.random.RandomState(0).standard_normal(Z.shape)
    steps = SMALL_STEP * scale * directions
    moved = strength.values(Z + steps) != strength.values(Z - steps)
    return bool(moved.any(axis=1).mean() < LEAST_MOVED)


# A smooth stand-in for a classifier that has no slope to offer.
#
# Radial kernels are fitted to what the classifier says of some points: to its decision
# values, or to the logarithms of its probabilities, of which a softmax is taken. Only
# the slope is used, so it needs to point roughly downhill and no more.

# Points to fit to at most, and the weight of the penalty in the fit.
MOST_POINTS, RIDGE = 2000, 0.1
# Smaller probabilities count as this.
LEAST_PROBABILITY = 1e-6


def fitted_surrogate(points, r, kind):
    """Return the function ``(Z, r(Z), R) -> J^T R`` of a surrogate of r.

    Shapes: points (n, D), r (n, C').
    """
    step = -(-len(points) // MOST_POINTS)
    points, r = points[::step], r[::step]
    is_probability = kind == "probability"
    scores = np.log(np.maximum(r, LEAST_PROBABILITY)) if is_probability else r
    kernels = _kernel_ridge(points, scores)

    def back(Z, values, R):
        if is_probability:
            # The softmax of scores has this slope; its values are the classifier's.
            R = values * (R - np.sum(values * R, axis=1, keepdims=True))
        return kernels(Z)[1](R)

    return back


def _kernel_ridge(points, scores):
    """Return the pass of radial kernels as wide as the usual distance of points."""
    mean = scores.mean(axis=0)
    centered = points - points.mean(axis=0)
    squares = squared_distances(centered, centered)
    usual = np.median(squares[squares > 0.0]) if (squares > 0.0).any() else 1.0
    gamma = 0.5 / usual
    K = np.exp(-gamma * squares)
    K.flat[:: len(K) + 1] += RIDGE
    U = cho_solve(cho_factor(K, overwrite_a=True), scores - mean)
    return radial_sum(points, U, mean, gamma)
