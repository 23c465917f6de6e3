"""Push and Grow: a classifier with few prototypes per class (Kriegel and Schubert)."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from labelscape._core.checks import check_X
from labelscape._core.estimator import AsInPaper, Printed, shared_parameters
from labelscape._core.labels import check_labels
from labelscape._core.learned import Learned, numbers, optional
from labelscape._core.params import one_of, whole
from labelscape._core.points.spaces import space_of
from labelscape.prototypes._distances import PrototypeMetric
from labelscape.prototypes.grow._base import GROUP_TEXTS, GrowingClassifier
from labelscape.prototypes.grow._growing import (
    DissimilarityMeans,
    GrownModel,
    border_distances,
    confidence,
    distances_to_combinations,
    literal_border_distances,
    margins,
)

BORDERS = {"nearest": border_distances, "literal": literal_border_distances}


@shared_parameters(GROUP_TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class PushAndGrow(AsInPaper, GrowingClassifier):
    r"""Classifier that adds prototypes as long as the mean confidence rises.

    Each class starts with one prototype, the mean of its samples. *Push* moves the
    prototypes: it gives more weight to samples that are close to the border of their
    class or beyond it. *Grow* splits the prototypes whose samples have less than
    average confidence. Both steps repeat as long as the mean confidence of the training
    set rises. The result is a small model: often one or two prototypes per class.

    Scale the features to a common range first, for example with ``MinMaxScaler``. The
    fit is deterministic.

    Parameters
    ----------
    alpha : float, default=2.0
        Slope of the confidence as a function of the distance from the border. With
        a large alpha, only errors matter; with a small alpha, the prototypes stay at
        the class means. Useful values are 0.5 to 64.
    {growth}
    push_patience : int, default=0
        Number of push steps without a gain that are allowed before pushing ends.
    border : {"nearest", "literal"}, default="nearest"
        The border that determines the confidence of a sample. "nearest" uses the
        border of the nearest prototype of the sample's class. "literal" uses all
        prototypes of this class and the border with the lowest confidence, as printed
        in Def. 4.1 of the paper. More prototypes then never raise the confidence.
    alpha_scale : {"relative", "absolute"}, default="relative"
        "relative" uses the mean distance of samples from the border between the class
        means as the unit, so that alpha does not depend on the scale of the features.
        "absolute" uses alpha as given.
    max_push : int, default=100
        Maximum number of push steps per round.
    metric : {"euclidean", "precomputed"}, default="euclidean"
        With "precomputed", the samples are given by their dissimilarities: ``X`` is
        (n_train, n_train) in `fit` and (n_samples, n_train) later.

    Attributes
    ----------
    {classes}
    prototypes_ : ndarray of shape (n_prototypes, n_features)
        Prototypes, sorted by class: ``weights_[i] @ X[members_[i]]``. With
        ``metric="precomputed"``, the share of each training sample in each prototype.
    members_ : list of ndarray
        Indices of the training samples that each prototype represents.
    weights_ : list of ndarray
        Weights of these samples in the prototype, with the sum 1.
    {groups}
    {history}
    variances_ : ndarray of shape (n_prototypes,)
        Only with ``metric="precomputed"``: weighted mean squared distance of the
        members from their prototype.
    {seen}

    See Also
    --------
    LVQAndGrow : Classifier that grows in the same way, but moves prototypes by LVQ.
    KMeansPrototypes : Classifier with a fixed number of k-means centers per class.

    Notes
    -----
    With :math:`P_1` the nearest prototype of a sample's own class,

    .. math:: d_{min}(o) = \min_{P_2} \frac{d(P_2, o)^2 - d(P_1, o)^2}{2\,d(P_1, P_2)}
              \qquad
              \mathrm{Conf}(o) = \frac{1}{1 + e^{-\alpha\, d_{min}(o)}}

    are the distance from the border and the confidence (Defs. 4.1 and 4.2), with the
    minimum over all prototypes :math:`P_2` of other classes. Each push step multiplies
    the weight of a sample by :math:`2 - \mathrm{Conf}(o)`. `explain` reports the
    confidence of Def. 4.2 for the predicted class; `predict_proba` is a softmax of the
    distances to the classes.

    References
    ----------
    {reference}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.prototypes import PushAndGrow
    >>> X, y = load_iris(return_X_y=True)
    >>> model = PushAndGrow().fit(X, y)
    >>> model.prototypes_.shape, model.compression_
    ((3, 4), 50.0)
    >>> model.score(X, y) > 0.95
    True
    """

    push_patience: int = 0
    border: str = "nearest"
    alpha_scale: str = "relative"
    max_push: int = 100
    metric: str = "euclidean"

    _in_paper: ClassVar = {
        "border": Printed(
            "literal",
            "With the printed definition, the border with the lowest confidence "
            "decides, so more prototypes never help.",
        ),
        "alpha_scale": Printed(
            "absolute", "With absolute units, alpha depends on the scale of the data."
        ),
    }
    _keeps: ClassVar = (
        "Finds a few prototypes that explain the classes, in the units of the data."
    )
    _rules: ClassVar = {
        "push_patience": whole(0),
        "border": one_of(*BORDERS),
        "alpha_scale": one_of("relative", "absolute"),
        "max_push": whole(1),
        "metric": one_of("euclidean", "precomputed"),
    }
    _learned: ClassVar[Learned] = {
        "variances_": lambda model: (
            numbers("prototypes", low=0.0)
            if model.metric == "precomputed"
            else optional(numbers("prototypes"))
        )
    }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.sparse = not tags.input_tags.pairwise
        return tags

    def _absolute_alpha(self, space, classes):
        if self.alpha_scale == "absolute":
            return float(self.alpha)
        return super()._absolute_alpha(space, classes)

    def _find(self, space, classes):
        train = partial(
            push,
            space,
            classes,
            alpha=self.alpha_,
            measure=BORDERS[self.border],
            max_push=self.max_push,
            patience=self.push_patience,
        )
        return self._grow(train, space, classes)

    def _keep(self, space, classes, model):
        super()._keep(space, classes, model)
        self.__dict__.pop("variances_", None)  # from an earlier fit
        if self.metric == "precomputed":
            self.prototypes_ = model.prototypes.coefficients.toarray()
            self.variances_ = model.prototypes.variances

    def _check_objects(self, X, y):
        if self.metric == "euclidean":
            return super()._check_objects(X, y)
        name = type(self).__name__
        given = space_of(check_X(self, X), self.metric, owner=name)
        self.classes_, classes = check_labels(y, given.n, owner=name)
        return DissimilarityMeans(given.squared_rows(slice(None))), classes

    def _metric(self):
        if self.metric == "euclidean":
            return super()._metric()
        return PrototypeMetric(
            "precomputed",
            self.prototypes_,
            is_squared=False,
            compared=lambda D: distances_to_combinations(
                D, self.prototypes_, self.variances_
            ),
        )


# Push: move prototypes by giving larger weights to uncertain samples.

LEAST_GAIN = 1e-12  # smaller gains are rounding errors


def push(space, classes, group, owner, *, alpha, measure, max_push, patience):
    """Return the best model with fixed groups, from repeated reweighting."""
    weights = np.ones(len(group))
    best, waited = None, 0
    for _ in range(max_push):
        prototypes = space.means(group, weights, len(owner))
        margin = margins(space, prototypes, owner, classes, measure)
        model = GrownModel(group, owner, weights, prototypes, confidence(margin, alpha))
        if best is None or model.quality > best.quality + LEAST_GAIN:
            best, waited = model, 0
        elif waited == patience:
            break
        else:
            waited += 1
        weights = reweighted(weights, model.confidences, group)
    return best


def reweighted(weights, confidences, group):
    """Return ``weight * (2 - Conf)``, rescaled to avoid overflow."""
    weights = weights * (2.0 - confidences)
    if weights.max() > 1e100:  # only ratios within a group matter
        largest = np.zeros(group.max() + 1)
        np.maximum.at(largest, group, weights)
        weights = weights / largest[group]
    return weights
