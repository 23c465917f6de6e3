"""Weights of one object's pairs, read from the table of F."""

import numpy as np

from labelscape._core.jit import compiled
from labelscape.embeddings._weighting import BY_NEARER, CELLS, INVERSE

# A row keeps this part of the weight that it begins with.
LEAST_WEIGHT = 1e-3
# Halvings of the interval in which lambda is sought: enough for 3 digits.
HALVINGS = 10


@compiled
def place_in_table(span, lam):
    """Return where the table begins for this lambda, and its cells per unit."""
    width = max(span[2] + span[3] * lam, 1e-300)  # a step may lie below all distances
    return span[0] + span[1] * lam, CELLS / width


@compiled
def fall(table, low, scale, x):
    """Return F(x), by the straight line between two entries of the table."""
    u = min(max((x - low) * scale, 0.0), CELLS - 1e-9)
    cell = np.uint32(u)
    return table[cell] + (u - cell) * (table[cell + 1] - table[cell])


@compiled
def pair_weight(weights, low, scale, same_class, delta, d):
    """Return the weight of one pair, with the table where place_in_table put it."""
    if weights.kind == INVERSE:
        return low / max(delta, low)
    x = d
    if weights.kind == BY_NEARER:
        x = min(delta, d)
    elif same_class:
        x = delta
    return fall(weights.table, low, scale, x)


@compiled
def weigh(weights, own, labels, lam, delta, d, out):
    """Write the weights of the pairs of one object, of class ``own``, into ``out``.

    ``labels``, ``delta`` and ``d`` belong to the other objects of the pairs.
    """
    low, scale = place_in_table(weights.span, lam)
    for j in range(len(out)):
        same = own >= 0 and labels[j] == own
        out[j] = pair_weight(weights, low, scale, same, delta[j], d[j])


@compiled
def weight_of_row(weights, lam, delta, own):
    """Return what the pairs of an object count together on an exact map, d = delta.

    ``own`` is its place in the row, where it does not count; -1 if it has none.
    """
    low, scale = place_in_table(weights.span, lam)
    total = 0.0
    for j in range(len(delta)):
        total += fall(weights.table, low, scale, delta[j])
    if own >= 0:
        total -= fall(weights.table, low, scale, delta[own])
    return total


@compiled
def held_lambdas(weights, D, own, lambdas, first, out):
    """Write lambda for each row of D (b, n), not so low that the row loses its weight.

    Far from all others an object would be left without a pair that counts. Its lambda
    stays where its pairs on an exact map count 1e-3 of what they did at ``first``.
    """
    for b in range(len(lambdas)):
        out[b] = lambdas[b]
        least = LEAST_WEIGHT * weight_of_row(weights, first, D[b], own[b])
        if weight_of_row(weights, lambdas[b], D[b], own[b]) >= least:
            continue
        low, high = lambdas[b], first
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            if weight_of_row(weights, middle, D[b], own[b]) < least:
                low = middle
            else:
                high = middle
        out[b] = high
