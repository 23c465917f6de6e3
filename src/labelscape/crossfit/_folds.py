"""Folds of units: rows that belong together are held out together."""

import numpy as np

from labelscape._core.errors import InputError
from labelscape.quality._internal import unit_classes


def dealt_folds(codes, units, n_folds, random_state, *, owner):
    """Return the fold of each row (n,): of each class, units are dealt like cards.

    The dealing goes on from one class to the next, so that folds differ by one unit at
    most, and rare classes do not all end in the first.
    """
    owners = unit_classes(codes, units)
    n_folds = min(n_folds, len(owners))
    if n_folds < 2:
        raise InputError(
            "cross-fitting holds out a part of the rows, and all of them belong "
            "together. Give groups that differ, or rows that do.",
            owner=owner,
            parameter="groups",
        )
    shuffled = random_state.permutation(len(owners))
    by_class = shuffled[np.argsort(owners[shuffled], kind="stable")]
    fold = np.empty(len(owners), dtype=np.int64)
    fold[by_class] = np.arange(len(owners)) % n_folds
    return fold[units]
