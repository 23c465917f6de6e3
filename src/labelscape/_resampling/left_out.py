"""Least squares on class indicators, each sample left out: scores and probabilities."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from labelscape._core.points.distances import squared_distances

Matrix = NDArray[Any]
Codes = NDArray[np.integer]

SHARPEST = 6.0  # the sharpness of a softmax is looked for up to here, on its logarithm
# A sample that decides its own fitted value alone says nothing about others.
MOST_LEVERAGE = 0.999


def median_distance(X: Matrix) -> float:
    """Return the median distance between samples; 1 if more than half are equal."""
    squares = squared_distances(X, X)[np.triu_indices(len(X), 1)]
    return float(np.sqrt(max(np.median(squares), 0.0))) or 1.0


def indicators(codes: Codes, n_classes: int | None = None) -> Matrix:
    """Return 1 for the class of each sample, less the mean over classes (n, C)."""
    Y = np.eye(n_classes or codes.max() + 1)[codes]
    return np.asarray(Y - 1.0 / Y.shape[1])


def without_own(Y: Matrix, fitted: Matrix, leverages: Matrix) -> Matrix:
    """Return what each sample would be given by a fit to all others."""
    free = 1.0 - np.minimum(leverages, MOST_LEVERAGE)
    return Y - (Y - fitted) / free[:, None]


def best_sharpness(scores: Matrix, codes: Codes) -> tuple[float, float]:
    """Return the factor with which a softmax loses least, and its mean loss."""
    own = np.arange(len(codes)), codes
    gaps = scores - scores.max(axis=1, keepdims=True)

    def loss(log_sharpness: float) -> float:
        S = gaps * np.exp(log_sharpness)
        return float(np.mean(np.log(np.exp(S).sum(axis=1)) - S[own]))

    return least_by_sharpness(loss)


def least_by_sharpness(loss: Callable[[float], float]) -> tuple[float, float]:
    """Return the factor at which a loss of its logarithm is least, and that loss."""
    best = minimize_scalar(loss, bounds=(-SHARPEST, SHARPEST), options={"xatol": 0.02})
    return float(np.exp(best.x)), float(best.fun)
