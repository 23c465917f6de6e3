"""Weighted MDS: a map that preserves distances according to their weights."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_random_state

from labelscape._core.estimator import (
    AsInPaper,
    Printed,
    Progress,
    reports_to_callbacks,
    shared_parameters,
)
from labelscape._core.learned import Learned, curve
from labelscape._core.params import (
    Rule,
    array,
    check_params,
    either,
    finite,
    number,
    one_of,
    whole,
)
from labelscape._core.threads import one_blas_thread
from labelscape._core.types import Array
from labelscape.embeddings._base import (
    MAP_TEXTS,
    MapEstimator,
    initial_map,
    on_principal_axes,
)
from labelscape.embeddings.weighted_mds._pairs import (
    fitted_size,
    laplacian,
    laplacian_solver,
    lbfgs,
    merged_weights,
    refused,
    smacof,
    stress_and_gradient,
    weighted_pairs,
)
from labelscape.embeddings.weighted_mds.weights import (
    check_linked,
    checked_prototypes,
    checked_weights,
    object_weights,
    picture_agreement,
    prototype_weights,
)

MDS_TEXTS = MAP_TEXTS | {
    "iterations": """
    max_iter : int, default=300
        Maximum number of iterations of each start.
    tol : float, default=1e-6
        Stop when an iteration lowers the stress by less than this fraction.""",
    "curve": """
    loss_curve_ : list of float
        Stress after each iteration of the best start.
    n_iter_ : int
        Number of iterations of the best start.""",
}


@shared_parameters(MDS_TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class WeightedMDS(AsInPaper, MapEstimator):
    r"""Map that preserves distances, each according to its weight.

    This is multidimensional scaling with a weight for every pair of samples. Pairs with
    a high weight are drawn accurately at the expense of other pairs. Errors are
    relative to the distance, so short distances matter as much as long ones. With
    uniform weights and ``power=1``, this is Sammon's mapping.

    Parameters
    ----------
    {components}
    weights : str, array or sparse matrix, default="uniform"
        Weight of each pair. "uniform" gives all pairs the same weight. "prototype" and
        "object" are for prototype models (see :func:`prototype_weights` and
        :func:`object_weights`) and need ``is_prototype`` in ``fit``. An array has shape
        (n_samples, n_samples), and must be symmetric and not negative. In a sparse
        matrix of this shape, only the stored pairs are used, and no n × n matrix is
        needed if ``metric`` is "euclidean".
    power : float, default=1
        Dissimilarities are raised to this power. 2 spreads the points of prototype
        models better, but the map is less exact.
    {metric}
    solver : {"lbfgs", "smacof"}, default="lbfgs"
        "smacof" lowers the stress in every iteration, but is slow if weights are small;
        "lbfgs" needs a quarter of the iterations.
    n_init : int, default=4
        Number of starts; the map with the least stress is kept. The first start is PCA
        (or classical MDS), the others are random.
    {iterations}
    random_state : int, RandomState or None, default=None
        Seed of the random starts.
    {verbose}
    callback : callable or None, default=None
        Called after every iteration with a dict of ``start``, ``iteration``, ``stress``
        and ``embedding``. Returning ``True`` stops the fit with the best map.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The map, centered and on its principal axes. Identical samples coincide.
    stress_ : float
        Weighted error of the map, relative to the distances; 0 means an exact map.
    {curve}
    agreement_ : float or None
        Share of decisions that the map shows correctly (see :func:`picture_agreement`);
        None if ``fit`` got no labels or prototypes.
    {fitted_metric}
    {seen}

    See Also
    --------
    class_layout : A map of the prototypes and samples of a classifier.
    object_layout : A map of one sample and prototypes at exact distances.

    Notes
    -----
    With the targets :math:`D_{ij} = d(o_i, o_j)^p` and the distances on the map
    :math:`d_{ij}`, the fit minimizes

    .. math:: \frac{1}{\sum_{i<j} w_{ij} D_{ij}}
              \sum_{i<j} w_{ij} \frac{(d_{ij} - D_{ij})^2}{D_{ij}}

    For the raw stress :math:`\sum (d_{ij} - D_{ij})^2` of scikit-learn's ``MDS``, pass
    the distances as weights. Targets in the denominator are at least 1e-6 of their
    weighted mean. Identical samples are one point, with the sum of their weights. If
    the positive weights do not connect all samples, the relative positions of the parts
    are undefined, and ``fit`` raises an error.

    References
    ----------
    H.-P. Kriegel and M. Schubert. Advanced Prototype Machines: Exploring Prototypes for
    Classification. SDM 2006. Majorization: J. de Leeuw, 1977.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import WeightedMDS
    >>> X, _ = load_iris(return_X_y=True)
    >>> mds = WeightedMDS(random_state=0).fit(X)
    >>> mds.embedding_.shape
    (150, 2)
    >>> round(mds.stress_, 3)
    0.004
    """

    n_components: int = field(default=2, kw_only=False)
    weights: Any = "uniform"
    power: float = 1
    metric: Any = "euclidean"
    solver: str = "lbfgs"
    n_init: int = 4
    max_iter: int = 300
    tol: float = 1e-6
    # As in all estimators.
    random_state: Any = None
    verbose: bool = False
    callback: Any = None

    _in_paper: ClassVar = {
        "power": Printed(2, "Squared distances cannot be drawn exactly in a plane."),
    }
    _keeps: ClassVar = (
        "Preserves all distances, relative to their size; labels are not used."
    )
    _training_data = ("embedding_",)
    _learned: ClassVar[Learned] = {
        "stress_": finite(0),
        "loss_curve_": curve(),
        "n_iter_": whole(0),
        "agreement_": either(one_of(None), finite(0, 1)),
    }
    _rules: ClassVar = {
        "weights": either(
            one_of("uniform", "prototype", "object"),
            Rule("a sparse matrix", issparse),
            array(2),
        ),
        "power": number(above=0),
        "solver": one_of("lbfgs", "smacof"),
        "n_init": whole(1),
        "max_iter": whole(1),
        "tol": number(low=0),
    }

    def fit(self, X, y=None, *, is_prototype=None) -> Self:
        """Compute the map of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples and prototypes, or their dissimilarities if ``metric`` is
            "precomputed".
        y : array-like of shape (n_samples,), default=None
            Classes of the prototypes, and predicted classes of the samples. Required
            for ``weights="prototype"``.
        is_prototype : array-like of bool, shape (n_samples,), default=None
            Mask of prototypes. Required for the weights "prototype" and "object".

        Returns
        -------
        self : WeightedMDS
            The fitted map.
        """
        self.fit_transform(X, y, is_prototype=is_prototype)
        return self

    @reports_to_callbacks
    def fit_transform(self, X, y=None, *, is_prototype=None) -> Array:
        """Compute the map of X and return it.

        Parameters
        ----------
        X, y, is_prototype : array-like
            As in ``fit``.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            The map.
        """
        check_params(self)
        given = self._space(X, y)
        is_prototype = checked_prototypes(is_prototype, given.n)
        W = self._given_weights(y, is_prototype, given.n)

        first, group = given.distinct()
        different = given if len(first) == given.n else given.subset(first)
        W = merged_weights(W, group, different.n)
        check_linked(W, first)
        self.embedding_ = on_principal_axes(self._best_map(different, W, group)[group])

        self.agreement_ = None
        if is_prototype is not None and y is not None and not is_prototype.all():
            self.agreement_ = picture_agreement(self.embedding_, y, is_prototype)
        return self.embedding_

    def _given_weights(self, y, is_prototype, n):
        """Return the weights of all pairs: None if uniform, an array, or sparse."""
        if not isinstance(self.weights, str):
            return checked_weights(self.weights, n)
        if self.weights == "uniform":
            return None
        if is_prototype is None or (self.weights == "prototype" and y is None):
            raise refused(
                f"weights={self.weights!r} needs the argument is_prototype. "
                "Call fit(X, y, is_prototype=mask) with one True or False per sample "
                "and the classes in y.",
                parameter="weights",
            )
        if self.weights == "object":
            return object_weights(is_prototype)
        return prototype_weights(y, is_prototype)

    def _best_map(self, given, W, group):
        """Return the map (n, q) with the lowest stress of all starts, and store it."""
        if given.n == 1:
            self.stress_, self.loss_curve_, self.n_iter_ = 0.0, [], 0
            return np.zeros((1, self.n_components))
        pairs = weighted_pairs(given, W, self.power)
        evaluate = stress_and_gradient(pairs)
        descend = lbfgs
        if self.solver == "smacof":
            descend = partial(smacof, solve=laplacian_solver(laplacian(pairs)))
        random_state = check_random_state(self.random_state)
        self.stress_ = np.inf
        total, q = self.n_init * self.max_iter, self.n_components
        with Progress.of(self, total) as progress, one_blas_thread():
            for start in range(self.n_init):
                init = "random" if start else "pca"
                Z = initial_map(init, given, q, random_state, owner="WeightedMDS")
                Z = fitted_size(Z.T, pairs)
                watch = _StartWatch(progress, start, pairs.unit, group)
                rules = {"max_iter": self.max_iter, "tol": self.tol}
                Z, stress = descend(evaluate, Z, **rules, on_iteration=watch)
                if stress < self.stress_:
                    best, self.stress_ = Z, stress
                    self.loss_curve_, self.n_iter_ = watch.curve, len(watch.curve)
                if watch.stopped:
                    break
        return best.T * pairs.unit


class _StartWatch:
    """Stores the loss curve of one start and reports each iteration."""

    def __init__(self, progress, start, unit, group):
        self.progress, self.start = progress, start
        self.unit, self.group = unit, group
        self.curve, self.stopped = [], False

    def __call__(self, Z, stress):
        self.curve.append(stress)
        if self.progress.watched:
            self.stopped = self.progress.step(
                len(self.curve),
                stress,
                named="stress",
                start=self.start,
                embedding=Z.T[self.group] * self.unit,
            )
        return self.stopped
