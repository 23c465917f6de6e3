"""Kernels of the stress: weights of pairs, the pivot rule and majorization."""

import numpy as np

from labelscape._core.jit import compiled
from labelscape.embeddings.stress._weights import BY_NEARER, CELLS, INVERSE
from labelscape.embeddings.weighted_mds._kernels import lane_sum

# Weights of one sample's pairs, from the table of F.

LEAST_WEIGHT = 1e-3  # minimum share of its initial weight that a row must have
HALVINGS = 10  # bisection steps in the search for lambda: enough for 3 digits


@compiled
def place_in_table(span, lam):
    """Return the start of the table for this lambda, and the cells per unit length."""
    width = max(span[2] + span[3] * lam, 1e-300)  # a step may end below 0
    return span[0] + span[1] * lam, CELLS / width


@compiled
def fall(table, low, scale, x):
    """Return F(x), interpolated linearly between two entries of the table."""
    u = min(max((x - low) * scale, 0.0), CELLS - 1e-9)
    cell = np.uint32(u)
    return table[cell] + (u - cell) * (table[cell + 1] - table[cell])


@compiled
def pair_weight(weights, low, scale, same_class, delta, d):
    """Return the weight of one pair, with the table of `place_in_table`."""
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
    """Write the weights of all pairs with one sample of class ``own`` to out."""
    low, scale = place_in_table(weights.span, lam)
    for j in range(len(out)):
        same = own >= 0 and labels[j] == own
        out[j] = pair_weight(weights, low, scale, same, delta[j], d[j])


@compiled
def weight_of_row(weights, lam, delta, own):
    """Return the total weight of a sample's pairs on an exact map (d = delta)."""
    low, scale = place_in_table(weights.span, lam)
    total = 0.0
    for j in range(len(delta)):
        total += fall(weights.table, low, scale, delta[j])
    if own >= 0:
        total -= fall(weights.table, low, scale, delta[own])
    return total


@compiled
def held_lambdas(weights, D, own, lambdas, first, out):
    """Write a lambda for each row of D (b, n), large enough for a positive weight.

    With a smaller lambda, all pairs of a sample far from all others would have weight
    0. On an exact map, pairs of a row keep at least 1e-3 of their weight at ``first``.
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


# The pivot rule: one sample is fixed, and all others move along their line to it.
#
# Pivots have turns one after the other, but many can be processed together: the
# position of a pivot at its turn depends only on the pivots before it. So first the
# pivots of a block move each other, which gives the position of each at its turn. Then
# any range of samples can be moved by the whole block, in any thread, with the same
# result as one turn after the other.

# Divisor instead of 0: the step is multiplied by the difference, 0, without a branch.
TINY = 1e-100


@compiled
def places_at_turn(Z, D, turns, weights, penalty):
    """Move the pivots Z (q, b) of a block; return the position of each at its turn."""
    places = np.empty((Z.shape[1], Z.shape[0]))
    for b in range(len(places)):
        places[b] = Z[:, b]
        them = (turns.pivots, turns.labels)
        take_turn(Z, 0, them, D[b], places[b], turns, b, weights, penalty)
    return places


@compiled
def follow(Z, numbers, start, stop, D, places, turns, weights, penalty):
    """Move samples start..stop-1 of the map Z (q, n) with a block of pivots."""
    them = (numbers[start:stop], weights.labels[start:stop])
    for b in range(len(places)):
        delta = D[b, start:stop]
        take_turn(Z, start, them, delta, places[b], turns, b, weights, penalty)


@compiled
def take_turn(Z, start, them, delta, place, turns, b, weights, penalty):
    """Move samples, from ``start`` on, along the lines between them and pivot b.

    p=2:  y_j += alpha w (delta - d) (y_j - y_i)/d
    p=1:  y_j += min(alpha w reach, |delta - d|) sign(delta - d) (y_j - y_i)/d

    ``them`` contains the index and class of each sample, ``delta`` the dissimilarities
    of the samples to the pivot, and ``place`` the position of the pivot.
    """
    numbers, labels = them
    m, q = len(delta), len(place)
    d, w = np.empty(m), np.empty(m)
    d[:] = 0.0
    for k in range(q):
        row, at = Z[k, start : start + m], place[k]
        for j in range(m):
            d[j] += (row[j] - at) * (row[j] - at)
    together = 0
    for j in range(m):
        d[j] = np.sqrt(d[j])
        together += d[j] == 0.0
    weigh(weights, turns.labels[b], labels, turns.lambdas[b], delta, d, w)

    alpha = turns.alphas[b]
    if penalty.p == 2:
        for j in range(m):
            w[j] = alpha * w[j] * (delta[j] - d[j])
    else:
        for j in range(m):
            gap = delta[j] - d[j]
            longest = alpha * w[j] * penalty.reach
            w[j] = min(max(gap, -longest), longest)
    if together:
        part(Z, start, numbers, turns.pivots[b], turns.numbers[b], d, w)
    for j in range(m):
        w[j] /= max(d[j], TINY)
    for k in range(q):
        row, at = Z[k, start : start + m], place[k]
        for j in range(m):
            row[j] += w[j] * (row[j] - at)


@compiled
def part(Z, start, numbers, pivot, turn, d, step):
    """Move samples away from a pivot at the same position, in random directions."""
    # The direction depends only on the turn and the sample, not on earlier samples.
    q = Z.shape[0]
    direction = np.empty(q)
    for j in range(len(d)):
        if d[j] == 0.0:
            if numbers[j] != pivot and step[j] != 0.0:
                random_direction(turn, numbers[j], direction)
                for k in range(q):
                    Z[k, start + j] += step[j] * direction[k]
            step[j] = 0.0


@compiled
def random_direction(turn, number, direction):
    """Write a random unit vector, seeded by turn and number (splitmix64)."""
    state = (np.uint64(turn) << np.uint64(32)) ^ np.uint64(number)
    size = 0.0
    while size == 0.0:
        for k in range(len(direction)):
            state += np.uint64(0x9E3779B97F4A7C15)
            z = state
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            z = z ^ (z >> np.uint64(31))
            direction[k] = np.float64(z >> np.uint64(11)) * 2.0**-52 - 1.0
            size += direction[k] * direction[k]
    direction /= np.sqrt(size)


@compiled
def settle(y, delta, Z, order, parts, largest, weights, lam):
    """Move a new sample y (q,), with all samples of the map Z (n, q) as pivots.

    ``order`` (sweeps, n) lists the pivots. The rate alpha of a sweep is ``parts``
    (sweeps,) divided by the total weight of pairs on an exact map, at most ``largest``.
    Errors are squared (p = 2).
    """
    q = len(y)
    low, scale = place_in_table(weights.span, lam)
    mass = 0.0
    for i in range(len(delta)):
        mass += pair_weight(weights, low, scale, False, delta[i], delta[i])
    line = np.empty(q)
    for sweep in range(len(order)):
        alpha = min(parts[sweep] / mass, largest)
        for i in order[sweep]:
            d = 0.0
            for k in range(q):
                line[k] = y[k] - Z[i, k]
                d += line[k] * line[k]
            d = np.sqrt(d)
            w = pair_weight(weights, low, scale, False, delta[i], d)
            if d == 0.0:
                random_direction(sweep, i, line)
            step = alpha * w * (delta[i] - d) / (d if d > 0.0 else 1.0)
            for k in range(q):
                y[k] += step * line[k]


# Stress of a map and the force on each of its points, row by row.


@compiled
def pull_of_rows(Z, D, start, weights, lam, penalty, pull, mass):
    """Return the stress of pairs (i, j) with i in the rows; write the forces.

    stress  sum_j w |delta - d|^p
    pull_i  sum_j v (delta/d - 1)(y_i - y_j),   v = w / max(|delta - d|, reach)^(2-p)
    mass_i  sum_j v

    D (b, n) contains the rows from ``start`` on. With p = 2, -2 pull is the gradient
    of the stress over pairs i < j with fixed weights; pull / mass is the step of
    majorization (SMACOF) with the diagonal of its matrix V. With p = 1, v makes the
    majorizing parabola touch |delta - d|, and ``reach`` limits v.
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
