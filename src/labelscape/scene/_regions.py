"""Regions of a map, and the area of the plane that they cover."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from labelscape._core.threads import map_blocks, row_blocks
from labelscape._core.types import Array
from labelscape.boundary._internal import FAR, regions_of
from labelscape.prototypes._internal import PrototypeClassifier, class_scores_in_plane
from labelscape.scene.scene import Regions, Singles
from labelscape.scene.subject import Classes

# A map whose sides have a ratio above NARROW is stretched to the ratio STRETCHED. If
# the ratio is above FLAT, the narrow side is only rounding error.
NARROW, STRETCHED, FLAT = 4.0, 2.0, 1e5
# If this takes a factor above MOST, the map is stretched to a strip of the ratio STRIP,
# by a factor of at most MOST_OF_STRIP.
MOST, STRIP, MOST_OF_STRIP = 10.0, 6.0, 30.0
# Regions fill every view that shows all points with a margin of the factor ROOM, if its
# ratio of width to height is within ASPECTS.
ASPECTS, ROOM = (0.8, 2.2), 1.25
# The first view contains the points up to FENCE times as far out as the MIDDLE quantile
# of the points; or all points, if this enlarges it by a factor of at most ROOMY.
MIDDLE, FENCE, ROOMY = 0.98, 1.5, 1.5
NEAR = 1.1  # `resolution` cells cover the longer side times this factor


class Frame(NamedTuple):
    """The box of the first view of a map, and the enlargement of its axes."""

    # (2,) Corners of the box of the first view: all points, or the central ones if a
    # few points are far away.
    low: Array
    high: Array
    # Enlargement of both directions relative to the map.
    stretch: tuple[float, float]
    warning: str  # a warning about the enlargement

    @property
    def is_line(self) -> bool:
        """Whether all points have the same height, so that height has no meaning."""
        width, height = self.high - self.low
        return bool(height == 0.0 and width > 0.0)

    def axes(self, resolution: int) -> tuple[Array, Array]:
        """Return the x and y coordinates of square cells that cover the view."""
        extent = self.high - self.low
        longest = float(extent.max()) or 1.0  # all positions coincide
        tallest, widest = ASPECTS
        width = ROOM * max(extent[0], widest * extent[1], longest)
        height = ROOM * max(extent[1], extent[0] / tallest, longest)
        step = NEAR * longest / (resolution - 1)
        middle = (self.low + self.high) / 2
        counts = np.ceil([width / step, height / step]) + 1
        x, y = (
            center + step * (np.arange(n) - (n - 1) / 2)
            for center, n in zip(middle, counts, strict=True)
        )
        return x, y


def frame_of(Z: Singles, prototypes: Singles | None) -> Frame:
    """Return the Frame of a map with points Z (n, 2) and prototypes (k, 2)."""
    marked = np.empty((0, 2)) if prototypes is None else prototypes.astype(np.float64)
    first = _seen_first(Z.astype(np.float64), marked)
    stretch, warning = _stretch(np.ptp(first, axis=0))
    drawn = np.vstack([first, marked]) * stretch
    return Frame(drawn.min(axis=0), drawn.max(axis=0), stretch, warning)


def _seen_first(Z: Array, marked: Array) -> Array:
    """Return the points of the first view, by the same rule as `first_frame.ts`."""
    # Around all points, a grid would be too coarse for the central points.
    middle = np.median(Z, axis=0)
    low, high = np.quantile(Z, [0.25, 0.75], axis=0)
    ranges = np.where(high > low, high - low, np.ptp(Z, axis=0))
    farness = np.abs((Z - middle) / np.where(ranges > 0.0, ranges, 1.0)).max(axis=1)
    first = Z[farness <= FENCE * np.quantile(farness, MIDDLE)]
    sides = [np.ptp(np.vstack([part, marked]), axis=0).max() for part in (Z, first)]
    return Z if sides[0] <= ROOMY * sides[1] else first


def _stretch(extent: Array) -> tuple[tuple[float, float], str]:
    narrow, wide = int(extent.argmin()), float(extent.max())
    if extent[narrow] * FLAT <= wide or extent[narrow] * NARROW >= wide:
        return (1.0, 1.0), ""
    ratio = wide / extent[narrow]
    factor = max(min(ratio / STRETCHED, MOST), min(ratio / STRIP, MOST_OF_STRIP))
    factor = float(f"{round(factor):.2g}")
    is_wide = narrow == 1
    warning = f"{'Vertical' if is_wide else 'Horizontal'} distances are enlarged "
    warning += f"{factor:g} times."
    if factor >= MOST:
        matters = f"only the {'horizontal' if is_wide else 'vertical'} position matters"
        warning = f"This map is essentially a line: {matters}. {warning}"
    return (1.0, factor) if is_wide else (factor, 1.0), warning


RESOLUTION = 200  # number of cells along the longer side of the points
# Maximum number of points to fit the picture of a classifier, and maximum number of
# values of the samples on its grid.
MOST_POINTS, MOST_VALUES = 3000, 40_000_000
MOST_COMPARED = 50_000  # maximum number of points that are compared with their region
COARSEST = 10  # minimum number of cells along the longer side of the points
# Meaning of a position on the picture of a classifier.
_WORDS = {
    "inverse": "Each position shows the classifier's prediction for the sample that "
    "an inverse map computes there",
    "neighbors": "A position shows the classifier's prediction for the nearest point",
}


@dataclass(frozen=True, eq=False)
class KnownPositions:
    """A map with known positions, which needs no fit."""

    positions: Singles

    def transform(self, X: Array) -> Singles:
        """Return the known positions; X must be the points."""
        return self.positions


def has_plane(model: Any) -> bool:
    """Return whether a model is a prototype model with a two-dimensional space."""
    if not isinstance(model, PrototypeClassifier):
        return False
    shared = model.metric_.shared
    return shared is not None and shared.ndim == 2 and len(shared) == 2


class Votes(NamedTuple):
    """Points of a map that vote for the class of positions near them."""

    positions: Array  # (m, 2)
    weights: Array  # (m, C)
    k: int
    words: str = ""  # the meaning of the vote
    by: str = ""  # description of the points
    accuracy: float | None = None  # accuracy on held-out points

    def at(self, positions: Array) -> Array:
        """Return the share of each class (n, C) among the k nearest points."""
        k = min(self.k, len(self.positions))
        _, near = KDTree(self.positions).query(positions, k=np.arange(1, k + 1))
        shares = np.zeros((len(positions), self.weights.shape[1]))
        for rank in range(k):
            # In a tie, the class with the nearer point wins.
            shares += self.weights[near[:, rank]] * (1.0 - 1e-9 * rank)
        shares /= shares.sum(axis=1, keepdims=True)
        return shares


@dataclass(frozen=True, eq=False)
class Painter:
    """Colors the plane of a map by predictions."""

    # (n, 2) positions of the points on the map, and the first view
    Z: Singles
    frame: Frame
    classes: Classes
    predictions: Any  # (n,) predictions for the points, or None
    resolution: int = RESOLUTION  # number of cells along the longer side of the points

    def by_plane(self, model: Any) -> Regions:
        """Return the exact regions of a model in its own plane."""
        scores = class_scores_in_plane(model)
        labels = np.asarray(model.classes_)
        x, y = self.frame.axes(self.resolution)
        cells = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        positions = cells / self.frame.stretch
        P = class_scores_in_plane(model, as_probabilities=True)(positions)
        values = (
            labels[scores(positions).argmax(axis=1)],
            P.max(axis=1),
            self._distance_from_data(x, cells),
        )
        wrong = labels[scores(self.Z.astype(np.float64)).argmax(axis=1)]
        wrong = wrong != self.predictions
        words = "Each position shows the exact prediction of the model in its plane."
        return self._regions(x, y, values, 1.0 - float(wrong.mean()), wrong, words)

    def by_picture(self, picture: Any) -> Regions:
        """Return the regions of a fitted ClassifierMap."""
        words = (
            f"{_WORDS[picture.coloring_]}; agreement is measured on the points that "
            "were used to fit the map."
        )
        n_features = len(picture.inverse_.coefficients[0])
        grid = self._grid_of(picture, n_features, self.frame.stretch)
        wrong = self._contradicting(picture, self.Z)
        return self._regions(*grid, picture.agreement_train_, wrong, words)

    def by_classifier(self, classifier: Any, X: Array, seed: int) -> Regions:
        """Return the regions of any classifier on a fitted map."""
        # Agreement is measured on held-out points: a second picture is fitted to half
        # of the points, and tested on the other half.
        from labelscape.boundary import ClassifierMap

        drawn = self.Z * np.asarray(self.frame.stretch)

        def picture(rows: Array) -> Any:
            # The lowest resolution: the scene computes its own, larger grid.
            known = KnownPositions(drawn[rows])
            return ClassifierMap(classifier, known, 2, random_state=seed).fit(X[rows])

        order = np.random.default_rng(seed).permutation(len(X))
        full = picture(np.sort(order[:MOST_POINTS]))
        half = min(len(X) // 2, MOST_POINTS)
        agreement = None
        if half >= 4:
            tested = picture(np.sort(order[:half]))
            others = order[half : 2 * half]
            colors = tested.shown_at(drawn[others])
            agreement = float((colors == tested.predict(X[others])).mean())
        grid = self._grid_of(full, X.shape[1])
        wrong = self._contradicting(full, drawn)
        return self._regions(*grid, agreement, wrong, f"{_WORDS[full.coloring_]}.")

    def by_votes(self, votes: Votes) -> Regions:
        """Return regions from votes of the points near each position."""
        x, y = self.frame.axes(self.resolution)
        stretch = np.asarray(self.frame.stretch)
        scaled = votes._replace(positions=votes.positions * stretch)
        cells = np.stack(np.meshgrid(x, self._rows(y)), axis=-1).reshape(-1, 2)
        shares = scaled.at(cells)
        labels = np.array(self.classes.labels, dtype=object)
        values = (
            labels[shares.argmax(axis=1)],
            shares.max(axis=1),
            self._distance_from_data(x, cells),
        )
        wrong = None
        if self.predictions is not None and len(self.Z) <= MOST_COMPARED:
            wrong = scaled.at(self.Z * stretch).argmax(axis=1) != self.predictions
        agreement = None if wrong is None else 1.0 - float(wrong.mean())
        regions = self._regions(x, y, values, agreement, wrong, votes.words)
        return replace(regions, by=votes.by, accuracy=votes.accuracy)

    def _rows(self, y: Array) -> Array:
        """Return the heights of the grid; only one if the map is a line."""
        return self.frame.low[1:] if self.frame.is_line else y

    def _distance_from_data(self, x: Array, cells: Array) -> Array:
        drawn = self.Z * np.asarray(self.frame.stretch)
        return distance_from_data(cells, drawn, least=float(x[1] - x[0]))

    def _contradicting(self, picture: Any, Z: Array) -> Array | None:
        """Return which points are in regions of other classes; None if n is large."""
        if len(Z) > MOST_COMPARED:
            return None
        colors = picture.shown_at(np.asarray(Z, dtype=np.float64))
        return np.asarray(colors != self.predictions)

    def _grid_of(
        self, picture: Any, n_features: int, stretch: tuple[float, float] = (1.0, 1.0)
    ) -> tuple[Array, Array, tuple[Array, ...]]:
        """Return columns, rows and predictions on a grid, coarser for many features."""
        x, y = self.frame.axes(self.resolution)
        share = MOST_VALUES / (len(x) * len(y) * n_features)
        coarser = max(int(self.resolution * np.sqrt(share)), COARSEST)
        x, y = self.frame.axes(min(self.resolution, coarser))
        regions = regions_of(picture, x / stretch[0], self._rows(y) / stretch[1])
        return x, y, (regions.labels, regions.certainty, regions.support)

    def _regions(
        self,
        x: Array,
        y: Array,
        values: tuple[Array, ...],
        agreement: float | None,
        wrong: Array | None,
        words: str,
    ) -> Regions:
        """Return labels, certainty and distances on a grid as regions."""
        shape = len(y), len(x)
        labels, certainty, distance = (
            np.broadcast_to(value.reshape(-1, len(x)), shape) for value in values
        )
        near = np.clip(1.0 - distance / FAR, 0.0, 1.0)
        # Rounding must not turn the last cells near data into far cells.
        support = np.where(distance > FAR, 0, np.maximum(np.rint(255 * near), 1))
        step = (x[1] - x[0]) / 2
        (x0, x1), (y0, y1) = (
            (axis[[0, -1]] + [-step, step]) / factor
            for axis, factor in zip((x, y), self.frame.stretch, strict=True)
        )
        return Regions(
            box=(float(x0), float(y0), float(x1), float(y1)),
            labels=self.classes.codes(labels.ravel()).reshape(shape),
            certainty=np.rint(255 * np.clip(certainty, 0, 1)).astype(np.uint8),
            support=support.astype(np.uint8),
            agreement=agreement,
            share_far=float((support == 0).mean()),
            words=words,
            contradicts=None if wrong is None else wrong.astype(np.uint8),
        )


# Distance of map positions from the data, relative to the density of the data.

# The unit is the distance to this neighbor, as for the kernels of a ClassifierMap.
NEIGHBOR = 5
MOST_MEASURED = 1000  # number of points that represent the data


def distance_from_data(cells: Array, Z: Array, least: float) -> Array:
    """Return the distance of cells (m, 2) from the closest of the points Z (n, 2)."""
    # The unit depends on the local density, but is at least ``least``, because a cell
    # with coinciding points contains data.
    points = np.unique(np.asarray(Z, dtype=np.float64), axis=0)
    points = points[:: -(-len(points) // MOST_MEASURED)]
    neighbor = min(NEIGHBOR, len(points) - 1)
    if neighbor == 0:
        return np.asarray(np.linalg.norm(cells - points[0], axis=1))
    reach, _ = KDTree(points).query(points, k=[neighbor + 1])
    units = np.maximum(np.asarray(reach)[:, 0], least)

    # In these units, the closest point is not always the nearest point.
    def closest(rows: slice) -> Array:
        return np.asarray((cdist(cells[rows], points) / units).min(axis=1))

    return np.concatenate(map_blocks(closest, row_blocks(len(cells), 8 * len(points))))
