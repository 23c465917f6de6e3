"""FisherMetric: two points are far apart if the classes change between them."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.estimator import (
    AsInPaper,
    Estimator,
    Printed,
    reports_to_callbacks,
)
from labelscape._core.learned import (
    Learned,
    classes,
    indices,
    numbers,
    optional,
    or_none,
    part,
    record,
    whole_numbers,
)
from labelscape._core.params import (
    COMMON,
    Rule,
    check_argument,
    check_params,
    either,
    finite,
    flag,
    number,
    one_of,
    whole,
)
from labelscape._core.points.distances import middle
from labelscape._core.rows.answers import (
    FOLLOWS,
    check_dispatch,
    follow,
    lazy,
    numpy_copy,
)
from labelscape._core.rows.device import check_array, moved, where_is
from labelscape._core.rows.kinds import as_numpy
from labelscape._core.types import Array
from labelscape.crossfit import CrossFit
from labelscape.geometry._calibration import (
    relative_epsilon,
    steps_that_suffice,
    warn_if_saturated,
    warn_of_outliers,
)
from labelscape.geometry._parzen import Parzen, is_labeled
from labelscape.geometry._sources import (
    NUMPY,
    ON_DEVICES,
    Backend,
    check_no_tensor,
    digest,
    source_of,
)

# Maximum number of steps in a model file, unless the metric requests more.
MOST_STEPS = 10_000
# Attributes that depend on the source of probabilities.
OF_ONE_FIT = (
    "_parzen",
    "_bare",
    "bandwidth_",
    "parzen_indices_",
    "_spread",
    "cross_fit_",
)


@dataclass(eq=False, repr=False, kw_only=True)
class FisherMetric(AsInPaper, Estimator):
    r"""Distance that measures how much class probabilities change between samples.

    Differences between samples increase the distance mainly in directions in which the
    class probabilities change. The probabilities come from a Parzen estimate of the
    labels, a given classifier, or cross-fitted classifiers (``estimator="auto"``).

    Parameters
    ----------
    bandwidth : {"loo", "median"} or float, default="loo"
        Width of the Parzen estimate. "loo": the width with the highest leave-one-out
        likelihood of the labels, times ``bandwidth_scale``. "median": the median
        distance to the nearest neighbor. A number is used as it is.
    n_steps : int or "auto", default=10
        Number of pieces into which a line is divided. "auto" starts with 5 and doubles
        the number up to 40, until 99% of the distances change by less than 2%.
    regularization : float, default=0.01
        Weight of the Euclidean distance in the metric. With a positive weight, samples
        with the same class probabilities have a distance above 0, unless they are
        duplicates. The metric of the paper has the weight 0.
    estimator : "auto", classifier, list of classifiers or callable, default=None
        Source of the class probabilities; by default, the Parzen estimate. A fitted
        classifier with ``predict_proba``, or a function of X, is not copied, and is
        called ``n_steps - 1`` times per pair of samples. An unfitted classifier, a list
        of unfitted classifiers, or "auto" is cross-fitted
        (:class:`labelscape.crossfit.CrossFit`): a fitted sample gets probabilities from
        models fitted without it, and a new sample gets the mean of all models. After
        cross-fitting, distances use only the ends of a line, as in ``"endpoint"``.
    method : {"straight", "endpoint", "graph"}, default="straight"
        "straight": length of the line between two samples. "endpoint": the angle
        between the probabilities of the two samples, regardless of what lies between.
        "graph": the line, or the shortest path over neighbors if that is shorter.
    rule : {"sphere", "midpoint", "left"}, default="sphere"
        How a piece of a line is measured. "sphere" uses probabilities at both ends of
        the piece, "midpoint" the gradient in its middle, "left" the gradient at its
        start, as in the paper (mean of both directions). Classifiers need "sphere".
    parzen_points : int, float, "all" or tuple (points, labels), default=1000
        Number or share of the fitted samples that the Parzen estimate uses, at least 2
        of each class. A tuple gives other points with their labels: then the labels of
        fitted samples are not used, and no sample is left out.
    parzen_selection : {"random", "kmeans"}, default="random"
        Whether Parzen points are samples drawn from each class, or centers of k-means.
    class_weight : {None, "balanced"}, default=None
        "balanced" gives all classes the same prior probability.
    bandwidth_scale : float, default=1.5
        Factor for the "loo" bandwidth, which alone is too narrow for a metric.
    exclude_self : bool, default=True
        Whether a fitted sample is left out of its own estimate, so that its label is
        not used. Fitted samples are recognized only if X is the complete fitted table.
    n_neighbors : int, default=10
        Number of neighbors of each sample in the graph of ``method="graph"``.
    cross_fit : int or None, default=5
        Number of folds for an unfitted estimator. With None, an unfitted estimator
        raises an error.
    random_state : int, RandomState or None, default=None
        Seed of the Parzen points, and of the pairs that scale the regularization.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; numbers from 0 if ``estimator`` has no ``classes_``.
    bandwidth_ : float
        Width of the Parzen estimate.
    n_steps_ : int
        Number of pieces into which a line is divided.
    epsilon_ : float
        Weight of the squared Euclidean distance in squared distances.
    parzen_points_ : ndarray of shape (n_parzen, n_features)
        The points of the estimate, sorted by class.
    parzen_indices_ : ndarray of shape (n_parzen,)
        Row of each point in the fitted X; -1 for centers of k-means and given points.
    cross_fit_ : CrossFit
        The cross-fitted classifiers; exists only for an unfitted estimator.
    n_features_in_ : int
        Number of features in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features in ``fit``, if X had names of columns.

    Notes
    -----
    If :math:`u(t)` are the square roots of the probabilities on the line from :math:`x`
    to :math:`x'`, the distance is

    .. math:: d_T = \sum_{k=1}^T 4 \arcsin \tfrac12 |u(t_k) - u(t_{k-1})|, \quad
              \sqrt{d_T^2 + \epsilon |x - x'|^2},

    which grows with T toward the length of the line in the Fisher metric
    :math:`J(x) = \sum_c p(c|x) \nabla\log p(c|x) \nabla\log p(c|x)^\top`. A change from
    certainty of one class to certainty of another has the length :math:`\pi`.

    Lines are not shortest paths, so the triangle inequality may fail. Distances of
    float32 data are computed in float32 if the range of the log-weights allows it.

    To leave out the label of a fitted point, its own Parzen point gets the mean weight
    of the other points of its class. (The smallest weight would hide the label, too,
    but would make a point's own class slightly less likely, so that noise would be
    sorted by label.) Labels of neighboring points still affect each other's
    probabilities. With few features and labels without signal, accuracy on the map is
    up to 0.12 higher for fitted samples than for new samples. Evaluate on new samples.

    References
    ----------
    B. Hammer, A. Gisbrecht, A. Schulz. Applications of discriminative dimensionality
    reduction. ICPRAM 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.geometry import FisherMetric
    >>> X, y = load_iris(return_X_y=True)
    >>> metric = FisherMetric(random_state=0).fit(X, y)
    >>> metric.pairwise(X).shape
    (150, 150)
    >>> distances, indices = metric.kneighbors(X[:2], n_neighbors=3)
    >>> indices.shape
    (2, 3)
    >>> bool(metric.relevances(X[:1]).sum().round(6) == 1)
    True
    """

    bandwidth: str | float = field(default="loo", kw_only=False)
    n_steps: int | str = field(default=10, kw_only=False)
    regularization: float = field(default=0.01, kw_only=False)
    estimator: Any = field(default=None, kw_only=False)
    # Measurement of lines.
    method: str = "straight"
    rule: str = "sphere"
    # The Parzen estimate.
    parzen_points: Any = 1000
    parzen_selection: str = "random"
    class_weight: str | None = None
    bandwidth_scale: float = 1.5
    exclude_self: bool = True
    # For graphs, and for unfitted estimators.
    n_neighbors: int = 10
    cross_fit: int | None = 5
    random_state: Any = None

    _in_paper: ClassVar = {
        "parzen_points": Printed(
            0.1,
            "The paper uses a tenth of the samples. This is too few to separate the "
            "classes, unless k-means centers are used.",
        ),
        "parzen_selection": Printed(
            "kmeans",
            "The paper does not say how it selects points. A center depends on the "
            "labels of the samples around it, so a sample's own label cannot be left "
            "out, and fitted samples look better separated than new ones.",
        ),
        "rule": Printed(
            "left",
            (
                "The gradient at the start of a line segment is less exact, and "
                "depends on the direction."
            ),
        ),
        "regularization": Printed(
            0.0,
            "Without it, distances are almost 0 where the class does not change.",
        ),
        "exclude_self": Printed(
            False, "A map overfits if a sample's own label affects its position."
        ),
    }

    # Not in model files: the fitted samples, an estimate made of them (replaced by
    # `_bare`), and values computed from other attributes.
    _training_data = ("_X", "_parzen")
    _learned: ClassVar[Learned] = {
        "classes_": lambda metric: classes(
            ordered=metric.estimator is None or metric._source.has_only_ends
        ),
        "cross_fit_": lambda metric: (
            part("out_of_fold_proba", kind=CrossFit)
            if metric._source.has_only_ends
            else optional(part("out_of_fold_proba", kind=CrossFit))
        ),
        "_X": numbers("samples", "features"),
        "_parzen": lambda metric: _of_parzen(metric, record(Parzen)),
        "_bare": optional(record(Parzen)),
        # The own center of each sample, or its fold (checked with `cross_fit_`).
        "_own": lambda metric: or_none(
            whole_numbers("samples")
            if metric._source.has_only_ends
            else indices("samples", of="parzen", or_none=True)
        ),
        "_table": either(one_of(None), Rule("text", lambda v: isinstance(v, str))),
        "bandwidth_": lambda metric: _of_parzen(metric, finite(above=0)),
        "parzen_indices_": lambda metric: _of_parzen(
            metric, indices("parzen", of="samples", or_none=True)
        ),
        "_spread": lambda metric: (
            numbers("features", low=0)
            if metric.estimator is not None
            else optional(numbers("features"))
        ),
        "_center": numbers("features"),
        "epsilon_": finite(0),
        "n_steps_": lambda metric: whole(
            1, max(MOST_STEPS, 0 if metric.n_steps == "auto" else metric.n_steps)
        ),
    }
    _rebuilt = ("_backends", "_home")
    _rules: ClassVar = COMMON | {
        "bandwidth": either(one_of("loo", "median"), finite(above=0)),
        "n_steps": either(one_of("auto"), whole(1, limit=10_000)),
        "regularization": number(0),
        # Other values are rejected later, with more specific messages.
        "estimator": Rule(
            "None, 'auto', a classifier with predict_proba, a list of these, or a "
            "function of X that returns probabilities",
            lambda value: True,
        ),
        "method": one_of("straight", "endpoint", "graph"),
        "rule": one_of("sphere", "midpoint", "left"),
        "parzen_points": either(
            one_of("all"),
            whole(2),
            number(above=0, below=1),
            Rule("a tuple (points, labels)", is_labeled),
        ),
        "parzen_selection": one_of("random", "kmeans"),
        "class_weight": one_of(None, "balanced"),
        "bandwidth_scale": finite(above=0),
        "exclude_self": flag(),
        "n_neighbors": whole(1),
        "cross_fit": either(one_of(None), whole(2)),
    }

    @reports_to_callbacks
    def fit(self, X, y=None, groups=None) -> Self:
        """Learn the class probabilities that determine the distances.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples. PyTorch tensors, and their distances, stay on their device.
        y : array-like of shape (n_samples,)
            Class labels; not used with a fitted ``estimator`` or labeled points.
        groups : array-like of shape (n_samples,), default=None
            Group of each sample, such as a patient. Samples of a group are held out
            together. Used only if the estimator is cross-fitted.

        Returns
        -------
        self : FisherMetric
            The fitted metric.
        """
        check_params(self)
        self._source.check()
        self._source.check_place(X)
        for name in OF_ONE_FIT:
            self.__dict__.pop(name, None)  # of an earlier fit
        given = check_array(self, X, min_samples=2)
        X, place = as_numpy(given), where_is(given)
        random_state = check_random_state(self.random_state)
        own = self._source.fit(X, as_numpy(y), groups, random_state)
        self._X, self._own, self._center, self._home = X, own, middle(X), place
        self._table = digest(X) if self._source.learns_from_labels else None
        self.n_steps_ = 1 if self._source.has_only_ends else self.n_steps
        if self.n_steps_ == "auto":
            lines = partial(self._source.lines, place=place)
            own = Backend(self, place).here(own)
            self.n_steps_ = steps_that_suffice(lines, given, own, random_state)

        warn_of_outliers(X, self._center, getattr(self, "feature_names_in_", None))
        self.epsilon_ = 0.0
        backend = self._at(None)
        self.epsilon_ = backend.distances.epsilon = relative_epsilon(
            backend.distances, backend.fitted, self.regularization, random_state
        )
        follow(self, given)
        self.__dict__["_backends"] = {place: backend}
        return self

    @property
    def parzen_points_(self):
        """The points of the Parzen estimate (n_parzen, n_features), sorted by class."""
        if not hasattr(self, "_parzen"):
            raise AttributeError(
                "There is no Parzen estimate, or its points are training samples, "
                "which are saved only with save(..., include_data=True)."
            )
        return moved(self._parzen.points, *getattr(self, "_home", NUMPY))

    def pairwise(self, X=None, Y=None) -> Array:
        """Return the distances of all pairs.

        Parameters
        ----------
        X : array-like of shape (n, n_features), default=None
            Samples; by default, the fitted samples.
        Y : array-like of shape (m, n_features), default=None
            Other samples; by default, X.

        Returns
        -------
        D : ndarray of shape (n, n) or (n, m)
            Distances. Without Y the matrix is symmetric, with zeros on the diagonal.
            For tensors the result is a tensor on the same device.
        """
        backend = self._at(X, "pairwise")
        A = backend.points(X)
        B = A if Y is None else backend.points(Y)
        if A is not B:
            return backend.distances.matrix(A, B)
        D = backend.distances.symmetric_matrix(A)
        warn_if_saturated(D)
        return D

    @lazy
    def kneighbors(self, X=None, n_neighbors=5) -> Any:
        """Return the nearest of the fitted samples.

        The search is exact. Distances of all pairs are not stored, except with
        ``method="graph"``.

        Parameters
        ----------
        X : array-like of shape (n, n_features), default=None
            Samples whose neighbors are returned; by default, the fitted samples. Then
            a sample is not its own neighbor.
        n_neighbors : int, default=5
            Number of neighbors per sample.

        Returns
        -------
        distances : ndarray of shape (n, n_neighbors)
            Distances in ascending order; ties are ordered by index.
        indices : ndarray of shape (n, n_neighbors)
            Rows of the neighbors among the fitted samples.
        """
        backend = self._at(X, "kneighbors")
        most = backend.fitted.X.shape[0] - (X is None)
        check_argument(
            "FisherMetric.kneighbors", "n_neighbors", n_neighbors, whole(1, most)
        )
        return backend.distances.nearest(
            backend.points(X), backend.fitted, n_neighbors, without_self=X is None
        )

    @lazy
    def predict_proba(self, X) -> Array:
        """Return the class probabilities of samples, treated as new samples.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Samples.

        Returns
        -------
        p : ndarray of shape (n, n_classes)
            Probabilities in the order of ``classes_``.
        """
        backend = self._at(X, "predict_proba")
        X = backend.checked(X)
        return self._source.probabilities(X, backend.place)

    def tensor(self, X) -> Array:
        """Return the Fisher metric J at samples.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Samples.

        Returns
        -------
        J : ndarray of shape (n, n_features, n_features)
            A small step v from a sample has the squared length ``v @ J @ v``. For a
            classifier, central differences give J.
        """
        return self._from_factor(X, lambda G: np.matmul(G.transpose(0, 2, 1), G))

    def relevances(self, X) -> Array:
        """Return how much each feature changes the class probabilities at samples.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Samples.

        Returns
        -------
        relevances : ndarray of shape (n, n_features)
            The diagonal of J, each row divided by its sum; zeros where no feature
            changes any probability.
        """
        diagonals = self._from_factor(X, lambda G: (G**2).sum(axis=1))
        sums = diagonals.sum(axis=1, keepdims=True)
        return np.divide(diagonals, sums, out=np.zeros_like(diagonals), where=sums > 0)

    @property
    def is_cross_fitted(self):
        """Whether classifiers are cross-fitted, so that only ends of lines are used."""
        return self._source.has_only_ends

    @property
    def _source(self):
        """The source of class probabilities."""
        return source_of(self)

    def _at(self, X, method=""):
        """Return the backend for the library and device of X; without X, of the fit."""
        check_is_fitted(self)
        home = getattr(self, "_home", NUMPY)
        place = home if X is None else where_is(X)
        if X is not None:
            self._source.check_place(X)
        if place != home and home != NUMPY:
            check_dispatch(self, method)
        backends = self.__dict__.setdefault("_backends", {})
        if place not in backends:
            backends[place] = Backend(numpy_copy(self), place)
        return backends[place]

    def __setattr__(self, name, value):
        # Values computed from other parameters and attributes are outdated.
        super().__setattr__(name, value)
        self.__dict__.pop("_backends", None)

    def __getstate__(self):
        # These values depend on the library and device, and are quickly computed again.
        state = super().__getstate__()
        return {k: v for k, v in state.items() if k not in self._rebuilt}

    def _without_data(self):
        return numpy_copy(self)._source.without_data()

    def _held_samples(self):
        if is_labeled(self.parzen_points):
            return ("parzen_points",)
        return ("parzen_points_",) if "_parzen" in self._without_data() else ()

    def _from_factor(self, X, function):
        check_no_tensor(X, "the Fisher matrix needs NumPy arrays")
        X = self._at(X).checked(X)
        return self._source.from_factor(X, function)

    def __sklearn_clone__(self):
        # A fitted classifier is passed on without a copy, which would be unfitted.
        return self._clone_but("estimator")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._source.learns_from_labels
        known = self.method in ON_DEVICES and self.rule in ON_DEVICES
        tags.array_api_support = FOLLOWS and self.estimator is None and known
        return tags


def _of_parzen(metric, declared):
    """Return a declaration for metrics that have a Parzen estimate."""
    return optional(declared) if metric.estimator is not None else declared
