"""Where the points stand on a map, and a sentence about what the map preserves."""

from typing import Any, NamedTuple

import numpy as np

from labelscape.scene._numbers import Matrix
from labelscape.scene._subject import Subject
from labelscape.scene.scene import Singles

# What maps preserve, in one sentence each. Names that begin or end so count as well.
WORDS = {
    "LVQ": "The plane in which the model measures distances to its prototypes.",
    "KernelPCA": "The directions of most variance, in the space of a kernel.",
    "PCA": "The directions in which the data vary most; labels have no say.",
    "TruncatedSVD": "The directions in which the data vary most; labels have no say.",
    "LFDA": "Straight directions that part classes and keep what is close in a class.",
    "LinearDiscriminantAnalysis": "Straight directions that part the class means.",
    "NeighborhoodComponentsAnalysis": "Straight directions in which neighbours agree.",
    "FisherTSNE": "Neighbours by class probabilities stay neighbours.",
    "FisherKernelTSNE": "Neighbours by class probabilities stay neighbours.",
    "FisherMDS": "Distances by class probabilities, as far as a plane can keep them.",
    "TSNE": "Neighbours stay neighbours; long distances mean little.",
    "UMAP": "Neighbours stay neighbours; long distances mean little.",
    "ClassiMap": "Distances inside classes are not torn, those between not compressed.",
    "ClassifierMap": "Neighbours by the classifier's own answers stay neighbours.",
    "MDS": "All distances, as far as a plane can keep them; labels have no say.",
    "Sammon": "All distances, the short ones most of all; labels have no say.",
    "CCA": "What is close on the map is close in the data; labels have no say.",
    "DDHDS": "Short distances in the data or on the map; labels have no say.",
    "XOM": "Neighbourhoods of the data, spread over the plane; labels have no say.",
    "Isomap": "Distances along the data, as far as a plane can keep them.",
}
GIVEN = "Places as they were given."


class Places(NamedTuple):
    """A map: its name, its sentence, and where the points stand (n, 2)."""

    name: str
    words: str
    positions: Singles


def given_places(name: str, Z: Any, n_points: int) -> Places:
    """Return places that were given as an array."""
    return _flat(name, GIVEN, Z, n_points)


def fitted_places(name: str, subject: Subject) -> Places | None:
    """Return where a fitted map puts the points; None if it does not place any."""
    estimator, n = subject.estimator, len(subject.shown)
    Z = getattr(estimator, "embedding_", None)
    if Z is None or len(Z) != n:
        if not hasattr(estimator, "transform"):
            if Z is None:
                return None
            raise ValueError(
                f"build_scene: {subject.name} was fitted to {len(Z)} objects, X has "
                f"{n}, and it cannot place new ones. Pass the X it was fitted to, or "
                "wrap it in a KernelMap."
            )
        Z = estimator.transform(subject.data)
    return _flat(name, _words(subject.name), Z, n)


def two_columns(Z: Matrix) -> Singles:
    """Return the first two columns; a missing second one is 0."""
    flat = np.zeros((len(Z), 2), dtype=np.float32)
    with np.errstate(over="ignore"):  # told as an error, with its row
        flat[:, : min(2, Z.shape[1])] = Z[:, :2]
    return flat


def _flat(name: str, words: str, Z: Any, n_points: int) -> Places:
    try:
        Z = np.asarray(Z, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"build_scene: the map {name!r} holds no numbers.") from None
    if Z.ndim != 2 or Z.shape[1] == 0:
        raise ValueError(
            f"build_scene: the map {name!r} must have one row of coordinates per "
            f"point, got an array of shape {Z.shape}."
        )
    if len(Z) != n_points:
        raise ValueError(
            f"build_scene: the map {name!r} has {len(Z)} points, but there are "
            f"{n_points} objects. All maps of a scene show the same objects."
        )
    flat = _finite(name, two_columns(Z))
    if Z.shape[1] == 1:
        words += " It has one dimension; the height of a point means nothing."
    if Z.shape[1] > 2:
        words += f" Shown are the first two of {Z.shape[1]} dimensions."
    return Places(name, words, flat)


def _finite(name: str, flat: Singles) -> Singles:
    lost = np.flatnonzero(~np.isfinite(flat).all(axis=1))
    if len(lost):
        points = "1 point" if len(lost) == 1 else f"{len(lost)} points"
        raise ValueError(
            f"build_scene: the map {name!r} has no place for {points}, the first in "
            f"row {lost[0]}: coordinates are NaN or too large. Fit it again, or leave "
            "such points out."
        )
    return flat


def _words(name: str) -> str:
    if name in WORDS:
        return WORDS[name]
    near = (words for known, words in WORDS.items() if name.endswith(known))
    return next(near, f"A map by {name}.")
