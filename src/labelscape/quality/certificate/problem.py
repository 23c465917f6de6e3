"""What is judged, and the fits that it takes."""

from typing import Any, NamedTuple

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape.quality.certificate.report import Scores
from labelscape.quality.certificate.scores import balanced_accuracy
from labelscape.quality.certificate.splits import LabelShuffle, Split, draw_split

FEWEST_UNITS = 10


class Problem(NamedTuple):
    """What is judged: classes of two units at least, and their objects."""

    # (n, d) The objects.
    X: NDArray[Any]
    # (n,) Their classes and units.
    codes: NDArray[np.intp]
    units: NDArray[np.intp]
    # (n_classes,) The labels of the classes.
    classes: NDArray[Any]

    @classmethod
    def of(
        cls,
        X: NDArray[Any],
        rows: NDArray[np.intp],
        codes: NDArray[np.intp],
        units: NDArray[np.intp],
        classes: NDArray[Any],
        is_judged: NDArray[np.bool_],
    ) -> "Problem":
        """Return what is judged of a table: some rows, of the classes that can be."""
        codes = (np.cumsum(is_judged) - 1)[codes[rows]]
        return cls(X[rows], codes, units[rows], classes[is_judged])

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.classes)

    @property
    def why_not(self) -> str:
        """Why this can not be judged; empty if it can."""
        if self.n_classes < 2:
            return "fewer than two classes have two units or more"
        n_units = len(np.unique(self.units))
        if n_units < FEWEST_UNITS:
            return (
                f"there are {n_units} independent units, and fewer than {FEWEST_UNITS} "
                "show nothing"
            )
        if LabelShuffle(self.codes, self.units).n_moving < FEWEST_UNITS // 2:
            return "no two units are alike in size, so their labels can not be shuffled"
        return ""

    def split(self, test_size: float, rng: RandomState) -> Split:
        """Draw units to hold out."""
        return draw_split(self.codes, self.units, test_size, rng)

    def n_voters(self, k: int, splits: list[Split]) -> int:
        """Return how many neighbours vote: as many units as the smallest class has."""
        fewest = min(
            units_per_class(
                self.codes[split.fitted], self.units[split.fitted], self.n_classes
            ).min()
            for split in splits
        )
        return max(1, min(k, int(fewest)))

    def shuffled(self, split: Split, rng: RandomState) -> NDArray[np.intp]:
        """Return classes shuffled within the fitted and within the unseen units.

        So each class is as frequent in both as it was: a rare one never vanishes from
        the objects that a map is fitted to.
        """
        codes = self.codes.copy()
        for part in split:
            codes[part] = LabelShuffle(codes[part], self.units[part]).draw(rng)
        return codes


class Judged(NamedTuple):
    """The classes of seen objects, and of unseen ones three times.

    By neighbours on the map (seen, unseen), by neighbours in the data (original), and
    by a linear model of the data (linear).
    """

    seen: NDArray[np.intp]
    unseen: NDArray[np.intp]
    original: NDArray[np.intp]
    linear: NDArray[np.intp]


class Fit(NamedTuple):
    """A fit to be done: to which objects, with which classes, from which seed."""

    split: Split
    codes: NDArray[np.intp]
    seed: int

    def scores(self, judged: Judged, n_classes: int) -> Scores:
        """Return the balanced accuracies of what the fit made of the objects."""
        seen, unseen = (self.codes[part] for part in self.split)
        return Scores(
            balanced_accuracy(judged.seen, seen, n_classes),
            balanced_accuracy(judged.unseen, unseen, n_classes),
            balanced_accuracy(judged.original, unseen, n_classes),
        )


def units_per_class(
    codes: NDArray[np.intp], units: NDArray[np.intp], n_classes: int
) -> NDArray[np.intp]:
    """Return how many units have objects of each class."""
    pairs = np.unique(units * n_classes + codes)
    return np.bincount(pairs % n_classes, minlength=n_classes)
