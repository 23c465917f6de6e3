"""Sampling of units, and of rows by class.

There are two ways to choose samples by class: at least two of each class, even if that
is more than requested (`drawn_by_class`), and at least one of each class, never more
than requested (`spread_over`). Both ways are needed to reproduce published results,
which depend on the chosen samples.
"""

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape._core.types import Array, Ints
from labelscape._resampling.units import numbered, unit_classes

# A sample of units has at least this many of a rare class.
FEWEST_OF_CLASS = 20
# Units larger than this multiple of the wanted number of rows are subsampled.
FAR_MORE = 2

Codes = NDArray[np.integer]


def some_units(codes: Array, units: Ints, most: int, rng: RandomState) -> Ints:
    """Return about ``most`` rows of random units, with at least 20 units per class.

    From very large units, only some of the rows are drawn.
    """
    units = numbered(units)
    owner, chosen = unit_classes(codes, units), np.zeros(units.max() + 1, dtype=bool)
    share = most / len(codes)
    for c in np.unique(owner):
        members = rng.permutation(np.flatnonzero(owner == c))
        chosen[members[: max(int(share * len(members)), FEWEST_OF_CLASS)]] = True
    rows = np.flatnonzero(chosen[units])
    if len(rows) <= FAR_MORE * most:
        return rows
    # The same share of each unit and class, so that equal units remain equal.
    cell = numbered(units[rows] * (int(codes.max()) + 1) + codes[rows])
    shuffled, sizes = rng.permutation(len(rows)), np.bincount(cell)
    order = shuffled[np.argsort(cell[shuffled], kind="stable")]
    rank = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    kept = np.ceil(most / len(rows) * sizes)
    return np.sort(rows[order[rank < np.repeat(kept, sizes)]])


def class_counts(sizes: NDArray[np.integer], total: int) -> Ints:
    """Divide ``total`` samples in proportion to class sizes, at least 2 per class."""
    wanted = sizes * (total / sizes.sum())
    shares: Ints = np.maximum(np.floor(wanted).astype(int), np.minimum(sizes, 2))
    # The remaining samples go to the largest remainders, for ties to the first classes.
    by_remainder = np.argsort(-(wanted - shares), kind="stable")
    for c in by_remainder[: max(0, total - shares.sum())]:
        shares[c] = min(shares[c] + 1, sizes[c])
    return shares


def drawn_by_class(codes: Codes, count: int, random_state: RandomState) -> Ints:
    """Return sorted indices of random samples, `class_counts` per class."""
    order = random_state.permutation(len(codes))
    shares = class_counts(np.bincount(codes), count)
    drawn = [order[codes[order] == c][:share] for c, share in enumerate(shares)]
    return np.sort(np.concatenate(drawn))


def spread_over(codes: Codes, n_chosen: int, random_state: RandomState) -> Ints:
    """Return sorted indices, in proportion to class sizes, at least one per class."""
    shuffled = random_state.permutation(len(codes))
    order = shuffled[np.argsort(codes[shuffled], kind="stable")]
    counts = np.bincount(codes)
    starts = np.cumsum(counts) - counts
    rank = np.arange(len(codes)) - np.repeat(starts, counts)
    first = np.argsort(rank / np.repeat(counts, counts), kind="stable")[:n_chosen]
    return np.sort(order[first])
