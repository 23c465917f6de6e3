"""The report on a map: numbers, verdict, and results for classes and samples."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from labelscape._core.types import Array, Ints
from labelscape._resampling.chance import Interval
from labelscape._resampling.units import RowUnits
from labelscape._resampling.voters import Tally
from labelscape.quality.certificate.fits import Scores
from labelscape.quality.certificate.gaps import UNTESTED
from labelscape.quality.certificate.placed import PlacedScore
from labelscape.quality.certificate.verdict import Verdict
from labelscape.quality.records import (
    Finding,
    MixedPair,
    Printed,
    data_frame,
    mixed_pairs,
    same_as,
)

# From this error on, the position of a row is unreliable.
MISPLACED = 0.5
MOST_PAIRS = 10  # maximum number of confused pairs of classes to list


@dataclass(frozen=True, eq=False, repr=False)
class HonestyReport(Printed):
    """Whether the separation on a map is real, and how much of it is shown.

    All scores are balanced accuracies of nearest neighbors: the mean over classes of
    the share of samples that get the right class. They are None if nothing was tested.
    A unit is a sample, or all samples that stay together, such as copies.

    Attributes
    ----------
    verdict : Verdict
        The conclusion, which is printed as two or three sentences.
    seen : float
        Score on the map for the fitted samples.
    unseen : float
        Score on the map for held-out samples, by neighbors among the fitted samples.
    gap : float
        ``seen - unseen``: separation that held-out samples do not have.
    original : float
        Score in the data, for the same held-out samples: by neighbors, or by a linear
        model if its score is higher (``verdict.is_linear``).
    kept : float
        ``(unseen - chance) / (original - chance)``, at most 1; None if the data do not
        separate the classes (the interval of ``original`` includes chance).
    chance : float
        1 divided by the number of classes.
    unseen_interval, gap_interval : Interval
        95% intervals, by a bootstrap of units.
    p_value : float
        Share of shuffles of the labels that reach ``unseen`` on held-out samples.
    null_seen, null_unseen : float
        Mean scores of fits to shuffled labels. The part above chance is an artifact.
    classes : ndarray
        The classes that were tested.
    left_out : list
        Classes with fewer than two units, which could not be tested.
    by_class : dict
        For each class, the share of its held-out samples that get the right class,
        rescaled so that 0 means chance and 1 means all samples.
    confusion : ndarray of int of shape (n_classes, n_classes)
        Counts of held-out samples by class (row) and predicted class (column).
    pairs : list of MixedPair
        The classes that are confused most.
    gaps : list of ClassGap
        The kind of border between each pair of neighboring classes: ``classes``,
        ``kind`` ("gap", "cut" or "overlap"), ``p_value`` and ``share``. Pairs with too
        few rows or too few different values are omitted.
    points : Tally
        For each sample, how often it was held out, and how often it then got the right
        class.
    warnings : list of Finding
        Signs of possible leakage.
    units : RowUnits
        The rows that were kept together.
    n_judged : int
        The number of samples that were used for the test.
    k : int
        Number of neighbors that vote.
    splits, null_splits : list of Scores
        The scores of each fit.
    placed : PlacedScore or None
        If the map was fitted to a part of the rows, the score of the other rows:
        ``unseen`` and ``interval`` (99%).
    place_errors : ndarray of shape (n,) or None
        Only from :func:`certify`: the distance between the position of each row and the
        position predicted from the data, where 1 is the median distance between rows on
        the map; NaN for rows that were not tested.
    misplaced : ndarray of int
        The rows with an error above 0.5, largest first. Their positions cannot be
        predicted from the data.
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
    place_errors: Array | None = None

    seen = same_as("verdict.seen")
    unseen = same_as("verdict.unseen")
    original = same_as("verdict.original")
    chance = same_as("verdict.chance")
    kept = same_as("verdict.share_kept")
    gap = same_as("verdict.excess")
    p_value = same_as("verdict.p_value")
    unseen_interval = same_as("verdict.interval")
    gaps = property(
        lambda self: [g for g in self.verdict.gaps or () if g.kind not in UNTESTED]
    )

    @property
    def null_seen(self) -> float | None:
        """Mean score of fitted samples, with shuffled labels."""
        return _mean([scores.seen for scores in self.null_splits])

    @property
    def null_unseen(self) -> float | None:
        """Mean score of held-out samples, with shuffled labels."""
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
    def misplaced(self) -> Ints:
        """Rows with positions that the data do not predict, largest error first."""
        if self.place_errors is None:
            return np.empty(0, dtype=np.intp)
        errors = np.nan_to_num(self.place_errors)
        worst = np.argsort(-errors, kind="stable")
        return worst[errors[worst] > MISPLACED]

    @property
    def notes(self) -> list[str]:
        """Limitations of the test and possible leakage, one sentence each."""
        notes = [self.units.words] if self.units.words else []
        if self.left_out:
            names = ", ".join(str(label) for label in self.left_out)
            needed = "at least 2 independent rows are needed"
            notes.append(f"Too few rows to test: {names} ({needed}).")
        elif self.n_judged < len(self.units.of_row):
            n = len(self.units.of_row)
            notes.append(f"Tested on {self.n_judged:,} random rows of {n:,}.")
        if n_wrong := len(self.misplaced):
            notes.append(
                f"Unreliable positions: {n_wrong:,} of {self.n_judged:,} rows are "
                "far from the positions predicted from the data."
            )
        if self.placed is not None:
            notes.append(str(self.placed))
        return notes + [str(leak) for leak in self.warnings]

    def _parts_shown(self) -> list[Any]:
        table = [] if self.seen is None else [self._table()]
        return [*str(self.verdict).splitlines(), *table, *self.notes]

    def to_frame(self) -> Any:
        """Return the scores of each fit as a pandas data frame.

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
        voters = "1 neighbor" if self.k == 1 else f"{self.k} neighbors"
        header = [f"{voters}, balanced", "true labels", "95% interval", "shuffled"]
        new = (self.unseen, self.unseen_interval, self.null_unseen)
        rows: dict[str, tuple[Any, ...]] = {
            "on the map, fitted rows": (self.seen, None, self.null_seen),
            "on the map, held-out rows": new,
            "fitted minus held-out": (self.gap, self.gap_interval, self.null),
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
    return f"{round(value, 3) + 0.0:.3f}"  # no -0.000
