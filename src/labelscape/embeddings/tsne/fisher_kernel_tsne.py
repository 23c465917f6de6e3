"""Fisher kernel t-SNE: a map by labels, on which new samples need none."""

from typing import ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelscape._core.estimator import AsInPaper, shared_parameters
from labelscape._core.learned import (
    Attribute,
    Learned,
    optional,
    or_none,
    part,
    resolved,
)
from labelscape._core.points.spaces import Dissimilarities
from labelscape.embeddings._base import MAP_TEXTS
from labelscape.embeddings.kernel_map._placement import (
    KERNEL_TEXTS,
    KernelPlacement,
    check_metric,
)
from labelscape.embeddings.tsne._engine import (
    FISHER_IN_PAPER,
    FISHER_TEXTS,
    KERNELS_IN_PAPER,
    TSNE_TEXTS,
    LabeledTSNE,
)
from labelscape.embeddings.tsne.cross_fitted_tsne import CrossFittedTSNE
from labelscape.geometry._internal import warn_if_saturated

# What only maps that place by kernels have.
KERNELS = ("center_indices_", "widths_", "coefficients_", "factor_")
# What a map by kernels and a cross-fitted one both learn.
SHARED = (
    "embedding_",
    "feature_names_in_",
    "kl_divergence_",
    "metric_",
    "n_features_in_",
    "n_iter_",
    "perplexity_",
    "train_indices_",
    "training_X_",
)


def _of_kernels(name):
    """Return the declaration of what maps lack whose metric is cross-fitted."""

    def for_model(model):
        attribute = resolved(KernelPlacement._learned[name], model)
        return (
            attribute
            if getattr(model, "cross_fitted_", None) is None
            else optional(attribute)
        )

    return for_model


@shared_parameters(FISHER_TEXTS | KERNEL_TEXTS | MAP_TEXTS | TSNE_TEXTS)
class FisherKernelTSNE(AsInPaper, LabeledTSNE, KernelPlacement):
    """t-SNE in a metric that follows the labels, with places for new samples.

    Labels shape the metric and nothing else, and new samples are placed without any. So
    one can measure how much of the separation is real: compare fitted with new samples,
    or use :func:`labelscape.quality.honesty`.

    With ``metric=FisherMetric(estimator="auto")`` the map is a
    :class:`CrossFittedTSNE`, which shows new samples as it shows fitted ones.

    Parameters
    ----------
    {tsne}
    {fisher}
    train_size : int, float, "auto" or None, default=None
        How many of the samples, or which share of them, the map is fitted to, drawn
        from each class alike. The others are placed as new samples are, without their
        labels. None: fit all; "auto": no more than 5000.
    {kernels}
    {optimization}
    {seed}
    {verbose}
    {callback}

    Attributes
    ----------
    {tsne_attributes}
    {fisher_attributes}
    {kernel_attributes}
    train_indices_ : ndarray of shape (n_fitted,)
        Which samples the map was fitted to. ``embedding_`` has a row for each sample,
        fitted or placed.
    training_X_ : ndarray of shape (n_fitted, n_features)
        The fitted samples; ``center_indices_`` counts in these.
    cross_fitted_ : CrossFittedTSNE or None
        The map itself, if the metric is cross-fitted; there are no kernels then.

    See Also
    --------
    CrossFittedTSNE : The map for metrics that are cross-fitted.
    FisherTSNE : For many objects, without places for new ones.
    KernelTSNE : The same without labels.

    Notes
    -----
    Works out the nearest neighbors of each sample, and the distances among the samples
    that have a kernel, 3000 at most unless ``n_centers`` says otherwise; never n × n of
    more samples. New samples are measured against the kernels that carry weight: those
    left out weigh less than 1e-4 together, so that a place is within 1e-4 of the size
    of the map. The paper fits a tenth of the data, ``train_size=0.1``.

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
        "Keeps neighbors together, by distances along which the class changes; can "
        "place new rows."
    )
    _in_paper: ClassVar = FISHER_IN_PAPER | KERNELS_IN_PAPER
    _learned: ClassVar[Learned] = {
        "metric_": Attribute(check_metric),
        **{name: _of_kernels(name) for name in KERNELS},
        "cross_fitted_": or_none(part("transform", kind=CrossFittedTSNE)),
    }

    def __init__(
        self,
        n_components=2,
        perplexity="auto",
        *,
        metric=None,
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
        self.metric = metric
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

    def _fit_map(self, X, y, groups):
        self.cross_fitted_ = None
        for name in KERNELS:
            vars(self).pop(name, None)  # of an earlier fit
        if self.metric is None or not self.metric.is_cross_fitted:
            return super()._fit_map(X, y, groups)
        own = self.get_params(deep=False)
        names = own.keys() & CrossFittedTSNE().get_params(deep=False).keys()
        inner = CrossFittedTSNE(**{name: own[name] for name in names}).fit(X, y, groups)
        learned = {k: v for k, v in vars(inner).items() if k in SHARED}
        vars(self).update(learned, cross_fitted_=inner)
        return self.embedding_

    def _map_of(self, X, y, k):
        space, distances, indices = self._neighbors(len(X), k)
        Z = self._tsne_map(X, distances, indices)
        self._learn_places(X, Z, space)
        return Z

    def transform(self, X):
        """Place new samples on the map; those fitted stay where they are.

        Labels are not used. A sample that equals a fitted one gets its place, all
        others the mean of places that kernels give.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            New samples.

        Returns
        -------
        Z : ndarray of shape (n_new, n_components)
            Their places.
        """
        check_is_fitted(self)
        return (self.cross_fitted_ or super()).transform(X)

    def support(self, X):
        """Return how far samples are from the data, in what is usual there.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            Samples, as for ``transform``.

        Returns
        -------
        distances : ndarray of shape (n_new,)
            Smallest distance to a center divided by its width. Compare with the values
            of held-out samples: the map says nothing about those that are far above.
        """
        check_is_fitted(self)
        return (self.cross_fitted_ or super()).support(X)

    def _neighbors(self, n, k):
        """Return the space or None, and distances and indices (n, k) of the nearest.

        Where all samples have a kernel, widths take all distances anyway.
        """
        if self._count_centers(n) == n or self.metric_.method == "graph":
            space = Dissimilarities(self.metric_.pairwise())
            indices, distances = space.kneighbors(k)
            return space, distances, indices
        distances, indices = self.metric_.kneighbors(n_neighbors=k)
        own = np.zeros((n, 1))
        warn_if_saturated(np.hstack([own, distances]), k - 1, owner=type(self).__name__)
        return None, distances, indices
