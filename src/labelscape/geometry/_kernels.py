"""Fisher lengths of straight lines, from two rows of log-weights.

Each row of the log-weights ``a`` (n, P) has maximum 0. Parzen points are sorted by
class: class c has the columns ``starts[c]`` to ``starts[c + 1]``. T is the number of
steps, ``F = exp(a/T)``, and ``U`` (n, C) are the square roots of posteriors. On a line,
``w_p(k/T) = exp(a_ip) (F_jp / F_ip)^k`` needs one product per step. The arguments
``rows`` and ``columns`` are LogWeights of the two ends of lines. Pairs are listed: row
i is paired with the columns ``chosen[bounds[i]:bounds[i + 1]]``.
"""

import numpy as np

from labelscape._core.jit import compiled, compiled_reordering
from labelscape.geometry._parzen import NEGLIGIBLE

LANES = 64  # number of pairs computed together: enough for vector units
TOGETHER = 9  # number of steps of a line whose class weights stay in registers
# Exponents are counted in bins of width 1/4, down to exp(-64) = 1.6e-28.
PER_UNIT, N_BINS = 4, 256


@compiled
def add_arcs(h, out):
    """Add ``4 asin(sqrt(h))``, twice the angle of vectors with ``|u - u'|^2 = 4 h``.

    The angle is halved twice, then the series of asin is accurate to float64. There are
    no branches, so the loop is vectorized. Small angles are exact, too.
    """
    number = h.dtype.type
    one, half, sixteen = number(1.0), number(0.5), number(16.0)
    c1, c2, c3, c4 = number(1 / 6), number(3 / 40), number(5 / 112), number(35 / 1152)
    c5, c6 = number(63 / 2816), number(231 / 13312)
    c7, c8 = number(143 / 10240), number(6435 / 557056)
    for j in range(len(h)):
        x = min(h[j], half)  # rounding may exceed the right angle between two classes
        x = half * x / (one + np.sqrt(one - x))
        x = half * x / (one + np.sqrt(one - x))
        series = c4 + x * (c5 + x * (c6 + x * (c7 + x * c8)))
        series = one + x * (c1 + x * (c2 + x * (c3 + x * series)))
        out[j] += sixteen * np.sqrt(x) * series


@compiled
def step_along(sums, previous, total, h, out):
    """Add one step to lengths; ``sums`` (C, m) are the class weights at its end.

    ``previous`` (C, m) has the square roots at the start; those at the end replace it.
    """
    one, quarter = h.dtype.type(1.0), h.dtype.type(0.25)
    C, m = sums.shape
    total[:] = 0.0
    for c in range(C):
        here = sums[c]
        for j in range(m):
            total[j] += here[j]
    for j in range(m):
        total[j] = one / total[j]
    h[:] = 0.0
    for c in range(C):
        here, before = sums[c], previous[c]
        for j in range(m):
            u = np.sqrt(here[j] * total[j])
            gap = u - before[j]
            h[j] += gap * gap
            before[j] = u
    for j in range(m):
        h[j] *= quarter
    add_arcs(h, out)


@compiled
def last_step(end, previous, h, out):
    """Add the last step, which ends at the columns, whose square roots are known."""
    quarter = h.dtype.type(0.25)
    C, m = end.shape
    h[:] = 0.0
    for c in range(C):
        here, before = end[c], previous[c]
        for j in range(m):
            gap = here[j] - before[j]
            h[j] += gap * gap
    for j in range(m):
        h[j] *= quarter
    add_arcs(h, out)


# Lengths of listed pairs. Vector units compute the Parzen points of a class, which are
# contiguous. The order of sums in inner products may depend on the vector units, but
# one thread computes each pair, so results do not depend on the number of threads.


@compiled_reordering
def nine_class_sums(weight, inverse, F, starts, sums, lane):
    """Write ``sum_p w_p r_p^k`` of each class to ``sums[k - 1, :, lane]``, k = 1 to 9.

    ``weight`` and ``inverse`` = 1/F belong to the row, ``F`` to the column, and each
    step multiplies a weight by ``r = F / F_row``.
    """
    zero = F.dtype.type(0.0)
    for c in range(len(starts) - 1):
        # Slices are used because loops from 0 to a length are vectorized.
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
        for k, s in enumerate((s1, s2, s3, s4, s5, s6, s7, s8, s9)):
            sums[k, c, lane] = s


@compiled_reordering
def take_nine_steps(weight, inverse, F):
    """Move weights nine steps further along the line, in place."""
    for p in range(len(weight)):
        r = F[p] * inverse[p]
        r3 = r * r * r
        weight[p] *= r3 * r3 * r3


@compiled_reordering
def listed_lengths(rows, columns, starts, n_steps, bounds, chosen, out):
    """Write the lengths of listed pairs into ``out`` (n_pairs,)."""
    dtype = rows.F.dtype
    C, one = len(starts) - 1, dtype.type(1.0)
    # The number is a multiple of nine. Steps beyond the end of the line are not used.
    n_sums = max(TOGETHER, (n_steps - 2 + TOGETHER) // TOGETHER * TOGETHER)
    weight = np.empty(rows.F.shape[1], dtype)
    # Filled with ones, so that unused entries do not cause a division by 0.
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


# Pairs whose weights would underflow, and lengths by gradients.


@compiled
def keep_points(row, column, best, best_column, starts, work):
    """Copy the Parzen points that matter on a line; return the starts of classes.

    A point is omitted if, at both ends of the line, its weight is negligible relative
    to the best point of the row, or of the column. So it is negligible on all the line.
    """
    left = np.zeros_like(starts)
    count = 0
    for c in range(len(starts) - 1):
        for p in range(starts[c], starts[c + 1]):
            below = row[p] <= row[best] + NEGLIGIBLE
            below = below and column[p] <= column[best] + NEGLIGIBLE
            other = row[p] <= row[best_column] + NEGLIGIBLE
            other = other and column[p] <= column[best_column] + NEGLIGIBLE
            if not (below or other):
                work[0, count] = row[p]
                work[1, count] = column[p]
                count += 1
        left[c + 1] = count
    return left


@compiled
def exact_length(row, column, starts, n_steps):
    """Return one length from log-weights, for weights that would underflow."""
    roots = np.zeros((2, len(starts) - 1))
    length, h = np.zeros(1), np.empty(1)
    for k in range(n_steps + 1):
        t = k / n_steps
        top = -np.inf
        for p in range(starts[-1]):
            top = max(top, (1.0 - t) * row[p] + t * column[p])
        now, before = roots[k % 2], roots[(k + 1) % 2]
        total = 0.0
        for c in range(len(now)):
            weight = 0.0
            for p in range(starts[c], starts[c + 1]):
                below = (1.0 - t) * row[p] + t * column[p] - top
                if below > NEGLIGIBLE:
                    weight += np.exp(below)
            now[c] = weight
            total += weight
        h[0] = 0.0
        for c in range(len(now)):
            now[c] = np.sqrt(now[c] / total)
            h[0] += 0.25 * (now[c] - before[c]) ** 2
        if k > 0:
            add_arcs(h, length)
    return length[0]


@compiled
def slope_length(row, column, starts, nodes, shares):
    """Return one length from the gradient of the posterior.

    sum_k shares_k sqrt( sum_c p_c (E_c[sl] - E[sl])^2 ),  sl_p = a_jp - a_ip, at the
    positions ``nodes`` on the line.
    """
    C = len(starts) - 1
    weights, slopes = np.empty(C), np.empty(C)
    length = 0.0
    for k in range(len(nodes)):
        t = nodes[k]
        top = -np.inf
        for p in range(len(row)):
            top = max(top, (1.0 - t) * row[p] + t * column[p])
        total = mean = 0.0
        for c in range(C):
            weights[c] = slopes[c] = 0.0
            for p in range(starts[c], starts[c + 1]):
                w = np.exp((1.0 - t) * row[p] + t * column[p] - top)
                weights[c] += w
                slopes[c] += w * (column[p] - row[p])
            total += weights[c]
            mean += slopes[c]
        mean /= total
        speed = 0.0
        for c in range(C):
            if weights[c] > 0.0:  # a class whose weight underflowed contributes nothing
                speed += weights[c] / total * (slopes[c] / weights[c] - mean) ** 2
        length += shares[k] * np.sqrt(speed)
    return length


@compiled
def floor_matters(row, column, floored, floored_column, best, best_column):
    """Return whether raising log-weights to the floor changes the length of a line.

    The length does not change if each raised weight of the row (of the column) is
    negligible on the whole line, relative to the best Parzen point of the row (of the
    column). Log-weights are linear on a line, so checking the ends is enough.
    """
    in_row = column[best] + NEGLIGIBLE
    in_column = row[best_column] + NEGLIGIBLE
    for p in range(len(row)):
        if row[p] < floored[p] and floored_column[p] > in_row:
            return True
        if column[p] < floored_column[p] and floored[p] > in_column:
            return True
    return False


@compiled
def exact_listed(rows, columns, starts, n_steps, bounds, chosen, out):
    """Recompute listed pairs with exact log-weights."""
    work = np.empty((2, starts[-1]))
    for i in range(len(rows.a)):
        row, floored, best = rows.a[i], rows.floored[i], rows.best[i]
        for k in range(bounds[i], bounds[i + 1]):
            j = chosen[k]
            if not (rows.wide[i] or columns.wide[j]):
                continue
            column, best_column = columns.a[j], columns.best[j]
            other = columns.floored[j]
            if floor_matters(row, column, floored, other, best, best_column):
                left = keep_points(row, column, best, best_column, starts, work)
                out[k] = exact_length(work[0], work[1], left, n_steps)


@compiled
def slope_listed(rows, columns, starts, nodes, shares, bounds, chosen, out):
    """Write the listed lengths, computed from the gradient of the posterior."""
    for i in range(len(rows.a)):
        for k in range(bounds[i], bounds[i + 1]):
            column = columns.a[chosen[k]]
            out[k] = slope_length(rows.a[i], column, starts, nodes, shares)


# Which kernels have weight, by lower bounds of their exponents.


@compiled
def mark_heavy(exponents, known, tolerance, heavy):
    """Mark in ``heavy`` (n, m) all kernels whose weight is not negligible.

    ``exponents`` (n, m) are lower bounds, and ``known`` (n,) is at least the smallest
    true exponent of a row. For unmarked kernels, ``sum exp(known - exponent)`` is
    at most ``tolerance``.
    """
    n, m = exponents.shape
    counts = np.empty(N_BINS)
    for i in range(n):
        counts[:] = 0.0
        for j in range(m):
            bin_of = (exponents[i, j] - known[i]) * PER_UNIT
            counts[int(min(max(bin_of, 0.0), N_BINS - 1.0))] += 1.0
        last, left_out = N_BINS, 0.0
        while last > 1:  # the nearest bin always remains
            left_out += counts[last - 1] * np.exp(-(last - 1.0) / PER_UNIT)
            if left_out > tolerance:
                break
            last -= 1
        limit = known[i] + last / PER_UNIT
        for j in range(m):
            heavy[i, j] = exponents[i, j] < limit
