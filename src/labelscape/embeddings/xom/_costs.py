"""Costs of XOM and NE-XOM: means over a few sampling vectors, always the same."""

import numpy as np
from scipy.spatial.distance import cdist

from labelscape._core.threads import one_blas_thread
from labelscape.embeddings.xom._neighborhoods import LOWEST_EXPONENT

# So many sampling vectors stand for all: each takes a row of n distances.
SAMPLED = 100


def sampled_vectors(structure):
    """Return the sampling vectors (m, q) that stand for a structure in its cost."""
    return structure.sample(np.random.RandomState(0), SAMPLED)


def sampled_objects(n):
    """Return the objects that stand for all n where there is no structure."""
    return np.sort(np.random.default_rng(0).permutation(n)[:SAMPLED])


def attraction_cost(S, Z, space, sigma, winner):
    """Return the cost of XOM on a map Z (n, q), the mean over points S (m, q).

    sum_j h_sigma(delta_ij) |s - y_j|^2,   i the winner of s    (eq. 5)
    """
    gaps = cdist(S, Z, "sqeuclidean")
    widths = np.full(space.n, float(sigma))
    if winner == "nearest":
        winners = gaps.argmin(axis=1)
    else:
        with one_blas_thread():
            all_of_them = np.exp(log_neighborhoods(space, np.arange(space.n), widths))
            winners = (gaps @ all_of_them.T).argmin(axis=1)  # eq. 4
    H = np.exp(log_neighborhoods(space, winners, widths))
    return float((H * gaps).sum(axis=1).mean())


def divergence_cost(S, Z, space, sigma, log_g, tau, winner):
    """Return the cost of NE-XOM on a map Z (n, q), the mean over S (m, q).

    sum_j tau (h_ij ln(h_ij / g_j) - h_ij + g_j)              (eq. 7)
              + (1 - tau)(g_j ln(g_j / h_ij) - g_j + h_ij),   i the winner of s

    ``sigma`` (n,) are the widths in the data, ``log_g`` is the logarithm of the
    neighbourhood on the map as a function of squared distances. ``winner`` is a rule,
    or an array with the winner of each sampling vector.
    """
    gaps = cdist(S, Z, "sqeuclidean")
    log_G = log_g(gaps)
    if isinstance(winner, np.ndarray):
        winners = winner
    elif winner == "nearest":
        winners = gaps.argmin(axis=1)
    else:
        winners = _least_divergent(log_G, space, sigma, tau)
    log_H = log_neighborhoods(space, winners, sigma)
    H, G, log_ratio = np.exp(log_H), np.exp(log_G), log_H - log_G
    lost, false = H * log_ratio - H + G, H - G - G * log_ratio
    return float((tau * lost + (1.0 - tau) * false).sum(axis=1).mean())


def _least_divergent(log_G, space, sigma, tau):
    """Return the winners by eq. 8, without what is the same for all objects."""
    log_H = log_neighborhoods(space, np.arange(space.n), sigma)
    H = np.exp(log_H)
    with one_blas_thread():
        lost = (H * log_H - H).sum(axis=1) - log_G @ H.T
        false = H.sum(axis=1) - np.exp(log_G) @ log_H.T
    return (tau * lost + (1.0 - tau) * false).argmin(axis=1)


def log_neighborhoods(space, objects, sigma):
    """Return ln h (m, n) of some objects; ``sigma`` (n,) has the widths of all."""
    ratios = space.rows(objects) / sigma[objects, None]
    return np.maximum(-0.5 * np.square(ratios), LOWEST_EXPONENT)
