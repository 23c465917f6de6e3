"""Compiled squared Euclidean distances: whole rows, single pairs, near pairs.

All are sums of squared differences, so that duplicates are at distance exactly 0.
"""

from labelscape._core.jit import compiled


@compiled
def rows_of_squared_differences(A, tiles, tail, out):
    """Write the squared distances of the rows of A (b, d) to n points into out (b, n).

    The points are cut into ``tiles`` (t, d, w) of w columns each, with what is left in
    ``tail`` (d, n - t w). A tile fits in the cache beside the core, where all rows of A
    meet it before the next one comes.
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
    """Write ``sum_k (a[k] - features[k, j])^2`` into ``out[j]``, k ascending.

    ``features`` is the transposed second set (d, m): its rows are contiguous in j, so
    the compiler may use vector instructions without changing the order of any sum.
    """
    d, m = features.shape
    out[:] = 0.0
    k = 0
    # Four features a pass: `out` is read and written a quarter as often, and each sum
    # still grows by one feature after the other.
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
    """Return ``|a - b|^2``, added up with k ascending: the bits of a whole row."""
    total = 0.0
    for k in range(len(a)):
        total += (a[k] - b[k]) * (a[k] - b[k])
    return total


@compiled
def quick_squared_difference(a, b):
    """Return ``|a - b|^2``, in four sums that a processor adds up side by side."""
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
def mend_close(A, B, A_norms, B_norms, share, D):
    """Work out entries of D below ``share`` of the norms again, by differences."""
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
