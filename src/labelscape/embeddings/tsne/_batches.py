"""Neighbors in all batches, if neighbors can predict the batch (``correct_for``)."""

import numpy as np

from labelscape._core.points.distances import nearest_neighbors
from labelscape._core.threads import one_blas_thread
from labelscape._resampling.units import numbered
from labelscape.embeddings.tsne._base import (
    affinities,
)

LEAST_OF_BATCH = 2.0  # smallest perplexity within a batch
ROUNDS, TINY = 10, 1e-300  # rounds of scaling, and the smallest divisor
OTHER_CLASS = 1e-9  # weight of other classes, if no neighbor has the likely class


def balanced_affinities(A, U, batch, perplexity):
    """Return affinities P (n, n) of samples A with fixed shares of all batches.

    Each sample has neighbors in each batch, as in BBKNN (Polański et al. 2020), after
    each class gets the same mean in all batches. Batch s gets the share w_is = sum_c
    p_ic n_cs / n_c of the affinities of sample i, with probabilities p = U² and n_cs =
    sum_{j in s} p_jc. So samples get few neighbors in batches that lack their class. P
    is symmetric, and scaled until its rows have these shares (Sinkhorn).
    """
    batch = numbered(batch)
    n, n_batches = len(A), int(batch.max()) + 1
    p, A = U * U, A.copy()
    with one_blas_thread():
        sums = np.maximum(p.T @ np.eye(n_batches)[batch], TINY)
        of_class = sums.sum(axis=1, keepdims=True)
        shares, means = p @ (sums / of_class), p.T @ A / of_class
        for s in range(n_batches):
            own = batch == s
            A[own] += p[own] @ (means - p[own].T @ A[own] / sums[:, [s]])
    perplexity = max(LEAST_OF_BATCH, perplexity / n_batches)
    parts = [
        _within(A, np.flatnonzero(batch == s), perplexity) for s in range(n_batches)
    ]
    P = sum(part.multiply(shares[:, [s]]) for s, part in enumerate(parts))
    P = (P + P.T).tocoo()
    given = P.row * n_batches + batch[P.col]
    received = P.col * n_batches + batch[P.row]
    for _ in range(ROUNDS):
        sums = np.bincount(given, P.data, n * n_batches)
        factors = np.sqrt(shares.ravel() / np.maximum(sums, TINY))
        P.data *= factors[given] * factors[received]
    P = (P / P.sum()).tocsr()
    P.eliminate_zeros()
    return P


def _within(A, rows, perplexity):
    """Return affinities (n, n) of all samples to the samples of one batch only."""
    k = max(1, min(len(rows) - 1, int(np.ceil(3 * perplexity))))
    indices, distances = nearest_neighbors(A[rows], min(k + 1, len(rows)), A)
    indices = rows[indices]
    is_own = indices == np.arange(len(A))[:, None]
    order = np.argsort(is_own, axis=1, kind="stable")[:, :k]  # the sample itself last
    indices, distances = (
        np.take_along_axis(values, order, axis=1) for values in (indices, distances)
    )
    return affinities(
        distances, indices, perplexity, symmetrize=False, normalization="point-wise"
    )


def means_of_neighbors(P, Z, likely):
    """Return the mean position (n, q) of neighbors of neighbors in the likely class.

    New samples are placed at such means. If they were placed next to a single fitted
    sample, neighbors on the map would predict their batch better than by chance.
    """
    P = P.tocoo()
    P.data = P.data * np.where(likely[P.row] == likely[P.col], 1.0, OTHER_CLASS)
    sums = np.asarray(P.sum(axis=1)).reshape(-1, 1)
    return P @ (P @ Z / sums) / sums
