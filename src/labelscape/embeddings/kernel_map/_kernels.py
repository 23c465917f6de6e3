"""Compiled placement of new points from their nearest centers."""

import numpy as np

from labelscape._core.jit import compiled

NEGLIGIBLE = 40.0  # exp(-40) is below the rounding of the largest weight


@compiled
def place_rows(exponents, scales, alpha, out):
    """Write the positions ``sum_j alpha_j phi_j`` of a block of points into ``out``.

    ``exponents`` (b, m) contains squared distances and is overwritten. ``scales`` (m,)
    is 1 / (2 sigma_j^2), and ``alpha`` (m, q) contains the coefficients.
    """
    b, m = exponents.shape
    q = alpha.shape[1]
    for i in range(b):
        row, place = exponents[i], out[i]
        least = np.inf
        for j in range(m):
            row[j] *= scales[j]
            least = min(least, row[j])
        place[:] = 0.0
        total = 0.0
        for j in range(m):
            if row[j] - least < NEGLIGIBLE:
                weight = np.exp(least - row[j])
                total += weight
                for k in range(q):
                    place[k] += weight * alpha[j, k]
        for k in range(q):
            place[k] /= total
