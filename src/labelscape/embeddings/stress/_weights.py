"""What a pair of objects counts: the weighting F, its table, and how it narrows.

A weight depends on one number of the pair, and the methods differ in which: the given
dissimilarity delta, the distance d on the map, or one of them by the classes. How it
falls with that number is a table; lambda stretches and shifts it.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

# The table has this many cells, and lines between its entries: error below 3e-7.
CELLS = 4096
# It covers mu - 6 theta to mu + 6 theta, or 0 to 20 radii.
NORMAL_REACH = 6.0
EXPONENTIAL_REACH = 20.0

# Which number of a pair its weight depends on.
BY_CLASS = 0  # delta inside a class; d between classes and for unlabelled objects
BY_NEARER = 1  # the smaller of delta and d
INVERSE = 2  # 1/delta; not by the table

UNLABELED = -1
# Standard deviations below this part of the mean are rounding errors of equal numbers.
EQUAL = 1e-7
# Sammon's weights do not grow below this part of the mean dissimilarity.
FLOOR = 1e-6


class Weights(NamedTuple):
    """All that a kernel needs to know about the weights of one method.

    ``span`` holds a, b, c, e: with lambda = l the table begins at a + b l and is
    c + e l wide. For INVERSE the weight is a / max(delta, a).
    """

    kind: int
    labels: np.ndarray
    table: np.ndarray
    span: np.ndarray


class Penalty(NamedTuple):
    """What an error costs: its power p, and where p = 1 the size that bounds a step."""

    p: int
    reach: float


class Spread(NamedTuple):
    """Mean and standard deviation of the dissimilarities, and their lower end."""

    mean: float
    std: float
    smallest: float
    low: float


def spread_of(delta):
    """Return the spread of dissimilarities: 0 as std if they differ by rounding only.

    ``smallest`` is the smallest positive one, ``low`` the 5 % quantile.
    """
    if not delta.any():
        return Spread(0.0, 0.0, 0.0, 0.0)
    mean, std = float(delta.mean()), float(delta.std())
    smallest = max(float(delta[delta > 0.0].min()), FLOOR * mean)
    low = max(float(np.quantile(delta, 0.05)), smallest)
    return Spread(mean, std if std > EQUAL * mean else 0.0, smallest, low)


def normal_fall(spread):
    """Return table and span of F(x) = 1 - Phi((x - mu)/theta)         (spec 1.1).

    mu = mean - 2 (1 - lambda) std,  theta = 2 lambda std: so the table begins at
    mu - 6 theta and is 12 theta wide, both straight lines in lambda. Where all
    dissimilarities are equal F is 1/2.
    """
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
    """Return table and span of F(x) = 1 up to mu, 0 beyond; mu as in normal_fall."""
    table = (np.arange(CELLS + 1) <= CELLS // 2).astype(np.float64)
    mu, slope = spread.mean - 2.0 * spread.std, 2.0 * spread.std
    return table, np.array([0.0, 0.0, 2.0 * mu, 2.0 * slope])


FALLS = {"normal": normal_fall, "exponential": exponential_fall, "step": step_fall}


def falling_weights(kind, labels, spread, fall="normal"):
    """Return weights that fall with delta or d, by ``kind``, as lambda does."""
    return Weights(kind, labels, *FALLS[fall](spread))


def inverse_weights(reference, n):
    """Return Sammon's weights, up to a factor: ``reference / max(delta, reference)``.

    No weight is above 1, and equal ones everywhere (metric MDS) come with a reference
    as large as the largest dissimilarity.
    """
    labels = np.full(n, UNLABELED)
    return Weights(INVERSE, labels, np.zeros(CELLS + 1), np.array([reference, 0, 0, 0]))
