"""A map of the data for models that have none: weighted MDS, by landmarks of many."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from labelscape._core.errors import InputError
from labelscape.scene._units import Matrix

Placing = Callable[[Matrix], Matrix]

# Of more objects, some are mapped and the others placed among them.
MOST_OBJECTS = 2000
# How many are mapped: with distances of all others to them, that takes seconds.
MOST_LANDMARKS, FEWEST_LANDMARKS = 1000, 200
MOST_DISTANCES = 10_000_000
# Of still more, the straight view: its time grows with the data, not faster.
MOST_PLACED = 100_000
# Up to this many features, their covariances are the quick way to principal components.
FEW_FEATURES = 500

DISTANCES = "All distances, as far as a plane can keep them; labels have no say."
VARIANCE = "The directions in which the data vary most; labels have no say."


class MadeMap(NamedTuple):
    """Objects and others on one map, its name and what it keeps; what places more."""

    name: str
    words: str
    objects: Matrix
    others: Matrix | None
    place: Placing | None


def made_map(X: Matrix, others: Matrix | None, seed: int) -> MadeMap:
    """Return a map of objects X (n, d) and others (k, d) among them.

    Without others, X holds dissimilarities.
    """
    if others is None:
        return _of_dissimilarities(X, seed)
    rows, n = np.vstack([_completed(X), others]), len(X)
    if n > MOST_PLACED:
        return _straight(rows, n, seed)
    mapped = np.arange(n) if n <= MOST_OBJECTS else _landmarks(n, seed)
    return _by_distances(rows, n, mapped, seed)


def _of_dissimilarities(D: Matrix, seed: int) -> MadeMap:
    from labelscape.embeddings import WeightedMDS

    mds = WeightedMDS(n_init=1, metric="precomputed", random_state=seed)
    Z = np.asarray(mds.fit_transform(_square(D)))
    return MadeMap("Distances", DISTANCES, Z, None, None)


def _by_distances(rows: Matrix, n: int, mapped: Matrix, seed: int) -> MadeMap:
    """Return the map of some objects and all others, and the rest placed among them."""
    from labelscape.embeddings import WeightedMDS

    landmarks = np.concatenate([mapped, np.arange(n, len(rows))])
    mds = WeightedMDS(n_init=1, random_state=seed)
    Z = np.asarray(mds.fit_transform(rows[landmarks]))
    place = _placing(rows[landmarks], Z)
    objects, words = Z[: len(mapped)], DISTANCES
    if len(mapped) < n:
        words += (
            f" {len(mapped):,} of {n:,} objects were mapped, the others placed among "
            "them by their distances."
        )
        objects = np.empty((n, Z.shape[1]))
        rest = np.setdiff1d(np.arange(n), mapped)
        objects[mapped], objects[rest] = Z[: len(mapped)], place(rows[rest])
    return MadeMap("Distances", words, objects, Z[len(mapped) :], place)


def _placing(landmarks: Matrix, Z: Matrix) -> Placing:
    """Return the function that places rows by their distances from landmarks."""
    from labelscape._core.points.distances import exact_squared_distances
    from labelscape.embeddings._internal import placed_among

    def place(rows: Matrix) -> Matrix:
        found: Matrix = placed_among(
            lambda block: np.sqrt(exact_squared_distances(rows[block], landmarks)),
            len(rows),
            Z,
        )
        return found

    return place


def _landmarks(n: int, seed: int) -> Matrix:
    """Return which of n objects are mapped, ascending, drawn by lot."""
    size = int(np.clip(MOST_DISTANCES // n, FEWEST_LANDMARKS, MOST_LANDMARKS))
    drawn = np.random.RandomState(seed).choice(n, size, replace=False)
    chosen: Matrix = np.sort(drawn)
    return chosen


def _straight(rows: Matrix, n: int, seed: int) -> MadeMap:
    """Return the principal components of the first n rows, and all rows on them."""
    from sklearn.decomposition import PCA

    d = rows.shape[1]
    solver = "covariance_eigh" if d <= FEW_FEATURES else "randomized"
    pca = PCA(min(2, d), svd_solver=solver, random_state=seed).fit(rows[:n])
    pca.set_output(transform="default")  # whatever the user has set for all
    Z: Matrix = pca.transform(rows)
    return MadeMap("Principal components", VARIANCE, Z[:n], Z[n:], pca.transform)


def _square(D: Matrix) -> Matrix:
    if D.shape[0] != D.shape[1]:
        raise InputError(
            "with metric='precomputed' the dissimilarities of all shown "
            f"objects are needed, a square matrix; got an array of shape {D.shape}. "
            "Pass places of your own instead, and the model as prototypes=…",
            owner="build_scene",
        )
    return D


def _completed(X: Matrix) -> Matrix:
    """Return X with what is missing at the mean of its feature: in the middle."""
    missing = np.isnan(X)
    return np.where(missing, np.nanmean(X, axis=0), X) if missing.any() else X
