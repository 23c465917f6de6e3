"""Small maps to measure: plain, with ties, and with duplicates."""

import numpy as np

from labelscape._core.points import spaces


def plain(n=50):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 5))
    return X, X[:, :2] + 0.5 * rng.normal(size=(n, 2)), _labels(n)


def ties(n=50):
    """Points of small integer grids: distances are exact, and many are equal."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 4, size=(n, 3)).astype(float)
    Y = rng.integers(0, 5, size=(n, 2)).astype(float)
    return X, Y, _labels(n)


def duplicates(n=50):
    """Objects that occur several times, shown at different places, and vice versa."""
    X, Y, y = plain(n)
    X[10:16] = X[3]
    X[20] = X[40]
    Y[30:35] = Y[0]
    return X, Y, y


def many_features(n=50):
    """Enough features for the matrix product, far from the origin, with ties."""
    rng = np.random.default_rng(2)
    X = 1000.0 + rng.integers(0, 2, size=(n, 20))
    X[5] = X[45]
    Y = rng.normal(size=(n, 15))
    return X, Y, _labels(n)


def small_blocks(monkeypatch):
    """Cut the points into blocks of seven."""
    monkeypatch.setattr(spaces, "SEARCH_BYTES", 1)
    monkeypatch.setattr(spaces, "SEARCH_ROWS", 7)


CASES = [plain, ties, duplicates, many_features]


def _labels(n):
    return np.array(["a", "b", "b", "c", "a"])[np.arange(n) * 7 % 5]
