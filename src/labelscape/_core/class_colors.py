"""Color and shape of each class, different for classes near each other.

A *look* is an integer for color and shape: ``look % N_COLORS`` is the color, and
``look // N_COLORS`` is the shape.
"""

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from labelscape._core.types import Array, Floats, Ints

# Number of different colors. With more classes, shapes differ as well.
N_COLORS = 12
# With more classes, pairs of classes are not compared, which would be slow.
MOST_CLASSES = 2000
MOST_POINTS, N_NEIGHBORS = 4000, 8  # number of points, and of neighbors per point
# Rounds of swaps of colors, and the gain below which a swap is rounding error.
MOST_ROUNDS, ROUNDING = 20, 1e-9


def class_looks(Z: Array, codes: Array, n_classes: int) -> Array:
    """Return the look of each class; classes of the same color are far apart in Z."""
    own = np.arange(n_classes)
    known = np.flatnonzero(codes >= 0)
    if not (N_COLORS < n_classes <= MOST_CLASSES and len(known)):
        return own
    if len(known) > MOST_POINTS:
        known = np.random.default_rng(0).choice(known, MOST_POINTS, replace=False)
    near = _nearness(np.asarray(Z[known], dtype=np.float64), codes[known], n_classes)
    colors = _traded(near, _greedy(near))
    looks = own.copy()
    for color in range(N_COLORS):
        looks[colors == color] = own[color::N_COLORS]
    return looks


def _nearness(Z: Floats, codes: Array, n_classes: int) -> Floats:
    """Return the closeness (C, C) of classes, from class medians and neighbors."""
    # Medians show which classes are side by side, and neighbors which are mixed.
    near = np.zeros((n_classes, n_classes))
    there = np.unique(codes)
    middles = np.array([np.median(Z[codes == c], axis=0) for c in there])
    gaps = cdist(middles, middles)
    np.fill_diagonal(gaps, np.inf)
    usual = np.median(gaps.min(axis=1)) if len(there) > 1 else 1.0
    near[np.ix_(there, there)] = 1.0 / (1.0 + (gaps / (usual or 1.0)) ** 4)
    k = min(N_NEIGHBORS, len(Z) - 1)
    others = cKDTree(Z).query(Z, k + 1)[1]
    sizes = np.bincount(codes, minlength=n_classes)
    links = np.zeros_like(near)
    np.add.at(links, (codes[:, None], codes[others]), 1.0)
    near += links / np.maximum(k * sizes, 1)[:, None]
    near += near.T
    np.fill_diagonal(near, 0.0)
    return near


def _greedy(near: Floats) -> Ints:
    """Assign a color to each class, starting with the most crowded class."""
    n_classes = len(near)
    room = np.bincount(np.arange(n_classes) % N_COLORS)
    colors = np.zeros(n_classes, dtype=np.intp)
    cost = np.zeros((n_classes, N_COLORS))
    for c in np.argsort(-near.sum(axis=1), kind="stable"):
        colors[c] = np.argmin(np.where(room > 0, cost[c], np.inf))
        room[colors[c]] -= 1
        cost[:, colors[c]] += near[:, c]
    return colors


def _traded(near: Floats, colors: Ints) -> Ints:
    """Return colors after swaps that move classes of the same color apart."""
    everyone = np.arange(len(near))
    cost = near @ np.eye(N_COLORS)[colors]
    for _ in range(MOST_ROUNDS):
        before = colors.copy()
        for c in everyone:
            stays = cost[c, colors[c]] + cost[everyone, colors]
            goes = cost[c, colors] + cost[:, colors[c]] - 2.0 * near[c]
            gain = np.where(colors == colors[c], 0.0, stays - goes)
            other = int(gain.argmax())
            if gain[other] > ROUNDING:
                moved = near[:, other] - near[:, c]
                cost[:, colors[c]] += moved
                cost[:, colors[other]] -= moved
                colors[c], colors[other] = colors[other], colors[c]
        if (colors == before).all():
            break
    return colors
