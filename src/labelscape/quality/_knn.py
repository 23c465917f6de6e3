"""Nearest neighbours as a classifier: what the eye does with a coloured map."""

import numpy as np

from labelscape._core.docs import shared_parameters
from labelscape._core.points.spaces import METRIC_TEXTS
from labelscape._core.rules import check_argument, whole
from labelscape.quality._neighborhoods import class_codes
from labelscape.quality._spaces import data_space


@shared_parameters(METRIC_TEXTS)
def knn_accuracy(embedding, y, n_neighbors=1, metric="euclidean"):
    """Return how often the nearest other points of a map have a point's own class.

    Leave-one-out: a point is left out by index, so its duplicates stay in.

    Parameters
    ----------
    embedding : array-like of shape (n, q), or (n, n) with ``metric="precomputed"``
        Positions. The original data are as welcome, sparse ones too: compare the two.
    y : array-like of shape (n,)
        Class labels.
    n_neighbors : int, default=1
        Number of neighbours that vote; a tie goes to the class that is nearer.
    {metric}

    Returns
    -------
    float
        Share of points whose neighbours vote for their class.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import knn_accuracy
    >>> X, y = load_iris(return_X_y=True)
    >>> knn_accuracy(X, y)
    0.96
    """
    owner = "knn_accuracy"
    space = data_space(embedding, metric, owner=owner)
    codes = class_codes(y, space.n, owner=owner)
    check_argument(owner, "n_neighbors", n_neighbors, whole(1, max(space.n - 1, 1)))
    neighbors, _ = space.kneighbors(n_neighbors)
    hits = vote(codes[neighbors], codes.max() + 1) == codes
    return float(hits.mean())


def vote(neighbor_codes, n_classes, weights=None):
    """Return the class with most votes in each row; ties go to the nearer class.

    ``neighbor_codes`` (n, k) are the classes of those who vote, the nearest first; one
    of -1 has no vote. ``weights`` (n_classes,) is what a vote for each class counts.
    """
    n, k = neighbor_codes.shape
    rows = np.arange(n)
    # The last column is that of those who have no vote.
    weights = np.append(np.ones(n_classes) if weights is None else weights, 0.0)
    scores = np.zeros((n, n_classes + 1))
    for position in range(k):
        codes = neighbor_codes[:, position]
        scores[rows, codes] += weights[codes]
    best = scores.max(axis=1, keepdims=True) * (1.0 - 1e-12)
    won = np.take_along_axis(scores, neighbor_codes % (n_classes + 1), axis=1) >= best
    return neighbor_codes[rows, won.argmax(axis=1)]
