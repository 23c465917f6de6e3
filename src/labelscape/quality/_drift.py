"""Cells of old rows, and tests of new rows by their counts in these."""

import warnings

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

# Least number of units behind a center, most cells, and units per cell.
FEWEST, MOST_CELLS, PER_CELL = 5, 100, 20
# A cell is at least this wide, in units of the usual one.
NARROWEST = 0.5


def centers_of(Z, units, random_state):
    """Return centers (m, d) of rows, and how wide their cells are (m,)."""
    n_units = len(np.unique(units))
    m = int(np.clip(n_units // PER_CELL, 1, MOST_CELLS))
    with warnings.catch_warnings():
        # Fewer different rows than cells: the empty ones are left out below.
        warnings.simplefilter("ignore", ConvergenceWarning)
        cell = KMeans(m, n_init=1, random_state=random_state).fit_predict(Z)
    members = [np.flatnonzero(cell == j) for j in range(m)]
    kept = [rows for rows in members if len(np.unique(units[rows])) >= FEWEST]
    if not kept:
        kept = [np.arange(len(Z))]
    centers = np.array([Z[rows].mean(axis=0) for rows in kept])
    widths = np.array(
        [
            np.sqrt(np.square(Z[rows] - center).sum(axis=1).mean())
            for rows, center in zip(kept, centers, strict=True)
        ]
    )
    usual = float(np.median(widths)) or 1.0
    return centers, np.maximum(widths, NARROWEST * usual)


def levels_of(X):
    """Return what is usual of each feature (n_levels, d), lowest values first.

    Means of groups of its sorted values: twenty of them, fewer where rows are few.
    """
    n_groups = int(np.clip(len(X) // FEWEST, 1, 20))
    parts = np.array_split(np.sort(X, axis=0), n_groups)
    return np.array([part.mean(axis=0) for part in parts])


def bin_counts(levels, X):
    """Return how many rows lie nearest to each level of each feature (n_levels, d)."""
    counts = np.empty(levels.shape, dtype=np.int64)
    for j, own in enumerate(levels.T):
        bins = np.searchsorted((own[1:] + own[:-1]) / 2.0, X[:, j], side="right")
        counts[:, j] = np.bincount(bins, minlength=len(own))
    return counts


def moves(levels, X):
    """Return how far each feature has moved (d,), and where its middle is now (d,).

    The mean distance of its sorted values from what was usual, in units of its spread.
    """
    grid = (np.arange(len(levels)) + 0.5) / len(levels)
    gaps = np.abs(np.quantile(X, grid, axis=0) - levels).mean(axis=0)
    spread = levels.std(axis=0)
    # A feature that was constant has moved beyond all measure, or not at all.
    with np.errstate(divide="ignore", invalid="ignore"):
        distances = np.where(gaps > 0, gaps / spread, 0.0)
    return distances, np.median(X, axis=0)


DRAWS = 9999


def energy(old, new, distances):
    """Return the energy distance of counts in cells (..., m): 0 for the same shares.

    2 E|x - y| - E|x - x'| - E|y - y'| is -(p - q)^T D (p - q), where D holds the
    distances of the centers.
    """
    gap = _shares(old) - _shares(new)
    return -np.einsum("...i,ij,...j->...", gap, distances, gap)


def steps_apart(old, new):
    """Return how far apart counts in ordered bins are (..., m), after Cramér and Mises.

    The squared difference of both distribution functions, in the mean over all.
    """
    gap = np.cumsum(_shares(old) - _shares(new), axis=-1)
    return (np.square(gap) * _shares(old + new)).sum(axis=-1)


def _shares(counts):
    return counts / counts.sum(axis=-1, keepdims=True)


def chance(old, new, apart, rng):
    """Return how likely new units are as far from the old ones by chance.

    Shapes: old, new (m,).
    """
    both = old + new
    drawn = rng.multivariate_hypergeometric(both, new.sum(), size=DRAWS)
    seen = apart(old, new)
    as_far = apart(both - drawn, drawn) >= seen * (1.0 - 1e-9)
    return float((1 + as_far.sum()) / (1 + DRAWS))


def joined(chances):
    """Return one p-value for several, by the rule of Simes."""
    ordered = np.sort(chances)
    n = len(ordered)
    return float(min(1.0, (ordered * n / np.arange(1, n + 1)).min()))
