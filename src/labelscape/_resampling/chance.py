"""Chance: labels shuffled between units, and how often those do as well."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape._resampling.voters import balanced_accuracy

# Units of exactly the same size exchange labels if this share of them has a partner.
WITH_PARTNER = 0.9
# Shuffles behind a p-value: the smallest that can come out is 2 / 1000, twice a mean.
N_PERMUTATIONS = 999


class LabelShuffle:
    """Moves the labels of units to other units of the same size.

    Under the hypothesis that labels say nothing, all its draws are equally likely.
    Where sizes are too different for that, units whose rows all have one class change
    it with others of up to twice their size: this asks besides that the size of a unit
    says nothing about its class.
    """

    def __init__(self, codes: NDArray[Any], units: NDArray[np.intp]) -> None:
        _, self._unit, sizes = np.unique(units, return_inverse=True, return_counts=True)
        self._codes = codes
        self._by_unit = np.argsort(self._unit, kind="stable")
        self._start = np.cumsum(sizes) - sizes
        low, high = (np.full(len(sizes), x) for x in (codes.max(), codes.min()))
        np.minimum.at(low, self._unit, codes)
        np.maximum.at(high, self._unit, codes)
        self._one_class, self._class = low == high, low
        self._pure = _strata(np.flatnonzero(self._one_class), self._bins(sizes))
        self._mixed = [
            self._by_unit[self._start[members][:, None] + np.arange(sizes[members[0]])]
            for members in _strata(np.flatnonzero(~self._one_class), sizes)
        ]

    @property
    def n_moving(self) -> int:
        """The number of units that can change their label with another class."""
        moving = [m for m in self._pure if len(np.unique(self._class[m])) > 1]
        return sum(map(len, moving)) + sum(map(len, self._mixed))

    def draw(self, rng: RandomState) -> NDArray[Any]:
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

    def _bins(self, sizes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return by what pure units find partners: their size, exactly or roughly."""
        _, inverse, counts = np.unique(
            sizes[self._one_class], return_inverse=True, return_counts=True
        )
        partners = counts[inverse] if len(counts) else np.empty(0)
        if np.mean(partners > 1) >= WITH_PARTNER if len(partners) else True:
            return sizes
        return np.log2(sizes).astype(np.intp)


def _strata(members: NDArray[np.intp], key: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Return members with the same key, two at least."""
    if not len(members):
        return []
    order = members[np.argsort(key[members], kind="stable")]
    cuts = np.flatnonzero(np.diff(key[order])) + 1
    return [part for part in np.split(order, cuts) if len(part) > 1]


def split_p_value(
    judged: NDArray[Any],
    codes: NDArray[Any],
    units: NDArray[np.intp],
    n_classes: int,
    rng: RandomState,
    n_permutations: int = N_PERMUTATIONS,
) -> float:
    """Return how often shuffled labels of held-out samples agree as well with a map.

    The map has not seen these labels. If they say nothing, all shuffles of them are
    equally likely, so the p-value is exact whatever the map did with its own.
    """
    shuffle = LabelShuffle(codes, units)
    observed = balanced_accuracy(judged, codes, n_classes) - 1e-12
    as_good = sum(
        balanced_accuracy(judged, shuffle.draw(rng), n_classes) >= observed
        for _ in range(n_permutations)
    )
    return (1 + as_good) / (1 + n_permutations)


def combined(p_values: Sequence[float]) -> float:
    """Return one p-value for several that depend on each other in an unknown way.

    Twice their mean is one, whatever the dependence (Vovk and Wang, 2020).
    """
    return min(1.0, 2.0 * float(np.mean(p_values)))
