"""Compiled distances by differences, vectorised over the second set of points."""

from labelscape._core.jit import compiled


@compiled
def squared_differences(A, features, out):
    """Write ``sum_k (A[i, k] - features[k, j])^2`` into ``out[i, j]``.

    ``features`` is the transposed second set (d, m): its rows are contiguous in j, so
    the compiler may use vector instructions without changing the order of any sum.
    """
    for i in range(A.shape[0]):
        row_of_squared_differences(A[i], features, out[i])


@compiled
def row_of_squared_differences(a, features, out):
    """Write ``sum_k (a[k] - features[k, j])^2`` into ``out[j]``, k ascending."""
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
