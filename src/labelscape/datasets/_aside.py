"""Columns that are no features unless it is said: subjects, dates, counters, copies."""

import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal, NamedTuple

import numpy as np

from labelscape._core.errors import InputError, InputWarning, Setting
from labelscape.datasets._codes import counts_rows, is_missing
from labelscape.datasets._columns import Column, ColumnKey, find_position
from labelscape.datasets._kinds import ColumnError, coerced, settled
from labelscape.datasets._subjects import is_copy, likely_subjects

# None: as it seems to be. False: all rows are independent.
GroupKey = ColumnKey | Literal[False] | None


class Roles(NamedTuple):
    """What columns are for, as far as it was said."""

    label: ColumnKey | None = None
    id: ColumnKey | None = None
    group: GroupKey = None
    image: ColumnKey | None = None
    text: ColumnKey | None = None
    drop: Sequence[ColumnKey] = ()
    show: Sequence[ColumnKey] = ()
    features: Sequence[ColumnKey] = ()


class Guessed(NamedTuple):
    """Columns by position: the group, and what is shown beside what was asked for."""

    group: int | None
    subjects: list[int]
    dates: list[int]


def guessed_roles(columns: Sequence[Column], given: Roles, decimal: str) -> Guessed:
    """Return which columns name subjects or hold dates, among those without a role."""
    names = [column.name for column in columns]
    at_label, at_id, at_group = singles = [
        _position(names, None if key is False else key)
        for key in (given.label, given.id, given.group)
    ]
    others = (given.image, given.text, *given.drop, *given.show)
    found = [*singles, *(_position(names, key) for key in others)]
    aside = {at for at in found if at is not None}
    kept = {at for key in given.features if (at := _position(names, key)) is not None}
    label = None if at_label is None else columns[at_label]
    subjects = likely_subjects(columns, label, decimal, aside | kept)
    dates = [
        i
        for i, column in enumerate(columns)
        if i not in aside | kept and _holds_dates(column, decimal)
    ]
    if len(aside) + len(subjects) + len(dates) >= len(columns):
        return Guessed(None, [], [])  # something has to be left to learn from
    by_id = at_group is not None and at_group == at_id
    is_free = given.group is None or (by_id and not _repeats(columns[at_group or 0]))
    group = None
    if is_free and given.group is not False:
        group = next((i for i in subjects if _can_group(columns[i], label)), None)
    return Guessed(group, [i for i in subjects if i != group], dates)


def tell_of_guesses(columns: Sequence[Column], guessed: Guessed) -> None:
    """Warn of columns that are no features though it was not asked for."""
    if guessed.group is not None:
        name = columns[guessed.group].name
        n_rows = len(columns[guessed.group].values)
        n = n_rows - _repeats(columns[guessed.group])
        warnings.warn(
            InputWarning(
                f"Rows with the same {name!r} belong together: {n:,} among {n_rows:,}. "
                "The column seems to name subjects, and is no feature. To use it as "
                "one, pass ",
                Setting("keep", [name]),
                "; if the rows are independent, pass ",
                Setting("group", False),
                ".",
            ),
            stacklevel=3,
        )
    for found, what in (
        (
            guessed.subjects,
            ("seems to name rows or subjects", "seem to name rows or subjects"),
        ),
        (guessed.dates, ("holds dates", "hold dates")),
    ):
        names = [columns[i].name for i in found]
        if names:
            warnings.warn(
                InputWarning(
                    f"Shown only: {_listed(names)}, which {what[len(names) > 1]}. To "
                    "use it as a feature, pass ",
                    Setting("keep", names),
                    ".",
                ),
                stacklevel=3,
            )


def telltale(
    columns: Sequence[Column], label: Column | None, others: set[int]
) -> set[int]:
    """Return the columns that count the rows or copy the classes, and say which."""
    free = [i for i in range(len(columns)) if i not in others]
    counters = [i for i in free if counts_rows(columns[i])]
    copies = [] if label is None else [i for i in free if is_copy(columns[i], label)]
    # Something has to be left to look at.
    if len({*counters, *copies}) + len(others) >= len(columns):
        return set()
    for found, what in (
        (counters, ("counts the rows", "count the rows", "sorted classes")),
        (copies, ("is a copy of the label", "are copies of the label", "the classes")),
    ):
        names = [columns[i].name for i in found]
        if names:
            warnings.warn(
                InputWarning(
                    f"Left out: {_listed(names)}, which {what[len(names) > 1]} and "
                    f"would give {what[2]} away. To use it all the same, pass ",
                    Setting("keep", names),
                    ".",
                ),
                stacklevel=4,
            )
    return {*counters, *copies}


def _listed(names: Sequence[str], at_most: int = 5) -> str:
    """Return the names of columns as a sentence lists them."""
    shown = ", ".join(map(repr, names[:at_most]))
    return shown + f" and {len(names) - at_most} more" * (len(names) > at_most)


def _position(names: Sequence[str], key: ColumnKey | None) -> int | None:
    """Return where a column stands; None where there is none, which others refuse."""
    with suppress(InputError):
        return None if key is None else find_position(names, key, role="column")
    return None


def _holds_dates(column: Column, decimal: str) -> bool:
    if column.kind != "text":
        return column.kind == "date"
    first = next((word for word in column.values if word is not None), "")
    if not any(sign.isdigit() for sign in first):  # a glance saves a look at each word
        return False
    with suppress(ColumnError):
        return settled(column, decimal).kind == "date"
    return False


def _repeats(column: Column) -> int:
    """Return how many rows have a value that a row before them has."""
    present = ~is_missing(column)
    words = coerced(column, "nominal").values[present].astype(str)
    return len(words) - len(np.unique(words))


def _can_group(column: Column, label: Column | None) -> bool:
    """Whether values come again, and are not the classes in other words."""
    return _repeats(column) > 0 and (label is None or not is_copy(column, label))
