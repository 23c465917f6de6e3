"""A large data set as fewer points, for the view of the feature space."""

from typing import NamedTuple

import numpy as np
from sklearn.cluster import KMeans
from sklearn.utils import check_random_state
from threadpoolctl import threadpool_limits

from labelscape._core.checks import check_argument, number


class CompressedClasses(NamedTuple):
    """Centres of groups inside each class, and how many objects each stands for."""

    centers: np.ndarray
    labels: np.ndarray
    sizes: np.ndarray


def compress_classes(X, y, fraction=0.1, *, random_state=None):
    """Replace each class by the centres of groups inside it.

    k-means in every class, with the same fraction of its objects as centres: so small
    classes stay visible and no group mixes classes.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The objects.
    y : array-like of shape (n_samples,)
        Their classes.
    fraction : float, default=0.1
        Centres per object: ``max(1, round(fraction * n_c))`` in a class of n_c objects,
        but not more than it has different ones.
    random_state : int, RandomState or None, default=None
        Seed of k-means.

    Returns
    -------
    compressed : CompressedClasses
        ``centers`` of shape (n_centers, n_features), their ``labels``, and ``sizes``:
        the number of objects of each, to be drawn as the size of the point.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import compress_classes
    >>> X, y = load_iris(return_X_y=True)
    >>> compressed = compress_classes(X, y, random_state=0)
    >>> compressed.centers.shape, int(compressed.sizes.sum())
    ((15, 4), 150)
    """
    check_argument("compress_classes", "fraction", fraction, number(above=0, high=1))
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
    random_state = check_random_state(random_state)
    centers, labels, sizes = [], [], []
    for label in np.unique(y):
        Xc = X[y == label]
        k = min(max(1, round(fraction * len(Xc))), len(np.unique(Xc, axis=0)))
        # The threads of k-means add their sums up in any order.
        with threadpool_limits(1):
            group = KMeans(k, n_init=4, random_state=random_state).fit_predict(Xc)
        centers += [Xc[group == g].mean(axis=0) for g in range(k)]
        sizes.append(np.bincount(group, minlength=k))
        labels.append(np.full(k, label))
    return CompressedClasses(
        np.array(centers), np.concatenate(labels), np.concatenate(sizes)
    )
