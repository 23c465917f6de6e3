"""New objects beside those that are like them, without keeping any object.

The fitted objects are gathered into small groups of neighbours, alike in the data, in
their classes and on the map. A group is kept as the mean of its coordinates and a place
near its innermost member; a single object is never kept. A new object goes where
the groups nearest to it agree: around the one with the least way to the others.
"""

from typing import NamedTuple

import numpy as np

from labelscape._core.points.distances import squared_distances, squared_norms
from labelscape._core.points.spaces import Points
from labelscape._core.state import declares, numbers
from labelscape._core.threads import map_blocks, row_blocks

# A group has so many members at least, and there are no more groups than that.
LEAST, MOST_GROUPS = 2, 3000
# Coordinates that agree to so many digits are those of copies.
COPY_DIGITS = 9
# What a gap on the map counts, beside one in the data, when groups are formed.
MAP_SHARE = 2.0
# A group stands this part of the way from its innermost member to its mean.
TOWARDS_MEAN = 0.1
# Steps towards the direction in which a group is longest.
POWER_STEPS = 4
# Blocks of new objects whose distances stay in a core's cache.
CACHE_BYTES = 2**20


@declares(
    centers=numbers("groups", "coordinates"),
    places=numbers("groups", "components"),
    reach=numbers("groups", above=0),
)
class GroupPlaces(NamedTuple):
    """Groups of fitted objects: means of coordinates, places, and how far members are.

    ``reach`` is what is usual among all objects where a group has no extent.
    """

    centers: np.ndarray
    places: np.ndarray
    reach: np.ndarray


def gathered(A, Z, likely):
    """Return the groups of objects A (n, k) on their map Z (n, q).

    ``likely`` (n,) is the class that each is most likely of; groups do not mix them as
    long as there are enough of a class.
    """
    A, Z, likely = _distinct(A, Z, likely)
    least = max(LEAST, -(-len(A) // MOST_GROUPS))
    both = np.hstack([A, Z * (MAP_SHARE * _usual_gap(A) / _usual_gap(Z))])
    groups = [
        rows[part]
        for rows in _by_class(likely, least)
        for part in _halved(both[rows], least)
    ]
    centers = np.array([A[rows].mean(axis=0) for rows in groups])
    places = np.array([_place(Z[rows]) for rows in groups])
    spans = [
        np.linalg.norm(A[rows] - center, axis=1).max()
        for rows, center in zip(groups, centers, strict=True)
    ]
    reach = np.array(spans)
    usual = float(np.median(reach)) or float(reach.max()) or 1.0
    return GroupPlaces(centers, places, np.maximum(reach, usual))


def placed_among(groups, A):
    """Return the places (n, q) of new objects A (n, k)."""
    from labelscape.embeddings.tsne._place_kernels import place_rows

    places = np.ascontiguousarray(groups.places)

    def place(squares):
        Z = np.empty((len(squares), places.shape[1]))
        place_rows(squares, places, Z)
        return Z

    return _over_blocks(groups, A, place)


def distance_from(groups, A):
    """Return how far objects are from the nearest group, in its reach (n,)."""
    scales = groups.reach**-2.0
    return _over_blocks(groups, A, lambda squares: np.sqrt((squares * scales).min(1)))


def _over_blocks(groups, A, function):
    """Apply a function to squared distances (b, m) to all groups, and join."""
    # About the middle, where the rounding of products is harmless.
    center = groups.centers.mean(axis=0)
    centers = groups.centers - center
    norms = squared_norms(centers)

    def block(rows):
        return function(squared_distances(A[rows] - center, centers, norms))

    size = 8 * (len(centers) + A.shape[1])
    return np.concatenate(map_blocks(block, row_blocks(len(A), size, CACHE_BYTES)))


def _distinct(A, Z, likely):
    """Return objects without their copies: the mean of two copies is the object."""
    rounded = np.round(A, COPY_DIGITS)
    _, first, copy = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    sums = np.zeros((len(first), Z.shape[1]))
    np.add.at(sums, copy, Z)
    return A[first], sums / np.bincount(copy)[:, None], likely[first]


def _usual_gap(A):
    if len(A) < 2:
        return 1.0
    some = A[:: -(-len(A) // MOST_GROUPS)]
    gaps = Points(some).kneighbors(min(10, len(some) - 1))[1][:, -1]
    return float(np.median(gaps)) or float(gaps.max()) or 1.0


def _by_class(likely, least):
    """Return the rows of each class; classes of too few are one, or join another."""
    sizes = np.bincount(likely)
    few = sizes[likely] < least
    parts = [np.flatnonzero(likely == c) for c in np.flatnonzero(sizes >= least)]
    rest = np.flatnonzero(few)
    if len(rest) >= least or not parts:
        return [*parts, rest] if len(rest) else parts
    return [np.sort(np.concatenate([parts[0], rest])), *parts[1:]]


def _halved(A, least):
    """Yield rows of small groups: halves of halves, cut where they are longest."""
    waiting = [np.arange(len(A))]
    while waiting:
        rows = waiting.pop()
        if len(rows) < 2 * least:
            yield rows
            continue
        order = rows[np.argsort(_along_longest(A[rows]), kind="stable")]
        waiting += [order[len(rows) // 2 :], order[: len(rows) // 2]]


def _along_longest(A):
    """Return where points stand along the direction in which they spread most."""
    A = A - A.mean(axis=0)
    direction = A[(A**2).sum(axis=1).argmax()]
    for _ in range(POWER_STEPS):
        direction = A.T @ (A @ direction)
        length = np.linalg.norm(direction)
        if length == 0.0:
            break
        direction /= length
    return A @ direction


def _place(Z):
    """Return the place of a group: near the member with the least way to all others.

    Their mean may lie in the void; but the place of an object is not given away.
    """
    inner = Z[np.linalg.norm(Z[:, None] - Z, axis=2).sum(axis=1).argmin()]
    return inner + TOWARDS_MEAN * (Z.mean(axis=0) - inner)
