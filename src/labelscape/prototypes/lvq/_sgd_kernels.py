"""One epoch of the paper's online training; a kernel per form (eqs. 13-17, 23-31).

Prototypes, Omega and local matrices move along the gradient at their *old* values.
Prototypes are stored transposed (N, l) and their projections ``P = W Omega^T`` are kept
up to date as (M, l), so that distances to all prototypes are loops over contiguous
memory:

* moving prototype L by ``c u`` moves column L of P by ``c Omega u``;
* the rank-two change ``Omega - b_J e_J v_J^T - b_K e_K v_K^T`` changes column i by
  ``-b_J (v_J.w_i) e_J - b_K (v_K.w_i) e_K``: 4 l N flops for any M, whereas projecting
  again costs 2 l M N.

P is computed again in every epoch, so that rounding errors do not add up.

Kernels take ``samples`` (X, center, classes, order, weights), W^T and the matrices that
are learned, ``layout`` (first, group), ``rates`` (of prototypes, matrices and local
matrices; whether steps are capped) and ``cost`` (slope, tiny, the penalties on Omega
and on local matrices, whether these are normalized), and train in place.
"""

import numpy as np

from labelscape._core.jit import compiled_reordering
from labelscape.prototypes.lvq._batch_kernels import (
    projected_distances,
    relative_difference,
    squashed,
    winners,
)


@compiled_reordering
def steps(d, c, first, weight, slope, tiny):
    """Return the nearest prototypes J, K and the cost's derivatives in d_J and d_K."""
    J, K = winners(d, first[c], first[c + 1])
    mu, gamma_J, gamma_K = relative_difference(d[J], d[K], 0.0, tiny)
    _, phi_slope = squashed(mu, slope)
    return J, K, weight * phi_slope * gamma_J, weight * phi_slope * gamma_K


@compiled_reordering
def capped(step, largest, clip):
    """Return the step of an attracted prototype, which must not pass the sample."""
    if clip and step * largest > 1.0:
        return 1.0 / largest
    return step


@compiled_reordering
def times(A, x, out):
    for k in range(A.shape[0]):
        total = 0.0
        for j in range(A.shape[1]):
            total += A[k, j] * x[j]
        out[k] = total


@compiled_reordering
def transposed_times(A, x, out):
    out[:] = 0.0
    for k in range(A.shape[0]):
        for j in range(A.shape[1]):
            out[j] += A[k, j] * x[k]


@compiled_reordering
def squared_norm(A):
    """Return the sum of squares of a matrix, which bounds its largest eigenvalue."""
    total = 0.0
    for k in range(A.shape[0]):
        for j in range(A.shape[1]):
            total += A[k, j] * A[k, j]
    return total


@compiled_reordering
def squared_length(x):
    total = 0.0
    for k in range(x.shape[0]):
        total += x[k] * x[k]
    return total


@compiled_reordering
def normalize(A):
    """Divide a matrix by its Frobenius norm (eq. 17); return the norm."""
    norm = np.sqrt(squared_norm(A))
    # The caller reports a zero or infinite norm, with advice.
    if norm > 0.0:
        for k in range(A.shape[0]):
            for j in range(A.shape[1]):
                A[k, j] /= norm
    return norm


@compiled_reordering
def project(Omega, WT, P):
    """Write ``Omega W^T`` into P (M, l).

    Plain loops, here and below: calls into BLAS and LAPACK would take longer to compile
    than these small products take to run.
    """
    for k in range(Omega.shape[0]):
        P[k] = 0.0
        for j in range(Omega.shape[1]):
            for p in range(WT.shape[1]):
                P[k, p] += Omega[k, j] * WT[j, p]


@compiled_reordering
def penalty_step(Omega, rate):
    """Move Omega along the gradient of ``log det(Omega Omega^T) - M log |Omega|^2``.

    The gradient (A8) is ``2 ((Omega Omega^T)^-1 Omega - M Omega / |Omega|^2)``; the
    inverse is applied with the Cholesky factor L of the Gram matrix. A small ridge is
    added, in case the Gram matrix is singular; the step is then large.
    """
    M, N = Omega.shape
    size = squared_norm(Omega)
    L = np.zeros((M, M))
    for a in range(M):
        for b in range(a + 1):
            total = 1e-14 * size if a == b else 0.0
            for j in range(N):
                total += Omega[a, j] * Omega[b, j]
            for k in range(b):
                total -= L[a, k] * L[b, k]
            L[a, b] = np.sqrt(total) if a == b else total / L[b, b]
    Z = Omega.copy()
    for a in range(M):
        for k in range(a):
            Z[a] -= L[a, k] * Z[k]
        Z[a] /= L[a, a]
    for a in range(M - 1, -1, -1):
        for k in range(a + 1, M):
            Z[a] -= L[k, a] * Z[k]
        Z[a] /= L[a, a]
    for a in range(M):
        for j in range(N):
            Omega[a, j] += 2.0 * rate * (Z[a, j] - M / size * Omega[a, j])


@compiled_reordering
def epoch_diagonal(samples, WT, omega, layout, rates, cost):
    """Train GLVQ (``a2 = 0``) or GRLVQ for one epoch, in place.

    d d_L / d w_Lj = -2 omega_j^2 v_Lj,      d d_L / d omega_j = 2 omega_j v_Lj^2
    """
    X, center, classes, order, weights = samples
    (first, _), (a1, a2, _, clip) = layout, rates
    slope, tiny = cost[:2]
    N, n_prototypes = WT.shape
    d = np.empty(n_prototypes)
    norm = 1.0
    for i in order:
        d[:] = 0.0
        largest = 0.0
        for j in range(N):
            relevance = omega[j] * omega[j]
            largest = max(largest, relevance)
            x = X[i, j] - center[j]
            for p in range(n_prototypes):
                gap = x - WT[j, p]
                d[p] += relevance * gap * gap
        J, K, g_J, g_K = steps(d, classes[i], first, weights[i], slope, tiny)
        c_J, c_K = capped(2.0 * a1 * g_J, largest, clip), 2.0 * a1 * g_K
        total = 0.0
        for j in range(N):
            x = X[i, j] - center[j]
            v_J, v_K = x - WT[j, J], x - WT[j, K]
            relevance = omega[j] * omega[j]
            WT[j, J] += c_J * relevance * v_J
            WT[j, K] += c_K * relevance * v_K
            omega[j] -= 2.0 * a2 * omega[j] * (g_J * v_J * v_J + g_K * v_K * v_K)
            total += omega[j] * omega[j]
        if a2 > 0.0:
            norm = np.sqrt(total)
            if norm > 0.0:
                omega /= norm
    return norm


@compiled_reordering
def epoch_matrix(samples, WT, Omega, layout, rates, cost):
    """Train GMLVQ or LiRaM LVQ for one epoch, in place (eqs. 13, 14 and 16)."""
    X, center, classes, order, weights = samples
    (first, _), (a1, a2, _, clip), (slope, tiny, theta, _, _) = layout, rates, cost
    N, n_prototypes = WT.shape
    M = Omega.shape[0]
    P = np.empty((M, n_prototypes))
    project(Omega, WT, P)
    x, u_J, u_K = np.empty(N), np.empty(N), np.empty(N)
    v_J, v_K = np.empty(N), np.empty(N)
    y, e_J, e_K, moved = np.empty(M), np.empty(M), np.empty(M), np.empty(M)
    d = np.empty(n_prototypes)
    along_J, along_K = np.empty(n_prototypes), np.empty(n_prototypes)
    norm = 1.0
    for i in order:
        for j in range(N):
            x[j] = X[i, j] - center[j]
        times(Omega, x, y)
        projected_distances(y, P, d)
        J, K, g_J, g_K = steps(d, classes[i], first, weights[i], slope, tiny)
        for k in range(M):
            e_J[k], e_K[k] = y[k] - P[k, J], y[k] - P[k, K]
        for j in range(N):
            v_J[j], v_K[j] = x[j] - WT[j, J], x[j] - WT[j, K]
        transposed_times(Omega, e_J, u_J)
        transposed_times(Omega, e_K, u_K)

        # |Omega|_F = 1 bounds the largest eigenvalue of Lambda by 1.
        c_J, c_K = capped(2.0 * a1 * g_J, 1.0, clip), 2.0 * a1 * g_K
        for j in range(N):
            WT[j, J] += c_J * u_J[j]
            WT[j, K] += c_K * u_K[j]
        times(Omega, u_J, moved)
        for k in range(M):
            P[k, J] += c_J * moved[k]
        times(Omega, u_K, moved)
        for k in range(M):
            P[k, K] += c_K * moved[k]
        if a2 == 0.0:
            continue

        if theta > 0.0:  # first, because all gradients use the old Omega
            penalty_step(Omega, a2 * theta)
        b_J, b_K = 2.0 * a2 * g_J, 2.0 * a2 * g_K
        for k in range(M):
            for j in range(N):
                Omega[k, j] -= b_J * e_J[k] * v_J[j] + b_K * e_K[k] * v_K[j]
        norm = normalize(Omega)
        if theta > 0.0:
            project(Omega, WT, P)
            continue
        along_J[:] = 0.0
        along_K[:] = 0.0
        for j in range(N):
            for p in range(n_prototypes):
                along_J[p] += v_J[j] * WT[j, p]
                along_K[p] += v_K[j] * WT[j, p]
        for k in range(M):
            pull, push = b_J * e_J[k], b_K * e_K[k]
            for p in range(n_prototypes):
                P[k, p] = (P[k, p] - pull * along_J[p] - push * along_K[p]) / norm
    return norm


@compiled_reordering
def epoch_local(samples, WT, Psi, layout, rates, cost):
    """Train LGMLVQ for one epoch, in place: eqs. 13-16 with a matrix per prototype."""
    X, center, classes, order, weights = samples
    (first, group), (a1, a2, _, clip) = layout, rates
    slope, tiny, _, theta, normalize_local = cost
    N, n_prototypes = WT.shape
    M = Psi.shape[1]
    x, v, u, d = np.empty(N), np.empty((2, N)), np.empty(N), np.empty(n_prototypes)
    f = np.empty((2, M))
    norm = 1.0
    for i in order:
        for j in range(N):
            x[j] = X[i, j] - center[j]
        for p in range(n_prototypes):
            for j in range(N):
                u[j] = x[j] - WT[j, p]
            times(Psi[group[p]], u, f[0])
            d[p] = squared_length(f[0])
        J, K, g_J, g_K = steps(d, classes[i], first, weights[i], slope, tiny)
        for side, L in enumerate((J, K)):
            for j in range(N):
                v[side, j] = x[j] - WT[j, L]
            times(Psi[group[L]], v[side], f[side])
        for side, L, g in ((0, J, g_J), (1, K, g_K)):
            matrix = Psi[group[L]]
            transposed_times(matrix, f[side], u)
            c = capped(2.0 * a1 * g, squared_norm(matrix), clip)
            for j in range(N):
                WT[j, L] += c * u[j]
        if a2 == 0.0:
            continue
        # J and K are of different classes, so their matrices are different.
        for side, L, g in ((0, J, g_J), (1, K, g_K)):
            matrix = Psi[group[L]]
            if theta > 0.0:
                penalty_step(matrix, a2 * theta)
            for k in range(M):
                for j in range(N):
                    matrix[k, j] -= 2.0 * a2 * g * f[side, k] * v[side, j]
            if normalize_local:
                norm = normalize(matrix)
    return norm


@compiled_reordering
def epoch_shared_local(samples, WT, Omega, Psi, layout, rates, cost):
    """Train localized LiRaM LVQ for one epoch, in place (eqs. 23, 28 and 31).

    The minus sign that is missing in eq. 23 is added: as printed, the cost would rise.
    """
    X, center, classes, order, weights = samples
    (first, group), (a1, a2, a3, clip) = layout, rates
    slope, tiny, theta, local_theta, normalize_local = cost
    N, n_prototypes = WT.shape
    M = Omega.shape[0]
    P = np.empty((M, n_prototypes))
    project(Omega, WT, P)
    x, v, u = np.empty(N), np.empty((2, N)), np.empty((2, N))
    y, e, f, h = np.empty(M), np.empty((2, M)), np.empty((2, M)), np.empty((2, M))
    d = np.empty(n_prototypes)
    norm = 1.0
    for i in order:
        for j in range(N):
            x[j] = X[i, j] - center[j]
        times(Omega, x, y)
        for p in range(n_prototypes):
            for k in range(M):
                e[0, k] = y[k] - P[k, p]
            times(Psi[group[p]], e[0], f[0])
            d[p] = squared_length(f[0])
        J, K, g_J, g_K = steps(d, classes[i], first, weights[i], slope, tiny)
        for side, L in enumerate((J, K)):
            for k in range(M):
                e[side, k] = y[k] - P[k, L]
            for j in range(N):
                v[side, j] = x[j] - WT[j, L]
            times(Psi[group[L]], e[side], f[side])
            transposed_times(Psi[group[L]], f[side], h[side])
            transposed_times(Omega, h[side], u[side])

        for side, L, g in ((0, J, g_J), (1, K, g_K)):
            matrix = Psi[group[L]]
            c = capped(2.0 * a1 * g, squared_norm(matrix), clip)
            for j in range(N):
                WT[j, L] += c * u[side, j]
            if a3 > 0.0:
                if local_theta > 0.0:
                    penalty_step(matrix, a3 * local_theta)
                for k in range(M):
                    for s in range(M):
                        matrix[k, s] -= 2.0 * a3 * g * f[side, k] * e[side, s]
                if normalize_local:
                    norm = normalize(matrix)
                    if not norm > 0.0:
                        return norm
        if a2 > 0.0:
            if theta > 0.0:
                penalty_step(Omega, a2 * theta)
            b_J, b_K = 2.0 * a2 * g_J, 2.0 * a2 * g_K
            for k in range(M):
                for j in range(N):
                    Omega[k, j] -= b_J * h[0, k] * v[0, j] + b_K * h[1, k] * v[1, j]
            norm = normalize(Omega)
        project(Omega, WT, P)
    return norm
