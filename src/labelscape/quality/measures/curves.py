"""Rank measures for all neighborhood sizes at once.

No co-ranking matrix is needed: each measure is a cumulative sum over a histogram of
rank pairs, and one pass over the points fills all histograms.
"""

from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.errors import InputError
from labelscape._core.points.spaces import search_blocks
from labelscape._core.threads import map_blocks
from labelscape._core.types import Array
from labelscape.quality.measures.neighborhoods import (
    Neighborhoods,
    both_spaces,
    chosen_queries,
    penalty_scale,
    without_self,
)


class RankCurves(NamedTuple):
    """Measures for all K; entry ``K - 1`` belongs to neighborhood size K.

    Attributes
    ----------
    q_nx : ndarray of shape (n - 1,)
        Average share of common neighbors.
    r_nx : ndarray of shape (n - 2,)
        ``q_nx`` rescaled so that it is 0 for a random map and 1 for a perfect map.
    b_nx : ndarray of shape (n - 1,)
        Positive for more false neighbors, negative for more lost neighbors.
    lcmc : ndarray of shape (n - 1,)
        ``q_nx`` minus its value for a random map.
    trustworthiness, continuity : ndarray of shape (n - 2,)
        T(K) and C(K).
    auc_log_rnx : float
        Mean of ``r_nx`` with weights 1 / K.
    """

    q_nx: np.ndarray
    r_nx: np.ndarray
    b_nx: np.ndarray
    lcmc: np.ndarray
    trustworthiness: np.ndarray
    continuity: np.ndarray
    auc_log_rnx: float


def rank_pass(original, mapped, queries, codes=None, k=None):
    """Return the rank curves and, if k is given, the neighborhoods of that size."""
    from labelscape.quality.measures._kernels import (
        N_HISTOGRAMS,
        N_SUMS,
        add_to_histograms,
        ranks_of_rows,
        sums_from_ranks,
    )

    n = original.n
    histograms = np.zeros((N_HISTOGRAMS, n + 1), dtype=np.int64)
    lock = Lock()

    def block(rows):
        own = queries[rows]
        rho = np.empty((len(own), n), dtype=np.int32)
        r = np.empty((len(own), n), dtype=np.int32)
        ranks_of_rows(without_self(original.rows(own), own), rho)
        ranks_of_rows(without_self(mapped.rows(own), own), r)
        counted = np.zeros((N_HISTOGRAMS, n + 1), dtype=np.int64)
        add_to_histograms(rho, r, own, counted)
        with lock:  # integers, so that the order of additions does not matter
            np.add(histograms, counted, out=histograms)
        sums = np.empty((len(own), N_SUMS), dtype=np.int64)
        if k is not None:
            sums_from_ranks(rho, r, own, codes, k, sums)
        return sums

    parts = map_blocks(block, search_blocks(n, len(queries)))
    curves = _curves(histograms, n, len(queries))
    if k is None:
        return curves, None
    sums = np.concatenate(parts)
    return curves, Neighborhoods(n, k, queries, *sums.T)


def _curves(histograms, n, n_queries):
    from labelscape.quality.measures import _kernels as kernels

    K = np.arange(1, n)
    counts = histograms[:, 1:n]
    intruded, extruded = np.cumsum(
        counts[[kernels.INTRUSIONS_TO, kernels.EXTRUSIONS_TO]], axis=1
    )
    equal = np.cumsum(counts[kernels.EQUAL])
    size = K * n_queries
    q_nx = (intruded + extruded + equal) / size
    b_nx = (intruded - extruded) / size
    r_nx = ((n - 1) * q_nx - K)[:-1] / (n - 1 - K)[:-1]
    weights = 1.0 / K[:-1]
    return RankCurves(
        q_nx=q_nx,
        r_nx=r_nx,
        b_nx=b_nx,
        lcmc=q_nx - K / (n - 1),
        trustworthiness=_penalty_curve(
            counts[kernels.INTRUSIONS_FROM : kernels.INTRUSIONS_TO + 1], n, n_queries
        ),
        continuity=_penalty_curve(
            counts[kernels.EXTRUSIONS_FROM : kernels.EXTRUSIONS_TO + 1], n, n_queries
        ),
        auc_log_rnx=float(np.sum(r_nx * weights) / np.sum(weights)),
    )


def _penalty_curve(events, n, n_queries):
    """Return 1 - g(K) times the penalties, for K = 1 to n - 2."""
    # A pair is a false neighbor for K from its lower rank up to its upper rank:
    # cumulative sums of added and removed pairs give sum(upper) - K count.
    came, came_weight, went = events
    K = np.arange(1, n)
    count = np.cumsum(came) - np.cumsum(went)
    weight = np.cumsum(came_weight) - np.cumsum(went * K)
    penalties = (weight - K * count)[:-1]
    scale = np.array([penalty_scale(n, k) for k in K[:-1]])
    return 1.0 - scale * penalties * (n / n_queries)


def q_nx(
    X, embedding, metric="euclidean", *, n_samples=None, random_state=None
) -> Array:
    """Return the average share of common K-neighbors, for all K.

    Parameters
    ----------
    X, embedding, metric, n_samples, random_state
        As for `trustworthiness`.

    Returns
    -------
    ndarray of shape (n - 1,)
        Entry ``K - 1`` is Q_NX(K).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import q_nx
    >>> X, _ = load_iris(return_X_y=True)
    >>> float(q_nx(X, X[:, 2:])[-1])
    1.0
    """
    return _all_k("q_nx", X, embedding, metric, n_samples, random_state).q_nx


def r_nx(
    X, embedding, metric="euclidean", *, n_samples=None, random_state=None
) -> Array:
    """Return Q_NX for all K, rescaled to 0 for a random map and 1 for a perfect map.

    Parameters
    ----------
    X, embedding, metric, n_samples, random_state
        As for `trustworthiness`.

    Returns
    -------
    ndarray of shape (n - 2,)
        Entry ``K - 1`` is R_NX(K).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import r_nx
    >>> X, _ = load_iris(return_X_y=True)
    >>> r_nx(X, 2.0 * X).min()
    np.float64(1.0)
    """
    return _all_k("r_nx", X, embedding, metric, n_samples, random_state).r_nx


def auc_log_rnx(
    X, embedding, metric="euclidean", *, n_samples=None, random_state=None
) -> float:
    """Return a score for all neighborhood sizes: the mean of R_NX(K) weighted by 1/K.

    Parameters
    ----------
    X, embedding, metric, n_samples, random_state
        As for `trustworthiness`.

    Returns
    -------
    float
        0 for a random map, 1 for a perfect map.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import auc_log_rnx
    >>> X, _ = load_iris(return_X_y=True)
    >>> auc_log_rnx(X, 2.0 * X)
    1.0
    """
    curves = _all_k("auc_log_rnx", X, embedding, metric, n_samples, random_state)
    return curves.auc_log_rnx


def rank_curves(
    X, embedding, metric="euclidean", *, n_samples=None, random_state=None
) -> Any:
    """Return all rank measures for all neighborhood sizes K.

    Parameters
    ----------
    X, embedding, metric, n_samples, random_state
        As for `trustworthiness`.

    Returns
    -------
    RankCurves
        With ``q_nx``, ``r_nx``, ``b_nx``, ``lcmc``, ``trustworthiness``,
        ``continuity`` and ``auc_log_rnx``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import rank_curves
    >>> X, _ = load_iris(return_X_y=True)
    >>> rank_curves(X, X[:, 2:]).trustworthiness.shape
    (148,)
    """
    return _all_k("rank_curves", X, embedding, metric, n_samples, random_state)


def _all_k(owner, X, embedding, metric, n_samples, random_state):
    original, mapped = both_spaces(X, embedding, metric, owner=owner)
    if original.n < 3:
        raise InputError(
            f"neighborhoods need at least 3 samples, got {original.n}.", owner=owner
        )
    queries = chosen_queries(original.n, n_samples, random_state, owner=owner)
    return rank_pass(original, mapped, queries)[0]
