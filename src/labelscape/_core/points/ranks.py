"""Nearest neighbors, with one rule for ties.

The rule: a point's neighbours are ordered by (distance, index). So of two points at the
same distance the one with the lower index comes first, on every platform. A point is
never its own neighbour; it is left out by index, so that its duplicates stay in.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.points.distances import Tiles
from labelscape._core.threads import map_blocks, row_blocks

Indices = NDArray[np.int64]
# What a search returns: indices (b, k) and distances (b, k), nearest first.
Neighbors = tuple[Indices, NDArray[Any]]


def nearest_in_rows(
    D: NDArray[Any], n_neighbors: int, own: NDArray[np.intp] | None = None
) -> Neighbors:
    """Return the first columns of each row of D (b, n) by (value, index), with values.

    ``own[i]`` is the column that row i belongs to and that is left out of it.
    """
    from labelscape._core.points._neighbor_kernels import nearest_of_rows

    found = np.empty((len(D), n_neighbors), dtype=np.int64)
    distances = np.empty(found.shape, dtype=D.dtype)
    own = np.full(len(D), -1) if own is None else own
    nearest_of_rows(D, own, found, distances)
    return found, distances


def nearest_neighbors(
    X: NDArray[Any], n_neighbors: int, queries: NDArray[Any] | None = None
) -> Neighbors:
    """Return the nearest points of X (n, d) for each other one, or for each query.

    Brute force in blocks: exact, in any number of dimensions, never n × n. Order is by
    squared distances: roots would make ties of some that differ in their last bits.
    """
    tiles = Tiles(X)
    points = X if queries is None else queries

    def block(rows: slice) -> Neighbors:
        own = np.arange(rows.start, rows.stop) if queries is None else None
        D = tiles.squared_distances(points[rows])
        found, squares = nearest_in_rows(D, n_neighbors, own)
        return found, np.sqrt(squares)

    return in_blocks(block, row_blocks(len(points), 8 * len(X)))


def in_blocks(search: Any, blocks: list[slice]) -> Neighbors:
    """Return the neighbors that a search finds for block after block, joined."""
    parts = map_blocks(search, blocks)
    found, distances = (np.concatenate(side) for side in zip(*parts, strict=True))
    return found, distances
