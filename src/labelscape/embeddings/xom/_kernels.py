"""Compiled steps of XOM and NE-XOM."""

import numpy as np

from labelscape._core.jit import compiled
from labelscape._core.points._kernels import row_of_squared_differences

# Compiled steps of XOM: find the winner of a random point, move all samples toward it.
#
# Maps are stored as (q, n): each coordinate is contiguous over the points, so the
# compiler may use vector instructions without changing the order of any sum.

LOWEST = -40.0  # smallest value returned by `decay`: exp(-40)


@compiled
def decay(x):
    """Return exp(x) for x <= 0, with a relative error below 3e-13; at least exp(-40).

    The Taylor polynomial at x/1024 is squared ten times. Unlike loops that call `exp`,
    loops with these products and sums are vectorized on every machine.
    """
    t = max(x, LOWEST) / 1024.0
    p = t / 5040.0 + 1.0 / 720.0
    p = p * t + 1.0 / 120.0
    p = p * t + 1.0 / 24.0
    p = p * t + 1.0 / 6.0
    p = p * t + 0.5
    p = p * t + 1.0
    p = p * t + 1.0
    for _ in range(10):
        p *= p
    return p


@compiled
def squared_gaps(Y, s, out):
    """Write ``|y_i - s|^2`` into ``out[i]`` for the map Y (q, n)."""
    out[:] = 0.0
    for k in range(Y.shape[0]):
        y, s_k = Y[k], s[k]
        for i in range(y.shape[0]):
            out[i] += (y[i] - s_k) * (y[i] - s_k)


@compiled
def move(Y, s, c):
    """Move every point of the map Y (q, n) by ``y_i -= c_i (y_i - s)``."""
    for k in range(Y.shape[0]):
        y, s_k = Y[k], s[k]
        for i in range(y.shape[0]):
            y[i] -= c[i] * (y[i] - s_k)


@compiled
def pull(Y, s, eta, sigma, squares, c):
    """Move the map Y toward s by the rule of eq. 3.

    y_i -= c_i (y_i - s),   c_i = min(2 eta exp(-delta_i^2/(2 sigma^2)), 1)

    ``squares`` are the delta_i^2 to the winner; c (n,) is overwritten. The factor 2
    is from the derivative of |y - s|^2. The limit 1 keeps a point from passing s.
    """
    factor = -0.5 / (sigma * sigma)
    for i in range(c.shape[0]):
        c[i] = min(2.0 * eta * decay(squares[i] * factor), 1.0)
    move(Y, s, c)


@compiled
def steps_on_data(Y, features, S, eta, sigma):
    """Take a step of XOM for each random point of S (m, q), from features (d, n)."""
    n = Y.shape[1]
    squares, c = np.empty(n, features.dtype), np.empty(n)
    for t in range(S.shape[0]):
        squared_gaps(Y, S[t], c)
        winner = np.argmin(c)
        row_of_squared_differences(features[:, winner], features, squares)
        pull(Y, S[t], eta[t], sigma[t], squares, c)


@compiled
def steps_on_matrix(Y, D, S, eta, sigma):
    """Take a step of XOM for each random point of S, from dissimilarities D (n, n)."""
    n = Y.shape[1]
    squares, c = np.empty(n), np.empty(n)
    for t in range(S.shape[0]):
        squared_gaps(Y, S[t], c)
        winner = np.argmin(c)
        for i in range(n):  # in units of sigma, squares neither overflow nor vanish
            squares[i] = (D[winner, i] / sigma[t]) ** 2
        pull(Y, S[t], eta[t], 1.0, squares, c)


@compiled
def heskes_steps(Y, squares, S, eta, sigma):
    """Take steps of XOM with the winners of eq. 4; ``squares`` are delta^2 (n, n).

    Psi(s) = argmin_i sum_j exp(-delta_ij^2/(2 sigma^2)) |s - y_j|^2
    """
    n = Y.shape[1]
    gaps, c = np.empty(n), np.empty(n)
    for t in range(S.shape[0]):
        squared_gaps(Y, S[t], gaps)
        winner, least = 0, np.inf
        for i in range(n):
            cost = _mean_gap(squares[i], gaps, -0.5 / (sigma[t] * sigma[t]), c)
            if cost < least:
                winner, least = i, cost
        pull(Y, S[t], eta[t], sigma[t], squares[winner], c)


@compiled
def _mean_gap(squares, gaps, factor, products):
    for j in range(gaps.shape[0]):
        products[j] = decay(squares[j] * factor) * gaps[j]
    return products.sum()


# Winners of NE-XOM: the sample that a random point belongs to.


@compiled
def nearest_image(Y, s):
    """Return the sample whose position on the map Y (q, n) is nearest to s (eq. 2)."""
    gaps = np.empty(Y.shape[1])
    squared_gaps(Y, s, gaps)
    return np.argmin(gaps)


@compiled
def least_divergent(squares, sigma, log_g, tau):
    """Return the sample whose neighborhood has the least divergence from g (n,).

    argmin_i sum_j tau (h_ij ln(h_ij / g_j) - h_ij + g_j)                      (eq. 8)
                       + (1 - tau)(g_j ln(g_j / h_ij) - g_j + h_ij)

    with h_ij = exp(-delta_ij^2/(2 sigma_i^2)), for all delta^2 (n, n) and sigma (n,).
    Terms that depend on g only are equal for all i, and omitted.
    """
    n = squares.shape[0]
    parts, g = np.empty(n), np.empty(n)
    for j in range(n):
        g[j] = decay(log_g[j])
    winner, least = 0, np.inf
    for i in range(n):
        factor = -0.5 / (sigma[i] * sigma[i])
        for j in range(n):
            log_h = max(squares[i, j] * factor, LOWEST)
            h = decay(log_h)
            false = h - g[j] * log_h
            parts[j] = tau * (h * (log_h - log_g[j] - 1.0)) + (1.0 - tau) * false
        cost = parts.sum()
        if cost < least:
            winner, least = i, cost
    return winner


# Compiled steps of NE-XOM: neighbors in the data attract, neighbors on the map repel.
#
# For a random point s near y_j, with h_i for the data and g_i for the map (eq. 9):
#
#     y_i -= c_i (y_i - s),   c_i = clip(strength (h_i - g_i), -limit, limit)
#
# Each step starts from the positions after the step before, so the loop over the steps
# cannot be split, but the loops over the points are vectorized. Maps are stored as (q,
# n).


@compiled
def gaussian_steps(Y, own, H, noise, strength, gamma, limit):
    """Take one step for each sample in ``own``: g = exp(-|y_i - s|^2/(2 gamma^2))."""
    c, s = np.empty(Y.shape[1]), np.empty(Y.shape[0])
    for t in range(own.shape[0]):
        _sample(Y, own[t], noise[t], s, c)
        factor = -0.5 / (gamma[t] * gamma[t])
        for i in range(c.shape[0]):
            c[i] = strength[t] * (H[t, i] - decay(c[i] * factor))
        _move_within(Y, s, c, limit)


@compiled
def t_steps(Y, own, H, noise, strength, gamma, limit):
    """Take one step for each sample, with long tails: g = 1/(1 + |y_i - s|^2/gamma^2).

    The gradient of eq. 7 has one more factor than with a Gaussian: c_i = clip(2
    strength (h_i - g_i) g_i, -limit, limit).
    """
    c, s = np.empty(Y.shape[1]), np.empty(Y.shape[0])
    for t in range(own.shape[0]):
        _sample(Y, own[t], noise[t], s, c)
        factor = 1.0 / (gamma[t] * gamma[t])
        for i in range(c.shape[0]):
            g = 1.0 / (1.0 + c[i] * factor)
            c[i] = 2.0 * strength[t] * (H[t, i] - g) * g
        _move_within(Y, s, c, limit)


# Steps if false neighbors have a cost, too, with log h in place of h:
#
#     c_i = clip(strength (tau (h_i - g_i) + (1 - tau) g_i ln(h_i/g_i)), -limit, limit)


@compiled
def gaussian_tau_steps(Y, own, log_H, noise, strength, gamma, limit, tau):
    """Take steps with g = exp(-|y_i - s|^2/(2 gamma^2)); tau = 1 gives eq. 9."""
    c, s = np.empty(Y.shape[1]), np.empty(Y.shape[0])
    for t in range(own.shape[0]):
        _sample(Y, own[t], noise[t], s, c)
        factor = -0.5 / (gamma[t] * gamma[t])
        for i in range(c.shape[0]):
            log_g = max(c[i] * factor, LOWEST)
            c[i] = strength[t] * _pull(log_H[t, i], log_g, decay(log_g), tau)
        _move_within(Y, s, c, limit)


@compiled
def t_tau_steps(Y, own, log_H, noise, strength, gamma, limit, tau):
    """Take steps with long tails, g = 1/(1 + |y_i - s|^2/gamma^2), and cost tau."""
    c, s = np.empty(Y.shape[1]), np.empty(Y.shape[0])
    for t in range(own.shape[0]):
        _sample(Y, own[t], noise[t], s, c)
        factor = 1.0 / (gamma[t] * gamma[t])
        for i in range(c.shape[0]):
            g = 1.0 / (1.0 + c[i] * factor)
            log_g = -np.log1p(c[i] * factor)
            c[i] = 2.0 * strength[t] * g * _pull(log_H[t, i], log_g, g, tau)
        _move_within(Y, s, c, limit)


@compiled
def _pull(log_h, log_g, g, tau):
    return tau * (decay(log_h) - g) + (1.0 - tau) * (g * (log_h - log_g))


@compiled
def _sample(Y, j, noise, s, squares):
    """Write the random point near y_j, and its squared distances to all samples."""
    s[:] = Y[:, j] + noise
    squared_gaps(Y, s, squares)


@compiled
def _move_within(Y, s, c, limit):
    """Move each point toward s by the fraction c, limited to +-``limit``."""
    for i in range(c.shape[0]):
        c[i] = min(max(c[i], -limit), limit)
    move(Y, s, c)
