"""Columns that are no features unless it is said: subjects, dates, counters, copies.

A column of subjects (patients, donors, animals) says which rows belong together. As a
feature it would give the class of a subject away wherever another row of it is known.

The rule, for a column of words or of whole numbers with n values, k of them different:

- Its name is that of a subject ("patient", "Subject ID", "donor_no") and k is at least
  4; or it is that of an id or a sample ("id", "sample code") and k is at least 10 with
  at most 25 rows of each on average. Where all values are different it names the rows.
- Or its name says nothing, and it holds words, k is at least 20, and there are 2 to 12
  rows of each on average.
- Or no value ever changes its class, which chance would not bring about, k is at least
  10, and there are 1.5 to 25 rows of each on average. Of whole numbers, which may be a
  measurement that separates the classes, it is asked besides that the rows of a value
  follow each other, or that the classes change more often along the numbers than those
  of a measurement would.
"""

import re
import warnings
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError, InputWarning, Setting
from labelscape.datasets._columns import (
    Column,
    ColumnError,
    counts_rows,
    find_position,
    is_missing,
)
from labelscape.datasets._kinds import coerced, settled
from labelscape.datasets._reading import ColumnKey, Decimal, Reading


class Guessed(NamedTuple):
    """Columns by position: the group, and what is shown beside what was asked for."""

    group: int | None
    subjects: list[int]
    dates: list[int]


def guessed_roles(columns: Sequence[Column], given: Reading) -> Guessed:
    """Return which columns name subjects or hold dates, among those without a role."""
    names = [column.name for column in columns]
    at_label, at_id, at_group = singles = [
        _position(names, None if key is False else key)
        for key in (given.label, given.id, given.group)
    ]
    others = (given.image, given.text, *given.drop, *given.show)
    found = [*singles, *(_position(names, key) for key in others)]
    aside = {at for at in found if at is not None}
    wanted = (_position(names, key) for key in (*given.keep, *given.nominal))
    kept = {at for at in wanted if at is not None}
    decimal = given.decimal or "."
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


def warn_of_guesses(columns: Sequence[Column], guessed: Guessed) -> None:
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
    """Return the columns that are row numbers or copy the classes; warn of them."""
    free = [i for i in range(len(columns)) if i not in others]
    numbers = [i for i in free if counts_rows(columns[i])]
    copies = [] if label is None else [i for i in free if is_copy(columns[i], label)]
    # Something has to be left to look at.
    if len({*numbers, *copies}) + len(others) >= len(columns):
        return set()
    for found, what in (
        (numbers, ("is just row numbers", "are just row numbers", "sorted classes")),
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
    return {*numbers, *copies}


def _listed(names: Sequence[str], at_most: int = 5) -> str:
    """Return the names of columns as a sentence lists them."""
    shown = ", ".join(map(repr, names[:at_most]))
    return shown + f" and {len(names) - at_most} more" * (len(names) > at_most)


def _position(names: Sequence[str], key: ColumnKey | None) -> int | None:
    """Return the position of a column; None where there is none."""
    with suppress(InputError):
        return None if key is None else find_position(names, key, role="column")
    return None


def _holds_dates(column: Column, decimal: Decimal) -> bool:
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


# Which columns name subjects, by their names and values.

_AFFIX = "(?:id|ids|nr|no|num|number|nummer|code|key|name|identifier|index)"
_PEOPLE = (
    "patient|patienten|pat|subject|subj|donor|spender|participant|proband|probanden"
    "|volunteer|respondent"
)
_OTHERS = "sample|specimen|individual|person|animal|mouse|rat|tier|case|record|cellline"
_SUBJECT = re.compile(f"{_AFFIX}?(?:{_PEOPLE}){_AFFIX}{{0,2}}")
_SAMPLE = re.compile(f"{_AFFIX}?(?:{_OTHERS}){_AFFIX}{{0,2}}|id|uid|pid|mrn")
# Names that are often those of something else: a kind of animal, a case or a control.
_FEWEST_SUBJECTS, _FEWEST_SAMPLES = 4, 10
_MOST_ROWS_OF_ONE = 25.0
# Words that repeat a few times, whatever they are called.
_FEWEST_WORDS = 20
_ROWS_OF_A_WORD = (2.0, 12.0)
_ROWS_OF_A_PURE_VALUE = (1.5, _MOST_ROWS_OF_ONE)
_CHANCE = 1e-3
# In fewer rows, a feature may go with the classes by chance.
_FEWEST_COPIED = 30
# Of a measurement that separates classes, few change along its numbers.
_CHANGES_PER_CLASS = 2


def likely_subjects(
    columns: Sequence[Column],
    label: Column | None,
    decimal: Decimal,
    taken: Collection[int] = (),
) -> list[int]:
    """Return the columns that are likely to name subjects, the likeliest first.

    ``taken`` are columns that have a role.
    """
    classes = None if label is None else _class_codes(label)
    found = []
    for i, column in enumerate(columns):
        if i in taken or column is label:
            continue
        rank = _subject_rank(column, classes, decimal)
        if rank is not None:
            found.append((rank, i))
    return [i for _, i in sorted(found)]


def is_copy(column: Column, label: Column) -> bool:
    """Whether a column holds the classes once more, perhaps in other words."""
    if column is label or column.kind == "other" or len(label.values) < _FEWEST_COPIED:
        return False
    start = slice(200)  # hardly any other column gets further
    return _are_paired(column.take(start), label.take(start)) and _are_paired(
        column, label
    )


def _are_paired(column: Column, label: Column) -> bool:
    """Whether each value goes with one class, and each class with one value."""
    classes = _class_codes(label)
    if is_missing(column).any() or (classes < 0).any():
        return False
    values = column.values.astype(str) if column.holds_words else column.values
    different, codes = np.unique(values, return_inverse=True)
    pairs = np.unique(np.column_stack([codes, classes]), axis=0)
    return len(pairs) == len(different) == len(np.unique(classes)) > 1


def _letters(name: str) -> str:
    return "".join(sign for sign in name.lower() if sign.isalpha())


def _class_codes(label: Column) -> NDArray[np.intp]:
    """Return the class of each row as a number, -1 for none."""
    absent = is_missing(label)
    codes = np.full(len(absent), -1, dtype=np.intp)
    if label.kind == "other":
        return codes
    words = coerced(label, "nominal").values[~absent].astype(str)
    codes[~absent] = np.unique(words, return_inverse=True)[1]
    return codes


def _subject_rank(
    column: Column, classes: NDArray[np.intp] | None, decimal: Decimal
) -> int | None:
    """Return how likely a column names subjects, from 0 for the likeliest; None: no."""
    letters = _letters(column.name)
    is_subject = _SUBJECT.fullmatch(letters) is not None
    is_sample = _SAMPLE.fullmatch(letters) is not None
    if not (is_subject or is_sample or _may_repeat(column)):
        return None
    known = column
    with suppress(ColumnError):
        known = settled(column, decimal)
    if known.kind not in ("nominal", "number"):
        return None
    present = ~is_missing(known)
    values = known.values[present]
    if known.exact is not None:
        values = known.exact[present]
    is_word = known.holds_words
    if not len(values) or not (
        is_word or known.exact is not None or _are_whole(values)
    ):
        return None
    codes = np.unique(
        values.astype(str) if values.dtype == object else values, return_inverse=True
    )[1]
    sizes = np.bincount(codes)
    k, mean = len(sizes), len(codes) / len(sizes)
    if is_subject and k >= _FEWEST_SUBJECTS:
        return 0
    if is_sample and k >= _FEWEST_SAMPLES and mean <= _MOST_ROWS_OF_ONE:
        return 1
    least, most = _ROWS_OF_A_PURE_VALUE
    if classes is not None and k >= _FEWEST_SAMPLES and least <= mean <= most:
        own = classes[present]
        if _keep_their_class(codes, own) and (
            is_word or _are_blocks(codes) or _changes_often(codes, own)
        ):
            return 2
    least, most = _ROWS_OF_A_WORD
    if is_word and k >= _FEWEST_WORDS and least <= mean <= most:
        return 3
    return None


def _may_repeat(column: Column) -> bool:
    """Whether a column may hold many values a few times each, at a glance."""
    if column.kind in ("nominal", "text"):
        return True
    if column.kind != "number":
        return False
    values = column.values[~np.isnan(column.values)]
    if not len(values) or not _are_whole(values[:100]):
        return False
    spread = float(values.max() - values.min()) + 1.0
    return spread >= max(_FEWEST_SAMPLES, len(values) / _MOST_ROWS_OF_ONE)


def _are_whole(values: NDArray[np.float64]) -> bool:
    return bool(np.isfinite(values).all() and (values == np.floor(values)).all())


def _keep_their_class(codes: NDArray[np.intp], classes: NDArray[np.intp]) -> bool:
    """Whether no value changes its class, and chance would not have it so."""
    known = classes >= 0
    codes, classes = codes[known], classes[known]
    if not len(codes):
        return False
    pairs = np.unique(np.column_stack([codes, classes]), axis=0)
    if len(pairs) > len(np.unique(codes)) or len(pairs) == len(np.unique(classes)):
        return False  # another class, or the classes themselves in other words
    shares = np.bincount(classes) / len(classes)
    sizes = np.bincount(codes)
    alike = (shares[:, None] ** sizes[sizes > 1]).sum(axis=0)
    return bool(np.log(alike).sum() < np.log(_CHANCE))


def _are_blocks(codes: NDArray[np.intp]) -> bool:
    """Whether the rows of each value follow each other."""
    return int((np.diff(codes) != 0).sum()) + 1 == len(np.unique(codes))


def _changes_often(codes: NDArray[np.intp], classes: NDArray[np.intp]) -> bool:
    """Whether classes change more often along values than those of a measurement."""
    along = classes[np.argsort(codes, kind="stable")]
    changes = int((np.diff(along) != 0).sum())
    return changes >= _CHANGES_PER_CLASS * len(np.unique(classes))
