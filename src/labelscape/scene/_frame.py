"""The part of the plane that is looked at, and how it is drawn."""

from typing import NamedTuple

import numpy as np

from labelscape.scene._units import Matrix
from labelscape.scene.scene import Singles

# A map longer than this is stretched to the second ratio. Beyond the third, its narrow
# side is a matter of rounding.
NARROW, STRETCHED, FLAT = 4.0, 2.0, 1e5
# Where that would take more than so many times, it stays a strip of this ratio, and
# beyond the last factor a line.
MOST, STRIP, MOST_OF_STRIP = 10.0, 6.0, 30.0
# Stages between these ratios of width to height see no edge of the regions when they
# show all points, with this much room around these.
ASPECTS, ROOM = (0.8, 2.2), 1.25
# What is shown first holds this share of the points, and others up to so many times as
# far out; where all take no more than so much of it, all are shown.
MIDDLE, FENCE, ROOMY = 0.98, 1.5, 1.5
# `resolution` cells are along this part of the longer side.
NEAR = 1.1


class Frame(NamedTuple):
    """Where points and prototypes stand, as they are drawn."""

    # (2,) The corners of the box around what a view shows first: all of them, or the
    # middle, where a few points lie far out.
    low: Matrix
    high: Matrix
    # How much larger than on the map both directions are drawn.
    stretch: tuple[float, float]
    # What to say about that.
    words: str

    @property
    def is_line(self) -> bool:
        """Whether all stand at one height, which then means nothing."""
        width, height = self.high - self.low
        return bool(height == 0.0 and width > 0.0)

    def axes(self, resolution: int) -> tuple[Matrix, Matrix]:
        """Return columns and rows of a grid that covers what a stage shows.

        Cells are square as drawn, ``resolution`` along the longer side of the box.
        """
        extent = self.high - self.low
        longest = float(extent.max()) or 1.0  # all places are the same
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
    stretch, words = _stretch(np.ptp(first, axis=0))
    drawn = np.vstack([first, marked]) * stretch
    return Frame(drawn.min(axis=0), drawn.max(axis=0), stretch, words)


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
    sides = "heights" if narrow == 1 else "widths"
    words = f"Nearly one-dimensional: {sides} are drawn {factor:g} times as large."
    return (1.0, factor) if narrow == 1 else (factor, 1.0), words


def _centered(n: float) -> Matrix:
    """Return n whole steps around 0, rounded up."""
    count = int(np.ceil(n)) + 1
    return np.arange(count) - (count - 1) / 2
