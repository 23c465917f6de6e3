"""What each point contributes to a score: where to trust a map (spec section 4)."""

from typing import NamedTuple

import numpy as np

from labelscape._core.threads import map_blocks, row_blocks
from labelscape.quality._distances import check_total
from labelscape.quality._neighborhoods import check_k, class_codes, neighborhoods
from labelscape.quality._spaces import both_spaces


class PointwiseDistortion(NamedTuple):
    """Scores of each point; the mean of each array is the score of the map.

    trustworthiness : low where a point has false neighbours on the map.
    continuity : low where a point was torn from its neighbours.
    stress : its part of the (scaled) Sammon stress; high is bad.
    class_trustworthiness, class_continuity, knn_hit : None without labels.
    """

    trustworthiness: np.ndarray
    continuity: np.ndarray
    stress: np.ndarray
    class_trustworthiness: np.ndarray | None = None
    class_continuity: np.ndarray | None = None
    knn_hit: np.ndarray | None = None


def pointwise_distortion(X, embedding, y=None, n_neighbors=12, metric="euclidean"):
    """Return how faithfully the map shows each single point.

    Parameters
    ----------
    X, embedding, n_neighbors, metric
        As for `trustworthiness`.
    y : array-like of shape (n,), optional
        Class labels, for the class-aware scores.

    Returns
    -------
    PointwiseDistortion
        Arrays of shape (n,), each with the map's score as its mean.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import pointwise_distortion, trustworthiness
    >>> X, y = load_iris(return_X_y=True)
    >>> points = pointwise_distortion(X, X[:, :2], y)
    >>> score = trustworthiness(X, X[:, :2])
    >>> bool(abs(points.trustworthiness.mean() - score) < 1e-12)
    True
    """
    owner = "pointwise_distortion"
    original, shown = both_spaces(X, embedding, metric, owner=owner)
    n = original.n
    k = check_k(n_neighbors, n, owner=owner)
    codes = None if y is None else class_codes(y, n, owner=owner)
    found = neighborhoods(
        original,
        shown,
        np.zeros(n, dtype=np.int64) if codes is None else codes,
        k,
        np.arange(n),
    )
    unit = found.penalty_unit
    scores = PointwiseDistortion(
        trustworthiness=1.0 - unit * (found.false_within + found.false_between),
        continuity=1.0 - unit * (found.tears_within + found.tears_between),
        stress=_stress_shares(original, shown),
    )
    if codes is None:
        return scores
    return scores._replace(
        class_trustworthiness=1.0 - unit * found.false_between,
        class_continuity=1.0 - unit * found.tears_within,
        knn_hit=found.first_map.astype(np.float64),
    )


def _stress_shares(original, shown):
    """Return n/2 times each point's errors over the sum of distances.

    Row sums of delta, d and d^2 / delta give the best size b of the map and, as
    ``(delta - b d)^2 / delta = delta - 2 b d + b^2 d^2 / delta``, all errors.
    """
    n = original.n

    def block(rows):
        points = np.arange(rows.start, rows.stop)
        delta, d = original.rows(points), shown.rows(points)
        there = delta > 0
        ratio = np.divide(d * d, delta, out=np.zeros_like(d), where=there)
        return delta.sum(axis=1), np.where(there, d, 0.0).sum(axis=1), ratio.sum(axis=1)

    parts = map_blocks(block, row_blocks(n, 5 * 8 * n))
    delta, d, ratio = (np.concatenate(part) for part in zip(*parts, strict=True))
    b = d.sum() / ratio.sum() if ratio.sum() > 0 else 1.0
    errors = np.maximum(delta - 2.0 * b * d + b * b * ratio, 0.0)
    return n * errors / check_total(delta.sum())
