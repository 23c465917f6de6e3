"""The fits of a certificate: what is judged, by which fits, and what follows."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape._core.columns import linear_answers
from labelscape._resampling.chance import LabelShuffle, combined, split_p_value
from labelscape._resampling.intervals import Interval, unit_intervals
from labelscape._resampling.refits import new_places, own_map, seeded_clone
from labelscape._resampling.splits import Split, draw_split, some_units
from labelscape._resampling.units import units_per_class
from labelscape._resampling.voters import Tally, Voters, balanced_accuracy
from labelscape.quality.certificate.verdict import Verdict, verdict_of

OWNER = "honesty"
FEWEST_UNITS = 10
# Splits by default, the share of units held out, and how many neighbors vote. Half, so
# that scores of fitted and of held-out samples are means over equally many.
N_SPLITS, HALF, VOTERS = 5, 0.5, 5


class Problem(NamedTuple):
    """What is judged: samples (n, d) of classes that have two units at least."""

    X: NDArray[Any]
    codes: NDArray[np.intp]
    units: NDArray[np.intp]
    classes: NDArray[Any]

    @classmethod
    def of_table(
        cls,
        X: NDArray[Any],
        codes: NDArray[np.intp],
        units: NDArray[np.intp],
        classes: NDArray[Any],
        most: int | None,
        rng: RandomState,
    ) -> tuple["Problem", NDArray[np.intp], NDArray[np.bool_]]:
        """Return what is judged of a table, its rows there, and which classes are.

        Of more rows than ``most``, units are drawn at random.
        """
        is_judged = units_per_class(codes, units, len(classes)) >= 2
        rows = np.flatnonzero(is_judged[codes])
        if most is not None and len(rows) > most:
            rows = rows[some_units(codes[rows], units[rows], most, rng)]
        codes = (np.cumsum(is_judged) - 1)[codes[rows]]
        return cls(X[rows], codes, units[rows], classes[is_judged]), rows, is_judged

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.classes)

    @property
    def why_not(self) -> str:
        """Why this can not be judged; empty if it can."""
        if self.n_classes < 2:
            return "fewer than two classes have two independent rows (or groups)"
        n_units = len(np.unique(self.units))
        if n_units < FEWEST_UNITS:
            return (
                f"only {n_units} independent rows (or groups); at least {FEWEST_UNITS} "
                "are needed"
            )
        if LabelShuffle(self.codes, self.units).n_moving < FEWEST_UNITS // 2:
            return "groups all differ in size, so their labels cannot be shuffled"
        return ""

    def split(self, test_size: float, rng: RandomState) -> Split:
        """Draw units to hold out."""
        return draw_split(self.codes, self.units, test_size, rng)

    def n_voters(self, k: int, splits: list[Split]) -> int:
        """Return how many neighbors vote: as many units as the smallest class has."""
        fewest = min(
            units_per_class(
                self.codes[split.fitted], self.units[split.fitted], self.n_classes
            ).min()
            for split in splits
        )
        return max(1, min(k, int(fewest)))

    def shuffled(self, split: Split, rng: RandomState) -> NDArray[np.intp]:
        """Return classes shuffled within the fitted and within the held-out units.

        So each class is as frequent in both as it was: a rare one never vanishes from
        the samples that a map is fitted to.
        """
        codes = self.codes.copy()
        for part in split:
            codes[part] = LabelShuffle(codes[part], self.units[part]).draw(rng)
        return codes


class Scores(NamedTuple):
    """Balanced accuracies of one fit: on the map, seen and unseen, and in the data."""

    seen: float
    unseen: float
    original: float


class JudgedFit(NamedTuple):
    """One fit, and the classes that neighbors give to its samples.

    By neighbors on the map (seen, unseen), by neighbors in the data (original), and by
    a linear model of the data (linear); the last three of held-out samples. ``codes``
    are the labels that it was fitted to, true or shuffled.
    """

    split: Split
    codes: NDArray[np.intp]
    seen: NDArray[np.intp]
    unseen: NDArray[np.intp]
    original: NDArray[np.intp]
    linear: NDArray[np.intp]

    def scores(self, n_classes: int) -> Scores:
        """Return the balanced accuracies."""
        seen, unseen = (self.codes[part] for part in self.split)
        return Scores(
            balanced_accuracy(self.seen, seen, n_classes),
            balanced_accuracy(self.unseen, unseen, n_classes),
            balanced_accuracy(self.original, unseen, n_classes),
        )


def judged_fit(
    estimator: Any,
    problem: Problem,
    k: int,
    split: Split,
    codes: NDArray[np.intp],
    seed: int,
) -> JudgedFit:
    """Fit a map to some samples; return what neighbors on it make of all."""
    fitted, unseen = split
    X, known, units = problem.X, codes[fitted], problem.units[fitted]
    model = seeded_clone(estimator, seed)
    Z = own_map(model, X[fitted], problem.classes[known], units, owner=OWNER)
    Z_new = new_places(model, X[unseen], owner=OWNER)
    on_map = Voters(Z, known, units, problem.n_classes, k)
    return JudgedFit(
        split,
        codes,
        seen=on_map.judge_themselves(),
        unseen=on_map.judge(Z_new),
        original=on_map._replace(Z=X[fitted]).judge(X[unseen]),
        linear=linear_answers(X[fitted], known, X[unseen]),
    )


class HonestyEvaluation:
    """What follows from the fits to true labels: scores, chance, intervals."""

    def __init__(self, problem: Problem, fits: Sequence[JudgedFit]) -> None:
        self.problem, self.fits = problem, fits
        by_neighbors, by_model = (
            np.nanmean(self._tally(name).recalls(problem.codes, problem.n_classes))
            for name in ("original", "linear")
        )
        self.is_linear = bool(by_model > by_neighbors)
        if self.is_linear:
            self.fits = [fit._replace(original=fit.linear) for fit in fits]

    @cached_property
    def tallies(self) -> dict[str, Tally]:
        """How often each sample was judged right: "seen", "unseen", "original"."""
        return {name: self._tally(name) for name in Scores._fields}

    def _tally(self, name: str) -> Tally:
        tally = Tally(*np.zeros((2, len(self.problem.codes)), dtype=np.intp))
        for fit in self.fits:
            part = fit.split.fitted if name == "seen" else fit.split.unseen
            tally.right[part] += getattr(fit, name) == self.problem.codes[part]
            tally.tried[part] += 1
        return tally

    @cached_property
    def recalls(self) -> dict[str, NDArray[np.float64]]:
        """The share of each class that was judged right."""
        codes, n_classes = self.problem.codes, self.problem.n_classes
        return {name: t.recalls(codes, n_classes) for name, t in self.tallies.items()}

    @property
    def by_class(self) -> dict[object, float]:
        """The recall of each class for held-out samples, where chance is 0."""
        chance = 1.0 / self.problem.n_classes
        above = (self.recalls["unseen"] - chance) / (1.0 - chance)
        return dict(zip(self.problem.classes.tolist(), above.tolist(), strict=True))

    @property
    def confusion(self) -> NDArray[np.intp]:
        """The classes of held-out samples (rows), and what the map makes of them."""
        counts = np.zeros((self.problem.n_classes,) * 2, dtype=np.intp)
        for fit in self.fits:
            np.add.at(counts, (fit.codes[fit.split.unseen], fit.unseen), 1)
        return counts

    def verdict(self, p_value: float, intervals: dict[str, Interval]) -> Verdict:
        """Return what follows from it all."""
        scores = {name: float(np.nanmean(r)) for name, r in self.recalls.items()}
        return verdict_of(
            chance=1.0 / self.problem.n_classes,
            p_value=p_value,
            interval=intervals["unseen"],
            original_interval=intervals["original"],
            is_linear=self.is_linear,
            n_rows=len(self.problem.codes),
            **scores,
        )

    def p_value(self, rng: RandomState) -> float:
        """Return how often labels without signal do as well on held-out samples."""
        problem = self.problem
        p_values = []
        for fit in self.fits:
            out = fit.split.unseen
            codes, units = fit.codes[out], problem.units[out]
            p = split_p_value(fit.unseen, codes, units, problem.n_classes, rng)
            p_values.append(p)
        return combined(p_values)

    def intervals(self, rng: RandomState) -> dict[str, Interval]:
        """Return 95 % intervals of the three scores, and of the gap."""
        problem = self.problem
        return unit_intervals(
            self.tallies, problem.codes, problem.units, problem.n_classes, rng
        )
