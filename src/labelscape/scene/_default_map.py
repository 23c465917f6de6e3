"""A map of the data for models that have none. No label has a say in it."""

from typing import NamedTuple

import numpy as np

from labelscape.scene._numbers import Matrix
from labelscape.scene._places import Places, given_places, two_columns
from labelscape.scene._subject import Subject
from labelscape.scene.scene import Singles

# Above this many objects, the straight view: its time grows with the data, not faster.
MOST_OBJECTS = 2000
# Up to this many features, their covariances are the quick way to principal components.
FEW_FEATURES = 500

DISTANCES = "All distances, as far as a plane can keep them; labels have no say."
VARIANCE = "The directions in which the data vary most; labels have no say."


class DataMap(NamedTuple):
    """Objects and prototypes on one map; prototypes without features have no place."""

    places: Places
    prototypes: Singles | None


def data_map(subject: Subject, seed: int) -> DataMap:
    """Return a map of the data that a prototype model was given."""
    from labelscape.embeddings import WeightedMDS

    X = subject.X
    assert X is not None  # a prototype model was fitted to numbers
    n = len(X)
    mds = WeightedMDS(n_init=1, random_state=seed)
    if subject.is_precomputed:
        mds.set_params(metric="precomputed")
        places = given_places("Distances", mds.fit_transform(_square(X)), n)
        return DataMap(places._replace(words=DISTANCES), None)
    rows = np.vstack([_completed(X), subject.prototypes.prototypes_])
    if n <= MOST_OBJECTS:
        Z, name, words = mds.fit_transform(rows), "Distances", DISTANCES
    else:
        Z, name, words = _principal(rows, n, seed), "Principal components", VARIANCE
    places = given_places(name, two_columns(Z[:n]), n)._replace(words=words)
    return DataMap(places, two_columns(Z[n:]))


def _principal(rows: Matrix, n: int, seed: int) -> Matrix:
    """Return the principal components of the first n rows, and all rows on them."""
    from sklearn.decomposition import PCA

    d = rows.shape[1]
    solver = "covariance_eigh" if d <= FEW_FEATURES else "randomized"
    pca = PCA(min(2, d), svd_solver=solver, random_state=seed).fit(rows[:n])
    Z: Matrix = pca.transform(rows)
    return Z


def _square(D: Matrix) -> Matrix:
    if D.shape[0] != D.shape[1]:
        raise ValueError(
            "build_scene: with metric='precomputed' the dissimilarities of all shown "
            f"objects are needed, a square matrix; got an array of shape {D.shape}. "
            "Pass places of your own instead, and the model as prototypes=…"
        )
    return D


def _completed(X: Matrix) -> Matrix:
    """Return X with what is missing at the mean of its feature: in the middle."""
    missing = np.isnan(X)
    return np.where(missing, np.nanmean(X, axis=0), X) if missing.any() else X
