"""Rows that are equal, or nearly so, and those that contradict each other."""

from collections.abc import Iterator

import numpy as np

from labelscape._core.errors import Setting
from labelscape._core.points.spaces import Points
from labelscape.auditing.findings.record import Finding

# The nearest of so many neighbours, and how much nearer than the last one at most.
NEIGHBORS, NEAREST = 10, 0.1
# Near copies are claimed where chance would give so many in the whole table.
BY_CHANCE = 0.05
# Of more rows than this, nobody looks for near copies: the search is of all pairs.
MOST_ROWS = 20_000


def equal_rows(units, codes) -> Iterator[Finding]:
    """Yield copies of rows, and copies with different classes."""
    copies = units.copies
    if len(copies):
        remedy = Setting("copies", "drop")
        yield Finding("copies", (), len(copies), copies, remedy=remedy)
    rows = _contradicting(units.first_copy, codes)
    if len(rows):
        yield Finding("contradictions", (), len(rows), rows)


def _contradicting(first_copy, codes):
    """Return the rows whose copies do not all have their class."""
    differs = codes != codes[first_copy]
    return np.flatnonzero(np.isin(first_copy, first_copy[differs]))


def nearly_equal_rows(X, units) -> Iterator[Finding]:
    """Yield rows that are much nearer to another row than chance would put them.

    Among m neighbours that lie evenly in d dimensions, the nearest is closer than r
    times the last with a chance of about (m - 1) r^d. So r is taken such that chance
    gives hardly any in the table, with d as the neighbours themselves have it.
    """
    rows = np.unique(units.first_copy)
    if not 3 * NEIGHBORS < len(rows) <= MOST_ROWS:
        return
    neighbors, distances = Points(X[rows]).kneighbors(NEIGHBORS)
    dimension = _dimension(distances)
    chance = BY_CHANCE / ((NEIGHBORS - 1) * len(rows))
    ratio = min(NEAREST, chance ** (1.0 / dimension))
    near = distances[:, 0] < ratio * distances[:, -1]
    if units.grouped:  # rows of one group are known to belong together
        near &= units.of_row[rows[neighbors[:, 0]]] != units.of_row[rows]
    near &= distances[:, 0] > 0  # equal by coincidence, or they were copies
    if near.any():
        both = np.union1d(rows[near], rows[neighbors[near, 0]])
        yield Finding("near copies", (), len(both), both, "likely")


def _dimension(distances):
    """Return in how many dimensions neighbours lie, by how their distances grow.

    The maximum of likelihood for each object (Levina and Bickel 2005), and the median
    of objects, on which some near copies have no say.
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # rows at distance 0
        growth = np.log(distances[:, -1:] / distances[:, :-1]).mean(axis=1)
        found = 1.0 / growth
    known = found[np.isfinite(found) & (found > 0)]
    return max(1.0, float(np.median(known))) if len(known) else 1.0
