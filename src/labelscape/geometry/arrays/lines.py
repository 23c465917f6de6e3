"""Fisher lengths of straight lines between points of another library (spec 8.11).

Along a line log-weights are straight, so the class weights of all pairs at step t are a
product of matrices, ``S_c(i, j) = sum_{p in c} exp((1-t) a_ip) exp(t a_jp)``: no exp is
needed per pair. All steps and classes of a tile of pairs are one batch of products.
"""

import numpy as np

from labelscape._core.points.array_objects import blocks_of, table_bytes
from labelscape._core.points.arrays import to_numpy
from labelscape.geometry._lines import quadrature
from labelscape.geometry._log_weights import DOUBLE_RANGE, NEGLIGIBLE, SINGLE_RANGE
from labelscape.geometry.arrays.log_weights import ArrayRows, Pieces, floored

# Sides of the tiles of pairs that are worked out together.
SHORTEST_SIDE, LONGEST_SIDE = 64, 4096


class ArrayLines:
    """Fisher lengths of straight lines, under a Parzen estimate where tensors are."""

    def __init__(self, parzen, n_steps, rule):
        self.parzen, self.n_steps, self.rule = parzen, n_steps, rule
        self.xp = parzen.xp
        self.pieces = Pieces(self.xp, parzen.device, parzen.host.starts)

    def prepare(self, X, own=None):
        """Return what lengths are made of; of float32 in float32 where ranges allow."""
        xp = self.xp
        a = self.parzen.log_weights(X, own)
        U = xp.sqrt(self.parzen.class_shares(a))
        # Slopes are differences of large sums.
        single = X.dtype == xp.float32 and self.rule == "sphere"
        single = single and bool(xp.min(a) >= -SINGLE_RANGE)
        return self._rows(a, U, xp.float32 if single else xp.float64)

    def common(self, A, B):
        """Return two sets of points in the precision that both allow."""
        dtype = self.xp.result_type(A.a, B.a)
        return tuple(
            rows if rows.a.dtype == dtype else self._rows(rows.a, rows.U, dtype)
            for rows in (A, B)
        )

    def _rows(self, a, U, dtype):
        a, U = self.xp.astype(a, dtype), self.xp.astype(U, dtype)
        limited, wide = floored(self.xp, a)
        return ArrayRows(a, self.pieces.cut(limited), U, wide)

    def side(self, rows):
        """Return the side of square tiles of pairs whose class weights fit in memory.

        Of slopes there are three tables.
        """
        tables = self.n_steps * self.pieces.n_pieces
        tables *= 1 if self.rule == "sphere" else 3
        itemsize = 4 if rows.a.dtype == self.xp.float32 else 8
        side = int((table_bytes(self.parzen.device) / (tables * itemsize)) ** 0.5)
        return max(SHORTEST_SIDE, min(LONGEST_SIDE, side))

    def tile(self, rows, columns):
        """Return the lengths (b, m) of all lines from rows to columns."""
        measure = self._arcs if self.rule == "sphere" else self._slopes
        lengths = measure(rows, columns)
        if rows.wide or columns.wide:
            mended = self._floor_matters(rows, columns)
            i, j = self.xp.nonzero(mended)
            if i.shape[0]:
                lengths[mended] = self._pair_lengths(rows, columns, i, j)
        return lengths

    def _arcs(self, rows, columns):
        if self.n_steps == 1:
            return end_arcs(self.xp, rows.U, columns.U)
        t = np.arange(1, self.n_steps) / self.n_steps
        left, right = self._powers(rows, 1.0 - t), self._powers(columns, t)
        return arcs_along(self.xp, self._sums(left, right), rows.U, columns.U)

    def _slopes(self, rows, columns):
        nodes, shares = quadrature(self.rule, self.n_steps)
        left, right = self._powers(rows, 1.0 - nodes), self._powers(columns, nodes)
        sums = self._sums(left, right)
        slopes = self._sums(left, right * columns.pieces)
        slopes -= self._sums(left * rows.pieces, right)
        shares = self.parzen.numbers(shares)[:, None, None]
        return self.xp.sum(shares * speeds(self.xp, sums, slopes), axis=0)

    def _powers(self, rows, exponents):
        """Return ``exp(t a)`` (k, g, w, n) for each exponent t."""
        xp = self.xp
        t = xp.asarray(exponents, dtype=rows.a.dtype, device=self.parzen.device)
        return xp.exp(t[:, None, None, None] * rows.pieces)

    def _sums(self, left, right):
        """Return the class sums (k, C, b, m) of the products of all pairs."""
        xp = self.xp
        return self.pieces.joined(xp.matmul(xp.matrix_transpose(left), right))

    def _floor_matters(self, rows, columns):
        """Return which lengths (b, m) change where log-weights are floored.

        As `floor_matters` does, but for a floor of -600 in both sets.
        """
        xp = self.xp
        found = []
        size = 2 * columns.a.shape[0] * columns.a.shape[1]
        for block in blocks_of(rows.a, size):
            part = rows.a[block, :]
            there = _lowered_matter(xp, part, columns.a)
            back = _lowered_matter(xp, columns.a, part)
            found.append(there | back.T)
        return xp.concat(found, axis=0)

    def listed(self, rows, columns, bounds, chosen):
        """Return lengths from row i to the columns ``chosen[bounds[i]:bounds[i+1]]``.

        Of a few pairs, and as NumPy's, for who calibrates.
        """
        i, j = self.pairs(bounds, chosen)
        return to_numpy(self._pair_lengths(rows, columns, i, j))

    def pairs(self, bounds, chosen):
        """Return the rows and columns of listed pairs, on the device."""
        i = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        device = self.parzen.device
        return tuple(self.xp.asarray(side, device=device) for side in (i, chosen))

    def _pair_lengths(self, rows, columns, i, j):
        """Return the lengths of lines from row ``i[k]`` to column ``j[k]``.

        By log-weights, each pair and step for itself, and so without underflow.
        """
        xp = self.xp
        measure = self._pair_arcs if self.rule == "sphere" else self._pair_slopes
        size = 8 * rows.a.shape[1]
        parts = []
        for few in blocks_of(i, size):
            start = xp.take(rows.a, i[few], axis=0)
            end = xp.take(columns.a, j[few], axis=0)
            parts.append(measure(*(xp.astype(a, xp.float64) for a in (start, end))))
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

    def _pair_slopes(self, start, end):
        xp, length = self.xp, 0.0
        places = np.stack(quadrature(self.rule, self.n_steps), axis=1)
        for t, share in places.tolist():
            a = (1.0 - t) * start + t * end
            weights = xp.exp(a - xp.max(a, axis=1, keepdims=True))
            sums = weights @ self.parzen.one_hot
            slopes = (weights * (end - start)) @ self.parzen.one_hot
            length = length + share * speeds(xp, sums, slopes)
        return length


def _lowered_matter(xp, a, b):
    """Return (n, m) where a floored weight of row a weighs something beside b's.

    The best point of a carries the line near a; a floored weight matters if it is not
    negligible beside that point in row b.
    """
    best = xp.take(b, xp.argmax(a, axis=1), axis=1).T  # (n, m)
    lowered = a < -DOUBLE_RANGE
    above = xp.clip(b, -DOUBLE_RANGE, None) > (best + NEGLIGIBLE)[:, :, None]
    return xp.any(lowered[:, None, :] & above, axis=2)


def arcs_along(xp, sums, U, V):
    """Return lengths (b, m) from class weights (k, C, b, m) at the inner steps.

    ``U`` (b, C) and ``V`` (m, C) are the roots of the posteriors at the ends.
    """
    sums /= xp.sum(sums, axis=1, keepdims=True)
    roots = xp.sqrt(sums)
    inner = xp.sum(arcs(xp, roots[1:, ...] - roots[:-1, ...], axis=1), axis=0)
    first = arcs(xp, roots[0, ...] - U.T[:, :, None], axis=0)
    return first + inner + arcs(xp, V.T[:, None, :] - roots[-1, ...], axis=0)


def end_arcs(xp, U, V):
    """Return ``4 asin(|u - v| / 2)`` (b, m) for all rows of U (b, C) and V (m, C)."""
    return arcs(xp, U.T[:, :, None] - V.T[:, None, :], axis=0)


def arcs(xp, gaps, axis):
    """Return ``4 asin(|gap| / 2)``, twice the angle of vectors on the unit sphere.

    ``gaps`` are overwritten.
    """
    gaps *= gaps
    # Two roots of posteriors are at right angles at most; rounding may go above it.
    h = xp.clip(xp.sum(gaps, axis=axis) / 4.0, None, 0.5)
    return 4.0 * xp.asin(xp.sqrt(h))


def speeds(xp, sums, slopes):
    """Return ``sqrt( sum_c p_c (E_c[sl] - E[sl])^2 )`` from sums over classes.

    Their class axis is the second one; a class that underflowed contributes nothing.
    """
    total = xp.sum(sums, axis=1, keepdims=True)
    there = sums > 0.0
    gaps = slopes / xp.where(there, sums, xp.ones_like(sums))
    gaps -= xp.sum(slopes, axis=1, keepdims=True) / total
    return xp.sqrt(xp.sum(sums / total * gaps * gaps, axis=1))
