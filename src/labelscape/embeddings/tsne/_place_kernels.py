"""Where new objects go: compiled loops over rows of squared distances."""

import numpy as np

from labelscape._core.jit import compiled
from labelscape._core.points._neighbor_kernels import nearest

# So many groups have a say, and the third nearest tells how far is near.
ASKED, MEASURE = 3, 2
TINY = 1e-300


@compiled
def place_rows(squares, places, out):
    """Place each object among the groups that are nearest to it.

    Parameters
    ----------
    squares : array of shape (b, m)
        Squared distances to the groups.
    places : array of shape (m, q)
        Places of the groups.
    out : array of shape (b, q)
        Takes the places of the objects.
    """
    k = min(ASKED, len(places))
    found, near = np.empty(k, np.int64), np.empty(k, squares.dtype)
    weights, gaps = np.empty(k), np.empty(k)
    for i in range(len(squares)):
        nearest(squares[i], -1, found, near)
        unit = max(near[min(MEASURE, k - 1)], TINY)
        for a in range(k):
            weights[a] = np.exp(-near[a] / unit)
        middle = _middle(found, weights, places)
        for a in range(k):
            gaps[a] = _gap(places[found[a]], places[found[middle]])
        # Those that stand elsewhere on the map do not pull it into the void between.
        usual = max(np.median(gaps), TINY)
        total = 0.0
        out[i] = 0.0
        for a in range(k):
            share = weights[a] * np.exp(-((gaps[a] / usual) ** 2))
            total += share
            for q in range(out.shape[1]):
                out[i, q] += share * places[found[a], q]
        out[i] /= total


@compiled
def _middle(found, weights, places):
    """Return the one of some groups with the least way to all, by weight."""
    best, least = 0, np.inf
    for a in range(len(found)):
        way = 0.0
        for b in range(len(found)):
            way += weights[b] * _gap(places[found[a]], places[found[b]])
        if way < least:
            best, least = a, way
    return best


@compiled
def _gap(z, other):
    square = 0.0
    for q in range(len(z)):
        square += (z[q] - other[q]) ** 2
    return np.sqrt(square)
