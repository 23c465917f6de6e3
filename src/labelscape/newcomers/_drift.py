"""Whether new rows as a whole come from where the old ones came from.

Only counts of the old rows are known: in how many cells of the table, and in how many
bins of each feature. That is enough for exact tests: if old and new are of one source,
which of them are the new ones is a matter of chance.
"""

import numpy as np

DRAWS = 9999


def energy(old, new, distances):
    """Return the energy distance of counts in cells (..., m): 0 for the same shares.

    2 E|x - y| - E|x - x'| - E|y - y'| is -(p - q)^T D (p - q), where D holds the
    distances of the centers.
    """
    gap = _shares(old) - _shares(new)
    return -np.einsum("...i,ij,...j->...", gap, distances, gap)


def steps_apart(old, new):
    """Return how far apart counts in ordered bins are (..., m), after Cramér and Mises.

    The squared difference of both distribution functions, in the mean over all.
    """
    gap = np.cumsum(_shares(old) - _shares(new), axis=-1)
    return (np.square(gap) * _shares(old + new)).sum(axis=-1)


def _shares(counts):
    return counts / counts.sum(axis=-1, keepdims=True)


def chance(old, new, apart, rng):
    """Return how likely new units are as far from the old ones by chance.

    Shapes: old, new (m,).
    """
    both = old + new
    drawn = rng.multivariate_hypergeometric(both, new.sum(), size=DRAWS)
    seen = apart(old, new)
    as_far = apart(both - drawn, drawn) >= seen * (1.0 - 1e-9)
    return float((1 + as_far.sum()) / (1 + DRAWS))


def joined(chances):
    """Return one p-value for several, by the rule of Simes."""
    ordered = np.sort(chances)
    n = len(ordered)
    return float(min(1.0, (ordered * n / np.arange(1, n + 1)).min()))
