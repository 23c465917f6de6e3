"""Kernel ridge regression on landmarks: what it says of objects that it did not see.

With k(x) the kernel between an object and m landmarks (objects drawn without a look at
their labels) and K = R^T R that among landmarks, z(x) = R^-T k(x) are features whose
products approximate the kernel (Nyström). Classes are regressed on them. The products
Z^T Z of all folds are those of each fold added up, so that a fit without one fold costs
a subtraction and a Cholesky factor, and no further pass over the objects.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve, cholesky, solve_triangular

from labelscape._core.points.distances import squared_distances
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape.crossfit._internal import (
    best_sharpness,
    indicators,
    median_distance,
    softmax,
    without_own,
)

# Landmarks at most: as many as half a minute allows for 10,000 objects.
LANDMARKS = 4000
# Widths that are tried, in median distances, and ridges, per object.
WIDTHS = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0)
RIDGES = tuple(10.0 ** (-0.5 * step) for step in range(2, 13))
# The width is chosen on so many objects, all of them landmarks.
FEW = 1500
# What is added to the kernel of a landmark with itself: copies are no trouble then.
JITTER = 1e-5


class FoldProducts(NamedTuple):
    """Products of features with themselves and with classes, of one fold."""

    ZZ: np.ndarray
    ZY: np.ndarray


def kernel_opinions(X, codes, units, fold, random_state):
    """Return class probabilities (n, C) by fits without the fold of an object.

    Width, ridge and sharpness are three numbers for all objects; all else that an
    object is judged by was fitted without it.
    """
    n, drawn = len(X), random_state.permutation(len(X))
    # Copies, and rows of a group, would speak for each other where no fold parts them.
    _, first = np.unique(units[drawn], return_index=True)
    alone = drawn[np.sort(first)][:FEW]
    width = best_width(X[alone], codes[alone])
    Z = landmark_features(X, X[drawn[:LANDMARKS]], width)
    Y = indicators(codes).astype(np.float32)
    folds = range(int(fold.max()) + 1)
    parts = map_blocks(lambda k: _products(Z[fold == k], Y[fold == k]), folds)
    ZZ = np.sum([part.ZZ for part in parts], axis=0, dtype=np.float64)
    ZY = np.sum([part.ZY for part in parts], axis=0, dtype=np.float64)

    def judged(k, ridge):
        ZZ_k, ZY_k = ZZ - parts[k].ZZ, ZY - parts[k].ZY
        return Z[fold == k] @ ridge_solution(ZZ_k, ZY_k, ridge * n)

    def loss(ridge):
        # Of few objects, one fold says little.
        some = range(len(parts) if n <= FEW else 1)
        scores = np.concatenate([judged(k, ridge) for k in some])
        of = np.concatenate([codes[fold == k] for k in some])
        return best_sharpness(scores, of)[1]

    ridge = RIDGES[int(np.argmin(map_blocks(loss, RIDGES)))]
    scores = np.empty(Y.shape)
    for k, said in enumerate(map_blocks(lambda k: judged(k, ridge), folds)):
        scores[fold == k] = said
    sharpness, _ = best_sharpness(scores, codes)
    return softmax(scores * sharpness)


def best_width(X, codes):
    """Return the width of the kernel with the least loss of objects left out."""
    unit, Y = median_distance(X[:500]), indicators(codes)
    losses = map_blocks(lambda w: _left_out_loss(X, Y, codes, w * unit), WIDTHS)
    return unit * WIDTHS[int(np.argmin(losses))]


def _left_out_loss(X, Y, codes, width):
    """Return the least loss over ridges, each object left out by its leverage."""
    with one_blas_thread():
        values, V = np.linalg.eigh(gaussian_kernel(X, X, width))
        values = np.maximum(values, 0.0)
        VY = V.T @ Y
        losses = []
        for ridge in RIDGES:
            shrunk = values / (values + ridge * len(X))
            left_out = without_own(Y, V @ (VY * shrunk[:, None]), (V**2) @ shrunk)
            losses.append(best_sharpness(left_out, codes)[1])
    return min(losses)


def gaussian_kernel(A, B, width):
    """Return exp(-|a - b|^2 / (2 width^2)) for rows of A (n, d) and B (m, d)."""
    D = squared_distances(A, B)
    D *= -0.5 / width**2
    return np.exp(D, out=D)


def landmark_features(X, landmarks, width):
    """Return features (n, m), in float32 and centered, whose products are a kernel."""
    with one_blas_thread():
        K = gaussian_kernel(landmarks, landmarks, width)
        K[np.diag_indices(len(K))] += JITTER
        R = cholesky(K, overwrite_a=True).astype(np.float32)
    light, marks = X.astype(np.float32), landmarks.astype(np.float32)
    Z = np.empty((len(X), len(marks)), dtype=np.float32)

    def block(rows):
        k = gaussian_kernel(light[rows], marks, np.float32(width))
        Z[rows] = solve_triangular(R, k.T, trans="T", check_finite=False).T

    map_blocks(block, row_blocks(len(X), 12 * len(marks)))
    Z -= Z.mean(axis=0)
    return Z


def ridge_solution(ZZ, ZY, ridge):
    """Return (Z^T Z + ridge I)^-1 Z^T Y; the first argument is overwritten."""
    ZZ[np.diag_indices(len(ZZ))] += ridge
    factor = cho_factor(ZZ, overwrite_a=True, check_finite=False)
    return cho_solve(factor, ZY, check_finite=False)


def _products(Z, Y):
    return FoldProducts(Z.T @ Z, Z.T @ Y)
