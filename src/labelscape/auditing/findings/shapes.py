"""Classes that seem to be two groups, rows far from everything, and batches."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from labelscape.auditing.findings.record import Finding

# A column explains groups in several classes if it does in such a share of them.
MOST_OF_THEM = 0.5
# Batches go with classes if labels that say nothing would do so as rarely.
SIGNIFICANT = 0.01


def shapes(hidden_groups, rim, batches) -> Iterator[Finding]:
    """Yield what is odd about where objects lie."""
    if hidden_groups:
        rows = np.sort(np.concatenate([one.rows[1] for one in hidden_groups]))
        names = tuple(str(one.label) for one in hidden_groups)
        yield Finding(
            "hidden groups",
            names,
            len(rows),
            rows,
            "likely",
            figure=max(one.chance for one in hidden_groups),
            column=_explaining(hidden_groups),
        )
    if len(rim):
        yield Finding("rim", (), len(rim), np.sort(rim), "likely")
    if batches is not None and batches.is_told:
        yield Finding("batch", (), 0, sure="likely", figure=batches.accuracy)
    if batches is not None and batches.p <= SIGNIFICANT:
        yield Finding(
            "batch and class", (), 0, sure="likely", figure=batches.confounding
        )


def _explaining(hidden_groups) -> str:
    """Return the column that separates the groups of most classes, if one does."""
    named = Counter(one.column for one in hidden_groups)
    column, count = named.most_common(1)[0]
    return column if count > MOST_OF_THEM * len(hidden_groups) else ""
