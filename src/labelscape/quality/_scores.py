"""Trustworthiness and continuity, plain and class-aware (spec sections 1 and 3)."""

from hashlib import blake2b

import numpy as np

from labelscape._core.docs import shared_parameters
from labelscape._core.points.spaces import METRIC_TEXTS
from labelscape.quality._neighborhoods import (
    check_k,
    chosen_queries,
    class_codes,
    neighborhoods,
)
from labelscape.quality._spaces import both_spaces

# The last pass: its digest and what it found.
_latest: dict = {}


@shared_parameters(METRIC_TEXTS)
def trustworthiness(
    X,
    embedding,
    n_neighbors=12,
    metric="euclidean",
    *,
    n_samples=None,
    random_state=None,
):
    r"""Return how far neighbours on the map are neighbours in the data.

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) with ``metric="precomputed"``
        Objects.
    embedding : array-like of shape (n, q)
        Their map.
    n_neighbors : int, default=12
        Size k of the neighbourhoods, at most n - 2.
    {metric}
    n_samples : int, optional
        Look at the neighbourhoods of so many random points only. All n stay candidates,
        so ranks are exact; the error is about the spread between points divided by
        the root of ``n_samples``.
    random_state : int, RandomState instance or None, default=None
        Seed of that sample.

    Returns
    -------
    float
        1 if no neighbourhood on the map holds a false neighbour, 0 at worst.

    Notes
    -----
    .. math:: T(k) = 1 - g(k) \sum_i
              \sum_{j \in M_k(i) \setminus N_k(i)} (\rho_{ij} - k)

    with :math:`N_k`, :math:`M_k` the k nearest in the data and on the map and
    :math:`\rho` the rank in the data. Ties are ordered by index.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import trustworthiness
    >>> X, _ = load_iris(return_X_y=True)
    >>> trustworthiness(X, 2.0 * X)
    1.0
    """
    owner = "trustworthiness"
    found = _pass(
        owner, X, embedding, None, n_neighbors, metric, n_samples, random_state
    )
    return found.score(found.false_within, found.false_between)


def continuity(
    X,
    embedding,
    n_neighbors=12,
    metric="euclidean",
    *,
    n_samples=None,
    random_state=None,
):
    r"""Return how far neighbours in the data stay neighbours on the map.

    Parameters
    ----------
    X, embedding, n_neighbors, metric, n_samples, random_state
        As for `trustworthiness`.

    Returns
    -------
    float
        1 if no neighbourhood was torn apart, 0 at worst.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import continuity
    >>> X, _ = load_iris(return_X_y=True)
    >>> round(continuity(X, X[:, 2:]), 3)
    0.959
    """
    owner = "continuity"
    found = _pass(
        owner, X, embedding, None, n_neighbors, metric, n_samples, random_state
    )
    return found.score(found.tears_within, found.tears_between)


def class_trustworthiness(
    X,
    embedding,
    y,
    n_neighbors=12,
    metric="euclidean",
    *,
    n_samples=None,
    random_state=None,
):
    """Return trustworthiness that counts false neighbours of other classes only.

    Read it next to `trustworthiness`: a map that pulls overlapping classes apart loses
    nothing here.

    Parameters
    ----------
    X, embedding, n_neighbors, metric, n_samples, random_state
        As for `trustworthiness`.
    y : array-like of shape (n,)
        Class labels.

    Returns
    -------
    float
        1 if no point has a false neighbour of another class.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import class_trustworthiness
    >>> X, y = load_iris(return_X_y=True)
    >>> round(class_trustworthiness(X, X[:, :2], y), 3)
    0.931
    """
    owner = "class_trustworthiness"
    found = _pass(owner, X, embedding, y, n_neighbors, metric, n_samples, random_state)
    return found.score(found.false_between)


def class_continuity(
    X,
    embedding,
    y,
    n_neighbors=12,
    metric="euclidean",
    *,
    n_samples=None,
    random_state=None,
):
    """Return continuity that counts tears within a class only.

    Parameters
    ----------
    X, embedding, n_neighbors, metric, n_samples, random_state
        As for `trustworthiness`.
    y : array-like of shape (n,)
        Class labels.

    Returns
    -------
    float
        1 if no class was torn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import class_continuity
    >>> X, y = load_iris(return_X_y=True)
    >>> round(class_continuity(X, X[:, :2], y), 3)
    0.97
    """
    owner = "class_continuity"
    found = _pass(owner, X, embedding, y, n_neighbors, metric, n_samples, random_state)
    return found.score(found.tears_within)


def _pass(owner, X, embedding, y, n_neighbors, metric, n_samples, random_state):
    original, shown = both_spaces(X, embedding, metric, owner=owner)
    k = check_k(n_neighbors, original.n, owner=owner)
    queries = chosen_queries(original.n, n_samples, random_state, owner=owner)
    codes = (
        np.zeros(original.n, dtype=np.int64)
        if y is None
        else class_codes(y, original.n, owner=owner)
    )
    return _remembered(original, shown, codes, k, queries)


def _remembered(original, shown, codes, k, queries):
    """Return the comparison of all neighbourhoods, from memory if it was the last one.

    Trustworthiness and continuity come from the same pass, and people ask for one after
    the other. What is kept are eight numbers per point; the data are known again by a
    digest of all their bytes, so a changed array is a new question.
    """
    digest = blake2b(f"{k} {type(original).__name__}".encode(), digest_size=16)
    for numbers in (original.numbers, shown.numbers, codes, queries):
        digest.update(str(numbers.shape).encode())
        digest.update(np.ascontiguousarray(numbers))
    key = digest.digest()
    if _latest.get("key") != key:
        found = neighborhoods(original, shown, codes, k, queries)
        _latest.update(key=key, found=found)
        return found
    return _latest["found"]
