"""Least squares on class indicators, with leave-one-out scores and probabilities."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from labelscape._core.points.distances import squared_distances

Matrix = NDArray[Any]
Codes = NDArray[np.integer]

SHARPEST = 6.0  # largest logarithm of the sharpness (softmax factor) in the search
# If a sample determines its own fitted value alone, the other samples do not predict
# it.
MOST_LEVERAGE = 0.999


def median_distance(X: Matrix) -> float:
    """Return the median distance between samples, or 1 if the median is 0."""
    squares = squared_distances(X, X)[np.triu_indices(len(X), 1)]
    return float(np.sqrt(max(np.median(squares), 0.0))) or 1.0


def indicators(codes: Codes, n_classes: int | None = None) -> Matrix:
    """Return class indicators (n, C), 1 or 0, minus 1 / C."""
    Y = np.eye(n_classes or codes.max() + 1)[codes]
    return np.asarray(Y - 1.0 / Y.shape[1])


def without_own(Y: Matrix, fitted: Matrix, leverages: Matrix) -> Matrix:
    """Return the value that a fit to all other samples predicts for each sample."""
    free = 1.0 - np.minimum(leverages, MOST_LEVERAGE)
    return Y - (Y - fitted) / free[:, None]


def best_sharpness(scores: Matrix, codes: Codes) -> tuple[float, float]:
    """Return the factor of the scores with the lowest softmax loss, and that loss."""
    own = np.arange(len(codes)), codes
    gaps = scores - scores.max(axis=1, keepdims=True)

    def loss(log_sharpness: float) -> float:
        S = gaps * np.exp(log_sharpness)
        return float(np.mean(np.log(np.exp(S).sum(axis=1)) - S[own]))

    return least_by_sharpness(loss)


def least_by_sharpness(loss: Callable[[float], float]) -> tuple[float, float]:
    """Return the factor exp(x) with the lowest ``loss(x)``, and this loss."""
    best = minimize_scalar(loss, bounds=(-SHARPEST, SHARPEST), options={"xatol": 0.02})
    return float(np.exp(best.x)), float(best.fun)
