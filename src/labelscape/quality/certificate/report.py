"""The report on a map: numbers, verdict, and results for classes and samples."""

from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import numpy as np

from labelscape._core.types import Array, Ints
from labelscape._resampling.intervals import Interval
from labelscape._resampling.units import RowUnits
from labelscape._resampling.voters import Tally
from labelscape.quality.certificate.fits import Scores
from labelscape.quality.certificate.placed import PlacedScore
from labelscape.quality.certificate.verdict import Verdict
from labelscape.quality.records import (
    Finding,
    MixedPair,
    Printed,
    data_frame,
    mixed_pairs,
)

MOST_PAIRS = 10  # at most this many confused pairs of classes are listed


@dataclass(frozen=True, eq=False, repr=False)
class HonestyReport(Printed):
    """How much of the separation on a map is real, and how much of it is kept.

    All scores are balanced accuracies of nearest neighbors: the mean over classes of
    the share of samples that get their class. All are None if nothing was tested.

    Attributes
    ----------
    verdict : Verdict
        The conclusion; prints as two sentences.
    seen : float
        Score on the map for the samples that it was fitted to.
    unseen : float
        The same for held-out samples, with neighbors among the fitted ones.
    gap : float
        ``seen - unseen``: separation that held-out samples do not have.
    original : float
        Score in the data that the map was given, for the same held-out samples: by
        neighbors, or by a linear model where that is better (``verdict.is_linear``).
    kept : float
        ``(unseen - chance) / (original - chance)``, at most 1; None if the interval of
        the data's own score reaches down to chance.
    chance : float
        1 over the number of classes.
    unseen_interval, gap_interval : Interval
        95% intervals, by a bootstrap of units.
    p_value : float
        How often labels without signal do as well on held-out samples.
    null_seen, null_unseen : float
        Mean scores of fits to shuffled labels: artifacts of the method.
    classes : ndarray
        The classes that were tested.
    left_out : list
        Classes with fewer than two units, which were not tested.
    by_class : dict
        For each class, the share of its held-out samples that get the right class,
        rescaled so that chance is 0 and all is 1.
    confusion : ndarray of int of shape (n_classes, n_classes)
        Of held-out samples: the class (row), and the class they get (column).
    pairs : list of MixedPair
        The classes that are confused most.
    points : Tally
        For each sample how often it was right while held out, and how often tried.
    warnings : list of Finding
        Possible leakage: code, subjects, figure.
    units : RowUnits
        Which rows were kept together.
    n_judged : int
        The number of samples that were used for the test.
    k : int
        Number of neighbors that vote.
    splits, null_splits : list of Scores
        The scores of the single fits.
    placed : PlacedScore or None
        If the map was fitted to some rows, the score of all rows that were only placed:
        ``unseen`` and ``interval`` (99%).
    """

    verdict: Verdict
    classes: Array
    left_out: list[Any]
    units: RowUnits
    n_judged: int
    points: Tally
    k: int | None = None
    gap_interval: Interval | None = None
    by_class: dict[Any, float] = field(default_factory=dict)
    confusion: Ints | None = None
    warnings: list[Finding] = field(default_factory=list)
    splits: list[Scores] = field(default_factory=list)
    null_splits: list[Scores] = field(default_factory=list)
    placed: PlacedScore | None = None

    seen = property(attrgetter("verdict.seen"))
    unseen = property(attrgetter("verdict.unseen"))
    original = property(attrgetter("verdict.original"))
    chance = property(attrgetter("verdict.chance"))
    kept = property(attrgetter("verdict.share_kept"))
    gap = property(attrgetter("verdict.gap"))
    p_value = property(attrgetter("verdict.p_value"))
    unseen_interval = property(attrgetter("verdict.interval"))

    @property
    def null_seen(self) -> float | None:
        """The mean score of samples that were fitted to shuffled labels."""
        return _mean([scores.seen for scores in self.null_splits])

    @property
    def null_unseen(self) -> float | None:
        """The mean score of held-out samples, with shuffled labels."""
        return _mean([scores.unseen for scores in self.null_splits])

    @property
    def null(self) -> float | None:
        """The gap with shuffled labels."""
        seen, unseen = self.null_seen, self.null_unseen
        return None if seen is None or unseen is None else seen - unseen

    @property
    def pairs(self) -> list[MixedPair]:
        """The classes that are confused most."""
        if self.confusion is None:
            return []
        return mixed_pairs(self.confusion, self.classes, MOST_PAIRS)

    @property
    def notes(self) -> list[str]:
        """Limits of the test and possible leakage, one sentence each."""
        notes = [self.units.words] if self.units.words else []
        if self.left_out:
            names = ", ".join(str(label) for label in self.left_out)
            needed = "at least 2 independent rows are needed"
            notes.append(f"Too few rows to test: {names} ({needed}).")
        elif self.n_judged < len(self.units.of_row):
            n = len(self.units.of_row)
            notes.append(f"Tested on {self.n_judged:,} random rows of {n:,}.")
        if self.placed is not None:
            notes.append(str(self.placed))
        return notes + [str(leak) for leak in self.warnings]

    def _parts_shown(self) -> list[Any]:
        table = [] if self.seen is None else [self._table()]
        return [*str(self.verdict).splitlines(), *table, *self.notes]

    def to_frame(self) -> Any:
        """Return the single fits as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            With columns ``labels`` ("true" or "shuffled"), ``seen``, ``unseen``,
            ``gap``, ``original``.
        """
        kinds = ["true"] * len(self.splits) + ["shuffled"] * len(self.null_splits)
        frame = data_frame([*self.splits, *self.null_splits], columns=Scores._fields)
        frame.insert(0, "labels", kinds)
        frame.insert(3, "gap", frame["seen"] - frame["unseen"])
        return frame

    def _table(self) -> tuple[list[str], list[list[str]]]:
        header = [f"{self.k} neighbors, balanced", "true labels", "95%", "shuffled"]
        new = (self.unseen, self.unseen_interval, self.null_unseen)
        rows: dict[str, tuple[Any, ...]] = {
            "on the map, fitted rows": (self.seen, None, self.null_seen),
            "on the map, held-out rows": new,
            "gap": (self.gap, self.gap_interval, self.null),
            "in the data, held-out rows": (self.original, None, None),
        }
        return header, [[name, *map(_cell, cells)] for name, cells in rows.items()]


def _mean(values: list[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Interval):
        return f"{_cell(value.low)} to {_cell(value.high)}"
    return f"{round(value, 3) + 0.0:.3f}"  # never -0.000
