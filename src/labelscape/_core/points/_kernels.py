"""Compiled squared Euclidean distances, and the search for nearest neighbors.

Distances are sums of squared differences, so duplicates have distance exactly 0.

For small k, neighbors are kept in a sorted list; for large k, in a heap with the
farthest on top, where an insertion costs log(k) operations. Rows may be *screened*:
computed with a matrix product, with rounding errors of up to ``slack``. If rounding may
change the order of two distances, both are computed exactly.
"""

import numpy as np

from labelscape._core.jit import compiled


@compiled
def rows_of_squared_differences(A, tiles, tail, out):
    """Write the squared distances of the rows of A (b, d) to n points into out (b, n).

    The points are cut into ``tiles`` (t, d, w) of w columns each; ``tail`` (d, n - t w)
    has the last columns. A tile fits in the processor's cache, and is used for all rows
    of A before the next one is loaded.
    """
    n_tiles, _, width = tiles.shape
    for t in range(n_tiles):
        tile = tiles[t]
        for i in range(A.shape[0]):
            row_of_squared_differences(A[i], tile, out[i][t * width : (t + 1) * width])
    for i in range(A.shape[0]):
        row_of_squared_differences(A[i], tail, out[i][n_tiles * width :])


@compiled
def row_of_squared_differences(a, features, out):
    """Write ``sum_k (a[k] - features[k, j])^2`` into ``out[j]``, added in order.

    ``features`` is the transposed second set (d, m): its rows are contiguous in j, so
    the compiler may use vector instructions without changing the order of any sum.
    """
    d, m = features.shape
    out[:] = 0.0
    k = 0
    # Four features per pass: `out` is read and written a quarter as often, and each sum
    # still adds the features in order.
    while k + 4 <= d:
        a0, a1, a2, a3 = a[k], a[k + 1], a[k + 2], a[k + 3]
        f0, f1, f2, f3 = features[k], features[k + 1], features[k + 2], features[k + 3]
        for j in range(m):
            total = out[j]
            total += (a0 - f0[j]) * (a0 - f0[j])
            total += (a1 - f1[j]) * (a1 - f1[j])
            total += (a2 - f2[j]) * (a2 - f2[j])
            total += (a3 - f3[j]) * (a3 - f3[j])
            out[j] = total
        k += 4
    while k < d:
        ak, fk = a[k], features[k]
        for j in range(m):
            out[j] += (ak - fk[j]) * (ak - fk[j])
        k += 1


@compiled
def squared_difference(a, b):
    """Return ``|a - b|^2``, with the same rounding as for whole rows."""
    total = 0.0
    for k in range(len(a)):
        total += (a[k] - b[k]) * (a[k] - b[k])
    return total


@compiled
def quick_squared_difference(a, b):
    """Return ``|a - b|^2`` as four partial sums, which a processor adds in parallel."""
    s0 = s1 = s2 = s3 = 0.0
    k = 0
    while k + 4 <= len(a):
        s0 += (a[k] - b[k]) * (a[k] - b[k])
        s1 += (a[k + 1] - b[k + 1]) * (a[k + 1] - b[k + 1])
        s2 += (a[k + 2] - b[k + 2]) * (a[k + 2] - b[k + 2])
        s3 += (a[k + 3] - b[k + 3]) * (a[k + 3] - b[k + 3])
        k += 4
    while k < len(a):
        s0 += (a[k] - b[k]) * (a[k] - b[k])
        k += 1
    return (s0 + s1) + (s2 + s3)


@compiled
def correct_close(A, B, A_norms, B_norms, share, D):
    """Recompute entries of D that are small relative to the norms, from differences."""
    for i in range(D.shape[0]):
        for j in range(D.shape[1]):
            if D[i, j] <= share * (A_norms[i] + B_norms[j]):
                D[i, j] = quick_squared_difference(A[i], B[j])


@compiled
def listed_squares(A, B, bounds, chosen, out):
    """Write ``|A_i - B_j|^2`` for j in ``chosen[bounds[i]:bounds[i + 1]]``."""
    for i in range(len(A)):
        for k in range(bounds[i], bounds[i + 1]):
            out[k] = quick_squared_difference(A[i], B[chosen[k]])


FEW = 32  # up to this many neighbors, a list is faster than a heap


@compiled
def nearest_of_rows(D, own, indices, distances):
    """Write the k nearest points of each row of D (b, n), except point ``own`` (b,)."""
    for i in range(D.shape[0]):
        nearest(D[i], own[i], indices[i], distances[i])


@compiled
def nearest_of_screened_rows(V, slack, X, own, indices, distances):
    """Write the nearest neighbors of points ``own``, from their screened rows V."""
    for i in range(V.shape[0]):
        nearest_screened(V[i], slack[i], X, own[i], indices[i], distances[i])


@compiled
def nearest(row, own, indices, distances):
    """Write indices and distances (k,) of the nearest points, nearest first."""
    n, k = row.shape[0], indices.shape[0]
    if k > n - (0 <= own < n):
        raise ValueError(
            "There are fewer points than the number of neighbors requested."
        )
    if k == 0:
        return
    j = count = 0
    while count < k and j < n:
        if j != own:
            count = keep(row[j], j, count, indices, distances)
        j += 1
    last = place_of_farthest(k)
    farthest = distances[last]  # in a register: nearly all points fail this test
    rest = row[j:]  # an index that starts at 0 needs no check of its sign
    for p in range(rest.shape[0]):
        if rest[p] < farthest and j + p != own:
            keep(rest[p], j + p, count, indices, distances)
            farthest = distances[last]
    put_in_order(indices, distances)


@compiled
def nearest_screened(row, slack, X, own, indices, distances):
    """Write the nearest neighbors of point ``own`` of X, from its screened row."""
    nearest(row, own, indices, distances)
    if slack == 0.0 or indices.shape[0] == 0:
        return
    k, count = indices.shape[0], 0
    last = place_of_farthest(k)
    reach = distances[k - 1] + 2.0 * slack
    for j in range(row.shape[0]):
        if row[j] <= reach and j != own:
            d = np.sqrt(squared_difference(X[own], X[j]))
            if count < k or d < distances[last]:
                count = keep(d, j, count, indices, distances)
    put_in_order(indices, distances)


@compiled
def place_of_farthest(k):
    """Return the index of the farthest of k stored points."""
    return k - 1 if k <= FEW else 0


@compiled
def keep(d, j, count, indices, distances):
    """Store a nearer point; return how many are stored. Pass points in index order."""
    k = indices.shape[0]
    if k <= FEW:
        return insert(d, j, count, indices, distances)
    if count == k:
        indices[0], distances[0] = j, d
        sink(0, k, indices, distances)
        return count
    indices[count], distances[count] = j, d
    if count + 1 == k:
        for top in range(k // 2 - 1, -1, -1):
            sink(top, k, indices, distances)
    return count + 1


@compiled
def insert(d, j, count, indices, distances):
    """Insert a nearer point into a sorted list, behind points at the same distance."""
    at = min(count, indices.shape[0] - 1)
    while at > 0 and d < distances[at - 1]:
        indices[at], distances[at] = indices[at - 1], distances[at - 1]
        at -= 1
    indices[at], distances[at] = j, d
    return min(count + 1, indices.shape[0])


@compiled
def sink(top, count, indices, distances):
    """Move an entry of the heap down, below all entries that are farther."""
    d, j = distances[top], indices[top]
    child = 2 * top + 1
    while child < count:
        if child + 1 < count and is_before(
            distances[child], indices[child], distances[child + 1], indices[child + 1]
        ):
            child += 1
        if not is_before(d, j, distances[child], indices[child]):
            break
        distances[top], indices[top] = distances[child], indices[child]
        top, child = child, 2 * child + 1
    distances[top], indices[top] = d, j


@compiled
def put_in_order(indices, distances):
    """Turn a heap into a list, nearest first; sorted lists remain unchanged."""
    if indices.shape[0] <= FEW:
        return
    for last in range(indices.shape[0] - 1, 0, -1):
        indices[0], indices[last] = indices[last], indices[0]
        distances[0], distances[last] = distances[last], distances[0]
        sink(0, last, indices, distances)


@compiled
def is_before(d, i, e, j):
    """Return whether point i at distance d comes before point j at distance e."""
    return d < e or (d == e and i < j)


@compiled
def count_hits(labels, answers, hits, counts):
    """Count samples and correct predictions of each class, per row of ``labels``."""
    for row in range(labels.shape[0]):
        for i in range(labels.shape[1]):
            label = labels[row, i]
            counts[row, label] += 1
            hits[row, label] += label == answers[i]
