"""LandmarkMap: a map fitted to some samples, with its quality for all samples."""

import inspect
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_X
from labelscape._core.errors import InputError
from labelscape._core.estimator import (
    Estimator,
    reports_to_callbacks,
    shared_parameters,
)
from labelscape._core.labels import check_labels
from labelscape._core.learned import Learned, indices, numbers, part
from labelscape._core.params import COMMON, Rule, check_params, finite, flag, whole
from labelscape._core.points.distances import nearest_neighbors
from labelscape._core.points.spaces import Points
from labelscape._core.rows.answers import lazy
from labelscape._core.threads import row_blocks
from labelscape._core.types import Array
from labelscape._resampling.chance import half_width, interval_around, reach
from labelscape._resampling.refits import places, seeded_clone, with_transform
from labelscape._resampling.sampling import class_counts
from labelscape._resampling.units import units_of
from labelscape.embeddings._base import MAP_TEXTS
from labelscape.embeddings.kernel_map.kernel_map import EMBEDDER, tags_as_inside
from labelscape.quality._internal import neighborhoods, point_scores, score_placed_rows

# Minimum number of landmarks per class (fewer if there are many classes).
FEWEST_OF_CLASS = 20
# The local density of a sample is measured by its distance to the fifth nearest of 500
# random samples of its class.
N_NEAREST, N_OTHERS = 5, 500
# The sampling weight grows with this distance, but only up to this multiple of the
# median, so that few landmarks are outliers.
SPARSEST = 4.0
# Size of the compared neighborhoods, and number of voting neighbors, as in `honesty`.
N_NEIGHBORS, VOTERS = 12, 5
# Number of random samples for a measure: with a standard deviation of 0.5, the worst
# case, the 99% interval of their mean is ± 0.02.
N_MEASURED = 4000
PLACED_ROWS = 2**16  # number of samples that are placed at a time


TEXTS = MAP_TEXTS | {
    "fit": """
    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,), default=None
        Class labels, so that landmarks are drawn from each class.
    groups : array-like of shape (n_samples,), default=None
        The group of each sample, such as a patient, for embedders that use groups.""",
}


def _figures(kind):
    """Return the `Rule` for a dict of measures, whose values must satisfy ``kind``."""

    def holds(value):
        return type(value) is dict and all(map(kind, value.values()))

    return Rule("a dict of measures", holds)


def _is_interval(value):
    return isinstance(value, tuple) and len(value) == 2 and all(map(np.isfinite, value))


@shared_parameters(MAP_TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class LandmarkMap(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    r"""Map of many samples: any method, fitted to some samples and applied to all.

    The fitted samples are called landmarks. Landmarks are drawn from each class, and
    more often from its sparse regions. Quality is measured on random samples, with 99%
    intervals for the quality of the map of *all* samples.

    Parameters
    ----------
    embedder : object
        The map to fit. A map without ``transform`` is wrapped in :class:`KernelMap`.
    n_landmarks : int, default=1000
        Number of samples to which the map is fitted. If there are fewer samples, all
        are used. Landmarks are added for rare classes, up to 20 for each class.
    measure : bool, default=True
        Whether to measure the quality of the map of all samples.
    {seed}

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The positions of all samples.
    estimator_ : estimator
        The map that was fitted to the landmarks.
    landmarks_ : ndarray of int of shape (n_landmarks,)
        Row numbers of the landmarks.
    n_landmarks_ : int
        Number of landmarks.
    scores_ : dict of str to float
        Quality of the map of all samples: trustworthiness and continuity; with labels
        also class_trustworthiness, class_continuity, knn_accuracy, neighborhood_hit,
        and "unseen", the balanced accuracy of predicting placed samples from the
        nearest landmarks. Empty if nothing was measured.
    intervals_ : dict of str to (float, float)
        The 99% intervals of these scores.
    within_ : float
        Half the width of the widest interval.
    {seen}

    See Also
    --------
    KernelMap : Positions of new samples on any map.
    labelscape.quality.report : All measures of a map.

    Notes
    -----
    In each class, samples are drawn without replacement with the weights

    .. math:: w_i = \tfrac12 + \tfrac12 \min(r_i / \tilde r,\, 4),

    where :math:`r_i` is the distance to the fifth nearest of 500 random samples of the
    class and :math:`\tilde r` its median. With the same seed, a larger set of landmarks
    contains each smaller set.

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
    Fitted to 300 of 1,797 samples; the others were placed. Quality was measured on all
    samples.
    """

    embedder: Any = field(kw_only=False)
    n_landmarks: int = field(default=1000, kw_only=False)
    measure: bool = True
    random_state: Any = None

    _keeps: ClassVar = "Fits the map of another method to some of the rows."
    _rules: ClassVar = COMMON | {
        "embedder": EMBEDDER,
        "n_landmarks": whole(3),
        "measure": flag(),
    }
    _removable: ClassVar = ("embedder",)
    _training_data = ("embedding_", "landmarks_")
    _learned: ClassVar[Learned] = {
        "estimator_": part("transform"),
        "embedding_": numbers("samples", "components"),
        "landmarks_": indices("landmarks", of="samples"),
        "scores_": _figures(finite().holds),
        "intervals_": _figures(_is_interval),
        "within_": finite(0),
    }

    @shared_parameters(TEXTS)
    def fit(self, X, y=None, groups=None) -> Self:
        """Compute the map of X.

        {fit}

        Returns
        -------
        self : LandmarkMap
            The fitted map.
        """
        self.fit_transform(X, y, groups)
        return self

    @reports_to_callbacks
    @shared_parameters(TEXTS)
    def fit_transform(self, X, y=None, groups=None) -> Array:
        """Compute the map of X and return it.

        {fit}

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            The positions of all samples.
        """
        check_params(self)
        X, owner = check_X(self, X), type(self).__name__
        codes = np.zeros(len(X), dtype=np.int64)
        if y is not None:
            codes = check_labels(y, len(X), owner=owner)[1]
        rng = check_random_state(self.random_state)
        embedder = with_transform(self.embedder, owner=owner)
        self.landmarks_ = drawn_landmarks(X, codes, self.n_landmarks, rng)
        self.estimator_ = seeded_clone(embedder, int(rng.randint(2**31 - 1)))
        self.embedding_ = self._placed(X, self._fitted(X, y, groups))
        self.scores_: dict[str, float] = {}
        self.intervals_: dict[str, Any] = {}
        self.within_ = 0.0
        if self.measure:
            units = units_of(X, groups, codes=codes, owner=owner).of_row
            self._measure(X, codes, units, rng)
        return self.embedding_

    def _fitted(self, X, y, groups):
        """Fit the map to the landmarks, and return their positions."""
        model, rows, known = self.estimator_, self.landmarks_, {}
        if (X[rows] == X[rows[0]]).all():
            raise InputError(
                f"the {len(rows)} landmarks are all equal, so they have no map. Use a "
                "larger n_landmarks.",
                owner=type(self).__name__,
                parameter="n_landmarks",
            )
        if groups is not None and "groups" in inspect.signature(model.fit).parameters:
            known["groups"] = np.asarray(groups)[rows]
        model.fit(X[rows], None if y is None else np.asarray(y)[rows], **known)
        Z = getattr(model, "embedding_", None)
        Z = model.transform(X[rows]) if Z is None else Z
        return places(model, Z, len(rows), owner=type(self).__name__)

    def _placed(self, X, of_landmarks):
        """Return the positions of all samples; landmarks keep their positions."""
        Z = np.empty((len(X), of_landmarks.shape[1]))
        Z[self.landmarks_] = of_landmarks
        others = np.setdiff1d(np.arange(len(X)), self.landmarks_)
        for block in row_blocks(len(others), 1, PLACED_ROWS):
            some = others[block]
            new = self.estimator_.transform(X[some])
            Z[some] = places(self.estimator_, new, len(some), owner=type(self).__name__)
        return Z

    def _measure(self, X, codes, units, rng):
        """Measure the quality of the map for all samples, with intervals."""
        n, has_classes = len(X), bool(codes.max() > 0)
        if n > 3:
            some = np.sort(rng.choice(n, min(n, N_MEASURED), replace=False))
            spaces, k = (Points(X), Points(self.embedding_)), min(N_NEIGHBORS, n - 2)
            counted = neighborhoods(*spaces, codes.astype(np.int64), k, some)
            for name, values in point_scores(counted, has_classes).items():
                score = float(values.mean())
                self._keep(name, score, interval_around(score, half_width(values, n)))
        if has_classes:
            Z, fitted = self.embedding_, self.landmarks_
            placed = score_placed_rows(Z, codes, units, fitted, VOTERS, rng)
            if placed is not None:
                self._keep("unseen", placed.unseen, placed.interval)

    def _keep(self, name, score, ends):
        self.scores_[name], self.intervals_[name] = score, tuple(ends)
        self.within_ = max(self.within_, reach(score, ends))

    @property
    def n_landmarks_(self):
        """Number of samples to which the map was fitted."""
        check_is_fitted(self)
        return len(self.landmarks_)

    @property
    def words_(self):
        """A sentence with the number of landmarks and the precision of the scores."""
        check_is_fitted(self)
        n, m = len(self.embedding_), len(self.landmarks_)
        words = f"Fitted to {m:,} of {n:,} samples; the others were placed"
        if m == n:
            words = f"Fitted to all {n:,} samples"
        if not self.scores_:
            return f"{words}."
        if self.within_ == 0.0:
            return f"{words}. Quality was measured on all samples."
        return f"{words}. The quality scores are accurate to ± {self.within_:.2g}."

    @lazy
    def transform(self, X) -> Array:
        """Place new samples on the map.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            New samples.

        Returns
        -------
        Z : ndarray of shape (n_new, n_components)
            Positions of the new samples.
        """
        check_is_fitted(self)
        X = check_X(self, X, reset=False)
        return np.asarray(self.estimator_.transform(X), dtype=np.float64)

    @property
    def _n_features_out(self):
        check_is_fitted(self)
        return self.embedding_.shape[1]

    def __sklearn_tags__(self):
        return tags_as_inside(super().__sklearn_tags__(), self.embedder)


def drawn_landmarks(X, codes, count, random_state):
    """Return sorted indices of landmarks; a larger ``count`` only adds to them."""
    orders = []
    for c in range(int(codes.max()) + 1):
        members = np.flatnonzero(codes == c)
        weights = weights_in_class(X[members], random_state)
        # The lowest numbers are a weighted draw without replacement.
        numbers = random_state.standard_exponential(len(members)) / weights
        orders.append(members[np.argsort(numbers, kind="stable")])
    if count >= len(X):
        return np.arange(len(X))
    sizes = np.array([len(members) for members in orders])
    fewest = min(FEWEST_OF_CLASS, max(2, count // (2 * len(sizes))))
    shares = np.maximum(class_counts(sizes, count), np.minimum(sizes, fewest))
    drawn = zip(orders, shares, strict=True)
    return np.sort(np.concatenate([members[:share] for members, share in drawn]))


def weights_in_class(X, random_state):
    """Return the sampling weights (n,) of a class; see `LandmarkMap`."""
    n = len(X)
    some = np.arange(n)
    if n > N_OTHERS:
        some = np.sort(random_state.choice(n, N_OTHERS, replace=False))
    k = min(N_NEAREST, len(some) - 1)
    if k < 1:
        return np.ones(n)
    distances = nearest_neighbors(X[some], k + 1, X)[1]
    # A sample in the random set is its own nearest sample.
    reach = distances[:, k - 1].copy()
    reach[some] = distances[some, k]
    usual = np.median(reach) or reach.mean()
    if not usual > 0.0:
        return np.ones(n)
    return 0.5 + 0.5 * np.minimum(reach / usual, SPARSEST)
