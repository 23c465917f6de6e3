"""The Fisher metric of the maps that are named after it."""

from typing import ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state, get_tags

from labelscape._core.features import check_same_columns
from labelscape._core.fits.learned import Learned, part
from labelscape._core.fits.papers import AsInPaper, Printed
from labelscape._core.label_signal import warn_if_labels_say_nothing
from labelscape._core.rules import Rule, either, one_of
from labelscape.geometry import FisherMetric

# Neighbourhoods are nearly as trustworthy as those of plain t-SNE, with what labels
# give. Measured: docs/kernel_map.md.
REGULARIZATION = 0.3

FISHER_TEXTS = {
    "fisher": """
    metric : FisherMetric or None, default=None
        How objects differ. None: ``FisherMetric(regularization=0.3)``. A copy of it is
        fitted to the labels.""",
    "fisher_attributes": """
    metric_ : FisherMetric
        The fitted metric.""",
}


def usual_metric():
    """Return the metric of a map that is given none."""
    return FisherMetric(regularization=REGULARIZATION)


class FisherMap(AsInPaper):
    """Mixin of the maps whose ``metric`` is a FisherMetric."""

    _in_paper: ClassVar = {
        "metric": Printed(
            FisherMetric.as_in_paper(),
            "Some plain distance keeps neighbourhoods, and few Parzen points err.",
        ),
    }

    _rules: ClassVar = {
        "metric": either(
            one_of(None),
            Rule("a FisherMetric", lambda value: isinstance(value, FisherMetric)),
        ),
    }
    _learned: ClassVar[Learned] = {"metric_": part("pairwise", kind=FisherMetric)}

    def _fitted_metric(self, X, y, groups=None):
        """Return the metric of the map, fitted to labelled objects."""
        metric = clone(self.metric or usual_metric())
        check_columns_of_metric(self, metric)
        if metric.random_state is None:
            seed = check_random_state(self.random_state).randint(2**31 - 1)
            metric.set_params(random_state=seed)
        metric.fit(X, y, groups)
        owner = type(self).__name__
        warn_if_nothing_to_learn(metric, X, y, owner=owner, stacklevel=4)
        return metric

    def __sklearn_tags__(self):
        # Labels are needed, unless the metric brings its own.
        tags = super().__sklearn_tags__()
        known = isinstance(self.metric, FisherMetric)
        metric = self.metric if known else FisherMetric()
        tags.target_tags.required = get_tags(metric).target_tags.required
        return tags


def check_columns_of_metric(model, metric):
    """Raise a ValueError if a metric's classifier knows X by other column names.

    The metric itself is given an array, and can not tell.
    """
    classifier = getattr(metric, "estimator", None)
    called = f"the estimator ({type(classifier).__name__}) of the metric"
    check_same_columns(model, classifier, called=called)


def warn_if_nothing_to_learn(metric, X, y, *, owner, stacklevel):
    """Warn in words if a fitted metric that learns from labels had nothing to learn."""
    if isinstance(metric, FisherMetric) and get_tags(metric).target_tags.required:
        class_of = np.searchsorted(metric.classes_, np.asarray(y).ravel())
        warn_if_labels_say_nothing(X, class_of, owner=owner, stacklevel=stacklevel + 1)
