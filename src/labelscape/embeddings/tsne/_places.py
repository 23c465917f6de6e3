"""New objects beside those that are like them, without keeping any object.

Each fitted object makes a pair with the one that is most like it: in the data, in its
likely class and on the map. A pair is kept as one point on the way between the two; how
far on the way, nobody can tell who has not the objects. A new object goes where most of
the pairs nearest to it stand.
"""

from typing import NamedTuple

import numpy as np

from labelscape._core.checks import check_intact
from labelscape._core.fits.learned import declares, numbers
from labelscape._core.points.distances import squared_norms
from labelscape._core.points.spaces import Points
from labelscape._core.rules import finite
from labelscape._core.threads import map_blocks, row_blocks

# No more pairs are kept than this.
MOST_PAIRS = 3000
# Coordinates that agree to so many digits are those of copies.
COPY_DIGITS = 9
# What a gap on the map counts, beside one in the data, when partners are sought.
MAP_SHARE = 2.0
# A pair stands between these parts of the way from an object to its partner.
LEAST_SHARE, MOST_SHARE = 0.2, 0.5
# Digits behind this place of a sum are as good as drawn by chance.
HIDDEN_DIGITS = 1e8
# Squares below this can be added up in float32.
SINGLE = 1e30
# Blocks of new objects whose distances stay in a core's cache.
CACHE_BYTES = 2**21


@declares(
    centers=numbers("pairs", "coordinates"),
    places=numbers("pairs", "components"),
    reach=numbers("pairs", above=0),
    width=finite(above=0),
)
class PairPlaces(NamedTuple):
    """Pairs of fitted objects: points between them, in the data and on the map."""

    # (m, k) Where pairs stand in the coordinates.
    centers: np.ndarray
    # (m, q) Where they stand on the map.
    places: np.ndarray
    # (m,) How far a partner is, or what is usual where it is nearer.
    reach: np.ndarray
    # What is near on the map: the usual distance to the tenth neighbour.
    width: float


def paired(A, Z, likely):
    """Return the pairs of objects A (n, k) on their map Z (n, q).

    ``likely`` (n,) is the class that each is most likely of: pairs are of one class
    where it has two objects.
    """
    A, Z, likely = _distinct(A, Z, likely)
    width = _usual_gap(Z)
    both = np.hstack([A, Z * (MAP_SHARE * _usual_gap(A) / width)])
    one = np.linspace(0, len(A) - 1, min(len(A), MOST_PAIRS)).astype(np.intp)
    other = _most_alike(both, likely)[one]
    share = _hidden_shares(A[one])
    centers = A[one] + share * (A[other] - A[one])
    places = Z[one] + share * (Z[other] - Z[one])
    reach = np.linalg.norm(A[one] - A[other], axis=1)
    return PairPlaces(centers, places, np.maximum(reach, np.median(reach)), width)


def placed_among(pairs, A):
    """Return the places (n, q) of new objects A (n, k)."""
    from labelscape.embeddings.tsne._place_kernels import place_rows

    center, centers, factor = _factor(pairs)
    places = np.ascontiguousarray(pairs.places)
    check_intact(len(places) == len(centers), "centers and places of pairs_")
    farthest = squared_norms(centers).max()
    single = factor.astype(np.float32) if farthest < SINGLE else factor

    def place(rows):
        moved = A[rows] - center
        norms = squared_norms(moved)
        rough = _rest(moved, single if norms.max() < SINGLE else factor)
        # d + 1 products and sums of rounded numbers.
        unit = 4.0 * (A.shape[1] + 9) * np.finfo(rough.dtype).eps
        slack = unit * (norms + farthest)
        Z = np.empty((len(moved), places.shape[1]))
        place_rows(rough, slack, moved, centers, places, pairs.width, Z)
        return Z

    return _over_blocks(pairs, A, place)


def distance_from(pairs, A):
    """Return how far objects are from the nearest pair, in its reach (n,)."""
    center, _, factor = _factor(pairs)
    scales = pairs.reach**-2.0

    def least(rows):
        moved = A[rows] - center
        squares = _rest(moved, factor) + squared_norms(moved)[:, None]
        return np.sqrt((np.maximum(squares, 0.0) * scales).min(axis=1))

    return _over_blocks(pairs, A, least)


def _factor(pairs):
    """Return the middle of the pairs, the pairs about it, and what distances need.

    About the middle the rounding of products is harmless.
    """
    center = pairs.centers.mean(axis=0)
    centers = pairs.centers - center
    return center, centers, np.vstack([-2.0 * centers.T, squared_norms(centers)])


def _rest(moved, factor):
    """Return ``|c|^2 - 2 a.c`` (b, m): squared distances to the pairs, less |a|^2."""
    A = np.hstack([moved, np.ones((len(moved), 1))])
    return A.astype(factor.dtype, copy=False) @ factor


def _over_blocks(pairs, A, function):
    """Apply a function to blocks of objects whose distances stay in a cache."""
    size = 8 * (len(pairs.centers) + A.shape[1])
    return np.concatenate(map_blocks(function, row_blocks(len(A), size, CACHE_BYTES)))


def _distinct(A, Z, likely):
    """Return objects without their copies: between two copies is the object."""
    rounded = np.round(A, COPY_DIGITS)
    _, first, copy = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    sums = np.zeros((len(first), Z.shape[1]))
    np.add.at(sums, copy, Z)
    return A[first], sums / np.bincount(copy)[:, None], likely[first]


def _usual_gap(A):
    if len(A) < 2:
        return 1.0
    some = A[:: -(-len(A) // MOST_PAIRS)]
    gaps = Points(some).kneighbors(min(10, len(some) - 1))[1][:, -1]
    return float(np.median(gaps)) or float(gaps.max()) or 1.0


def _most_alike(A, likely):
    """Return the partner of each point (n,): the nearest, of its class if it can be."""
    if len(A) == 1:
        return np.zeros(1, dtype=np.intp)
    partner = Points(A).kneighbors(1)[0][:, 0]
    for c in np.unique(likely):
        rows = np.flatnonzero(likely == c)
        if len(rows) > 1:
            partner[rows] = rows[Points(A[rows]).kneighbors(1)[0][:, 0]]
    return partner


def _hidden_shares(A):
    """Return how far on the way each pair stands (n, 1): by the objects themselves.

    The same each time, but nothing that is kept in a file tells them.
    """
    drawn = np.modf(HIDDEN_DIGITS * np.abs(A.sum(axis=1, keepdims=True)))[0]
    return LEAST_SHARE + (MOST_SHARE - LEAST_SHARE) * drawn
