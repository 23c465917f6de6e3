"""Nearest neighbours as a classifier: what the eye does with a coloured map."""

import numpy as np

from labelscape._core.docs import shared_parameters
from labelscape._core.points.spaces import METRIC_TEXTS, space_of
from labelscape._core.rules import check_argument, whole
from labelscape.quality._neighborhoods import class_codes


@shared_parameters(METRIC_TEXTS)
def knn_accuracy(embedding, y, n_neighbors=1, metric="euclidean"):
    """Return how often the nearest other points of a map have a point's own class.

    Leave-one-out: a point is left out by index, so its duplicates stay in.

    Parameters
    ----------
    embedding : array-like of shape (n, q), or (n, n) with ``metric="precomputed"``
        Positions. The original data are as welcome: compare the two.
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
    space = space_of(embedding, metric, owner=owner)
    codes = class_codes(y, space.n, owner=owner)
    check_argument(owner, "n_neighbors", n_neighbors, whole(1, max(space.n - 1, 1)))
    neighbors, _ = space.kneighbors(n_neighbors)
    hits = vote(codes[neighbors], codes.max() + 1) == codes
    return float(hits.mean())


def vote(neighbor_codes, n_classes):
    """Return the class with most votes in each row; ties go to the nearer class."""
    n, k = neighbor_codes.shape
    scores = np.zeros((n, n_classes))
    rows = np.arange(n)
    # From the farthest to the nearest: a vote counts 1, and being seen nearer breaks
    # ties by less than a vote.
    nearness = np.zeros((n, n_classes))
    for position in range(k - 1, -1, -1):
        scores[rows, neighbor_codes[:, position]] += 1.0
        nearness[rows, neighbor_codes[:, position]] = (k - position) / (k + 1.0)
    return np.argmax(scores + nearness, axis=1)
