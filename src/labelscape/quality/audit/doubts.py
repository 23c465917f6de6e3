"""Rows that look like another class: too many of them rule out that labels are right.

Labels that were moved from one class to another, or in one region, are learned by the
models, so that they look like overlap. Therefore labels are only called right if hardly
any rows look like another class, for each pair of classes and in the whole table.
"""

from typing import NamedTuple

import numpy as np

from labelscape._core.types import Floats, Ints

# Limits of a table without doubt, chosen with seed 0 of `benchmarks moved_labels`. For
# each pair of classes: the share of the rows with one label that a model takes for the
# other class, or this number of rows if it is larger.
MOST_OF_A_CLASS, FEW = 0.1, 4
# The share of all rows that look like another class.
MOST_OF_ALL = 0.03
# Where classes only overlap, about half as many rows look like another class as have a
# label with a probability below DOUBTFUL. Errors make this share larger. Few rows
# (at most RARE) say nothing about the share.
DOUBTFUL, MOST_CONTRADICTED, RARE = 0.7, 0.6, 3


class Doubts(NamedTuple):
    """Shares of rows that look like another class; units have equal weights."""

    error: float  # share of the rows whose predicted class is another one
    share: float  # share of the rows that at least one model takes for another class
    given: int  # the label of rows that are most often taken for another class,
    likely: int  # and this class
    share_given: float  # share of the rows with this label that are taken for it
    are_too_many: bool  # whether some labels could have been moved


def doubts(
    members: dict[str, Floats], p: Floats, codes: Ints, weights: Floats
) -> Doubts | None:
    """Return how often rows look like another class; None without any weight."""
    # members: held-out probabilities (n, C) of each model, and p their weighted mean;
    # weights (n,), which are 0 for rows that are not judged.
    if not weights.any():
        return None
    rows, n_classes = np.arange(len(codes)), p.shape[1]
    others = p.copy()
    others[rows, codes] = -1.0
    rival, own = others.argmax(axis=1), p[rows, codes]
    is_taken = np.any([m.argmax(axis=1) != codes for m in members.values()], axis=0)
    taken = np.zeros((n_classes, n_classes))
    np.add.at(taken, (codes, rival), weights * is_taken)
    n, of_class = weights.sum(), np.bincount(codes, weights, minlength=n_classes)
    contradicted = weights[p.argmax(axis=1) != codes].sum()
    most = np.maximum(MOST_OF_A_CLASS * of_class, FEW)[:, None]
    overlap = max(MOST_CONTRADICTED * weights[own < DOUBTFUL].sum(), RARE)
    given, likely = np.unravel_index(taken.argmax(), taken.shape)
    return Doubts(
        float(contradicted / n),
        float(taken.sum() / n),
        int(given),
        int(likely),
        float(taken[given, likely] / max(of_class[given], 1)),
        bool((taken > most).any() or contradicted > min(MOST_OF_ALL * n, overlap)),
    )
