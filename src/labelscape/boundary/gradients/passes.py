"""Functions of points that know their slope, and how they are put together.

A *pass* is a function ``Z (n, a) -> (V (n, b), back)``. It returns its values, and with
them ``back``, which turns R (n, b) into the vector-Jacobian product ``J(Z)^T R``
(n, a), point by point. So no array of shape (n, b, a) is ever made.
"""

import numpy as np
from scipy.special import expit
from scipy.special import softmax as softmax_of

from labelscape._core.points.distances import squared_distances, squared_norms


def chain(*passes):
    """Return the pass that does one after the other: the chain rule, backwards."""

    def forward(Z):
        backs = []
        for each in passes:
            Z, back = each(Z)
            backs.append(back)

        def back(R):
            for each in reversed(backs):
                R = each(R)
            return R

        return Z, back

    return forward


def weighted_sum(passes, weights):
    """Return the pass ``sum_k weights_k passes_k(Z)``."""

    def forward(Z):
        values, backs = zip(*(each(Z) for each in passes), strict=True)
        total = sum(w * V for w, V in zip(weights, values, strict=True))

        def back(R):
            return sum(w * each(R) for w, each in zip(weights, backs, strict=True))

        return total, back

    return forward


def side_by_side(passes):
    """Return the pass whose columns are those of all ``passes``, one column each."""

    def forward(Z):
        values, backs = zip(*(each(Z) for each in passes), strict=True)

        def back(R):
            return sum(each(R[:, [c]]) for c, each in enumerate(backs))

        return np.hstack(values), back

    return forward


def affine(M, offset=0.0):
    """Return the pass ``Z M + offset``."""

    def forward(Z):
        return Z @ M + offset, lambda R: R @ M.T

    return forward


def stretch(factors, offset=0.0):
    """Return the pass ``factors * Z + offset``, feature by feature."""

    def forward(Z):
        return Z * factors + offset, lambda R: R * factors

    return forward


def columns(chosen):
    """Return the pass that keeps the ``chosen`` columns."""

    def forward(Z):
        def back(R):
            G = np.zeros_like(Z)
            G[:, chosen] = R
            return G

        return Z[:, chosen], back

    return forward


def logistic(S):
    """Pass from scores (n, b) to ``1 / (1 + exp(-S))``."""
    P = expit(S)
    return P, lambda R: R * P * expit(-S)


def softmax(S):
    """Pass from scores (n, C) to ``exp(S_c) / sum_k exp(S_k)``."""
    P = softmax_of(S, axis=1)
    return P, lambda R: P * (R - np.sum(P * R, axis=1, keepdims=True))


def shares(V):
    """Pass from values (n, C) to their part of the row's sum.

    A row of zeros has equal shares and no slope.
    """
    total = V.sum(axis=1, keepdims=True)
    empty = total == 0.0
    total = np.where(empty, 1.0, total)
    P = np.where(empty, 1.0 / V.shape[1], V / total)

    def back(R):
        G = (R - np.sum(P * R, axis=1, keepdims=True)) / total
        return np.where(empty, 0.0, G)

    return P, back


def both_classes(p):
    """Pass from the probability (n, 1) of the second class to those of both."""
    return np.hstack([1.0 - p, p]), lambda R: R[:, [1]] - R[:, [0]]


def second_lead(S):
    """Pass from the scores (n, 2) of two classes to the second's lead (n, 1)."""
    return S[:, [1]] - S[:, [0]], lambda R: np.hstack([-R, R])


def class_probabilities(S):
    """Pass from log-odds to probabilities: one column is that of the second class."""
    if S.shape[1] == 1:
        return chain(logistic, both_classes)(S)
    return softmax(S)


def squared_lengths(centers, factors):
    """Return the pass from Z (n, d) to ``|(z - w_k) F_k|^2`` (n, l).

    ``centers`` (l, d) are the rows w_k; a factor F_k is a matrix (d, a), or a vector
    (d,) that stands for a diagonal one.
    """

    def forward(Z):
        images = [_times(Z - w, F) for w, F in zip(centers, factors, strict=True)]
        lengths = np.stack([np.einsum("ij,ij->i", Y, Y) for Y in images], axis=1)

        def back(R):
            G = np.zeros_like(Z)
            for k, (Y, F) in enumerate(zip(images, factors, strict=True)):
                there = R[:, k] != 0.0  # with minima, few are
                G[there] += _times(2.0 * R[there, k, None] * Y[there], F.T)
            return G

        return lengths, back

    return forward


def _times(Y, F):
    return Y * F if F.ndim == 1 else Y @ F


# Sums of radial kernels, with their slope.


def radial_sum(points, U, offset, gamma):
    """Return the pass ``sum_s U_s exp(-gamma |z - s|^2) + offset`` over points s."""
    middle = points.mean(axis=0)  # far from the origin, the products would blur
    V = points - middle
    norms = squared_norms(V)

    def forward(Z):
        Z = Z - middle
        K = squared_distances(Z, V, norms)
        K *= -gamma
        np.exp(K, out=K)

        def back(R):
            H = R @ U.T
            H *= K
            return 2.0 * gamma * (H @ V - H.sum(axis=1, keepdims=True) * Z)

        return K @ U + offset, back

    return forward


# From probabilities of pairs of classes to those of all classes.
#
# Wu, Lin and Weng (2004), their second method, which libsvm uses: p minimises
#
#     sum_i sum_{j != i} (r_ji p_i - r_ij p_j)^2   where   sum_i p_i = 1
#
# and so solves ``[Q e; e^T 0] [p; b] = [0; 1]`` with ``Q_ii = sum_{j != i} r_ji^2`` and
# ``Q_ij = -r_ji r_ij``. libsvm stops its iteration early; here the system is solved.


def coupled_probabilities(P):
    """Pass from ``r_ij`` (n, n_pairs), i < j, to class probabilities (n, C)."""
    n_classes = int((1 + np.sqrt(1 + 8 * P.shape[1])) / 2)
    first, second = np.triu_indices(n_classes, 1)
    r = np.zeros((len(P), n_classes, n_classes))
    r[:, first, second], r[:, second, first] = P, 1.0 - P
    system = np.zeros((len(P), n_classes + 1, n_classes + 1))
    system[:, :-1, :-1] = -r * r.transpose(0, 2, 1)
    diagonal = np.arange(n_classes)
    system[:, diagonal, diagonal] = np.square(r).sum(axis=1)
    system[:, :-1, -1] = system[:, -1, :-1] = 1.0
    right = np.zeros((n_classes + 1, 1))
    right[-1] = 1.0
    p = np.linalg.solve(system, right[None])[:, :-1, 0]

    def back(R):
        # The system is symmetric: v = its solution for R, and R.dp = -v.(dQ p).
        padded = np.concatenate([R, np.zeros((len(R), 1))], axis=1)
        v = np.linalg.solve(system, padded[:, :, None])[:, :-1, 0]
        pi, pj, vi, vj = p[:, first], p[:, second], v[:, first], v[:, second]
        # With r = r_ij and r_ji = 1 - r: dQ_ii = -2 (1 - r), dQ_jj = 2 r,
        # dQ_ij = -(1 - 2 r).
        return (
            2.0 * (1.0 - P) * vi * pi
            - 2.0 * P * vj * pj
            + (1.0 - 2.0 * P) * (vi * pj + vj * pi)
        )

    return p, back
