"""k-means in each class: the simplest prototype classifier."""

from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.estimator import shared_parameters
from labelscape._core.params import either, number, whole
from labelscape._core.threads import one_blas_thread, one_openmp_thread
from labelscape.prototypes.grow._base import GROUP_TEXTS, EuclideanPrototypes


@shared_parameters(GROUP_TEXTS)
class KMeansPrototypes(EuclideanPrototypes):
    r"""Classifier whose prototypes are the k-means centers of each class.

    This is the simplest prototype classifier, a baseline for the others. With ``k=1``
    it is the nearest-centroid classifier.

    Parameters
    ----------
    k : int or float, default=0.1
        An int is the number of prototypes per class. A float up to 1.0 is a fraction of
        the samples of each class (at least one prototype). A class with fewer distinct
        samples gets one prototype for each of them.
    {alpha_for_quality}
    n_init : int, default=5
        Number of k-means runs per class; the best result is used.
    random_state : int, RandomState instance or None, default=None
        Seed of the starting points.

    Attributes
    ----------
    {classes}
    prototypes_ : ndarray of shape (n_prototypes, n_features)
        Centers, sorted by class.
    members_ : list of ndarray
        Indices of the training samples that each prototype represents.
    weights_ : list of ndarray
        Weights of these samples in the prototype: equal, with the sum 1.
    {groups}
    history_ : dict of ndarray
        ``quality`` and ``n_prototypes``, as for `PushAndGrow`, each with one value.
    loss_curve_ : list of float
        A single value, ``1 - quality``.
    n_iter_ : int
        Number of k-means iterations, in the class that needed most.
    {seen}

    See Also
    --------
    PushAndGrow : Classifier that chooses the number of prototypes and moves them.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.prototypes import KMeansPrototypes
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KMeansPrototypes(k=2, random_state=0).fit(X, y)
    >>> model.prototypes_.shape, model.compression_
    ((6, 4), 25.0)
    """

    _keeps: ClassVar = "Uses the k-means centers of each class as prototypes."
    _rules: ClassVar = {
        "k": either(whole(1), number(above=0.0, high=1.0)),
        "n_init": whole(1),
    }

    def __init__(self, k=0.1, *, alpha=2.0, n_init=5, random_state=None) -> None:
        self.k = k
        self.alpha = alpha
        self.n_init = n_init
        self.random_state = random_state

    def _find(self, space, classes):
        rng = check_random_state(self.random_state)
        group, owners = np.empty(len(classes), dtype=int), list[int]()
        self.n_iter_ = 0
        for c in range(len(self.classes_)):
            rows = np.flatnonzero(classes == c)
            cluster, n_iter = self._clusters(space.X[rows], rng)
            group[rows] = len(owners) + cluster
            owners += [c] * (cluster.max() + 1)
            self.n_iter_ = max(self.n_iter_, n_iter)

        owner, weights = np.array(owners), np.ones(len(classes))
        prototypes = space.means(group, weights, len(owner))
        model = self._measured(space, classes, prototypes, owner, group, weights)
        self.loss_curve_ = [float(1.0 - model.quality)]
        self.history_ = {
            "quality": np.array([model.quality]),
            "n_prototypes": np.array([len(owner)]),
        }
        return model

    def _clusters(self, X, rng):
        """Return the clusters of the samples of a class, and the iteration count."""
        from sklearn.cluster import KMeans  # slow to import

        distinct, copies = np.unique(X, axis=0, return_inverse=True)
        k = self.k if isinstance(self.k, int | np.integer) else round(self.k * len(X))
        k = min(max(1, k), len(distinct))
        if k in (1, len(distinct)):
            return (np.zeros(len(X), dtype=int) if k == 1 else copies), 1
        # With more threads, the order of sums would depend on the number of threads.
        with one_blas_thread(), one_openmp_thread():
            kmeans = KMeans(k, n_init=self.n_init, random_state=rng).fit(X)
        return np.unique(kmeans.labels_, return_inverse=True)[1], kmeans.n_iter_
