"""Where new objects go: compiled loops over rows of squared distances."""

import numpy as np

from labelscape._core.jit import compiled
from labelscape._core.points._neighbor_kernels import nearest

# So many pairs have a say.
ASKED = 5
TINY = 1e-300


@compiled
def place_rows(rest, own, places, width, out):
    """Place each object where most of the pairs nearest to it stand.

    A pair counts the less, the farther it is than the nearest. Around the one that has
    most of them near it on the map, their mean is taken: those that stand elsewhere do
    not pull it into the void between.

    Parameters
    ----------
    rest, own : arrays of shape (b, m) and (b,)
        Squared distances to the pairs are ``rest + own``.
    places : array of shape (m, q)
        Places of the pairs.
    width : float
        What is near on the map.
    out : array of shape (b, q)
        Takes the places of the objects.
    """
    k = min(ASKED, len(places))
    found, near = np.empty(k, np.int64), np.empty(k, rest.dtype)
    weights = np.empty(k)
    for i in range(len(rest)):
        nearest(rest[i], -1, found, near)
        unit = max(near[0] + own[i], TINY)
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
def _closeness(places, a, b, width):
    """Return how near two places are: 1 at one place, 0 far from each other."""
    square = 0.0
    for q in range(places.shape[1]):
        square += ((places[a, q] - places[b, q]) / width) ** 2
    return np.exp(-0.5 * square)
