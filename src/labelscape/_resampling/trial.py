"""Fits to a part of the rows, and what they say about the other rows.

Every such fit is planned here. A `Problem` has the rows that can be tested. It divides
them into splits, and a `Fit` is one fit that is to be made: a split, labels (true or
shuffled) and a seed. `refits.in_turn` makes the fits in threads or processes. A caller
says what to do with each fit: take positions, predictions, or scores.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape._core.errors import InputError
from labelscape._core.threads import ignored
from labelscape._core.types import Array, Floats, Ints
from labelscape._resampling.chance import LabelShuffle
from labelscape._resampling.refits import (
    drawn_seed,
    in_turn,
    own_map,
    places,
    seeded_clone,
    share_threads,
)
from labelscape._resampling.sampling import Codes, some_units
from labelscape._resampling.units import (
    RowUnits,
    numbered,
    unit_classes,
    units_per_class,
)
from labelscape._resampling.voters import Voters

# With fewer units, nothing is tested.
FEWEST_UNITS = 10
# Share of units that the test of a map holds out. Half, because scores of fitted and
# held-out samples need equal numbers of samples. Largest number of voting neighbors.
HALF, VOTERS = 0.5, 5
# Numbers of folds and of blocks of crossed groups.
MOST_FOLDS, N_BLOCKS = 8, 4
# If a class is only on one side, the split is drawn again, at most this many times.
TRIES = 50


class Split(NamedTuple):
    """Training rows and held-out rows."""

    fitted: Ints
    unseen: Ints


class Problem(NamedTuple):
    """The tested samples (n, d), of classes with at least two units.

    ``rows`` are their indices in the table. The rows of a unit are held out together.
    If groups are crossed with classes, such as donors with several cell types each, the
    units are the groups, and ``inner`` has units whose labels can be shuffled.
    """

    X: Array
    codes: Ints
    units: Ints
    classes: Array  # empty: maps are fitted without labels
    rows: Ints
    inner: Ints | None = None
    owner: str = "honesty"  # the function that errors name

    @classmethod
    def of_table(
        cls,
        X: Array,
        codes: Ints,
        units: RowUnits,
        classes: Array,
        most: int | None,
        rng: RandomState,
        owner: str = "honesty",
    ) -> "Problem":
        """Return samples of a table for the test: all, or about ``most``."""
        of_row = units.of_row
        inner = units.inside(codes)
        is_tested = units_per_class(codes, of_row, len(classes)) >= 2
        rows = np.flatnonzero(is_tested[codes])
        if most is not None and len(rows) > most:
            drawn = of_row if inner is None else inner
            rows = rows[some_units(codes[rows], drawn[rows], most, rng)]
        tested, number = classes[is_tested], np.cumsum(is_tested) - 1
        every = np.arange(len(X))
        return cls(X, number[codes], of_row, tested, every, inner, owner).take(rows)

    def take(self, rows: Ints) -> "Problem":
        """Return some of the samples."""
        X, codes, units, of_table = (
            values[rows] for values in (self.X, self.codes, self.units, self.rows)
        )
        inner = None if self.inner is None else self.inner[rows]
        return self._replace(X=X, codes=codes, units=units, rows=of_table, inner=inner)

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

    @property
    def fewest_units(self) -> int:
        """Number of units of the smallest class."""
        return int(units_per_class(self.codes, self.units, self.n_classes).min())

    @property
    def by_row(self) -> "Problem":
        """The same samples, but groups may be divided by splits."""
        return self._replace(units=self.independent, inner=None)

    def shuffle(self, rows: Any) -> LabelShuffle:
        """Return a shuffle of the labels of these rows, inside groups if crossed."""
        groups = None if self.inner is None else self.units[rows]
        return LabelShuffle(self.codes[rows], self.independent[rows], groups)

    def drawn(self, n_splits: int, share: float, rng: RandomState) -> list[Split]:
        """Return splits that hold out a share of the units of each class."""
        return [draw_split(self.codes, self.units, share, rng) for _ in range(n_splits)]

    def folds(self, n_folds: int, rng: RandomState) -> list[Split]:
        """Return splits that hold out each unit once."""
        fold = self._dealt(n_folds, rng)
        return [
            Split(np.flatnonzero(fold != k), np.flatnonzero(fold == k))
            for k in range(fold.max() + 1)
        ]

    def halves(self, n_splits: int, rng: RandomState) -> list[Split]:
        """Return splits that hold out half of the units, or each crossed group once."""
        if self.inner is None:
            return self.drawn(n_splits, HALF, rng)
        return self.folds(MOST_FOLDS, rng)

    def chain(self, rng: RandomState) -> list[Split]:
        """Return splits of crossed groups: fit the first blocks, test the next one."""
        if self.inner is None:
            return []
        fold = self._dealt(N_BLOCKS, rng)
        return [
            Split(np.flatnonzero(fold < k), np.flatnonzero(fold == k))
            for k in range(1, fold.max() + 1)
        ]

    def _dealt(self, most: int, rng: RandomState) -> Ints:
        return dealt_folds(self.codes, self.units, most, rng, owner=self.owner)

    def n_voters(self, splits: Sequence[Split]) -> int:
        """Return the number of voting neighbors, at most the smallest class size."""
        units, n_classes = self.independent, self.n_classes
        counts = [
            units_per_class(self.codes[rows], units[rows], n_classes)
            for rows, _ in splits
        ]
        fewest = min(count[count > 0].min() for count in counts)
        return max(1, min(VOTERS, int(fewest)))

    def fits(self, splits: Sequence[Split], rng: RandomState) -> "list[Fit]":
        """Return a fit to the labels for each split."""
        return [Fit(self, split, self.codes, drawn_seed(rng)) for split in splits]

    def null_fits(self, splits: Sequence[Split], rng: RandomState) -> "list[Fit]":
        """Return a fit to shuffled labels for each split."""
        fits = []
        for split in splits:
            codes = self.codes.copy()
            for part in split:  # separately in both parts
                codes[part] = self.shuffle(part).draw(rng)
            fits.append(Fit(self, split, codes, drawn_seed(rng)))
        return fits

    def predictions(
        self,
        classifier: Any,
        X: Array,
        n_folds: int,
        rng: RandomState,
        step: Callable[..., Any] = lambda _: None,
    ) -> tuple[Array, NDArray[np.float32]]:
        """Return held-out classes and their probabilities for all rows of the table X.

        Rows that are not tested are predicted by the first model. ``step`` is called
        after each fit.
        """
        others = np.setdiff1d(np.arange(len(X)), self.rows)
        fits = self.fits(self.folds(n_folds, rng), rng)
        more = [others] + [others[:0]] * (len(fits) - 1)
        with ignored(Warning):  # a fit to all rows raises the warnings
            parts = in_turn(
                lambda one: one[0].predicted(classifier, X[one[1]]),
                zip(fits, more, strict=True),
                lambda *_: bool(step({}) and False),  # all fits are needed
                share_threads=share_threads(classifier),
            )
        new = [self.rows[fit.split.unseen] for fit in fits]
        order = np.argsort(np.concatenate([new[0], others, *new[1:]]))
        answers, certainty = (np.concatenate(part) for part in zip(*parts, strict=True))
        return answers[order], certainty[order].astype(np.float32)


class Fit(NamedTuple):
    """A fit to one part of a split; the other part is held out."""

    problem: Problem
    split: Split
    codes: Ints  # (n,) the labels of all samples, true or shuffled
    seed: int | None  # for all parts of the estimator that have no seed

    @property
    def is_null(self) -> bool:
        """Whether the labels are shuffled."""
        return not np.array_equal(self.codes, self.problem.codes)

    @property
    def data(self) -> tuple[Array, Array]:
        """The data of the fitted and of the held-out samples."""
        fitted, unseen = self.split
        return self.problem.X[fitted], self.problem.X[unseen]

    @property
    def labels(self) -> Array | None:
        """The labels of the fitted samples."""
        classes = self.problem.classes
        return classes[self.codes[self.split.fitted]] if len(classes) else None

    def placed(self, estimator: Any) -> tuple[Any, Floats, Floats]:
        """Fit a map; return it, and positions of fitted and of held-out samples."""
        model, owner = seeded_clone(estimator, self.seed), self.problem.owner
        X, X_new = self.data
        units = self.problem.units[self.split.fitted]
        Z = own_map(model, X, self.labels, units, owner=owner)
        return model, Z, places(model, model.transform(X_new), len(X_new), owner=owner)

    def predicted(self, classifier: Any, others: Array) -> tuple[Array, Array]:
        """Fit a classifier; return held-out classes and their probabilities.

        They are those of held-out samples, followed by those of ``others`` (m, d).
        """
        X, X_new = self.data
        model = seeded_clone(classifier, self.seed).fit(X, self.labels)
        new = np.concatenate([X_new, others])
        return model.predict(new), model.predict_proba(new).max(axis=1)

    def voters(self, Z: Array, k: int) -> Voters:
        """Return the fitted samples at positions Z as voters, k for each new point."""
        fitted, problem = self.split.fitted, self.problem
        codes, units = self.codes[fitted], problem.units[fitted]
        return Voters(Z, codes, units, problem.n_classes, k)


# The dealer: splits and folds of whole units.


def draw_split(codes: Array, units: Ints, test_size: float, rng: RandomState) -> Split:
    """Draw units to hold out: the same share of each class that has several units."""
    units = numbered(units)
    owner = unit_classes(codes, units)
    best, most = None, 0
    for _ in range(TRIES):
        is_out = np.zeros(len(owner), dtype=bool)
        for c in np.unique(owner):
            members = rng.permutation(np.flatnonzero(owner == c))
            is_out[members[: _share(len(members), test_size, rng)]] = True
        out = is_out[units]
        held_out, fitted = np.unique(codes[out]), np.unique(codes[~out])
        on_both = len(np.intersect1d(held_out, fitted))
        if on_both > most:
            best, most = Split(np.flatnonzero(~out), np.flatnonzero(out)), on_both
        if np.array_equal(held_out, fitted):
            break
    if best is None:
        raise InputError(
            "no class has rows of two groups or two different rows, so no row can be "
            "held out. If the group column repeats the class, do not use it; otherwise "
            "add rows of other groups to each class."
        )
    return best


def _share(n: int, test_size: float, rng: RandomState) -> int:
    """Return how many of n units to hold out: at least one, but not all."""
    wanted = int(n * test_size + rng.uniform())  # rounded up or down at random
    return int(np.clip(wanted, 1, n - 1)) if n > 1 else wanted


def dealt_folds(
    codes: Codes, units: Ints, n_folds: int, random_state: RandomState, *, owner: str
) -> NDArray[np.int64]:
    """Return a fold for each sample (n,); units are assigned class by class."""
    units = numbered(units)
    owners = unit_classes(codes, units)
    n_folds = min(n_folds, len(owners))
    if n_folds < 2:
        raise InputError(
            "cross-fitting holds out a part of the rows, but all rows belong together: "
            "they are equal or in one group. Pass other groups, or rows that differ.",
            owner=owner,
            parameter="groups",
        )
    shuffled = random_state.permutation(len(owners))
    by_class = shuffled[np.argsort(owners[shuffled], kind="stable")]
    fold = np.empty(len(owners), dtype=np.int64)
    fold[by_class] = np.arange(len(owners)) % n_folds
    return fold[units]
