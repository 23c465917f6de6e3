"""Straight lines measured by a Parzen estimate: which kernel works out which pairs."""

import numpy as np

from labelscape.geometry._fisher_products import product_lengths
from labelscape.geometry._log_weights import SINGLE_RANGE, log_weights
from labelscape.geometry._straight import needed_pairs

# From this many Parzen points per class on, matrix products beat the pair kernel, and
# from so many on, listed pairs are faster along points than along columns.
MANY_PER_CLASS, MANY_FOR_LISTED = 10, 15


class ParzenLines:
    """Fisher lengths of straight lines under a Parzen estimate.

    Parameters
    ----------
    parzen : Parzen
        The estimate.
    n_steps : int
        T, the pieces of a line.
    rule : {"sphere", "midpoint", "left"}
        How a piece is measured (spec section 3).
    """

    # Blocks of pairs may be worked out by several threads at a time.
    threaded = True
    # Listed pairs take so much longer than pairs of a block, which are matrix products.
    listed_cost = 1.5

    def __init__(self, parzen, n_steps, rule):
        self.parzen = parzen
        self.n_steps = n_steps
        self.rule = rule

    def prepare(self, X, own=None, single=False):
        """Return what the lengths of lines from and to these points are made of."""
        return log_weights(X, self.parzen, self.n_steps, own=own, single=single)

    def lighter(self, A):
        """Return points in float32, where the range of their weights allows it."""
        fits = A.a.min() >= -SINGLE_RANGE
        return A.astype(np.float32, self.n_steps) if fits else A

    def common(self, A, B):
        """Return two sets of points in the precision that both allow."""
        dtype = np.result_type(A.a, B.a)
        return A.astype(dtype, self.n_steps), B.astype(dtype, self.n_steps)

    def block(self, rows, columns, offset=-1):
        """Return the lengths (b, m) of all lines from rows to columns.

        With an offset of 0 or more, row i needs only the columns from ``offset + i``
        on, and the others may hold anything.
        """
        out = np.zeros((len(rows.a), len(columns.a)), rows.a.dtype)
        if self.rule != "sphere":
            needed = needed_pairs(out.shape, offset)
            bounds = np.concatenate([[0], np.cumsum(needed.sum(axis=1))])
            out[needed] = self.listed(rows, columns, bounds, np.nonzero(needed)[1])
            return out
        from labelscape.geometry._fisher_kernels import block_lengths, exact_block

        starts, T = self.parzen.starts, self.n_steps
        many = self._has_per_class(MANY_PER_CLASS)
        measure = product_lengths if many else block_lengths
        measure(rows, columns, starts, T, offset, out)
        if rows.wide.any() or columns.wide.any():
            exact_block(rows, columns, starts, T, offset, out)
        return out

    def listed(self, rows, columns, bounds, chosen):
        """Return lengths from row i to the columns ``chosen[bounds[i]:bounds[i+1]]``.

        All of them one after the other, in the order of ``chosen``.
        """
        from labelscape.geometry import _fisher_kernels as kernels

        out = np.empty(len(chosen), rows.a.dtype)
        starts, T = self.parzen.starts, self.n_steps
        pairs = (bounds, chosen, out)
        if self.rule != "sphere":
            nodes, shares = quadrature(self.rule, T)
            kernels.slope_listed(rows, columns, starts, nodes, shares, *pairs)
            return out
        if self._has_per_class(MANY_FOR_LISTED):
            from labelscape.geometry._listed_kernels import listed_along_points

            listed_along_points(rows, columns, starts, T, *pairs)
        else:
            kernels.listed_lengths(rows, columns, starts, T, *pairs)
        if rows.wide.any() or columns.wide.any():
            kernels.exact_listed(rows, columns, starts, T, *pairs)
        return out

    def _has_per_class(self, count):
        return len(self.parzen.points) >= count * (len(self.parzen.starts) - 1)


def quadrature(rule, n_steps):
    """Return places on the line, and the share of its length that each stands for.

    "left" takes the start of each piece; the mean of both directions, which makes it
    symmetric, is the rule of trapezoids.
    """
    if rule == "midpoint":
        return (np.arange(n_steps) + 0.5) / n_steps, np.full(n_steps, 1.0 / n_steps)
    shares = np.full(n_steps + 1, 1.0 / n_steps)
    shares[[0, -1]] /= 2.0
    return np.arange(n_steps + 1) / n_steps, shares
