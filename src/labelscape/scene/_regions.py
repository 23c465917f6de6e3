"""Regions of a map: what a model decides where, and the plane that they cover."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from labelscape._core.threads import map_blocks, row_blocks
from labelscape.boundary._internal import FAR, regions_of, share_far
from labelscape.prototypes._internal import PrototypeClassifier, class_scores_in_plane
from labelscape.scene._classes import Classes
from labelscape.scene._units import Matrix
from labelscape.scene.scene import Codes, Regions, Singles

# A map longer than this is stretched to the second ratio. Beyond the third, its narrow
# side is a matter of rounding.
NARROW, STRETCHED, FLAT = 4.0, 2.0, 1e5
# Where that would take a factor above the first, it is stretched to a strip of this
# ratio, and at most by the last factor.
MOST, STRIP, MOST_OF_STRIP = 10.0, 6.0, 30.0
# Stages between these ratios of width to height see no edge of the regions when they
# show all points, with this much room around these.
ASPECTS, ROOM = (0.8, 2.2), 1.25
# What is shown first holds this share of the points, and others up to this many times
# as far out; all points, where they need no more than the last factor of that space.
MIDDLE, FENCE, ROOMY = 0.98, 1.5, 1.5
# `resolution` cells are along this part of the longer side.
NEAR = 1.1


class Frame(NamedTuple):
    """Where points and prototypes are, as they are drawn."""

    # (2,) The corners of the box around what a view shows first: all of them, or the
    # middle, where a few points lie far out.
    low: Matrix
    high: Matrix
    # How much larger than on the map both directions are drawn.
    stretch: tuple[float, float]
    # What a reader must know about that.
    warning: str

    @property
    def is_line(self) -> bool:
        """Whether all are at one height, which then means nothing."""
        width, height = self.high - self.low
        return bool(height == 0.0 and width > 0.0)

    def axes(self, resolution: int) -> tuple[Matrix, Matrix]:
        """Return columns and rows of a grid that covers what a stage shows.

        Cells are square as drawn, ``resolution`` along the longer side of the box.
        """
        extent = self.high - self.low
        longest = float(extent.max()) or 1.0  # all positions are the same
        tallest, widest = ASPECTS
        width = ROOM * max(extent[0], widest * extent[1], longest)
        height = ROOM * max(extent[1], extent[0] / tallest, longest)
        step = NEAR * longest / (resolution - 1)
        middle = (self.low + self.high) / 2
        x, y = (
            middle[k] + step * _centered(side / step)
            for k, side in enumerate((width, height))
        )
        return x, y


def frame_of(Z: Singles, prototypes: Singles | None) -> Frame:
    """Return how points Z (n, 2) and prototypes (k, 2) of a map are drawn."""
    marked = np.empty((0, 2)) if prototypes is None else prototypes.astype(np.float64)
    first = _seen_first(Z.astype(np.float64), marked)
    stretch, warning = _stretch(np.ptp(first, axis=0))
    drawn = np.vstack([first, marked]) * stretch
    return Frame(drawn.min(axis=0), drawn.max(axis=0), stretch, warning)


def _seen_first(Z: Matrix, marked: Matrix) -> Matrix:
    """Return the points that a view shows first, by the rule of `first_frame.ts`.

    Around all points, a grid of regions would be too coarse for those in the middle.
    """
    middle = np.median(Z, axis=0)
    low, high = np.quantile(Z, [0.25, 0.75], axis=0)
    ranges = np.where(high > low, high - low, np.ptp(Z, axis=0))
    farness = np.abs((Z - middle) / np.where(ranges > 0.0, ranges, 1.0)).max(axis=1)
    first = Z[farness <= FENCE * np.quantile(farness, MIDDLE)]
    sides = [np.ptp(np.vstack([part, marked]), axis=0).max() for part in (Z, first)]
    return Z if sides[0] <= ROOMY * sides[1] else first


def _stretch(extent: Matrix) -> tuple[tuple[float, float], str]:
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
        matters = "left-right" if is_wide else "up-down"
        warning = f"This map is essentially a line: only {matters} matters. {warning}"
    return (1.0, factor) if is_wide else (factor, 1.0), warning


def _centered(n: float) -> Matrix:
    """Return steps around 0, at least n of them."""
    count = int(np.ceil(n)) + 1
    return np.arange(count) - (count - 1) / 2


# Cells along the longer side of the points.
RESOLUTION = 200
# A picture of a classifier is made of at most this many points, and the classifier
# predicts samples with at most this many values in all.
MOST_POINTS, MOST_VALUES = 3000, 40_000_000
# At most this many points are compared with their region.
MOST_COMPARED = 50_000
# Fewer cells than this along the points show nothing.
COARSEST = 10
# What a position on the picture of a classifier shows.
_WORDS = {
    "inverse": "What the classifier predicts for the samples that belong at each "
    "position, by an inverse map",
    "neighbors": "What the classifier predicts for the point nearest to each position",
}


class Grid(NamedTuple):
    """Decisions on a grid: columns x, rows y, arrays (rows, columns).

    Positions are those of the drawing, stretched where it is.
    """

    x: Matrix
    y: Matrix
    labels: Matrix
    certainty: Matrix
    distance: Matrix


@dataclass(frozen=True, eq=False)
class KnownPositions:
    """A finished map: nothing has to be learned to place its points."""

    positions: Singles

    def transform(self, X: Matrix) -> Singles:
        """Return the positions of the points, which X must be."""
        return self.positions


def has_plane(model: Any) -> bool:
    """Return whether this is a prototype model that measures in a plane."""
    if not isinstance(model, PrototypeClassifier):
        return False
    shared = model.metric_.shared
    return shared is not None and shared.ndim == 2 and len(shared) == 2


def plane_regions(
    model: Any,
    Z: Singles,
    frame: Frame,
    predictions: Matrix,
    classes: Classes,
    resolution: int,
) -> Regions:
    """Return the regions of a model in its own plane, without any approximation."""
    scores = class_scores_in_plane(model)
    labels = np.asarray(model.classes_)
    x, y = frame.axes(resolution)
    drawn = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    positions = drawn / frame.stretch
    P = class_scores_in_plane(model, as_probabilities=True)(positions)
    shape = len(y), len(x)
    least = float(x[1] - x[0])
    grid = Grid(
        x,
        y,
        labels[scores(positions).argmax(axis=1)].reshape(shape),
        P.max(axis=1).reshape(shape),
        distance_from_data(drawn, Z * frame.stretch, least=least).reshape(shape),
    )
    wrong = labels[scores(Z.astype(np.float64)).argmax(axis=1)] != predictions
    words = "What the model decides at each position of its plane, exactly."
    return _regions(grid, frame, classes, 1.0 - float(wrong.mean()), wrong, words)


def pictured_regions(
    picture: Any,
    Z: Singles,
    frame: Frame,
    predictions: Matrix,
    classes: Classes,
    resolution: int,
) -> Regions:
    """Return the regions of a fitted ClassifierMap."""
    words = (
        f"{_WORDS[picture.coloring_]}; agreement is that of the points the picture was "
        "fitted to."
    )
    resolution = _affordable(frame, resolution, len(picture.inverse_.coefficients[0]))
    grid = _grid_of(picture, frame, resolution, frame.stretch)
    wrong = _contradicting(picture, Z, predictions)
    return _regions(grid, frame, classes, picture.agreement_train_, wrong, words)


def far_as_pictured(regions: Regions, picture: Any) -> Regions:
    """Return regions whose share far from data is that of the picture itself.

    The terminal prints it, too: what a page draws around the picture does not count.
    """
    return replace(regions, share_far=share_far(picture, COARSEST, RESOLUTION))


def approximate_regions(
    classifier: Any,
    X: Matrix,
    Z: Singles,
    frame: Frame,
    predictions: Matrix,
    classes: Classes,
    resolution: int,
    seed: int,
) -> Regions:
    """Return the regions of any classifier on a finished map.

    Agreement is measured on points that a picture was not made of: half of the points
    make a second picture, and the others test it.
    """
    from labelscape.boundary import ClassifierMap

    drawn = Z * np.asarray(frame.stretch)

    def picture(rows: Matrix) -> Any:
        # The picture's own grid, as coarse as it can be, covers less than is shown.
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
    words = f"{_WORDS[full.coloring_]}."
    grid = _grid_of(full, frame, _affordable(frame, resolution, X.shape[1]))
    wrong = _contradicting(full, drawn, predictions)
    return _regions(grid, frame, classes, agreement, wrong, words)


class Votes(NamedTuple):
    """Points whose neighbors on a map vote: positions (m, 2), weights (m, C).

    ``words`` say what they vote for, ``by`` what they are, and ``accuracy`` how often
    they are right for held-out points.
    """

    positions: Matrix
    weights: Matrix
    k: int
    words: str = ""
    by: str = ""
    accuracy: float | None = None

    def at(self, positions: Matrix) -> Matrix:
        """Return the shares of each class (n, C) among the k nearest points."""
        k = min(self.k, len(self.positions))
        _, near = KDTree(self.positions).query(positions, k=np.arange(1, k + 1))
        shares = np.zeros((len(positions), self.weights.shape[1]))
        for rank in range(k):
            # Of equal sums, the one with the nearer point wins.
            shares += self.weights[near[:, rank]] * (1.0 - 1e-9 * rank)
        shares /= shares.sum(axis=1, keepdims=True)
        return shares


def voted_regions(
    votes: Votes, Z: Singles, frame: Frame, classes: Classes, predictions: Codes | None
) -> Regions:
    """Return regions of a map by the points around each position.

    ``predictions`` are the classes that the points Z (n, 2) are compared with.
    """
    x, y = frame.axes(RESOLUTION)
    stretch = np.asarray(frame.stretch)
    scaled = votes._replace(positions=votes.positions * stretch)
    rows = frame.low[1:] if frame.is_line else y
    cells = np.stack(np.meshgrid(x, rows), axis=-1).reshape(-1, 2)
    shares = scaled.at(cells)
    Z = Z * stretch
    away = distance_from_data(cells, Z, least=float(x[1] - x[0]))
    labels = np.array(classes.labels, dtype=object)
    values = (labels[shares.argmax(axis=1)], shares.max(axis=1), away)
    shape, full = (len(rows), len(x)), (len(y), len(x))
    grid = Grid(x, y, *(np.broadcast_to(v.reshape(shape), full) for v in values))
    wrong = None
    if predictions is not None and len(Z) <= MOST_COMPARED:
        wrong = scaled.at(Z).argmax(axis=1) != predictions
    agreement = None if wrong is None else 1.0 - float(wrong.mean())
    regions = _regions(grid, frame, classes, agreement, wrong, votes.words)
    return replace(regions, by=votes.by, accuracy=votes.accuracy)


def _contradicting(picture: Any, Z: Matrix, predictions: Matrix) -> Matrix | None:
    """Return which points lie in a region that is not their prediction.

    None if there are too many points to compare each.
    """
    if len(Z) > MOST_COMPARED:
        return None
    wrong: Matrix = picture.shown_at(np.asarray(Z, dtype=np.float64)) != predictions
    return wrong


def _affordable(frame: Frame, resolution: int, n_features: int) -> int:
    """Return the resolution, or a coarser one if there are many features."""
    x, y = frame.axes(resolution)
    share = MOST_VALUES / (len(x) * len(y) * n_features)
    coarser = max(int(resolution * np.sqrt(share)), COARSEST)
    return min(resolution, coarser)


def _grid_of(
    picture: Any,
    frame: Frame,
    resolution: int,
    stretch: tuple[float, float] = (1.0, 1.0),
) -> Grid:
    """Return decisions on a grid; a picture of the map itself has no ``stretch``."""
    x, y = frame.axes(resolution)
    # On a line, where height means nothing, all rows are the same.
    rows = frame.low[1:] if frame.is_line else y
    at_x, at_y = x / stretch[0], rows / stretch[1]
    regions = regions_of(picture, at_x, at_y)
    shape = len(y), len(x)
    values = (regions.labels, regions.certainty, regions.support)
    return Grid(x, y, *(np.broadcast_to(value, shape) for value in values))


def _regions(
    grid: Grid,
    frame: Frame,
    classes: Classes,
    agreement: float | None,
    wrong: Matrix | None,
    words: str,
) -> Regions:
    near = np.clip(1.0 - grid.distance / FAR, 0.0, 1.0)
    # The last cells that are still near data must not be rounded to "far".
    support = np.where(grid.distance > FAR, 0, np.maximum(np.rint(255 * near), 1))
    codes = classes.codes(grid.labels.ravel()).reshape(grid.labels.shape)
    step = (grid.x[1] - grid.x[0]) / 2
    (x0, x1), (y0, y1) = (
        (axis[[0, -1]] + [-step, step]) / factor
        for axis, factor in zip((grid.x, grid.y), frame.stretch, strict=True)
    )
    return Regions(
        box=(float(x0), float(y0), float(x1), float(y1)),
        labels=codes,
        certainty=np.rint(255 * np.clip(grid.certainty, 0, 1)).astype(np.uint8),
        support=support.astype(np.uint8),
        agreement=agreement,
        share_far=float((support == 0).mean()),
        words=words,
        contradicts=None if wrong is None else wrong.astype(np.uint8),
    )


# How far positions on a map are from the data, in units of how dense the data are.

# The unit is the distance to this neighbor, as for the kernels of a ClassifierMap.
NEIGHBOR = 5
# Enough points to know where data are.
MOST_MEASURED = 1000


def distance_from_data(cells: Matrix, Z: Matrix, least: float) -> Matrix:
    """Return how far cells (m, 2) are from the closest of the points Z (n, 2).

    A point in a dense part of the map reaches less far than one in a thin part, but not
    less than ``least``: where points coincide, the cell around them still holds data.
    """
    points = np.unique(np.asarray(Z, dtype=np.float64), axis=0)
    points = points[:: -(-len(points) // MOST_MEASURED)]
    neighbor = min(NEIGHBOR, len(points) - 1)
    if neighbor == 0:
        alone: Matrix = np.linalg.norm(cells - points[0], axis=1)
        return alone
    reach, _ = KDTree(points).query(points, k=[neighbor + 1])
    units = np.maximum(np.asarray(reach)[:, 0], least)

    # A point of a thin part may be the closest in its own units and not among the next.
    def closest(rows: slice) -> Matrix:
        nearest: Matrix = (cdist(cells[rows], points) / units).min(axis=1)
        return nearest

    return np.concatenate(map_blocks(closest, row_blocks(len(cells), 8 * len(points))))
