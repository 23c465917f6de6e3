"""Nearest neighbours along straight lines, without all pairs (spec 8, point 9).

The angle between the posteriors of two points is a lower bound of every path between
them, and costs C products. So lengths are worked out in the order of the bounds, until
no bound is below the k-th best length: the search is exact.
"""

import numpy as np

from labelscape._core.distances import squared_distances
from labelscape._core.ranks import first_in_order
from labelscape._core.threads import row_blocks

# Rounding of the lengths that bounds are compared with.
LENGTH_SLACK = {np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-12}
# Lengths worked out at first, beyond the k that a search needs at least.
FIRST_MORE = 8
# What a block of rows needs per column: bounds, distances, masks, an order.
BYTES_PER_COLUMN = 48
# Above every distance and below infinity, which marks what is done with.
FARTHEST = 1e300


def nearest(distances, A, B, n_neighbors, *, without_self, bounded):
    """Return distances and indices (n, k) of the points of B nearest to each of A.

    Parameters
    ----------
    distances : StraightDistances
        The metric.
    A, B : PointSet
        Points, and where their neighbours are sought.
    n_neighbors : int
        k.
    without_self : bool
        Whether point i of A is point i of B and no neighbour of its own.
    bounded : bool
        Whether lengths are never below the angle of their ends, so that bounds hold.
    """
    A, B = distances.common(A, B)

    def block(rows):
        part = A.take(rows)
        own = np.arange(rows.start, rows.stop) if without_self else None
        search = _by_bounds if bounded else _by_force
        D = search(distances, part, B, n_neighbors, own)
        order = first_in_order(D, n_neighbors)
        found = np.take_along_axis(D, order, axis=1)
        return found.astype(np.result_type(A.dtype, B.dtype)), order

    size = row_blocks(len(A.X), BYTES_PER_COLUMN * len(B.X))
    parts = distances.map_slices(block, size)
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def lower_bounds(distances, A, B):
    """Return what the distances (n, m) are not below: ends alone, less the rounding."""
    from labelscape.geometry._fisher_kernels import add_arcs

    U, V = A.rows.U.astype(np.float64), B.rows.U.astype(np.float64)
    h = np.maximum(squared_distances(U, V) / 4.0 - _rounding(U.shape[1]), 0.0)
    bounds = np.zeros_like(h)
    add_arcs(h.ravel(), bounds.ravel())
    if distances.epsilon > 0.0:
        gaps = squared_distances(A.X, B.X, B.norms)
        gaps -= _rounding(A.X.shape[1]) * (A.norms[:, None] + B.norms)
        np.maximum(gaps, 0.0, out=gaps)
        bounds = np.sqrt(bounds**2 + distances.epsilon * gaps)
    return bounds


def _rounding(n_terms):
    """Return by how much a product of so many terms is wrong at most, for norms 1."""
    return 2.0 * (n_terms + 8) * np.finfo(np.float64).eps


def _by_force(distances, A, B, n_neighbors, own):
    """Return all distances (b, m), infinite for a point to itself."""
    D = distances.block(A, B)
    if own is not None:
        D[np.arange(len(D)), own] = np.inf
    return D


def _by_bounds(distances, A, B, n_neighbors, own):
    """Return the distances (b, m) that may be among the nearest, others infinite."""
    waiting = lower_bounds(distances, A, B)
    if own is not None:
        waiting[np.arange(len(waiting)), own] = np.inf
    D = np.full(waiting.shape, np.inf)
    reach = np.full((len(D), 1), FARTHEST)
    slack = 1.0 + LENGTH_SLACK[A.rows.U.dtype]
    batch, rounds = n_neighbors + FIRST_MORE, 0
    while True:
        batch = min(batch, D.shape[1])
        first = np.partition(waiting, batch - 1, axis=1)[:, batch - 1 : batch]
        near = waiting <= reach * slack
        chosen = near & (waiting <= first)
        if not chosen.any():
            return D
        # Where bounds tell little, a whole block costs less than pairs one by one.
        rounds += 1
        if rounds > 1 and near.sum() * distances.lines.listed_cost > near.size:
            return _by_force(distances, A, B, n_neighbors, own)
        ends = np.concatenate([[0], np.cumsum(chosen.sum(axis=1))])
        columns = np.nonzero(chosen)[1]
        D[chosen] = distances.listed(A, B, ends, columns)
        waiting[chosen] = np.inf
        reach = np.partition(D, n_neighbors - 1, axis=1)
        reach = np.minimum(reach[:, n_neighbors - 1 : n_neighbors], FARTHEST)
        batch *= 2
