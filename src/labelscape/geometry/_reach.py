"""Squared distances to the centres of kernels that carry weight (spec 8, point 10).

With squared distances d_j^2 and scales s_j a kernel weighs ``exp(-s_j d_j^2)``. Its
distance is not below a bound that costs little, so its share in the sum of all kernels
is not above ``exp(s_0 d_0^2 - s_j bound_j)``, where d_0 is any distance that is known:
that of the centre with the least bound. Kernels whose shares add up to ``TOLERANCE`` at
most are left out, the farthest first, and no length is worked out for them.
"""

import numpy as np

from labelscape.geometry._neighbours import squared_bounds
from labelscape.geometry._straight import squared_gaps

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

    Parameters
    ----------
    distances : StraightDistances
        The metric.
    A, B : PointSet
        Points, and centres of kernels.
    scales : ndarray of shape (m,)
        Factors of squared distances in the exponents, 1 / (2 sigma^2).
    bounded : bool
        Whether lengths are never below the angle of their ends, so that bounds hold.
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
    from labelscape.geometry._reach_kernels import mark_heavy

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
