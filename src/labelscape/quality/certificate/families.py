"""Families: rows that lie so near to a few others that they are not independent."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from labelscape._core.points.spaces import Points
from labelscape._core.threads import one_blas_thread, row_blocks

# Families of so many rows at most are looked for, at least so many of them.
LARGEST, FEWEST = 20, 10
# The widest step between the distances of a row's neighbors, in the median: this many
# times the step that a table without families has, and a ratio of distances.
WIDER, RATIO = 3.0, 1.3
# Where more steps than this are exactly zero, rows lie on a grid: steps are its own.
TIES = 0.05
# So many rows are asked for their neighbors, fewer of a large table.
MOST_ASKED, FEWEST_ASKED, PRODUCTS = 200, 50, 2e9


def families_of(X: NDArray[Any]) -> NDArray[np.intp]:
    """Return the family of each of some different rows; most are alone in most tables.

    Without families, k log(d_{k+1} / d_k) of the distances d_1 < d_2 < ... to a row's
    neighbors has the same distribution for all k, whatever the density and the number
    of dimensions. Near copies and repeated measurements make one step far wider: from
    the last row of the family to the first other row.
    """
    n, largest = len(X), min(LARGEST, len(X) // FEWEST)
    alone = np.arange(n)
    if largest < 2:
        return alone
    with np.errstate(over="ignore", invalid="ignore"):
        spread = X.std(axis=0)
    used = np.isfinite(spread) & (spread > 0)
    if not used.any():
        return alone
    X, spread = (X, spread) if used.all() else (X[:, used], spread[used])
    wide = _widest_step(_steps(_sampled_distances(X, spread)), largest)
    if wide is None:
        return alone
    neighbors, distances = Points(X / spread).kneighbors(largest + 1)
    steps = _steps(distances)
    size = steps.argmax(axis=1) + 1
    size[steps.max(axis=1) < wide / 2] = 0  # not every row has to be in a family
    inside = np.arange(largest + 1) < size[:, None]
    rows, columns = np.nonzero(inside)
    edges = coo_array(
        (np.ones(len(rows), dtype=np.int8), (rows, neighbors[rows, columns])), (n, n)
    ).tocsr()
    # A row without a family of its own joins one that counts it in.
    listed = edges.multiply(edges.T) + edges.multiply((size == 0)[None, :])
    return np.asarray(connected_components(listed, directed=False)[1])


def _sampled_distances(
    X: NDArray[Any], spread: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the distances of some rows to their nearest others, in order."""
    n, d = X.shape
    asked = int(np.clip(PRODUCTS / (n * d), FEWEST_ASKED, MOST_ASKED))
    rows = np.sort(np.random.default_rng(0).permutation(n)[:asked])
    center, n_neighbors = X.mean(axis=0), min(LARGEST + 1, n - 1)
    queries = (X[rows] - center) / spread
    squares = np.empty((len(rows), n))
    with one_blas_thread():
        for block in row_blocks(n, 8 * d):
            others = (X[block] - center) / spread
            squares[:, block] = (queries**2).sum(axis=1)[:, None]
            squares[:, block] += (others**2).sum(axis=1) - 2.0 * queries @ others.T
    squares[np.arange(len(rows)), rows] = np.inf
    nearest = np.partition(squares, n_neighbors - 1, axis=1)[:, :n_neighbors]
    return np.sqrt(np.maximum(np.sort(nearest, axis=1), 0.0))


def _steps(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log(d_{k+1} / d_k), k = 1, 2, ..., for each row."""
    distances = np.maximum(distances, np.finfo(float).tiny ** 0.5)
    return np.diff(np.log(distances), axis=1)


def _widest_step(steps: NDArray[np.float64], largest: int) -> float | None:
    """Return how wide the widest step is in the median; None without families."""
    if np.mean(steps < 1e-9) > TIES:
        return None
    usual = np.median(np.median(steps, axis=0) * np.arange(1, steps.shape[1] + 1))
    widest = float(np.median(steps[:, :largest].max(axis=1)))
    is_wide = widest >= max(WIDER * usual, np.log(RATIO))
    return widest if is_wide else None
