"""The two scatter matrices of LFDA, class by class (paper 000, eqs. 32-35)."""

import numpy as np

from labelscape._core.distances import exact_squared_distances
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks


def local_scatter(X, class_of, n_neighbors):
    """Return S_w and S_b (N, N) of the objects X (n, N) with classes ``class_of`` (n,).

    S_w = 1/2 sum W^w_ij (x_i - x_j)(x_i - x_j)^T,  W^w = A_ij / n_l   in class l
    S_b = 1/2 sum W^b_ij (x_i - x_j)(x_i - x_j)^T,  W^b = A_ij (1/n - 1/n_l)  in class
    l, 1/n between classes

    The pairs are never formed: sums over classes give the same matrices. X should be
    centred, because the between-class part is a difference of sums over all objects.
    """
    n, n_features = X.shape
    S_w = np.zeros((n_features, n_features))
    S_m = np.zeros((n_features, n_features))  # S_w + S_b: all pairs
    for c in range(class_of.max() + 1):
        Xc = X[class_of == c]
        n_c = len(Xc)
        G = affinity_scatter(Xc, n_neighbors)
        s_c = Xc.sum(axis=0)
        S_w += G / n_c
        with one_blas_thread():
            S_m += G / n + (1.0 - n_c / n) * (Xc.T @ Xc) + np.outer(s_c, s_c) / n
    s = X.sum(axis=0)
    return S_w, S_m - np.outer(s, s) / n - S_w


def affinity_scatter(X, n_neighbors):
    """Return ``1/2 sum A_ij (x_i - x_j)(x_i - x_j)^T`` over the objects of one class.

    A_ij = exp(-|x_i - x_j|^2 / (sigma_i sigma_j)), or 0 where sigma_i sigma_j = 0, with
    sigma_i the distance of x_i to its k-th nearest other object (eq. 32). A exists one
    block of rows at a time.
    """
    n, n_features = X.shape
    if n == 1:
        return np.zeros((n_features, n_features))
    X = X - X.mean(axis=0)  # G is a sum of differences: a small origin loses no digits
    blocks = row_blocks(n, 3 * 8 * n)
    k = min(n_neighbors, n - 1)

    def scales(rows):
        D = exact_squared_distances(X[rows], X)
        D[np.arange(len(D)), np.arange(rows.start, rows.stop)] = np.inf
        return np.sqrt(np.partition(D, k - 1, axis=1)[:, k - 1])

    sigma = np.concatenate(map_blocks(scales, blocks))

    def laplacian_rows(rows):
        spread = np.outer(sigma[rows], sigma)
        A = exact_squared_distances(X[rows], X)
        np.divide(A, spread, out=A, where=spread > 0)
        np.exp(-A, out=A)
        A[spread == 0] = 0.0
        return A.sum(axis=1)[:, None] * X[rows] - A @ X

    LX = np.concatenate(map_blocks(laplacian_rows, blocks))
    with one_blas_thread():
        G = X.T @ LX  # X^T (diag(A 1) - A) X
    return (G + G.T) / 2.0
