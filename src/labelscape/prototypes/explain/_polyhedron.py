"""The point of a polyhedron that is nearest to the origin, within limits."""

import numpy as np
from scipy.optimize import brentq, nnls

# Relative size of rounding errors where exact numbers would cancel.
ROUNDING = 1e-13

PLANES_JOINING = 8  # number of violated planes added to a problem at a time


def nearest_in_polyhedron(A, h, low=None, high=None):
    """Return the shortest allowed t with ``A t <= -h``, and whether none is shorter.

    The dual has one multiplier per row of A, for any number of columns:

        max_{u >= 0}  1/2 |t(u)|^2 + u.(A t(u) + h),    t(u) = clip(-A^T u, low, high)

    The dual is concave and piecewise quadratic, and each piece is a non-negative
    least-squares problem. Without limits, there is one piece; with limits, Newton's
    method goes from piece to piece, each time with an exact line search.
    """
    norms = np.linalg.norm(A, axis=1)
    sloped = norms > 0
    if (h[~sloped] > 0).any():
        return None, True
    A, h = A[sloped] / norms[sloped, None], h[sloped] / norms[sloped]
    low = np.full(A.shape[1], -np.inf) if low is None else low
    high = np.full(A.shape[1], np.inf) if high is None else high

    u = np.zeros(len(h))
    for _ in range(100):
        y = -(A.T @ u)
        held = (y < low) | (y > high)
        t = np.clip(y, low, high)
        aim, bounded = _multipliers(A[:, ~held].T, h + A[:, held] @ t[held])
        if bounded:
            aimed = -(A.T @ aim)
            t[~held] = aimed[~held]  # the maximum of the piece
            aimed = np.clip(aimed, low, high)
            if np.abs(t - aimed).max(initial=0.0) <= 1e-12 * np.abs(t).max(initial=0.0):
                return aimed, True
        direction = aim - u if bounded else aim
        length = _line_search(A, h, low, high, y, direction, bounded)
        if length is None:
            return None, True
        u = u + length * direction
    return np.clip(-(A.T @ u), low, high), False


def _multipliers(R, h):
    """Return the u >= 0 that maximizes ``h.u - |R u|^2 / 2``, and whether it exists."""
    # If there is no maximum, return a direction u >= 0 of unlimited increase, and
    # False. Few planes matter, so violated planes are added until there are none.
    u = np.zeros(len(h))
    if not (h > 0).any():
        return u, True
    joined = np.array([h.argmax()])
    while True:
        u[joined], bounded = _least_distance(R[:, joined], h[joined])
        if not bounded:
            return u, False
        violation = h - R.T @ (R[:, joined] @ u[joined])
        violation[joined] = 0.0
        if violation.max() <= 1e-12 * h.max():
            return u, True
        worst = np.argsort(-violation)[:PLANES_JOINING]
        joined = np.append(joined, worst[violation[worst] > 0])


def _least_distance(R, h):
    """Return the u >= 0 that maximizes ``h.u - |R u|^2 / 2``, for some h > 0."""
    # Lawson and Hanson: with v = argmin_{v >= 0} of |R v|^2 + (h.v - 1)^2, the answer
    # is u = v / (1 - h.v), and if the minimum is 0, v is a direction without bound.
    if len(R) > R.shape[1]:
        R = np.linalg.qr(R, mode="r")
    # 1 - h.v is 1 / (1 + (distance/unit)^2). If rounding makes it 0, the distance may
    # still be finite, and computable in a larger unit.
    for unit in h.max() * np.array([1.0, 1e5, 1e10]):
        v, _ = nnls(np.vstack([-R, h / unit]), np.r_[np.zeros(len(R)), 1.0])
        if 1.0 - (h / unit) @ v > 1e-11:
            break
    else:
        return v, False
    # Solving the same planes as equations restores digits lost in the division.
    on = v > 0
    t = np.linalg.lstsq(R[:, on].T, -h[on], rcond=None)[0]
    u = np.zeros(len(h))
    u[on] = np.maximum(np.linalg.lstsq(R[:, on], -t, rcond=None)[0], 0.0)
    return u, True


def _line_search(A, h, low, high, y, direction, bounded):
    """Return the step from y = -A^T u, at most 1, at which the dual is largest."""
    # None if the dual rises without limit. Then the polyhedron is empty (Farkas).
    s = A.T @ direction
    s[np.abs(s) <= ROUNDING * np.abs(direction).sum()] = 0.0  # rows of A have length 1
    gain = direction @ h

    def slope(length):
        return s @ np.clip(y - length * s, low, high) + gain

    length = 1.0
    if bounded:
        if slope(1.0) >= 0.0:
            return 1.0
    else:
        moving = s != 0
        end = np.where(s > 0, low, high)[moving]
        if np.isfinite(end).all() and s[moving] @ end + gain > 0.0:
            return None
        while slope(length) > 0.0:
            length *= 2.0
    # At a maximum, rounding may leave no step that rises.
    if slope(0.0) <= 0.0:
        return 0.0
    # Halving the longest step down to the smallest number takes two thousand
    # iterations.
    return brentq(slope, 0.0, length, xtol=1e-300, maxiter=3000)
