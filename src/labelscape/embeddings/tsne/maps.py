"""KernelTSNE, FisherKernelTSNE, FisherTSNE and FisherMDS."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from labelscape._core.checks import check_X
from labelscape._core.estimator import (
    AsInPaper,
    reports_to_callbacks,
    shared_parameters,
)
from labelscape._core.learned import Attribute, Learned
from labelscape._core.params import check_params
from labelscape._core.points.distances import nearest_neighbors
from labelscape._core.points.spaces import Dissimilarities, Points
from labelscape._core.types import Array
from labelscape.embeddings._base import MapEstimator
from labelscape.embeddings.kernel_map._placement import KernelPlacement, check_metric
from labelscape.embeddings.tsne._base import (
    KERNELS_IN_PAPER,
    TSNE_TEXTS,
    PartlyFitted,
    TSNEMap,
    affinities,
    drawn_samples,
)
from labelscape.embeddings.tsne._fisher import (
    FISHER_IN_PAPER,
    FisherMap,
    LabeledTSNE,
)
from labelscape.embeddings.weighted_mds.estimator import MDS_TEXTS, WeightedMDS


@shared_parameters(TSNE_TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class KernelTSNE(AsInPaper, PartlyFitted, KernelPlacement):
    """t-SNE that can place new samples.

    Neighbors in the data are neighbors on the map; labels are not used. New samples are
    placed with kernels around the fitted samples, see :class:`KernelMap`.

    Parameters
    ----------
    {tsne}
    {train_size}
    {kernels}
    {run}

    Attributes
    ----------
    {tsne_attributes}
    {kernel_attributes}
    {partly_fitted}
    {seen}

    See Also
    --------
    FisherKernelTSNE : A similar map, with a metric that is learned from the labels.
    KernelMap : Places new samples on any other map.

    References
    ----------
    A. Gisbrecht, A. Schulz, B. Hammer. Parametric nonlinear dimensionality reduction
    using kernel t-SNE. Neurocomputing, 2015. P. G. Poličar, M. Stražar, B. Zupan.
    openTSNE: a modular Python library for t-SNE. Journal of Statistical Software, 2024.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import KernelTSNE
    >>> X, _ = load_iris(return_X_y=True)
    >>> model = KernelTSNE(perplexity=15, random_state=0).fit(X[::2])
    >>> model.transform(X[1::2]).shape
    (75, 2)
    """

    _keeps: ClassVar = (
        "Keeps close neighbors together, in clusters; can place new rows; labels are "
        "not used."
    )

    _in_paper: ClassVar = KERNELS_IN_PAPER

    metric = "euclidean"

    @reports_to_callbacks
    @shared_parameters(TSNE_TEXTS)
    def fit_transform(self, X, y=None) -> Array:
        """Compute the map of X and return it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        y : None
            Not used.

        {map}
        """
        check_params(self)
        X = check_X(self, X)
        n, state = len(X), self.random_state
        drawn = drawn_samples(self.train_size, None, n, state, owner="KernelTSNE")
        fitted = X if self.train_size is None else X[drawn]
        k = self._count_neighbors(len(fitted))
        neighbors, distances = nearest_neighbors(fitted, k)
        P = affinities(distances, neighbors, self.perplexity_)
        Z = self._tsne_map(fitted, P)
        self._learn_places(fitted, Z, Points(fitted))
        return self._with_others(X, Z, drawn)


@shared_parameters(TSNE_TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class FisherKernelTSNE(AsInPaper, LabeledTSNE, KernelPlacement):
    """t-SNE with a metric that is learned from the labels; it can place new samples.

    Labels are used only for the metric, and new samples are placed without labels. To
    see how much of the separation is real, compare fitted with new samples, or use
    :func:`labelscape.quality.honesty`.

    With ``metric=FisherMetric(estimator="auto")``, new samples are separated as well as
    fitted ones. :class:`CrossFittedTSNE` is faster with such a metric, and chooses the
    weight of the classes.

    Parameters
    ----------
    {tsne}
    {fisher}
    {train_size}
    {kernels}
    {run}

    Attributes
    ----------
    {tsne_attributes}
    {fisher_attributes}
    {kernel_attributes}
    {partly_fitted}
    {seen}

    See Also
    --------
    CrossFittedTSNE : A map of features and cross-fitted class probabilities.
    FisherTSNE : A map for many samples; it cannot place new samples.
    KernelTSNE : The same method without labels.

    Notes
    -----
    The fit computes the nearest neighbors of each sample, and the distances between
    samples that have a kernel (at most 3000 unless ``n_centers`` is given), but not all
    n × n distances. The position of a new sample is computed without distant
    kernels, with an error below 1e-4 of the size of the map. The paper uses a tenth of
    the data, ``train_size=0.1``.

    References
    ----------
    B. Hammer, A. Gisbrecht, A. Schulz. Applications of discriminative dimensionality
    reduction. ICPRAM 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import FisherKernelTSNE
    >>> X, y = load_iris(return_X_y=True)
    >>> model = FisherKernelTSNE(perplexity=15, random_state=0).fit(X[::2], y[::2])
    >>> model.transform(X[1::2]).shape
    (75, 2)
    """

    _keeps: ClassVar = (
        "Keeps neighbors together, with distances that grow only where the class "
        "changes; can place new rows."
    )
    _in_paper: ClassVar = FISHER_IN_PAPER | KERNELS_IN_PAPER
    _learned: ClassVar[Learned] = {"metric_": Attribute(check_metric)}

    def _fit_map(self, X, y, groups, correct_for=None):
        if correct_for is not None:
            raise self._error(
                "correct_for needs a cross-fitted map: use CrossFittedTSNE.",
                "correct_for",
            )
        return super()._fit_map(X, y, groups)

    def _map_of(self, X, y, k):
        space = None
        if self._count_centers(len(X)) == len(X) or self.metric_.method == "graph":
            # The widths need all distances.
            space = Dissimilarities(self.metric_.pairwise())
            indices, distances = space.kneighbors(k)
        else:
            distances, indices = self._nearest(k)
        P = affinities(distances, indices, self.perplexity_)
        Z = self._tsne_map(X, P)
        self._learn_places(X, Z, space)
        return Z


@shared_parameters(TSNE_TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class FisherTSNE(AsInPaper, FisherMap, TSNEMap, MapEstimator):
    """t-SNE with a metric that is learned from the labels (Fisher metric).

    Samples are near each other if the class probabilities change little between them.
    Only the nearest neighbors are computed, not all n × n distances.

    Parameters
    ----------
    {tsne}
    {fisher}
    {run}

    Attributes
    ----------
    {tsne_attributes}
    {fisher_attributes}
    {seen}

    See Also
    --------
    FisherKernelTSNE : A similar map, which can place new samples.
    FisherMDS : Map that preserves all Fisher distances rather than neighbors.

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
        "Keeps neighbors together, with distances that grow only where the class "
        "changes."
    )

    _in_paper: ClassVar = FISHER_IN_PAPER
    _training_data = ("embedding_", "metric_")

    @reports_to_callbacks
    @shared_parameters(TSNE_TEXTS)
    def fit_transform(self, X, y=None) -> Array:
        """Compute the map of labeled samples and return it.

        Parameters
        ----------
        {labeled}

        {map}
        """
        check_params(self)
        X = check_X(self, X)
        k = self._count_neighbors(len(X))
        self._fit_metric(X, y, None, self.random_state)
        distances, indices = self._nearest(k)
        P = affinities(distances, indices, self.perplexity_)
        self.embedding_ = self._tsne_map(X, P)
        return self.embedding_


@shared_parameters(TSNE_TEXTS | MDS_TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class FisherMDS(AsInPaper, FisherMap, MapEstimator):
    """Multidimensional scaling with a metric that is learned from the labels.

    Samples are far apart on the map if the class probabilities change a lot between
    them. t-SNE preserves neighbors; this map preserves the arrangement of classes.

    Parameters
    ----------
    {components}
    {fisher}
    n_init : int, default=1
        Number of starts: the first from classical MDS, the others random.
    {iterations}
    {seed}
    {verbose}
    callback : callable or None, default=None
        As for :class:`WeightedMDS`, which computes the map.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The map, centered and on its principal axes.
    stress_ : float
        Error of the map relative to the distances; 0 means an exact map.
    {curve}
    {fisher_attributes}
    {seen}

    See Also
    --------
    FisherTSNE : Map that preserves neighbors rather than all distances.
    KernelMap : Adds ``transform`` to any map.

    Notes
    -----
    All n × n distances are kept in memory. ``KernelMap(FisherMDS(),
    metric=FisherMetric())`` places new samples, with a metric of the same kind.

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

    n_components: int = field(default=2, kw_only=False)
    n_init: int = 1
    max_iter: int = 300
    tol: float = 1e-6
    # As in all estimators.
    random_state: Any = None
    verbose: bool = False
    callback: Any = None

    _keeps: ClassVar = "Preserves distances that grow only where the class changes."

    _in_paper: ClassVar = FISHER_IN_PAPER
    _training_data = ("embedding_", "metric_")
    _rules: ClassVar = {
        name: WeightedMDS._rules[name] for name in ("n_init", "max_iter", "tol")
    }
    _learned: ClassVar[Learned] = {
        name: WeightedMDS._learned[name]
        for name in ("stress_", "loss_curve_", "n_iter_")
    }

    @reports_to_callbacks
    @shared_parameters(TSNE_TEXTS)
    def fit_transform(self, X, y=None) -> Array:
        """Compute the map of labeled samples and return it.

        Parameters
        ----------
        {labeled}

        {map}
        """
        check_params(self)
        X = check_X(self, X)
        self._check_room(len(X))
        self._fit_metric(X, y, None, self.random_state)
        parameters = self.get_params(deep=False) | {"metric": "precomputed"}
        mds = WeightedMDS(**parameters).fit(self.metric_.pairwise(X))
        self.embedding_, self.stress_ = mds.embedding_, mds.stress_
        self.loss_curve_, self.n_iter_ = mds.loss_curve_, mds.n_iter_
        return self.embedding_

    def _check_room(self, n):
        """Raise an error if distances and weights of all pairs do not fit in memory."""
        try:
            np.empty((2, n, n))
        except MemoryError:
            words = (
                f"the distances of {n:,} samples need at least {16 * n**2 / 1e9:,.0f} "
                "GB of memory, more than is free. Fit the map to some of the samples, "
                "and place the others: LandmarkMap(FisherMDS(), n_landmarks=2000)."
            )
            raise self._error(words) from None
