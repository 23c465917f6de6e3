"""Kohonen's learning vector quantization: one pass over the samples."""

import numpy as np

from labelscape._core.jit import compiled


@compiled
def two_nearest(x, W):
    """Return the nearest and second nearest row of W, and their squared distances."""
    first, second = -1, -1
    d_first, d_second = np.inf, np.inf
    for p in range(W.shape[0]):
        d = 0.0
        for k in range(W.shape[1]):
            d += (x[k] - W[p, k]) ** 2
        if d < d_first:
            second, d_second = first, d_first
            first, d_first = p, d
        elif d < d_second:
            second, d_second = p, d
    return first, second, d_first, d_second


@compiled
def move(x, w, rate):
    """Move a prototype toward a sample, or away from it if the rate is negative."""
    for k in range(w.shape[0]):
        w[k] += rate * (x[k] - w[k])


@compiled
def lvq1_epoch(X, classes, order, W, owner, rate, end_rate):
    """LVQ1, in place: samples attract the nearest prototype, or repel a wrong one."""
    for step, i in enumerate(order):
        a = rate + (end_rate - rate) * step / len(order)
        nearest = two_nearest(X[i], W)[0]
        move(X[i], W[nearest], a if owner[nearest] == classes[i] else -a)


@compiled
def lvq2_epoch(X, classes, order, W, owner, rate, end_rate, ratio):
    """LVQ2, in place: move the border toward a sample that is just beyond it.

    A sample is used if the nearest prototype has the wrong class, the second nearest
    the right class, and d_1 / d_2 > ``ratio``. LVQ2.1 also uses samples on the side of
    their own class, which can move two prototypes apart without limit.
    """
    for step, i in enumerate(order):
        first, second, d_first, d_second = two_nearest(X[i], W)
        if owner[first] == classes[i] or owner[second] != classes[i]:
            continue
        if d_first > ratio * ratio * d_second:
            a = rate + (end_rate - rate) * step / len(order)
            move(X[i], W[first], -a)
            move(X[i], W[second], a)
