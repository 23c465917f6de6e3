"""Cut a group of objects in two, between its farthest objects (specification B3)."""

import numpy as np

from labelscape._core.threads import map_blocks, row_blocks

MAX_ROUNDS = 100


def split(space, weights, exact_limit):
    """Return which half each object of a space belongs to: 2-means from far apart.

    Starts from the two objects farthest apart. Neither half can run empty: were all
    objects of one nearer to the other's mean, so would be their own mean.

    Parameters
    ----------
    space : Vectors or Dissimilarities
        The objects, at least two of them distinct.
    weights : ndarray of shape (n,)
        Weights of the objects in the means.
    exact_limit : int
        Number of objects up to which the farthest pair is the exact one.

    Returns
    -------
    ndarray of int of shape (n,)
        0 or 1. Ties go to the half with 0.
    """
    ends = farthest_pair(space) if len(space) <= exact_limit else far_pair(space)
    side = _nearer(space, space.objects(np.array(ends)))
    for _ in range(MAX_ROUNDS):
        moved = _nearer(space, space.means(side, weights, 2))
        # Only rounding can leave a half empty: then the last one with both is kept.
        if (moved == side).all() or moved.min() == moved.max():
            break
        side = moved
    return side


def farthest_pair(space):
    """Return the two objects farthest apart; ties go to the lowest indices."""
    n = len(space)

    def block(rows):
        # Only with later objects: the earlier ones have met these already.
        D = space.squared_between_objects(rows, slice(rows.start, n))
        i, j = np.unravel_index(D.argmax(), D.shape)
        return D[i, j], int(rows.start + i), int(rows.start + j)

    found = map_blocks(block, row_blocks(n, 8 * (n + space.width), 2**21))
    _, i, j = max(found, key=lambda pair: pair[0])  # the first of equals
    return i, j


def far_pair(space):
    """Return two objects that are far apart, by sweeps through the objects.

    From the mean to the object farthest from it, from there to the one farthest from
    that, and so on while the distance grows: never less than half the largest.
    """
    n = len(space)
    centre = space.means(np.zeros(n, dtype=int), np.ones(n), 1)
    here, there, length = 0, _farthest(space, centre)[0], -1.0
    while True:
        beyond, reached = _farthest(space, space.objects(np.array([there])))
        if not reached > length:
            return min(here, there), max(here, there)
        here, there, length = there, beyond, reached


def is_varied(space):
    """Return whether at least two objects are distinct."""
    return _farthest(space, space.objects(np.array([0])))[1] > 0.0


def _farthest(space, prototype):
    D = np.concatenate(space.map(lambda rows, D: D[:, 0], prototype))
    return int(D.argmax()), D.max()


def _nearer(space, pair):
    return np.concatenate(space.map(lambda rows, D: D.argmin(axis=1), pair))
