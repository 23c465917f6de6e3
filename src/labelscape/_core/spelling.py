"""Class names that are one, written in two ways."""

from collections import defaultdict
from typing import Any

import numpy as np
from numpy.typing import NDArray


def spellings(classes: NDArray[Any], codes: NDArray[np.intp]) -> list[list[int]]:
    """Return classes whose names differ by case or spaces only, the usual first."""
    alike: dict[str, list[int]] = defaultdict(list)
    for c, name in enumerate(classes.tolist()):
        if isinstance(name, str):
            alike["".join(name.split()).casefold()].append(c)
    counts = np.bincount(codes, minlength=len(classes))
    return [
        sorted(same, key=lambda c: -counts[c])
        for same in alike.values()
        if len(same) > 1
    ]


def merged(
    classes: NDArray[Any], codes: NDArray[np.intp]
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the classes in their usual spelling, and the class of each object."""
    usual = np.arange(len(classes))
    for first, *others in spellings(classes, codes):
        usual[others] = first
    kept, numbers = np.unique(usual, return_inverse=True)
    return classes[kept], numbers[codes]
