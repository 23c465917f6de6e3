"""Placement of new samples next to similar ones, without storing any sample.

Each fitted sample is paired with the most similar sample of its likely class, in the
data and on the map. A pair is stored as one point between its two samples, and the
samples cannot be computed from this point. A new sample is placed where most of its
nearest pairs are.
"""

from typing import NamedTuple

import numpy as np

from labelscape._core.checks import check_intact
from labelscape._core.learned import declares, numbers
from labelscape._core.params import finite
from labelscape._core.points.distances import squared_norms
from labelscape._core.points.spaces import Points
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.embeddings.tsne._joint import neighbor_gap, without_copies

MOST_PAIRS = 3000  # at most this many pairs are stored
# Weight of a distance on the map relative to one in the data, in the choice of pairs.
MAP_SHARE = 2.0
# A pair is stored at a random position between these shares of the way to the partner.
LEAST_SHARE, MOST_SHARE = 0.2, 0.5
HIDDEN_DIGITS = 1e8  # digits of a sum beyond this factor serve as random numbers
SINGLE = 1e30  # squares below this can be added in float32
CACHE_BYTES = 2**21  # blocks of distances that fit in a core's cache


@declares(
    centers=numbers("pairs", "coordinates"),
    places=numbers("pairs", "components"),
    reach=numbers("pairs", above=0),
    width=finite(above=0),
)
class PairPlaces(NamedTuple):
    """Points between pairs of fitted samples, in the data and on the map."""

    centers: np.ndarray  # (m, k) coordinates of the pairs
    places: np.ndarray  # (m, q) positions of the pairs on the map
    reach: np.ndarray  # (m,) distance of the partner, at least the typical one
    width: float  # typical distance to the tenth neighbor on the map


def paired(A, Z, likely, means=None):
    """Pair each sample of A (n, k) with a similar one; store a point between the two.

    New samples are placed at ``means`` (n, q) if given, otherwise at Z.
    """
    means = Z if means is None else means
    first = without_copies(A, 1)[0]  # the point between two copies would be the sample
    A, Z, likely, means = A[first], Z[first], likely[first], means[first]
    width = neighbor_gap(Z, MOST_PAIRS)
    both = np.hstack([A, Z * (MAP_SHARE * neighbor_gap(A, MOST_PAIRS) / width)])
    one = np.linspace(0, len(A) - 1, min(len(A), MOST_PAIRS)).astype(np.intp)
    other = _most_alike(both, likely)[one]
    # Random positions between samples, which cannot be computed from a file.
    drawn = np.modf(HIDDEN_DIGITS * np.abs(A[one].sum(axis=1, keepdims=True)))[0]
    share = LEAST_SHARE + (MOST_SHARE - LEAST_SHARE) * drawn
    centers = A[one] + share * (A[other] - A[one])
    places = means[one] + share * (means[other] - means[one])
    reach = np.linalg.norm(A[one] - A[other], axis=1)
    return PairPlaces(centers, places, np.maximum(reach, np.median(reach)), width)


def placed_among(pairs, A):
    """Return the positions (n, q) of new samples A (n, k)."""
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
        # Bound of the rounding errors of d + 1 products and sums.
        unit = 4.0 * (A.shape[1] + 9) * np.finfo(rough.dtype).eps
        slack = unit * (norms + farthest)
        Z = np.empty((len(moved), places.shape[1]))
        place_rows(rough, slack, moved, centers, places, pairs.width, Z)
        return Z

    return _over_blocks(pairs, A, place)


def distance_from(pairs, A):
    """Return the distance to the nearest pair, in units of the size of the pair."""
    center, _, factor = _factor(pairs)
    scales = pairs.reach**-2.0

    def least(rows):
        moved = A[rows] - center
        squares = _rest(moved, factor) + squared_norms(moved)[:, None]
        return np.sqrt((np.maximum(squares, 0.0) * scales).min(axis=1))

    return _over_blocks(pairs, A, least)


def _factor(pairs):
    """Return the mean of the pairs, the centered pairs, and a matrix for distances."""
    center = pairs.centers.mean(axis=0)
    centers = pairs.centers - center
    return center, centers, np.vstack([-2.0 * centers.T, squared_norms(centers)])


def _rest(moved, factor):
    """Return ``|c|^2 - 2 a.c`` (b, m): squared distances to the pairs minus |a|^2."""
    A = np.hstack([moved, np.ones((len(moved), 1))])
    return A.astype(factor.dtype, copy=False) @ factor


def _over_blocks(pairs, A, function):
    """Apply a function to slices of samples that fit in a cache."""
    size = 8 * (len(pairs.centers) + A.shape[1])
    return np.concatenate(map_blocks(function, row_blocks(len(A), size, CACHE_BYTES)))


def _most_alike(A, likely):
    """Return each point's nearest partner (n,), of the same class if possible."""
    if len(A) == 1:
        return np.zeros(1, dtype=np.intp)
    partner = Points(A).kneighbors(1)[0][:, 0]
    for c in np.unique(likely):
        rows = np.flatnonzero(likely == c)
        if len(rows) > 1:
            partner[rows] = rows[Points(A[rows]).kneighbors(1)[0][:, 0]]
    return partner
