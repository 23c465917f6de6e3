"""Random waves, and least squares on them: the formulas of RandomFeatureClassifier."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve, eigh, solve_triangular
from scipy.optimize import minimize_scalar

from labelscape._core.points.distances import squared_distances

# Widths that are tried, in median distances between objects.
WIDTHS = (0.35, 0.5, 0.7, 1.0, 1.4)
# Strengths of the ridge that are tried, per object.
RIDGES = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
# So many objects are judged by them.
FEW_JUDGED = 600
# The sharpness of a softmax is looked for up to here, on its logarithm.
SHARPEST = 6.0
# An object that decides its own fitted value alone says nothing about others.
MOST_LEVERAGE = 0.999


class Choice(NamedTuple):
    """A width and a ridge, and the mean loss of objects that were left out."""

    loss: float
    width: float
    ridge: float


def orthogonal_directions(n_features, n_waves, random_state):
    """Return random directions (d, D) of normal lengths, orthogonal d at a time."""
    blocks = []
    for start in range(0, n_waves, n_features):
        count = min(n_features, n_waves - start)
        Q, _ = np.linalg.qr(random_state.normal(size=(n_features, count)))
        blocks.append(Q * np.sqrt(random_state.chisquare(n_features, size=count)))
    return np.hstack(blocks)


def median_distance(X):
    """Return the median distance between objects; 1 if more than half are equal."""
    squares = squared_distances(X, X)[np.triu_indices(len(X), 1)]
    return float(np.sqrt(max(np.median(squares), 0.0))) or 1.0


def waves(X, frequencies):
    """Return sines and cosines (n, 2 D), scaled so that products are a kernel."""
    angles = X @ frequencies
    return np.hstack([np.cos(angles), np.sin(angles)]) * frequencies.shape[1] ** -0.5


def quick_waves(angles):
    """Return cosines and sines of angles (n, 2 D): in float32, if none is too far.

    They take a fraction of the time, and probabilities are not known to seven digits.
    """
    from labelscape.crossfit._wave_kernels import FAR, write_waves

    if not np.abs(angles).max(initial=0.0) <= FAR:
        return np.hstack([np.cos(angles), np.sin(angles)])
    found = np.empty((len(angles), 2 * angles.shape[1]), dtype=np.float32)
    write_waves(angles, found)
    return found


def indicators(codes, n_classes=None):
    """Return 1 for the class of each object, less the mean over classes (n, C)."""
    Y = np.eye(n_classes or codes.max() + 1)[codes]
    return Y - 1.0 / Y.shape[1]


def best_choice(X, codes, directions, unit):
    """Return the width and ridge with the least loss of objects left out."""
    Y, few = indicators(codes), slice(FEW_JUDGED)
    choices = []
    for width in unit * np.array(WIDTHS):
        Z = waves(X, directions / width)
        Z -= Z.mean(axis=0)
        values, V = eigh(Z.T @ Z)
        G, values = Z @ V, np.maximum(values, 0.0)
        GY = G.T @ Y
        for ridge in RIDGES:
            shrunk = 1.0 / (values + ridge * len(X))
            fitted = G[few] @ (shrunk[:, None] * GY)
            leverages = (G[few] ** 2) @ shrunk + 1.0 / len(X)
            left_out = without_own(Y[few], fitted, leverages)
            _, loss = best_sharpness(left_out, codes[few])
            choices.append(Choice(loss, width, ridge))
    return min(choices)


def ridge_regression(Z, Y, ridge):
    """Return coefficients (D, C), and the Cholesky factor L of Z'Z + ridge."""
    return solved(Z.T @ Z, Z.T @ Y, ridge)


def solved(gram, ZY, ridge):
    """Return the same from the products Z'Z, which are changed, and Z'Y."""
    gram[np.diag_indices_from(gram)] += ridge
    L = np.linalg.cholesky(gram)
    return cho_solve((L, True), ZY), L


def left_out_values(Z, Y, B, L, n):
    """Return the fitted values that some of n objects have when they are left out."""
    K = solve_triangular(L, Z.T, lower=True)
    leverages = np.einsum("ij,ij->j", K, K) + 1.0 / n
    return without_own(Y, Z @ B, leverages)


def without_own(Y, fitted, leverages):
    """Return what each object would be given by a fit to all others."""
    free = 1.0 - np.minimum(leverages, MOST_LEVERAGE)
    return Y - (Y - fitted) / free[:, None]


def best_sharpness(scores, codes):
    """Return the factor with which a softmax loses least, and its mean loss."""
    own = np.arange(len(codes)), codes
    gaps = scores - scores.max(axis=1, keepdims=True)

    def loss(log_sharpness):
        S = gaps * np.exp(log_sharpness)
        return float(np.mean(np.log(np.exp(S).sum(axis=1)) - S[own]))

    return least_by_sharpness(loss)


def least_by_sharpness(loss):
    """Return the factor at which a loss of its logarithm is least, and that loss."""
    found = minimize_scalar(loss, bounds=(-SHARPEST, SHARPEST), options={"xatol": 0.02})
    return float(np.exp(found.x)), float(found.fun)
