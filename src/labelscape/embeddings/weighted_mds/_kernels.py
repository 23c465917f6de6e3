"""Weighted stress and its gradient, in one pass over the pairs i < j.

Each block of rows has its own gradient, and the caller adds the blocks in order. So
each pair is computed once, and results do not depend on the number of threads.
"""

import numpy as np

from labelscape._core.jit import compiled

# Divisor in place of 0: the force between coincident points is finite, and its product
# with z_i - z_j = 0 vanishes, without a branch in the loop.
TINY = 1e-100


@compiled
def dense_stress(Z, T, V, start, stop, gradient):
    """Return the stress of pairs (i, j > i), i in start..stop-1; add their gradient.

    stress = sum v_ij (d_ij - T_ij)^2,   slope of it at z_i = sum_j 2 v_ij (1 - T_ij /
    d_ij)(z_i - z_j)                                                (Def. 5.1, v = w/D)

    Z is (q, n); T and V have one number per pair, row by row (condensed), so that the
    loops over j are contiguous and vectorized. The gradient is added to ``gradient``
    (q, n).
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
    """Return the stress of listed pairs; row i begins at ``partners[starts[i]]``."""
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
def settle_rows(D, V, Z, Y, max_iter, tol):
    """Place new points, each from the better of two starts, near its landmarks.

    D and V (b, L) are targets and factors 1 / D of each new point, Z (q, L) the
    landmarks. Positions are written to ``Y`` (b, q).
    """
    q, n = Z.shape
    first, second = np.empty(q), np.empty(q)
    for i in range(len(D)):
        nearest = np.argmin(D[i])
        for k in range(q):
            first[k] = Z[k, nearest]
        if D[i, nearest] > 0.0:
            total = 0.0
            second[:] = 0.0
            for j in range(n):
                v = V[i, j] * V[i, j]
                total += v
                for k in range(q):
                    second[k] += v * Z[k, j]
            second /= total
            stress = _settled(first, D[i], V[i], Z, max_iter, tol)
            if _settled(second, D[i], V[i], Z, max_iter, tol) < stress:
                first[:] = second
        Y[i] = first


@compiled
def _settled(y, d, v, Z, max_iter, tol):
    """Return the position near y (q,) at which a new point's stress is lowest.

    It takes Newton steps on sum_j v_j (|y - z_j| - d_j)^2. With r_j = |y - z_j| and the
    direction u_j from z_j, half its gradient is b = -sum_j v_j (d_j - r_j) u_j, and
    half its Hessian A = sum_j v_j (u_j u_j^T + (1 - d_j / r_j)(I - u_j u_j^T)). If A is
    not positive definite, its first term is used alone (Gauss-Newton). Steps are halved
    until they lower the stress.
    """
    q = len(y)
    A, B = np.empty((q, q)), np.empty((q, q))
    step, ahead, there = np.empty(q), np.empty(q), np.empty(q)
    short = tol * d.mean()
    stress = _curved(y, d, v, Z, A, B, step)
    _newton(A, B, step)
    for _ in range(max_iter):
        long = 0.0
        for k in range(q):
            there[k] = y[k] + step[k]
            long += step[k] * step[k]
        lower = _curved(there, d, v, Z, A, B, ahead)
        if lower < stress:
            stress = lower
            y[:] = there
            _newton(A, B, ahead)
            step[:] = ahead
        else:
            step /= 4.0
        if np.sqrt(long) <= short:
            break
    return stress


@compiled
def _curved(y, d, v, Z, A, B, b):
    """Return the stress of y; write its Hessian to A, the Gauss-Newton part to B."""
    q, n = Z.shape
    u = np.empty(q)
    A[:], B[:], b[:] = 0.0, 0.0, 0.0
    stress, across = 0.0, 0.0
    for j in range(n):
        r = 0.0
        for k in range(q):
            u[k] = y[k] - Z[k, j]
            r += u[k] * u[k]
        r = np.sqrt(r)
        gap = d[j] - r
        share = 1.0 / max(r, TINY)
        bent = v[j] * (1.0 - d[j] * share) if r > 0.0 else 0.0
        stress += v[j] * gap * gap
        across += bent
        for k in range(q):
            u[k] *= share
            b[k] += v[j] * gap * u[k]
            for m in range(k + 1):
                B[k, m] += v[j] * u[k] * u[m]
                A[k, m] += (v[j] - bent) * u[k] * u[m]
    for k in range(q):
        A[k, k] += across
    return stress


@compiled
def _newton(A, B, b):
    """Solve A x = b, or B x = b if A is not positive definite; b becomes x."""
    q = len(b)
    little = 0.0
    for k in range(q):
        # Landmarks on one line do not determine the other direction.
        little += 1e-9 * B[k, k]
    if not _factored(A, little):
        for k in range(q):
            B[k, k] += little + TINY
        _factored(B, 0.0)
        A[:] = B
    for k in range(q):
        for m in range(k):
            b[k] -= A[k, m] * b[m]
        b[k] /= A[k, k]
    for k in range(q - 1, -1, -1):
        for m in range(k + 1, q):
            b[k] -= A[m, k] * b[m]
        b[k] /= A[k, k]


@compiled
def _factored(A, least):
    """Write the Cholesky factor into the lower half of A; return whether it exists."""
    for k in range(len(A)):
        for m in range(k + 1):
            left = A[k, m]
            for h in range(m):
                left -= A[k, h] * A[m, h]
            if k > m:
                A[k, m] = left / A[m, m]
            elif left > least:
                A[k, k] = np.sqrt(left)
            else:
                return False
    return True


@compiled
def lane_sum(a):
    """Return the sum of ``a``, as four partial sums that are computed in parallel."""
    s0 = s1 = s2 = s3 = 0.0
    full = len(a) - len(a) % 4
    for j in range(0, full, 4):
        s0 += a[j]
        s1 += a[j + 1]
        s2 += a[j + 2]
        s3 += a[j + 3]
    for j in range(full, len(a)):
        s0 += a[j]
    return (s0 + s1) + (s2 + s3)
