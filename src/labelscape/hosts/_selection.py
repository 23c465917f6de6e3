"""A choice of points, in the forms in which people have it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError, shown
from labelscape.scene import Scene

Indices = NDArray[np.uint32]


def chosen_points(choice: Any, scene: Scene) -> Indices:
    """Return a choice as ascending indices of points."""
    if choice is None:
        return np.empty(0, dtype=np.uint32)
    if isinstance(choice, set | frozenset):
        choice = list(choice)
    try:
        given = np.asarray(choice)
    except ValueError:  # lists of different lengths
        given = np.empty((0, 0))
    if given.ndim != 1:
        raise InputError(
            "selection must be a list of points, such as [0, 3], or None for no point; "
            f"got {shown(choice)}.",
            parameter="selection",
        )
    return _indices(given, scene, "selection")


def chosen_point(point: Any, scene: Scene) -> int:
    """Return one point, given by its index or its id, as an index."""
    is_one = np.isscalar(point) or getattr(point, "shape", None) == ()
    if not is_one or isinstance(point, bool | np.bool_):
        raise TypeError(
            "object must be one point, its index or its id as text, or None; got "
            f"{shown(point)}."
        )
    return int(_indices(np.array([point]), scene, "object")[0])


def _indices(given: NDArray[Any], scene: Scene, name: str) -> Indices:
    """Return what was given as ``name`` as ascending indices."""
    n = scene.n_points
    if given.size == 0:
        return np.empty(0, dtype=np.uint32)
    if given.dtype.kind == "b":
        if len(given) != n:
            raise InputError(
                f"a mask needs one value for each of the {n} points, got {len(given)}.",
                owner=name,
            )
        given = np.flatnonzero(given)
    elif _are_texts(given):
        given = _named(given, scene, name)
    elif given.dtype.kind not in "iu":
        raise TypeError(
            f"{name} must be given by indices of points, by a mask, or by ids as "
            f"texts; got {shown(given.tolist())}."
        )
    low, high = int(given.min()), int(given.max())
    if low < 0 or high >= n:
        raise InputError(
            f"points have indices from 0 to {n - 1}, got {low if low < 0 else high}.",
            owner=name,
        )
    return np.unique(given).astype(np.uint32)


def _are_texts(given: NDArray[Any]) -> bool:
    return given.dtype.kind in "UOT" and all(isinstance(one, str) for one in given)


def _named(names: NDArray[Any], scene: Scene, name: str) -> NDArray[Any]:
    if scene.ids is None:
        raise InputError(
            "the points have no ids. Pass indices, or give ids to explore.", owner=name
        )
    wanted = set(names.tolist())
    ids = [scene.ids[i] for i in range(len(scene.ids))]
    absent = wanted.difference(ids)
    if absent:
        raise InputError(f"there is no point with the id {min(absent)!r}.", owner=name)
    return np.array([i for i, one in enumerate(ids) if one in wanted])
