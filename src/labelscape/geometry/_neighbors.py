"""Nearest points and kernels along straight lines, without all pairs (spec 8, 9-10).

The angle between the posteriors of two points is a lower bound of every path between
them, and costs C products. So a search for neighbours works out lengths where bounds
are least, and then where a bound is below the k-th best of these: it is exact. And
`squares_in_reach` works out none for kernels that weigh next to nothing by their bound.
"""

import numpy as np

from labelscape._core.points.distances import squared_distances
from labelscape._core.points.ranks import nearest_in_rows
from labelscape._core.threads import row_blocks
from labelscape.geometry._lengths import squared_gaps

# Rounding of the lengths that bounds are compared with.
LENGTH_SLACK = {np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-12}
# Lengths worked out at first, beyond the k that a search needs at least.
FIRST_MORE = 8
# What a block of rows needs per column: bounds, distances, masks, an order.
BYTES_PER_COLUMN = 48


def nearest(distances, A, B, n_neighbors, *, without_self, bounded):
    """Return distances and indices (n, k) of the points of B nearest to each of A."""
    A, B = distances.common(A, B)

    def block(rows):
        part = A.take(rows)
        own = np.arange(rows.start, rows.stop) if without_self else None
        search = _by_bounds if bounded else _by_force
        found, order = search(distances, part, B, n_neighbors, own)
        return found.astype(np.result_type(A.dtype, B.dtype)), order

    size = row_blocks(len(A.X), BYTES_PER_COLUMN * len(B.X))
    parts = distances.map_slices(block, size)
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def lower_bounds(distances, A, B):
    """Return what the distances (n, m) are not below: ends alone, less the rounding."""
    gaps = squared_distances(A.X, B.X, B.norms) if distances.epsilon > 0.0 else None
    return np.sqrt(squared_bounds(distances, A, B, gaps))


def squared_bounds(distances, A, B, gaps):
    """Return what squared distances (n, m) are not below.

    ``gaps`` (n, m) are squared Euclidean distances by products, or None if there is no
    regularisation.
    """
    from labelscape.geometry._fisher_kernels import add_arcs

    U, V = A.rows.U.astype(np.float64), B.rows.U.astype(np.float64)
    h = squared_distances(U, V)
    h /= 4.0
    h -= _rounding(U.shape[1])
    np.maximum(h, 0.0, out=h)
    bounds = np.zeros_like(h)
    add_arcs(h.ravel(), bounds.ravel())
    bounds *= bounds
    if gaps is not None:
        sure = gaps - _rounding(A.X.shape[1]) * (A.norms[:, None] + B.norms)
        np.maximum(sure, 0.0, out=sure)
        sure *= distances.epsilon
        bounds += sure
    return bounds


def _rounding(n_terms):
    """Return by how much a product of so many terms is wrong at most, for norms 1."""
    return 2.0 * (n_terms + 8) * np.finfo(np.float64).eps


def _by_force(distances, A, B, n_neighbors, own):
    """Return distances and indices (b, k) of the nearest, by all distances."""
    return nearest_in_rows(distances.block(A, B), n_neighbors, own)[::-1]


def _by_bounds(distances, A, B, n_neighbors, own):
    """Return distances and indices (b, k) of the nearest, by few distances.

    Those with the least bounds are measured first. Then none is nearer than the k-th of
    them unless its bound is: the second look is the last.
    """
    bounds = lower_bounds(distances, A, B)
    if own is not None:
        bounds[np.arange(len(bounds)), own] = np.inf
    batch = min(n_neighbors + FIRST_MORE, len(B.X) - (own is not None))
    least = np.partition(bounds, batch - 1, axis=1)[:, batch - 1 : batch]
    first = bounds <= least
    D = np.empty(bounds.shape)
    D[first] = distances.listed(A, B, *_lists(first))
    reach = np.partition(_padded(D, first)[0], n_neighbors - 1, axis=1)
    reach = reach[:, n_neighbors - 1 : n_neighbors]
    slack = 1.0 + LENGTH_SLACK[A.rows.U.dtype]
    measured = bounds <= np.maximum(least, reach * slack)
    more = measured & ~first
    # Where bounds tell little, a whole block costs less than pairs one by one.
    if more.sum() * distances.lines.listed_cost > more.size:
        return _by_force(distances, A, B, n_neighbors, own)
    D[more] = distances.listed(A, B, *_lists(more))
    lengths, columns = _padded(D, measured)
    order, found = nearest_in_rows(lengths, n_neighbors)
    return found, np.take_along_axis(columns, order, axis=1)


def _lists(mask):
    """Return the columns of a mask (b, m), row after row, and where each row begins."""
    ends = np.concatenate([[0], np.cumsum(mask.sum(axis=1))])
    return ends, _columns(mask)


def _columns(mask):
    # In one dimension, nonzero is several times as fast as in two.
    return np.flatnonzero(mask) % mask.shape[1]


def _padded(D, mask):
    """Return the values of D under a mask, and their columns, without the gaps.

    Both (b, w), with the columns of a row in their order; infinite values fill it up.
    """
    counts = mask.sum(axis=1)
    there = np.arange(counts.max()) < counts[:, None]
    values, columns = np.full(there.shape, np.inf), np.zeros(there.shape, dtype=int)
    values[there], columns[there] = D[mask], _columns(mask)
    return values, columns


# Squared distances to the centres of kernels that carry weight (spec 8, point 10).
#
# With squared distances d_j^2 and scales s_j a kernel weighs ``exp(-s_j d_j^2)``. Its
# distance is not below a bound that costs little, so its share in the sum of all
# kernels is not above ``exp(s_0 d_0^2 - s_j bound_j)``, where d_0 is any distance that
# is known: that of the centre with the least bound. Kernels whose shares add up to
# ``TOLERANCE`` at most are left out, the farthest first, and no length is worked out
# for them.

# What the kernels that are left out may weigh, all together, beside the others: a mean
# of places is then off by no more than this part of the largest gap between places.
TOLERANCE = 1e-4
# Rounding of a length in float32, and exponents of kernels that still carry weight.
SINGLE_ERROR, FARTHEST = 2e-6, 64.0


def single_suffices(scales):
    """Return whether lengths in float32 change no weight by more than the tolerance.

    An exponent s d^2 changes by ``2 s d`` times the rounding of d.
    """
    return 2.0 * np.sqrt(scales.max() * FARTHEST) * SINGLE_ERROR <= TOLERANCE


def squares_in_reach(distances, A, B, scales, bounded):
    """Return squared distances (n, m), infinite where a kernel weighs next to nothing.

    Shapes: scales (m,).
    """
    A, B = distances.common(A, B)
    gaps = squared_gaps(A, B) if distances.epsilon > 0.0 else None
    if distances.endpoint or not bounded:
        return _squared(distances.block_lengths(A, B), gaps, distances.epsilon)
    heavy = _heavy(distances, A, B, gaps, scales)
    counts = heavy.sum(axis=1)
    # Where most kernels count, a whole block costs less than pairs one by one.
    if counts.sum() * distances.lines.listed_cost > heavy.size:
        return _squared(distances.block_lengths(A, B), gaps, distances.epsilon)
    ends, columns = np.concatenate([[0], np.cumsum(counts)]), np.nonzero(heavy)[1]
    lengths = distances.listed_lengths(A, B, ends, columns)
    squares = np.full(heavy.shape, np.inf)
    near = None if gaps is None else gaps[heavy]
    squares[heavy] = _squared(lengths, near, distances.epsilon)
    return squares


def _heavy(distances, A, B, gaps, scales):
    """Return which kernels (n, m) carry weight."""
    from labelscape.geometry._pair_kernels import mark_heavy

    exponents = squared_bounds(distances, A, B, gaps)
    exponents *= scales
    nearest = exponents.argmin(axis=1)
    ends = np.arange(len(nearest) + 1)
    known = distances.listed(A, B, ends, nearest).astype(np.float64) ** 2
    heavy = np.empty(exponents.shape, dtype=bool)
    mark_heavy(exponents, known * scales[nearest], TOLERANCE, heavy)
    return heavy


def _squared(lengths, gaps, epsilon):
    squares = lengths.astype(np.float64) ** 2
    return squares if gaps is None else squares + epsilon * gaps
