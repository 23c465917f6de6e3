"""Base of the classifiers of Kriegel and Schubert, with Euclidean distances."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from labelscape._core.checks import check_X
from labelscape._core.estimator import Progress, reports_to_callbacks
from labelscape._core.labels import check_labels
from labelscape._core.learned import (
    Learned,
    bool_array,
    curve,
    list_of,
    numbers,
    optional,
    table,
    whole_numbers,
)
from labelscape._core.params import (
    COMMON,
    check_params,
    either,
    finite,
    number,
    one_of,
    whole,
)
from labelscape._core.points.distances import exact_squared_distances
from labelscape._core.rows.rows import equal_to_samples
from labelscape.prototypes._base import ENOUGH, PrototypeClassifier, fitted_temperature
from labelscape.prototypes._distances import (
    PrototypeMetric,
    class_scores,
    prototype_classes,
)
from labelscape.prototypes.grow._growing import (
    GrownModel,
    Growth,
    VectorMeans,
    border_distances,
    confidence,
    grow,
    margin_scale,
    margins,
)


class EuclideanPrototypes(PrototypeClassifier):
    """Base of classifiers whose prototypes represent groups of training samples."""

    _rules: ClassVar = COMMON | {
        "alpha": number(above=0.0),
    }
    _learned: ClassVar[Learned] = {
        "alpha_": finite(above=0.0),
        "quality_": finite(0.0, 1.0),
        "compression_": finite(above=0.0),
        "members_": list_of("prototypes", whole_numbers("members")),
        "weights_": list_of("prototypes", numbers("members", low=0.0)),
        "medoids_": whole_numbers("prototypes"),
        "typical_": whole_numbers("prototypes"),
        "hardest_": whole_numbers("prototypes"),
        "history_": table(
            quality=optional(numbers("rounds")),
            n_prototypes=whole_numbers("rounds", low=1),
            accepted=optional(bool_array("rounds")),
        ),
        "loss_curve_": curve(),
        "n_iter_": whole(0),
    }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @reports_to_callbacks
    def fit(self, X, y) -> Self:
        """Find prototypes for each class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples, with features on one scale. A sparse matrix is made dense.
        y : array-like of shape (n_samples,)
            Class labels.

        Returns
        -------
        self
        """
        check_params(self)
        space, classes = self._check_objects(X, y)
        self.alpha_ = self._absolute_alpha(space, classes)
        self._keep(space, classes, self._find(space, classes))
        return self

    def _find(self, space, classes):
        """Return the `GrownModel` of the training samples."""
        raise NotImplementedError

    def _absolute_alpha(self, space, classes):
        """Return alpha in units of 1 / distance."""
        return self.alpha / margin_scale(space, classes)

    def _metric(self):
        return PrototypeMetric(
            "euclidean",
            self.prototypes_,
            is_squared=False,
            compared=lambda X: np.sqrt(exact_squared_distances(X, self.prototypes_)),
        )

    def _confidences(self, X):
        """Return confidences (Def. 4.2) for the predicted classes, from 1/2 to 1."""
        D = exact_squared_distances(X, self.prototypes_)
        owner, distances = prototype_classes(self), self._metric().distances

        def between(which):
            return distances(self.prototypes_[which])

        margin = border_distances(D, between, owner, owner[D.argmin(axis=1)])
        return confidence(margin, self.alpha_)

    def _check_objects(self, X, y):
        """Check training samples; return them as `GroupMeans`, with class indices."""
        X = check_X(self, X, accept_sparse=True)
        X = X.toarray() if hasattr(X, "tocsr") else X
        self.classes_, classes = check_labels(y, len(X), owner=type(self).__name__)
        return VectorMeans(X.astype(np.float64, copy=False)), classes

    def _measured(self, space, classes, prototypes, owner, group, weights):
        """Return a model with the confidences of the training samples."""
        margin = margins(space, prototypes, owner, classes)
        confidences = confidence(margin, self.alpha_)
        return GrownModel(group, owner, weights, prototypes, confidences)

    def _keep(self, space, classes, model):
        """Store the prototypes, and the groups of samples that they represent."""
        self.prototypes_ = model.prototypes
        self.prototype_labels_ = self.classes_[model.owner]
        self.quality_ = float(model.quality)
        self.compression_ = len(classes) / len(model.owner)

        self.members_ = members_of(model.group, len(model.owner))
        own_weights = [model.weights[members] for members in self.members_]
        self.weights_ = [weights / weights.sum() for weights in own_weights]
        apart = space.own_squared_distances(model.prototypes, model.group)
        self._is_sample = (
            equal_to_samples(model.prototypes, space.X)
            if isinstance(space, VectorMeans)
            else np.zeros(len(model.owner), dtype=bool)
        )
        self.medoids_ = first_of_each(-apart, self.members_)
        self.typical_ = first_of_each(model.confidences, self.members_)
        self.hardest_ = first_of_each(-model.confidences, self.members_)
        self.temperature_ = self._fitted_temperature(space, classes, model.prototypes)

    def _fitted_temperature(self, space, classes, prototypes):
        def block(rows, D):
            return self._class_distances(np.sqrt(D))

        step = -(-len(classes) // ENOUGH)
        d = np.concatenate(space.map(block, prototypes))[::step]
        return fitted_temperature(class_scores(d), classes[::step], np.ones(len(d)))


@dataclass(eq=False, repr=False, kw_only=True)
class GrowingClassifier(EuclideanPrototypes):
    """Base of classifiers that split prototypes as long as that raises the quality."""

    alpha: float = field(default=2.0, kw_only=False)
    tol: float = field(default=0.02, kw_only=False)
    max_prototypes: int | None = field(default=None, kw_only=False)
    grow_patience: int = 0
    accept: str = "all"
    exact_limit: int = 5000
    verbose: bool = False
    callback: Any = None

    _rules: ClassVar = {
        "tol": number(0.0),
        "max_prototypes": either(whole(2), one_of(None)),
        "grow_patience": whole(0),
        "accept": one_of("all", "one"),
        "exact_limit": whole(2),
    }

    def _grow(self, train, space, classes):
        """Return the grown model of the training set, and store its history."""
        n_classes = len(self.classes_)
        if self.max_prototypes is not None and self.max_prototypes < n_classes:
            raise self._error(
                f"max_prototypes must be at least the number of classes ({n_classes}), "
                f"got {self.max_prototypes}: each class needs a prototype.",
                "max_prototypes",
            )
        growth = Growth(
            tol=self.tol / n_classes if self.accept == "one" else self.tol,
            max_prototypes=self.max_prototypes,
            patience=self.grow_patience,
            one_by_one=self.accept == "one",
            exact_limit=self.exact_limit,
        )
        with Progress.of(self, None) as progress:
            model, rounds = grow(train, space, classes, growth, progress)
        names, columns = (
            ("quality", "n_prototypes", "accepted"),
            zip(*rounds, strict=True),
        )
        self.history_ = dict(zip(names, map(np.array, columns), strict=True))
        self.loss_curve_ = (1.0 - self.history_["quality"]).tolist()
        self.n_iter_ = len(rounds)
        return model


# The samples that a prototype represents.


def members_of(group, count):
    """Return the sample indices of each prototype, from group numbers (n,)."""
    order = np.argsort(group, kind="stable")
    return np.split(order, np.cumsum(np.bincount(group, minlength=count))[:-1])


def first_of_each(score, members):
    """Return the member of each prototype that has the highest ``score`` (n,)."""
    return np.array([m[score[m].argmax()] for m in members])


GROUP_TEXTS = {
    "growth": """
    tol : float, default=0.02
        Minimum gain in ``quality_``, a mean confidence from 0 to 1, for which another
        round of prototypes is added.
    max_prototypes : int, optional
        Maximum number of prototypes of all classes together.
    grow_patience : int, default=0
        Number of rounds without a gain of ``tol`` before growing ends. The last model
        that was better than all earlier models by ``tol`` is returned. Classes that
        alternate like a checkerboard need 1 or 2, which may overfit small data sets.
    accept : {"all", "one"}, default="all"
        Whether the splits of a round are accepted together, as in the paper, or one by
        one, the least confident group first. With "one", ``tol`` is divided by the
        number of classes, because a split changes the confidence of one class only.
    exact_limit : int, default=5000
        Largest size of a group whose two farthest samples are found before a split.
        Larger groups use two samples at least half as far apart as the farthest two.
    verbose : bool, default=False
        Show a progress bar.
    callback : callable, optional
        Called after each round with a dict (``iteration``, ``loss``, ``quality``,
        ``n_prototypes``). Returning True ends the fit with the current result.""",
    "alpha_for_quality": """
    alpha : float, default=2.0
        Slope of the confidence as a function of the distance from the border. The unit
        of this distance is the mean distance of samples from the border between class
        means. alpha affects ``quality_`` and `explain`, but not the prototypes.""",
    "history": """
    history_ : dict of ndarray
        ``quality`` and ``n_prototypes`` after each round, and whether the round was
        ``accepted``.
    loss_curve_ : list of float
        ``1 - quality`` after each round.
    n_iter_ : int
        Number of rounds.""",
    "classes": """
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    prototype_labels_ : ndarray of shape (n_prototypes,)
        Labels of the prototypes.
    metric_ : PrototypeMetric
        The distance of the fitted model, with functions that project samples and
        compute their distances to the prototypes.""",
    "groups": """
    medoids_, typical_, hardest_ : ndarray of shape (n_prototypes,)
        Indices of three training samples per prototype: its nearest member, the member
        with the highest confidence, and the member with the lowest.
    quality_ : float
        Mean confidence of the training samples (Def. 4.3).
    compression_ : float
        Training samples per prototype.
    alpha_ : float
        The value of alpha that multiplies distances.
    temperature_ : float
        Divisor of the decision function in ``predict_proba``.""",
    "reference": """
    H.-P. Kriegel, M. Schubert: Advanced Prototype Machines: Exploring Prototypes for
    Classification. SIAM International Conference on Data Mining.""",
}
