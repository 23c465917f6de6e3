"""Fisher kernel t-SNE: a map by labels, on which new objects need none."""

import numpy as np

from labelscape._core.checks import check_params, check_X
from labelscape._core.docs import shared_parameters
from labelscape._core.ranks import neighbour_order
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.embeddings._dissimilarities import GivenDissimilarities
from labelscape.embeddings._fisher_default import (
    FISHER_METRIC,
    FISHER_TEXTS,
    FisherMap,
    fitted_metric,
)
from labelscape.embeddings._kernel_docs import KERNEL_TEXTS
from labelscape.embeddings._kernel_placement import KERNEL_RULES, KernelPlacement
from labelscape.embeddings._tsne import (
    TSNE_RULES,
    TSNE_TEXTS,
    n_tsne_neighbors,
    tsne_map,
)


@shared_parameters(FISHER_TEXTS | KERNEL_TEXTS | TSNE_TEXTS)
class FisherKernelTSNE(FisherMap, KernelPlacement):
    """t-SNE in a metric that follows the labels, with places for new objects.

    Labels shape the metric and nothing else, and new objects are placed without any. So
    it can be told how much of the separation is real: compare fitted with new objects,
    or ask :func:`labelscape.quality.honesty`.

    Parameters
    ----------
    {tsne}
    {fisher}
    {kernels}
    {optimisation}
    {watch}

    Attributes
    ----------
    {tsne_attributes}
    {fisher_attributes}
    {kernel_attributes}
    training_X_ : ndarray of shape (n_samples, n_features)
        The fitted objects.

    See Also
    --------
    FisherTSNE : For many objects, without places for new ones.
    KernelTSNE : The same without labels.

    Notes
    -----
    Holds all n × n distances of the fitted objects. Of a large table fit a part, 5000
    objects say, and ``transform`` the rest.

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

    def __init__(
        self,
        n_components=2,
        perplexity=30,
        *,
        metric=None,
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
        self.metric = metric
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

    def fit_transform(self, X, y=None):
        """Compute the map of labelled objects and return it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects.
        y : array-like of shape (n_samples,)
            Class labels; None only if the metric has an estimator.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            The map.
        """
        check_params(self, metric=FISHER_METRIC, **TSNE_RULES, **KERNEL_RULES)
        X = check_X(self, X)
        k = n_tsne_neighbors(self, len(X))
        self.metric_ = fitted_metric(self, X, y)
        D = self.metric_.pairwise(X)
        Z = tsne_map(self, X, *_nearest(D, k))
        self._learn_places(X, Z, GivenDissimilarities(D))
        return self.embedding_


def _nearest(D, k):
    """Return distances and indices (n, k) of the nearest others of each object."""

    def block(rows):
        return neighbour_order(D[rows], np.arange(rows.start, rows.stop))[:, :k]

    indices = np.concatenate(map_blocks(block, row_blocks(len(D), 24 * len(D))))
    return np.take_along_axis(D, indices, axis=1), indices
