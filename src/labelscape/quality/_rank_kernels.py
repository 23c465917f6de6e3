"""Compiled ranks of whole rows, and what all pairs of ranks add up to.

A row of distances has infinity at its own point, which therefore gets the last rank, n.
"""

import numpy as np

from labelscape._core.jit import compiled
from labelscape.quality._neighbour_kernels import (
    FALSE_WITHIN,
    FIRST_MAP,
    FIRST_ORIGINAL,
    SAME_MAP,
    SAME_ORIGINAL,
    TEARS_WITHIN,
)

# 64 bits in six digits.
DIGIT_BITS = 11
N_DIGITS = 6
RADIX = 1 << DIGIT_BITS

# Rows of the histograms that all pairs with rho > r (mild or hard intrusions: closer on
# the map than in the data) and rho < r (extrusions) add up to, and those with rho = r.
INTRUSIONS_FROM, INTRUSIONS_WEIGHT, INTRUSIONS_TO = 0, 1, 2
EXTRUSIONS_FROM, EXTRUSIONS_WEIGHT, EXTRUSIONS_TO = 3, 4, 5
EQUAL = 6
N_HISTOGRAMS = 7


@compiled
def ranks_of_rows(D, ranks):
    """Write the rank of each entry of D (b, n) within its row: 1 = the smallest.

    A radix sort of the numbers' bits, from the lowest digit to the highest: numbers
    that are not negative are in the order of their bits. Each round keeps the order of
    equals, which begins as the order of indices; so ties go by index.
    """
    n = D.shape[1]
    keys, other_keys = np.empty(n, np.uint64), np.empty(n, np.uint64)
    order, other_order = np.empty(n, np.int32), np.empty(n, np.int32)
    counts = np.empty((N_DIGITS, RADIX), np.int32)
    mask = np.uint64(RADIX - 1)
    for i in range(D.shape[0]):
        bits = (D[i] + 0.0).view(np.uint64)  # + 0.0 turns -0.0 into 0.0
        counts[:] = 0
        for j in range(n):
            key = bits[j]
            keys[j] = key
            order[j] = j
            for digit in range(N_DIGITS):
                counts[digit, (key >> np.uint64(digit * DIGIT_BITS)) & mask] += 1
        for digit in range(N_DIGITS):
            shift = np.uint64(digit * DIGIT_BITS)
            start = counts[digit]
            if start[(keys[0] >> shift) & mask] == n:  # all have the same digit
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
        for at in range(n):
            ranks[i, order[at]] = at + 1


@compiled
def sums_from_ranks(rho, r, own, codes, k, sums):
    """Sum rank penalties as ``sums_by_counting`` does, from ranks (b, n) already known.

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

    A pair with r < rho is a false neighbour for all k from r to rho - 1, at a cost of
    rho - k: it enters at r, with its weight rho, and leaves at rho. Extrusions are the
    same with rho and r exchanged (spec section 1).
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


@compiled
def write_average_ranks(values, order, ranks):
    """Write the rank of each value; equal values share the mean of their ranks."""
    n = values.shape[0]
    start = 0
    while start < n:
        stop = start + 1
        while stop < n and values[order[stop]] == values[order[start]]:
            stop += 1
        for at in range(start, stop):
            ranks[order[at]] = (start + 1 + stop) / 2.0
        start = stop
