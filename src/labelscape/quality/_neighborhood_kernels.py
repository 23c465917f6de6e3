"""Compiled sums over false and missed neighbours, for one neighbourhood size k.

A row of distances has infinity at its own point, so that it is nobody's neighbour.
Order is by (distance, index) throughout. Rows may be screened, see
`labelscape._core.points._neighbor_kernels`.
"""

import numpy as np

from labelscape._core.jit import compiled
from labelscape._core.points._distance_kernels import squared_difference
from labelscape._core.points._neighbor_kernels import nearest_screened

# Columns of what a pass keeps of each point.
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
    if close - before == 1:  # nobody but j itself
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
    r"""Sum rank penalties of the rows D (original) and E (map) of the points ``own``.

    For point i with neighbours N_k in D and M_k in E (spec section 1)::

        false neighbours  sum_{j in M_k \ N_k} (rho_ij - k)
        tears             sum_{j in N_k \ M_k} (r_ij - k)

    each split by whether ``codes[j]`` is the class of i (section 3). A rank is counted
    only where it is needed, so nothing is sorted. X and Y are the coordinates behind
    screened rows, and not looked at where the slack is 0.
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
