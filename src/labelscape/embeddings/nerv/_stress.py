"""Soft neighbours, the stress of a map that should keep them, and places among them."""

from typing import NamedTuple

import numpy as np

from labelscape._core.checks import check_intact
from labelscape._core.threads import map_blocks, row_blocks

# Rows for one thread at a time: few enough for two threads from 1000 objects on.
BLOCK_BYTES = 4 * 2**20


class Neighbors(NamedTuple):
    """Soft neighbours of m objects among n: ``w`` (m,) and ``log_beta`` (m, n)."""

    w: np.ndarray
    log_beta: np.ndarray


def narrowing(perplexity, n):
    """Return the perplexities of a fit: n/2, n/4 and so on, down to the one wanted."""
    halvings = max(1, int(np.ceil(np.log2(n / perplexity))))
    return [max(n / 2.0**k, perplexity) for k in range(1, halvings + 1)]


def soft_neighbors(rows, own, n, perplexity):
    """Return the soft neighbours of objects among n others.

    Shapes: own (m,).
    """
    from labelscape.embeddings.nerv._kernels import soft_neighbors_of_rows

    found = Neighbors(np.empty(len(own)), np.empty((len(own), n)))

    def fill(block):
        parts = found.w[block], found.log_beta[block]
        D = np.ascontiguousarray(rows(block))
        soft_neighbors_of_rows(D, own[block], perplexity, *parts)

    map_blocks(fill, row_blocks(len(own), 8 * n, BLOCK_BYTES))
    return found


def stress_and_slope(Z, neighbors, labels, taus):
    """Return the mean stress of the objects on the map Z (q, n), and its slope (q, n).

    Shapes: labels (n,).
    """
    from labelscape.embeddings.nerv._kernels import stress_of_rows

    n = Z.shape[1]

    def block(rows):
        slope = np.zeros(Z.shape)
        span = rows.start, rows.stop
        return stress_of_rows(Z, *neighbors, labels, taus, *span, slope), slope

    parts = map_blocks(block, row_blocks(n, 8 * n, BLOCK_BYTES))
    return sum(part[0] for part in parts) / n, sum(part[1] for part in parts) / n


def placed_among(dissimilarities, n_new, Z, perplexity, tau, map_w=None):
    """Return the places (n_new, q) of new objects on the map Z (n, q).

    Each begins at the image of its nearest neighbour, and stays there if it is the same
    object; else it goes down its own stress, in which all pairs count by ``tau``. Every
    object goes its own way, so its place does not depend on which others are new. Where
    all have one width on the map, ``map_w`` says which; else it is that in the data.
    """
    from labelscape.embeddings.nerv._kernels import settle

    n, images = len(Z), np.ascontiguousarray(Z.T)

    def place(rows):
        D = dissimilarities(rows)
        check_intact(D.shape[1] == n, "embedding_ and training_X_")
        w, log_beta = soft_neighbors(D.__getitem__, np.full(len(D), -1), n, perplexity)
        w = w if map_w is None else np.full(len(D), map_w)
        places = Z[D.argmin(axis=1)]
        for i in np.flatnonzero(D.min(axis=1) > 0.0):
            settle(places[i], w[i], log_beta[i], images, tau)
        return places

    return np.concatenate(map_blocks(place, row_blocks(n_new, 8 * n, 2**20)))
