"""Stress of a map and the pull on each of its points, row by row."""

import numpy as np

from labelscape._core.jit import compiled
from labelscape.embeddings._pivot_kernels import TINY
from labelscape.embeddings._weighted_mds_kernels import lane_sum
from labelscape.embeddings._weighting_kernels import weigh


@compiled
def pull_of_rows(Z, D, start, weights, lam, penalty, pull, mass):
    """Return the stress of the pairs (i, j), i one of the rows, j any; write the pull.

    stress  sum_j w |delta - d|^p
    pull_i  sum_j v (delta/d - 1)(y_i - y_j),   v = w / max(|delta - d|, reach)^(2-p)
    mass_i  sum_j v                                                  (spec 1.3, 6.2)

    D (b, n) holds the rows from ``start`` on. With p = 2, -2 pull is the slope of the
    stress over pairs i < j where the weights are fixed; pull / mass is the step to the
    bottom of the parabola that replaces V by its diagonal. Where p = 1, v makes the
    parabola touch |delta - d|, and ``reach`` keeps it from growing steep.
    """
    q, n = Z.shape
    d, w, part = np.empty(n), np.empty(n), np.empty(n)
    total = 0.0
    for b in range(len(D)):
        i, delta = start + b, D[b]
        d[:] = 0.0
        for k in range(q):
            row, at = Z[k], Z[k, i]
            for j in range(n):
                d[j] += (at - row[j]) * (at - row[j])
        for j in range(n):
            d[j] = np.sqrt(d[j])
        weigh(weights, weights.labels[i], weights.labels, lam, delta, d, w)
        w[i] = 0.0
        if penalty.p == 2:
            for j in range(n):
                part[j] = w[j] * (delta[j] - d[j]) ** 2
        else:
            for j in range(n):
                gap = abs(delta[j] - d[j])
                part[j] = w[j] * gap
                w[j] /= max(gap, penalty.reach)
        total += lane_sum(part)
        mass[i] = lane_sum(w)
        for j in range(n):
            w[j] *= (delta[j] - d[j]) / max(d[j], TINY)
        for k in range(q):
            row, at = Z[k], Z[k, i]
            for j in range(n):
                part[j] = w[j] * (at - row[j])
            pull[k, i] = lane_sum(part)
    return total


@compiled
def size_of_rows(D, start, weights, lam, p):
    """Return ``sum_j w delta^p`` over the rows, with the weights of an exact map."""
    n = D.shape[1]
    w = np.empty(n)
    total = 0.0
    for b in range(len(D)):
        i, delta = start + b, D[b]
        weigh(weights, weights.labels[i], weights.labels, lam, delta, delta, w)
        w[i] = 0.0
        for j in range(n):
            total += w[j] * delta[j] ** p
    return total
