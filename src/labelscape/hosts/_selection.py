"""A choice of points, in the forms in which people have it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import shown
from labelscape.scene.scene import Scene

Indices = NDArray[np.uint32]


def chosen_points(choice: Any, scene: Scene) -> Indices:
    """Return a choice as ascending indices of points.

    Parameters
    ----------
    choice : array-like
        Indices of points, a mask with one truth value per point, or ids as texts.
    scene : Scene
        What is shown.
    """
    given = np.asarray(choice)
    n = scene.n_points
    if given.size == 0:
        return np.empty(0, dtype=np.uint32)
    if given.ndim != 1:
        raise ValueError(
            f"selection must be a list of points, got an array of shape {given.shape}."
        )
    if given.dtype.kind == "b":
        if len(given) != n:
            raise ValueError(
                f"selection: a mask needs one value for each of the {n} points, got "
                f"{len(given)}."
            )
        given = np.flatnonzero(given)
    elif given.dtype.kind in "UOT":
        given = _named(given, scene)
    elif given.dtype.kind not in "iu":
        raise TypeError(
            "selection must be indices of points, a mask, or ids as texts; got "
            f"{shown(choice)}."
        )
    low, high = int(given.min()), int(given.max())
    if low < 0 or high >= n:
        raise ValueError(
            f"selection: points have indices from 0 to {n - 1}, got "
            f"{low if low < 0 else high}."
        )
    return np.unique(given).astype(np.uint32)


def _named(names: NDArray[Any], scene: Scene) -> NDArray[Any]:
    if scene.ids is None:
        raise ValueError(
            "selection: the points have no ids. Pass indices, or give ids to explore."
        )
    wanted = {str(name) for name in names.tolist()}
    ids = [scene.ids[i] for i in range(len(scene.ids))]
    absent = wanted.difference(ids)
    if absent:
        raise ValueError(f"selection: there is no point with the id {min(absent)!r}.")
    return np.array([i for i, name in enumerate(ids) if name in wanted])
