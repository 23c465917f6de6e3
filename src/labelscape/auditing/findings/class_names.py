"""Classes that are one, written in two ways, and classes too small to be judged."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from labelscape.auditing.findings.record import Finding
from labelscape.quality._internal import units_per_class

# Of fewer units a class, each fold of a cross-fit would not have one.
FEWEST = 5


def spellings(classes, codes):
    """Return classes whose names differ by case or spaces alone, the usual one first.

    Examples
    --------
    >>> import numpy as np
    >>> spellings(np.array(["Oak", "fir", "oak"]), np.array([0, 1, 2, 2]))
    [[2, 0]]
    """
    alike = defaultdict(list)
    for c, name in enumerate(classes.tolist()):
        if isinstance(name, str):
            alike["".join(name.split()).casefold()].append(c)
    counts = np.bincount(codes, minlength=len(classes))
    return [
        sorted(same, key=lambda c: -counts[c])
        for same in alike.values()
        if len(same) > 1
    ]


def merged(classes, codes):
    """Return the classes in their usual spelling, and the class of each object."""
    usual = np.arange(len(classes))
    for first, *others in spellings(classes, codes):
        usual[others] = first
    kept, numbers = np.unique(usual, return_inverse=True)
    return classes[kept], numbers[codes]


def spelled_alike(classes, codes) -> Iterator[Finding]:
    """Yield classes whose names differ by case or spaces alone."""
    for same in spellings(classes, codes):
        rows = np.flatnonzero(np.isin(codes, same[1:]))
        names = tuple(str(classes[c]) for c in same)
        yield Finding("class names", names, len(rows), rows, "likely")


def too_rare(codes, units, n_classes):
    """Return the classes of which there are too few units to be judged."""
    return np.flatnonzero(units_per_class(codes, units.of_row, n_classes) < FEWEST)


def rare_classes(classes, codes, units) -> Iterator[Finding]:
    """Yield the classes of which there are too few units."""
    rare = too_rare(codes, units, len(classes))
    if len(rare):
        rows = np.flatnonzero(np.isin(codes, rare))
        names = tuple(str(classes[c]) for c in rare)
        yield Finding("rare classes", names, len(rows), rows)
