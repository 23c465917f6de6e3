"""t-SNE with a Fisher metric: a map that keeps distances learned from labels."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state, get_tags

from labelscape._core.checks import check_X
from labelscape._core.estimator import Printed, reports_to_callbacks, shared_parameters
from labelscape._core.learned import Learned, part
from labelscape._core.params import check_params, either, instance, one_of
from labelscape._core.types import Array
from labelscape.embeddings._base import (
    MapEstimator,
    check_columns_of_metric,
    warn_if_nothing_to_learn,
)
from labelscape.embeddings.tsne._base import (
    TSNE_TEXTS,
    PartlyFitted,
    TSNEMap,
    drawn_samples,
)
from labelscape.geometry import FisherMetric
from labelscape.geometry._internal import warn_if_saturated
from labelscape.prototypes import nuisance_directions
from labelscape.prototypes._internal import remaining_batches

# Neighborhoods are nearly as trustworthy as those of t-SNE without labels
# (docs/kernel_map.md).
REGULARIZATION = 0.3


def usual_metric():
    """Return the default metric of a map."""
    return FisherMetric(regularization=REGULARIZATION)


FISHER_IN_PAPER = {
    "metric": Printed(
        FisherMetric.as_in_paper(),
        "Adding a fraction of the Euclidean distance preserves neighborhoods. With "
        "few Parzen points, the estimate is inexact.",
    ),
}


@dataclass(eq=False, repr=False, kw_only=True)
class FisherMap(MapEstimator):
    """Base of the maps whose ``metric`` is a FisherMetric."""

    metric: FisherMetric | None = None

    _rules: ClassVar = {
        "metric": either(one_of(None), instance(FisherMetric)),
    }
    _learned: ClassVar[Learned] = {"metric_": part("pairwise", kind=FisherMetric)}

    def _fit_metric(self, X, y, groups, random_state):
        """Fit the metric of the map to labeled samples."""
        metric = clone(self.metric or self._usual_metric())
        check_columns_of_metric(self, metric)
        if metric.random_state is None:
            seed = check_random_state(random_state).randint(2**31 - 1)
            metric.set_params(random_state=seed)
        metric.fit(X, y, groups)
        warn_if_nothing_to_learn(metric, X, y, owner=type(self).__name__, stacklevel=4)
        self.metric_ = metric

    def _usual_metric(self):
        return usual_metric()

    def _nearest(self, k):
        """Return distances and indices (n, k) of nearest neighbors by the metric."""
        distances, indices = self.metric_.kneighbors(n_neighbors=k)
        with_own = np.pad(distances, ((0, 0), (1, 0)))
        warn_if_saturated(with_own, k - 1, owner=type(self).__name__)
        return distances, indices

    def __sklearn_tags__(self):
        # Labels are required, unless the estimator of the metric is fitted.
        tags = super().__sklearn_tags__()
        metric = (
            self.metric if isinstance(self.metric, FisherMetric) else FisherMetric()
        )
        tags.target_tags.required = get_tags(metric).target_tags.required
        return tags


@dataclass(eq=False, repr=False, kw_only=True)
class LabeledTSNE(PartlyFitted, FisherMap, TSNEMap):
    """Base of t-SNE maps with labels; a subclass implements ``_map_of(X, y, k)``."""

    @shared_parameters(TSNE_TEXTS)
    def fit(self, X, y=None, groups=None, correct_for=None) -> Self:
        """Compute the map of X.

        Parameters
        ----------
        {labeled}
        groups : array-like of shape (n_samples,), default=None
            The group of each sample, as in ``fit_transform``.
        correct_for : array-like of shape (n_samples,), default=None
            A nuisance variable, as in ``fit_transform``.

        Returns
        -------
        self : object
            The fitted map.
        """
        self.fit_transform(X, y, groups, correct_for)
        return self

    @reports_to_callbacks
    @shared_parameters(TSNE_TEXTS)
    def fit_transform(self, X, y=None, groups=None, correct_for=None) -> Array:
        """Compute the map of labeled samples and return it.

        Parameters
        ----------
        {labeled}
        groups : array-like of shape (n_samples,), default=None
            The group of each sample, such as a patient. A cross-fitted metric holds out
            all samples of a group together.
        correct_for : array-like of shape (n_samples,), default=None
            A nuisance variable, such as the batch, plate or scanner of each sample;
            needs a cross-fitted metric. The map ignores the directions that predict the
            batch (:func:`labelscape.prototypes.nuisance_directions`). If neighbors
            still predict the batch, each sample gets neighbors in all batches. New
            samples are placed without this variable.

        {map}
        """
        check_params(self)
        return self._fit_map(X, y, groups, correct_for)

    def _map_of(self, X, y, k):
        """Return the map (n, q) of the fitted samples, from k neighbors."""
        raise NotImplementedError

    def _corrected(self, X):
        """Return the samples without the nuisance directions, if there are any."""
        return X

    def _fit_map(self, X, y, groups, correct_for=None):
        X, name = check_X(self, X), type(self).__name__
        if correct_for is not None:
            self.nuisance_ = nuisance_directions(
                X, y, correct_for, groups, random_state=self.random_state
            )
        X, batch = self._corrected(X), None
        if correct_for is not None:
            batch = remaining_batches(
                X, y, correct_for, groups, random_state=self.random_state
            )
        n, state = len(X), self.random_state
        drawn = drawn_samples(self.train_size, y, n, state, owner=name)
        fitted = X[drawn]
        if self.train_size is not None:
            y, groups = (
                None if values is None else np.asarray(values)[drawn]
                for values in (y, groups)
            )
        k = self._count_neighbors(len(fitted))
        self._fit_metric(fitted, y, groups, state)
        if batch is not None:
            self.batch_ = batch[drawn]
        Z = self._map_of(fitted, y, k)
        return self._with_others(X, Z, drawn)
