"""Maps of the fitted samples alone, in a metric that follows the labels."""

from typing import ClassVar

import numpy as np

from labelscape._core.checks import check_X
from labelscape._core.estimator import (
    AsInPaper,
    reports_to_callbacks,
    shared_parameters,
)
from labelscape._core.learned import Learned, curve
from labelscape._core.params import check_params, finite, number, whole
from labelscape.embeddings._base import MAP_TEXTS, MapEstimator
from labelscape.embeddings.tsne._engine import (
    FISHER_IN_PAPER,
    FISHER_TEXTS,
    TSNE_TEXTS,
    FisherMap,
    TSNEMap,
)
from labelscape.embeddings.weighted_mds.estimator import WeightedMDS
from labelscape.geometry._internal import warn_if_saturated


@shared_parameters(FISHER_TEXTS | MAP_TEXTS | TSNE_TEXTS)
class FisherTSNE(AsInPaper, FisherMap, TSNEMap, MapEstimator):
    """t-SNE in a metric that follows the labels.

    Samples are near if the class probabilities change little between them. Only the
    nearest neighbors are worked out, so n × n distances are never held.

    Parameters
    ----------
    {tsne}
    {fisher}
    {optimization}
    {seed}
    {verbose}
    {callback}

    Attributes
    ----------
    {tsne_attributes}
    {fisher_attributes}

    See Also
    --------
    FisherKernelTSNE : The same with places for new objects.
    FisherMDS : Keeps all Fisher distances rather than neighbours.

    References
    ----------
    B. Hammer, A. Gisbrecht, A. Schulz. Applications of discriminative dimensionality
    reduction. ICPRAM 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import FisherTSNE
    >>> X, y = load_iris(return_X_y=True)
    >>> FisherTSNE(random_state=0).fit_transform(X, y).shape
    (150, 2)
    """

    _keeps: ClassVar = (
        "Keeps neighbors together, by distances along which the class changes."
    )

    _in_paper: ClassVar = FISHER_IN_PAPER
    # What the model remembers of its samples; model files leave it out.
    _training_data = ("embedding_", "metric_")

    def __init__(
        self,
        n_components=2,
        perplexity="auto",
        *,
        metric=None,
        init="pca",
        early_exaggeration=12,
        early_exaggeration_iter=250,
        exaggeration=None,
        learning_rate="auto",
        max_iter=500,
        n_jobs=1,
        random_state=None,
        verbose=False,
        callback=None,
    ):
        self.n_components = n_components
        self.perplexity = perplexity
        self.metric = metric
        self.init = init
        self.early_exaggeration = early_exaggeration
        self.early_exaggeration_iter = early_exaggeration_iter
        self.exaggeration = exaggeration
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    @reports_to_callbacks
    def fit_transform(self, X, y=None):
        """Compute the map of labeled samples and return it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Class labels; None only if the metric has an estimator.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            The map.
        """
        check_params(self)
        X = check_X(self, X)
        k = self._count_neighbors(len(X))
        self.metric_ = self._fitted_metric(X, y)
        distances, indices = self.metric_.kneighbors(n_neighbors=k)
        own = np.zeros((len(X), 1))
        warn_if_saturated(np.hstack([own, distances]), k - 1, owner="FisherTSNE")
        self.embedding_ = self._tsne_map(X, distances, indices)
        return self.embedding_


@shared_parameters(FISHER_TEXTS | MAP_TEXTS)
class FisherMDS(AsInPaper, FisherMap, MapEstimator):
    """Multidimensional scaling in a metric that follows the labels.

    Samples are far apart on the map if the class probabilities change a lot on the way
    from one to the other. Where t-SNE keeps neighbors, this keeps the large shape:
    which classes border on which.

    Parameters
    ----------
    {components}
    {fisher}
    n_init : int, default=1
        Number of starts, the first from classical MDS, the others at random.
    max_iter : int, default=300
        Iterations of each start at most.
    tol : float, default=1e-6
        Stop when an iteration lowers the stress by less than this part of it.
    {seed}
    {verbose}
    callback : callable or None, default=None
        As for :class:`WeightedMDS`, which does the work.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The map, on its principal axes and centered.
    stress_ : float
        Error of the map, relative to the distances: 0 is exact.
    loss_curve_ : list of float
        Stress after each iteration of the best start.
    n_iter_ : int
        Iterations of the best start.
    {fisher_attributes}

    See Also
    --------
    FisherTSNE : Keeps neighbours rather than all distances.
    KernelMap : Places for new objects.

    Notes
    -----
    Holds all n × n distances. With ``KernelMap(FisherMDS(), metric=FisherMetric())``
    new samples find their places in the same kind of metric.

    References
    ----------
    B. Hammer, A. Gisbrecht, A. Schulz. Applications of discriminative dimensionality
    reduction. ICPRAM 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import FisherMDS
    >>> X, y = load_iris(return_X_y=True)
    >>> mds = FisherMDS(random_state=0).fit(X, y)
    >>> mds.embedding_.shape
    (150, 2)
    """

    _keeps: ClassVar = "Keeps distances that count only what changes the class."

    _in_paper: ClassVar = FISHER_IN_PAPER
    # What the model remembers of its samples; model files leave it out.
    _training_data = ("embedding_", "metric_")
    _rules: ClassVar = {
        "n_init": whole(1),
        "max_iter": whole(1),
        "tol": number(low=0),
    }
    _learned: ClassVar[Learned] = {
        "stress_": finite(0),
        "loss_curve_": curve(),
        "n_iter_": whole(0),
    }

    def __init__(
        self,
        n_components=2,
        *,
        metric=None,
        n_init=1,
        max_iter=300,
        tol=1e-6,
        random_state=None,
        verbose=False,
        callback=None,
    ):
        self.n_components = n_components
        self.metric = metric
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    @reports_to_callbacks
    def fit_transform(self, X, y=None):
        """Compute the map of labeled samples and return it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Class labels; None only if the metric has an estimator.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            The map.
        """
        check_params(self)
        X = check_X(self, X)
        self.metric_ = self._fitted_metric(X, y)
        parameters = self.get_params(deep=False) | {"metric": "precomputed"}
        mds = WeightedMDS(**parameters).fit(self.metric_.pairwise(X))
        self.embedding_, self.stress_ = mds.embedding_, mds.stress_
        self.loss_curve_, self.n_iter_ = mds.loss_curve_, mds.n_iter_
        return self.embedding_
