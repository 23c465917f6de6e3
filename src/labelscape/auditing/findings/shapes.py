"""Classes that seem to be two groups, rows far from everything, and batches."""

from collections.abc import Iterator

import numpy as np

from labelscape.auditing.findings.record import Finding

# Batches go with classes if labels that say nothing would do so as rarely.
SIGNIFICANT = 0.01


def shapes(hidden_groups, rim, batches) -> Iterator[Finding]:
    """Yield what is odd about where objects lie."""
    for one in hidden_groups:
        rows = np.sort(one.rows[1])
        name = (str(one.label),)
        yield Finding(
            "hidden groups", name, len(rows), rows, "likely", figure=one.chance
        )
    if len(rim):
        yield Finding("rim", (), len(rim), np.sort(rim), "likely")
    if batches is not None and batches.is_told:
        yield Finding("batch", (), 0, sure="likely", figure=batches.accuracy)
    if batches is not None and batches.p <= SIGNIFICANT:
        yield Finding(
            "batch and class", (), 0, sure="likely", figure=batches.confounding
        )
