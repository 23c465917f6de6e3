"""Where a model decides what: exactly in its own plane, or by a ClassifierMap."""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import softmax

from labelscape.boundary._grid import FAR, grid_axes
from labelscape.prototypes._base import class_scores
from labelscape.prototypes._model_space import class_scores_in_plane
from labelscape.scene._classes import Classes
from labelscape.scene._numbers import Matrix
from labelscape.scene._support import distance_from_data
from labelscape.scene.scene import Regions, Singles

# Cells along the longer side of a map.
RESOLUTION = 200
# A picture of a classifier is made of at most so many points, and the classifier is
# asked about objects with so many values in all.
MOST_POINTS, MOST_VALUES = 3000, 40_000_000


class Grid(NamedTuple):
    """Decisions at the places of a grid: columns x, rows y, arrays (rows, columns)."""

    x: Matrix
    y: Matrix
    labels: Matrix
    certainty: Matrix
    distance: Matrix


class KnownPlaces:
    """A map that is there already: nothing has to be learned to place its points."""

    def __init__(self, places: Singles) -> None:
        self.places = places

    def transform(self, X: Matrix) -> Singles:
        """Return the places of the points, which X must be."""
        return self.places


def has_plane(model: Any) -> bool:
    """Return whether a prototype model measures its distances in a plane."""
    return len(getattr(model, "omega_", ())) == 2


def plane_regions(
    model: Any, Z: Singles, predictions: Matrix, classes: Classes, resolution: int
) -> Regions:
    """Return the regions of a model in its own plane, without any approximation."""
    scores = class_scores_in_plane(model)
    labels = np.asarray(model.classes_)
    x, y = grid_axes(Z.astype(np.float64), resolution)
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    S = scores(places)
    P = softmax(class_scores(-S) / model.temperature_, axis=1)
    shape = len(y), len(x)
    grid = Grid(
        x,
        y,
        labels[S.argmax(axis=1)].reshape(shape),
        P.max(axis=1).reshape(shape),
        distance_from_data(places, Z, least=float(x[1] - x[0])).reshape(shape),
    )
    right = labels[scores(Z.astype(np.float64)).argmax(axis=1)] == predictions
    words = "What the model decides at each place of its plane, exactly."
    return _regions(grid, classes, float(right.mean()), words)


def pictured_regions(picture: Any, classes: Classes) -> Regions:
    """Return the regions of a fitted ClassifierMap."""
    words = (
        "What the classifier says of the objects that belong at each place; agreement "
        "is that of the points the picture was fitted to."
    )
    return _regions(_grid_of(picture), classes, picture.agreement_train_, words)


def approximate_regions(
    classifier: Any, X: Matrix, Z: Singles, classes: Classes, resolution: int, seed: int
) -> Regions:
    """Return the regions of any classifier on a map that is there already.

    Agreement is that of points which the picture was not made of: half of the points
    make a second picture, and the others judge it.
    """
    from labelscape.boundary import ClassifierMap

    def picture(rows: Matrix, cells: int) -> Any:
        known = KnownPlaces(Z[rows])
        return ClassifierMap(classifier, known, cells, random_state=seed).fit(X[rows])

    order = np.random.default_rng(seed).permutation(len(X))
    affordable = int(np.sqrt(MOST_VALUES / X.shape[1]))
    full = picture(np.sort(order[:MOST_POINTS]), min(resolution, max(affordable, 20)))
    half = min(len(X) // 2, MOST_POINTS)
    agreement = None
    if half >= 4:
        judged = picture(np.sort(order[:half]), 2)
        others = order[half : 2 * half]
        again = judged.inverse_transform(Z[others])
        agreement = float((judged._labels(again) == judged._labels(X[others])).mean())
    words = (
        "What the classifier says of the objects that belong at each place, found by "
        "an inverse map."
    )
    return _regions(_grid_of(full), classes, agreement, words)


def _grid_of(picture: Any) -> Grid:
    found = picture.regions_
    return Grid(found.x, found.y, found.labels, found.certainty, found.support)


def _regions(
    grid: Grid, classes: Classes, agreement: float | None, words: str
) -> Regions:
    near = np.clip(1.0 - grid.distance / FAR, 0.0, 1.0)
    # The last cells that are still near data must not be rounded to "far".
    support = np.where(near > 0.0, np.maximum(np.rint(255 * near), 1), 0)
    codes = classes.codes(grid.labels.ravel()).reshape(grid.labels.shape)
    step_x, step_y = (axis[1] - axis[0] for axis in (grid.x, grid.y))
    box = (
        float(grid.x[0] - step_x / 2),
        float(grid.y[0] - step_y / 2),
        float(grid.x[-1] + step_x / 2),
        float(grid.y[-1] + step_y / 2),
    )
    return Regions(
        box=box,
        labels=codes,
        certainty=np.rint(255 * np.clip(grid.certainty, 0, 1)).astype(np.uint8),
        support=support.astype(np.uint8),
        agreement=agreement,
        share_far=float((support == 0).mean()),
        words=words,
    )
