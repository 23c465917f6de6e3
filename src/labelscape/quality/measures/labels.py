"""Measures with labels: nearest neighbors, and the separation of classes."""

import numpy as np

from labelscape._core.estimator import shared_parameters
from labelscape._core.params import check_argument, whole
from labelscape._core.points.spaces import METRIC_TEXTS
from labelscape._resampling.voters import vote
from labelscape.quality.measures.neighborhoods import (
    both_spaces,
    class_codes,
    data_space,
)


@shared_parameters(METRIC_TEXTS)
def knn_accuracy(embedding, y, n_neighbors=1, metric="euclidean") -> float:
    """Return the share of points whose nearest neighbors have the same class.

    A point is not its own neighbor (leave-one-out); its duplicates may be neighbors.

    Parameters
    ----------
    embedding : array-like of shape (n, q), or (n, n) with ``metric="precomputed"``
        Positions on a map, or the data (dense or sparse) for a comparison.
    y : array-like of shape (n,)
        Class labels.
    n_neighbors : int, default=1
        Number of neighbors that vote; for equal votes, the nearer class wins.
    {metric}

    Returns
    -------
    float
        Share of points whose neighbors vote for their class.

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


def label_trustworthiness(X, embedding, y, metric="euclidean") -> float:
    r"""Return 1 minus the mean separation of classes that is lost on the map.

    Parameters
    ----------
    X, embedding, metric
        As for `trustworthiness`.
    y : array-like of shape (n,)
        Class labels.

    Returns
    -------
    float
        1 if no two classes are less separated on the map than in the data.

    Notes
    -----
    Let :math:`v` be the separation of two classes: twice the share of points that are
    nearer to their own class centroid, minus 1, but at least 0. The score is :math:`1 -
    \mathrm{mean} \max(0, v_{data} - v_{map})` over pairs of classes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import label_trustworthiness
    >>> X, y = load_iris(return_X_y=True)
    >>> round(label_trustworthiness(X, X[:, :2], y), 3)
    0.873
    """
    lost = _separations("label_trustworthiness", X, embedding, y, metric)
    return float(1.0 - np.maximum(0.0, lost).mean())


def label_continuity(X, embedding, y, metric="euclidean") -> float:
    r"""Return 1 minus the mean separation of classes that the map adds.

    Low values show that a supervised map has separation that is not in the data.

    Parameters
    ----------
    X, embedding, metric
        As for `trustworthiness`.
    y : array-like of shape (n,)
        Class labels.

    Returns
    -------
    float
        1 if no two classes are more separated on the map than in the data.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import label_continuity
    >>> X, y = load_iris(return_X_y=True)
    >>> label_continuity(X, X[:, :2], y)
    1.0
    """
    lost = _separations("label_continuity", X, embedding, y, metric)
    return float(1.0 - np.maximum(0.0, -lost).mean())


def _separations(owner, X, embedding, y, metric):
    """Return the separation in the data minus that on the map, for pairs of classes."""
    original, mapped = both_spaces(X, embedding, metric, owner=owner)
    return separation_lost(original, mapped, class_codes(y, original.n, owner=owner))


def separation_lost(original, mapped, codes):
    """Return the separation in the data minus that on the map, for pairs of classes."""
    members = [np.flatnonzero(codes == c) for c in range(codes.max() + 1)]
    in_data, on_map = (
        class_separation(space.squared_to_centroids(members), members)
        for space in (original, mapped)
    )
    return in_data - on_map


def class_separation(to_centroids, members):
    """Return the separation of class pairs, from squared distances to centroids."""
    separations = []
    for a in range(len(members)):
        for b in range(a + 1, len(members)):
            in_a, in_b = to_centroids[members[a]], to_centroids[members[b]]
            right = np.sum(in_a[:, a] < in_a[:, b]) + np.sum(in_b[:, b] < in_b[:, a])
            share = right / (len(in_a) + len(in_b))
            separations.append(max(0.0, 2.0 * share - 1.0))
    return np.array(separations)
