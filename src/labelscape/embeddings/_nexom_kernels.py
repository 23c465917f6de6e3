"""Compiled steps of NE-XOM: neighbours in the data pull, neighbours on the map push.

For a sampling vector s near y_j, with h_i for the data and g_i for the map (eq. 9):

    y_i -= c_i (y_i - s),   c_i = clip(strength (h_i - g_i), -limit, limit)

Each step moves all points, and the next one starts from there: the loop over the steps
cannot be split, the loops over the points are vectorised. Maps are held as (q, n).
"""

import numpy as np

from labelscape._core.jit import compiled
from labelscape.embeddings._xom_kernels import decay, move, squared_gaps


@compiled
def gaussian_steps(Y, own, H, noise, strength, gamma, limit):
    """Take one step for each object in ``own``: g = exp(-|y_i - s|^2/(2 gamma^2)).

    Parameters
    ----------
    Y : array (q, n)
        The map; it is changed.
    own : array (m,)
        The objects j, in the order of the steps.
    H : array (m, n)
        Their rows of h, in float32; all else is computed in float64.
    noise : array (m, q)
        s - y_j.
    strength, gamma : arrays (m,)
        Rate and width at each step.
    limit : float
        Largest part of the way to s, or away from it, in one step.
    """
    c, s = np.empty(Y.shape[1]), np.empty(Y.shape[0])
    for t in range(own.shape[0]):
        s[:] = Y[:, own[t]] + noise[t]
        squared_gaps(Y, s, c)
        factor = -0.5 / (gamma[t] * gamma[t])
        for i in range(c.shape[0]):
            c[i] = strength[t] * (H[t, i] - decay(c[i] * factor))
        _clip(c, limit)
        move(Y, s, c)


@compiled
def t_steps(Y, own, H, noise, strength, gamma, limit):
    """Take the same steps with long tails: g = 1/(1 + |y_i - s|^2/gamma^2).

    The slope of eq. 7 has a factor more than the Gaussian's:
    c_i = clip(2 strength (h_i - g_i) g_i, -limit, limit).
    """
    c, s = np.empty(Y.shape[1]), np.empty(Y.shape[0])
    for t in range(own.shape[0]):
        s[:] = Y[:, own[t]] + noise[t]
        squared_gaps(Y, s, c)
        factor = 1.0 / (gamma[t] * gamma[t])
        for i in range(c.shape[0]):
            g = 1.0 / (1.0 + c[i] * factor)
            c[i] = 2.0 * strength[t] * (H[t, i] - g) * g
        _clip(c, limit)
        move(Y, s, c)


@compiled
def _clip(c, limit):
    for i in range(c.shape[0]):
        c[i] = min(max(c[i], -limit), limit)
