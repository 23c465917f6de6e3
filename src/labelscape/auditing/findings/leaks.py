"""What is too good to be true, and gaps that tell the class."""

from collections.abc import Iterator

import numpy as np

from labelscape._core.errors import Setting
from labelscape.auditing.findings.record import Finding
from labelscape.quality._internal import (
    LabelShuffle,
    Problem,
    leaks_of_table,
    some_units,
    units_per_class,
)

# Of more rows than this, some units are judged.
MOST_ROWS = 3000
# Gaps tell the class if labels that say nothing would so rarely, over all columns.
SIGNIFICANT, N_SHUFFLES = 0.05, 1999
# Which leaks are facts, whatever a person makes of them.
CERTAIN = ("counter", "copy", "order")


def leaks(
    X, names, columns, classes, codes, units, accuracy, random_state
) -> Iterator[Finding]:
    """Yield features, and an order of rows, that give the classes away.

    ``columns`` are those that the features come from, ``accuracy`` is the balanced one
    of models that did not see the rows.
    """
    column_of = dict(zip(names, columns, strict=True))
    is_judged = units_per_class(codes, units.of_row, len(classes)) >= 2
    rows = np.flatnonzero(is_judged[codes])
    if len(rows) > MOST_ROWS:
        some = some_units(codes[rows], units.of_row[rows], MOST_ROWS, random_state)
        rows = rows[some]
    problem = Problem.of(X, rows, codes, units.of_row, classes, is_judged)
    for leak in leaks_of_table(problem, rows, names, accuracy, random_state):
        subjects = () if leak.column is None else (leak.column,)
        yield Finding(
            leak.kind,
            subjects,
            len(subjects) or len(codes),
            sure="certain" if leak.kind in CERTAIN else "likely",
            remedy=Setting("drop", [column_of[leak.column]]) if subjects else None,
            figure=leak.figure,
        )


def telling_gaps(gaps, codes, units, random_state) -> Iterator[Finding]:
    """Yield columns whose missing values tell the class.

    ``gaps`` has the rows in which each column was missing. Labels are shuffled between
    units; what is compared is how much the share of gaps differs between classes.
    """
    if not gaps:
        return
    shuffle = LabelShuffle(codes, units.of_row)
    found = _spreads(gaps, codes)
    as_large = np.zeros(len(gaps))
    for _ in range(N_SHUFFLES):
        as_large += _spreads(gaps, shuffle.draw(random_state)) >= found - 1e-12
    p = (1 + as_large) / (1 + N_SHUFFLES)
    for (name, rows), chance in zip(gaps.items(), p.tolist(), strict=True):
        if chance * len(gaps) <= SIGNIFICANT:
            yield Finding(
                "telling gaps", (name,), len(rows), rows, "likely", figure=chance
            )


def _spreads(gaps, codes):
    """Return how much the shares of gaps differ between classes, by column.

    Classes count by their sizes, as in the chi-square statistic.
    """
    sizes = np.bincount(codes)
    sums = [np.bincount(codes[rows], minlength=len(sizes)) for rows in gaps.values()]
    return (np.array(sums) ** 2 / np.maximum(sizes, 1)).sum(axis=1)
