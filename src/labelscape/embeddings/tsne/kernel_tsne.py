"""Kernel t-SNE: t-SNE that can place new samples."""

from typing import ClassVar

from labelscape._core.checks import check_X
from labelscape._core.estimator import (
    AsInPaper,
    reports_to_callbacks,
    shared_parameters,
)
from labelscape._core.params import check_params
from labelscape._core.points.distances import nearest_neighbors
from labelscape._core.points.spaces import Points
from labelscape.embeddings._base import MAP_TEXTS
from labelscape.embeddings.kernel_map._placement import (
    KERNEL_TEXTS,
    KernelPlacement,
)
from labelscape.embeddings.tsne._engine import (
    KERNELS_IN_PAPER,
    TSNE_TEXTS,
    PartlyFitted,
    TSNEMap,
    drawn_objects,
)


@shared_parameters(KERNEL_TEXTS | MAP_TEXTS | TSNE_TEXTS)
class KernelTSNE(AsInPaper, PartlyFitted, TSNEMap, KernelPlacement):
    """t-SNE with places for new samples.

    Neighbors in the data are neighbors on the map; labels are not used. New samples
    are placed by kernels around the fitted ones, see :class:`KernelMap`.

    Parameters
    ----------
    {tsne}
    train_size : int, float, "auto" or None, default=None
        How many of the samples, or which share of them, the map is fitted to. The
        others are placed as new samples are. None: fit all; "auto": no more than 5000.
    {kernels}
    {optimization}
    {seed}
    {verbose}
    {callback}

    Attributes
    ----------
    {tsne_attributes}
    {kernel_attributes}
    train_indices_ : ndarray of shape (n_fitted,)
        Which samples the map was fitted to. ``embedding_`` has a row for each sample,
        fitted or placed.
    training_X_ : ndarray of shape (n_fitted, n_features)
        The fitted samples; ``center_indices_`` counts in these.

    See Also
    --------
    FisherKernelTSNE : The same in a metric that follows the labels.
    KernelMap : New objects on any other map.

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

    def __init__(
        self,
        n_components=2,
        perplexity="auto",
        *,
        train_size=None,
        bandwidth="cv",
        bandwidth_factor=0.1,
        ridge=1e-3,
        n_centers=None,
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
        self.train_size = train_size
        self.bandwidth = bandwidth
        self.bandwidth_factor = bandwidth_factor
        self.ridge = ridge
        self.n_centers = n_centers
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
        """Compute the map of X and return it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        y : None
            Not used.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            The map.
        """
        check_params(self)
        X, name = check_X(self, X), type(self).__name__
        drawn = drawn_objects(
            self.train_size, None, len(X), self.random_state, owner=name
        )
        fitted = X if self.train_size is None else X[drawn]
        k = self._count_neighbors(len(fitted))
        neighbors, distances = nearest_neighbors(fitted, k)
        Z = self._tsne_map(fitted, distances, neighbors)
        self._learn_places(fitted, Z, Points(fitted))
        self.train_indices_ = drawn
        return self._with_others(X, Z)
