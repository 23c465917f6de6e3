"""How a fitted point leaves itself out of a Parzen estimate (spec section 3.3).

The specification gives a point's own centre the smallest weight of all. Then a point
sees less of its own class than of the others, and where the probabilities are flat
nothing else is left to see: on noise, fitted points are sorted by their labels (5-NN
0.8 with two random labels). Here the own centre weighs what the other members of its
class weigh on average. A class is then as heavy as it was, whatever the label of the
point, and on noise nothing is left that could sort it.
"""

import numpy as np

# No deeper below the best of its row: with one far outlier, lower weights would send
# every pair of points the exact, slow way.
DEEPEST = 500.0


def without_self(a, parzen, own, smallest):
    """Return the log-weights (n,) of points' own centres without the points themselves.

    Parameters
    ----------
    a : ndarray of shape (n, P)
        Log-weights, ``log_counts`` included. Overwritten.
    parzen : Parzen
        The estimate.
    own : ndarray of shape (n,)
        Each point's own centre.
    smallest : float
        Log-weight of the only member of a class: it has no others to stand in for it.

    Notes
    -----
    Of a cluster with m members, m - 1 remain. Their mean is m/(m - 1) times as far from
    the point, so that the log-weight is (m/(m - 1))^2 times as large.
    """
    rows = np.arange(len(a))
    counts, m = parzen.log_counts[own], parzen.sizes[own]
    with np.errstate(divide="ignore"):  # of a centre that is the point nothing remains
        stretch = np.square(m / np.maximum(m - 1, 1))
        remaining = (a[rows, own] - counts) * stretch + counts + np.log((m - 1) / m)
    a[rows, own] = remaining

    top = a.max(axis=1)
    weights = np.exp(a - top[:, None])
    others = np.add.reduceat(parzen.sizes, parzen.starts[:-1]) - 1
    class_of = np.searchsorted(parzen.starts, own, side="right") - 1
    sums = np.add.reduceat(weights, parzen.starts[:-1], axis=1)[rows, class_of]
    mean = sums / np.maximum(others[class_of], 1)
    found = np.log(np.maximum(np.exp(remaining - top) + mean, np.exp(-DEEPEST)))
    alone = others[class_of] == 0
    found[alone] = np.maximum(smallest - top[alone], -DEEPEST)
    return top + found
