"""What random pairs tell of a metric: its scale, and how many steps it needs."""

import numpy as np

PAIRS_FOR_SCALE, PAIRS_FOR_STEPS = 1000, 500
STEPS = (5, 10, 20, 40)
# "auto" ends when all but one in a hundred pairs change by less than this.
SMALL_CHANGE, MOST_PAIRS = 0.02, 0.99
# Where probabilities are the same everywhere, squared lengths count as this, so that
# plain distance still orders the points.
LEAST_SQUARE = 1e-12


def random_pairs(n, count, random_state):
    """Return bounds and indices of random pairs of different points, by first point."""
    i = np.sort(random_state.randint(n, size=count))
    j = (i + random_state.randint(1, n, size=count)) % n
    return np.searchsorted(i, np.arange(n + 1)), j


def relative_epsilon(distances, points, regularization, random_state):
    """Return ``regularization x median(L^2) / median(|v|^2)`` (section 3.4).

    Where more than half of the pairs are at 0, means take the place of medians.
    """
    if regularization == 0.0:
        return 0.0
    bounds, j = random_pairs(points.X.shape[0], PAIRS_FOR_SCALE, random_state)
    L = distances.listed(points, points, bounds, j).astype(np.float64) ** 2
    V = distances.listed_gaps(points, points, bounds, j)
    middle = np.median if np.median(L) > 0.0 < np.median(V) else np.mean
    scale = max(middle(L), LEAST_SQUARE)
    return float(regularization * scale / middle(V)) if V.any() else 0.0


def steps_that_suffice(lines_of, X, own, random_state):
    """Return how many steps lines need: 5, 10, 20 or 40 (section 8, point 8).

    ``lines_of(T)`` measures lines by T steps.
    """
    bounds, j = random_pairs(X.shape[0], PAIRS_FOR_STEPS, random_state)
    before = None
    for n_steps in STEPS:
        lines = lines_of(n_steps)
        points = lines.prepare(X, own)
        L = lines.listed(points, points, bounds, j)
        if before is not None:
            there = L > 0.0
            change = np.abs(L - before)[there] / L[there]
            if not there.any() or np.quantile(change, MOST_PAIRS) < SMALL_CHANGE:
                break
        before = L
    return n_steps
