"""Where new objects go: compiled loops over rows of rough squared distances."""

import numpy as np

from labelscape._core.jit import compiled
from labelscape._core.points._distance_kernels import quick_squared_difference
from labelscape._core.points._neighbor_kernels import insert, nearest

# So many pairs have a say.
ASKED = 5
TINY = 1e-300


@compiled
def place_rows(rough, slack, objects, centers, places, width, out):
    """Place each object where most of the pairs nearest to it stand.

    A pair counts the less, the farther it is than the nearest. Around the one that has
    most of them near it on the map, their mean is taken: those that stand elsewhere do
    not pull it into the void between.

    Parameters
    ----------
    rough, slack : arrays of shape (b, m) and (b,)
        Squared distances to the pairs, less a number for each object; none of them is
        wrong by more than ``slack``.
    objects, centers : arrays of shape (b, k) and (m, k)
        The objects and the pairs, whose distances decide.
    places : array of shape (m, q)
        Places of the pairs.
    width : float
        What is near on the map.
    out : array of shape (b, q)
        Takes the places of the objects.
    """
    k = min(ASKED, len(places))
    found, near = np.empty(k, np.int64), np.empty(k)
    screened = np.empty(k, rough.dtype)
    weights = np.empty(k)
    for i in range(len(rough)):
        nearest(rough[i], -1, found, screened)
        reach = screened[k - 1] + 2.0 * slack[i]
        _sure_nearest(rough[i], reach, objects[i], centers, found, near)
        unit = max(near[0], TINY)
        for a in range(k):
            weights[a] = np.exp((near[0] - near[a]) / unit)
        best, most = 0, -1.0
        for a in range(k):
            around = 0.0
            for b in range(k):
                around += weights[b] * _closeness(places, found[a], found[b], width)
            if around > most:
                best, most = a, around
        total = 0.0
        out[i] = 0.0
        for a in range(k):
            close = _closeness(places, found[a], found[best], 0.5 * width)
            total += weights[a] * close
            for q in range(out.shape[1]):
                out[i, q] += weights[a] * close * places[found[a], q]
        out[i] /= total


@compiled
def _sure_nearest(rough, reach, x, centers, found, near):
    """Write the nearest pairs, by their distances, of those within ``reach``."""
    k, count = len(found), 0
    for j in range(len(rough)):
        if rough[j] <= reach:
            d = quick_squared_difference(x, centers[j])
            if count < k or d < near[k - 1]:
                count = insert(d, j, count, found, near)


@compiled
def _closeness(places, a, b, width):
    """Return how near two places are: 1 at one place, 0 far from each other."""
    square = 0.0
    for q in range(places.shape[1]):
        square += ((places[a, q] - places[b, q]) / width) ** 2
    return np.exp(-0.5 * square)
