"""Trustworthiness and continuity, without and with classes, for maps and points."""

from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.estimator import shared_parameters
from labelscape._core.points.spaces import METRIC_TEXTS
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.quality.measures.distances import check_total
from labelscape.quality.measures.neighborhoods import (
    both_spaces,
    check_k,
    chosen_queries,
    class_codes,
    neighborhoods,
)

_latest: tuple[bytes, Any] = b"", None  # the last pass: its hash and its counts


@shared_parameters(METRIC_TEXTS)
def trustworthiness(
    X,
    embedding,
    n_neighbors=12,
    metric="euclidean",
    *,
    n_samples=None,
    random_state=None,
) -> float:
    r"""Measure to what extent neighbors on the map are neighbors in the data.

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) with ``metric="precomputed"``
        Samples.
    embedding : array-like of shape (n, q)
        The map of the samples.
    n_neighbors : int, default=12
        Size k of the neighborhoods, at most n - 2.
    {metric}
    n_samples : int, optional
        Use the neighborhoods of this many random points. Neighbors are searched among
        all n points, so ranks are exact; the standard error is the standard deviation
        between points divided by the square root of ``n_samples``.
    random_state : int, RandomState instance or None, default=None
        Seed of the random sample.

    Returns
    -------
    float
        From 0 to 1; 1 if all neighbors on the map are neighbors in the data.

    Notes
    -----
    .. math:: T(k) = 1 - g(k) \sum_i
              \sum_{j \in M_k(i) \setminus N_k(i)} (\rho_{ij} - k)

    where :math:`N_k` and :math:`M_k` are the k nearest points in the data and on the
    map, and :math:`\rho` is the rank in the data. Ties are ordered by index.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import trustworthiness
    >>> X, _ = load_iris(return_X_y=True)
    >>> trustworthiness(X, 2.0 * X)
    1.0
    """
    how = (n_neighbors, metric, n_samples, random_state)
    return _pass("trustworthiness", X, embedding, None, *how).trustworthiness


def continuity(
    X,
    embedding,
    n_neighbors=12,
    metric="euclidean",
    *,
    n_samples=None,
    random_state=None,
) -> float:
    r"""Measure to what extent neighbors in the data stay neighbors on the map.

    Parameters
    ----------
    X, embedding, n_neighbors, metric, n_samples, random_state
        As for `trustworthiness`.

    Returns
    -------
    float
        From 0 to 1; 1 if all neighbors in the data are neighbors on the map.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import continuity
    >>> X, _ = load_iris(return_X_y=True)
    >>> round(continuity(X, X[:, 2:]), 3)
    0.959
    """
    how = (n_neighbors, metric, n_samples, random_state)
    return _pass("continuity", X, embedding, None, *how).continuity


def class_trustworthiness(
    X,
    embedding,
    y,
    n_neighbors=12,
    metric="euclidean",
    *,
    n_samples=None,
    random_state=None,
) -> float:
    """Return the trustworthiness, counting only false neighbors of other classes.

    Compare it with `trustworthiness`, because this score does not fall if a map
    separates classes that overlap in the data.

    Parameters
    ----------
    X, embedding, n_neighbors, metric, n_samples, random_state
        As for `trustworthiness`.
    y : array-like of shape (n,)
        Class labels.

    Returns
    -------
    float
        1 if no point has a false neighbor of another class.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import class_trustworthiness
    >>> X, y = load_iris(return_X_y=True)
    >>> round(class_trustworthiness(X, X[:, :2], y), 3)
    0.931
    """
    how = (n_neighbors, metric, n_samples, random_state)
    counted = _pass("class_trustworthiness", X, embedding, y, *how)
    return counted.score(counted.false_between)


def class_continuity(
    X,
    embedding,
    y,
    n_neighbors=12,
    metric="euclidean",
    *,
    n_samples=None,
    random_state=None,
) -> float:
    """Return the continuity, counting only lost neighbors of the same class.

    Parameters
    ----------
    X, embedding, n_neighbors, metric, n_samples, random_state
        As for `trustworthiness`.
    y : array-like of shape (n,)
        Class labels.

    Returns
    -------
    float
        1 if no point has a lost neighbor of its class.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import class_continuity
    >>> X, y = load_iris(return_X_y=True)
    >>> round(class_continuity(X, X[:, :2], y), 3)
    0.97
    """
    how = (n_neighbors, metric, n_samples, random_state)
    counted = _pass("class_continuity", X, embedding, y, *how)
    return counted.score(counted.tears_within)


def _pass(owner, X, embedding, y, n_neighbors, metric, n_samples, random_state):
    original, mapped = both_spaces(X, embedding, metric, owner=owner)
    k = check_k(n_neighbors, original.n, owner=owner)
    queries = chosen_queries(original.n, n_samples, random_state, owner=owner)
    codes = np.zeros(original.n, dtype=np.int64)
    codes = codes if y is None else class_codes(y, original.n, owner=owner)
    return _remembered(original, mapped, codes, k, queries)


def _remembered(original, mapped, codes, k, queries):
    """Return the comparison of all neighborhoods; the last result is stored."""
    # Trustworthiness and continuity need the same pass, and are often called together.
    digest = blake2b(f"{k} {type(original).__name__}".encode(), digest_size=16)
    for numbers in (original.numbers, mapped.numbers, codes, queries):
        digest.update(str(numbers.shape).encode())
        digest.update(np.ascontiguousarray(numbers).data)
    key = digest.digest()
    global _latest
    known, counted = _latest  # read once: another thread may store its own pass
    if known != key:
        counted = neighborhoods(original, mapped, codes, k, queries)
        _latest = key, counted
    return counted


class PointwiseDistortion(NamedTuple):
    """Scores of each point; the mean of each array is the score of the map.

    - ``trustworthiness``: low where a point has false neighbors on the map.
    - ``continuity``: low where a point has lost neighbors.
    - ``stress``: the point's part of the scaled Sammon stress; high is bad.
    - ``class_trustworthiness``, ``class_continuity``, ``knn_hit``: None without labels.
    """

    trustworthiness: np.ndarray
    continuity: np.ndarray
    stress: np.ndarray
    class_trustworthiness: np.ndarray | None = None
    class_continuity: np.ndarray | None = None
    knn_hit: np.ndarray | None = None


def pointwise_distortion(
    X, embedding, y=None, n_neighbors=12, metric="euclidean"
) -> PointwiseDistortion:
    """Compute scores of the map for each point.

    Parameters
    ----------
    X, embedding, n_neighbors, metric
        As for `trustworthiness`.
    y : array-like of shape (n,), optional
        Class labels, for the class-aware scores.

    Returns
    -------
    PointwiseDistortion
        Arrays of shape (n,); the mean of each array is the score of the map.

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
    original, mapped = both_spaces(X, embedding, metric, owner=owner)
    n = original.n
    k = check_k(n_neighbors, n, owner=owner)
    codes = None if y is None else class_codes(y, n, owner=owner)
    labels = np.zeros(n, dtype=np.int64) if codes is None else codes
    counted = neighborhoods(original, mapped, labels, k, np.arange(n))
    scores = PointwiseDistortion(
        trustworthiness=counted.of_points(counted.false_within, counted.false_between),
        continuity=counted.of_points(counted.tears_within, counted.tears_between),
        stress=_stress_shares(original, mapped),
    )
    if codes is None:
        return scores
    return scores._replace(
        class_trustworthiness=counted.of_points(counted.false_between),
        class_continuity=counted.of_points(counted.tears_within),
        knn_hit=counted.first_map.astype(np.float64),
    )


def _stress_shares(original, mapped):
    """Return each point's share of the squared errors; the mean is the stress."""
    # Row sums of delta, d and d^2 / delta give the best scale b of the map and, with
    # (delta - b d)^2 / delta = delta - 2 b d + b^2 d^2 / delta, all errors.
    n = original.n

    def block(rows):
        points = np.arange(rows.start, rows.stop)
        delta, d = original.rows(points), mapped.rows(points)
        there = delta > 0
        ratio = np.divide(d * d, delta, out=np.zeros_like(d), where=there)
        return delta.sum(axis=1), np.where(there, d, 0.0).sum(axis=1), ratio.sum(axis=1)

    parts = map_blocks(block, row_blocks(n, 5 * 8 * n))
    delta, d, ratio = (np.concatenate(part) for part in zip(*parts, strict=True))
    b = d.sum() / ratio.sum() if ratio.sum() > 0 else 1.0
    errors = np.maximum(delta - 2.0 * b * d + b * b * ratio, 0.0)
    return n * errors / check_total(delta.sum())
