"""Placement of new samples: compiled loops over approximate squared distances."""

import numpy as np

from labelscape._core.jit import compiled
from labelscape._core.points._kernels import insert, nearest, quick_squared_difference

N_DECIDING = 5  # number of pairs that determine a position
# Number of groups of pairs, whose smallest distances limit the search.
GROUPS = 128
TINY = 1e-300


@compiled
def place_rows(rough, slack, objects, centers, places, width, out):
    """Place each sample where most of its nearest pairs are.

    The weight of a pair falls with its distance. The position is a mean near the pair
    whose neighbors on the map have the largest total weight, so that distant pairs do
    not move it into the space between clusters.

    Shapes: rough, slack (b, m), objects, centers (b, k), places (m, q), out (b, q).
    """
    k = min(N_DECIDING, len(places))
    indices, near = np.empty(k, np.int64), np.empty(k)
    screened = np.empty(k, rough.dtype)
    least = np.empty(min(GROUPS, len(places)), rough.dtype)
    searched = np.empty(len(least), np.int64)
    weights = np.empty(k)
    for i in range(len(rough)):
        _least_of_groups(rough[i], least)
        # The k nearest groups contain k pairs, so the k nearest pairs are at most as
        # far away as these.
        nearest(least, -1, indices, screened)
        reach = screened[k - 1] + 2.0 * slack[i]
        groups = searched[: _within(least, reach, searched)]
        _sure_nearest(
            rough[i], reach, groups, len(least), objects[i], centers, indices, near
        )
        unit = max(near[0], TINY)
        for a in range(k):
            weights[a] = np.exp((near[0] - near[a]) / unit)
        best, most = 0, -1.0
        for a in range(k):
            around = 0.0
            for b in range(k):
                around += weights[b] * _closeness(places, indices[a], indices[b], width)
            if around > most:
                best, most = a, around
        total = 0.0
        out[i] = 0.0
        for a in range(k):
            close = _closeness(places, indices[a], indices[best], 0.5 * width)
            total += weights[a] * close
            for q in range(out.shape[1]):
                out[i, q] += weights[a] * close * places[indices[a], q]
        out[i] /= total


@compiled
def _least_of_groups(row, least):
    """Write the smallest number of each group; pair j is in group j % len(least)."""
    step = len(least)
    least[:] = row[:step]
    for start in range(step, len(row), step):
        part = row[start : start + step]
        for g in range(len(part)):
            least[g] = part[g] if part[g] < least[g] else least[g]


@compiled
def _within(least, reach, searched):
    """Write the groups with a distance of at most ``reach``; return their number."""
    count = 0
    for g in range(len(least)):
        if least[g] <= reach:
            searched[count] = g
            count += 1
    return count


@compiled
def _sure_nearest(row, reach, groups, step, x, centers, indices, near):
    """Write the nearest pairs within ``reach``; of equally near pairs, the first."""
    k, count = len(indices), 0
    for start in range(0, len(row), step):
        for g in groups:
            j = start + g
            if j < len(row) and row[j] <= reach:
                d = quick_squared_difference(x, centers[j])
                if count < k or d < near[k - 1]:
                    count = insert(d, j, count, indices, near)
    # If the sample is so far away that distances overflow, all pairs have equal weight.
    near[count:] = 0.0


@compiled
def _closeness(places, a, b, width):
    """Return the closeness of two positions, from 1 (equal) to 0 (far apart)."""
    square = 0.0
    for q in range(places.shape[1]):
        square += ((places[a, q] - places[b, q]) / width) ** 2
    return np.exp(-0.5 * square)
