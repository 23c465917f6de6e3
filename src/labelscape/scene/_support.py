"""How far places on a map are from the data, in units of how dense the data are."""

import numpy as np
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from labelscape._core.threads import map_blocks, row_blocks
from labelscape.scene._numbers import Matrix

# The unit is the distance to this neighbour, as for the kernels of a ClassifierMap.
NEIGHBOUR = 5
# Enough points to know where data are.
MOST_POINTS = 1000


def distance_from_data(places: Matrix, Z: Matrix, least: float = 0.0) -> Matrix:
    """Return how far places (m, 2) are from the closest of the points Z (n, 2).

    A point in a dense part of the map reaches less far than one in a thin part, but not
    less than ``least``: where points coincide, the cell around them still holds data.

    Examples
    --------
    >>> Z = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    >>> distance_from_data(np.array([[0.0, 0.0], [1.0, 8.0]]), Z).round(2).tolist()
    [0.0, 4.03]
    """
    points = np.unique(np.asarray(Z, dtype=np.float64), axis=0)
    points = points[:: -(-len(points) // MOST_POINTS)]
    neighbour = min(NEIGHBOUR, len(points) - 1)
    if neighbour == 0:
        alone: Matrix = np.linalg.norm(places - points[0], axis=1)
        return alone
    reach, _ = KDTree(points).query(points, k=[neighbour + 1])
    units = np.maximum(np.asarray(reach)[:, 0], least)

    # A point of a thin part may be the closest in its own units and not among the next.
    def closest(rows: slice) -> Matrix:
        found: Matrix = (cdist(places[rows], points) / units).min(axis=1)
        return found

    return np.concatenate(map_blocks(closest, row_blocks(len(places), 8 * len(points))))
