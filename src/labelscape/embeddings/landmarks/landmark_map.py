"""LandmarkMap: many objects on a map of some, with an error bar for the whole."""

from typing import ClassVar

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_labels, check_X
from labelscape._core.chunks.lazy import lazy
from labelscape._core.docs import shared_parameters
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.fits.estimator import Estimator
from labelscape._core.fits.learned import Attribute, Learned, indices, numbers, part
from labelscape._core.points.spaces import Points
from labelscape._core.rules import COMMON, check_params, finite, number
from labelscape.embeddings._docs import MAP_TEXTS
from labelscape.embeddings.kernel_map.kernel_map import EMBEDDER
from labelscape.embeddings.landmarks._growth import (
    N_LANDMARKS,
    N_NEIGHBORS,
    Growth,
    Objects,
    grown_map,
)
from labelscape.quality._internal import (
    half_width,
    interval,
    judged_whole,
    neighborhoods,
    point_scores,
    precise,
    reach,
    units_of,
    with_transform,
)

# Neighbours that vote for the class of a placed object, as in honesty.
VOTERS = 5
# Objects whose neighbourhoods are looked at first.
FEWEST_MEASURED = 500


def _check_growth(name, value, fit):
    if type(value) is not list or not all(type(step) is Growth for step in value):
        fit.refuse(name, "a list of Growth", value)


def _check_figures(kind):
    """Return the check of a dict from measures to values of a kind."""

    def check(name, value, fit):
        if type(value) is not dict or not all(map(kind, value.values())):
            fit.refuse(name, "a dict of measures", value)

    return Attribute(check)


def _shown_within(reach):
    return f"the whole is shown within ± {reach:.2g}" if reach else "all were measured"


def _is_interval(value):
    return isinstance(value, tuple) and len(value) == 2 and all(map(np.isfinite, value))


@shared_parameters(MAP_TEXTS)
class LandmarkMap(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    r"""Any map for many objects: fitted to some, the others placed, the whole measured.

    Landmarks are drawn from each class, and from its sparse regions more often. How
    well the map shows the *whole* is measured by random objects among all, with
    intervals that hold the figures of the whole in 99 cases of 100.

    Parameters
    ----------
    embedder : object
        A map. One without ``transform`` gets that of :class:`KernelMap`. A copy of it
        is fitted.
    n_landmarks : int or "auto", default="auto"
        How many objects the map is fitted to, all if there are fewer; a few more where
        classes are rare.
        "auto" begins with 1000 and doubles them until that shows the whole no better
        by more than ``tolerance``, in any measure and with 99 in 100; 50,000 at most.
    tolerance : float, default=0.02
        How far the intervals may reach: so many random objects are looked at.
    {seed}

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The places of all objects.
    estimator_ : estimator
        The map that was fitted to the landmarks.
    landmarks_ : ndarray of int of shape (n_landmarks,)
        Their row numbers.
    n_landmarks_ : int
        How many they are.
    growth_ : list of Growth
        How the map grew: ``n_landmarks``, and what they gained at most.
    scores_ : dict of str to float
        How well the whole is shown: trustworthiness, continuity, and with labels
        class_trustworthiness, class_continuity, knn_accuracy, neighbourhood_hit; and
        "unseen", the balanced share of placed objects whose nearest landmarks are of
        their class.
    intervals_ : dict of str to (float, float)
        Within what these are for all objects, with 99 in 100.
    within_ : float
        Half the width of the widest of them: the whole is shown within ± this.

    See Also
    --------
    KernelMap : Places for new objects on any map.
    labelscape.quality.report : All measures of a map.

    Notes
    -----
    Inside a class, objects are drawn without replacement with the weights

    .. math:: w_i = \tfrac12 + \tfrac12 \min(r_i / \tilde r,\, 4),

    where :math:`r_i` is the distance to the fifth nearest of 500 random objects of the
    class and :math:`\tilde r` its median. More landmarks are the same ones and others.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.manifold import Isomap
    >>> from labelscape.embeddings import LandmarkMap
    >>> X, y = load_digits(return_X_y=True)
    >>> model = LandmarkMap(Isomap(), n_landmarks=300, random_state=0).fit(X, y)
    >>> model.embedding_.shape, model.n_landmarks_
    ((1797, 2), 300)
    >>> print(model.words_)
    Fitted to 300 of 1,797 objects, the others placed; all were measured.
    """

    _keeps: ClassVar = "The map of another method, fitted to some of the rows."
    _rules: ClassVar = COMMON | {
        "embedder": EMBEDDER,
        "n_landmarks": N_LANDMARKS,
        "tolerance": number(above=0),
    }
    _removable: ClassVar = ("embedder",)
    _training_data = ("embedding_", "landmarks_")
    _learned: ClassVar[Learned] = {
        "estimator_": part("transform"),
        "embedding_": numbers("objects", "components"),
        "landmarks_": indices("landmarks", of="objects"),
        "growth_": Attribute(_check_growth),
        "scores_": _check_figures(finite().holds),
        "intervals_": _check_figures(_is_interval),
        "within_": finite(0),
    }

    def __init__(
        self, embedder, n_landmarks="auto", *, tolerance=0.02, random_state=None
    ):
        self.embedder = embedder
        self.n_landmarks = n_landmarks
        self.tolerance = tolerance
        self.random_state = random_state

    def fit(self, X, y=None, groups=None):
        """Compute the map of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects.
        y : array-like of shape (n_samples,), default=None
            Class labels.
        groups : array-like of shape (n_samples,), default=None
            What each object belongs to, for embedders that want it.

        Returns
        -------
        self : LandmarkMap
            The fitted map.
        """
        self.fit_transform(X, y, groups)
        return self

    @tells_callbacks
    def fit_transform(self, X, y=None, groups=None):
        """Compute the map of X and return it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects.
        y : array-like of shape (n_samples,), default=None
            Class labels: landmarks are drawn from each class.
        groups : array-like of shape (n_samples,), default=None
            What each object belongs to, such as a patient, for embedders that want it.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            The places of all objects.
        """
        check_params(self)
        X, owner = check_X(self, X), type(self).__name__
        codes = np.zeros(len(X), dtype=np.int64)
        if y is not None:
            codes = check_labels(y, len(X), owner=owner)[1]
        rng = check_random_state(self.random_state)
        found = grown_map(
            with_transform(self.embedder, owner=owner),
            Objects(X, codes, y, groups),
            self.n_landmarks,
            self.tolerance,
            rng,
            owner=owner,
        )
        self.estimator_, self.embedding_, self.landmarks_, self.growth_ = found
        self._measure(
            X, codes, units_of(X, groups, codes=codes, owner=owner).of_row, rng
        )
        return self.embedding_

    def _measure(self, X, codes, units, rng):
        """Measure how the whole is shown, and within what that is known."""
        n, has_classes = len(X), bool(codes.max() > 0)
        self.scores_, self.intervals_ = {}, {}
        if n > 3:
            found = self._neighborhoods(X, codes, has_classes, rng)
            for name, values in point_scores(found, has_classes).items():
                score = float(values.mean())
                self._know(name, score, interval(score, half_width(values, n)))
        if has_classes:
            whole = judged_whole(
                self.embedding_,
                codes,
                units,
                self.landmarks_,
                VOTERS,
                rng,
                self.tolerance,
            )
            if whole is not None:
                self._know("unseen", whole.unseen, whole.interval)
        known = self.intervals_.items()
        reaches = (reach(self.scores_[name], ends) for name, ends in known)
        self.within_ = max(reaches, default=0.0)

    def _know(self, name, score, ends):
        self.scores_[name] = score
        self.intervals_[name] = tuple(ends)

    def _neighborhoods(self, X, codes, has_classes, rng):
        n, labels = len(X), codes.astype(np.int64)
        k = min(N_NEIGHBORS, n - 2)
        spaces = Points(X), Points(self.embedding_)
        first = np.sort(rng.choice(n, min(n, FEWEST_MEASURED), replace=False))
        return precise(
            lambda some: neighborhoods(*spaces, labels, k, some),
            first,
            n,
            has_classes,
            self.tolerance,
            rng,
        )

    @property
    def n_landmarks_(self):
        """Number of objects that the map was fitted to."""
        check_is_fitted(self)
        return len(self.landmarks_)

    @property
    def words_(self):
        """What was done, and how well the whole is known, in a sentence."""
        check_is_fitted(self)
        n, m = len(self.embedding_), len(self.landmarks_)
        fitted = f"Fitted to {m:,} of {n:,} objects, the others placed"
        if m == n:
            fitted = f"Fitted to all {n:,} objects"
        return f"{fitted}; {_shown_within(self.within_)}."

    @lazy
    def transform(self, X):
        """Place new objects on the map.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            New objects.

        Returns
        -------
        Z : ndarray of shape (n_new, n_components)
            Their places.
        """
        check_is_fitted(self)
        X = check_X(self, X, reset=False)
        return np.asarray(self.estimator_.transform(X), dtype=np.float64)

    @property
    def _n_features_out(self):
        check_is_fitted(self)
        return self.embedding_.shape[1]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = getattr(self.embedder, "__sklearn_tags__", None)
        if inner is not None and not isinstance(self.embedder, type):
            tags.target_tags.required = inner().target_tags.required
        return tags
