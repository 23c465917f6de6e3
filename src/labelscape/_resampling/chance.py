"""Chance: labels shuffled between units, and p-values."""

from collections.abc import Sequence

import numpy as np
from numpy.random import RandomState

from labelscape._resampling import Array, Ints
from labelscape._resampling.voters import balanced_accuracy

# Units of exactly the same size exchange labels if this share of them has a partner.
WITH_PARTNER = 0.9
# Shuffles of a p-value: the smallest one, combined as twice a mean, is 2 / 1000.
N_PERMUTATIONS = 999


class LabelShuffle:
    """Moves the labels of units to other units of the same size.

    For labels without signal, all its draws are equally likely. Where sizes differ too
    much, units of one class exchange it with others of up to twice their size: this
    assumes that the size of a unit does not depend on its class.
    """

    def __init__(self, codes: Array, units: Ints) -> None:
        _, self._unit, sizes = np.unique(units, return_inverse=True, return_counts=True)
        self._codes = codes
        self._by_unit = np.argsort(self._unit, kind="stable")
        self._start = np.cumsum(sizes) - sizes
        low, high = (np.full(len(sizes), x) for x in (codes.max(), codes.min()))
        np.minimum.at(low, self._unit, codes)
        np.maximum.at(high, self._unit, codes)
        self._one_class, self._class = low == high, low
        # Units of one class are matched by size: exactly, or by powers of two.
        partners = np.bincount(sizes[self._one_class])[sizes[self._one_class]]
        is_exact = not len(partners) or np.mean(partners > 1) >= WITH_PARTNER
        bins = sizes if is_exact else np.log2(sizes).astype(np.intp)
        self._pure = _strata(np.flatnonzero(self._one_class), bins)
        self._mixed = [
            self._by_unit[self._start[members][:, None] + np.arange(sizes[members[0]])]
            for members in _strata(np.flatnonzero(~self._one_class), sizes)
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
        shuffled = np.where(
            self._one_class[self._unit], classes[self._unit], self._codes
        )
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
    units: Ints,
    n_classes: int,
    rng: RandomState,
    n_permutations: int = N_PERMUTATIONS,
) -> float:
    """Return the p-value of answers for held-out samples, by shuffling their labels.

    The answers do not depend on these labels. Without signal, all shuffles are equally
    likely, so (1 + number of shuffles as good) / (1 + number of shuffles) is exact.
    """
    shuffle = LabelShuffle(codes, units)
    observed = balanced_accuracy(answers, codes, n_classes) - 1e-12
    as_good = sum(
        balanced_accuracy(answers, shuffle.draw(rng), n_classes) >= observed
        for _ in range(n_permutations)
    )
    return (1 + as_good) / (1 + n_permutations)


def combined(p_values: Sequence[float]) -> float:
    """Return twice the mean of p-values, valid for any dependence (Vovk, Wang 2020)."""
    return min(1.0, 2.0 * float(np.mean(p_values)))
