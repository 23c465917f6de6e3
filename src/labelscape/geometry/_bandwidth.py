"""How wide a Parzen estimate is (spec section 3.5)."""

import numpy as np

from labelscape._core.distances import exact_squared_distances

# Bandwidths tried, in units of the median distance to the nearest neighbour.
NARROWEST, WIDEST, TRIED, HALVINGS = 0.1, 3.0, 30, 3
# A posterior below this counts as this, so that no single point decides.
LEAST_POSTERIOR = 1e-12


def median_bandwidth(parzen):
    """Return the median distance of a Parzen point to its nearest different one."""
    return _median_nearest(_squares(parzen))


def loo_bandwidth(parzen):
    """Return the bandwidth of the largest leave-one-out likelihood (section 3.5).

    LL(s) = sum_p log max(p_{-p}(c_p | q_p; s), 1e-12)
    """
    D = _squares(parzen)
    unit = _median_nearest(D)
    grid = np.log(unit) + np.linspace(np.log(NARROWEST), np.log(WIDEST), TRIED)
    values = [loo_likelihood(D, parzen, np.exp(g)) for g in grid]
    best, value = grid[np.argmax(values)], max(values)
    step = grid[1] - grid[0]
    for _ in range(HALVINGS):
        step /= 2.0
        for candidate in (best - step, best + step):
            likelihood = loo_likelihood(D, parzen, np.exp(candidate))
            if likelihood > value:
                best, value = candidate, likelihood
    return float(np.exp(best))


def loo_likelihood(D, parzen, bandwidth):
    """Return LL(s) for squared distances D (P, P) with an infinite diagonal."""
    a = D / (-2.0 * bandwidth**2)
    a += parzen.log_counts
    a -= a.max(axis=1, keepdims=True)
    sums = np.add.reduceat(np.exp(a, out=a), parzen.starts[:-1], axis=1)
    sizes = np.diff(parzen.starts)
    own = sums[np.arange(len(D)), np.repeat(np.arange(len(sizes)), sizes)]
    return float(np.log(np.maximum(own / sums.sum(axis=1), LEAST_POSTERIOR)).sum())


def _squares(parzen):
    """Return squared distances (P, P) of the Parzen points, infinite to themselves."""
    D = exact_squared_distances(parzen.points, parzen.points)
    np.fill_diagonal(D, np.inf)
    return D


def _median_nearest(D):
    nearest = np.min(D, axis=1, where=D > 0.0, initial=np.inf)
    nearest = nearest[np.isfinite(nearest)]
    if not len(nearest):
        raise ValueError(
            "FisherMetric: all Parzen points are the same, so no bandwidth can be "
            "estimated. Give features that vary, or more parzen_points."
        )
    return float(np.median(np.sqrt(nearest)))
