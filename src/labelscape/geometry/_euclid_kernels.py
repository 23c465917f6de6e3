"""Squared distances of near and of listed pairs of points, by differences."""

from labelscape._core.jit import compiled


@compiled
def squared_difference(a, b):
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
                D[i, j] = squared_difference(A[i], B[j])


@compiled
def listed_squares(A, B, bounds, chosen, out):
    """Write ``|A_i - B_j|^2`` for j in ``chosen[bounds[i]:bounds[i + 1]]``."""
    for i in range(len(A)):
        for k in range(bounds[i], bounds[i + 1]):
            out[k] = squared_difference(A[i], B[chosen[k]])
