"""The Fisher metric of the maps that are named after it."""

import warnings

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from labelscape._core.checks import Rule, either, one_of
from labelscape.geometry import FisherMetric

# As much plain as Fisher distance: neighbourhoods are nearly as trustworthy as those of
# plain t-SNE, with nearly all of what labels give. Measured: docs/kernel_map.md.
REGULARIZATION = 1.0
# Random labels reach 0.013 at most, classes of normal distributions that are half a
# standard deviation apart 0.03, usual data sets 0.5 and more.
LEAST_AGREEMENT = 0.02
# Enough objects to tell.
COMPARED = 2000

FISHER_METRIC = either(
    one_of(None),
    Rule("a FisherMetric", lambda value: isinstance(value, FisherMetric)),
)

FISHER_TEXTS = {
    "fisher": """
    metric : FisherMetric or None, default=None
        How objects differ. None: ``FisherMetric(regularization=1.0)``. A copy of it is
        fitted to the labels.""",
    "fisher_attributes": """
    metric_ : FisherMetric
        The fitted metric.""",
}


class FisherMap:
    """Says whether a map needs labels: yes, unless a classifier is given."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.metric is None or self.metric.estimator is None
        return tags


def fitted_metric(model, X, y):
    """Return the metric of a map, fitted to labelled objects."""
    metric = clone(model.metric or FisherMetric(regularization=REGULARIZATION))
    if metric.random_state is None:
        seed = check_random_state(model.random_state).randint(2**31 - 1)
        metric.set_params(random_state=seed)
    metric.fit(X, y)
    if metric.estimator is None:
        _warn_if_labels_say_nothing(metric, X, y, owner=type(model).__name__)
    return metric


def label_agreement(metric, X, y):
    """Return how far class probabilities tell the labels: 0 by chance, 1 exactly.

    The mean probability of an object's own class, less what class frequencies alone
    would give.
    """
    some = slice(None, None, max(1, len(X) // COMPARED))
    codes = np.searchsorted(metric.classes_, np.asarray(y).ravel())
    p = metric.predict_proba(X[some])
    chance = np.square(np.bincount(codes) / len(codes)).sum()
    own = p[np.arange(len(p)), codes[some]].mean()
    return float((own - chance) / (1.0 - chance))


def _warn_if_labels_say_nothing(metric, X, y, *, owner):
    if label_agreement(metric, X, y) < LEAST_AGREEMENT:
        warnings.warn(
            f"{owner}: the labels cannot be told from the data: the class "
            "probabilities are the same everywhere. Where fitted objects part on this "
            "map, the method made it. Judge by objects that were not fitted, for "
            "example with labelscape.quality.honesty.",
            stacklevel=4,
        )
