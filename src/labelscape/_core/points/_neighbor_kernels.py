"""The compiled search for nearest neighbors, by (distance, index).

A candidate costs one comparison, with the farthest of the nearest so far. A few of them
are a sorted list; more are a heap with the farthest on top, where one that is kept
costs the logarithm of k, whatever the order in which the points come.

Rows may be *screened*: computed by a matrix product, with a rounding error of up to
``slack``. Then what lies closer together than the error allows to tell is decided by
exact distances, so the result is that of exact rows. ``slack = 0`` means exact rows.
"""

import numpy as np

from labelscape._core.jit import compiled
from labelscape._core.points._distance_kernels import squared_difference

# Up to so many, a list is faster than a heap.
FEW = 32


@compiled
def nearest_of_rows(D, own, found, distances):
    """Write the nearest points of each row of D (b, n) into ``found`` (b, k).

    ``own[i]`` is left out of row i; -1 leaves out nobody. ``distances`` (b, k) are
    those of the points found, nearest first.
    """
    for i in range(D.shape[0]):
        nearest(D[i], own[i], found[i], distances[i])


@compiled
def nearest_of_screened_rows(V, slack, X, own, found, distances):
    """Do the same for the points ``own``, from rows that may have rounding errors."""
    for i in range(V.shape[0]):
        nearest_screened(V[i], slack[i], X, own[i], found[i], distances[i])


@compiled
def nearest(row, own, found, distances):
    """Write indices and distances (k,) of the nearest points, nearest first.

    A search for more points than the row has would leave a part of ``found`` unwritten.
    """
    n, k = row.shape[0], found.shape[0]
    if k > n - (0 <= own < n):
        raise ValueError("More neighbors were asked for than there are points.")
    if k == 0:
        return
    j = count = 0
    while count < k and j < n:
        if j != own:
            count = keep(row[j], j, count, found, distances)
        j += 1
    last = place_of_farthest(k)
    farthest = distances[last]  # in a register: nearly all points fail this test
    rest = row[j:]  # a loop from 0 needs no look at the sign of its index
    for p in range(rest.shape[0]):
        if rest[p] < farthest and j + p != own:
            keep(rest[p], j + p, count, found, distances)
            farthest = distances[last]
    put_in_order(found, distances)


@compiled
def nearest_screened(row, slack, X, own, found, distances):
    """Write the nearest points of point ``own`` of X, from a row that may be wrong."""
    nearest(row, own, found, distances)
    if slack == 0.0 or found.shape[0] == 0:
        return
    k, count = found.shape[0], 0
    last = place_of_farthest(k)
    reach = distances[k - 1] + 2.0 * slack
    for j in range(row.shape[0]):
        if row[j] <= reach and j != own:
            d = np.sqrt(squared_difference(X[own], X[j]))
            if count < k or d < distances[last]:
                count = keep(d, j, count, found, distances)
    put_in_order(found, distances)


@compiled
def place_of_farthest(k):
    """Return where the farthest of k kept points stands."""
    return k - 1 if k <= FEW else 0


@compiled
def keep(d, j, count, found, distances):
    """Take in a point that is nearer than the farthest kept; return how many are kept.

    Points come in the order of their indices, so one as far as the farthest is not
    nearer.
    """
    k = found.shape[0]
    if k <= FEW:
        return insert(d, j, count, found, distances)
    if count == k:
        found[0], distances[0] = j, d
        sink(0, k, found, distances)
        return count
    found[count], distances[count] = j, d
    if count + 1 == k:
        for top in range(k // 2 - 1, -1, -1):
            sink(top, k, found, distances)
    return count + 1


@compiled
def insert(d, j, count, found, distances):
    """Do the same in a list, behind those that are not farther."""
    at = min(count, found.shape[0] - 1)
    while at > 0 and d < distances[at - 1]:
        found[at], distances[at] = found[at - 1], distances[at - 1]
        at -= 1
    found[at], distances[at] = j, d
    return min(count + 1, found.shape[0])


@compiled
def sink(top, count, found, distances):
    """Let an entry of the heap sink below those that are farther."""
    d, j = distances[top], found[top]
    child = 2 * top + 1
    while child < count:
        if child + 1 < count and is_before(
            distances[child], found[child], distances[child + 1], found[child + 1]
        ):
            child += 1
        if not is_before(d, j, distances[child], found[child]):
            break
        distances[top], found[top] = distances[child], found[child]
        top, child = child, 2 * child + 1
    distances[top], found[top] = d, j


@compiled
def put_in_order(found, distances):
    """Turn a heap into a list, nearest first; a list is one already."""
    if found.shape[0] <= FEW:
        return
    for last in range(found.shape[0] - 1, 0, -1):
        found[0], found[last] = found[last], found[0]
        distances[0], distances[last] = distances[last], distances[0]
        sink(0, last, found, distances)


@compiled
def is_before(d, i, e, j):
    """Return whether point i at distance d comes before point j at distance e."""
    return d < e or (d == e and i < j)
