"""Shuffled labels, p-values and confidence intervals."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator, RandomState, default_rng
from scipy.special import ndtr, ndtri
from scipy.stats import beta, t

from labelscape._core.threads import map_blocks, row_blocks
from labelscape._core.types import Array, Floats, Ints
from labelscape._resampling.units import numbered, unit_classes
from labelscape._resampling.voters import Tally

# Only units of equal size exchange labels, if at least this share has such a partner.
WITH_PARTNER = 0.9
# Number of shuffles for a p-value: the smallest reported p-value is 1 / 1000.
N_PERMUTATIONS = 999
AT_ONCE = 50  # number of shuffles or bootstrap draws in the memory of one thread
CONFIDENCE = 0.99  # confidence level of the interval of a mean over a sample
# Number of bootstrap draws of balanced accuracies, and confidence level of intervals.
DRAWS, LEVEL = 500, 0.95


class LabelShuffle:
    """Shuffles labels between units (independent groups of rows) of equal size."""

    # Without signal, all draws are equally likely. If few units have a partner of equal
    # size, the sizes of units that exchange labels may differ by less than a factor of
    # 2. This assumes that the size of a unit does not depend on its class.

    def __init__(self, codes: Array, units: Ints, groups: Ints | None = None) -> None:
        _, first, self._unit, sizes = np.unique(
            units, return_index=True, return_inverse=True, return_counts=True
        )
        group = np.zeros(len(sizes), dtype=np.intp) if groups is None else groups[first]
        self._codes = codes
        self._by_unit = np.argsort(self._unit, kind="stable")
        self._start = np.cumsum(sizes) - sizes
        low, high = (np.full(len(sizes), x) for x in (codes.max(), codes.min()))
        np.minimum.at(low, self._unit, codes)
        np.maximum.at(high, self._unit, codes)
        self._one_class, self._class = low == high, low
        within = group * (int(sizes.max()) + 1)
        # Units with a single class exchange it with units of equal or similar size.
        partners = np.bincount(sizes[self._one_class])[sizes[self._one_class]]
        is_exact = not len(partners) or np.mean(partners > 1) >= WITH_PARTNER
        bins = within + (sizes if is_exact else np.log2(sizes).astype(np.intp))
        self._pure = _strata(np.flatnonzero(self._one_class), bins)
        self._mixed = [
            self._by_unit[self._start[members][:, None] + np.arange(sizes[members[0]])]
            for members in _strata(np.flatnonzero(~self._one_class), within + sizes)
        ]

    @property
    def n_moving(self) -> int:
        """Number of units whose class can change in a shuffle."""
        moving = [m for m in self._pure if len(np.unique(self._class[m])) > 1]
        return sum(map(len, moving)) + sum(map(len, self._mixed))

    def draw(self, rng: RandomState) -> Array:
        """Return a copy of the labels after one shuffle."""
        return np.asarray(self._drawn(1, default_rng(drawn_seeds(rng, 1)))[0])

    def scores(
        self, score: Callable[[Array], Array], n: int, rng: RandomState
    ) -> Array:
        """Return the scores of n shuffles; ``score`` takes labels (m, rows)."""
        blocks = row_blocks(n, 1, AT_ONCE)
        seeds = drawn_seeds(rng, len(blocks))

        def block(b: int) -> Array:
            size = blocks[b].stop - blocks[b].start
            return score(self._drawn(size, default_rng(seeds[b])))

        return np.concatenate(map_blocks(block, range(len(blocks))))

    def _drawn(self, n: int, rng: Generator) -> Array:
        """Return the labels (n, rows) after each of n shuffles."""
        classes = np.tile(self._class, (n, 1))
        for members in self._pure:
            classes[:, members] = rng.permuted(classes[:, members], axis=1)
        is_pure = self._one_class[self._unit]
        shuffled = np.where(is_pure, classes[:, self._unit], self._codes)
        for rows in self._mixed:
            for labels in shuffled:
                labels[rows] = self._codes[rng.permutation(rows)]
        return shuffled


def drawn_seeds(rng: RandomState, n: int) -> Ints:
    """Return seeds for n parts of a computation."""
    return rng.randint(2**31 - 1, size=n)


def _strata(members: Ints, key: Ints) -> list[Ints]:
    """Return the groups of members with equal keys, without groups of one member."""
    if not len(members):
        return []
    order = members[np.argsort(key[members], kind="stable")]
    cuts = np.flatnonzero(np.diff(key[order])) + 1
    return [part for part in np.split(order, cuts) if len(part) > 1]


def split_p_value(
    answers: Array,
    codes: Array,
    shuffle: LabelShuffle,
    n_classes: int,
    rng: RandomState,
) -> float:
    """Return the exact p-value of predictions for held-out samples."""
    # The predictions do not depend on these labels: without signal, all shuffles are
    # equally likely.

    def accuracies(labels: Array) -> Floats:
        from labelscape._core.points._kernels import count_hits

        hits = np.zeros((len(labels), n_classes), dtype=np.intp)
        counts = np.zeros_like(hits)
        count_hits(labels, answers, hits, counts)
        recalls = hits / np.maximum(counts, 1)
        return np.asarray(recalls.sum(axis=1) / (counts > 0).sum(axis=1))

    observed = accuracies(codes[None, :])[0] - 1e-12
    as_good = (shuffle.scores(accuracies, N_PERMUTATIONS, rng) >= observed).sum()
    return float((1 + as_good) / (1 + N_PERMUTATIONS))


def confirmed(p_values: Sequence[float]) -> float:
    """Return one p-value for overlapping splits: the first, or the median if larger.

    The p-value of the first split is exact, so any larger value is valid, too. Because
    of the median, one lucky split does not make the p-value small.
    """
    return max(p_values[0], float(np.median(p_values)))


def chained(p_values: Sequence[float], n_moving: Sequence[int]) -> float:
    """Combine p-values, each of which is valid given the earlier ones."""
    # These p-values can be combined like independent ones, with Stouffer's method:
    # z = sum_i w_i z_i / |w|. The number of units that can get another label is w_i^2.
    # It is the same for all shuffles.
    weights = np.sqrt(n_moving)
    if not weights.any():
        return 1.0
    z = -ndtri(np.minimum(p_values, 1.0 - 1e-9)) @ weights / np.linalg.norm(weights)
    return max(float(ndtr(-z)), 1.0 / (1 + N_PERMUTATIONS))


# Confidence intervals of means and of balanced accuracies.


class Interval(NamedTuple):
    """The two ends of a 95% interval."""

    low: float
    high: float

    def __str__(self) -> str:
        """Return both ends in percent, with enough digits to distinguish them."""
        for digits in range(4):
            low, high = f"{self.low:.{digits}%}", f"{self.high:.{digits}%}"
            if low != high:
                break
        return f"{low} to {high}"

    def record(self) -> list[float]:
        """Return both ends as plain values."""
        return [*self]


def half_width(
    values: Array, n: float, ends: tuple[float, float] = (0.0, 1.0)
) -> float:
    """Return the half width of Student's interval for a mean of n values."""
    # One value is added at each end of the scale, because 100 samples without an error
    # do not prove that the error is 0.
    m = len(values)
    if m >= n:
        return 0.0
    cautious = np.concatenate([values, ends])
    spread = cautious.std(ddof=1) * np.sqrt((1.0 - m / n) / m)
    reach = t.ppf((1.0 + CONFIDENCE) / 2.0, m + 1) * spread
    return float(reach + abs(cautious.mean() - values.mean()))


def interval_around(score: float, width: float) -> Interval:
    """Return the interval of a measure, cut off at 0 and 1."""
    low, high = score - width, score + width
    return Interval(max(low, min(score, 0.0)), min(high, max(score, 1.0)))


def reach(score: float, ends: tuple[float, float]) -> float:
    """Return the distance of a score from the farther end of its interval."""
    low, high = ends
    return max(score - low, high - score)


def unit_intervals(
    tallies: dict[str, Tally],
    codes: Array,
    units: Ints,
    n_classes: int,
    rng: RandomState,
) -> dict[str, Interval]:
    """Return bootstrap intervals of balanced accuracies and of their difference."""
    units = numbered(units)
    sums = {
        name: _by_unit(tally, codes, units, n_classes)
        for name, tally in tallies.items()
    }
    owner = unit_classes(codes, units)

    def drawn(seed: int) -> list[Array]:
        weights = unit_weights(owner, AT_ONCE, RandomState(seed))
        with np.errstate(invalid="ignore"):
            recalls = [(weights @ a) / (weights @ b) for a, b in sums.values()]
        return [np.nanmean(recall, axis=1) for recall in recalls]

    seeds = rng.randint(2**31 - 1, size=DRAWS // AT_ONCE)
    parts = map_blocks(drawn, seeds)
    scores = dict(zip(sums, np.concatenate(parts, axis=1), strict=True))
    ends = {
        name: _at_the_end(_ends(values), *sums[name]) for name, values in scores.items()
    }
    if {"seen", "unseen"} <= scores.keys():
        ends["gap"] = _ends(scores["seen"] - scores["unseen"])
    return ends


def interval_of(
    right: Array, codes: Array, units: Ints, n_classes: int, rng: RandomState
) -> Interval:
    """Return the bootstrap interval of a balanced accuracy from the correct rows."""
    tally = Tally(np.asarray(right).astype(np.intp), np.ones(len(codes), dtype=np.intp))
    return unit_intervals({"": tally}, codes, units, n_classes, rng)[""]


def _at_the_end(interval: Interval, right: Array, tried: Array) -> Interval:
    """Widen an interval that touches 0 or 1 to the Clopper-Pearson interval."""
    # If all units are correct, all bootstrap draws are correct, too. In the exact
    # interval, a unit is one observation.
    if interval.low > 0.0 and interval.high < 1.0:
        return interval
    n_units, tested = np.count_nonzero(tried.sum(axis=1)), tried.any(axis=0)
    shares = right.sum(axis=0)[tested] / tried.sum(axis=0)[tested]
    n_right, tail = float(shares.mean()) * n_units, (1 - LEVEL) / 2
    low = beta.ppf(tail, n_right, n_units - n_right + 1) if n_right > 0 else 0.0
    high = beta.ppf(1 - tail, n_right + 1, n_units - n_right)
    high = high if n_right < n_units else 1.0
    return Interval(min(interval.low, float(low)), max(interval.high, float(high)))


def _by_unit(tally: Tally, codes: Array, units: Ints, n_classes: int) -> list[Array]:
    """Return the counts of correct and of all predictions, per unit and class."""
    cell, shape = units * n_classes + codes, (units.max() + 1, n_classes)
    return [
        np.bincount(cell, part, shape[0] * n_classes).reshape(shape) for part in tally
    ]


def unit_weights(owner: Ints, n_draws: int, rng: RandomState) -> Floats:
    """Return how often each unit is drawn in each bootstrap draw (n_draws, units)."""
    weights = np.empty((n_draws, len(owner)))
    for c in np.unique(owner):
        members = np.flatnonzero(owner == c)
        even = np.full(len(members), 1.0 / len(members))
        weights[:, members] = rng.multinomial(len(members), even, n_draws)
    return weights


def _ends(values: Floats) -> Interval:
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))


def cramers_v(a: Ints, b: Ints) -> float:
    """Return Cramér's V of two labelings: sqrt(chi^2 / (n (min(n_a, n_b) - 1)))."""
    n_a, n_b = int(a.max()) + 1, int(b.max()) + 1
    counts = np.bincount(a * n_b + b, minlength=n_a * n_b).reshape(n_a, n_b)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / len(a)
    some = expected > 0
    chi = ((counts[some] - expected[some]) ** 2 / expected[some]).sum()
    return float(np.sqrt(chi / (len(a) * max(1, min(n_a, n_b) - 1))))
