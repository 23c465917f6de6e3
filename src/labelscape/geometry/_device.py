"""Fisher distances of points in another library's arrays, on their device.

The results equal those of `product_lengths`, with the same formula, which needs no
exponential per pair. Sums over classes are products with a table of ones and zeros. For
each class and each tile of pairs, one batch of products computes all steps.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.points.array_distances import (
    corrected_squared_distances,
    listed_squared_distances,
    sorted_nearest,
    squared_norms,
)
from labelscape._core.points.distances import middle
from labelscape._core.rows.device import blocks_of, has_kernels, table_bytes
from labelscape._core.rows.kinds import to_numpy
from labelscape._core.threads import row_blocks
from labelscape.geometry._distances import PointSet
from labelscape.geometry._parzen import (
    DEEPEST,
    DOUBLE_RANGE,
    NEGLIGIBLE,
    SINGLE_RANGE,
    check_reach,
    excess,
    far_beyond,
)

# Side lengths of the tiles of pairs that are computed together.
SHORTEST_SIDE, LONGEST_SIDE = 64, 4096
MOST_CLASSES = 32  # number of square roots that fit in the registers of a kernel


class ArrayParzen:
    """A Parzen estimate on a device."""

    def __init__(self, xp, device, parzen):
        self.xp, self.device, self.host = xp, device, parzen
        self.center = middle(parzen.points)
        self.offsets = parzen.points - self.center
        self.points = self.numbers(self.offsets)
        self.norms = squared_norms(xp, self.points)
        self.counts = self.numbers(parzen.log_counts)
        sizes = np.diff(parzen.starts)
        self.class_of = np.repeat(np.arange(len(sizes)), sizes)
        # (P, C), to sum over the classes
        self.one_hot = self.numbers(np.eye(len(sizes))[self.class_of])

    def numbers(self, A):
        """Return a NumPy array as float64 on the device."""
        return self.xp.asarray(A, dtype=self.xp.float64, device=self.device)

    def class_shares(self, a):
        """Return the posteriors (n, C) for log-weights."""
        sums = self.xp.exp(a) @ self.one_hot
        return sums / self.xp.sum(sums, axis=1, keepdims=True)

    def log_weights(self, X, own=None):
        """Return log-weights (n, P) of points; ``own`` are their own Parzen points."""
        xp = self.xp
        blocks = blocks_of(X, 8 * len(self.class_of))
        parts = [
            self._scaled(X[rows, :], None if own is None else own[rows])
            for rows in blocks
        ]
        a = xp.concat([self.counts - part for part in parts], axis=0)
        if own is not None:
            smallest = float(xp.min(a))
            for rows in blocks:
                a[rows, :] = self._without_self(a[rows, :], own[rows], smallest)
        a -= xp.max(a, axis=1, keepdims=True)
        return a

    def _scaled(self, X, own):
        """Return ``|x - q|^2 / (2 s^2)`` (b, P), exactly 0 where points coincide."""
        xp, bandwidth = self.xp, self.host.bandwidth
        A = X - self.numbers(self.center)
        norms = squared_norms(xp, A)
        farthest = float(xp.max(norms)) ** 0.5 + float(xp.max(self.norms)) ** 0.5
        check_reach(farthest, bandwidth)
        D = corrected_squared_distances(xp, A, self.points, norms, self.norms)
        for i in np.flatnonzero(to_numpy(norms) > far_beyond(to_numpy(self.norms))):
            k = -1 if own is None else int(own[int(i)])
            if k < 0 or self.host.sizes[k] == 1:  # a cluster needs its own distance
                far, squares = (to_numpy(part[int(i), :]) for part in (A, D))
                D[int(i), :] = self.numbers(excess(far, self.offsets, squares, k))
        D /= 2.0 * bandwidth**2
        return D

    def _without_self(self, a, own, smallest):
        """Return log-weights (b, P) with each point left out; see `without_self`."""
        xp, sizes = self.xp, self.host.sizes
        with np.errstate(divide="ignore"):  # if a center equals the point
            remain = self.numbers(np.log((sizes - 1) / sizes))
        stretch = self.numbers(np.square(sizes / np.maximum(sizes - 1, 1)))
        others = np.add.reduceat(sizes, self.host.starts[:-1])[self.class_of] - 1
        is_own = xp.arange(a.shape[1], device=self.device) == own[:, None]
        left = (a - self.counts) * stretch + self.counts + remain
        rest = xp.where(is_own, left, a)
        top = xp.max(rest, axis=1, keepdims=True)
        sums = (xp.exp(rest - top) @ self.one_hot) @ self.one_hot.T
        mean = sums / self.numbers(np.maximum(others, 1))
        least = float(np.exp(-DEEPEST))
        others_left = xp.log(xp.clip(xp.exp(left - top) + mean, least, None))
        alone = xp.clip(smallest - top, -DEEPEST, None)
        is_alone = xp.asarray(others == 0, device=self.device)
        return xp.where(is_own, top + xp.where(is_alone, alone, others_left), a)


class ArrayWeights(NamedTuple):
    """Points with their log-weights, on a device."""

    a: Any  # log-weights (n, P)
    floored: Any  # log-weights, raised to a floor that prevents underflow
    U: Any  # square roots of posteriors (n, C)
    wide: bool  # whether any weight was raised

    def take(self, rows):
        """Return the weights of a slice of the points."""
        a, floored, U = (part[rows, :] for part in (self.a, self.floored, self.U))
        return ArrayWeights(a, floored, U, self.wide)


class ArrayLines:
    """Fisher lengths of straight lines, from a Parzen estimate on a device."""

    def __init__(self, parzen, n_steps):
        self.parzen, self.n_steps = parzen, n_steps
        self.xp = parzen.xp
        starts = parzen.host.starts.tolist()
        self.classes = [slice(*ends) for ends in itertools.pairwise(starts)]

    def prepare(self, X, own=None):
        """Return the data for lengths; float32 is kept if the log-weights allow it."""
        xp = self.xp
        a = self.parzen.log_weights(X, own)
        U = xp.sqrt(self.parzen.class_shares(a))
        single = X.dtype == xp.float32 and bool(xp.min(a) >= -SINGLE_RANGE)
        return self._rows(a, U, xp.float32 if single else xp.float64)

    def common(self, A, B):
        """Return two sets of points in a common precision."""
        dtype = self.xp.result_type(A.a, B.a)
        return tuple(
            rows if rows.a.dtype == dtype else self._rows(rows.a, rows.U, dtype)
            for rows in (A, B)
        )

    def _rows(self, a, U, dtype):
        a, U = self.xp.astype(a, dtype), self.xp.astype(U, dtype)
        wide = bool(self.xp.min(a) < -DOUBLE_RANGE)
        floored = self.xp.clip(a, -DOUBLE_RANGE, None) if wide else a
        return ArrayWeights(a, floored, U, wide)

    def side(self, rows):
        """Return the side length of square tiles whose class weights fit in memory."""
        tables = self.n_steps * len(self.classes)
        itemsize = 4 if rows.a.dtype == self.xp.float32 else 8
        size = table_bytes(self.parzen.device) * (2 if has_kernels(rows.a) else 1)
        side = int((size / (tables * itemsize)) ** 0.5)
        side -= side % SHORTEST_SIDE  # products are computed in such squares
        return max(SHORTEST_SIDE, min(LONGEST_SIDE, side))

    def tile(self, rows, columns):
        """Return the lengths (b, m) of lines from points ``rows`` to ``columns``."""
        lengths = self._arcs(rows, columns)
        if rows.wide or columns.wide:
            changed = self._floor_matters(rows, columns)
            i, j = self.xp.nonzero(changed)
            if i.shape[0]:
                lengths[changed] = self._pair_lengths(rows, columns, i, j)
        return lengths

    def _arcs(self, rows, columns):
        if self.n_steps == 1:
            return end_arcs(self.xp, rows.U, columns.U)
        if has_kernels(rows.a) and len(self.classes) <= MOST_CLASSES:
            from labelscape.geometry._fused import fused_lengths

            return fused_lengths(rows, columns, self.classes, self.n_steps)
        t = np.arange(1, self.n_steps) / self.n_steps
        xp, left, right = self.xp, self._powers(rows, 1.0 - t), self._powers(columns, t)
        right = xp.matrix_transpose(right)
        sums = [xp.matmul(left[:, :, c], right[:, c, :]) for c in self.classes]
        return arcs_along(xp, xp.stack(sums, axis=1), rows.U, columns.U)

    def _powers(self, rows, exponents):
        """Return ``exp(t a)`` (k, n, P) for each exponent t."""
        xp = self.xp
        t = xp.asarray(exponents, dtype=rows.a.dtype, device=self.parzen.device)
        return xp.exp(t[:, None, None] * rows.floored)

    def _floor_matters(self, rows, columns):
        """Return a mask (b, m) of lengths that raised log-weights would change."""
        xp = self.xp
        parts = []
        size = 2 * columns.a.shape[0] * columns.a.shape[1]
        for block in blocks_of(rows.a, size):
            part = rows.a[block, :]
            there = _lowered_matter(xp, part, columns.a)
            parts.append(there | _lowered_matter(xp, columns.a, part).T)
        return xp.concat(parts, axis=0)

    def listed(self, rows, columns, bounds, chosen):
        """Return lengths from i to ``chosen[bounds[i]:bounds[i+1]]``, in NumPy."""
        i, j = self.pairs(bounds, chosen)
        return to_numpy(self._pair_lengths(rows, columns, i, j))

    def pairs(self, bounds, chosen):
        """Return the rows and columns of listed pairs, on the device."""
        i = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        device = self.parzen.device
        return tuple(self.xp.asarray(side, device=device) for side in (i, chosen))

    def _pair_lengths(self, rows, columns, i, j):
        """Return the lengths from ``rows[i[k]]`` to ``columns[j[k]]``."""
        xp = self.xp
        size = 8 * rows.a.shape[1]
        parts = []
        for few in blocks_of(i, size):
            start = xp.take(rows.a, i[few], axis=0)
            end = xp.take(columns.a, j[few], axis=0)
            ends = (xp.astype(a, xp.float64) for a in (start, end))
            parts.append(self._pair_arcs(*ends))
        return xp.astype(xp.concat(parts), rows.a.dtype)

    def _pair_arcs(self, start, end):
        xp, length, before = self.xp, 0.0, None
        for k in range(self.n_steps + 1):
            t = k / self.n_steps
            a = (1.0 - t) * start + t * end
            a -= xp.max(a, axis=1, keepdims=True)
            roots = xp.sqrt(self.parzen.class_shares(a))
            if before is not None:
                length = length + arcs(xp, roots - before, axis=1)
            before = roots
        return length


def _lowered_matter(xp, a, b):
    """Return a mask (n, m) of lengths that change if log-weights ``a`` are raised."""
    best = xp.take(b, xp.argmax(a, axis=1), axis=1).T  # (n, m)
    lowered = a < -DOUBLE_RANGE
    above = xp.clip(b, -DOUBLE_RANGE, None) > (best + NEGLIGIBLE)[:, :, None]
    return xp.any(lowered[:, None, :] & above, axis=2)


def arcs_along(xp, sums, U, V):
    """Return lengths (b, m) from class weights (k, C, b, m); U, V are roots at ends."""
    sums /= xp.sum(sums, axis=1, keepdims=True)
    roots = xp.sqrt(sums)
    inner = xp.sum(arcs(xp, roots[1:, ...] - roots[:-1, ...], axis=1), axis=0)
    first = arcs(xp, roots[0, ...] - U.T[:, :, None], axis=0)
    return first + inner + arcs(xp, V.T[:, None, :] - roots[-1, ...], axis=0)


def end_arcs(xp, U, V):
    """Return ``4 asin(|u - v| / 2)`` (b, m) for all rows of U (b, C) and V (m, C)."""
    return arcs(xp, U.T[:, :, None] - V.T[:, None, :], axis=0)


def arcs(xp, gaps, axis):
    """Return ``4 asin(|gap| / 2)``, twice the angle on the sphere; overwrites gaps."""
    gaps *= gaps
    # Square roots of posteriors are at most orthogonal; rounding may exceed this.
    h = xp.clip(xp.sum(gaps, axis=axis) / 4.0, None, 0.5)
    return 4.0 * xp.asin(xp.sqrt(h))


class ArrayDistances:
    """Distances from probabilities along straight lines, or only at the ends."""

    def __init__(self, lines, epsilon, center, endpoint):
        self.lines, self.xp = lines, lines.xp
        self.epsilon, self.endpoint = epsilon, endpoint
        self.center = lines.parzen.numbers(center)
        self.device = lines.parzen.device

    def points(self, X, own=None):
        """Return points prepared for distances; ``own`` are their own Parzen points."""
        centered = X - self.center
        norms = squared_norms(self.xp, centered)
        return PointSet(centered, norms, self.lines.prepare(X, own), X.dtype)

    def common(self, A, B):
        rows = self.lines.common(A.rows, B.rows)
        return A._replace(rows=rows[0]), B._replace(rows=rows[1])

    def tile(self, A, B):
        """Return the distances (b, m) of some points to others, in float64."""
        xp = self.xp
        if self.epsilon:  # first, because near pairs take longer
            gaps = corrected_squared_distances(xp, A.X, B.X, A.norms, B.norms)
        if self.endpoint:
            lengths = end_arcs(xp, A.rows.U, B.rows.U)
        else:
            lengths = self.lines.tile(A.rows, B.rows)
        lengths = xp.astype(lengths, xp.float64)
        if self.epsilon == 0.0:
            return lengths
        return xp.sqrt(lengths * lengths + self.epsilon * gaps)

    def listed(self, A, B, bounds, chosen):
        """Return lengths from i to ``chosen[bounds[i]:bounds[i+1]]``, in NumPy."""
        if not self.endpoint:
            return self.lines.listed(A.rows, B.rows, bounds, chosen)
        i, j = self.lines.pairs(bounds, chosen)
        gaps = self.xp.take(A.rows.U, i, axis=0) - self.xp.take(B.rows.U, j, axis=0)
        return to_numpy(arcs(self.xp, gaps, axis=1))

    def listed_gaps(self, A, B, bounds, chosen):
        i, j = self.lines.pairs(bounds, chosen)
        return to_numpy(listed_squared_distances(self.xp, A.X, B.X, i, j))

    def matrix(self, A, B):
        first, second = self.common(A, B)
        return self._filled(first, second, self._precision(A, B))

    def symmetric_matrix(self, A):
        xp, slices = self.xp, self._slices(A)
        D = self._empty(A, A, A.dtype)
        for k, rows in enumerate(slices):
            part = A.take(rows)
            upper = xp.triu(xp.astype(self.tile(part, part), A.dtype), k=1)
            D[rows, rows] = upper + upper.T
            for there in slices[k + 1 :]:
                D[rows, there] = xp.astype(self.tile(part, A.take(there)), A.dtype)
                D[there, rows] = D[rows, there].T
        return D

    def nearest(self, A, B, n_neighbors, *, without_self):
        xp, precision = self.xp, self._precision(A, B)
        A, B = self.common(A, B)
        place = xp.arange(B.X.shape[0], device=self.device)
        parts = []
        for rows in self._slices(A):
            D = self._filled(A.take(rows), B, xp.float64)
            if without_self:
                D = xp.where(place == place[rows][:, None], xp.inf, D)
            parts.append(sorted_nearest(xp, D, n_neighbors))
        distances, indices = (xp.concat(side) for side in zip(*parts, strict=True))
        return xp.astype(distances, precision), indices

    def _filled(self, A, B, dtype):
        """Return all distances (n, m) of points in one precision, computed in tiles."""
        D, columns = self._empty(A, B, dtype), self._slices(B)
        for rows in self._slices(A):
            part = A.take(rows)
            for there in columns:
                D[rows, there] = self.xp.astype(self.tile(part, B.take(there)), dtype)
        return D

    def _empty(self, A, B, dtype):
        shape = A.X.shape[0], B.X.shape[0]
        return self.xp.empty(shape, dtype=dtype, device=self.device)

    def _precision(self, A, B):
        return self.xp.result_type(A.dtype, B.dtype)

    def _slices(self, A):
        return row_blocks(A.X.shape[0], 1, self.lines.side(A.rows))
