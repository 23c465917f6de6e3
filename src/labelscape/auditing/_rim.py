"""What is typical of each class, and what is far from everything."""

import numpy as np

from labelscape._core.points.distances import squared_distances
from labelscape._core.points.spaces import Points
from labelscape.auditing._evidence import trusted_members

# Far: by the distance to this neighbour.
NEIGHBOR = 10
# On a logarithm, so many times as far above the median as nine of ten are. Tails of
# normal clouds are exponential there, or lighter: a thousandth is beyond.
FAR = 4.0
# The middle of a class is looked for with so many of its objects at most, and of more
# rows than this nobody looks for the rim: the search is of all pairs.
MOST_MEMBERS, MOST_ROWS = 2000, 20_000


def typical_rows(places, codes, trusted, n_classes, random_state):
    """Return the medoid of each class (n_classes,): nearest to all others in sum."""
    return np.array(
        [
            _medoid(places, trusted_members(codes, c, trusted), random_state)
            for c in range(n_classes)
        ]
    )


def _medoid(places, rows, random_state):
    some = np.sort(random_state.permutation(rows)[:MOST_MEMBERS])
    sums = np.sqrt(squared_distances(places[some], places[some])).sum(axis=1)
    return int(some[sums.argmin()])


def rim_rows(places):
    """Return the rows that are far from everything, the farthest first."""
    none = np.empty(0, dtype=np.intp)
    if not 3 * NEIGHBOR < len(places) <= MOST_ROWS:
        return none
    distances = Points(places).kneighbors(NEIGHBOR)[1][:, -1]
    if np.median(distances) <= 0:
        return none
    away = np.log(np.maximum(distances, 1e-300))
    middle, most = np.quantile(away, [0.5, 0.9])
    far = np.flatnonzero(away > middle + FAR * (most - middle))
    return far[np.argsort(-away[far], kind="stable")] if most > middle else none
