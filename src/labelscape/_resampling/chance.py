"""Chance: labels shuffled between units, and p-values."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.random import Generator, RandomState, default_rng
from scipy.special import ndtr, ndtri

from labelscape._core.threads import map_blocks, row_blocks
from labelscape._core.types import Array, Floats, Ints

# Units of exactly the same size exchange labels if this share of them has a partner.
WITH_PARTNER = 0.9
# Shuffles behind a p-value: the smallest that is reported is 1 / 1000.
N_PERMUTATIONS = 999
AT_ONCE = 50  # shuffles that one thread has in memory


class LabelShuffle:
    """Moves the labels of units to other units of the same size, or inside groups."""

    # Without signal, all draws are equally likely. Where sizes differ too much, units
    # of one class exchange it with others of up to twice their size: this assumes that
    # the size of a unit does not depend on its class.

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
        return np.asarray(self._drawn(1, default_rng(drawn_seeds(rng, 1)))[0])

    def scores(
        self, score: Callable[[Array], Array], n: int, rng: RandomState
    ) -> Array:
        """Return the scores of n shuffles, by a function of labels (m, rows)."""
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
    """Return the exact p-value of answers for held-out samples, by shuffled labels."""
    # The answers do not depend on these labels: without signal, all shuffles are
    # equally likely.

    def accuracies(labels: Array) -> Floats:
        cells = labels + n_classes * np.arange(len(labels))[:, None]
        size, shape = len(labels) * n_classes, (len(labels), n_classes)
        hits = np.bincount(cells[labels == answers], minlength=size).reshape(shape)
        counts = np.bincount(cells.ravel(), minlength=size).reshape(shape)
        recalls = hits / np.maximum(counts, 1)
        return np.asarray(recalls.sum(axis=1) / (counts > 0).sum(axis=1))

    observed = accuracies(codes[None, :])[0] - 1e-12
    as_good = (shuffle.scores(accuracies, N_PERMUTATIONS, rng) >= observed).sum()
    return float((1 + as_good) / (1 + N_PERMUTATIONS))


def confirmed(p_values: Sequence[float]) -> float:
    """Return one p-value for splits that overlap: the first, or their median if larger.

    The first alone is exact, and no maximum with it can be too small. That half of the
    splits confirm it keeps a lucky one from deciding.
    """
    return max(p_values[0], float(np.median(p_values)))


def chained(p_values: Sequence[float], n_moving: Sequence[int]) -> float:
    """Return one p-value for several, each valid whatever those before it were."""
    # Then they are as good as independent: z = sum_i w_i z_i / |w| (Stouffer), with
    # w_i^2 the number of units that can get another label, the same for all shuffles.
    weights = np.sqrt(n_moving)
    if not weights.any():
        return 1.0
    z = -ndtri(np.minimum(p_values, 1.0 - 1e-9)) @ weights / np.linalg.norm(weights)
    return max(float(ndtr(-z)), 1.0 / (1 + N_PERMUTATIONS))


def cramers_v(a: Ints, b: Ints) -> float:
    """Return Cramér's V of two labelings: sqrt(chi^2 / (n (min(n_a, n_b) - 1)))."""
    n_a, n_b = int(a.max()) + 1, int(b.max()) + 1
    counts = np.bincount(a * n_b + b, minlength=n_a * n_b).reshape(n_a, n_b)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / len(a)
    some = expected > 0
    chi = ((counts[some] - expected[some]) ** 2 / expected[some]).sum()
    return float(np.sqrt(chi / (len(a) * max(1, min(n_a, n_b) - 1))))
