"""Weights of pairs of samples: the weighting F and its table.

The weight of a pair depends on one number. Depending on the method, this number is the
given dissimilarity delta, the distance d on the map, or, depending on the classes, one
of the two. A table lists the weight for each number; lambda shifts and scales it.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

# Number of cells of the table, interpolated linearly: error below 3e-7.
CELLS = 4096
# The table covers mu - 6 theta to mu + 6 theta, or 0 to 20 radii.
NORMAL_REACH = 6.0
EXPONENTIAL_REACH = 20.0

# The number of a pair that determines its weight.
BY_CLASS = 0  # delta within a class; d between classes and for unlabeled samples
BY_NEARER = 1  # the smaller of delta and d
INVERSE = 2  # 1/delta; not from the table

UNLABELED = -1
# Standard deviations below this share of the mean are rounding errors of equal numbers.
EQUAL = 1e-7
FLOOR = 1e-6  # Sammon's weights do not grow below this share of the mean dissimilarity


def annealed(start, end, t):
    """Return ``start (end/start)^t``, which is start at t = 0 and end at t = 1."""
    return start * (end / start) ** t


class Weights(NamedTuple):
    """The weights of one method, in the form that the kernels use."""

    # ``span`` contains a, b, c, e: with lambda = l, the table begins at a + b l and has
    # the width c + e l. For INVERSE the weight is a / max(delta, a).
    kind: int
    labels: np.ndarray
    table: np.ndarray
    span: np.ndarray


class Penalty(NamedTuple):
    """Cost of an error: its power p and, for p = 1, a limit of the step size."""

    p: int
    reach: float


class Spread(NamedTuple):
    """Mean, standard deviation, minimum and low quantile of the dissimilarities."""

    mean: float
    std: float
    smallest: float
    low: float


def spread_of(delta):
    """Return the spread: std is 0 if it is a rounding error, low is the 5% quantile."""
    if not delta.any():
        return Spread(0.0, 0.0, 0.0, 0.0)
    mean, std = float(delta.mean()), float(delta.std())
    smallest = max(float(delta[delta > 0.0].min()), FLOOR * mean)
    low = max(float(np.quantile(delta, 0.05)), smallest)
    return Spread(mean, std if std > EQUAL * mean else 0.0, smallest, low)


def normal_fall(spread):
    """Return table and span of F(x) = 1 - Phi((x - mu)/theta)."""
    # mu = mean - 2 (1 - lambda) std, theta = 2 lambda std: the table begins at mu - 6
    # theta and is 12 theta wide. If all dissimilarities are equal, F is 1/2.
    mean, std = spread.mean, spread.std
    if std == 0.0:
        return np.full(CELLS + 1, 0.5), np.array([0.0, 0.0, 1.0, 0.0])
    table = ndtr(np.linspace(NORMAL_REACH, -NORMAL_REACH, CELLS + 1))
    shift = 2.0 - 2.0 * NORMAL_REACH
    span = [mean - 2.0 * std, shift * std, 0.0, 4.0 * NORMAL_REACH * std]
    return table, np.array(span)


def exponential_fall(spread):
    """Return table and span of F(x) = exp(-x/r), r = lambda mean."""
    table = np.exp(-np.linspace(0.0, EXPONENTIAL_REACH, CELLS + 1))
    return table, np.array([0.0, 0.0, 0.0, EXPONENTIAL_REACH * spread.mean])


def step_fall(spread):
    """Return table and span of F(x) = 1 up to mu of normal_fall, and 0 above."""
    table = (np.arange(CELLS + 1) <= CELLS // 2).astype(np.float64)
    mu, slope = spread.mean - 2.0 * spread.std, 2.0 * spread.std
    return table, np.array([0.0, 0.0, 2.0 * mu, 2.0 * slope])


FALLS = {"normal": normal_fall, "exponential": exponential_fall, "step": step_fall}


def falling_weights(kind, labels, spread, fall="normal"):
    """Return weights that fall with delta or d, as ``kind`` determines."""
    return Weights(kind, labels, *FALLS[fall](spread))


def inverse_weights(reference, n):
    """Return Sammon's weights, up to a factor: reference / max(delta, reference)."""
    # If the reference is the largest dissimilarity, all weights are equal (metric MDS).
    labels = np.full(n, UNLABELED)
    return Weights(INVERSE, labels, np.zeros(CELLS + 1), np.array([reference, 0, 0, 0]))
