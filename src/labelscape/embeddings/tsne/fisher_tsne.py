"""Fisher t-SNE: neighbours are those between which the classes do not change."""

from typing import ClassVar

import numpy as np

from labelscape._core.checks import check_X
from labelscape._core.docs import shared_parameters
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.rules import check_params
from labelscape.embeddings._base import MapEstimator
from labelscape.embeddings._docs import MAP_TEXTS
from labelscape.embeddings.tsne._engine import TSNE_TEXTS, TSNEMap
from labelscape.embeddings.tsne._fisher import FISHER_TEXTS, FisherMap
from labelscape.geometry._internal import warn_if_saturated


@shared_parameters(FISHER_TEXTS | MAP_TEXTS | TSNE_TEXTS)
class FisherTSNE(FisherMap, TSNEMap, MapEstimator):
    """t-SNE in a metric that follows the labels.

    Objects are near if the class probabilities change little between them. Only the
    nearest neighbours are worked out, so n × n distances are never held.

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
        "Keeps neighbours together by distances that count only what changes the class."
    )

    # What the model remembers of its objects; model files leave it out.
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

    @tells_callbacks
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
        check_params(self)
        X = check_X(self, X)
        k = self._count_neighbors(len(X))
        self.metric_ = self._fitted_metric(X, y)
        distances, indices = self.metric_.kneighbors(n_neighbors=k)
        own = np.zeros((len(X), 1))
        warn_if_saturated(np.hstack([own, distances]), k - 1, owner="FisherTSNE")
        self.embedding_ = self._tsne_map(X, distances, indices)
        return self.embedding_
