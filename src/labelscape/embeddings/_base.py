"""What every map shares: metric, output names, and fit by way of fit_transform."""

from typing import ClassVar

from sklearn.base import (
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    clone,
)
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_X
from labelscape._core.fits.estimator import Estimator
from labelscape._core.fits.learned import Learned, numbers, optional, part
from labelscape._core.points.spaces import space_of
from labelscape._core.rules import COMMON, Rule, either, function, one_of, whole
from labelscape.embeddings.tsne._fisher import (
    check_columns_of_metric,
    warn_if_nothing_to_learn,
)


def is_given(metric):
    """Return whether dissimilarities are given, so that there are no features."""
    return isinstance(metric, str) and metric == "precomputed"


def is_fitted_anew(metric):
    """Return whether a map fits a metric; that of Fisher maps may be None."""
    return metric is None or _measures(metric)


def _measures(value):
    return hasattr(value, "fit") and hasattr(value, "pairwise")


METRIC = either(
    one_of("euclidean", "precomputed"),
    function(),
    Rule("an object with fit and pairwise, such as FisherMetric()", _measures),
)


def fitted_objects(model):
    """Declare ``training_X_``: the fitted objects, None of given dissimilarities."""
    if is_given(model.metric):
        return one_of(None)
    return numbers("objects", "features")


class MapEstimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Base of the maps that keep dissimilarities: subclasses write fit_transform.

    A subclass has a parameter ``metric`` and sets ``embedding_``.
    """

    _rules: ClassVar = COMMON | {
        "n_components": whole(1, limit=1000),
        "metric": METRIC,
        "callback": either(one_of(None), function()),
    }
    # Functions and foreign objects, which model files do not hold.
    _removable: ClassVar = ("metric", "embedder")
    _learned: ClassVar[Learned] = {
        # Of dissimilarities, there are as many features as objects.
        "embedding_": lambda model: numbers(
            "features" if is_given(model.metric) else "objects", "components"
        ),
        "metric_": lambda model: (
            part("pairwise") if _measures(model.metric) else optional(part("pairwise"))
        ),
    }

    def fit(self, X, y=None):
        """Compute the map of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects, or their dissimilarities if ``metric="precomputed"``.
        y : array-like of shape (n_samples,), default=None
            Class labels, where the method or the metric uses them.

        Returns
        -------
        self : object
            The fitted map.
        """
        self.fit_transform(X, y)
        return self

    def _space(self, X, y=None):
        """Check X and return it as a space, in the metric of the estimator."""
        name = type(self).__name__
        X, metric = check_X(self, X), self.metric
        vars(self).pop("metric_", None)  # of an earlier fit
        if _measures(metric):
            check_columns_of_metric(self, metric)
            self.metric_ = metric = clone(metric).fit(X, y)
            warn_if_nothing_to_learn(metric, X, y, owner=name, stacklevel=4)
        return space_of(X, metric, owner=name)

    def _needed_to_place(self):
        """Return the attributes that placing new objects needs."""
        return ("embedding_", "training_X_")

    @property
    def _n_features_out(self):
        check_is_fitted(self)
        return self.embedding_.shape[1]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = is_given(self.metric)
        return tags
