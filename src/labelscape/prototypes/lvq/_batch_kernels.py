"""Cost and gradient of all samples: the compiled part, outside BLAS.

Prototypes are sorted by class: class c has ``first[c] <= index < first[c + 1]``.
"Own class" is then a range of indices. Kernels get the projected prototypes (M, l).
"""

import math

import numpy as np

from labelscape._core.jit import compiled

TILE = 64  # samples at a time


@compiled
def winners(d, start, stop):
    """Return the nearest prototype J of the own class, and K of the other classes.

    Indices of the own class are ``start <= index < stop``. Ties go to the lowest index.
    """
    J = start
    for p in range(start + 1, stop):
        if d[p] < d[J]:
            J = p
    K = 0 if start > 0 else stop
    for p in range(K + 1, start):
        if d[p] < d[K]:
            K = p
    for p in range(stop, d.shape[0]):
        if d[p] < d[K]:
            K = p
    return J, K


@compiled
def projected_distances(y, PT, d):
    """Write ``|y - P_l|^2`` into ``d[p]`` for the columns P_l of PT (M, l)."""
    M, n_prototypes = PT.shape
    d[:] = 0.0
    for k in range(M):
        for p in range(n_prototypes):
            gap = y[k] - PT[k, p]
            d[p] += gap * gap


@compiled
def local_distances(F, i, QT, group, d):
    """Write ``|F[group[p], i] - Q_l|^2`` into ``d[p]`` for sample i."""
    M, n_prototypes = QT.shape
    for p in range(n_prototypes):
        total = 0.0
        for k in range(M):
            gap = F[group[p], i, k] - QT[k, p]
            total += gap * gap
        d[p] = total


@compiled
def tile_distances(y, PT, d):
    """Write the squared distances of a tile of samples y (M, TILE) to d (l, TILE)."""
    for p in range(PT.shape[1]):
        for t in range(TILE):
            d[p, t] = 0.0
        for k in range(PT.shape[0]):
            for t in range(TILE):
                gap = y[k, t] - PT[k, p]
                d[p, t] += gap * gap


@compiled
def tile_winners(d, classes, owner, J, K, d_J, d_K):
    """Write the nearest prototypes of the own class and of others, and their distances.

    Ties go to the lowest index.
    """
    J[:], K[:], d_J[:], d_K[:] = 0, 0, np.inf, np.inf
    for p in range(d.shape[0]):
        c = owner[p]
        for t in range(TILE):  # selections, not branches: these are vectorized
            distance, is_own = d[p, t], classes[t] == c
            is_J = is_own and distance < d_J[t]
            is_K = (not is_own) and distance < d_K[t]
            d_J[t] = distance if is_J else d_J[t]
            J[t] = p if is_J else J[t]
            d_K[t] = distance if is_K else d_K[t]
            K[t] = p if is_K else K[t]


@compiled
def cost_of_tile(y, PT, J, K, d_J, d_K, weights, start, b, slope, blur, tiny, A, E):
    """Add up the cost of the b samples in a tile y (M, TILE); prepare the gradient.

    With ``e_L = y - P_L`` and ``g_L = w Phi'(mu) gamma_L`` for L = J, K this writes
    ``A[:, t] = g_J e_J + g_K e_K`` and adds ``g_L e_L`` to ``E[L]`` (l, M). Both
    gradients are products of A and E (eqs. 10 and 15 summed over the samples):

        dE/dOmega = 2 (A X - E^T W),     dE/dW = -2 E Omega

    Returns the weighted sums of Phi(mu), of correct decisions and of dPhi(mu)/dblur.
    """
    cost, correct, blur_slope = 0.0, 0.0, 0.0
    for t in range(b):
        mu, gamma_J, gamma_K = relative_difference(d_J[t], d_K[t], blur, tiny)
        phi, phi_slope = squashed(mu, slope)
        weight = weights[start + t]
        cost += weight * phi
        # d mu / d blur = -mu / total, with 1 / total = (gamma_J - gamma_K) / 2
        blur_slope -= weight * phi_slope * mu * (gamma_J - gamma_K) / 2.0
        if d_J[t] < d_K[t] or (d_J[t] == d_K[t] and J[t] < K[t]):
            correct += weight
        gamma_J *= weight * phi_slope
        gamma_K *= weight * phi_slope
        for k in range(y.shape[0]):
            pull = gamma_J * (y[k, t] - PT[k, J[t]])
            push = gamma_K * (y[k, t] - PT[k, K[t]])
            A[k, t] = pull + push
            E[J[t], k] += pull
            E[K[t], k] += push
    A[:, b:] = 0.0
    return cost, correct, blur_slope


@compiled
def tile_projections(x, OmegaT, y):
    """Write the projections of samples x (N, TILE) into y (M, TILE)."""
    y[:] = 0.0
    for k in range(y.shape[0]):
        for j in range(x.shape[0]):
            for t in range(TILE):
                y[k, t] += OmegaT[j, k] * x[j, t]


@compiled
def add_outer(A, x, S):
    """Add ``A x^T`` of a tile to S (M, N); each entry is eight sums, in fixed order."""
    for k in range(S.shape[0]):
        for j in range(S.shape[1]):
            s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
            for t in range(0, TILE, 8):
                s0 += A[k, t] * x[j, t]
                s1 += A[k, t + 1] * x[j, t + 1]
                s2 += A[k, t + 2] * x[j, t + 2]
                s3 += A[k, t + 3] * x[j, t + 3]
                s4 += A[k, t + 4] * x[j, t + 4]
                s5 += A[k, t + 5] * x[j, t + 5]
                s6 += A[k, t + 6] * x[j, t + 6]
                s7 += A[k, t + 7] * x[j, t + 7]
            S[k, j] += ((s0 + s4) + (s1 + s5)) + ((s2 + s6) + (s3 + s7))


@compiled
def transposed(X, start, center, x):
    """Write samples minus a center to a tile x (N, TILE); return their number."""
    b = min(TILE, X.shape[0] - start)
    for j in range(x.shape[0]):
        for t in range(b):
            x[j, t] = X[start + t, j] - center[j]
    return b


@compiled
def cost_of_samples(
    X, center, OmegaT, PT, classes, owner, weights, slope, blur, tiny, A, E, S
):
    """Add up the cost of samples X (b, N) minus a center, and prepare the gradient.

    With a matrix ``OmegaT`` (N, M) the samples are projected here, and
    ``a (x - center)^T`` is added to S (M, N). If ``OmegaT`` has no columns, X is
    already projected, and each ``a`` is written to a row of A (b, M).

    Samples are processed in transposed tiles: the innermost loops then run over
    samples, which can be vectorized without reordering a sum.
    """
    N, M = X.shape[1], PT.shape[0]
    is_projected = OmegaT.shape[1] == 0
    x, y, a = np.zeros((N, TILE)), np.zeros((M, TILE)), np.empty((M, TILE))
    d, d_J, d_K = np.empty((PT.shape[1], TILE)), np.empty(TILE), np.empty(TILE)
    codes, J, K = (
        np.zeros(TILE, np.intp),
        np.empty(TILE, np.intp),
        np.empty(TILE, np.intp),
    )
    cost, correct, blur_slope = 0.0, 0.0, 0.0
    for start in range(0, X.shape[0], TILE):
        if is_projected:
            b = transposed(X, start, center, y)
        else:
            b = transposed(X, start, center, x)
            tile_projections(x, OmegaT, y)
        for t in range(b):
            codes[t] = classes[start + t]
        tile_distances(y, PT, d)
        tile_winners(d, codes, owner, J, K, d_J, d_K)
        sums = cost_of_tile(
            y, PT, J, K, d_J, d_K, weights, start, b, slope, blur, tiny, a, E
        )
        cost += sums[0]
        correct += sums[1]
        blur_slope += sums[2]
        if is_projected:
            for t in range(b):
                for k in range(M):
                    A[start + t, k] = a[k, t]
        else:
            add_outer(a, x, S)
    return cost, correct, blur_slope


@compiled
def cost_of_local_projections(
    Y, F, P, QT, Psi, group, classes, first, weights, slope, blur, tiny, A, E, G
):
    """Add up the cost where each prototype L has the matrix ``Psi[group[L]]``.

    Y (b, S) contains samples in the shared space, and P (l, S) the prototypes. F (g, b,
    M) contains samples projected by local matrices, and QT (M, l) prototypes. With
    ``e_L = y - P_L``, ``f_L = Psi_L e_L`` and ``h_L = Psi_L^T f_L`` it writes ``A[i] =
    g_J h_J + g_K h_K``, adds ``g_L h_L`` to ``E[L]`` and ``2 g_L f_L e_L^T`` to
    ``G[group[L]]`` (eq. 29). The other gradients follow as in `cost_of_tile` (eqs. 21
    and 26).

    Returns the weighted sums of Phi(mu), of correct decisions and of dPhi(mu)/dblur.
    """
    b, S = Y.shape
    M, n_prototypes = QT.shape
    d = np.empty(n_prototypes, dtype=Y.dtype)
    f = np.empty(M, dtype=np.float64)
    cost, correct, blur_slope = 0.0, 0.0, 0.0
    for i in range(b):
        local_distances(F, i, QT, group, d)
        J, K = winners(d, first[classes[i]], first[classes[i] + 1])
        mu, gamma_J, gamma_K = relative_difference(d[J], d[K], blur, tiny)
        phi, phi_slope = squashed(mu, slope)
        cost += weights[i] * phi
        # d mu / d blur = -mu / total, with 1 / total = (gamma_J - gamma_K) / 2
        blur_slope -= weights[i] * phi_slope * mu * (gamma_J - gamma_K) / 2.0
        if d[J] < d[K] or (d[J] == d[K] and J < K):
            correct += weights[i]
        A[i] = 0.0
        for L, gamma in ((J, gamma_J), (K, gamma_K)):
            g_L = weights[i] * phi_slope * gamma
            local = group[L]
            for k in range(M):
                f[k] = g_L * (F[local, i, k] - QT[k, L])
            for k in range(M):
                for s in range(S):
                    G[local, k, s] += 2.0 * f[k] * (Y[i, s] - P[L, s])
                    h = Psi[local, k, s] * f[k]
                    A[i, s] += h
                    E[L, s] += h
    return cost, correct, blur_slope


@compiled
def distances_of_projections(Y, PT, D):
    """Write ``|Y_i - P_l|^2`` into ``D[i, l]``."""
    for i in range(Y.shape[0]):
        projected_distances(Y[i], PT, D[i])


@compiled
def distances_of_local_projections(F, QT, group, D):
    """Write ``|F[group[p], i] - Q_l|^2`` into ``D[i, l]``."""
    for i in range(D.shape[0]):
        local_distances(F, i, QT, group, D[i])


# The cost of the LVQ family: relative distance difference mu, its derivatives, Phi.
#
# Bunte et al. 2012, eqs. 1, 11 and 12. The models minimize this cost; the compiled
# loops call these functions for every sample.


@compiled
def relative_difference(d_J, d_K, blur, tiny):
    """Return mu and the derivatives ``gamma_J`` and ``gamma_K`` (eqs. 1, 11, 12).

    mu      = (d_J - d_K) / (d_J + d_K + blur), negative for a correct decision
    gamma_J =  (2 d_K + blur) / (d_J + d_K + blur)^2 >= 0
    gamma_K = -(2 d_J + blur) / (d_J + d_K + blur)^2 <= 0

    ``d_J`` and ``d_K`` are the distances to the nearest prototype of the sample's own
    class and of any other class. ``blur = 0`` is the paper's cost; `_training` explains
    other values. If the denominator is at most ``tiny``, both prototypes are at the
    position of the sample, and the gradient would be a rounding error.
    """
    total = d_J + d_K + blur
    if total <= tiny:
        return 0.0, 0.0, 0.0
    mu = (d_J - d_K) / total
    # (2 d_K + blur) / total = 1 - mu avoids squares of very small or very large sums.
    return mu, (1.0 - mu) / total, -(1.0 + mu) / total


@compiled
def squashed(mu, slope):
    """Return ``Phi(mu)`` and ``Phi'(mu)``: logistic, or the identity at slope 0."""
    if slope == 0.0:
        return mu, 1.0
    phi = 1.0 / (1.0 + math.exp(-slope * mu))
    return phi, slope * phi * (1.0 - phi)
