"""Splits draw units, and so do shuffles: copies keep together, and keep agreeing."""

from typing import Any, NamedTuple

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape._core.errors import InputError

# A split that leaves a class on one side only is drawn again, so often at most.
TRIES = 50
# So many units of a rare class stay when units are drawn.
FEWEST_OF_CLASS = 20
# Units of exactly the same size change labels, if so many have a partner at all.
WITH_PARTNER = 0.9


class Split(NamedTuple):
    """Rows that a map is fitted to, and rows that it does not see."""

    fitted: NDArray[np.intp]
    unseen: NDArray[np.intp]


def numbered(units: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return units numbered anew: of a part of the rows, others must not be drawn."""
    return np.unique(units, return_inverse=True)[1]


def unit_classes(codes: NDArray[Any], units: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the most frequent class of each unit."""
    counts = np.zeros((units.max() + 1, codes.max() + 1), dtype=np.intp)
    np.add.at(counts, (units, codes), 1)
    return counts.argmax(axis=1)


def draw_split(
    codes: NDArray[Any], units: NDArray[np.intp], test_size: float, rng: RandomState
) -> Split:
    """Draw units at random, of each class its share, to hold out.

    Classes of one unit can't be on both sides. Without a class that is, there is
    nothing to learn or to ask, and it raises.
    """
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
            "no class has rows of two groups or two different rows, so none can be "
            "held out. If the group column is the class in other words, leave it out; "
            "otherwise add rows of other groups to each class."
        )
    return best


def some_units(
    codes: NDArray[Any], units: NDArray[np.intp], most: int, rng: RandomState
) -> NDArray[np.intp]:
    """Return rows of units drawn at random, about as many as ``most``.

    Of each class its share, but no fewer than some units of a rare one.
    """
    units = numbered(units)
    owner, chosen = unit_classes(codes, units), np.zeros(units.max() + 1, dtype=bool)
    share = most / len(codes)
    for c in np.unique(owner):
        members = rng.permutation(np.flatnonzero(owner == c))
        chosen[members[: max(int(share * len(members)), FEWEST_OF_CLASS)]] = True
    return np.flatnonzero(chosen[units])


def _share(n: int, test_size: float, rng: RandomState) -> int:
    """Return how many of n units to hold out: one at least, and not all."""
    wanted = int(n * test_size + rng.uniform())  # rounded up or down, by chance
    return int(np.clip(wanted, 1, n - 1)) if n > 1 else wanted


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
