"""Kernels of ClassNeRV and SNE: soft neighbors in data and map, and the divergence.

Maps are stored as (q, n): each coordinate is contiguous over the points, so the
compiler may use vector instructions without changing the order of any sum.
"""

import numpy as np

from labelscape._core.jit import compiled
from labelscape.embeddings.weighted_mds._kernels import lane_sum
from labelscape.embeddings.xom._kernels import LOWEST, decay

# Logarithm of the weight 0 of a sample as its own neighbor. It is finite, so that its
# product with 0 is 0.
NO_SHARE = 2.0 * LOWEST
TIE = 1e-9  # distances whose squares differ by a smaller share are ties
# Maximum iterations of the search for a width, and tolerance of its entropy.
MOST_STEPS, NEAR = 100, 1e-10


@compiled
def share(x):
    """Return exp(x) for x <= 0, or 0 if exp(x) is below exp(-40)."""
    return decay(x) if x > LOWEST else 0.0


# Soft neighbors in the data.


@compiled
def soft_neighbors_of_rows(D, own, perplexity, w, log_beta):
    """Write w (b,) and log beta (b, n) for the dissimilarities D (b, n) of some rows.

    beta_ij = exp(-w_i D_ij^2) / sum_k exp(-w_i D_ik^2),   w_i = 1 / (2 sigma_i^2)

    with the w_i that gives the row its perplexity. ``own`` (b,) is the column of the
    sample itself, whose weight is 0, or -1 if it has no column.
    """
    n = D.shape[1]
    squares, shares = np.empty(n), np.empty(n)
    for i in range(len(D)):
        nearest = np.inf
        for j in range(n):
            if j != own[i]:
                nearest = min(nearest, D[i, j])
        for j in range(n):  # a product avoids cancellation if both are large
            squares[j] = (D[i, j] - nearest) * (D[i, j] + nearest)
        if own[i] >= 0:
            squares[own[i]] = np.inf
        w[i] = width_factor(squares, nearest, np.log(perplexity), shares)
        for j in range(n):
            shares[j] = share(-w[i] * squares[j])
        log_sum = np.log(lane_sum(shares))
        for j in range(n):
            log_beta[i, j] = -w[i] * squares[j] - log_sum
        if own[i] >= 0:
            log_beta[i, own[i]] = NO_SHARE


@compiled
def width_factor(squares, nearest, entropy, shares):
    """Return the w for which the soft neighbors of a row have this entropy.

    ``squares`` are D^2 - nearest^2. The search takes Newton steps in log w, or bisects
    if they leave the interval. If too many samples have the smallest distance, no w has
    this entropy. Then the next nearest samples get a weight of exp(-40).
    """
    least, most = np.inf, 0.0
    for j in range(len(squares)):
        if squares[j] < np.inf:
            most = max(most, squares[j])
            if squares[j] > TIE * (squares[j] + nearest * nearest):
                least = min(least, squares[j])
    if least == np.inf:  # all are equally near: any width is right
        return 0.5 / (nearest * nearest) if nearest > 0.0 else 1.0
    low, high = np.log(1e-6 / most), np.log(-LOWEST / least)
    at = 0.5 * (low + high)
    for _ in range(MOST_STEPS):
        current, slope = entropy_of_row(squares, np.exp(at), shares)
        if abs(current - entropy) < NEAR or high - low < NEAR:
            break
        if current > entropy:
            low = at
        else:
            high = at
        at += (current - entropy) / max(slope, 1e-300)
        if not low < at < high:
            at = 0.5 * (low + high)
    return np.exp(at)


@compiled
def entropy_of_row(squares, w, shares):
    """Return the entropy of exp(-w squares), and its decrease with log w."""
    for j in range(len(squares)):
        shares[j] = share(-w * squares[j])
    total = lane_sum(shares)
    first = second = 0.0
    for j in range(len(squares)):
        if shares[j] > 0.0:
            x = w * squares[j]
            first += shares[j] * x
            second += shares[j] * x * x
    mean = first / total
    return np.log(total) + mean, second / total - mean * mean


# Divergence from the soft neighbors on the map.


@compiled
def stress_of_rows(Z, w, log_beta, labels, taus, start, stop, gradient):
    """Return the stress of samples start..stop-1 on the map Z; add its gradient.

    Z is (q, n), and ``taus`` contains tau within and between classes. The gradient
    is added to ``gradient`` (q, n), because the stress of one sample also moves all
    other samples.
    """
    work = np.empty((3, Z.shape[1]))
    total = 0.0
    for i in range(start, stop):
        row = (i, w[i], log_beta[i], labels[i])
        total += stress_of_row(Z[:, i].copy(), row, Z, labels, taus, work)
        pulls, part = work[0], work[1]
        for k in range(Z.shape[0]):
            at, others, slopes = Z[k, i], Z[k], gradient[k]
            for j in range(Z.shape[1]):
                part[j] = pulls[j] * (at - others[j])
                slopes[j] -= part[j]
            slopes[i] += lane_sum(part)
    return total


@compiled
def stress_of_row(z, row, Z, labels, taus, work):
    """Return the stress of one sample at z (q,); write the pulls into ``work[0]``.

    stress  sum_j tau_j (beta_j log(beta_j / b_j) + b_j - beta_j)
                + (1 - tau_j)(b_j log(b_j / beta_j) + beta_j - b_j)
    slope   sum_j pull_j (z - z_j)

    with b the soft neighbors on the map, of width w. ``row`` contains the index or -1,
    w, log beta and class of the sample; ``work`` (3, n) is overwritten.
    """
    own, w, log_beta, label = row
    pulls, log_b, b = work[0], work[1], work[2]
    total = shares_on_map(z, own, Z, w, log_b, b)
    log_total = np.log(total)
    for j in range(len(b)):
        b[j] /= total
        beta = share(log_beta[j])
        log_ratio = log_b[j] - log_total - log_beta[j]
        tau = taus[0] if labels[j] == label else taus[1]
        gap = b[j] - beta
        false = (1.0 - tau) * (b[j] * log_ratio)
        log_b[j] = tau * (gap - beta * log_ratio) + false - (1.0 - tau) * gap
        pulls[j] = tau * gap + false
    stress, pull = lane_sum(log_b), lane_sum(pulls)
    for j in range(len(b)):
        pulls[j] = 2.0 * w * (b[j] * pull - pulls[j])
    return stress


@compiled
def shares_on_map(z, own, Z, w, log_b, b):
    """Write the weights b (n,) of the neighbors of z, and their logs; return sum b."""
    log_b[:] = 0.0
    for k in range(Z.shape[0]):
        at, others = z[k], Z[k]
        for j in range(len(b)):
            log_b[j] -= (at - others[j]) * (at - others[j])
    if own >= 0:
        log_b[own] = -np.inf
    nearest = log_b.max()
    for j in range(len(b)):
        log_b[j] = w * (log_b[j] - nearest)
        b[j] = share(log_b[j])
    if own >= 0:
        log_b[own] = NO_SHARE
    return lane_sum(b)


# New samples.

# Maximum number of steps, and step length in units of sigma at which the search ends.
MOST_MOVES, SHORT = 100, 1e-4
# A step must lower the stress by this share of the linear prediction.
LEAST_FALL = 1e-4


@compiled
def settle(z, w, log_beta, Z, tau):
    """Move a new sample z (q,) to minimize its own stress; all pairs have cost tau.

    It takes gradient steps of Barzilai-Borwein length, halved until the stress falls.
    """
    q, n = Z.shape
    labels, taus, work = np.zeros(n, np.int64), (tau, tau), np.empty((3, n))
    row = (-1, w, log_beta, 0)
    stress = stress_of_row(z, row, Z, labels, taus, work)
    slope, size = slope_at(z, Z, work[0])
    length = 0.5 / w
    for _ in range(MOST_MOVES):
        moved = z - length * slope
        next_stress = stress_of_row(moved, row, Z, labels, taus, work)
        while next_stress > stress - LEAST_FALL * length * size:
            if length * length * size * w < SHORT * SHORT:
                return
            length *= 0.5
            moved = z - length * slope
            next_stress = stress_of_row(moved, row, Z, labels, taus, work)
        last, stress = slope, next_stress
        slope, size = slope_at(moved, Z, work[0])
        step = moved - z
        z[:] = moved
        bend = squared = 0.0
        for k in range(q):
            bend += step[k] * (slope[k] - last[k])
            squared += step[k] * step[k]
        if squared * w < SHORT * SHORT:
            return
        length = squared / bend if bend > 0.0 else 0.5 / w


@compiled
def slope_at(z, Z, pulls):
    """Return the gradient of a sample's stress at z, and its squared length."""
    slope = np.empty(len(z))
    size = 0.0
    for k in range(len(z)):
        slope[k] = z[k] * lane_sum(pulls) - lane_sum(pulls * Z[k])
        size += slope[k] * slope[k]
    return slope, size
