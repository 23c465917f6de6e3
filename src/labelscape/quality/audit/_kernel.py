"""Kernel ridge regression with held-out class probabilities.

For up to 10,000 samples, each sample is predicted by a fit to all samples of other
units. With G = K + ridge I, the prediction differs from the label of the sample by

    y_i - f_-i(x_i) = [G^-1 y]_i / [G^-1]_ii,

and for all samples of a unit, by the same formula with a block of G^-1. With G = L L^T
and some columns P of L^-1, the terms are P^T P and P^T L^-1 y. So one Cholesky factor
is enough for the predictions of all these fits.

With more samples, some of them are landmarks, which are drawn without using labels.
With the kernel k(x) between a sample and m landmarks, and the kernel K = R^T R of the
landmarks, z(x) = R^-T k(x) are features whose products approximate the kernel
(Nyström). Classes are predicted from z. Z^T Z is a sum over folds, so a
fit without one fold needs only a subtraction and a Cholesky factorization.
"""

from itertools import pairwise

import numpy as np

from labelscape._core.blocked import TILE, Factor, gram
from labelscape._core.numerics import softmax
from labelscape._core.points.distances import squared_distances
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape._resampling.left_out import (
    best_sharpness,
    indicators,
    median_distance,
    without_own,
)

# With up to this many samples, all are used: their kernel takes ten seconds on two
# cores.
MOST_EXACT = 10_000
PANEL = 128  # minimum number of columns of an inverse computed at a time
# Ridges to try with all samples, as multiples of the best one for a part: more samples
# need less smoothing.
LESS = (1.0, 10.0**-0.5)
LANDMARKS = 4000  # maximum number of landmarks: 10,000 samples then take half a minute
# Widths to try, relative to the median distance, and ridges, per sample.
WIDTHS = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0)
RIDGES = tuple(10.0 ** (-0.5 * step) for step in range(2, 13))
FEW = 1500  # number of samples for the choice of the width, all of them landmarks
JITTER = 1e-5  # added to the diagonal of the kernel, because landmarks can be copies


def kernel_opinions(X, codes, units, fold, random_state):
    """Return class probabilities (n, C) from fits without the sample and its unit."""
    drawn = random_state.permutation(len(X))
    # One row of each unit, because copies would predict each other.
    _, first = np.unique(units[drawn], return_index=True)
    alone = drawn[np.sort(first)][:FEW]
    width, ridge = best_width(X[alone], codes[alone])
    if len(X) <= MOST_EXACT:
        return exact_opinions(X, codes, units, width, ridge)
    return landmark_opinions(X, codes, fold, width, ridge, X[drawn[:LANDMARKS]])


def exact_opinions(X, codes, units, width, ridge):
    """Return class probabilities (n, C) from fits to all samples of other units."""
    Y = indicators(codes)
    tried = map_blocks(
        lambda less: left_out_scores(X, Y, units, width, ridge * less), LESS
    )
    rated = [(best_sharpness(scores, codes), scores) for scores in tried]
    (sharpness, _), scores = min(rated, key=lambda one: one[0][1])
    return softmax(scores * sharpness)


def left_out_scores(X, Y, units, width, ridge):
    """Return the scores (n, C) of fits to the samples of other units."""
    order = np.argsort(units, kind="stable")  # samples of a unit are contiguous
    light, Y, units = _light(X[order]), Y[order], units[order]
    n, scores = len(X), np.empty(Y.shape)
    G = np.empty((n, n), dtype=np.float32)

    def fill(rows):
        seen = slice(rows.stop)
        G[rows, seen] = gaussian_kernel(light[rows], light[seen], np.float32(width))

    map_blocks(fill, row_blocks(n, 1, TILE))
    G[np.diag_indices(n)] += np.float32(ridge * n)
    try:
        factor = Factor.of(G)
    except np.linalg.LinAlgError:  # copies, with a ridge smaller than rounding errors
        return np.zeros(Y.shape)
    V = factor.forward(_light(Y))

    def panel(own):
        start = own.start // TILE
        first = start * TILE
        P = np.zeros((n - first, own.stop - own.start), dtype=np.float32)
        P[np.arange(own.start, own.stop) - first, np.arange(P.shape[1])] = 1.0
        P = factor.forward(P, start)
        inverse, weights = P.T @ P, P.T @ V[first:]
        gaps = weights / inverse.diagonal()[:, None]
        for rows in _runs(units[own]):
            if rows.stop - rows.start > 1:
                block = inverse[rows, rows].astype(np.float64)
                gaps[rows] = np.linalg.solve(block, weights[rows])
        scores[order[own]] = Y[own] - gaps

    map_blocks(panel, _panels(units))
    return scores


def _runs(values):
    """Return slices of consecutive equal values."""
    ends = [0, *(np.flatnonzero(np.diff(values)) + 1).tolist(), len(values)]
    return [slice(a, b) for a, b in pairwise(ends)]


def _panels(units):
    """Return slices of complete units, each with at least `PANEL` samples."""
    panels, start = [], 0
    for run in _runs(units):
        if run.stop - start >= PANEL or run.stop == len(units):
            panels.append(slice(start, run.stop))
            start = run.stop
    return panels


def landmark_opinions(X, codes, fold, width, ridge, landmarks):
    """Return class probabilities (n, C) from fits without the fold of a sample."""
    n = len(X)
    Z = landmark_features(X, landmarks, width)
    Y = _light(indicators(codes))
    folds = range(int(fold.max()) + 1)
    parts = map_blocks(lambda k: _products(Z[fold == k], Y[fold == k]), folds)
    ZZs, ZYs = zip(*parts, strict=True)
    ZZ, ZY = _total(ZZs), _total(ZYs)

    def scored(k, ridge):
        """Return the scores of fold k, from a fit to the other folds."""
        return Z[fold == k] @ ridge_solution(ZZ - ZZs[k], ZY - ZYs[k], ridge * n)

    def loss(ridge):
        # With few samples, one fold is not enough.
        some = range(len(folds) if n <= FEW else 1)
        scores = np.concatenate([scored(k, ridge) for k in some])
        of = np.concatenate([codes[fold == k] for k in some])
        return best_sharpness(scores, of)[1]

    ridge = best_ridge(loss, ridge)
    scores = np.empty(Y.shape)
    for k, part in enumerate(map_blocks(lambda k: scored(k, ridge), folds)):
        scores[fold == k] = part
    sharpness, _ = best_sharpness(scores, codes)
    return softmax(scores * sharpness)


def best_ridge(loss, start):
    """Return the ridge in `RIDGES` with the lowest loss, searching from ``start``."""
    at, losses = RIDGES.index(start), dict[int, float]()

    def best_with(*places):
        known = [place for place in places if 0 <= place < len(RIDGES)]
        values = map_blocks(lambda place: loss(RIDGES[place]), known)
        losses.update(zip(known, values, strict=True))
        return min(losses, key=losses.__getitem__)

    best = best_with(at, at + 1)
    step = 1 if best > at else -1
    while best + step in range(len(RIDGES)) and best + step not in losses:
        best = best_with(best + step, best + 2 * step)
    return RIDGES[best]


def best_width(X, codes):
    """Return the width and ridge with the lowest leave-one-out loss."""
    unit, Y = median_distance(X[:500]), indicators(codes)
    losses = map_blocks(lambda w: _left_out_losses(X, Y, codes, w * unit), WIDTHS)
    i, j = np.unravel_index(int(np.argmin(losses)), np.shape(losses))
    return unit * WIDTHS[i], RIDGES[j]


def _left_out_losses(X, Y, codes, width):
    """Return the leave-one-out loss for each ridge, from leverages."""
    with one_blas_thread():
        values, V = np.linalg.eigh(gaussian_kernel(X, X, width))
        values = np.maximum(values, 0.0)
        VY = V.T @ Y
        losses = []
        for ridge in RIDGES:
            shrunk = values / (values + ridge * len(X))
            left_out = without_own(Y, V @ (VY * shrunk[:, None]), (V**2) @ shrunk)
            losses.append(best_sharpness(left_out, codes)[1])
    return losses


def gaussian_kernel(A, B, width):
    """Return exp(-|a - b|^2 / (2 width^2)) for rows of A (n, d) and B (m, d)."""
    D = squared_distances(A, B)
    D *= -0.5 / width**2
    return np.exp(D, out=D)


def landmark_features(X, landmarks, width):
    """Return centered float32 features (n, m) whose products approximate the kernel."""
    K = np.empty((len(landmarks), len(landmarks)))

    def fill(rows):
        K[rows] = gaussian_kernel(landmarks[rows], landmarks, width)

    map_blocks(fill, row_blocks(len(K), 1, TILE))
    K[np.diag_indices(len(K))] += JITTER
    exact = Factor.of(K)
    factor = Factor(_light(exact.L), [_light(tile) for tile in exact.inverses])
    light, marks = _light(X), _light(landmarks)
    Z = np.empty((len(X), len(marks)), dtype=np.float32)

    def block(rows):
        k = gaussian_kernel(light[rows], marks, np.float32(width))
        Z[rows] = factor.forward(np.ascontiguousarray(k.T)).T

    map_blocks(block, row_blocks(len(X), 12 * len(marks)))

    def center(columns):
        Z[:, columns] -= Z[:, columns].mean(axis=0)

    map_blocks(center, row_blocks(len(marks), 1, TILE))
    return Z


def ridge_solution(ZZ, ZY, ridge):
    """Return (Z^T Z + ridge I)^-1 Z^T Y; ZZ and ZY are overwritten."""
    ZZ[np.diag_indices(len(ZZ))] += ridge
    return Factor.of(ZZ).solve(ZY)


def _total(parts):
    """Return the sum of matrices of equal shape, as float64."""
    total = np.empty(parts[0].shape)

    def fill(rows):
        some = [part[rows] for part in parts]
        total[rows] = np.sum(some, axis=0, dtype=np.float64)

    map_blocks(fill, row_blocks(len(total), 8 * total.shape[1], 2**20))
    return total


def _products(Z, Y):
    return gram(Z), Z.T @ Y


def _light(values):
    return values.astype(np.float32)
