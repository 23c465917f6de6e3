"""Fisher lengths of many lines by matrix products, for many Parzen points (spec 8.11).

The class weights of all pairs at step t are a product of matrices,
``S_c(i, j) = sum_{p in c} exp((1-t) a_ip) exp(t a_jp)``, so BLAS does the work.
"""

import numpy as np

# Class weights of a block that stay in a core's cache: half for this step's, half for
# the roots of the step before.
CACHE_BYTES = 3 * 2**19


def product_lengths(rows, columns, starts, n_steps, offset, out):
    """Write the lengths from rows to all columns into ``out`` (b, m).

    Parameters
    ----------
    rows, columns : LogWeights
        Of b and m points.
    starts : ndarray of shape (C + 1,)
        Where the Parzen points of each class begin.
    n_steps : int
        Pieces of each line.
    offset : int
        As for the pair kernel: row i needs the columns from ``offset + i`` on; negative
        for all.
    out : ndarray of shape (b, m)
        The lengths; what lies in blocks of no needed column is left as it is.
    """
    steps = np.arange(1, n_steps) / n_steps
    powers = [np.exp(rows.F.dtype.type(1.0 - t) * rows.floored) for t in steps]
    side = _side(len(starts) - 1, rows.a.itemsize)
    for i in range(0, len(rows.a), side):
        inner = slice(i, i + side)
        left = [power[inner] for power in powers]
        first = 0 if offset < 0 else (offset + i) // side * side
        for j in range(first, len(columns.a), side):
            outer = slice(j, j + side)
            tile = _tile(
                left, rows.U[inner], columns.F[outer], columns.U[outer], starts
            )
            out[inner, outer] = tile


def _tile(left, U, F, V, starts):
    """Return the lengths (b, m) of one block of pairs."""
    from labelscape.geometry._fisher_kernels import last_step, step_along

    C, b, m = U.shape[1], len(U), len(F)
    sums = np.empty((C, b, m), F.dtype)
    flat = sums.reshape(C, b * m)
    previous = np.repeat(U.T, m, axis=1)
    total, h = np.empty(b * m, F.dtype), np.empty(b * m, F.dtype)
    out = np.zeros(b * m, F.dtype)
    right = np.ones_like(F)
    for power in left:
        right *= F
        for c in range(C):
            own = slice(starts[c], starts[c + 1])
            np.matmul(power[:, own], right[:, own].T, out=sums[c])
        step_along(flat, previous, total, h, out)
    last_step(np.tile(V.T, (1, b)), previous, h, out)
    return out.reshape(b, m)


def _side(n_classes, itemsize):
    """Return the side of square blocks whose class weights fit in the cache."""
    side = int(np.sqrt(CACHE_BYTES / (2 * n_classes * itemsize)))
    return max(32, min(256, side // 16 * 16))
