"""Confidence intervals of means and of balanced accuracies."""

from typing import NamedTuple

import numpy as np
from numpy.random import RandomState
from scipy.stats import beta, t

from labelscape._core.threads import map_blocks
from labelscape._core.types import Array, Floats, Ints
from labelscape._resampling.units import numbered, unit_classes
from labelscape._resampling.voters import Tally

CONFIDENCE = 0.99  # confidence of the interval of a mean over a sample
# Bootstrap draws, how many weights of these are in memory, and the confidence.
DRAWS, AT_ONCE, LEVEL = 500, 50, 0.95


class Interval(NamedTuple):
    """The ends of a 95% interval."""

    low: float
    high: float

    def __str__(self) -> str:
        """Return both ends in percent, with enough digits to differ."""
        for digits in range(4):
            low, high = f"{self.low:.{digits}%}", f"{self.high:.{digits}%}"
            if low != high:
                break
        return f"{low} to {high}"


def half_width(
    values: Array, n: float, ends: tuple[float, float] = (0.0, 1.0)
) -> float:
    """Return the half width of Student's interval of a mean of n, from m values."""
    # As if one more sample were at each of the two ends: a hundred samples without an
    # error do not prove that there is none.
    m = len(values)
    if m >= n:
        return 0.0
    cautious = np.concatenate([values, ends])
    spread = cautious.std(ddof=1) * np.sqrt((1.0 - m / n) / m)
    reach = t.ppf((1.0 + CONFIDENCE) / 2.0, m + 1) * spread
    return float(reach + abs(cautious.mean() - values.mean()))


def interval_around(score: float, width: float) -> Interval:
    """Return the interval of a measure between 0 and 1."""
    low, high = score - width, score + width
    return Interval(max(low, min(score, 0.0)), min(high, max(score, 1.0)))


def reach(score: float, ends: tuple[float, float]) -> float:
    """Return the half width of an interval, one side of which may be cut off."""
    low, high = ends
    return max(score - low, high - score)


def unit_intervals(
    tallies: dict[str, Tally],
    codes: Array,
    units: Ints,
    n_classes: int,
    rng: RandomState,
) -> dict[str, Interval]:
    """Return bootstrap intervals, by units, of balanced accuracies and of their gap."""
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


def _at_the_end(interval: Interval, right: Array, tried: Array) -> Interval:
    """Return an interval that reaches 0 or 1, widened to Clopper and Pearson's."""
    # Draws from units that are all right are all right; the exact one counts each unit
    # once.
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
    """Return right and tried answers of each unit (rows) and class (columns)."""
    cell, shape = units * n_classes + codes, (units.max() + 1, n_classes)
    return [
        np.bincount(cell, part, shape[0] * n_classes).reshape(shape) for part in tally
    ]


def unit_weights(owner: Ints, n_draws: int, rng: RandomState) -> Floats:
    """Return how often each unit is drawn, (n_draws, units)."""
    weights = np.empty((n_draws, len(owner)))
    for c in np.unique(owner):
        members = np.flatnonzero(owner == c)
        even = np.full(len(members), 1.0 / len(members))
        weights[:, members] = rng.multinomial(len(members), even, n_draws)
    return weights


def _ends(values: Floats) -> Interval:
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))
