"""Some of many objects, of each class its share.

Three ways, because they promise different things: two of each class at least and a
number that may be exceeded for that; one of each class and never more than asked for;
and without chance. What each of them picks is part of published results.
"""

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

Indices = NDArray[np.intp]
Codes = NDArray[np.integer]


def class_counts(sizes: NDArray[np.integer], total: int) -> Indices:
    """Share ``total`` objects out to classes by size: 2 at least, or all there are."""
    wanted = sizes * (total / sizes.sum())
    shares: Indices = np.maximum(np.floor(wanted).astype(int), np.minimum(sizes, 2))
    # What rounding down left over goes to the largest remainders; ties by class.
    by_remainder = np.argsort(-(wanted - shares), kind="stable")
    for c in by_remainder[: max(0, total - shares.sum())]:
        shares[c] = min(shares[c] + 1, sizes[c])
    return shares


def drawn_by_class(codes: Codes, count: int, random_state: RandomState) -> Indices:
    """Return sorted indices of objects drawn at random, see `class_counts`."""
    order = random_state.permutation(len(codes))
    shares = class_counts(np.bincount(codes), count)
    drawn = [order[codes[order] == c][:share] for c, share in enumerate(shares)]
    return np.sort(np.concatenate(drawn))


def spread_over(codes: Codes, n_chosen: int, random_state: RandomState) -> Indices:
    """Return ``n_chosen`` sorted indices with the classes in their proportions.

    Of every class there is one at least, as far as ``n_chosen`` goes.
    """
    shuffled = random_state.permutation(len(codes))
    order = shuffled[np.argsort(codes[shuffled], kind="stable")]
    counts = np.bincount(codes)
    starts = np.cumsum(counts) - counts
    rank = np.arange(len(codes)) - np.repeat(starts, counts)
    first = np.argsort(rank / np.repeat(counts, counts), kind="stable")[:n_chosen]
    return np.sort(order[first])


def evenly_spaced(codes: Codes, most: int) -> Indices:
    """Return ``most`` sorted indices at equal steps through the classes, or all."""
    n = len(codes)
    if n <= most:
        return np.arange(n)
    by_class = np.argsort(codes, kind="stable")
    chosen = np.linspace(0, n - 1, most).round().astype(np.intp)
    return np.sort(by_class[chosen])
