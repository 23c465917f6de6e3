"""Placement of new samples on any map, with kernels around fitted samples."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import LARGEST_VALUE, SMALLEST_SPREAD, check_intact
from labelscape._core.estimator import shared_parameters
from labelscape._core.learned import Attribute, Learned, indices, numbers, part
from labelscape._core.params import either, finite, number, one_of, whole
from labelscape._core.points.distances import middle, squared_distances, squared_norms
from labelscape._core.points.normalized_kernels import coefficients, kernel_weights
from labelscape._core.points.spaces import Dissimilarities, Points
from labelscape._core.rows.answers import lazy
from labelscape._core.threads import map_blocks, row_blocks
from labelscape._core.types import Array
from labelscape.embeddings._base import (
    MAP_TEXTS,
    MapEstimator,
    checked_new,
    dissimilarities_to,
    fitted_objects,
    is_fitted_anew,
    is_given,
)
from labelscape.geometry import FisherMetric
from labelscape.geometry._internal import distances_among, kernel_squares

# Widths of the kernels of a map.

# Widths to try, relative to the typical distance to the nearest neighbor.
FACTORS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
FOLDS = 5
# The error of a held-out point is limited to the typical distance on the map to the
# neighbor of this rank.
NEIGHBORHOOD = 10
# Points are copies if their squared distance is below this share of the median, which
# is computed from about ``SOME`` rows.
ROUNDING, SOME = 1e-20, 100


def nearest_others(squares):
    """Return each point's distance (m,) to the nearest point that is not its copy."""
    others = np.where(_are_copies(squares), np.inf, squares)
    nearest = others.min(axis=1)
    return np.sqrt(np.where(nearest < np.inf, nearest, 0.0))


def places(squares):
    """Return the number of distinct points, and the index of each point among them."""
    first_copy = _are_copies(squares).argmax(axis=1)
    first, place = np.unique(first_copy, return_inverse=True)
    return len(first), place


def _are_copies(squares):
    # A single far point does not change the median.
    return squares <= ROUNDING * np.median(squares[:: -(-len(squares) // SOME)])


def median_width(nearest):
    """Return the median distance to the nearest other point, or 1 if it is 0."""
    return float(np.median(nearest)) or 1.0


def best_factor(squares, Y, ridge, random_state):
    """Return the factor in ``FACTORS`` that places held-out points of Y (m, q) best."""
    if places(squares)[0] < 3:  # too few for held-out points
        return FACTORS[1]
    return FACTORS[int(np.argmin(held_out_errors(squares, Y, ridge, random_state)))]


def held_out_errors(squares, Y, ridge, random_state):
    """Return the total error (n_factors,) of the positions of held-out points."""
    # Errors are limited to the size of a neighborhood on the map. Otherwise, the best
    # kernels would be wide ones, which place uncertain points in the empty space
    # between clusters.
    enough = neighborhood_square(Y)
    n_places, place = places(squares)
    # A held-out copy of a training point would not test the kernels.
    fold = (random_state.permutation(n_places) % min(FOLDS, n_places))[place]
    errors = np.zeros(len(FACTORS))
    for k in range(fold.max() + 1):
        train, test = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        inner, outer = squares[np.ix_(train, train)], squares[np.ix_(test, train)]
        unit = median_width(nearest_others(inner))
        for i, factor in enumerate(FACTORS):
            widths = np.full(len(train), factor * unit)
            Phi = kernel_weights(inner, widths)
            alpha = coefficients(Phi.__getitem__, Y[train], len(train), ridge)
            gaps = kernel_weights(outer, widths) @ alpha - Y[test]
            errors[i] += np.minimum(np.square(gaps).sum(axis=1), enough).sum()
    return errors


def neighborhood_square(Y):
    """Return the median squared distance of points of Y to their 10th neighbor."""
    k = min(NEIGHBORHOOD, len(Y) - 1)
    squares = sum(np.square(column[:, None] - column) for column in Y.T)
    squares.partition(k, axis=1)  # the first is the point itself
    return float(np.median(squares[:, k])) or np.inf


MOST_CENTERS = 3000  # default limit: the fit takes n m^2 operations
# Number of samples used to choose among seven widths by five-fold cross-validation.
MOST_COMPARED = 1000
CACHE_BYTES = 2**20  # blocks of distances that fit in a core's cache
FISHER_ROWS = 128  # samples whose Fisher distances are computed together
# Number of new samples that are placed at a time, to limit the memory.
PLACED_ROWS = 2**16
METRIC_BYTES = 2**26  # bytes of a block, for other metrics


KERNEL_TEXTS = MAP_TEXTS | {
    "kernels": """
    bandwidth : {"cv", "global", "per_point"} or float, default="cv"
        Width of the kernels. "global" uses ``bandwidth_factor`` times the median
        distance to the nearest neighbor. "cv" does the same with the best of seven
        factors between 0.05 and 1, chosen by cross-validation. "per_point" uses
        ``bandwidth_factor`` times the distance of each center to its nearest neighbor;
        in high dimensions, outliers then get too much influence. A number is a width in
        units of the metric.
    bandwidth_factor : float, default=0.1
        See ``bandwidth``. Narrow kernels place a sample at the position of the nearest
        center; wide kernels move all samples to the middle of the map.
    ridge : float, default=1e-3
        Strength of the ridge penalty, which moves the positions of the kernels to their
        mean. The paper uses 0 (the pseudo-inverse).
    n_centers : int or None, default=None
        Number of fitted samples with a kernel, drawn at random. None means all
        samples, at most 3000.""",
    "kernel_attributes": """
    center_indices_ : ndarray of shape (n_centers,)
        Indices of the fitted samples that have a kernel.
    centers_ : ndarray of shape (n_centers, n_features)
        The fitted samples that have a kernel.
    widths_ : ndarray of shape (n_centers,)
        Widths of their kernels.
    factor_ : float or None
        Width in units of the typical distance to the nearest neighbor; None if
        ``bandwidth`` is a number.
    coefficients_ : ndarray of shape (n_centers, n_components)
        Position of each kernel on the map.""",
    "support": """
    Parameters
    ----------
    X : array-like of shape (n_new, n_features)
        Samples, as for ``transform``.

    Returns
    -------
    distances : ndarray of shape (n_new,)
        The distance of each sample. If it is much larger than the distances of held-out
        samples, the position on the map is not reliable.""",
}


def check_metric(name, value, fit):
    """Check that the metric of a map was fitted to the same samples."""
    part("pairwise").check(name, value, fit)
    if isinstance(value, FisherMetric):
        own = value._X.shape[0] if hasattr(value, "_X") else 0
        forgot = not own and not hasattr(fit.model, "training_X_")
        if not forgot and not fit.binds("samples", own):
            wanted = f"fitted to {fit.sizes.get('samples', 'the')} samples of the map"
            fit.refuse(name, wanted, value)


class PlacingMap(MapEstimator):
    """Base of maps that store ``training_X_``; subclasses implement ``_placed``."""

    @lazy
    @shared_parameters(MAP_TEXTS)
    def transform(self, X) -> Array:
        """Place new samples on the map; fitted samples keep their positions.

        Labels are not used. A copy of a fitted sample gets the position of that sample.

        Parameters
        ----------
        {new_X}

        {places}
        """
        return self._placed_by_parts(checked_new(self, X))

    def _placed_by_parts(self, X):
        """Return the positions of samples, computed in parts to limit the memory."""
        parts = row_blocks(len(X), 1, PLACED_ROWS)
        return np.concatenate([self._placed(X[rows]) for rows in parts])

    def _fitted_places(self):
        return self.embedding_

    def _known_places(self, X):
        """Return the rows of X that equal fitted samples, and their mean positions."""
        known_at = self._fitted_places()
        n = len(known_at)
        if is_given(self.metric):
            same = X == 0.0
            known = np.flatnonzero(same.any(axis=1))
            weights = same[known] / same[known].sum(axis=1, keepdims=True)
            return known, weights @ known_at
        number = Points(np.concatenate([self.training_X_, X])).distinct()[1]
        fitted, new = number[:n], number[n:]
        known = np.flatnonzero(new <= fitted.max())
        sums = np.zeros((fitted.max() + 1, known_at.shape[1]))
        np.add.at(sums, fitted, known_at)
        means = sums / np.bincount(fitted)[:, None]
        return known, means[new[known]]


@dataclass(eq=False, repr=False, kw_only=True)
class KernelPlacement(PlacingMap):
    """Base of maps that place new samples with kernels."""

    # A subclass defines the parameters with rules here, ``random_state`` and
    # ``metric``; its fit computes a map and passes it to ``_learn_places``.
    bandwidth: str | float = "cv"
    bandwidth_factor: float = 0.1
    ridge: float = 1e-3
    n_centers: int | None = None
    random_state: Any = None

    _training_data = ("embedding_", "training_X_", "metric_", "coefficients_")
    _rules: ClassVar = {
        "bandwidth": either(one_of("cv", "global", "per_point"), finite(above=0)),
        "bandwidth_factor": finite(above=0),
        "ridge": number(0),
        "n_centers": either(one_of(None), whole(1)),
    }
    _learned: ClassVar[Learned] = {
        "training_X_": fitted_objects,
        "metric_": Attribute(check_metric),
        "center_indices_": lambda model: indices(
            "centers", of="features" if is_given(model.metric) else "samples"
        ),
        "widths_": numbers("centers", low=SMALLEST_SPREAD),
        "coefficients_": numbers("centers", "components"),
        "factor_": either(one_of(None), finite(above=0)),
    }

    def _needed_to_place(self):
        own = ("metric_",) if is_fitted_anew(self.metric) else ()
        return ("embedding_", "training_X_", "coefficients_", *own)

    @property
    def centers_(self):
        """The fitted samples that have a kernel (n_centers, n_features)."""
        check_is_fitted(self)
        if not hasattr(self, "center_indices_"):
            raise AttributeError(
                "A cross-fitted map has no kernels. It places new samples with pairs_."
            )
        if getattr(self, "training_X_", None) is None:
            raise AttributeError(
                "With metric='precomputed', samples have no features. Use "
                "center_indices_, the indices of the samples that have a kernel."
            )
        return self._centers()

    def _centers(self):
        return self.training_X_[self.center_indices_]

    def _placed_by_parts(self, X):
        """Return the positions of samples; raise an error if kernels are too narrow."""
        Z = super()._placed_by_parts(X)
        lost = ~np.isfinite(Z).all(axis=1)
        if lost.any():
            raise self._error(
                f"{lost.sum()} of {len(lost)} samples, the first in row "
                f"{lost.argmax()}, are too far from the fitted samples for the "
                f"kernel widths (at least {self.widths_.min():.3g}). Raise bandwidth "
                "or bandwidth_factor.",
                "bandwidth",
            )
        return Z

    def _placed(self, X):
        from labelscape.embeddings.kernel_map._kernels import place_rows

        scales = 0.5 / np.square(self.widths_)
        alpha = np.ascontiguousarray(self.coefficients_)

        def place(squares):
            is_intact = squares.shape[1] == len(scales) == len(alpha)
            check_intact(is_intact, "center_indices_, widths_ and coefficients_")
            Z = np.empty((len(squares), alpha.shape[1]))
            place_rows(squares, scales, alpha, Z)
            return Z

        Z = self._over_blocks(X, place)
        known, places = self._known_places(X)
        Z[known] = places
        return Z

    @shared_parameters(KERNEL_TEXTS)
    def support(self, X) -> Array:
        """Return each sample's distance to the nearest center, in kernel widths.

        {support}
        """
        X = checked_new(self, X)
        scales = 1.0 / np.square(self.widths_)

        def least(squares):
            with np.errstate(over="ignore"):  # then the sample is infinitely far away
                return np.min(squares * scales, axis=1)

        return np.sqrt(self._over_blocks(X, least))

    def _learn_places(self, X, Z, space):
        """Fit the kernels to the map Z (n, q); ``space=None`` means ``metric_``."""
        random_state = check_random_state(self.random_state)
        n = len(Z)
        self.training_X_: Any = None if is_given(self.metric) else X
        self.embedding_ = Z
        m = self._count_centers(n)
        self.center_indices_ = np.arange(n)
        if m < n:
            self.center_indices_ = np.sort(random_state.choice(n, m, replace=False))
        self.widths_ = self._checked(self._widths(Z, space, random_state))
        squares = self._fitted_squares(X, space)
        self.coefficients_ = coefficients(
            lambda rows: kernel_weights(squares(rows), self.widths_), Z, m, self.ridge
        )

    def _count_centers(self, n):
        return min(n, self.n_centers or MOST_CENTERS)

    def _widths(self, Z, space, random_state):
        """Return the width of each kernel, and store the factor that determines it."""
        m = len(self.center_indices_)
        self.factor_ = None
        if not isinstance(self.bandwidth, str):
            return np.full(m, float(self.bandwidth))
        if space is None:
            squares = distances_among(self.metric_, self.center_indices_) ** 2
        else:
            squares = space.subset(self.center_indices_).matrix() ** 2
        nearest = nearest_others(squares)
        self.factor_ = float(self.bandwidth_factor)
        if self.bandwidth == "per_point":
            return self.factor_ * np.where(nearest > 0.0, nearest, 1.0)
        if self.bandwidth == "cv":
            few = np.arange(m)
            if m > MOST_COMPARED:
                few = random_state.choice(m, MOST_COMPARED, replace=False)
            some = squares[np.ix_(few, few)], Z[self.center_indices_[few]]
            self.factor_ = best_factor(*some, self.ridge, random_state)
        return np.full(m, self.factor_ * median_width(nearest))

    def _checked(self, widths):
        """Return widths whose squares are finite and not 0, or raise an error."""
        for width in (widths.min(), widths.max()):
            if not SMALLEST_SPREAD <= width <= LARGEST_VALUE:
                raise self._error(
                    f"kernels of width {width:.3g} cannot be "
                    "computed. Choose bandwidth or bandwidth_factor so that widths "
                    "are near the distances of neighbors.",
                    "bandwidth",
                )
        return widths

    def _fitted_squares(self, X, space):
        """Return a function from slices of X to squared distances to the centers."""
        if isinstance(space, Points):
            return self._euclidean_squares(X)
        if isinstance(space, Dissimilarities):
            return lambda rows: space.D[rows][:, self.center_indices_] ** 2
        in_reach, step = self._squares_in_reach(X), FISHER_ROWS

        def squares(rows):
            starts = range(rows.start, rows.stop, step)
            blocks = [slice(i, min(i + step, rows.stop)) for i in starts]
            return np.concatenate(in_reach(blocks))

        return squares

    def _over_blocks(self, X, function):
        """Apply a function of squared distances (b, m) to blocks of X."""
        metric = getattr(self, "metric_", self.metric)
        if isinstance(metric, str) and metric == "euclidean":
            squares = self._euclidean_squares(X)
            size = 8 * (len(self.widths_) + X.shape[1])
            blocks = row_blocks(len(X), size, budget=CACHE_BYTES)
            parts = map_blocks(lambda rows: function(squares(rows)), blocks)
        elif isinstance(metric, FisherMetric) and metric.method != "graph":
            # Only distances to kernels that have weight are computed.
            blocks = row_blocks(len(X), 1, budget=FISHER_ROWS)
            parts = self._squares_in_reach(X)(blocks, function)
        else:
            # Other metrics use their own threads, or are Python functions.
            blocks = row_blocks(len(X), 8 * len(self._fitted_places()), METRIC_BYTES)
            parts = [function(self._metric_squares(X[rows])) for rows in blocks]
        return np.concatenate(parts)

    def _squares_in_reach(self, X):
        """Return a function from slices to squared distances, inf for far centers."""
        scales = 0.5 / np.square(self.widths_)
        return kernel_squares(self.metric_, X, self.center_indices_, scales)

    def _euclidean_squares(self, X):
        # Relative to the mean, rounding errors of the BLAS products are small.
        center = middle(self.training_X_)
        centers = self._centers() - center
        norms = squared_norms(centers)
        return lambda rows: squared_distances(X[rows] - center, centers, norms)

    def _metric_squares(self, X):
        # A Fisher metric recognizes only the complete table of fitted samples.
        metric = getattr(self, "metric_", self.metric)
        owner = type(self).__name__
        rows = dissimilarities_to(X, self.training_X_, metric, owner=owner)
        return np.square(rows(slice(None))[:, self.center_indices_])
