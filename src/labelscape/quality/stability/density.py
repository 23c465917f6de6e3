"""Groups of points that lie close together, with empty space around them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

# The number of a point that is in no group.
NONE = -1


def density_groups(Z: NDArray[Any], smallest: int) -> NDArray[np.intp]:
    """Return the group of each point of a map; of all `NONE` where there are not two.

    A group has ``smallest`` points at least. Groups are those of HDBSCAN (Campello et
    al., 2013), which takes all points for one group unless the parts are denser by far
    than the bridge between them. Points that lie between groups go with the nearest:
    what stands apart is a question of gaps, and not of where the outskirts of a group
    end.
    """
    # Scikit-learn's clusterings take a while to import.
    from sklearn.cluster import HDBSCAN

    nowhere = np.full(len(Z), NONE, dtype=np.intp)
    extent = np.ptp(Z, axis=0).max(initial=0.0)
    if len(Z) < 2 * smallest or extent == 0.0:
        return nowhere
    Z = (Z - Z.min(axis=0)) / extent  # squares of tiny and of huge gaps are no numbers
    model = HDBSCAN(min_cluster_size=smallest, allow_single_cluster=True, copy=True)
    found = model.fit_predict(Z)
    return nearest_group(Z, found, Z) if found.max() > 0 else nowhere


def nearest_group(
    Z: NDArray[Any], groups: NDArray[np.intp], Z_new: NDArray[Any]
) -> NDArray[np.intp]:
    """Return for new points the group of the nearest point that has one."""
    known = np.flatnonzero(groups != NONE)
    if not len(known):
        return np.full(len(Z_new), NONE, dtype=np.intp)
    near = NearestNeighbors(n_neighbors=1).fit(Z[known])
    return groups[known][near.kneighbors(Z_new, return_distance=False)[:, 0]]
