"""t-SNE of features and cross-fitted class probabilities."""

import copy
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core import learned
from labelscape._core.checks import check_X
from labelscape._core.errors import InputError
from labelscape._core.estimator import shared_parameters
from labelscape._core.labels import check_labels
from labelscape._core.params import Rule, either, finite, number, one_of, whole
from labelscape._core.points.spaces import Points
from labelscape._core.types import Array
from labelscape.embeddings._base import checked_new, fitted_objects
from labelscape.embeddings.kernel_map._placement import (
    PlacingMap,
    check_metric,
)
from labelscape.embeddings.tsne._base import TSNE_TEXTS, affinities, n_tsne_neighbors
from labelscape.embeddings.tsne._batches import balanced_affinities, means_of_neighbors
from labelscape.embeddings.tsne._fisher import LabeledTSNE
from labelscape.embeddings.tsne._focus import best_trial, tried_focuses
from labelscape.embeddings.tsne._joint import (
    LEAST_POINTS,
    joint_coordinates,
    neighbor_gap,
    sharpened,
    without_copies,
)
from labelscape.embeddings.tsne._pairs import (
    PairPlaces,
    distance_from,
    paired,
    placed_among,
)
from labelscape.geometry import FisherMetric
from labelscape.geometry._internal import roots_of
from labelscape.prototypes import Directions


def _check_pairs(name, value, fit):
    """Check that the coordinates of the pairs match features and classes."""
    width = fit.sizes["features"] + len(fit.model.metric_.classes_)
    fit.binds("coordinates", width)
    learned.record(PairPlaces).check(name, value, fit)


@shared_parameters(TSNE_TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class CrossFittedTSNE(LabeledTSNE, PlacingMap):
    """t-SNE of features and cross-fitted class probabilities.

    The label of a sample does not affect its position, because its class probabilities
    come from models that were fitted without it. Therefore the map separates new
    samples as well as fitted ones, and does not separate classes that cannot be
    predicted.

    Parameters
    ----------
    {tsne}
    metric : FisherMetric or None, default=None
        A FisherMetric with unfitted classifiers, which predict the class probabilities.
        None means ``FisherMetric(estimator="auto")``.
    focus : float or "auto", default="auto"
        Weight of the classes relative to the features, from 0 (plain t-SNE)
        to 1 (classes only). "auto" tries several values on up to 1000 samples. Among
        maps whose trustworthiness is at most 0.02 below that of the map without labels,
        it chooses the one with the highest accuracy on held-out samples. If the models
        are more accurate than this map by more than 0.15, it chooses the most
        trustworthy of the accurate maps. For up to 600 samples, it also tries sharpened
        probabilities (see ``sharpness_``).
    {train_size}
    {run}

    Attributes
    ----------
    {tsne_attributes}
    {fisher_attributes}
    focus_ : float
        The weight of the classes in the map.
    sharpness_ : int
        Power to which the square roots of class probabilities are raised: 8 if this is
        more accurate on held-out samples of a small data set, otherwise 1.
    trials_ : list of Trial
        The trials of ``focus="auto"``, each with focus, accuracy, trust and sharpness.
    pairs_ : PairPlaces
        Points between pairs of fitted samples, and their positions on the map.
    nuisance_ : Directions
        The directions that were removed, after a fit with ``correct_for``. These
        directions are also removed from ``training_X_``.
    batch_ : ndarray of shape (n_fitted,)
        The batch of each fitted sample. Exists only if neighbors predict the batch
        after the directions are removed; each sample then has neighbors in all
        batches.
    {partly_fitted}
    {seen}

    See Also
    --------
    FisherKernelTSNE : A similar map without cross-fitting; kernels place new samples.

    Notes
    -----
    Samples with the same features and probabilities have the same position on the map.
    A new sample is compared with pairs of fitted samples, by features and
    probabilities, and placed where most of the nearest pairs are. A model file stores
    points between the samples of a pair instead of the samples; a loaded model places
    new samples at the same positions.

    References
    ----------
    B. Hammer, A. Gisbrecht, A. Schulz. Applications of discriminative dimensionality
    reduction. ICPRAM 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import CrossFittedTSNE
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CrossFittedTSNE(focus=0.5, random_state=0).fit(X[::2], y[::2])
    >>> model.transform(X[1::2]).shape
    (75, 2)
    """

    focus: float | str = "auto"

    _keeps: ClassVar = (
        "Keeps rows with similar features and similar held-out class predictions "
        "together; can place new rows."
    )
    _training_data = ("embedding_", "training_X_", "batch_")
    _rules: ClassVar = {
        "metric": either(
            one_of(None),
            Rule(
                "a FisherMetric of unfitted classifiers, such as "
                "FisherMetric(estimator='auto')",
                lambda value: isinstance(value, FisherMetric) and value.is_cross_fitted,
            ),
        ),
        "focus": either(one_of("auto"), number(0, 1)),
    }
    _learned: ClassVar[learned.Learned] = {
        "training_X_": fitted_objects,
        "metric_": learned.Attribute(check_metric),
        "focus_": number(0, 1),
        "trials_": Rule("a list", lambda value: isinstance(value, list)),
        "_unit": finite(above=0),
        "sharpness_": whole(1),
        "pairs_": learned.Attribute(_check_pairs),
        "nuisance_": learned.optional(learned.record(Directions)),
        "batch_": learned.optional(learned.whole_numbers("samples")),
    }

    def refit(self, X, y) -> Self:
        """Fit to other labels of the same samples, starting from the last fit.

        Use ``refit`` after correcting a few labels: it is much faster than ``fit``.
        Folds, focus and fitted samples stay the same, the models continue training, and
        the map takes 30 more iterations.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples of the last fit, in the same order.
        y : array-like of shape (n_samples,)
            Labels of the samples, all from the classes of the last fit.

        Returns
        -------
        self : CrossFittedTSNE
            The map, for the labels y.
        """
        check_is_fitted(self)
        owner = type(self).__name__
        X = self._corrected(check_X(self, X, reset=False))
        check_labels(y, len(X), owner=owner)
        drawn = self.train_indices_
        wrong = ""
        if len(X) != len(self.embedding_) or not hasattr(self, "training_X_"):
            wrong = f"needs the {len(self.embedding_)} fitted samples. Use fit instead."
        elif not np.array_equal(X[drawn], self.training_X_):
            wrong = "needs the fitted samples in the same order. For others, call fit."
        if wrong:
            raise InputError(f"refit {wrong}", owner=owner, parameter="X")
        fitted, start = X[drawn], self.embedding_[drawn]
        labels = np.asarray(y).ravel()[drawn]
        self.metric_ = copy.copy(self.metric_)
        self.metric_.cross_fit_ = copy.copy(self.metric_.cross_fit_).refit(
            fitted, labels
        )
        self._with_others(X, self._joined(fitted, start), drawn)
        return self

    def _fit_map(self, X, y, groups, correct_for=None):
        for name in ("nuisance_", "batch_"):
            self.__dict__.pop(name, None)  # from an earlier fit
        return super()._fit_map(X, y, groups, correct_for)

    def _corrected(self, X):
        known = getattr(self, "nuisance_", None)
        if known is None or not len(known.directions):
            return X  # unchanged to the last bit
        return known.remove(X).astype(X.dtype)

    def _map_of(self, X, y, k):
        """Compute the map, using the features and the cross-fitted probabilities."""
        self._unit, self.sharpness_ = neighbor_gap(X), 1
        self.focus_, self.trials_ = self.focus, []
        if isinstance(self.focus, str):
            U = roots_of(self.metric_)
            codes = np.searchsorted(self.metric_.classes_, np.asarray(y).ravel())
            seed = check_random_state(self.random_state).randint(2**31 - 1)
            self.trials_ = tried_focuses(X, U, codes, self._unit, seed, self.n_jobs)
            best = best_trial(self.trials_, U, codes)
            self.focus_, self.sharpness_ = best.focus, best.sharpness
        return self._joined(X)

    def _joined(self, X, start=None):
        """Return the map for ``focus_``, from ``start`` if given; store the pairs."""
        U = self._roots()
        A = joint_coordinates(X, U, self.focus_, self._unit)
        # Copies get one position. Otherwise, many copies of a sample would scatter.
        least = LEAST_POINTS if isinstance(self.init, str) else len(A)
        first, copy = without_copies(A, least)
        self.perplexity_ = min(self.perplexity_, len(first) / 3)
        batch = getattr(self, "batch_", None)
        if batch is None:
            k = n_tsne_neighbors(self.perplexity_, len(first))
            indices, distances = Points(A[first]).kneighbors(k)
            P = affinities(distances, indices, self.perplexity_)
        else:
            given = A[first], U[first], batch[first]
            P = balanced_affinities(*given, self.perplexity_)
        if start is None:
            Z = self._tsne_map(A[first], P, copy)
        else:
            Z = self._moved_map(start[first], P, copy)
        self.training_X_ = X
        likely, means = U.argmax(axis=1), None
        if batch is not None:
            means = means_of_neighbors(P, Z[first], likely[first])[copy]
        self.pairs_ = paired(A, Z, likely, means)
        return Z

    def _joint(self, X):
        """Return the joint coordinates of new samples, to compare with pairs."""
        U = self._roots(X)
        return joint_coordinates(X.astype(np.float64), U, self.focus_, self._unit)

    def _roots(self, X=None):
        """Return square roots of class probabilities of X, or of fitted samples."""
        return sharpened(roots_of(self.metric_, X), self.sharpness_)

    def _placed_by_parts(self, X):
        return super()._placed_by_parts(self._corrected(X))

    def _placed(self, X):
        Z = placed_among(self.pairs_, self._joint(X))
        if hasattr(self, "training_X_"):
            known, places = self._known_places(X)
            Z[known] = places
        return Z

    @shared_parameters(TSNE_TEXTS)
    def support(self, X) -> Array:
        """Return the distance to the nearest pair, in units of the size of the pair.

        {support}
        """
        X = self._corrected(checked_new(self, X))
        return distance_from(self.pairs_, self._joint(X))

    def _needed_to_place(self):
        return ("metric_", "pairs_")

    def _usual_metric(self):
        return FisherMetric(estimator="auto")
