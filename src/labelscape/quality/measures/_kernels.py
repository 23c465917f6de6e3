"""Compiled loops of measures: radix sort, neighborhoods of size k, all ranks.

Order is by (distance, index) throughout. A row of distances has infinity at its own
point, so the point gets the last rank, n, and is not its own neighbor. Rows may be
screened, see `labelscape._core.points._kernels`.
"""

import numpy as np

from labelscape._core.jit import compiled
from labelscape._core.points._kernels import nearest_screened, squared_difference

# 64 bits in six digits.
DIGIT_BITS = 11
N_DIGITS = 6
RADIX = 1 << DIGIT_BITS


@compiled
def sorted_by_bits(keys, order, other_keys, other_order, counts):
    """Sort numbers >= 0 by their bits (n,); return bits, indices, and a buffer.

    A stable radix sort, from the lowest digit to the highest. ``other_keys``,
    ``other_order`` and ``counts`` (N_DIGITS, RADIX) are buffers; the result may be in
    ``keys`` and ``order``, or in ``other_keys`` and ``other_order``.
    """
    n = keys.shape[0]
    mask = np.uint64(RADIX - 1)
    counts[:] = 0
    for j in range(n):
        key = keys[j]
        for digit in range(N_DIGITS):
            counts[digit, (key >> np.uint64(digit * DIGIT_BITS)) & mask] += 1
    for digit in range(N_DIGITS):
        shift = np.uint64(digit * DIGIT_BITS)
        start = counts[digit]
        if start[(keys[0] >> shift) & mask] == n:  # all values have the same digit
            continue
        total = 0
        for value in range(RADIX):
            count = start[value]
            start[value] = total
            total += count
        for j in range(n):
            key = keys[j]
            value = (key >> shift) & mask
            at = start[value]
            start[value] = at + 1
            other_keys[at] = key
            other_order[at] = order[j]
        keys, other_keys = other_keys, keys
        order, other_order = other_order, order
    return keys, order, other_keys


@compiled
def fill_buckets(values, buckets, first, starts, keys, order):
    """Write the bits of numbers, and their indices from ``first`` on, into buckets."""
    bits = (values + 0.0).view(np.uint64)  # + 0.0 turns -0.0 into 0.0
    for j in range(values.shape[0]):
        at = starts[buckets[j]]
        starts[buckets[j]] = at + 1
        keys[at] = bits[j]
        order[at] = first + j


@compiled
def rank_buckets(keys, order, ends, low, high, ranks):
    """Write the ranks of all numbers in some buckets; ties get their mean rank."""
    counts = np.empty((N_DIGITS, RADIX), np.int32)
    for bucket in range(low, high):
        first, last = ends[bucket], ends[bucket + 1]
        n = last - first
        if n == 0:
            continue
        rooms = np.empty(n, np.uint64), np.empty(n, np.int32)
        parts = keys[first:last], order[first:last]
        here, own, _ = sorted_by_bits(*parts, *rooms, counts)
        start = 0
        while start < n:
            stop = start + 1
            while stop < n and here[stop] == here[start]:
                stop += 1
            for at in range(start, stop):
                ranks[own[at]] = first + (start + 1 + stop) / 2.0
            start = stop


# Columns of the sums of each point.
FALSE_WITHIN, FALSE_BETWEEN, TEARS_WITHIN, TEARS_BETWEEN = 0, 1, 2, 3
SAME_ORIGINAL, SAME_MAP, FIRST_ORIGINAL, FIRST_MAP = 4, 5, 6, 7
N_SUMS = 8


@compiled
def rank(row, slack, X, i, j):
    """Return 1 + the number of points before j in the order of (distance, index)."""
    low, high = row[j] - 2.0 * slack, row[j] + 2.0 * slack
    before = 0
    close = 0
    for other in range(row.shape[0]):
        before += row[other] < low
        close += row[other] <= high
    if close - before == 1:  # j itself
        return 1 + before
    d = np.sqrt(squared_difference(X[i], X[j])) if slack > 0.0 else row[j]
    for other in range(row.shape[0]):
        if low <= row[other] <= high and other != j:
            e = row[other]
            if slack > 0.0:
                e = np.sqrt(squared_difference(X[i], X[other]))
            before += e < d or (e == d and other < j)
    return 1 + before


@compiled
def sums_by_counting(D, D_slack, X, E, E_slack, Y, own, codes, k, sums):
    r"""Sum rank penalties of the points ``own``, with distances D (data) and E (map).

    For point i with neighbors N_k in D and M_k in E::

        false neighbors  sum_{j in M_k \ N_k} (rho_ij - k)
        tears             sum_{j in N_k \ M_k} (r_ij - k)

    each split by whether ``codes[j]`` is the class of i. Only the required ranks are
    counted, without sorting. X and Y are coordinates, which are
    only used where the slack is above 0 (screened rows).
    """
    in_data, on_map = np.empty(k, np.int64), np.empty(k, np.int64)
    distances = np.empty(k)
    for b in range(D.shape[0]):
        i = own[b]
        code = codes[i]
        nearest_screened(D[b], D_slack[b], X, i, in_data, distances)
        nearest_screened(E[b], E_slack[b], Y, i, on_map, distances)
        row = sums[b]
        row[:] = 0
        for j in on_map:
            foreign = int(codes[j] != code)
            row[SAME_MAP] += 1 - foreign
            if not _among(j, in_data):
                row[FALSE_WITHIN + foreign] += rank(D[b], D_slack[b], X, i, j) - k
        for j in in_data:
            foreign = int(codes[j] != code)
            row[SAME_ORIGINAL] += 1 - foreign
            if not _among(j, on_map):
                row[TEARS_WITHIN + foreign] += rank(E[b], E_slack[b], Y, i, j) - k
        row[FIRST_ORIGINAL] = codes[in_data[0]] == code
        row[FIRST_MAP] = codes[on_map[0]] == code


@compiled
def _among(j, members):
    for member in members:  # noqa: SIM110 - numba compiles no generators
        if member == j:
            return True
    return False


# Rows of the histograms, for all pairs with rho > r (intrusions: closer on the map than
# in the data), with rho < r (extrusions), and with rho = r.
INTRUSIONS_FROM, INTRUSIONS_WEIGHT, INTRUSIONS_TO = 0, 1, 2
EXTRUSIONS_FROM, EXTRUSIONS_WEIGHT, EXTRUSIONS_TO = 3, 4, 5
EQUAL = 6
N_HISTOGRAMS = 7


@compiled
def ranks_of_rows(D, ranks):
    """Write the ranks of D (b, n) within rows: 1 = the smallest, ties by index."""
    n = D.shape[1]
    keys, order = np.empty(n, np.uint64), np.empty(n, np.int32)
    other_keys, other_order = np.empty(n, np.uint64), np.empty(n, np.int32)
    counts = np.empty((N_DIGITS, RADIX), np.int32)
    for i in range(D.shape[0]):
        keys[:] = (D[i] + 0.0).view(np.uint64)  # + 0.0 turns -0.0 into 0.0
        for j in range(n):
            order[j] = j
        _, places, _ = sorted_by_bits(keys, order, other_keys, other_order, counts)
        for at in range(n):
            ranks[i, places[at]] = at + 1


@compiled
def sums_from_ranks(rho, r, own, codes, k, sums):
    """Sum rank penalties like ``sums_by_counting``, from known ranks (b, n).

    ``rho`` are the ranks in the original space, ``r`` those on the map.
    """
    for i in range(rho.shape[0]):
        code = codes[own[i]]
        row = sums[i]
        row[:] = 0
        for j in range(rho.shape[1]):
            a, b = rho[i, j], r[i, j]
            if a > k and b > k:
                continue
            foreign = int(codes[j] != code)
            if a > k:
                row[FALSE_WITHIN + foreign] += a - k
            elif b > k:
                row[TEARS_WITHIN + foreign] += b - k
            if not foreign:
                row[SAME_ORIGINAL] += a <= k
                row[SAME_MAP] += b <= k
                row[FIRST_ORIGINAL] += a == 1
                row[FIRST_MAP] += b == 1


@compiled
def add_to_histograms(rho, r, own, histograms):
    """Count the pairs of ranks (b, n) of the points ``own`` into histograms (7, n + 1).

    A pair with r < rho is a false neighbor for all k from r to rho - 1, with a penalty
    of rho - k. The pair is added at r, with weight rho, and removed at rho. For lost
    neighbors, rho and r are swapped.
    """
    for i in range(rho.shape[0]):
        for j in range(rho.shape[1]):
            if j == own[i]:
                continue
            a, b = rho[i, j], r[i, j]
            if b < a:
                histograms[INTRUSIONS_FROM, b] += 1
                histograms[INTRUSIONS_WEIGHT, b] += a
                histograms[INTRUSIONS_TO, a] += 1
            elif a < b:
                histograms[EXTRUSIONS_FROM, a] += 1
                histograms[EXTRUSIONS_WEIGHT, a] += b
                histograms[EXTRUSIONS_TO, b] += 1
            else:
                histograms[EQUAL, a] += 1
