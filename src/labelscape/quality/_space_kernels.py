"""Compiled Euclidean distances: whole rows tile by tile, and single pairs."""

from labelscape._core._distance_kernels import row_of_squared_differences
from labelscape._core.jit import compiled


@compiled
def rows_of_squared_distances(A, tiles, tail, out):
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
def squared_distances_of_pairs(X, i, j, out):
    """Write ``sum_k (X[i[p], k] - X[j[p], k])^2`` into ``out[p]``, k ascending."""
    for p in range(i.shape[0]):
        a, b = X[i[p]], X[j[p]]
        total = 0.0
        for k in range(X.shape[1]):
            total += (a[k] - b[k]) * (a[k] - b[k])
        out[p] = total
