"""Maps that are fitted to some rows of a table, and the places of all."""

import inspect
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.arguments import arguments, labels_argument
from labelscape._core.arguments import seed as seed_rule
from labelscape._core.rules import whole
from labelscape._core.sampling import drawn_by_class
from labelscape.datasets import Table
from labelscape.embeddings._internal import Growth, Objects, grown_map
from labelscape.quality._internal import with_transform

# How well the whole shall be known where nobody says how well.
TOLERANCE = 0.02


class Mapped(NamedTuple):
    """A fitted map, the places of all rows, and the rows that it was fitted to."""

    model: Any
    Z: NDArray[np.float64]
    fitted: NDArray[np.intp] | None
    growth: tuple[Growth, ...]


def by_landmarks(
    estimator: Any,
    X: NDArray[np.float64],
    table: Table,
    n_landmarks: int | str,
    tolerance: float,
    seed: int,
) -> Mapped:
    """Return the map of a table that is fitted to landmarks, see `LandmarkMap`.

    One that cannot place new rows gets kernels for that.
    """
    y = np.asarray(table.y)
    found = grown_map(
        with_transform(estimator, owner="map_table"),
        Objects(X, np.unique(y, return_inverse=True)[1], y, table.groups),
        n_landmarks,
        tolerance,
        np.random.RandomState(seed),
        owner="map_table",
    )
    model, Z, landmarks, steps = found
    known = model.get_params()
    told = [name for name in known if name.split("__")[-1] == "callback"]
    model.set_params(**dict.fromkeys(told))
    fitted = None if len(landmarks) == len(X) else landmarks
    return Mapped(model, Z, fitted, tuple(steps))


def growth_words(growth: tuple[Growth, ...]) -> str:
    """Return how landmarks became so many, if they grew."""
    if not growth or growth[-1].gain is None:
        return ""
    first, last = growth[0], growth[-1]
    return (
        f"Landmarks grew from {first.n_landmarks:,}; their last step gained "
        f"{last.gain:.2g} at most."
    )


@arguments(most=whole(1), seed=seed_rule())
def fitted_rows(y: Any, most: int, seed: int = 0) -> NDArray[np.intp]:
    """Return the rows of a large table that a map is fitted to, some of each class.

    Parameters
    ----------
    y : array-like of shape (n,)
        Class labels.
    most : int
        So many rows, or all if there are fewer.
    seed : int, default=0
        Draws them.

    Returns
    -------
    rows : ndarray of int of shape (min(most, n),)
        In the order of the table.

    Examples
    --------
    >>> fitted_rows(["a", "b"] * 50, 4).shape
    (4,)
    """
    y = labels_argument("fitted_rows", "y", y)
    if len(y) <= most:
        return np.arange(len(y))
    _, codes = np.unique(y, return_inverse=True)
    return drawn_by_class(codes, most, np.random.RandomState(seed))


def mapped(
    estimator: Any, X: NDArray[np.float64], table: Table, most: int | None, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.intp] | None]:
    """Return the map of a table, and the rows that it was fitted to; None: all.

    A method that knows groups is told of them.
    """
    y = np.asarray(table.y)
    if most is not None and len(X) > most:
        fitted = fitted_rows(y, most, seed)
        estimator.fit(X[fitted], y[fitted])
        return placed_around(estimator, X, fitted), fitted
    takes_groups = "groups" in inspect.signature(estimator.fit_transform).parameters
    known = {"groups": table.groups} if takes_groups else {}
    Z = np.asarray(estimator.fit_transform(X, y, **known), dtype=np.float64)
    drawn = getattr(estimator, "train_indices_", None)
    return Z, None if drawn is None or len(drawn) == len(X) else drawn


def placed_around(
    estimator: Any, X: NDArray[np.float64], fitted: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the places of all rows on a map that was fitted to some."""
    Z = np.array(estimator.transform(X), dtype=np.float64)
    if hasattr(estimator, "embedding_"):  # not quite where kernels put them
        Z[fitted] = estimator.embedding_
    return Z
