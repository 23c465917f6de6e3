"""The Parzen estimate of p(class | point): points, width and log-weights."""

from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn.cluster import KMeans
from sklearn.utils.validation import check_array

from labelscape._core.checks import LARGEST_VALUE, SMALLEST_SPREAD, check_finite
from labelscape._core.errors import InputError
from labelscape._core.labels import check_labels
from labelscape._core.learned import (
    Attribute,
    declares,
    indices,
    numbers,
    whole_numbers,
)
from labelscape._core.params import number
from labelscape._core.points.distances import (
    corrected_squared_distances,
    exact_squared_distances,
    middle,
    squared_norms,
)
from labelscape._core.rows.kinds import as_numpy
from labelscape._core.threads import (
    map_blocks,
    one_blas_thread,
    one_openmp_thread,
    row_blocks,
)
from labelscape._resampling.sampling import class_counts


def _starts(name, value, fit):
    """Check the start indices of classes, and that no class is empty."""
    n_classes = fit.sizes.get("classes", np.size(value) - 1)
    whole_numbers(n_classes + 1).check(name, value, fit)
    if value[0] != 0 or value[-1] != fit.sizes["parzen"] or np.diff(value).min() < 1:
        wanted = f"increasing whole numbers from 0 to {fit.sizes['parzen']}"
        fit.refuse(name, wanted, value.tolist())


@declares(
    sizes=whole_numbers("parzen", low=1),
    indices=indices("parzen", of="samples", or_none=True),
    starts=Attribute(_starts),
    log_counts=numbers("parzen", low=-1e3, high=1e3),
    bandwidth=number(SMALLEST_SPREAD, LARGEST_VALUE),
    points=numbers("parzen", "features"),
)
class Parzen(NamedTuple):
    """A Parzen estimate: points sorted by class, with weights and a bandwidth."""

    points: np.ndarray  # (P, d)
    starts: np.ndarray  # (C + 1,) class c has the rows starts[c] to starts[c + 1]
    log_counts: np.ndarray  # (P,) the logarithm of each point's weight
    indices: np.ndarray  # (P,) its row in the fitted data, or -1
    sizes: np.ndarray  # (P,) number of samples that it represents
    bandwidth: float = np.nan

    def without_samples(self, X, own):
        """Return the estimate with points stored as differences from samples of X."""
        # Differences are 0 for drawn points, nearly 0 for clusters of one sample.
        there, at = self._samples(own)
        points = self.points.copy()
        points[there] -= X[at[there]]
        points[there & (at < 0)] = 0.0  # the indices of these samples are unknown
        return self._replace(points=points)

    def with_samples(self, X, own):
        """Return the complete estimate; None if X cannot be the fitted table."""
        there, at = self._samples(own)
        if at[there].min(initial=0) < 0 or at[there].max(initial=0) >= len(X):
            return None
        points = self.points.copy()
        points[there] += X[at[there]]
        return self._replace(points=points)

    def _samples(self, own):
        """Return a mask (P,) of points that are samples of the fit, and their rows."""
        at = self.indices.copy()
        if own is not None:
            at[own[own >= 0]] = np.flatnonzero(own >= 0)
        return (self.indices >= 0) | (self.sizes == 1), at


def _chosen(X, class_of, count, selection, random_state):
    """Return points, sizes and indices of each class, and each sample's own center."""
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
    return (points, sizes, indices), own


def _joined(points, sizes, indices, balanced):
    """Return the estimate made from one list of points per class."""
    counts = [size / size.sum() if balanced else size for size in sizes]
    return Parzen(
        np.concatenate(points),
        np.concatenate([[0], np.cumsum([len(part) for part in points])]),
        np.log(np.concatenate(counts)),
        np.concatenate(indices),
        np.concatenate(sizes),
    )


def _cluster(X, count, random_state):
    """Return the centers of k-means, and the center of each sample."""
    with one_blas_thread(), one_openmp_thread():
        # At most one center per distinct point, because k-means would warn and repeat
        # centers.
        count = min(count, len(np.unique(X, axis=0)))
        kmeans = KMeans(count, n_init=1, random_state=random_state).fit(X)
    used, cluster = np.unique(kmeans.labels_, return_inverse=True)
    return kmeans.cluster_centers_[used].astype(np.float64), cluster


# Parzen estimate for the parameters of a FisherMetric.

GIVEN = "the points of parzen_points"
refused = partial(InputError, owner="FisherMetric")


def is_labeled(parzen_points):
    """Return whether the user passed Parzen points with their own labels."""
    return isinstance(parzen_points, tuple) and len(parzen_points) == 2


def parzen_estimate(metric, X, y, random_state):
    """Return classes, Parzen estimate, and each sample's own center (n,) or None."""
    balanced = metric.class_weight == "balanced"
    if is_labeled(metric.parzen_points):
        points, labels = map(as_numpy, metric.parzen_points)
        classes, parzen = _given(points, labels, X.shape[1], balanced)
        own = None
    else:
        classes, class_of = check_labels(y, len(X), owner="FisherMetric")
        count, by = _count(metric.parzen_points, len(X)), metric.parzen_selection
        (points, sizes, rows), own = _chosen(X, class_of, count, by, random_state)
        parzen = _joined(points, sizes, rows, balanced)
    width = _checked_bandwidth(metric.bandwidth, metric.bandwidth_scale, parzen)
    return classes, parzen._replace(bandwidth=width), own


def _given(points, labels, n_features, balanced):
    """Return classes and estimate for points passed by the user."""
    Q = check_array(points, dtype=np.float64, ensure_all_finite=False, input_name=GIVEN)
    if Q.shape[1] != n_features:
        raise refused(
            f"{GIVEN} must have as many features as X ({n_features}), "
            f"got {Q.shape[1]}.",
        )
    check_finite(Q, owner="FisherMetric", name=GIVEN)
    owner = "FisherMetric: parzen_points"
    classes, class_of = check_labels(labels, len(Q), owner=owner)
    order = np.argsort(class_of, kind="stable")
    parts = np.split(Q[order], np.cumsum(np.bincount(class_of))[:-1])
    sizes = [np.ones(len(part), dtype=int) for part in parts]
    return classes, _joined(parts, sizes, [-size for size in sizes], balanced)


def _count(parzen_points, n):
    if isinstance(parzen_points, str):
        return n
    if isinstance(parzen_points, float | np.floating):
        return int(np.ceil(parzen_points * n))
    return min(n, parzen_points)


def _checked_bandwidth(bandwidth, scale, parzen):
    """Return the bandwidth of the estimate, after a check of its size."""
    if not isinstance(bandwidth, str):
        width = float(bandwidth)
    elif bandwidth == "median":
        width = median_nearest(squares_between(parzen))
    else:
        width = float(scale) * loo_bandwidth(parzen)
    if not SMALLEST_SPREAD <= width <= LARGEST_VALUE:
        raise refused(
            f"the bandwidth is {width:.3g}, and its square is too "
            f"{'small' if width < 1.0 else 'large'} to compute with. Change "
            "bandwidth or bandwidth_scale to get a width near typical distances.",
            parameter="bandwidth",
        )
    return width


# Bandwidth of a Parzen estimate.

# Bandwidths to try, relative to the median distance to the nearest neighbor.
NARROWEST, WIDEST, TRIED, HALVINGS = 0.1, 3.0, 30, 3
# Smaller posteriors are raised to this, so that no single point sets the bandwidth.
LEAST_POSTERIOR = 1e-12


def squares_between(parzen):
    """Return squared distances (P, P) of Parzen points, with an infinite diagonal."""
    squares = exact_squared_distances(parzen.points, parzen.points)
    np.fill_diagonal(squares, np.inf)
    return squares


def loo_bandwidth(parzen):
    """Return the bandwidth with the largest leave-one-out likelihood."""
    # LL(s) = sum_p log max(p_{-p}(c_p | q_p; s), 1e-12)
    D = squares_between(parzen)
    unit = median_nearest(D)
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


def median_nearest(D):
    """Return the median distance of Parzen points to their nearest distinct point."""
    nearest = np.min(D, axis=1, where=D > 0.0, initial=np.inf)
    nearest = nearest[np.isfinite(nearest)]
    if not len(nearest):
        raise refused(
            "all Parzen points are the same, so no bandwidth can be "
            "estimated. Pass features that vary, or raise parzen_points.",
            parameter="bandwidth",
        )
    return float(np.median(np.sqrt(nearest)))


# Leaving a fitted point out of its own Parzen estimate.
#
# If a point's own center had the smallest weight of all, its own class would be less
# likely, and fitted points of pure noise would be sorted by their labels (5-NN accuracy
# 0.8 with two random labels). So the own center gets the mean weight of the other
# members of its class. The weight of a class then does not depend on the label of the
# point, and noise is not sorted.

# The log-weight of an own center is at most this far below the largest of its row. With
# a far outlier, lower weights would make all pairs use the exact, slow method.
DEEPEST = 500.0


def without_self(a, parzen, own, smallest):
    """Return the log-weight (n,) of each point's own center without that point."""
    # Of a cluster with m members, m - 1 remain. Their mean is m/(m - 1) times as far
    # from the point, so that the log-weight is (m/(m - 1))^2 times as large. a (n, P),
    # own (n,).
    rows = np.arange(len(a))
    counts, m = parzen.log_counts[own], parzen.sizes[own]
    with np.errstate(divide="ignore"):  # nothing remains of a center that is the point
        stretch = np.square(m / np.maximum(m - 1, 1))
        remaining = (a[rows, own] - counts) * stretch + counts + np.log((m - 1) / m)
    a[rows, own] = remaining

    top = a.max(axis=1)
    weights = np.exp(a - top[:, None])
    others = np.add.reduceat(parzen.sizes, parzen.starts[:-1]) - 1
    class_of = np.searchsorted(parzen.starts, own, side="right") - 1
    sums = np.add.reduceat(weights, parzen.starts[:-1], axis=1)[rows, class_of]
    mean = sums / np.maximum(others[class_of], 1)
    left = np.log(np.maximum(np.exp(remaining - top) + mean, np.exp(-DEEPEST)))
    alone = others[class_of] == 0
    left[alone] = np.maximum(smallest - top[alone], -DEEPEST)
    return top + left


# Log-weights of points, from which Fisher lengths are computed.

# Largest range of log-weights in a row for which no weight underflows.
SINGLE_RANGE, DOUBLE_RANGE = 60.0, 600.0
# A weight this far below the largest, on the log scale, changes the square root of a
# posterior by less than exp(-40) = 4e-18.
NEGLIGIBLE = -80.0
# If a point is this many times farther away than the typical Parzen point, its
# distances to all of them differ in their last digits only.
FAR = 1e6
MOST_BANDWIDTHS = 1e150  # larger numbers of bandwidths overflow when squared


class LogWeights(NamedTuple):
    """Points with their log-weights, as kernels use them."""

    a: np.ndarray  # log-weights (n, P)
    floored: np.ndarray  # log-weights, raised to a floor that prevents underflow
    F: np.ndarray  # exp(floored/T)
    U: np.ndarray  # square roots of posteriors (n, C)
    wide: np.ndarray  # (n,) rows with raised weights
    best: np.ndarray  # (n,) the column of the largest weight of each row

    def take(self, rows):
        """Return the log-weights of some of the points."""
        return LogWeights(*(part[rows] for part in self))

    def astype(self, dtype, n_steps):
        """Return the log-weights in another precision."""
        if self.a.dtype == dtype:
            return self
        return _finished(self.a.astype(dtype), self.U.astype(dtype), n_steps)


def log_weights(X, parzen, n_steps, *, own=None, single=False):
    """Return the log-weights of X (n, d), with maximum 0 in each row."""
    a = -_scaled_distances(X, parzen, own)
    a += parzen.log_counts
    if own is not None:
        smallest, centered = a.min(), np.flatnonzero(own >= 0)
        for part in row_blocks(len(centered), 24 * a.shape[1]):
            rows = centered[part]
            a[rows, own[rows]] = without_self(a[rows], parzen, own[rows], smallest)
    a -= a.max(axis=1, keepdims=True)
    U = np.sqrt(class_shares(a, parzen.starts))
    if single and a.min() >= -SINGLE_RANGE:
        a, U = a.astype(np.float32), U.astype(np.float32)
    return _finished(a, U, n_steps)


def class_shares(a, starts):
    """Return the posteriors (n, C) for log-weights."""
    sums = np.add.reduceat(np.exp(a), starts[:-1], axis=1)
    return sums / sums.sum(axis=1, keepdims=True)


def _finished(a, U, n_steps):
    wide = a.min(axis=1) < -DOUBLE_RANGE
    floored = np.maximum(a, -DOUBLE_RANGE, dtype=a.dtype) if wide.any() else a
    F = np.exp(floored / a.dtype.type(n_steps))
    return LogWeights(a, floored, F, U, wide, a.argmax(axis=1))


def _scaled_distances(X, parzen, own):
    """Return ``|x - q|^2 / (2 s^2)`` (n, P), exactly 0 where points coincide."""
    # For points far from all others, the smallest value of the row is subtracted.
    center = middle(parzen.points)
    Q = parzen.points - center
    norms = squared_norms(Q)
    beyond = far_beyond(norms)

    def block(rows):
        A = X[rows] - center
        A_norms = squared_norms(A)
        check_reach(np.sqrt(A_norms.max()) + np.sqrt(norms.max()), parzen.bandwidth)
        D = corrected_squared_distances(A, Q, A_norms, norms)
        for i in np.flatnonzero(A_norms > beyond):
            k = -1 if own is None else own[rows.start + i]
            if k < 0 or parzen.sizes[k] == 1:  # a cluster needs its own distance
                D[i] = excess(A[i], Q, D[i], k)
        D /= 2.0 * parzen.bandwidth**2
        return D

    blocks = row_blocks(len(X), 16 * len(parzen.points))
    return np.concatenate(map_blocks(block, blocks))


def far_beyond(norms):
    """Return the squared norm above which a point is far from all Parzen points."""
    return FAR**2 * (np.median(norms) or norms.max() or np.inf)


def excess(a, Q, squares, own):
    """Return ``|a - q|^2 - |a - q'|^2`` (P,) for all q; q' is the one nearest to a."""
    # (q' - q)(2a - q - q') has the digits that squares of a far point lose. The own
    # center is left out later.
    if own >= 0:
        squares[own] = np.inf
    nearest = Q[squares.argmin()]
    more = ((nearest - Q) * (2.0 * a - Q - nearest)).sum(axis=1)
    if own >= 0:
        more[own] = 0.0
    return more - more.min()


def check_reach(reach, bandwidth):
    """Raise an error if squared distances divided by bandwidths would overflow."""
    if reach > MOST_BANDWIDTHS * bandwidth:
        raise refused(
            f"the samples are up to {reach:.3g} apart, which is too far for a "
            f"bandwidth of {bandwidth:.3g}. Raise bandwidth, or drop the samples "
            "that are far from all others.",
            parameter="bandwidth",
        )
