"""The Parzen estimate of p(class | point): which points, and how wide (spec 1, 3.5)."""

from typing import NamedTuple

import numpy as np
from sklearn.cluster import KMeans

from labelscape._core.distances import exact_squared_distances
from labelscape._core.threads import one_blas_thread

# Bandwidths tried, in units of the median distance to the nearest neighbour.
NARROWEST, WIDEST, TRIED, HALVINGS = 0.1, 3.0, 30, 3
# A posterior below this counts as this, so that no single point decides.
LEAST_POSTERIOR = 1e-12


class Parzen(NamedTuple):
    """A Parzen estimate: points sorted by class, and their bandwidth.

    Class c has the rows ``starts[c]`` to ``starts[c + 1]`` of ``points`` (P, d);
    ``log_counts`` (P,) is the log of what each point counts, ``indices`` (P,) where it
    stands in the fitted data, -1 if it is not one of them.
    """

    points: np.ndarray
    starts: np.ndarray
    log_counts: np.ndarray
    indices: np.ndarray
    bandwidth: float = np.nan


def choose_points(X, class_of, count, *, selection, balanced, random_state):
    """Return ``count`` Parzen points, from each class its share and 2 at least.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The data.
    class_of : ndarray of shape (n,)
        Class indices.
    count : int
        How many points, n at most.
    selection : {"random", "kmeans"}
        Draw points, or take the centres of k-means, which count as many times as their
        clusters have points.
    balanced : bool
        Whether all classes count the same.
    random_state : RandomState
        Draws the points.
    """
    points, counts, indices = [], [], []
    shares = class_counts(np.bincount(class_of), count)
    for c, share in enumerate(shares):
        members = np.flatnonzero(class_of == c)
        if selection == "kmeans" and share < len(members):
            centres, sizes = _cluster(X[members], share, random_state)
            points.append(centres)
            counts.append(sizes)
            indices.append(np.full(len(centres), -1))
        else:
            drawn = np.sort(random_state.permutation(members)[:share])
            points.append(X[drawn].astype(np.float64))
            counts.append(np.ones(share))
            indices.append(drawn)
    if balanced:
        counts = [count / count.sum() for count in counts]
    sizes = [len(part) for part in points]
    return Parzen(
        np.concatenate(points),
        np.concatenate([[0], np.cumsum(sizes)]),
        np.log(np.concatenate(counts)),
        np.concatenate(indices),
    )


def class_counts(sizes, total):
    """Share ``total`` points out to classes by size: 2 at least, or all there are."""
    wanted = sizes * (total / sizes.sum())
    shares = np.maximum(np.floor(wanted).astype(int), np.minimum(sizes, 2))
    # What rounding down left over goes to the largest remainders; ties by class.
    by_remainder = np.argsort(-(wanted - shares), kind="stable")
    for c in by_remainder[: max(0, total - shares.sum())]:
        shares[c] = min(shares[c] + 1, sizes[c])
    return shares


def _cluster(X, count, random_state):
    with one_blas_thread():
        # No more centres than different points: k-means would warn and repeat them.
        count = min(count, len(np.unique(X, axis=0)))
        found = KMeans(count, n_init=1, random_state=random_state).fit(X)
    sizes = np.bincount(found.labels_, minlength=count).astype(float)
    return found.cluster_centers_[sizes > 0].astype(np.float64), sizes[sizes > 0]


def nearest_distance(parzen):
    """Return the median distance of a Parzen point to its nearest different one."""
    D = exact_squared_distances(parzen.points, parzen.points)
    nearest = np.min(D, axis=1, where=D > 0.0, initial=np.inf)
    nearest = nearest[np.isfinite(nearest)]
    if not len(nearest):
        raise ValueError(
            "FisherMetric: all Parzen points are the same, so no bandwidth can be "
            "estimated. Give features that vary, or more parzen_points."
        )
    return float(np.median(np.sqrt(nearest)))


def loo_bandwidth(parzen):
    """Return the bandwidth of the largest leave-one-out likelihood (section 3.5).

    LL(s) = sum_p log max(p_{-p}(c_p | q_p; s), 1e-12)
    """
    D = exact_squared_distances(parzen.points, parzen.points)
    np.fill_diagonal(D, np.inf)
    unit = nearest_distance(parzen)
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


def posterior_factor(X, parzen):
    """Return G (n, C, d) with ``J = G^T G``: roots of p(c|x) times its log-slope.

    G_c = sqrt(p(c|x)) b(x, c) / s^2,  b = E[q | x, c] - E[q | x]     (section 2)
    """
    from labelscape.geometry._log_weights import log_weights

    weights = np.exp(log_weights(X, parzen, 1).a)
    weights /= weights.sum(axis=1, keepdims=True)
    classes = zip(parzen.starts[:-1], parzen.starts[1:], strict=True)
    middle = parzen.points.mean(axis=0)  # far from the origin, differences would blur
    Q = parzen.points - middle
    with one_blas_thread():
        overall = weights @ Q
        G = np.zeros((len(X), len(parzen.starts) - 1, Q.shape[1]))
        for c, (start, stop) in enumerate(classes):
            share = weights[:, start:stop].sum(axis=1)
            there = share > 0.0  # a class that underflowed contributes nothing
            mean = weights[there, start:stop] @ Q[start:stop] / share[there, None]
            G[there, c] = np.sqrt(share[there, None]) * (mean - overall[there])
    G /= parzen.bandwidth**2
    return G
