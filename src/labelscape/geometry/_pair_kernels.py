"""Kernels over pairs: Fisher lengths, and which of them matter."""

import numpy as np

from labelscape._core.jit import compiled, compiled_reordering
from labelscape.geometry._fisher_kernels import LANES, last_step, step_along

# Fisher lengths of listed pairs of points, for many Parzen points.
#
# The same numbers as in ``_fisher_kernels``, added up the other way: here vector units
# run along the Parzen points of a class, where rows lie as they are, and nothing has to
# be turned to run along columns. For columns here and there that is several times as
# fast, from some fifteen Parzen points per class on.

# Inner products may be added up in the order that vector units like. One thread works
# out a pair, so its bits do not depend on the number of threads.

# Steps of a line whose class weights stay in registers.
TOGETHER = 9


@compiled_reordering
def nine_class_sums(weight, inverse, F, starts, sums, lane):
    """Write ``sum_p w_p r_p^k`` of each class to ``sums[k - 1, :, lane]``, k = 1 to 9.

    ``weight`` and ``inverse`` = 1/F are those of the row, ``F`` that of the column, and
    ``r = F / F_row`` takes a weight one step along the line.
    """
    zero = F.dtype.type(0.0)
    for c in range(len(starts) - 1):
        # Slices, because loops from 0 to a length become vector instructions.
        own = weight[starts[c] : starts[c + 1]]
        scale = inverse[starts[c] : starts[c + 1]]
        column = F[starts[c] : starts[c + 1]]
        s1 = s2 = s3 = s4 = s5 = s6 = s7 = s8 = s9 = zero
        for p in range(len(own)):
            r = column[p] * scale[p]
            r2 = r * r
            r3 = r2 * r
            w = own[p]
            s1 += w * r
            s2 += w * r2
            w = w * r3
            s3 += w
            s4 += w * r
            s5 += w * r2
            w = w * r3
            s6 += w
            s7 += w * r
            s8 += w * r2
            s9 += w * r3
        sums[0, c, lane] = s1
        sums[1, c, lane] = s2
        sums[2, c, lane] = s3
        sums[3, c, lane] = s4
        sums[4, c, lane] = s5
        sums[5, c, lane] = s6
        sums[6, c, lane] = s7
        sums[7, c, lane] = s8
        sums[8, c, lane] = s9


@compiled_reordering
def take_nine_steps(weight, inverse, F):
    """Turn weights into those nine steps further along the line."""
    for p in range(len(weight)):
        r = F[p] * inverse[p]
        r3 = r * r * r
        weight[p] *= r3 * r3 * r3


@compiled_reordering
def listed_along_points(rows, columns, starts, n_steps, bounds, chosen, out):
    """Write the lengths from row i to the columns ``chosen[bounds[i]:bounds[i+1]]``."""
    dtype = rows.F.dtype
    C, one = len(starts) - 1, dtype.type(1.0)
    # A multiple of nine; steps past the end of the line are not read.
    n_sums = max(TOGETHER, (n_steps - 2 + TOGETHER) // TOGETHER * TOGETHER)
    weight = np.empty(rows.F.shape[1], dtype)
    # Ones, so that lanes without a pair divide by no 0.
    sums, end = np.ones((n_sums, C, LANES), dtype), np.ones((C, LANES), dtype)
    previous, lines = np.empty((C, LANES), dtype), np.empty((3, LANES), dtype)
    total, h, length = lines[0], lines[1], lines[2]
    for i in range(len(rows.F)):
        first, inverse = np.exp(rows.floored[i]), one / rows.F[i]
        for start in range(bounds[i], bounds[i + 1], LANES):
            count = min(LANES, bounds[i + 1] - start)
            for lane in range(count):
                j = chosen[start + lane]
                F = columns.F[j]
                nine_class_sums(first, inverse, F, starts, sums, lane)
                if n_sums > TOGETHER:
                    weight[:] = first
                for k in range(TOGETHER, n_sums, TOGETHER):
                    take_nine_steps(weight, inverse, F)
                    nine_class_sums(weight, inverse, F, starts, sums[k:], lane)
                end[:, lane] = columns.U[j]
            for c in range(C):
                previous[c] = rows.U[i, c]
            length[:] = 0.0
            for k in range(n_steps - 1):
                step_along(sums[k], previous, total, h, length)
            last_step(end, previous, h, length)
            out[start : start + count] = length[:count]


# Which kernels carry weight, from lower bounds of their exponents.

# Exponents are counted in bins of a quarter, up to exp(-64) = 1.6e-28.
PER_UNIT, N_BINS = 4, 256


@compiled
def mark_heavy(exponents, known, tolerance, heavy):
    """Mark in ``heavy`` (n, m) all kernels but those that weigh nothing together.

    ``exponents`` (n, m) are lower bounds, ``known`` (n,) is not below the least true
    exponent of a row. Those not marked have ``sum exp(known - exponent) <= tolerance``.
    """
    n, m = exponents.shape
    counts = np.empty(N_BINS)
    for i in range(n):
        counts[:] = 0.0
        for j in range(m):
            bin_of = (exponents[i, j] - known[i]) * PER_UNIT
            counts[int(min(max(bin_of, 0.0), N_BINS - 1.0))] += 1.0
        last, left_out = N_BINS, 0.0
        while last > 1:  # the nearest bin stays, however few there are
            left_out += counts[last - 1] * np.exp(-(last - 1.0) / PER_UNIT)
            if left_out > tolerance:
                break
            last -= 1
        limit = known[i] + last / PER_UNIT
        for j in range(m):
            heavy[i, j] = exponents[i, j] < limit
