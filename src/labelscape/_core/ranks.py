"""Neighbours and ranks, with one rule for ties.

The rule: a point's neighbours are ordered by (distance, index). So of two points at the
same distance the one with the lower index comes first, on every platform. A point is
never its own neighbour; it is left out by index, so that its duplicates stay in.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.threads import map_blocks, row_blocks


def neighbour_order(D: NDArray[Any], own: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for each row of D (b, n) the other n - 1 points, nearest first.

    ``own[i]`` is the index of the point that row i belongs to.
    """
    rows = np.arange(D.shape[0])
    D = D.copy()
    D[rows, own] = np.inf
    order = np.argsort(D, axis=1, kind="stable")
    # Another point may be at distance infinity too, so the own index is found, not
    # assumed to be last.
    keep = order != own[:, None]
    others: NDArray[np.intp] = order[keep]
    return others.reshape(D.shape[0], D.shape[1] - 1)


def nearest_neighbours(
    X: NDArray[Any], n_neighbors: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the nearest other points of each row of X, and their Euclidean distances.

    Brute force in blocks: exact, in any number of dimensions, never n × n.
    """
    from labelscape._core.distances import exact_squared_distances

    def block(rows: slice) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        D = exact_squared_distances(X[rows], X)
        D[np.arange(len(D)), np.arange(rows.start, rows.stop)] = np.inf
        order = first_in_order(D, n_neighbors)
        return order, np.sqrt(np.take_along_axis(D, order, axis=1))

    parts = map_blocks(block, row_blocks(len(X), 3 * 8 * len(X)))
    return (
        np.concatenate([order for order, _ in parts]),
        np.concatenate([distances for _, distances in parts]),
    )


def first_in_order(D: NDArray[Any], count: int) -> NDArray[np.intp]:
    """Return the first columns of each row by (value, index), without a full sort."""
    last = np.partition(D, count - 1, axis=1)[:, count - 1 : count]
    below, ties = last > D, last == D
    room = count - below.sum(axis=1, keepdims=True)
    chosen = below | (ties & (np.cumsum(ties, axis=1) <= room))
    columns = np.nonzero(chosen)[1].reshape(len(D), count)
    values = np.take_along_axis(D, columns, axis=1)
    by_value = np.argsort(values, axis=1, kind="stable")
    first: NDArray[np.intp] = np.take_along_axis(columns, by_value, axis=1)
    return first
