"""Columns that say nothing, and values that stand for missing ones."""

from collections.abc import Iterator

import numpy as np

from labelscape._core.errors import Setting
from labelscape.auditing.findings.record import Finding

# One value in so many of the rows makes a column nearly constant.
NEARLY_ALL = 0.995
# A value that stands for a missing one is there so often, beside so many others.
OFTEN, OTHERS = 3, 10


def silent_columns(X, columns) -> Iterator[Finding]:
    """Yield columns that are constant, and such that nearly are.

    ``columns`` names the one that each feature comes from: several, where it holds
    categories.
    """
    features: dict[str, list[int]] = {}
    for j, column in enumerate(columns):
        features.setdefault(str(column), []).append(j)
    shares = {name: _share_of_most(X[:, which]) for name, which in features.items()}
    for code, least, below in (
        ("constant", 1.0, np.inf),
        ("nearly constant", NEARLY_ALL, 1.0),
    ):
        found = [name for name, share in shares.items() if least <= share < below]
        if found:
            remedy = Setting("drop", found)
            yield Finding(code, tuple(found), len(found), remedy=remedy)


def _share_of_most(X):
    # Nearly constant is what the median is in nearly all rows: no need to count others.
    middle = len(X) // 2
    return np.mean((np.partition(X, middle, axis=0)[middle] == X).all(axis=1))


def stand_ins(X, names) -> Iterator[Finding]:
    """Yield values such as -999 that seem to stand for missing ones."""
    for j, column in enumerate(X.T):
        for value in stand_in_values(column):
            rows = np.flatnonzero(column == value)
            remedy = Setting("missing_values", [f"{value:g}"])
            yield Finding(
                "stand-in",
                (str(names[j]),),
                len(rows),
                rows,
                "likely",
                remedy,
                float(value),
            )


def stand_in_values(column):
    """Return values at the ends of a column that repeat, far outside the others.

    Far: the way to the next value is longer than all others are spread.
    """
    values, counts = np.unique(column, return_counts=True)
    low, high = 0, len(values)
    found = []
    while high - low > OTHERS:
        left = _is_far(values[low:high], counts[low:high])
        right = _is_far(-values[low:high][::-1], counts[low:high][::-1])
        if not (left or right):
            break
        if left:
            found.append(float(values[low]))
        if right:
            found.append(float(values[high - 1]))
        low, high = low + left, high - right
    return sorted(found)


def _is_far(values, counts):
    """Return whether the first of some values repeats, and is far from the others."""
    if counts[0] < OFTEN:
        return False
    last = -2 if counts[-1] >= OFTEN else -1  # the other end may be no value, either
    return bool(values[1] - values[0] > values[last] - values[1])
