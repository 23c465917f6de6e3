"""Which kernels carry weight, from lower bounds of their exponents."""

import numpy as np

from labelscape._core.jit import compiled

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
