"""Intervals: how far figures of a part of the samples may be from those of all."""

from typing import Any, NamedTuple

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray
from scipy.stats import beta, t

from labelscape._resampling.units import numbered, unit_classes
from labelscape._resampling.voters import Tally

# Confidence of the interval of a mean over a sample.
CONFIDENCE = 0.99
# Bootstrap draws, and the confidence of their intervals.
DRAWS = 500
LEVEL = 0.95
# Draws whose weights are held at a time.
AT_ONCE = 50


class Interval(NamedTuple):
    """The ends of a 95 % interval."""

    low: float
    high: float

    def __str__(self) -> str:
        """Return both ends in percent, with as many digits as it takes to differ."""
        for digits in range(4):
            low, high = f"{self.low:.{digits}%}", f"{self.high:.{digits}%}"
            if low != high:
                break
        return f"{low} to {high}"


def half_width(
    values: NDArray[Any], n: float, ends: tuple[float, float] = (0.0, 1.0)
) -> float:
    """Return within what the mean of all n samples is, by m random ones among them.

    Student's interval of the mean of ``values`` (m,), which lie between two ends, drawn
    without replacement. As if one object more had been at each end: a hundred samples
    without a fault do not prove that there is none.
    """
    m = len(values)
    if m >= n:
        return 0.0
    cautious = np.concatenate([values, ends])
    spread = cautious.std(ddof=1) * np.sqrt((1.0 - m / n) / m)
    reach = t.ppf((1.0 + CONFIDENCE) / 2.0, m + 1) * spread
    return float(reach + abs(cautious.mean() - values.mean()))


def interval_around(score: float, width: float) -> Interval:
    """Return the ends of an interval of a measure, which is between 0 and 1."""
    low, high = score - width, score + width
    return Interval(max(low, min(score, 0.0)), min(high, max(score, 1.0)))


def reach(score: float, ends: tuple[float, float]) -> float:
    """Return the half width of an interval, of which one side may be cut off."""
    low, high = ends
    return max(score - low, high - score)


def unit_intervals(
    tallies: dict[str, Tally],
    codes: NDArray[Any],
    units: NDArray[np.intp],
    n_classes: int,
    rng: RandomState,
) -> dict[str, Interval]:
    """Return intervals of balanced accuracies, and of their gap, by drawing units.

    Bootstrap: units are drawn with replacement, of each class as many as there are;
    what they were judged is known, so nothing is fitted again.
    """
    units = numbered(units)
    sums = {
        name: _by_unit(tally, codes, units, n_classes)
        for name, tally in tallies.items()
    }
    drawn: dict[str, list[NDArray[Any]]] = {name: [] for name in tallies}
    owner = unit_classes(codes, units)
    for start in range(0, DRAWS, AT_ONCE):
        weights = _unit_weights(owner, min(AT_ONCE, DRAWS - start), rng)
        for name, (right, tried) in sums.items():
            with np.errstate(invalid="ignore"):
                recalls = (weights @ right) / (weights @ tried)
            drawn[name].append(np.nanmean(recalls, axis=1))
    scores = {name: np.concatenate(parts) for name, parts in drawn.items()}
    ends = {
        name: _at_the_end(_ends(values), *sums[name]) for name, values in scores.items()
    }
    if {"seen", "unseen"} <= scores.keys():
        ends["gap"] = _ends(scores["seen"] - scores["unseen"])
    return ends


def _at_the_end(
    interval: Interval, right: NDArray[Any], tried: NDArray[Any]
) -> Interval:
    """Return an interval that is no shorter than that of the units where it ends.

    Draws of units that are all right are all right: of 24 of 24 that says nothing. The
    exact interval of a share (Clopper and Pearson) counts each unit once.
    """
    if interval.low > 0.0 and interval.high < 1.0:
        return interval
    n_units = np.count_nonzero(tried.sum(axis=1))
    shares = right.sum(axis=0)[tried.any(axis=0)] / tried.sum(axis=0)[tried.any(axis=0)]
    n_right, tail = float(shares.mean()) * n_units, (1 - LEVEL) / 2
    low = beta.ppf(tail, n_right, n_units - n_right + 1) if n_right > 0 else 0.0
    high = beta.ppf(1 - tail, n_right + 1, n_units - n_right)
    high = high if n_right < n_units else 1.0
    return Interval(min(interval.low, float(low)), max(interval.high, float(high)))


def _by_unit(
    tally: Tally, codes: NDArray[Any], units: NDArray[np.intp], n_classes: int
) -> list[NDArray[Any]]:
    """Return right and tried judgements of each unit (rows) and class (columns)."""
    cell, shape = units * n_classes + codes, (units.max() + 1, n_classes)
    return [
        np.bincount(cell, part, shape[0] * n_classes).reshape(shape) for part in tally
    ]


def _unit_weights(
    owner: NDArray[np.intp], n_draws: int, rng: RandomState
) -> NDArray[np.float64]:
    """Return how often each unit is drawn, (n_draws, units)."""
    weights = np.empty((n_draws, len(owner)))
    for c in np.unique(owner):
        members = np.flatnonzero(owner == c)
        even = np.full(len(members), 1.0 / len(members))
        weights[:, members] = rng.multinomial(len(members), even, n_draws)
    return weights


def _ends(values: NDArray[np.float64]) -> Interval:
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))
