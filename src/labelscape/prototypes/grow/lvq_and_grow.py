"""LVQ and Grow: Push and Grow with Kohonen's LVQ instead of the push."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.estimator import shared_parameters
from labelscape._core.params import either, number, one_of, whole
from labelscape.prototypes.grow._base import GROUP_TEXTS, GrowingClassifier

RATES = {"lvq2": 0.01, "lvq1": 0.05}


@shared_parameters(GROUP_TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class LVQAndGrow(GrowingClassifier):
    r"""Classifier that trains prototypes by LVQ and adds more while confidence rises.

    Training starts with the mean of each class. LVQ moves the prototypes; then
    prototypes whose samples have a confidence below average are split. Both steps
    repeat as long as the mean confidence of the training set rises.

    Parameters
    ----------
    alpha : float, default=4.0
        Slope of the confidence as a function of the distance from the border. The unit
        of distance is the mean distance of samples from the border between class means.
    {growth}
    variant : {"lvq2", "lvq1"}, default="lvq2"
        "lvq2" moves the two nearest prototypes when a sample is just beyond the border
        between them; "lvq1" always moves the nearest one.
    learning_rate : float, optional
        Rate of the first epoch; it falls to 0 linearly. By default 0.01 for "lvq2" and
        0.05 for "lvq1".
    window : float, default=0.3
        For "lvq2": a sample is just beyond the border if the ratio of its distances to
        the two prototypes is above ``(1 - window) / (1 + window)``.
    epochs : int, default=30
        Number of passes over the samples in each round.
    random_state : int, RandomState instance or None, default=None
        Seed of the order of the samples.

    Attributes
    ----------
    {classes}
    prototypes_ : ndarray of shape (n_prototypes, n_features)
        Prototypes, sorted by class.
    members_ : list of ndarray
        Indices of the training samples that each prototype represents: the samples of
        its class to which it is the nearest prototype.
    weights_ : list of ndarray
        Weights of these samples: all equal, because LVQ does not weight samples.
    {groups}
    {history}
    {seen}

    See Also
    --------
    PushAndGrow : Classifier that moves prototypes by reweighting their samples.

    Notes
    -----
    The paper does not report which variant of LVQ was used. LVQ2.1, which updates on
    both sides of the border, is not offered, because it moves single prototypes of two
    classes apart without limit.

    References
    ----------
    {reference}

    T. Kohonen: Improved versions of learning vector quantization. IJCNN 1990.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.prototypes import LVQAndGrow
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LVQAndGrow(random_state=0).fit(X, y)
    >>> model.score(X, y) > 0.9
    True
    """

    alpha: float = field(default=4.0, kw_only=False)
    variant: str = "lvq2"
    learning_rate: float | None = None
    window: float = 0.3
    epochs: int = 30
    random_state: Any = None

    _keeps: ClassVar = "Adds prototypes where the classes need more of them."
    _rules: ClassVar = {
        "variant": one_of(*RATES),
        "learning_rate": either(number(above=0.0, below=1.0), one_of(None)),
        "window": number(above=0.0, below=1.0),
        "epochs": whole(1),
    }

    def _find(self, space, classes):
        rng = check_random_state(self.random_state)

        def train(group, owner):
            start = space.means(group, np.ones(len(group)), len(owner))
            prototypes = self._trained(space.X, classes, start, owner, rng)
            return self._regrouped(space, classes, prototypes, owner)

        return self._grow(train, space, classes)

    def _trained(self, X, classes, prototypes, owner, rng):
        """Return the prototypes after all epochs of LVQ."""
        from labelscape.prototypes.grow._lvq2_kernels import lvq1_epoch, lvq2_epoch

        X = np.ascontiguousarray(X)
        start = self.learning_rate or RATES[self.variant]
        rates = [start * (1.0 - k * (1.0 / self.epochs)) for k in range(self.epochs)]
        for rate, end_rate in pairwise([*rates, 0.0]):
            order = rng.permutation(len(X))
            pass_ = (X, classes, order, prototypes, owner, rate, end_rate)
            if self.variant == "lvq1":
                lvq1_epoch(*pass_)
            else:
                lvq2_epoch(*pass_, (1.0 - self.window) / (1.0 + self.window))
        return prototypes

    def _regrouped(self, space, classes, prototypes, owner):
        """Return the model; samples belong to the nearest prototype of their class."""
        nearest = space.nearest_own(prototypes, owner, classes)
        used, group = np.unique(nearest, return_inverse=True)
        prototypes, owner = prototypes[used], owner[used]
        weights = np.ones(len(group))
        return self._measured(space, classes, prototypes, owner, group, weights)
