"""Labels that do not follow a gap: errors that models predict as if they were right.

If all labels in a region, or near a border, are moved to another class, models learn
them, and held-out rows contradict hardly any. But where the rows of two classes form
two groups with a gap between them, such labels lie in the group of the other class, and
their nearest rows often have its label.
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import norm, poisson

from labelscape._core.points.distances import squared_distances
from labelscape._core.types import Floats, Ints
from labelscape._resampling.sampling import drawn_by_class

# Limits chosen with seed 0 of `benchmarks moved_labels`. Two groups have a gap if their
# means differ by this multiple of their standard deviation: halves of a normal
# distribution differ by 2.7, those of a uniform one by 3.5.
APART = 4.5
# More labels cross the gap than overlap explains at this significance level, but at
# least FEW. The nearest row has the label of the group for a share of at least MIXED of
# them, and for at least NOT_ONE: otherwise they are a group of their own.
RARE, FEW, MIXED, NOT_ONE = 0.01, 3, 0.15, 2
MOST_ROUNDS = 100  # of k-means
MOST_ROWS = 4000  # of a larger table, some of each class are used


class Crossing(NamedTuple):
    """Rows of one class in the group of another one, not separated from it."""

    given: int  # the class of the rows
    inside: int  # the class of their group
    n_rows: int
    n_used: int  # number of rows that were looked at


def crossing(places: Floats, codes: Ints, units: Ints) -> Crossing | None:
    """Return the largest set of labels that cross a gap, if there is one.

    The groups are those of k-means, which starts with the mean of each class.
    """
    # One row of each unit, because the copies of a row are always near to it.
    rows = np.unique(units, return_index=True)[1]
    if len(rows) > MOST_ROWS:
        drawn = np.unique(codes[rows], return_inverse=True)[1]
        rows = rows[drawn_by_class(drawn, MOST_ROWS, np.random.RandomState(0))]
    X, labels = places[rows] - places.mean(axis=0), codes[rows]
    groups, centers = _groups(X, labels, int(codes.max()) + 1)
    found = []
    for inside, given in np.argwhere(_counts(groups, labels, len(centers)) >= FEW):
        if given != inside and _is_crossed(X, labels, groups, centers, inside, given):
            count = int(((groups == inside) & (labels == given)).sum())
            found.append(Crossing(int(given), int(inside), count, len(rows)))
    return max(found, key=lambda one: one.n_rows, default=None)


def _groups(X: Floats, labels: Ints, n_classes: int) -> tuple[Ints, Floats]:
    """Return the group of each row (n,) and the centers (C, q) after k-means."""
    centers = np.zeros((n_classes, X.shape[1]))
    groups, is_empty = labels, np.full(n_classes, True)
    for _ in range(MOST_ROUNDS):
        for c in np.unique(groups):
            centers[c] = X[groups == c].mean(axis=0)
            is_empty[c] = False
        distances = squared_distances(X, centers)
        distances[:, is_empty] = np.inf
        nearest = distances.argmin(axis=1)
        if (nearest == groups).all():
            break
        groups = nearest
    return groups, centers


def _counts(groups: Ints, labels: Ints, n_classes: int) -> Ints:
    """Return the number of rows (C, C) of each group with each label."""
    cells = n_classes * groups + labels
    return np.bincount(cells, minlength=n_classes**2).reshape(n_classes, n_classes)


def _is_crossed(
    X: Floats, labels: Ints, groups: Ints, centers: Floats, inside: int, given: int
) -> bool:
    """Return whether labels of ``given`` do not follow the gap to group ``inside``."""
    in_group = groups == inside
    crossed, own = (np.flatnonzero(in_group & (labels == c)) for c in (given, inside))
    way = centers[given] - centers[inside]
    here, there = X[in_group] @ way, X[groups == given] @ way
    if len(own) < len(crossed) or len(there) < 2:
        return False
    spread = np.sqrt((here.var() + there.var()) / 2.0)
    apart = (there.mean() - here.mean()) / max(spread, 1e-300)
    # Normal groups at this distance overlap by chance in so many rows.
    overlap = (len(here) + len(there)) * norm.sf(apart / 2.0)
    if apart < APART or len(crossed) <= poisson.isf(RARE, overlap):
        return False
    same = np.flatnonzero(labels == given)
    alike = squared_distances(X[crossed], X[same])
    alike[crossed[:, None] == same] = np.inf  # a row is not its own neighbor
    other = squared_distances(X[crossed], X[own])
    n_mixed = (other.min(axis=1) < alike.min(axis=1)).sum()
    return bool(n_mixed >= max(MIXED * len(crossed), NOT_ONE))
