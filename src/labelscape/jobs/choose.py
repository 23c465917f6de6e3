"""The choice of ``auto``: the best method on held-out rows, or a linear method."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.decomposition import PCA
from sklearn.utils import check_random_state

from labelscape._core.columns import is_wide
from labelscape._core.errors import InputError
from labelscape._core.params import (
    arguments,
    function,
    instance,
    optional,
    seed_rule,
    whole,
)
from labelscape._core.threads import ignored
from labelscape._core.types import Array, Floats, Ints
from labelscape._resampling.sampling import some_units
from labelscape._resampling.trial import VOTERS, Fit, Problem, Split
from labelscape._resampling.units import units_of
from labelscape._resampling.voters import Tally
from labelscape.datasets import Table
from labelscape.jobs.fitting import as_chosen, scaler_for
from labelscape.jobs.methods import method_named
from labelscape.jobs.words import Begin, Step, silent

# Two linear maps, which show which features matter, and one nonlinear map.
CANDIDATES = ("liram", "lfda", "crossfit")
LINEAR = ("liram", "lfda", "lda", "nca", "pca")
# Accepted loss of accuracy of a linear map, and gap between fitted and held-out rows.
WITHIN = 0.03
SURELY = 2.576  # standard errors up to the end of a one-sided 99.5% interval
# Maximum number of rows, of splits, and of splits of wide tables (which take longer) in
# a comparison of methods.
TRIED_ON, TURNS, WIDE_TURNS = 1200, 4, 2
# Share of held-out rows: maps fitted to half of the rows may be much worse.
HELD_OUT = 1 / 3
# With more features than the first number, methods use principal components. With more
# than the second, LFDA is omitted, because it stores all pairs of features.
MOST_FEATURES, MOST_PAIRED = 200, 1000
# A class is collapsed if half of its points are nearer to its center than this share of
# the width of the map. A legible map has at most this share of rows in such classes.
SPOT, ON_SPOTS = 0.01, 1 / 3


class Outcome(NamedTuple):
    """The accuracy of a method on held-out rows."""

    method: str  # name of the method
    # (n,) Share of correct predictions of each row, NaN if never held out; None if the
    # method could not map the rows.
    right: Floats | None
    is_legible: bool = True  # whether classes are not collapsed on its map
    seen: Floats | None = None  # (n,) share of correct predictions of each fitted row


@dataclass(frozen=True)
class Tried:
    """A method that was compared with the chosen one."""

    method: str  # name of the method
    # Accuracy of the method minus accuracy of the chosen method, on the same held-out
    # rows; None if the method could not map the rows.
    difference: float | None
    margin: float = 0.0  # half the width of its 95% interval
    fault: str = ""  # a fault of its map, as text; empty if there is none

    def __str__(self) -> str:
        name = method_named(self.method).title
        if self.difference is None:
            return f"{name} failed"
        points, margin = 100.0 * self.difference, 100.0 * self.margin
        gain = "better" if points > 0.0 else "worse"
        return f"{name} is {abs(points):.1f} {gain} (± {margin:.1f}){self.fault}"


@dataclass(frozen=True)
class Choice:
    """The chosen method, compared with other methods; prints as a text.

    The accuracy of the chosen method is in its honesty report.

    Examples
    --------
    >>> print(Choice("lfda", (Tried("lfda", 0.0), Tried("liram", -0.05, 0.02))))
    Chosen: Local Fisher discriminant. Compared on the same held-out rows, in percentage
    points: LiRaM LVQ is 5.0 worse (± 2.0). The chosen method is linear, so it shows
    which features matter, and no other method is better by more than 3 percentage
    points.
    """

    method: str
    tried: tuple[Tried, ...]
    why_untried: str = ""

    def __str__(self) -> str:
        return self.words()

    def words(self, *, is_real: bool = True) -> str:
        """Return the choice as a text; without classes, no features matter."""
        name = method_named(self.method).title
        if self.why_untried:
            return f"Chosen: {name}. No comparison was possible: {self.why_untried}"
        others = [one for one in self.tried if one.method != self.method]
        if not others:
            return f"Chosen: {name}, the only candidate."
        # Best first; methods that could not map the rows last.
        others.sort(key=lambda one: 2.0 if one.difference is None else -one.difference)
        beside = ", ".join(map(str, others[:4]))
        why = "No linear method is reliably within 3 percentage points of it."
        if self.method in LINEAR:
            shows = ", so it shows which features matter," if is_real else ""
            why = (
                f"The chosen method is linear{shows} and no other method is better by "
                "more than 3 percentage points."
            )
        return (
            f"Chosen: {name}. Compared on the same held-out rows, in percentage "
            f"points: {beside}. {why}"
        )

    def record(self) -> dict[str, Any]:
        """Return the choice as plain values."""
        differences = {one.method: one.difference for one in self.tried}
        return {"method": self.method, "differences": differences, "words": str(self)}


@arguments(
    table=instance(Table),
    dimensions=whole(1),
    seed=seed_rule(),
    begin=optional(function()),
)
def choose_method(
    table: Table, *, dimensions: int = 2, seed: int = 0, begin: Begin | None = None
) -> Choice:
    """Choose the method with the best accuracy on held-out rows of a table.

    LiRaM LVQ, LFDA and the cross-fitted map are compared on the same held-out rows, in
    up to four splits. A linear map is chosen if its balanced accuracy is reliably
    within 0.03 of the best, because a linear map shows which features matter.

    Parameters
    ----------
    table : Table
        Labeled data.
    dimensions : int, default=2
        Number of dimensions of the maps.
    seed, begin
        As for `map_table`.

    Returns
    -------
    Choice

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> choose_method(load("iris")).method in ("liram", "lfda", "crossfit")
    True
    """
    advance = (begin or silent)(Step("choosing", "", len(CANDIDATES)))
    X = scaler_for(table.X, table.encoder).fit_transform(table.X)
    names = [m for m in CANDIDATES if method_named(m).has_dimensions(dimensions)]
    if X.shape[1] > MOST_PAIRED:
        names.remove("lfda")
    classes, codes = np.unique(np.asarray(table.y), return_inverse=True)
    rng = check_random_state(seed)
    units = units_of(X, table.groups, codes=codes, owner="choose_method").of_row
    every = np.arange(len(X))
    problem = Problem(X, codes, units, classes, every, owner="choose_method")
    problem = problem.take(some_units(codes, units, TRIED_ON, rng))
    X, n_turns = problem.X, TURNS
    tested = dict.fromkeys(names, problem)
    if X.shape[1] > MOST_FEATURES:
        n_axes = min(MOST_FEATURES, len(X) - 1)
        narrow = np.asarray(PCA(n_axes, random_state=seed).fit_transform(X))
        tested = dict.fromkeys(names, problem._replace(X=narrow))
    if is_wide(len(X) // 2, X.shape[1]):
        n_turns = WIDE_TURNS
        tested["crossfit"] = problem  # cross-fitting selects features itself
    try:
        splits = problem.drawn(n_turns, HELD_OUT, rng)
    except InputError as error:
        return Choice(names[0], (), str(error))
    n_fitted = min(len(split.fitted) for split in splits)
    how = min(dimensions, X.shape[1]), n_fitted, problem.n_classes, seed
    trials = [_Trial(m, method_named(m).make(*how), tested[m]) for m in names]
    for turn, split in enumerate(splits):
        for trial in trials:
            trial.take_turn(split)
            if turn == 0 and callable(advance):
                advance()
        outcomes = [trial.outcome for trial in trials]
        if turn and is_clear(outcomes, problem.codes, problem.units):
            break
    return chosen_of(outcomes, problem.codes, problem.units)


class _Trial:
    """A method that is tested on several splits of the same rows."""

    def __init__(self, method: str, estimator: Any, problem: Problem) -> None:
        self.method, self.estimator, self.problem = method, estimator, problem
        self.unseen, self.seen = (Tally.of(len(problem.rows)) for _ in range(2))
        self.is_legible, self.failed = True, False

    @property
    def outcome(self) -> Outcome:
        """The accuracy so far."""
        right = None if self.failed else self.unseen.share
        return Outcome(self.method, right, self.is_legible, self.seen.share)

    def take_turn(self, split: Split) -> None:
        """Fit to some of the rows; predict the other rows from neighbors on the map."""
        if self.failed:
            return
        fit = Fit(self.problem, split, self.problem.codes, None)
        try:
            with ignored(Warning):  # the final fit repeats the warnings
                model, Z, Z_new = fit.placed(self.estimator)
        except (ValueError, np.linalg.LinAlgError):
            self.failed = True
            return
        (fitted, unseen), voters = split, fit.voters(Z, VOTERS)
        if not self.unseen.tried.any():  # the first split
            self.is_legible = is_legible(Z, voters.codes)
            self.estimator = as_chosen(model)
        self.unseen.add(unseen, voters.judge(Z_new) == fit.codes[unseen])
        self.seen.add(fitted, voters.judge_themselves() == voters.codes)


def chosen_of(outcomes: Sequence[Outcome], codes: Array, units: Ints) -> Choice:
    """Choose the best method, or a linear method that is at most 0.03 worse."""
    # A map with a fault is only chosen if no map without a fault is within 0.03 of the
    # best. If all methods failed, the first method is chosen.
    known = {one.method: one for one in outcomes if one.right is not None}
    if not known:
        why = "all methods failed on a sample of the rows."
        return Choice(outcomes[0].method, (), why)
    scores = {name: _accuracy(one, codes) for name, one in known.items()}
    faults = {name: _fault(one, codes, units) for name, one in known.items()}
    sound = [name for name, fault in faults.items() if not fault]
    near = any(scores[name] >= max(scores.values()) - WITHIN for name in sound)
    pool = sound if near else [*known]
    best = max(pool, key=lambda name: scores[name])

    def most_lost(name: str) -> float:
        loss, error = _difference(known[best], known[name], codes, units)
        return loss + SURELY * error

    linear = [name for name in LINEAR if name in pool and most_lost(name) <= WITHIN]
    method = max(linear or [best], key=lambda name: scores[name])
    tried = []
    for one in outcomes:
        if one.right is None:
            tried.append(Tried(one.method, None))
            continue
        gain, error = _difference(one, known[method], codes, units)
        tried.append(Tried(one.method, gain, 1.96 * error, faults[one.method]))
    return Choice(method, tuple(tried))


def _fault(one: Outcome, codes: Array, units: Ints) -> str:
    """Return the reason why a map should not be chosen, as text; empty if none."""
    if not one.is_legible:
        return ", with classes that collapse to one spot"
    seen = one._replace(right=one.right if one.seen is None else one.seen)
    gap, error = _difference(seen, one, codes, units)
    is_wide = abs(gap) - SURELY * error > WITHIN
    way = "better" if gap > 0.0 else "worse"
    words = f", but {100.0 * abs(gap):.1f} {way} on fitted than on held-out rows"
    return words if is_wide else ""


def is_clear(outcomes: Sequence[Outcome], codes: Array, units: Ints) -> bool:
    """Return whether the results so far suffice to accept or reject linear maps."""
    known = [one for one in outcomes if one.right is not None]
    known.sort(key=lambda one: _accuracy(one, codes))
    linear = [one for one in known if one.method in LINEAR]
    others = [one for one in known if one.method not in LINEAR]
    if not linear or not others:
        return True
    gain, error = _difference(others[-1], linear[-1], codes, units)
    return gain + SURELY * error <= WITHIN or gain - SURELY * error > 0.0


def _accuracy(one: Outcome, codes: Array) -> float:
    """Return the balanced accuracy on held-out rows."""
    right = np.asarray(one.right)
    return float(_weights(right, codes) @ np.nan_to_num(right))


def _difference(
    a: Outcome, b: Outcome, codes: Array, units: Ints
) -> tuple[float, float]:
    """Return the difference of two accuracies (a - b), and its standard error."""
    gains = np.asarray(a.right) - np.asarray(b.right)
    weights = _weights(gains, codes)
    gains = np.nan_to_num(gains)
    total = np.bincount(codes, weights)
    means = np.bincount(codes, weights * gains) / np.where(total > 0, total, 1.0)
    by_unit = np.bincount(units, weights * (gains - means[codes]))
    return float(weights @ gains), float(np.sqrt(by_unit @ by_unit))


def _weights(values: Floats, codes: Array) -> Floats:
    """Return row weights with equal sums for all classes; 0 for rows with NaN."""
    known = np.isfinite(values)
    counts = np.bincount(codes, known)
    weights = known / np.maximum(counts, 1.0)[codes] / (np.count_nonzero(counts) or 1)
    return np.asarray(weights)


def is_legible(Z: Floats, codes: Array) -> bool:
    """Return whether most rows are in classes that do not collapse to one place."""
    extent = np.ptp(np.quantile(Z, [0.01, 0.99], axis=0), axis=0).max()
    on_spots = 0
    for c in np.unique(codes):
        own = Z[codes == c]
        away = np.linalg.norm(own - np.median(own, axis=0), axis=1)
        on_spots += len(own) * bool(np.median(away) < SPOT * extent)
    # A class of one or two rows is collapsed on any map.
    return bool(on_spots <= ON_SPOTS * len(codes) or len(codes) < 3 * (codes.max() + 1))
