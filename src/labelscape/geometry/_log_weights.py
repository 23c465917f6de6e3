"""Log-weights of points under a Parzen estimate: all that Fisher lengths need."""

from typing import NamedTuple

import numpy as np

from labelscape._core.errors import InputError
from labelscape._core.points.center import middle
from labelscape._core.points.distances import mended_squared_distances, squared_norms
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.geometry._parzen import without_self

# Largest range of a row for which no weight underflows, and digits are kept.
SINGLE_RANGE, DOUBLE_RANGE = 60.0, 600.0
# A weight below the largest by this much in the log changes the root of a posterior by
# less than exp(-40) = 4e-18.
NEGLIGIBLE = -80.0
# So many times as far as the usual Parzen point, a point sees all of them at distances
# that differ in their last digits only.
FAR = 1e6
# Squares of more bandwidths than this are no numbers any more.
MOST_BANDWIDTHS = 1e150


class LogWeights(NamedTuple):
    """Rows of points: log-weights a (n, P), and the roots of posteriors U (n, C).

    ``floored`` is a, but not below the floor under which weights underflow, and
    ``F = exp(floored/T)``. ``wide`` (n,) marks rows that the floor has changed, and
    ``best`` (n,) is the largest weight of each row.
    """

    a: np.ndarray
    floored: np.ndarray
    F: np.ndarray
    U: np.ndarray
    wide: np.ndarray
    best: np.ndarray

    def take(self, rows):
        """Return the same for some of the points."""
        return LogWeights(*(part[rows] for part in self))

    def astype(self, dtype, n_steps):
        """Return the same in another precision."""
        if self.a.dtype == dtype:
            return self
        return _finished(self.a.astype(dtype), self.U.astype(dtype), n_steps)


def log_weights(X, parzen, n_steps, *, own=None, single=False):
    """Return the log-weights of points, row maximum removed (spec section 1).

    Shapes: X (n, d), own (n,).
    """
    a = -_scaled_distances(X, parzen, own)
    a += parzen.log_counts
    if own is not None:
        smallest, centered = a.min(), np.flatnonzero(own >= 0)
        for part in row_blocks(len(centered), 24 * a.shape[1]):
            rows = centered[part]
            a[rows, own[rows]] = without_self(a[rows], parzen, own[rows], smallest)
    a -= a.max(axis=1, keepdims=True)
    U = np.sqrt(class_shares(a, parzen.starts))
    if single and a.min() >= -SINGLE_RANGE:
        a, U = a.astype(np.float32), U.astype(np.float32)
    return _finished(a, U, n_steps)


def class_shares(a, starts):
    """Return the posteriors (n, C) that log-weights give."""
    sums = np.add.reduceat(np.exp(a), starts[:-1], axis=1)
    return sums / sums.sum(axis=1, keepdims=True)


def _finished(a, U, n_steps):
    wide = a.min(axis=1) < -DOUBLE_RANGE
    floored = np.maximum(a, -DOUBLE_RANGE, dtype=a.dtype) if wide.any() else a
    F = np.exp(floored / a.dtype.type(n_steps))
    return LogWeights(a, floored, F, U, wide, a.argmax(axis=1))


def _scaled_distances(X, parzen, own):
    """Return ``|x - q|^2 / (2 s^2)`` (n, P), exact where points coincide.

    Of points far away from all others, by how much it exceeds the least of its row.
    """
    center = middle(parzen.points)
    Q = parzen.points - center
    norms = squared_norms(Q)
    beyond = far_beyond(norms)

    def block(rows):
        A = X[rows] - center
        A_norms = squared_norms(A)
        check_reach(np.sqrt(A_norms.max()) + np.sqrt(norms.max()), parzen.bandwidth)
        D = mended_squared_distances(A, Q, A_norms, norms)
        for i in np.flatnonzero(A_norms > beyond):
            k = -1 if own is None else own[rows.start + i]
            if k < 0 or parzen.sizes[k] == 1:  # a cluster needs the distance itself
                D[i] = _excess(A[i], Q, D[i], k)
        D /= 2.0 * parzen.bandwidth**2
        return D

    blocks = row_blocks(len(X), 16 * len(parzen.points))
    return np.concatenate(map_blocks(block, blocks))


def far_beyond(norms):
    """Return the squared norm above which a point is far from all Parzen points."""
    return FAR**2 * (np.median(norms) or norms.max() or np.inf)


def _excess(a, Q, squares, own):
    """Return ``|a - q|^2 - |a - q'|^2`` (P,), q' being the nearest: from differences.

    (q' - q)(2a - q - q') keeps the digits that squares of a far point have lost. The
    own centre is no nearest one: it is left out later.
    """
    if own >= 0:
        squares[own] = np.inf
    nearest = Q[squares.argmin()]
    excess = ((nearest - Q) * (2.0 * a - Q - nearest)).sum(axis=1)
    if own >= 0:
        excess[own] = 0.0
    return excess - excess.min()


def check_reach(reach, bandwidth):
    """Raise if squares of distances in bandwidths are no numbers."""
    if reach > MOST_BANDWIDTHS * bandwidth:
        raise InputError(
            f"the objects reach {reach:.3g} far, too many bandwidths of "
            f"{bandwidth:.3g} for a number. Raise bandwidth, or drop the objects that "
            "are far from all others.",
            owner="FisherMetric",
            parameter="bandwidth",
        )
