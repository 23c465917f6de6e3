"""More objects on a finished map: each goes to where its own stress is least."""

import numpy as np

from labelscape._core.threads import map_blocks, row_blocks
from labelscape.embeddings.weighted_mds._pairs import FLOOR

MAX_ITER = 60
# Steps shorter than this part of the mean distance end the way.
TOL = 1e-5


def placed_among(distances, n_new, Z):
    """Return the places (n_new, q) of objects on the map Z (L, q) of landmarks.

    With the distances :math:`D_j` of an object from the landmarks, its place y has the
    least of the stress that the map itself was made by (power 1, uniform weights):
    ``sum_j (|y - z_j| - D_j)^2 / D_j``. It begins at the image of the nearest landmark
    and at the mean of all, each by its nearness, and the better end counts. An object
    that is a landmark stays on it.
    """
    from labelscape.embeddings.weighted_mds._kernels import settle_rows

    columns = np.ascontiguousarray(np.asarray(Z, dtype=np.float64).T)

    def place(rows):
        D = np.ascontiguousarray(distances(rows), dtype=np.float64)
        unit = D.mean(axis=1, keepdims=True)
        V = 1.0 / np.maximum(D, FLOOR * np.where(unit > 0.0, unit, 1.0))
        Y = np.empty((len(D), len(columns)))
        settle_rows(D, V, columns, Y, MAX_ITER, TOL)
        return Y

    return np.concatenate(map_blocks(place, row_blocks(n_new, 32 * len(Z))))
