"""Scale and number of steps of a metric, and warnings about unsuitable data."""

import warnings

import numpy as np

from labelscape._core.checks import column_name
from labelscape._core.rows.kinds import namespace_of, to_numpy

PAIRS_FOR_SCALE, PAIRS_FOR_STEPS = 1000, 500
STEPS = (5, 10, 20, 40)
# "auto" stops when 99% of the pairs change by less than this share.
SMALL_CHANGE, MOST_PAIRS = 0.02, 0.99
# If all points have the same class probabilities, squared lengths are replaced by this
# value, so that the Euclidean distance still orders the points.
LEAST_SQUARE = 1e-12


def random_pairs(n, count, random_state):
    """Return random pairs of different points, listed as ``bounds`` and ``chosen``."""
    i = np.sort(random_state.randint(n, size=count))
    j = (i + random_state.randint(1, n, size=count)) % n
    return np.searchsorted(i, np.arange(n + 1)), j


def relative_epsilon(distances, points, regularization, random_state):
    """Return ``regularization x median(L^2) / median(|v|^2)``."""
    # Means are used if more than half of the pairs have distance 0.
    if regularization == 0.0:
        return 0.0
    bounds, j = random_pairs(points.X.shape[0], PAIRS_FOR_SCALE, random_state)
    L = distances.listed(points, points, bounds, j).astype(np.float64) ** 2
    V = distances.listed_gaps(points, points, bounds, j)
    middle = np.median if np.median(L) > 0.0 < np.median(V) else np.mean
    scale = max(middle(L), LEAST_SQUARE)
    return float(regularization * scale / middle(V)) if V.any() else 0.0


def steps_that_suffice(lines_of, X, own, random_state):
    """Return the number of steps, from 5 to 40, at which lengths have converged."""
    bounds, j = random_pairs(X.shape[0], PAIRS_FOR_STEPS, random_state)
    before = None
    for n_steps in STEPS:
        lines = lines_of(n_steps)
        points = lines.prepare(X, own)
        L = lines.listed(points, points, bounds, j)
        if before is not None:
            there = L > 0.0
            change = np.abs(L - before)[there] / L[there]
            if not there.any() or np.quantile(change, MOST_PAIRS) < SMALL_CHANGE:
                break
        before = L
    return n_steps


# Outliers, often missing-value codes, so far away that all others look identical.

# A sample is an outlier at this many typical distances from the center.
FAR = 1e8
FEW = 100  # number of rows that determine the typical distance


def warn_of_outliers(X, center, feature_names):
    """Warn if a sample of X (n, d) is extremely far from the center of the others."""
    few = np.abs(X[:: -(-len(X) // FEW)] - center).max(axis=1)
    usual = np.median(few[few > 0.0]) if few.any() else np.inf
    if np.abs([X.max(axis=0) - center, X.min(axis=0) - center]).max() <= FAR * usual:
        return
    gaps = np.abs(X - center)
    far = np.flatnonzero(gaps.max(axis=1) > FAR * usual)
    row, column = far[0], gaps[far[0]].argmax()
    more = f" (and similar in {len(far) - 1} more rows)" if len(far) > 1 else ""
    warnings.warn(
        f"FisherMetric: {column_name(column, feature_names)} is {X[row, column]:.3g} "
        f"in row {row}{more}. Its distance from the center of X is more than "
        f"{FAR:.0e} times the typical distance, so all other samples look identical. "
        "If it is a missing-value code, drop the row or impute the value.",
        stacklevel=3,
    )


# Whether a metric can distinguish near points.

TIE = 1e-9  # smaller distances are treated as ties
MANY = 90  # number of neighbors that t-SNE uses at its default perplexity of 30


def warn_if_saturated(D, n_close=None, *, owner="FisherMetric"):
    """Warn if points have too many neighbors at distance 0 in D (n, n)."""
    n = D.shape[0]
    limit = max(1, min(MANY, (n - 1) // 3)) if n_close is None else n_close
    full = int((_ties(D) > limit).sum())
    if full:
        warnings.warn(
            f"{owner}: the metric is saturated: {full} of {n} samples have more than "
            f"{limit} other samples at distance 0, so their neighbors are arbitrary. "
            "Their class probabilities are 0 or 1: raise bandwidth (or "
            "bandwidth_scale), or set regularization above 0.",
            stacklevel=3,
        )


def _ties(D):
    """Return how many other points are at distance 0 from each point (n,)."""
    xp = namespace_of(D)
    if xp is not None:
        return to_numpy(xp.count_nonzero(D < TIE, axis=1)) - 1
    return np.array([np.count_nonzero(row < TIE) - 1 for row in D])
