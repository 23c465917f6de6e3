"""The cost of the LVQ family: relative distance difference mu, its slopes, Phi.

Paper 000, eqs. 1, 11 and 12; specification A2 and A3. These few lines are the whole of
what the models minimise; the compiled loops call them for every object.
"""

import math

from labelscape._core.jit import compiled


@compiled
def relative_difference(d_J, d_K, blur, tiny):
    """Return mu and its slopes ``gamma_J`` and ``gamma_K`` (eqs. 1, 11 and 12).

    mu      = (d_J - d_K) / (d_J + d_K + blur), negative for a right decision
    gamma_J =  (2 d_K + blur) / (d_J + d_K + blur)^2 >= 0
    gamma_K = -(2 d_J + blur) / (d_J + d_K + blur)^2 <= 0

    ``d_J`` and ``d_K`` are the distances to the nearest prototype of the object's own
    class and of any other class. ``blur = 0`` is the paper; see `_objective` for what
    else it may be. Where they add up to ``tiny`` or less the object sits on a right and
    a wrong prototype at once: no direction is better than another, and what rounding
    left of the distances must not be taken for one (specification A9).
    """
    total = d_J + d_K + blur
    if total <= tiny:
        return 0.0, 0.0, 0.0
    mu = (d_J - d_K) / total
    # (2 d_K + blur) / total = 1 - mu: no square of a very small or very large sum.
    return mu, (1.0 - mu) / total, -(1.0 + mu) / total


@compiled
def squashed(mu, slope):
    """Return ``Phi(mu)`` and ``Phi'(mu)``.

    ``slope = 0`` is the identity, the paper's choice; otherwise the logistic function
    ``1 / (1 + exp(-slope mu))``.
    """
    if slope == 0.0:
        return mu, 1.0
    phi = 1.0 / (1.0 + math.exp(-slope * mu))
    return phi, slope * phi * (1.0 - phi)
