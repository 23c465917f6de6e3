"""New objects on any map, by kernels around the fitted ones (spec 5)."""

from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import LARGEST_VALUE, SMALLEST_SPREAD, check_intact
from labelscape._core.chunks.lazy import lazy
from labelscape._core.errors import InputError
from labelscape._core.fits.learned import Attribute, Learned, indices, numbers, part
from labelscape._core.points.arrays import namespace_of, to_numpy
from labelscape._core.points.center import middle
from labelscape._core.points.distances import squared_distances, squared_norms
from labelscape._core.points.normalized_kernels import coefficients, kernel_weights
from labelscape._core.points.spaces import Dissimilarities, Points
from labelscape._core.rules import either, finite, number, one_of, whole
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.embeddings._base import (
    MapEstimator,
    fitted_objects,
    is_fitted_anew,
    is_given,
)
from labelscape.embeddings._out_of_sample import checked_new, dissimilarities_to
from labelscape.embeddings.kernel_map._arrays import over_blocks, placed
from labelscape.embeddings.kernel_map._widths import (
    best_factor,
    global_width,
    nearest_others,
    point_widths,
)
from labelscape.geometry import FisherMetric
from labelscape.geometry._internal import kernel_squares, over_slices

# So many objects are centres unless more are asked for: the fit takes n m^2 steps.
MOST_CENTERS = 3000
# Widths are chosen on so many objects: seven candidates times five folds.
MOST_COMPARED = 1000
# Blocks of new objects whose distances stay in a core's cache.
CACHE_BYTES = 2**20
# Objects whose Fisher distances to the centres are worked out together.
FISHER_ROWS = 128
# New objects that are placed at a time: what is worked out for each takes room.
PLACED_ROWS = 2**16
# Blocks of new objects for metrics that work out all rows at once.
METRIC_BYTES = 2**26


def check_metric(name, value, fit):
    """Check the metric of a map, which knows the same objects."""
    part("pairwise").check(name, value, fit)
    if isinstance(value, FisherMetric):
        own = value._X.shape[0] if hasattr(value, "_X") else 0
        forgot = not own and not hasattr(fit.model, "training_X_")
        if not forgot and not fit.binds("objects", own):
            wanted = f"fitted to {fit.sizes.get('objects', 'the')} objects of the map"
            fit.refuse(name, wanted, value)


class KernelPlacement(MapEstimator):
    """Base of the maps that place new objects by kernels.

    A subclass has the parameters that this class has rules for, ``random_state`` and
    ``metric``; its fit makes a map and hands it to ``_learn_places``.
    """

    # What the model remembers of its objects; model files leave it out.
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
            "centers", of="features" if is_given(model.metric) else "objects"
        ),
        "widths_": numbers("centers", low=SMALLEST_SPREAD),
        "coefficients_": numbers("centers", "components"),
        "factor_": either(one_of(None), finite(above=0)),
    }

    def _needed_to_place(self):
        own = ("metric_",) if is_fitted_anew(self.metric) else ()
        return ("embedding_", "training_X_", "coefficients_", *own)

    def _fitted_places(self):
        """Return the places of the fitted objects."""
        return self.embedding_

    @property
    def centers_(self):
        """The fitted objects that have a kernel (n_centers, n_features)."""
        check_is_fitted(self)
        if not hasattr(self, "center_indices_"):
            raise AttributeError(
                "A cross-fitted map places new objects by pairs_: none has a kernel."
            )
        if getattr(self, "training_X_", None) is None:
            raise AttributeError(
                "With metric='precomputed' objects have no features; "
                "center_indices_ says which of them have a kernel."
            )
        return self._centers()

    def _centers(self):
        xp = namespace_of(self.training_X_) or np
        return xp.take(self.training_X_, self.center_indices_, axis=0)

    @lazy
    def transform(self, X):
        """Place new objects on the map; those fitted stay where they are.

        Labels are not used. An object that equals a fitted one gets its place, all
        others the mean of places that kernels give.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            New objects; if ``metric="precomputed"``, their dissimilarities to the
            fitted ones, of shape (n_new, n_samples).

        Returns
        -------
        Z : ndarray of shape (n_new, n_components)
            Their places.
        """
        there, X = self._with(X, "transform")
        return there._placed_by_parts(X)

    def _with(self, X, asked):
        """Return the map, and new objects that were given to a method, checked."""
        return self, checked_new(self, X)

    def _placed_by_parts(self, X):
        """Return the places of objects, however many."""
        if namespace_of(X) is None:
            parts = row_blocks(len(X), 1, PLACED_ROWS)
            Z = np.concatenate([self._placed(X[rows]) for rows in parts])
        else:
            Z = placed(self, X)
        lost = ~to_numpy((namespace_of(Z) or np).isfinite(Z)).all(axis=1)
        if lost.any():
            raise InputError(
                f"{lost.sum()} of {len(lost)} objects, the first "
                f"in row {lost.argmax()}, are more kernel widths from the fitted ones "
                "than a number can hold; the widths begin at "
                f"{to_numpy(self.widths_).min():.3g}. Raise bandwidth or "
                "bandwidth_factor.",
                owner=type(self).__name__,
                parameter="bandwidth",
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

    def support(self, X):
        """Return how far objects are from the data, in widths of the closest kernel.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            Objects, as for ``transform``.

        Returns
        -------
        distances : ndarray of shape (n_new,)
            Smallest distance to a centre divided by its width. Compare with the values
            of held-out objects: the map says nothing about those that are far above.
        """
        there, X = self._with(X, "support")
        xp = namespace_of(X) or np
        scales = 1.0 / xp.square(there.widths_)

        def least(squares):
            with np.errstate(over="ignore"):  # infinitely far, then
                return xp.min(squares * scales, axis=1)

        return xp.sqrt(there._over_blocks(X, least))

    def _learn_places(self, X, Z, space):
        """Fit the kernels to the map Z (n, q) of X.

        ``space`` is that of X, see ``MapEstimator``, or gives the distances of some of
        its objects, ``FisherSpace``.
        """
        random_state = check_random_state(self.random_state)
        n = len(Z)
        self.training_X_ = None if is_given(self.metric) else X
        self.embedding_ = Z
        m = self._count_centers(n)
        self.center_indices_ = np.arange(n)
        if m < n:
            chosen = random_state.choice(n, m, replace=False)
            self.center_indices_ = np.sort(chosen)
        self.widths_ = self._checked(self._widths(Z, space, random_state))
        self.coefficients_ = self._coefficients(X, Z, space)

    def _coefficients(self, X, Z, space):
        """Return the place that each kernel gives, fitted to the map Z (n, q) of X."""
        squares, m = self._fitted_squares(X, space), len(self.center_indices_)
        return coefficients(
            lambda rows: kernel_weights(squares(rows), self.widths_), Z, m, self.ridge
        )

    def _count_centers(self, n):
        return min(n, self.n_centers or MOST_CENTERS)

    def _widths(self, Z, space, random_state):
        """Return the width of each kernel, and keep the factor it comes from."""
        m = len(self.center_indices_)
        self.factor_ = None
        if not isinstance(self.bandwidth, str):
            return np.full(m, float(self.bandwidth))
        squares = space.subset(self.center_indices_).matrix() ** 2
        nearest = nearest_others(squares)
        self.factor_ = float(self.bandwidth_factor)
        if self.bandwidth == "per_point":
            return self.factor_ * point_widths(nearest)
        if self.bandwidth == "cv":
            few = np.arange(m)
            if m > MOST_COMPARED:
                few = random_state.choice(m, MOST_COMPARED, replace=False)
            self.factor_ = best_factor(
                squares[np.ix_(few, few)],
                Z[self.center_indices_[few]],
                self.ridge,
                random_state,
            )
        return np.full(m, self.factor_ * global_width(nearest))

    def _checked(self, widths):
        """Return widths whose squares are numbers, or say that these are not."""
        for width in (widths.min(), widths.max()):
            if not SMALLEST_SPREAD <= width <= LARGEST_VALUE:
                raise InputError(
                    f"kernels of width {width:.3g} can not be "
                    "worked out. Choose bandwidth or bandwidth_factor so that widths "
                    "are near the distances of neighbours.",
                    owner=type(self).__name__,
                    parameter="bandwidth",
                )
        return widths

    def _fitted_squares(self, X, space):
        """Return the function from a slice of the fitted objects to squares (b, m)."""
        if isinstance(space, Points):
            return self._euclidean_squares(X)
        if isinstance(space, Dissimilarities):
            return lambda rows: space.D[rows][:, self.center_indices_] ** 2
        in_reach, step = self._squares_in_reach(X), FISHER_ROWS

        def squares(rows):
            starts = range(rows.start, rows.stop, step)
            blocks = [slice(i, min(i + step, rows.stop)) for i in starts]
            return np.concatenate(over_slices(self.metric_, in_reach, blocks))

        return squares

    def _over_blocks(self, X, function):
        """Apply a function of squared distances (b, m) to blocks of X, and join."""
        if namespace_of(X) is not None:
            return over_blocks(self, X, function)
        if self._is_euclidean():
            squares = self._euclidean_squares(X)
            size = 8 * (len(self.widths_) + X.shape[1])
            blocks = row_blocks(len(X), size, budget=CACHE_BYTES)
            parts = map_blocks(lambda rows: function(squares(rows)), blocks)
        elif self._has_reach():
            squares = self._squares_in_reach(X)
            blocks = row_blocks(len(X), 1, budget=FISHER_ROWS)
            parts = over_slices(
                self.metric_, lambda rows: function(squares(rows)), blocks
            )
        else:
            # Such a metric has threads of its own, or is a function in Python.
            blocks = row_blocks(len(X), 8 * len(self._fitted_places()), METRIC_BYTES)
            parts = [function(self._metric_squares(X[rows])) for rows in blocks]
        return np.concatenate(parts)

    def _squares_in_reach(self, X):
        """Return the function from a slice of X to squares (b, m), some infinite."""
        scales = 0.5 / np.square(self.widths_)
        return kernel_squares(self.metric_, X, self.center_indices_, scales)

    def _euclidean_squares(self, X):
        # By BLAS, and about the middle, where its rounding is harmless.
        center = middle(self.training_X_)
        centers = self._centers() - center
        norms = squared_norms(centers)
        return lambda rows: squared_distances(X[rows] - center, centers, norms)

    def _metric_squares(self, X):
        # To all fitted objects, because a Fisher metric knows them as a table.
        metric = getattr(self, "metric_", self.metric)
        owner = type(self).__name__
        rows = dissimilarities_to(X, self.training_X_, metric, owner=owner)
        return np.square(rows(slice(None))[:, self.center_indices_])

    def _known_places(self, X):
        """Return which of X are fitted objects, and the mean place of each."""
        known_at = self._fitted_places()
        n = len(known_at)
        if is_given(self.metric):
            same = X == 0.0
            known = np.flatnonzero(same.any(axis=1))
            weights = same[known] / same[known].sum(axis=1, keepdims=True)
            return known, weights @ known_at
        both = Points(np.concatenate([self.training_X_, X]))
        number = both.distinct()[1]
        fitted, new = number[:n], number[n:]
        known = np.flatnonzero(new <= fitted.max())
        sums = np.zeros((fitted.max() + 1, known_at.shape[1]))
        np.add.at(sums, fitted, known_at)
        means = sums / np.bincount(fitted)[:, None]
        return known, means[new[known]]

    def _has_reach(self):
        """Whether the metric finds the kernels that carry weight."""
        metric = getattr(self, "metric_", None)
        return isinstance(metric, FisherMetric) and metric.method != "graph"

    def _is_euclidean(self):
        return isinstance(self.metric, str) and self.metric == "euclidean"
