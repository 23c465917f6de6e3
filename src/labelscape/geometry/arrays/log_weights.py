"""Log-weights of points of another library under a Parzen estimate (spec 1 and 3.3).

The same numbers as in ``_log_weights``, in float64, by products of matrices and whole
tables: sums over classes are products with a table of ones and zeros.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.points.array_distances import (
    mended_squared_distances,
    squared_norms,
)
from labelscape._core.points.array_objects import blocks_of
from labelscape._core.points.arrays import to_numpy
from labelscape._core.points.center import middle
from labelscape.geometry._log_weights import DOUBLE_RANGE, check_reach, far_beyond
from labelscape.geometry._parzen import DEEPEST, LEAST_POSTERIOR

# Log-weight of what fills up a piece of a class: a weight of 0 that is still a number.
PAD = -1e30
# Classes may be filled up to so many times the points, before they are cut.
MOST_FILLED = 1.5


class ArrayParzen:
    """A Parzen estimate where tensors are."""

    def __init__(self, xp, device, parzen):
        self.xp, self.device, self.host = xp, device, parzen
        self.center = middle(parzen.points)
        self.points = self.numbers(parzen.points - self.center)
        self.norms = squared_norms(xp, self.points)
        self.counts = self.numbers(parzen.log_counts)
        sizes = np.diff(parzen.starts)
        self.class_of = np.repeat(np.arange(len(sizes)), sizes)
        # (P, C), to add up over the classes.
        self.one_hot = self.numbers(np.eye(len(sizes))[self.class_of])

    def numbers(self, A):
        """Return numbers of NumPy's as float64 on the device."""
        return self.xp.asarray(A, dtype=self.xp.float64, device=self.device)

    def class_shares(self, a):
        """Return the posteriors (n, C) that log-weights give."""
        sums = self.xp.exp(a) @ self.one_hot
        return sums / self.xp.sum(sums, axis=1, keepdims=True)

    def log_weights(self, X, own=None):
        """Return the log-weights (n, P) of points, row maximum removed.

        ``own`` (n,) is the index of each point's own Parzen point, -1 for none.
        """
        xp = self.xp
        blocks = blocks_of(X, 8 * len(self.class_of))
        parts = [self._scaled(X[rows, :], _part(own, rows)) for rows in blocks]
        a = xp.concat([self.counts - part for part in parts], axis=0)
        if own is not None:
            smallest = float(xp.min(a))
            for rows in blocks:
                a[rows, :] = self._without_self(a[rows, :], own[rows], smallest)
        a -= xp.max(a, axis=1, keepdims=True)
        return a

    def _scaled(self, X, own):
        """Return ``|x - q|^2 / (2 s^2)`` (b, P), exact where points coincide."""
        xp, bandwidth = self.xp, self.host.bandwidth
        A = X - self.numbers(self.center)
        norms = squared_norms(xp, A)
        farthest = float(xp.max(norms)) ** 0.5 + float(xp.max(self.norms)) ** 0.5
        check_reach(farthest, bandwidth)
        D = mended_squared_distances(xp, A, self.points, norms, self.norms)
        for i in np.flatnonzero(to_numpy(norms) > far_beyond(to_numpy(self.norms))):
            k = -1 if own is None else int(own[int(i)])
            if k < 0 or self.host.sizes[k] == 1:  # a cluster needs the distance itself
                D[int(i), :] = self._excess(A[int(i), :], D[int(i), :], k)
        D /= 2.0 * bandwidth**2
        return D

    def _excess(self, a, squares, own):
        """Return ``|a - q|^2 - |a - q'|^2`` (P,), q' being the nearest but the own."""
        xp, Q = self.xp, self.points
        is_own = xp.arange(Q.shape[0], device=self.device) == own
        nearest = Q[int(xp.argmin(xp.where(is_own, xp.inf, squares))), :]
        excess = xp.sum((nearest - Q) * (2.0 * a - Q - nearest), axis=1)
        excess = xp.where(is_own, 0.0, excess)
        return excess - xp.min(excess)

    def _without_self(self, a, own, smallest):
        """Return log-weights (b, P) with own centres as `without_self` leaves them."""
        xp, sizes = self.xp, self.host.sizes
        with np.errstate(divide="ignore"):  # of a centre that is the point none remains
            remain = self.numbers(np.log((sizes - 1) / sizes))
        stretch = self.numbers(np.square(sizes / np.maximum(sizes - 1, 1)))
        others = np.add.reduceat(sizes, self.host.starts[:-1])[self.class_of] - 1
        is_own = xp.arange(a.shape[1], device=self.device) == own[:, None]
        left = (a - self.counts) * stretch + self.counts + remain
        rest = xp.where(is_own, left, a)
        top = xp.max(rest, axis=1, keepdims=True)
        sums = (xp.exp(rest - top) @ self.one_hot) @ self.one_hot.T
        mean = sums / self.numbers(np.maximum(others, 1))
        found = xp.log(
            xp.clip(xp.exp(left - top) + mean, float(np.exp(-DEEPEST)), None)
        )
        alone = xp.clip(smallest - top, -DEEPEST, None)
        is_alone = xp.asarray(others == 0, device=self.device)
        return xp.where(is_own, top + xp.where(is_alone, alone, found), a)


class ArrayCompared:
    """Parzen points compared with each other where tensors are, as `Compared` does."""

    def __init__(self, parzen):
        self.parzen, xp = parzen, parzen.xp
        Q, norms = parzen.points, parzen.norms
        D = mended_squared_distances(xp, Q, Q, norms, norms)
        place = xp.arange(D.shape[0], device=parzen.device)
        self._squares = xp.where(place == place[:, None], xp.inf, D)

    @property
    def squares(self):
        """Squared distances (P, P), infinite to themselves, as NumPy's."""
        return to_numpy(self._squares)

    def likelihood(self, bandwidth):
        """Return LL(s), see `loo_bandwidth`."""
        xp, parzen = self.parzen.xp, self.parzen
        a = parzen.counts - self._squares / (2.0 * float(bandwidth) ** 2)
        p = parzen.class_shares(a - xp.max(a, axis=1, keepdims=True))
        own = xp.sum(p * parzen.one_hot, axis=1)
        return float(xp.sum(xp.log(xp.clip(own, LEAST_POSTERIOR, None))))


def compared_at(xp, device):
    """Return what compares Parzen points where arrays are; None for NumPy's."""
    if xp is None:
        return None
    return lambda parzen: ArrayCompared(ArrayParzen(xp, device, parzen))


def _part(own, rows):
    return None if own is None else own[rows]


class ArrayRows(NamedTuple):
    """Rows of points: log-weights a (n, P), and the roots of posteriors U (n, C).

    ``pieces`` (g, w, n) are log-weights again, not below the floor under which weights
    underflow, each class cut into pieces of w points. ``wide`` says whether the floor
    has changed any.
    """

    a: Any
    pieces: Any
    U: Any
    wide: bool

    def take(self, rows):
        """Return the same for a slice of the points."""
        return ArrayRows(
            self.a[rows, :], self.pieces[:, :, rows], self.U[rows, :], self.wide
        )

    def chosen(self, xp, index):
        """Return the same for listed points."""
        parts = zip((self.a, self.pieces, self.U), (0, 2, 0), strict=True)
        return ArrayRows(*(xp.take(A, index, axis=k) for A, k in parts), self.wide)


class Pieces:
    """Classes of a Parzen estimate cut into pieces of one width: batches of products.

    As wide as the largest class, or where that is much larger than others as wide as
    a class is on average: then filling up at most doubles the points.
    """

    def __init__(self, xp, device, starts):
        sizes = np.diff(starts)
        n_points = int(starts[-1])
        is_even = len(sizes) * sizes.max() <= MOST_FILLED * n_points
        self.xp = xp
        self.width = int(sizes.max()) if is_even else -(-n_points // len(sizes))
        counts = -(-sizes // self.width)
        self.n_pieces = int(counts.sum())
        ends = np.concatenate([[0], np.cumsum(counts)]).tolist()
        self.of_class = [slice(*both) for both in itertools.pairwise(ends)]
        index = np.full(self.n_pieces * self.width, starts[-1])
        for c, own in enumerate(self.of_class):
            points = np.arange(starts[c], starts[c + 1])
            index[own.start * self.width :][: len(points)] = points
        self.index = xp.asarray(index, device=device)

    def cut(self, a):
        """Return log-weights (n, P) as pieces (g, w, n)."""
        xp, n = self.xp, a.shape[0]
        pad = xp.full((1, n), PAD, dtype=a.dtype, device=self.index.device)
        filled = xp.concat([a.T, pad], axis=0)
        found = xp.take(filled, self.index, axis=0)
        return xp.reshape(found, (self.n_pieces, self.width, n))

    def joined(self, sums):
        """Return sums over pieces (k, g, b, m) as sums over classes (k, C, b, m)."""
        if self.n_pieces == len(self.of_class):
            return sums
        xp = self.xp
        parts = [xp.sum(sums[:, own, ...], axis=1) for own in self.of_class]
        return xp.stack(parts, axis=1)


def floored(xp, a):
    """Return log-weights (n, P) not below the floor, and whether it changed any."""
    wide = bool(xp.min(a) < -DOUBLE_RANGE)
    return (xp.clip(a, -DOUBLE_RANGE, None), True) if wide else (a, False)
