"""Nearest neighbours as a classifier: what the eye does with a coloured map."""

import numpy as np

from labelscape._core.distances import exact_squared_distances
from labelscape._core.rules import check_argument, whole
from labelscape._core.threads import map_blocks
from labelscape.quality._neighborhoods import blocks_of, class_codes, without_self
from labelscape.quality._spaces import original_space


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
    metric : "euclidean", "precomputed", callable or object with ``pairwise``
        How distances are measured.

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
    space = original_space(embedding, metric, owner=owner)
    codes = class_codes(y, space.n, owner=owner)
    check_argument(owner, "n_neighbors", n_neighbors, whole(1, max(space.n - 1, 1)))
    hits = vote(codes[nearest_others(space, n_neighbors)], codes.max() + 1) == codes
    return float(hits.mean())


def nearest_others(space, k):
    """Return the k nearest other points of each point, nearest first."""
    from labelscape.quality._neighbor_kernels import nearest_of_rows

    def block(rows):
        own = np.arange(rows.start, rows.stop)
        found = np.empty((len(own), k), dtype=np.int64)
        nearest_of_rows(without_self(space, own), found)
        return found

    return np.concatenate(map_blocks(block, blocks_of(space.n, space.n)))


def nearest_fitted(fitted, queries, k):
    """Return the k nearest fitted positions of each new position, nearest first."""
    from labelscape.quality._neighbor_kernels import nearest_of_rows

    def block(rows):
        found = np.empty((rows.stop - rows.start, k), dtype=np.int64)
        nearest_of_rows(exact_squared_distances(queries[rows], fitted), found)
        return found

    return np.concatenate(map_blocks(block, blocks_of(len(fitted), len(queries))))


def vote(neighbour_codes, n_classes):
    """Return the class with most votes in each row; ties go to the nearer class."""
    n, k = neighbour_codes.shape
    scores = np.zeros((n, n_classes))
    rows = np.arange(n)
    # From the farthest to the nearest: a vote counts 1, and being seen nearer breaks
    # ties by less than a vote.
    nearness = np.zeros((n, n_classes))
    for position in range(k - 1, -1, -1):
        scores[rows, neighbour_codes[:, position]] += 1.0
        nearness[rows, neighbour_codes[:, position]] = (k - position) / (k + 1.0)
    return np.argmax(scores + nearness, axis=1)
