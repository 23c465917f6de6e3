"""Cost and gradient of all samples, for the part of an evaluation outside BLAS.

Prototypes are sorted by class: those of class c are ``first[c]`` to ``first[c + 1]``.
"Own class" is then a range of indices. They are passed projected and transposed (M, l):
the innermost loops are then over prototypes, which vectorizes without reordering a sum.
"""

import math

import numpy as np

from labelscape._core.jit import compiled


@compiled
def winners(d, start, stop):
    """Return J and K, the nearest prototypes of the own class and of other classes.

    Own class is ``start <= index < stop``. Ties go to the lowest index.
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
def cost_of_projections(Y, PT, classes, first, weights, slope, blur, tiny, A, E):
    """Add up the cost of projected samples Y (b, M), and prepare its gradient.

    With ``e_L = y - P_L`` and ``g_L = w Phi'(mu) gamma_L`` for L = J, K this writes
    ``A[i] = g_J e_J + g_K e_K`` and adds ``g_L e_L`` to ``E[L]`` (l, M). Both gradients
    are products of these (eqs. 10 and 15 summed over the samples):

        dE/dOmega = 2 (A^T X - E^T W),     dE/dW = -2 E Omega

    Returns the weighted sums of Phi(mu), of correct decisions and of dPhi(mu)/dblur.
    """
    b, M = Y.shape
    d = np.empty(PT.shape[1], dtype=Y.dtype)
    cost, correct, blur_slope = 0.0, 0.0, 0.0
    for i in range(b):
        projected_distances(Y[i], PT, d)
        J, K = winners(d, first[classes[i]], first[classes[i] + 1])
        mu, gamma_J, gamma_K = relative_difference(d[J], d[K], blur, tiny)
        phi, phi_slope = squashed(mu, slope)
        cost += weights[i] * phi
        # d mu / d blur = -mu / total, with 1 / total = (gamma_J - gamma_K) / 2
        blur_slope -= weights[i] * phi_slope * mu * (gamma_J - gamma_K) / 2.0
        if d[J] < d[K] or (d[J] == d[K] and J < K):
            correct += weights[i]
        g_J = weights[i] * phi_slope * gamma_J
        g_K = weights[i] * phi_slope * gamma_K
        for k in range(M):
            pull = g_J * (Y[i, k] - PT[k, J])
            push = g_K * (Y[i, k] - PT[k, K])
            A[i, k] = pull + push
            E[J, k] += pull
            E[K, k] += push
    return cost, correct, blur_slope


@compiled
def cost_of_local_projections(
    Y, F, P, QT, Psi, group, classes, first, weights, slope, blur, tiny, A, E, G
):
    """Add up the cost where each prototype L has its own matrix ``Psi[group[L]]``.

    Y (b, S) are the samples in the shared space and P (l, S) the prototypes there;
    F (g, b, M) and QT (M, l) are both after the matrices. With ``e_L = y - P_L``,
    ``f_L = Psi_L e_L`` and ``h_L = Psi_L^T f_L`` it writes
    ``A[i] = g_J h_J + g_K h_K``, adds ``g_L h_L`` to ``E[L]`` and
    ``2 g_L f_L e_L^T`` to ``G[group[L]]`` (eq. 29). The other gradients follow as in
    `cost_of_projections` (eqs. 21 and 26).

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
# Bunte et al. 2012, eqs. 1, 11 and 12; specification A2 and A3. The models minimize
# this cost; the compiled loops call these functions for every sample.


@compiled
def relative_difference(d_J, d_K, blur, tiny):
    """Return mu and its derivatives ``gamma_J`` and ``gamma_K`` (eqs. 1, 11, 12).

    mu      = (d_J - d_K) / (d_J + d_K + blur), negative for a right decision
    gamma_J =  (2 d_K + blur) / (d_J + d_K + blur)^2 >= 0
    gamma_K = -(2 d_J + blur) / (d_J + d_K + blur)^2 <= 0

    ``d_J`` and ``d_K`` are the distances to the nearest prototype of the sample's own
    class and of any other class. ``blur = 0`` is the paper's cost; `_training` explains
    other values. If they add up to at most ``tiny``, the sample coincides with a right
    and a wrong prototype, and its direction would be a rounding error (specification
    A9).
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
