"""Chance: labels shuffled between units, and p-values."""

from collections.abc import Sequence

import numpy as np
from numpy.random import RandomState
from scipy.stats import norm

from labelscape._core.types import Array, Ints
from labelscape._resampling.voters import balanced_accuracy

# Units of exactly the same size exchange labels if this share of them has a partner.
WITH_PARTNER = 0.9
# Shuffles behind a p-value: the smallest that is reported is 1 / 1000.
N_PERMUTATIONS = 999


class LabelShuffle:
    """Moves the labels of units to other units of the same size.

    For labels without signal, all its draws are equally likely. Where sizes differ too
    much, units of one class exchange it with others of up to twice their size: this
    assumes that the size of a unit does not depend on its class. With ``groups``,
    labels move inside a group only.
    """

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
        # Units of one class are matched by size: exactly, or by powers of two.
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
        """The number of units that can get another class."""
        moving = [m for m in self._pure if len(np.unique(self._class[m])) > 1]
        return sum(map(len, moving)) + sum(map(len, self._mixed))

    def draw(self, rng: RandomState) -> Array:
        """Return labels after one shuffle, a copy."""
        classes = self._class.copy()
        for members in self._pure:
            classes[members] = self._class[rng.permutation(members)]
        is_pure = self._one_class[self._unit]
        shuffled = np.where(is_pure, classes[self._unit], self._codes)
        for rows in self._mixed:
            shuffled[rows] = self._codes[rows[rng.permutation(len(rows))]]
        return shuffled


def _strata(members: Ints, key: Ints) -> list[Ints]:
    """Return members with the same key, two at least."""
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
    """Return the p-value of answers for held-out samples, by shuffling their labels.

    The answers do not depend on these labels. Without signal, all shuffles are equally
    likely, so (1 + number of shuffles as good) / (1 + number of shuffles) is exact.
    """
    observed = balanced_accuracy(answers, codes, n_classes) - 1e-12
    as_good = sum(
        balanced_accuracy(answers, shuffle.draw(rng), n_classes) >= observed
        for _ in range(N_PERMUTATIONS)
    )
    return (1 + as_good) / (1 + N_PERMUTATIONS)


def confirmed(p_values: Sequence[float]) -> float:
    """Return one p-value for splits that overlap: the first, or their median if larger.

    The first alone is exact, and no maximum with it can be too small. That half of the
    splits confirm it keeps a lucky one from deciding.
    """
    return max(p_values[0], float(np.median(p_values)))


def chained(p_values: Sequence[float]) -> float:
    """Return one p-value for several, each valid whatever those before it were.

    Then they are as good as independent: z = sum_i z_i / sqrt(m) with z_i the normal
    quantiles (Stouffer). At least the smallest that one of them can be.
    """
    z = norm.isf(np.minimum(p_values, 1.0 - 1e-9)).sum() / np.sqrt(len(p_values))
    return max(float(norm.sf(z)), 1.0 / (1 + N_PERMUTATIONS))
