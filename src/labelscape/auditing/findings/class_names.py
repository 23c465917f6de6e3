"""Classes that are one, written in two ways, and classes too small to be judged."""

from collections.abc import Iterator

import numpy as np

from labelscape._core.errors import Setting
from labelscape._core.spelling import spellings
from labelscape.auditing.findings.record import Finding
from labelscape.quality._internal import units_per_class

# Of fewer units of a class, models without one of them are biased against it.
FEWEST = 10


def spelled_alike(classes, codes) -> Iterator[Finding]:
    """Yield classes whose names differ by case or spaces alone."""
    for same in spellings(classes, codes):
        rows = np.flatnonzero(np.isin(codes, same[1:]))
        names = tuple(str(classes[c]) for c in same)
        remedy = Setting("merge_classes", "case")
        yield Finding("class names", names, len(rows), rows, "likely", remedy)


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
