"""Fisher kernel t-SNE: a map by labels, on which new objects need none."""

from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.checks import check_labels, check_X
from labelscape._core.docs import shared_parameters
from labelscape._core.errors import InputError
from labelscape._core.points.spaces import Dissimilarities
from labelscape._core.rules import check_params, either, number, one_of, whole
from labelscape._core.sampling import drawn_by_class
from labelscape._core.state import Attribute, Learned, indices, numbers
from labelscape.embeddings._docs import MAP_TEXTS
from labelscape.embeddings.kernel_map._docs import KERNEL_TEXTS
from labelscape.embeddings.kernel_map._placement import KernelPlacement, check_metric
from labelscape.embeddings.tsne._engine import TSNE_TEXTS, TSNEMap
from labelscape.embeddings.tsne._fisher import FISHER_TEXTS, FisherMap
from labelscape.geometry._internal import distances_among, warn_if_saturated


@shared_parameters(FISHER_TEXTS | KERNEL_TEXTS | MAP_TEXTS | TSNE_TEXTS)
class FisherKernelTSNE(FisherMap, TSNEMap, KernelPlacement):
    """t-SNE in a metric that follows the labels, with places for new objects.

    Labels shape the metric and nothing else, and new objects are placed without any. So
    it can be told how much of the separation is real: compare fitted with new objects,
    or ask :func:`labelscape.quality.honesty`.

    Parameters
    ----------
    {tsne}
    {fisher}
    train_size : int, float or None, default=None
        How many of the objects, or which share of them, the map is fitted to, drawn
        from each class alike. The others are placed as new objects are, without their
        labels. None: fit all.
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
        Which objects the map was fitted to. ``embedding_`` has a row for each object,
        fitted or placed.
    training_X_ : ndarray of shape (n_fitted, n_features)
        The fitted objects; ``center_indices_`` counts in these.

    See Also
    --------
    FisherTSNE : For many objects, without places for new ones.
    KernelTSNE : The same without labels.

    Notes
    -----
    Works out the nearest neighbours of each object, and the distances among the objects
    that have a kernel, 3000 at most unless ``n_centers`` says otherwise; never n × n of
    more objects. New objects are measured against the kernels that carry weight: those
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
        "Keeps neighbours together by distances that count only what changes the "
        "class, and can place new rows."
    )
    _rules: ClassVar = {
        "train_size": either(one_of(None), whole(3), number(above=0, below=1)),
    }
    _learned: ClassVar[Learned] = {
        "embedding_": numbers("mapped objects", "components"),
        "metric_": Attribute(check_metric),
        "train_indices_": indices("objects", of="mapped objects"),
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
        X, name = check_X(self, X), type(self).__name__
        n, state = len(X), self.random_state
        drawn = drawn_objects(self.train_size, y, n, state, owner=name)
        fitted = X[drawn]
        if self.train_size is not None and y is not None:
            y = np.asarray(y)[drawn]
        k = self._count_neighbors(len(fitted))
        self.metric_ = self._fitted_metric(fitted, y)
        space, distances, indices = self._neighbors(len(fitted), k)
        Z = self._tsne_map(fitted, distances, indices)
        self._learn_places(fitted, Z, space)
        self.train_indices_ = drawn
        self.embedding_ = np.empty((n, Z.shape[1]))
        self.embedding_[drawn] = Z
        others = np.delete(np.arange(n), drawn)
        if len(others):
            self.embedding_[others] = self._placed(X[others])
        return self.embedding_

    def _fitted_places(self):
        return self.embedding_[self.train_indices_]

    def _neighbors(self, n, k):
        """Return the space, and distances and indices (n, k) of the nearest.

        Where all objects have a kernel, widths take all distances anyway.
        """
        if self._count_centers(n) == n or self.metric_.method == "graph":
            space = Dissimilarities(self.metric_.pairwise())
            indices, distances = space.kneighbors(k)
            return space, distances, indices
        distances, indices = self.metric_.kneighbors(n_neighbors=k)
        own = np.zeros((n, 1))
        warn_if_saturated(np.hstack([own, distances]), k - 1, owner=type(self).__name__)
        return FisherSpace(self.metric_), distances, indices


class FisherSpace:
    """The objects that a metric was fitted to: only some may be measured, never all."""

    def __init__(self, metric):
        self.metric = metric

    def subset(self, index):
        """Return the space of some of the objects."""
        return Dissimilarities(distances_among(self.metric, index))


# Which objects a map is fitted to, where it is not fitted to all.


def drawn_objects(train_size, y, n, random_state, *, owner):
    """Return the sorted indices of the objects to fit, from each class its share.

    Parameters
    ----------
    train_size : int, float or None
        How many, which share, or None for all.
    y : array-like of shape (n,) or None
        Class labels; None to draw from all objects alike.
    n : int
        Number of objects.
    random_state : int, RandomState or None
        Draws them.
    owner : str
        Whose error messages these are.
    """
    if train_size is None:
        return np.arange(n)
    count = train_size
    if isinstance(train_size, float | np.floating):
        count = int(np.ceil(train_size * n))
    if count > n:
        raise InputError(
            f"train_size={train_size} is more than the {n} objects in X. Give "
            "fewer, a share between 0 and 1, or None for all.",
            owner=owner,
            parameter="train_size",
        )
    class_of = np.zeros(n, dtype=int)
    if y is not None:
        class_of = check_labels(y, n, owner=owner)[1]
    return drawn_by_class(class_of, count, check_random_state(random_state))
