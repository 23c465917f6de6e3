"""The fits of a certificate: tested samples, refits, and evaluation."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.random import RandomState

from labelscape._core.columns import linear_answers
from labelscape._core.types import Array, Ints
from labelscape._resampling.chance import (
    LabelShuffle,
    chained,
    confirmed,
    split_p_value,
    unit_intervals,
)
from labelscape._resampling.refits import new_places, own_map, seeded_clone
from labelscape._resampling.splits import Split, dealt_folds, draw_split, some_units
from labelscape._resampling.units import RowUnits, units_per_class
from labelscape._resampling.voters import Tally, Voters, balanced_accuracy
from labelscape.quality.certificate.verdict import verdict_of

OWNER = "honesty"
FEWEST_UNITS = 10
# Default number of splits, share of units held out, and number of voting neighbors.
# Half, because scores of fitted and held-out samples need equal numbers of samples.
N_SPLITS, HALF, VOTERS = 5, 0.5, 5
# Numbers of folds and of blocks of crossed groups, and of splits with known groups.
MOST_FOLDS, N_BLOCKS, N_KNOWN = 8, 4, 3


class Problem(NamedTuple):
    """The tested samples (n, d), of classes with at least two units.

    ``rows`` are their indices in the table. The rows of a unit are held out together.
    If groups are crossed with classes, such as donors with several cell types each, the
    units are the groups, and ``inner`` has units whose labels can be shuffled.
    """

    X: Array
    codes: Ints
    units: Ints
    classes: Array
    rows: Ints
    inner: Ints | None = None
    is_given: bool = False  # whether the map cannot be fitted again

    @classmethod
    def of_table(
        cls,
        X: Array,
        codes: Ints,
        units: RowUnits,
        classes: Array,
        most: int | None,
        rng: RandomState,
    ) -> "Problem":
        """Return samples of a table for the test: all, or about ``most``."""
        of_row = units.of_row
        inner = units.inside(codes)
        is_tested = units_per_class(codes, of_row, len(classes)) >= 2
        rows = np.flatnonzero(is_tested[codes])
        if most is not None and len(rows) > most:
            drawn = of_row if inner is None else inner
            rows = rows[some_units(codes[rows], drawn[rows], most, rng)]
        return cls(
            X[rows],
            (np.cumsum(is_tested) - 1)[codes[rows]],
            of_row[rows],
            classes[is_tested],
            rows,
            None if inner is None else inner[rows],
        )

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def why_not(self) -> str:
        """The reason why the samples cannot be tested, or an empty text."""
        if self.n_classes < 2:
            return "fewer than two classes have two independent rows (or groups)"
        n_units = len(np.unique(self.independent))
        if n_units < FEWEST_UNITS:
            return (
                f"only {n_units} independent rows (or groups); at least {FEWEST_UNITS} "
                "are needed"
            )
        if self.shuffle(slice(None)).n_moving < FEWEST_UNITS // 2:
            return "all groups differ in size, so their labels cannot be shuffled"
        return ""

    @property
    def independent(self) -> Ints:
        """The units whose labels can be shuffled."""
        return self.units if self.inner is None else self.inner

    def shuffle(self, rows: Any) -> LabelShuffle:
        """Return a shuffle of the labels of these rows, inside groups if crossed."""
        groups = None if self.inner is None else self.units[rows]
        return LabelShuffle(self.codes[rows], self.independent[rows], groups)

    def splits(self, n_splits: int, rng: RandomState) -> list[Split]:
        """Return splits that hold out half of the units, or each crossed group once."""
        if self.inner is None:
            return [
                draw_split(self.codes, self.units, HALF, rng) for _ in range(n_splits)
            ]
        fold = self._group_folds(MOST_FOLDS, rng)
        return [
            Split(np.flatnonzero(fold != k), np.flatnonzero(fold == k))
            for k in np.unique(fold)
        ]

    def chain(self, rng: RandomState) -> list[Split]:
        """Return splits of crossed groups: fit the first blocks, test the next one."""
        if self.inner is None:
            return []
        fold = self._group_folds(N_BLOCKS, rng)
        return [
            Split(np.flatnonzero(fold < k), np.flatnonzero(fold == k))
            for k in range(1, fold.max() + 1)
        ]

    def _group_folds(self, most: int, rng: RandomState) -> Ints:
        units = np.unique(self.units, return_inverse=True)[1]
        return dealt_folds(self.codes, units, most, rng, owner=OWNER)

    @property
    def by_row(self) -> "Problem":
        """The same samples, but groups may be divided by splits."""
        return self._replace(units=self.independent, inner=None)

    def n_voters(self, splits: Sequence[Split]) -> int:
        """Return the number of voting neighbors, at most the smallest class size."""
        units, n_classes = self.independent, self.n_classes
        counts = [
            units_per_class(self.codes[rows], units[rows], n_classes)
            for rows, _ in splits
        ]
        fewest = min(count[count > 0].min() for count in counts)
        return max(1, min(VOTERS, int(fewest)))

    def shuffled(self, split: Split, rng: RandomState) -> Ints:
        """Return classes, shuffled separately in both parts of a split."""
        codes = self.codes.copy()
        for part in split:
            codes[part] = self.shuffle(part).draw(rng)
        return codes


class Scores(NamedTuple):
    """Balanced accuracies of a fit: on the map (fitted, held out), and in the data."""

    seen: float
    unseen: float
    original: float


class JudgedFit(NamedTuple):
    """One fit, and the predicted classes of its samples.

    Predictions come from neighbors on the map (seen, unseen), from neighbors in the
    data (original), and from a linear model of the data (linear). All except seen
    are for held-out samples. ``codes`` are the labels of the fit, true or shuffled.
    """

    split: Split
    codes: Ints
    seen: Ints
    unseen: Ints
    original: Ints
    linear: Ints
    place_errors: Array | None = None  # with predicted positions

    def scores(self, n_classes: int) -> Scores:
        """Return the balanced accuracies."""
        seen, unseen = (self.codes[part] for part in self.split)
        return Scores(
            balanced_accuracy(self.seen, seen, n_classes),
            balanced_accuracy(self.unseen, unseen, n_classes),
            balanced_accuracy(self.original, unseen, n_classes),
        )


def judged_fit(
    estimator: Any, k: int, problem: Problem, split: Split, codes: Ints, seed: int
) -> JudgedFit:
    """Fit a map to one half; return the neighbors' predictions for all samples."""
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


def evaluate(
    problem: Problem,
    fits: Sequence[JudgedFit],
    chain: Sequence[JudgedFit],
    rng: RandomState,
) -> dict[str, Any]:
    """Return the fields of a report from fits to true labels, the verdict first.

    With r_c the share of correct predictions in class c over all splits, a score is the
    mean of r_c over classes. The score in the data is that of neighbors or of the
    linear model, whichever is higher.
    """
    codes, n_classes = problem.codes, problem.n_classes
    tallies = {name: _tally(fits, name) for name in (*Scores._fields, "linear")}
    recalls = {name: t.recalls(codes, n_classes) for name, t in tallies.items()}
    scores = {name: float(np.nanmean(recall)) for name, recall in recalls.items()}
    linear, by_model = scores.pop("linear"), tallies.pop("linear")
    is_linear = linear > scores["original"]
    p_value = _p_value(problem, fits, chain, rng)
    if problem.is_given:
        # The map may be fitted to all labels, but the data do not depend on labels.
        p_data = min(
            _p_value(problem, fits, chain, rng, name) for name in ("original", "linear")
        )
        p_value = max(p_value, min(1.0, 2.0 * p_data))
    if is_linear:
        fits = [fit._replace(original=fit.linear) for fit in fits]
        scores["original"], tallies["original"] = linear, by_model
    intervals = unit_intervals(tallies, codes, problem.independent, n_classes, rng)
    chance = 1.0 / n_classes
    above = ((recalls["unseen"] - chance) / (1.0 - chance)).tolist()
    confusion = np.zeros((n_classes, n_classes), dtype=np.intp)
    for fit in fits:
        np.add.at(confusion, (codes[fit.split.unseen], fit.unseen), 1)
    return {
        "verdict": verdict_of(
            chance=chance,
            p_value=p_value,
            interval=intervals["unseen"],
            original_interval=intervals["original"],
            is_linear=is_linear,
            n_rows=len(codes),
            is_given=problem.is_given,
            **scores,
        ),
        "gap_interval": intervals["gap"],
        "by_class": dict(zip(problem.classes.tolist(), above, strict=True)),
        "confusion": confusion,
        "points": tallies["unseen"],
        "splits": [fit.scores(n_classes) for fit in fits],
    }


def _p_value(
    problem: Problem,
    fits: Sequence[JudgedFit],
    chain: Sequence[JudgedFit],
    rng: RandomState,
    name: str = "unseen",
) -> float:
    """Return the p-value of splits into halves, or of a chain of splits by group."""
    p_values, n_moving = [], []
    for fit in chain or fits:
        rows = fit.split.unseen
        codes, shuffle = problem.codes[rows], problem.shuffle(rows)
        how = (shuffle, problem.n_classes, rng)
        p_values.append(split_p_value(getattr(fit, name), codes, *how))
        n_moving.append(shuffle.n_moving)
    return chained(p_values, n_moving) if chain else confirmed(p_values)


def _tally(fits: Sequence[JudgedFit], name: str) -> Tally:
    """Return the numbers of right predictions and of all predictions per sample."""
    tally = Tally(*np.zeros((2, len(fits[0].codes)), dtype=np.intp))
    for fit in fits:
        part = fit.split.fitted if name == "seen" else fit.split.unseen
        tally.right[part] += getattr(fit, name) == fit.codes[part]
        tally.tried[part] += 1
    return tally
