"""Hartigan's dip: the distance of a sample from distributions with one mode."""

import numpy as np

from labelscape._core.jit import compiled


@compiled
def dip_statistic(x):
    """Return the dip of sorted numbers x (n,), computed with the algorithm AS 217.

    dip = min over unimodal F of max_t |F(t) - F_n(t)|, with F_n the empirical
    distribution (Hartigan and Hartigan, 1985). The modal interval shrinks while the
    convex minorant and concave majorant in it are farther apart than the dip outside.
    Distances are in units of 1 / (2 n).
    """
    n = len(x)
    if x[0] == x[n - 1]:
        return 0.5 / n
    minorant, majorant = _hull_links(x)
    low, high, dip = 0, n - 1, 1.0
    lower, upper = np.empty(n, np.int64), np.empty(n, np.int64)
    while True:
        n_lower, n_upper = _chain(lower, minorant, high, low), 0
        n_upper = _chain(upper, majorant, low, high)
        widest, i, j = _widest(x, lower, n_lower, upper, n_upper)
        if widest < dip:
            return dip / (2 * n)
        left = _deviation(x, lower, i, n_lower, 1)
        dip = max(dip, left, _deviation(x, upper, j, n_upper, -1))
        if low == lower[i] and high == upper[j]:
            return dip / (2 * n)
        low, high = lower[i], upper[j]


@compiled
def _hull_links(x):
    """Return each point's previous point on the minorant, and next on the majorant."""
    n = len(x)
    minorant, majorant = np.zeros(n, np.int64), np.full(n, n - 1)
    for j in range(1, n):
        a = j - 1
        while a > 0 and (x[j] - x[a]) * (a - minorant[a]) >= (x[a] - x[minorant[a]]) * (
            j - a
        ):
            a = minorant[a]
        minorant[j] = a
    for j in range(n - 2, -1, -1):
        a = j + 1
        while a < n - 1 and (x[j] - x[a]) * (a - majorant[a]) >= (
            x[a] - x[majorant[a]]
        ) * (j - a):
            a = majorant[a]
        majorant[j] = a
    return minorant, majorant


@compiled
def _chain(points, links, start, end):
    """Write the points of a hull from start to end; return the number of edges."""
    points[0], i = start, 0
    while points[i] != end:
        points[i + 1] = links[points[i]]
        i += 1
    return i


@compiled
def _widest(x, lower, n_lower, upper, n_upper):
    """Return the largest distance between the hulls, and its position on each hull."""
    if n_lower == 1 and n_upper == 1:
        return 1.0, n_lower, n_upper
    i, j, widest = n_lower - 1, 1, 0.0
    at_lower, at_upper = n_lower, n_upper
    while True:
        a, b = lower[i], upper[j]
        if a > b:
            before = lower[i + 1]
            line = (x[b] - x[before]) * (a - before) / (x[a] - x[before])
            distance, i_at, j_at = b - before + 1 - line, i + 1, j
            j += 1
        else:
            before = upper[j - 1]
            line = (x[a] - x[before]) * (b - before) / (x[b] - x[before])
            distance, i_at, j_at = line - (a - before - 1), i, j
            i -= 1
        if distance >= widest:
            widest, at_lower, at_upper = distance, i_at, j_at
        i, j = max(i, 0), min(j, n_upper)
        if lower[i] == upper[j]:
            return widest, at_lower, at_upper


@compiled
def _deviation(x, hull, start, end, sign):
    """Return the largest distance between a hull and the empirical distribution."""
    largest = 0.0
    for edge in range(start, end):
        a = min(hull[edge], hull[edge + 1])
        b = max(hull[edge], hull[edge + 1])
        most = 1.0
        if b - a > 1 and x[a] != x[b]:
            slope = (b - a) / (x[b] - x[a])
            for point in range(a, b + 1):
                most = max(most, sign * (point - a - (x[point] - x[a]) * slope) + 1.0)
        largest = max(largest, most)
    return largest
