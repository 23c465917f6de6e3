"""FisherMetric: two points are far apart if the classes change on the way."""

from functools import cached_property
from typing import ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_X
from labelscape._core.chunks.lazy import lazy
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.fits.estimator import Estimator
from labelscape._core.fits.learned import (
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
from labelscape._core.fits.papers import AsInPaper, Printed
from labelscape._core.points.array_objects import check_objects, same_table
from labelscape._core.points.arrays import as_numpy, moved, where_is
from labelscape._core.points.center import middle
from labelscape._core.points.following import as_tag
from labelscape._core.points.ranks import nearest_in_rows
from labelscape._core.rules import (
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
from labelscape.crossfit import CrossFit
from labelscape.geometry._calibration import relative_epsilon, steps_that_suffice
from labelscape.geometry._graph import shortened
from labelscape.geometry._lengths import StraightDistances
from labelscape.geometry._neighbors import nearest
from labelscape.geometry._parzen import Parzen, is_labeled
from labelscape.geometry._remade import Remade
from labelscape.geometry._sources import (
    check_no_tensor,
    digest,
    saved_without_objects,
    source_of,
)
from labelscape.geometry._warnings import warn_if_saturated, warn_of_outliers
from labelscape.geometry.arrays.distances import ArrayDistances

# Who does not ask for more pieces of a line has not fitted more.
MOST_STEPS = 10_000
# What depends on where probabilities come from.
OF_ONE_FIT = (
    "_parzen",
    "_bare",
    "bandwidth_",
    "parzen_indices_",
    "_spread",
    "cross_fit_",
)


class FisherMetric(Remade, AsInPaper, Estimator):
    r"""Distance that counts how much the class probabilities change between points.

    Directions in which the classes change count, all others fade. The probabilities
    come from a Parzen estimate of the labels, from a classifier that you give, or from
    classifiers that are fitted to the others for each object (``estimator="auto"``).

    Parameters
    ----------
    bandwidth : {"loo", "median"} or float, default="loo"
        Width of the Parzen estimate. "loo": what makes the labels most likely, each
        point left out in turn, times ``bandwidth_scale``. "median": the median distance
        to the nearest neighbour. Or a number, in units of the data.
    n_steps : int or "auto", default=10
        Pieces that a line is cut into. "auto" doubles them from 5 to 40 until distances
        change by less than 2 %.
    regularization : float, default=0.01
        How much plain distance is mixed in: it orders points between which the classes
        do not change, and keeps duplicates alone at 0. 0 is the paper's metric.
    estimator : "auto", classifier, list of classifiers or callable, default=None
        What gives probabilities in place of the Parzen estimate. A fitted classifier
        with ``predict_proba``, or a function of X, is used as it is, also by copies of
        this metric, and asked ``n_steps - 1`` times per pair of points. An unfitted
        classifier, a list of them, or "auto" is cross-fitted
        (:class:`labelscape.crossfit.CrossFit`): each object is judged by models that
        never saw it, new ones by the mean of all, and only the ends of a line count, as
        with ``method="endpoint"``.
    method : {"straight", "endpoint", "graph"}, default="straight"
        "straight": length of the line between two points. "endpoint": the angle between
        the probabilities at its ends, whatever lies between. "graph": the shorter of
        the line and the best path from neighbour to neighbour.
    rule : {"sphere", "midpoint", "left"}, default="sphere"
        How a piece of a line is measured. "sphere" by the probabilities at its ends,
        "midpoint" by their slope in its middle, "left" by the slope at its start, as in
        the paper (mean of both directions). A classifier is always measured by
        "sphere".
    parzen_points : int, float, "all" or tuple (points, labels), default=1000
        How many of the fitted points the Parzen estimate is made of, or which share of
        them; of each class 2 at least. Or points of your own, with their labels: then
        those of the fitted points are not looked at, and nothing is left out.
    parzen_selection : {"random", "kmeans"}, default="random"
        Points drawn from each class, or the centres of k-means.
    class_weight : {None, "balanced"}, default=None
        "balanced" makes all classes equally probable beforehand.
    bandwidth_scale : float, default=1.5
        Factor on the "loo" bandwidth: what classifies best is too sharp for a metric.
    exclude_self : bool, default=True
        Whether a fitted point leaves itself out of the estimate, so that it does not
        see its own label. The fitted points are recognised as a whole table, also by a
        metric that was saved without them.
    n_neighbors : int, default=10
        Neighbours that ``method="graph"`` joins each point to.
    cross_fit : int or None, default=5
        Folds for an estimator that is not fitted; None to refuse such.
    random_state : int, RandomState or None, default=None
        Draws Parzen points, and the pairs that set the regularisation.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; numbers from 0 where ``estimator`` does not name them.
    bandwidth_ : float
        Width of the Parzen estimate.
    n_steps_ : int
        Pieces of a line.
    epsilon_ : float
        Weight of the squared Euclidean distance in squared distances.
    parzen_points_ : ndarray of shape (n_parzen, n_features)
        The points of the estimate, sorted by class.
    parzen_indices_ : ndarray of shape (n_parzen,)
        Where they stand in the fitted X; -1 for centres of k-means and given points.
    cross_fit_ : CrossFit
        The cross-fitted classifiers, if there are any.

    Notes
    -----
    With :math:`u(t)` the roots of the probabilities on the way from :math:`x` to
    :math:`x'` the distance is

    .. math:: d_T = \sum_{k=1}^T 4 \arcsin \tfrac12 |u(t_k) - u(t_{k-1})|, \quad
              \sqrt{d_T^2 + \epsilon |x - x'|^2},

    which grows with T towards the length of the line in the Fisher metric
    :math:`J(x) = \sum_c p(c|x) \nabla\log p(c|x) \nabla\log p(c|x)^\top`. A change from
    certainty of one class to certainty of another costs :math:`\pi`.

    Lines are no shortest paths, so the triangle inequality may fail. float32 data are
    measured in float32 where the range of the log-weights allows it.

    A fitted point that leaves itself out gives its own centre the mean weight of the
    other members of its class. (With the smallest weight of all, which also hides the
    label, it would see a little less of its own class than of the others, and on noise
    that sorts the points by label.) The labels of two near points still enter each
    other's probabilities. In few dimensions this can be seen on noise: maps of fitted
    points are up to 0.12 better than of new ones. Judge by new ones.

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

    _in_paper: ClassVar = {
        "parzen_points": Printed(
            0.1,
            "A tenth of the fitted objects, themselves a tenth of the data, is too few "
            "to tell the classes apart.",
        ),
        "rule": Printed(
            "left", "The slope at the start of a piece is less exact, and one-sided."
        ),
        "regularization": Printed(
            0.0,
            "Plain distance orders objects between which no class changes.",
        ),
        "exclude_self": Printed(
            False, "An object that sees its own label makes maps look better than true."
        ),
    }

    # What model files leave out: the fitted objects, and an estimate of such points, in
    # place of which they hold `_bare`. And what is made of others.
    _training_data = ("_X", "_parzen")
    _learned: ClassVar[Learned] = {
        "classes_": lambda metric: classes(
            ordered=metric.estimator is None or metric._source.has_only_ends
        ),
        "cross_fit_": lambda metric: (
            part("recalled", kind=CrossFit)
            if metric._source.has_only_ends
            else optional(part("recalled", kind=CrossFit))
        ),
        "_X": numbers("objects", "features"),
        "_parzen": lambda metric: _of_parzen(metric, record(Parzen)),
        "_bare": optional(record(Parzen)),
        # The own centre of each object; or its fold, which `cross_fit_` has checked.
        "_own": lambda metric: or_none(
            whole_numbers("objects")
            if metric._source.has_only_ends
            else indices("objects", of="parzen", or_none=True)
        ),
        "_table": either(one_of(None), Rule("text", lambda v: isinstance(v, str))),
        "bandwidth_": lambda metric: _of_parzen(metric, finite(above=0)),
        "parzen_indices_": lambda metric: _of_parzen(
            metric, indices("parzen", of="objects", or_none=True)
        ),
        "_spread": lambda metric: (
            numbers("features", low=0)
            if metric.estimator is not None
            else optional(numbers("features"))
        ),
        "_centre": numbers("features"),
        "epsilon_": finite(0),
        "n_steps_": lambda metric: whole(
            1, max(MOST_STEPS, 0 if metric.n_steps == "auto" else metric.n_steps)
        ),
    }
    _rebuilt = ("_distances", "_fitted", "_elsewhere")
    _following = ("_centre", "_X", "_own", "parzen_indices_")
    _rules: ClassVar = COMMON | {
        "bandwidth": either(one_of("loo", "median"), finite(above=0)),
        "n_steps": either(one_of("auto"), whole(1, limit=10_000)),
        "regularization": number(0),
        # What is none of these is refused when it is asked, in more exact words.
        "estimator": Rule(
            "None, 'auto', a classifier with predict_proba, a list of such, or a "
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

    def __init__(
        self,
        bandwidth="loo",
        n_steps=10,
        regularization=0.01,
        estimator=None,
        *,
        method="straight",
        rule="sphere",
        parzen_points=1000,
        parzen_selection="random",
        class_weight=None,
        bandwidth_scale=1.5,
        exclude_self=True,
        n_neighbors=10,
        cross_fit=5,
        random_state=None,
    ):
        self.bandwidth = bandwidth
        self.n_steps = n_steps
        self.regularization = regularization
        self.estimator = estimator
        self.method = method
        self.rule = rule
        self.parzen_points = parzen_points
        self.parzen_selection = parzen_selection
        self.class_weight = class_weight
        self.bandwidth_scale = bandwidth_scale
        self.exclude_self = exclude_self
        self.n_neighbors = n_neighbors
        self.cross_fit = cross_fit
        self.random_state = random_state

    @tells_callbacks
    def fit(self, X, y=None, groups=None):
        """Learn the class probabilities that distances are made of.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects. Tensors of PyTorch stay where they are, and distances between
            them are worked out there.
        y : array-like of shape (n_samples,)
            Their class labels; not used where a fitted ``estimator`` or labelled
            ``parzen_points`` are given.
        groups : array-like of shape (n_samples,), default=None
            What each object belongs to, such as a patient: objects of a group are held
            out together. Of use to a cross-fitted estimator only.

        Returns
        -------
        self : FisherMetric
            The fitted metric.
        """
        check_params(self)
        self._source.check()
        self._source.check_place(X)
        for name in OF_ONE_FIT:
            vars(self).pop(name, None)  # of an earlier fit
        X = check_objects(self, X, min_samples=2)
        random_state = check_random_state(self.random_state)
        own = self._source.fit(X, y, groups, random_state)
        here = as_numpy(X)
        center = middle(here)
        self._centre = moved(center, *where_is(X))  # as in model files, which keep it
        self.n_steps_ = 1 if self._source.has_only_ends else self.n_steps
        if self.n_steps_ == "auto":
            self.n_steps_ = steps_that_suffice(self._source.lines, X, own, random_state)

        self._X, self._own = X, own
        self._table = digest(here) if self._source.learns_from_labels else None
        warn_of_outliers(here, center, getattr(self, "feature_names_in_", None))
        self.epsilon_ = 0.0
        fitted = self._fitted
        self.epsilon_ = relative_epsilon(
            self._distances, fitted, self.regularization, random_state
        )
        vars(self)["_fitted"] = fitted  # which does not depend on epsilon
        return self

    @property
    def parzen_points_(self):
        """The points of the Parzen estimate (n_parzen, n_features), sorted by class."""
        if not hasattr(self, "_parzen"):
            raise AttributeError(
                "There is no Parzen estimate, or its points are objects that the "
                "metric was saved without."
            )
        return moved(self._parzen.points, *self._place)

    def pairwise(self, X=None, Y=None):
        """Return the distances of all pairs.

        Parameters
        ----------
        X : array-like of shape (n, n_features), default=None
            Objects; None for those the metric was fitted to.
        Y : array-like of shape (m, n_features), default=None
            Other objects; None for X once more.

        Returns
        -------
        D : ndarray of shape (n, n) or (n, m)
            Distances; among X itself symmetric with zeros on the diagonal. Of
            tensors, a tensor on their device.
        """
        check_is_fitted(self)
        return self._at(X, "pairwise")._pairwise(X, Y)

    def _pairwise(self, X, Y):
        A = self._points(X)
        B = A if Y is None else self._points(Y)
        if A is B:
            D = self._distances.symmetric_matrix(A)
        else:
            D = self._distances.matrix(A, B)
        if self.method == "graph":
            D = shortened(D, A, B, self._fitted, self._joined)
        if A is B:
            warn_if_saturated(D)
        return D

    @lazy
    def kneighbors(self, X=None, n_neighbors=5):
        """Return the nearest of the fitted objects.

        Exact, and never holding all pairs, unless ``method="graph"``, whose paths need
        the distances of X to all fitted objects.

        Parameters
        ----------
        X : array-like of shape (n, n_features), default=None
            Objects whose neighbours are sought. None for the fitted ones, which then do
            not count as their own neighbours.
        n_neighbors : int, default=5
            How many.

        Returns
        -------
        distances : ndarray of shape (n, n_neighbors)
            The nearest first; of equal ones the one with the lower index.
        indices : ndarray of shape (n, n_neighbors)
            Where they stand among the fitted objects.
        """
        check_is_fitted(self)
        return self._at(X, "kneighbors")._kneighbors(X, n_neighbors)

    def _kneighbors(self, X, n_neighbors):
        most = self._fitted.X.shape[0] - (X is None)
        check_argument(
            "FisherMetric.kneighbors", "n_neighbors", n_neighbors, whole(1, most)
        )
        A = self._points(X)
        if self.method == "graph":
            return self._graph_neighbors(A, n_neighbors, X is None)
        return self._straight_neighbors(A, n_neighbors, X is None)

    @lazy
    def predict_proba(self, X):
        """Return the class probabilities of objects, as new ones.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Objects.

        Returns
        -------
        p : ndarray of shape (n, n_classes)
            Probabilities in the order of ``classes_``.
        """
        check_is_fitted(self)
        there = self._at(X, "predict_proba")
        return there._source.probabilities(there._checked(X))

    def tensor(self, X):
        """Return the Fisher metric J at objects.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Objects.

        Returns
        -------
        J : ndarray of shape (n, n_features, n_features)
            A small step v from an object has the squared length ``v @ J @ v``. Of a
            classifier, by central differences: 2 predictions per feature.
        """
        return self._from_factor(X, lambda G: np.matmul(G.transpose(0, 2, 1), G))

    def relevances(self, X):
        """Return which features matter at objects: where a change moves the classes.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Objects.

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
    def _source(self):
        """Where class probabilities come from."""
        return source_of(self)

    @cached_property
    def _distances(self):
        """What gives distances: rebuilt from the estimate when it is asked for."""
        lines = self._source.lines(self.n_steps_)
        ends = self.method == "endpoint" or self._source.has_only_ends
        kind = StraightDistances if self._place[0] is None else ArrayDistances
        return kind(lines, self.epsilon_, self._centre, ends)

    def _at(self, X, asked):
        self._source.check_place(X)
        return super()._at(X, asked)

    @cached_property
    def _fitted(self):
        """The fitted objects, made ready."""
        if not hasattr(self, "_X"):
            raise saved_without_objects()
        return self._distances.points(self._X, self._own)

    def _points(self, X):
        """Return objects made ready, the fitted ones where X is their table."""
        fitted = getattr(self, "_X", None)
        if X is None or X is fitted:
            return self._fitted
        X = self._checked(X)
        # Own centres are matched by index. That is safe for the table as a whole; of
        # single rows nobody knows whether they are the object or only equal to it.
        if fitted is not None and same_table(X, fitted):
            return self._fitted
        # A metric that was saved without the objects still knows the table.
        unseen = fitted is not None or getattr(self, "_table", None) is None
        own = None if unseen or digest(as_numpy(X)) != self._table else self._own
        own = None if own is None or own.shape[0] != X.shape[0] else own
        return self._distances.points(X, own)

    def _checked(self, X):
        """Return objects checked; the fitted table brings back missing points."""
        if where_is(X) != self._place:  # the second of two tables follows the first
            X = moved(check_X(self, as_numpy(X), reset=False), *self._place)
        X = check_objects(self, X, reset=False)
        self._source.recall(X)
        return X

    def _without_data(self):
        return self._source.without_data()

    def _held_objects(self):
        if is_labeled(self.parzen_points):
            return ("parzen_points",)
        return ("parzen_points_",) if "_parzen" in self._without_data() else ()

    @property
    def _bounded(self):
        """Whether straight distances are never below the angle of their ends."""
        return self.rule == "sphere" or self.method == "endpoint"

    def _straight_neighbors(self, A, n_neighbors, without_self):
        if self._place[0] is not None:
            return self._distances.nearest(
                A, self._fitted, n_neighbors, without_self=without_self
            )
        return nearest(
            self._distances,
            A,
            self._fitted,
            n_neighbors,
            without_self=without_self,
            bounded=self._bounded,
        )

    def _joined(self, A):
        """Return distances and indices of the fitted objects that A is joined to."""
        fitted = A is self._fitted
        k = min(self.n_neighbors, len(self._fitted.X) - fitted)
        return self._straight_neighbors(A, k, fitted)

    def _graph_neighbors(self, A, n_neighbors, without_self):
        D = self._distances.matrix(A, self._fitted)
        D = shortened(D, A, self._fitted, self._fitted, self._joined)
        own = np.arange(len(D)) if without_self else None
        return nearest_in_rows(D, n_neighbors, own)[::-1]

    def _from_factor(self, X, function):
        check_is_fitted(self)
        check_no_tensor(X, "the Fisher matrix is worked out by NumPy")
        there = self._at(X, "tensor")
        return there._source.from_factor(there._checked(X), function)

    def __sklearn_clone__(self):
        # A given classifier is fitted, and a copy of it would not be.
        parameters = self.get_params(deep=False)
        copies = {
            name: value if name == "estimator" else clone(value, safe=False)
            for name, value in parameters.items()
        }
        return type(self)(**copies)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._source.learns_from_labels
        tags.array_api_support = as_tag(self._takes_arrays())
        return tags

    def _takes_arrays(self):
        return self.estimator is None and self.method != "graph"


def _of_parzen(metric, declared):
    """Return a declaration for metrics that have a Parzen estimate."""
    return optional(declared) if metric.estimator is not None else declared
