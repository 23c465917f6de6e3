"""The Parzen estimate of p(class | point): which points it is made of (spec 1)."""

from typing import NamedTuple

import numpy as np
from sklearn.cluster import KMeans
from sklearn.utils.validation import check_array

from labelscape._core.checks import (
    LARGEST_VALUE,
    SMALLEST_SPREAD,
    check_finite,
    check_labels,
)
from labelscape._core.errors import InputError
from labelscape._core.fits.learned import (
    Attribute,
    declares,
    indices,
    numbers,
    whole_numbers,
)
from labelscape._core.points.arrays import as_numpy
from labelscape._core.points.distances import exact_squared_distances
from labelscape._core.rules import number
from labelscape._core.sampling import class_counts
from labelscape._core.threads import one_blas_thread


def _starts(name, value, fit):
    """Check where the points of each class begin, and that each has some."""
    n_classes = fit.sizes.get("classes", np.size(value) - 1)
    whole_numbers(n_classes + 1).check(name, value, fit)
    if value[0] != 0 or value[-1] != fit.sizes["parzen"] or np.diff(value).min() < 1:
        wanted = f"whole numbers that rise from 0 to {fit.sizes['parzen']}"
        fit.refuse(name, wanted, value.tolist())


@declares(
    sizes=whole_numbers("parzen", low=1),
    indices=indices("parzen", of="objects", or_none=True),
    starts=Attribute(_starts),
    log_counts=numbers("parzen", low=-1e3, high=1e3),
    bandwidth=number(SMALLEST_SPREAD, LARGEST_VALUE),
    points=numbers("parzen", "features"),
)
class Parzen(NamedTuple):
    """A Parzen estimate: points sorted by class, and their bandwidth.

    Class c has the rows ``starts[c]`` to ``starts[c + 1]`` of ``points`` (P, d);
    ``log_counts`` (P,) is the log of what each point counts, ``indices`` (P,) where it
    stands in the fitted data, -1 if it is not one of them, and ``sizes`` (P,) how many
    objects it stands for.
    """

    points: np.ndarray
    starts: np.ndarray
    log_counts: np.ndarray
    indices: np.ndarray
    sizes: np.ndarray
    bandwidth: float = np.nan

    def without_objects(self, X, own):
        """Return the estimate with what its points differ by from objects of X.

        That is 0 of drawn points, and rounding of k-means where a cluster is one
        object. Other centres stay as they are.
        """
        there, at = self._objects(own)
        points = self.points.copy()
        points[there] -= X[at[there]]
        points[there & (at < 0)] = 0.0  # nobody knows which objects these are
        return self._replace(points=points)

    def with_objects(self, X, own):
        """Return the estimate as it was; None if X can not be the fitted table."""
        there, at = self._objects(own)
        if at[there].min(initial=0) < 0 or at[there].max(initial=0) >= len(X):
            return None
        points = self.points.copy()
        points[there] += X[at[there]]
        return self._replace(points=points)

    def _objects(self, own):
        """Return which points are objects of the fit (P,), and which ones, or -1.

        Those that were drawn, and clusters of one. ``own`` (n,) is the Parzen point
        of each object, or None.
        """
        at = self.indices.copy()
        if own is not None:
            at[own[own >= 0]] = np.flatnonzero(own >= 0)
        return (self.indices >= 0) | (self.sizes == 1), at


def choose_points(X, class_of, count, *, selection, balanced, random_state):
    """Return ``count`` Parzen points, from each class its share and 2 at least.

    Shapes: X (n, d), class_of (n,).
    """
    points, sizes, indices = [], [], []
    own, first = np.full(len(X), -1), 0
    for c, share in enumerate(class_counts(np.bincount(class_of), count)):
        members = np.flatnonzero(class_of == c)
        if selection == "kmeans" and share < len(members):
            centers, cluster = _cluster(X[members], share, random_state)
            own[members] = first + cluster
            points.append(centers)
            sizes.append(np.bincount(cluster))
            indices.append(np.full(len(centers), -1))
        else:
            drawn = np.sort(random_state.permutation(members)[:share])
            own[drawn] = first + np.arange(share)
            points.append(X[drawn].astype(np.float64))
            sizes.append(np.ones(share, dtype=int))
            indices.append(drawn)
        first += len(points[-1])
    return _joined(points, sizes, indices, balanced), own


def given_points(Q, class_of, *, balanced):
    """Return the Parzen estimate that is made of given, labelled points."""
    order = np.argsort(class_of, kind="stable")
    parts = np.split(Q[order], np.cumsum(np.bincount(class_of))[:-1])
    sizes = [np.ones(len(part), dtype=int) for part in parts]
    indices = [np.full(len(part), -1) for part in parts]
    return _joined(parts, sizes, indices, balanced)


def _joined(points, sizes, indices, balanced):
    """Return the estimate made of one list of points per class."""
    counts = [size / size.sum() if balanced else size for size in sizes]
    return Parzen(
        np.concatenate(points),
        np.concatenate([[0], np.cumsum([len(part) for part in points])]),
        np.log(np.concatenate(counts)),
        np.concatenate(indices),
        np.concatenate(sizes),
    )


def _cluster(X, count, random_state):
    """Return the centres of k-means, and the one that each point belongs to."""
    with one_blas_thread():
        # No more centres than different points: k-means would warn and repeat them.
        count = min(count, len(np.unique(X, axis=0)))
        found = KMeans(count, n_init=1, random_state=random_state).fit(X)
    used, cluster = np.unique(found.labels_, return_inverse=True)
    return found.cluster_centers_[used].astype(np.float64), cluster


# The Parzen estimate that the parameters of a FisherMetric ask for.

GIVEN = "the points of parzen_points"


def is_labeled(parzen_points):
    """Return whether the user has given Parzen points with labels of their own."""
    return isinstance(parzen_points, tuple) and len(parzen_points) == 2


def parzen_estimate(
    X,
    y,
    random_state,
    compared=None,
    *,
    points,
    selection,
    class_weight,
    bandwidth,
    bandwidth_scale,
):
    """Return classes, Parzen estimate, and each object's own centre (n,) or None.

    ``compared`` stands in for `Compared`. The named arguments are the parameters of
    `FisherMetric`.
    """
    balanced = class_weight == "balanced"
    if is_labeled(points):
        given = (as_numpy(part) for part in points)
        classes, parzen = _given(*given, X.shape[1], balanced)
        own = None
    else:
        classes, class_of = check_labels(y, len(X), owner="FisherMetric")
        parzen, own = choose_points(
            X,
            class_of,
            _count(points, len(X)),
            selection=selection,
            balanced=balanced,
            random_state=random_state,
        )
    compared = compared or Compared
    width = _checked_bandwidth(bandwidth, bandwidth_scale, parzen, compared)
    return classes, parzen._replace(bandwidth=width), own


def _given(points, labels, n_features, balanced):
    """Return classes and estimate of the points that the user gave."""
    Q = check_array(points, dtype=np.float64, ensure_all_finite=False, input_name=GIVEN)
    if Q.shape[1] != n_features:
        raise InputError(
            f"{GIVEN} must have the features of X, {n_features}; they "
            f"have {Q.shape[1]}.",
            owner="FisherMetric",
        )
    check_finite(Q, owner="FisherMetric", name=GIVEN)
    owner = "FisherMetric: parzen_points"
    classes, class_of = check_labels(labels, len(Q), owner=owner)
    return classes, given_points(Q, class_of, balanced=balanced)


def _count(parzen_points, n):
    if isinstance(parzen_points, str):
        return n
    if isinstance(parzen_points, float | np.floating):
        return int(np.ceil(parzen_points * n))
    return min(n, parzen_points)


def _checked_bandwidth(bandwidth, scale, parzen, compared):
    """Return the width of the estimate: a number whose square is one too."""
    if not isinstance(bandwidth, str):
        width = float(bandwidth)
    elif bandwidth == "median":
        width = median_nearest(compared(parzen).squares)
    else:
        width = float(scale) * loo_bandwidth(compared(parzen))
    if not SMALLEST_SPREAD <= width <= LARGEST_VALUE:
        raise InputError(
            f"the bandwidth is {width:.3g}, and its square is too "
            f"{'small' if width < 1.0 else 'large'} for a number. Choose bandwidth or "
            "bandwidth_scale nearer to the distances of the objects.",
            owner="FisherMetric",
            parameter="bandwidth",
        )
    return width


# How wide a Parzen estimate is (spec section 3.5).

# Bandwidths tried, in units of the median distance to the nearest neighbour.
NARROWEST, WIDEST, TRIED, HALVINGS = 0.1, 3.0, 30, 3
# A posterior below this counts as this, so that no single point decides.
LEAST_POSTERIOR = 1e-12


class Compared:
    """Parzen points compared with each other, by compiled loops.

    ``squares`` (P, P) are their squared distances, infinite to themselves.
    """

    def __init__(self, parzen):
        self.parzen = parzen
        self.squares = exact_squared_distances(parzen.points, parzen.points)
        np.fill_diagonal(self.squares, np.inf)

    def likelihood(self, bandwidth):
        """Return LL(s), see `loo_bandwidth`."""
        return loo_likelihood(self.squares, self.parzen, bandwidth)


def loo_bandwidth(compared):
    """Return the bandwidth of the largest leave-one-out likelihood (section 3.5).

    LL(s) = sum_p log max(p_{-p}(c_p | q_p; s), 1e-12)
    """
    unit = median_nearest(compared.squares)
    grid = np.log(unit) + np.linspace(np.log(NARROWEST), np.log(WIDEST), TRIED)
    values = [compared.likelihood(np.exp(g)) for g in grid]
    best, value = grid[np.argmax(values)], max(values)
    step = grid[1] - grid[0]
    for _ in range(HALVINGS):
        step /= 2.0
        for candidate in (best - step, best + step):
            likelihood = compared.likelihood(np.exp(candidate))
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


def median_nearest(D):
    """Return the median distance of a Parzen point to its nearest different one."""
    nearest = np.min(D, axis=1, where=D > 0.0, initial=np.inf)
    nearest = nearest[np.isfinite(nearest)]
    if not len(nearest):
        raise InputError(
            "all Parzen points are the same, so no bandwidth can be "
            "estimated. Give features that vary, or more parzen_points.",
            owner="FisherMetric",
            parameter="bandwidth",
        )
    return float(np.median(np.sqrt(nearest)))


# How a fitted point leaves itself out of a Parzen estimate (spec section 3.3).
#
# The specification gives a point's own centre the smallest weight of all. Then a point
# sees less of its own class than of the others, and where the probabilities are flat
# nothing else is left to see: on noise, fitted points are sorted by their labels (5-NN
# 0.8 with two random labels). Here the own centre weighs what the other members of its
# class weigh on average. A class is then as heavy as it was, whatever the label of the
# point, and on noise nothing is left that could sort it.

# No deeper below the best of its row: with one far outlier, lower weights would send
# every pair of points the exact, slow way.
DEEPEST = 500.0


def without_self(a, parzen, own, smallest):
    """Return the log-weights (n,) of points' own centres without the points themselves.

    Notes
    -----
    Of a cluster with m members, m - 1 remain. Their mean is m/(m - 1) times as far from
    the point, so that the log-weight is (m/(m - 1))^2 times as large.

    Shapes: a (n, P), own (n,).
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
