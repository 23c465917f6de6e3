"""Where a map begins: straight view, random places, or the user's own."""

import numpy as np

from labelscape._core.checks import check_finite

# Columns and coincident points of a start are moved by this part of its size.
JITTER = 1e-3


def initial_map(init, dissimilarities, n_components, random_state, *, owner):
    """Return a map (n, n_components) to begin with.

    Parameters
    ----------
    init : {"pca", "random"} or array-like of shape (n, n_components)
        "pca" is the best straight view: PCA scores for data, classical MDS for given
        dissimilarities.
    dissimilarities : EuclideanDistances or GivenDissimilarities
        What the map must keep.
    n_components : int
        Dimensions of the map.
    random_state : RandomState
        For "random".
    owner : str
        Whose error messages these are.
    """
    shape = (dissimilarities.n, n_components)
    if isinstance(init, str):
        if init == "random":
            return random_state.normal(size=shape)
        return parted(dissimilarities.straight_map(n_components))
    given = np.array(init, dtype=np.float64)
    if given.shape != shape:
        raise ValueError(
            f"{owner}: init must hold one row per object and one column per component: "
            f"shape {shape}, got shape {given.shape}."
        )
    check_finite(given, owner=owner, name="init")
    return given


def parted(Z):
    """Return the map with no two points in one place and no flat direction.

    Points in one place have no direction to part in, and a flat direction is never left
    again: so both are moved a little, always in the same way.
    """
    noise = (
        JITTER * np.sqrt(np.mean(Z**2)) * np.random.default_rng(0).normal(size=Z.shape)
    )
    flat = np.ptp(Z, axis=0) == 0.0
    Z = Z + flat * noise
    return Z if len(np.unique(Z, axis=0)) == len(Z) else Z + noise
