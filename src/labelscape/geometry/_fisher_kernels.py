"""Fisher lengths of straight lines, from two rows of log-weights (spec 3 and 8).

Log-weights ``a`` (n, P) have their row maximum removed and their Parzen points sorted
by class: class c has the columns ``starts[c]`` to ``starts[c + 1]``. ``F = exp(a/T)``,
``U`` (n, C) are the roots of the posteriors. Along a line the log-weights are straight
too, so ``w_p(k/T) = exp(a_ip) (F_jp / F_ip)^k``: one product per step, and no exp.
Arguments called rows and columns are LogWeights, the two ends of lines.
"""

import numpy as np

from labelscape._core.jit import compiled
from labelscape.geometry._log_weights import NEGLIGIBLE

# Columns worked on together: long enough for vector units, and the class sums of all
# steps stay in the cache.
LANES = 64


@compiled
def add_arcs(h, out):
    """Add ``4 asin(sqrt(h))``, twice the angle of vectors with ``|u - u'|^2 = 4 h``.

    Two halvings of the angle, then the series of asin to the last digit of float64. No
    branch, so that the loop becomes vector instructions; exact also for small angles.
    """
    number = h.dtype.type
    one, half, sixteen = number(1.0), number(0.5), number(16.0)
    c1, c2, c3, c4 = number(1 / 6), number(3 / 40), number(5 / 112), number(35 / 1152)
    c5, c6 = number(63 / 2816), number(231 / 13312)
    c7, c8 = number(143 / 10240), number(6435 / 557056)
    for j in range(len(h)):
        x = min(h[j], half)  # rounding may lift it above the right angle of two classes
        x = half * x / (one + np.sqrt(one - x))
        x = half * x / (one + np.sqrt(one - x))
        series = c4 + x * (c5 + x * (c6 + x * (c7 + x * c8)))
        series = one + x * (c1 + x * (c2 + x * (c3 + x * series)))
        out[j] += sixteen * np.sqrt(x) * series


@compiled
def step_along(sums, previous, total, h, out):
    """Add one step to lengths: ``sums`` (C, m) are the class weights where it ends.

    ``previous`` (C, m) holds the roots where it begins, and then where it ends.
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
    """Add the step that ends at the columns themselves, whose roots are known."""
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


@compiled
def class_sums(first, inverse, F, starts, ratio, weight, sums):
    """Write the class weights of one row with some columns at every inner step.

    ``first`` is exp(a) and ``inverse`` 1/F of the row, ``F`` (P, m) that of the
    columns. ``sums`` (steps, C, m) has a multiple of three steps: three at a time keep
    the weights in registers; those past the end of the line are not read.
    """
    sums[:] = 0.0
    m = F.shape[1]
    for c in range(len(starts) - 1):
        for p in range(starts[c], starts[c + 1]):
            own, scale, column = first[p], inverse[p], F[p]
            for j in range(m):
                ratio[j] = column[j] * scale
                weight[j] = own
            for k in range(0, len(sums), 3):
                one, two, three = sums[k, c], sums[k + 1, c], sums[k + 2, c]
                for j in range(m):
                    r = ratio[j]
                    w1 = weight[j] * r
                    w2 = w1 * r
                    w3 = w2 * r
                    one[j] += w1
                    two[j] += w2
                    three[j] += w3
                    weight[j] = w3


@compiled
def scratch(F, U, n_steps):
    """Return the arrays that a tile of columns is worked out in."""
    P, C, dtype = F.shape[1], U.shape[1], F.dtype
    return (
        np.empty((P, LANES), dtype),
        np.empty((C, LANES), dtype),
        np.empty(((n_steps + 1) // 3 * 3, C, LANES), dtype),
        np.empty((C, LANES), dtype),
        np.empty((4, LANES), dtype),
    )


@compiled
def load_tile(F, U, columns, tile_F, tile_U):
    """Copy listed columns into a tile, transposed; the last one fills what is left."""
    for lane in range(LANES):
        j = columns[min(lane, len(columns) - 1)]
        for p in range(F.shape[1]):
            tile_F[p, lane] = F[j, p]
        for c in range(U.shape[1]):
            tile_U[c, lane] = U[j, c]


@compiled
def tile_lengths(first, inverse, u, starts, n_steps, work):
    """Return the lengths from one row to the columns of a loaded tile (rule sphere)."""
    tile_F, tile_U, sums, previous, lines = work
    ratio, weight, h, out = lines[0], lines[1], lines[2], lines[3]
    class_sums(first, inverse, tile_F, starts, ratio, weight, sums)
    for c in range(len(u)):
        previous[c] = u[c]
    out[:] = 0.0
    for k in range(n_steps - 1):
        step_along(sums[k], previous, ratio, h, out)
    last_step(tile_U, previous, h, out)
    return out


@compiled
def block_lengths(rows, columns, starts, n_steps, offset, out):
    """Write the lengths from rows to all columns into ``out`` (b, m).

    Row i needs the columns from ``offset + i`` on: the others are unique pairs of
    another block, and what stands there is not to be read. A negative offset asks for
    all.
    """
    work = scratch(rows.F, rows.U, n_steps)
    first, inverse = np.exp(rows.floored), rows.F.dtype.type(1.0) / rows.F
    m = len(columns.F)
    for start in range(0, m, LANES):
        stop = min(start + LANES, m)
        load_tile(columns.F, columns.U, np.arange(start, stop), work[0], work[1])
        for i in range(len(first)):
            if offset < 0 or stop > offset + i:
                u = rows.U[i]
                found = tile_lengths(first[i], inverse[i], u, starts, n_steps, work)
                out[i, start:stop] = found[: stop - start]


@compiled
def listed_lengths(rows, columns, starts, n_steps, bounds, chosen, out):
    """Write the lengths from row i to the columns ``chosen[bounds[i]:bounds[i+1]]``."""
    work = scratch(rows.F, rows.U, n_steps)
    for i in range(len(rows.F)):
        first, inverse = np.exp(rows.floored[i]), rows.F.dtype.type(1.0) / rows.F[i]
        for start in range(bounds[i], bounds[i + 1], LANES):
            stop = min(start + LANES, bounds[i + 1])
            load_tile(columns.F, columns.U, chosen[start:stop], work[0], work[1])
            found = tile_lengths(first, inverse, rows.U[i], starts, n_steps, work)
            out[start:stop] = found[: stop - start]


@compiled
def keep_points(row, column, best, best_column, starts, work):
    """Copy the ends of the Parzen points that matter on a line; return their starts.

    A point is dropped if it is negligible beside one other point, the best of the row
    or that of the column, at both ends and so everywhere between (8, point 7).
    """
    kept = np.zeros_like(starts)
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
        kept[c + 1] = count
    return kept


@compiled
def exact_length(row, column, starts, n_steps):
    """Return one length by log-weights, where weights themselves would underflow."""
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
    """Return one length by the slope of the posterior (identity A, section 3.1).

    sum_k shares_k sqrt( sum_c p_c (E_c[sl] - E[sl])^2 ),  sl_p = a_jp - a_ip, at the
    places ``nodes`` of the line.
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
            if weights[c] > 0.0:  # a class that underflowed contributes nothing
                speed += weights[c] / total * (slopes[c] / weights[c] - mean) ** 2
        length += shares[k] * np.sqrt(speed)
    return length


@compiled
def floor_matters(row, column, floored, floored_column, best, best_column):
    """Return whether the length of a line changes where log-weights are floored.

    It does not, if each floored weight stays negligible along the line beside that of
    one Parzen point: the best of the row where the row is floored, the best of the
    column where the column is. All three are straight in t, so the ends decide.
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
def exact_pair(rows, columns, i, j, starts, n_steps, work, length):
    """Return the length of one pair: the given one, or exactly if a floor matters."""
    if not (rows.wide[i] or columns.wide[j]):
        return length
    row, column = rows.a[i], columns.a[j]
    best, best_column = rows.best[i], columns.best[j]
    floored, floored_column = rows.floored[i], columns.floored[j]
    if not floor_matters(row, column, floored, floored_column, best, best_column):
        return length
    kept = keep_points(row, column, best, best_column, starts, work)
    return exact_length(work[0], work[1], kept, n_steps)


@compiled
def exact_block(rows, columns, starts, n_steps, offset, out):
    """Work out the pairs of a block again that a floor has changed (8, point 6)."""
    work = np.empty((2, starts[-1]))
    for i in range(len(rows.a)):
        for j in range(offset + i if offset >= 0 else 0, len(columns.a)):
            out[i, j] = exact_pair(
                rows, columns, i, j, starts, n_steps, work, out[i, j]
            )


@compiled
def exact_listed(rows, columns, starts, n_steps, bounds, chosen, out):
    """Work out the listed pairs again that a floor has changed."""
    work = np.empty((2, starts[-1]))
    for i in range(len(rows.a)):
        for k in range(bounds[i], bounds[i + 1]):
            out[k] = exact_pair(
                rows, columns, i, chosen[k], starts, n_steps, work, out[k]
            )


@compiled
def slope_listed(rows, columns, starts, nodes, shares, bounds, chosen, out):
    """Write the listed lengths by the slope of the posterior."""
    for i in range(len(rows.a)):
        for k in range(bounds[i], bounds[i + 1]):
            column = columns.a[chosen[k]]
            out[k] = slope_length(rows.a[i], column, starts, nodes, shares)
