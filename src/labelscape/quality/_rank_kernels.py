"""Compiled ranks of whole rows, and what all pairs of ranks add up to.

A row of distances has infinity at its own point, which therefore gets the last rank, n.
"""

import numpy as np

from labelscape._core.jit import compiled
from labelscape.quality._neighborhood_kernels import (
    FALSE_WITHIN,
    FIRST_MAP,
    FIRST_ORIGINAL,
    SAME_MAP,
    SAME_ORIGINAL,
    TEARS_WITHIN,
)
from labelscape.quality._sort_kernels import N_DIGITS, RADIX, sorted_by_bits

# Rows of the histograms that all pairs with rho > r (mild or hard intrusions: closer on
# the map than in the data) and rho < r (extrusions) add up to, and those with rho = r.
INTRUSIONS_FROM, INTRUSIONS_WEIGHT, INTRUSIONS_TO = 0, 1, 2
EXTRUSIONS_FROM, EXTRUSIONS_WEIGHT, EXTRUSIONS_TO = 3, 4, 5
EQUAL = 6
N_HISTOGRAMS = 7


@compiled
def ranks_of_rows(D, ranks):
    """Write the rank of each entry of D (b, n) within its row: 1 = the smallest.

    Equal entries are ranked in the order of their indices.
    """
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
