"""Weighted stress and its slope, in one pass over the pairs i < j.

A block of rows adds into a gradient of its own; the caller adds the blocks up in order.
So every pair is visited once and the bits do not depend on the number of threads.
"""

import numpy as np

from labelscape._core.jit import compiled

# Coincident images have no direction to part in. Divided by this, their pull is finite
# and its product with z_i - z_j = 0 vanishes, without a branch in the loop.
TINY = 1e-100


@compiled
def dense_stress(Z, T, V, start, stop, gradient):
    """Return the stress of the pairs (i, j > i), i in start..stop-1; add their slope.

    stress = sum v_ij (d_ij - T_ij)^2,   slope of it at z_i = sum_j 2 v_ij (1 - T_ij /
    d_ij)(z_i - z_j)                                                (Def. 5.1, v = w/D)

    Z is (q, n); T and V hold one number per pair, row after row (condensed); so the
    loops over j are contiguous and vectorised. ``gradient`` (q, n) is added to.
    """
    q, n = Z.shape
    d_row, pull_row = np.empty(n), np.empty(n)
    total = 0.0
    for i in range(start, stop):
        m = n - 1 - i
        first = i * n - i * (i + 1) // 2
        t, v = T[first : first + m], V[first : first + m]
        d, pull = d_row[:m], pull_row[:m]
        d[:] = 0.0
        for k in range(q):
            zi, others = Z[k, i], Z[k, i + 1 :]
            for j in range(m):
                d[j] += (zi - others[j]) * (zi - others[j])
        for j in range(m):
            dj = np.sqrt(d[j])
            gap = dj - t[j]
            pull[j] = 2.0 * v[j] * gap / max(dj, TINY)
            d[j] = v[j] * gap * gap
        total += lane_sum(d)
        for k in range(q):
            zi, others, slopes = Z[k, i], Z[k, i + 1 :], gradient[k, i + 1 :]
            for j in range(m):
                d[j] = pull[j] * (zi - others[j])
                slopes[j] -= d[j]
            gradient[k, i] += lane_sum(d)
    return total


@compiled
def sparse_stress(Z, starts, partners, T, V, start, stop, gradient):
    """Return the same for listed pairs only: row i has ``partners[starts[i]:...]``."""
    q = Z.shape[0]
    total = 0.0
    for i in range(start, stop):
        for pair in range(starts[i], starts[i + 1]):
            j = partners[pair]
            d = 0.0
            for k in range(q):
                d += (Z[k, i] - Z[k, j]) * (Z[k, i] - Z[k, j])
            d = np.sqrt(d)
            gap = d - T[pair]
            total += V[pair] * gap * gap
            if d > 0.0:
                pull = 2.0 * V[pair] * gap / d
                for k in range(q):
                    move = pull * (Z[k, i] - Z[k, j])
                    gradient[k, i] += move
                    gradient[k, j] -= move
    return total


@compiled
def lane_sum(a):
    """Return the sum of ``a``, in four lanes that need not wait for each other."""
    s0 = s1 = s2 = s3 = 0.0
    whole = len(a) - len(a) % 4
    for j in range(0, whole, 4):
        s0 += a[j]
        s1 += a[j + 1]
        s2 += a[j + 2]
        s3 += a[j + 3]
    for j in range(whole, len(a)):
        s0 += a[j]
    return (s0 + s1) + (s2 + s3)
