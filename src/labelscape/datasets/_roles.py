"""Default role of each column, guessed from its name and values.

Subjects, dates, row numbers and copies of the classes are not features by default. A
column of subjects (patients, donors, animals) shows which rows belong together. If it
were a feature, two rows of the same subject would reveal each other's class.

A column of words or whole numbers with k different values identifies subjects if:

- Its name is typical of subjects ("patient", "Subject ID", "donor_no") and k is at
  least 4; or its name is typical of ids or samples ("id", "sample code"), k is at least
  10, and a value occurs in at most 25 rows on average. If no value repeats, the values
  identify rows.
- Or it contains words, k is at least 20, and a value occurs in 2 to 12 rows on average.
- Or all rows of each value have the same class, more often than by chance, k is at
  least 10, and a value occurs in 1.5 to 25 rows on average. Whole numbers may also be a
  measurement that separates the classes. So for whole numbers, the rows of each value
  must be consecutive, or the class must change more often than along a measurement.
"""

import re
import warnings
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.columns import counts_classes
from labelscape._core.errors import InputWarning, Setting
from labelscape.datasets._columns import (
    COUNTER_NAME,
    Column,
    ColumnError,
    Places,
    counts_rows,
    is_missing,
)
from labelscape.datasets._kinds import coerced, settled
from labelscape.datasets._options import Decimal


class Guessed(NamedTuple):
    """Positions of columns with a guessed role: group, other subjects or ids, dates."""

    group: int | None
    subjects: list[int]
    dates: list[int]


def guessed_roles(
    columns: Sequence[Column], at: Places, decimal: Decimal, *, may_group: bool = True
) -> Guessed:
    """Return columns without a role that probably contain subjects or dates."""
    known = at.aside.union(at.keep, at.nominal)
    label = None if at.label is None else columns[at.label]
    subjects = likely_subjects(columns, label, decimal, known)
    dates = [
        i
        for i, column in enumerate(columns)
        if i not in known and _holds_dates(column, decimal)
    ]
    if len(at.aside) + len(subjects) + len(dates) >= len(columns):
        return Guessed(None, [], [])  # at least one feature must be left
    if at.group is not None:  # ids that do not repeat define no groups
        may_group = at.group == at.id and not _repeats(columns[at.group])
    group = None
    if may_group:
        # Values must repeat, and must not be the classes in other words.
        repeating = (i for i in subjects if subjects[i] < _NAMES)
        repeating = (i for i in repeating if _repeats(columns[i]))
        groups = (i for i in repeating if not label or not is_copy(columns[i], label))
        group = next(groups, None)
    return Guessed(group, [i for i in subjects if i != group], dates)


def warn_of_guesses(columns: Sequence[Column], guessed: Guessed) -> None:
    """Warn about columns that are not features because of a guessed role."""
    if guessed.group is not None:
        name = columns[guessed.group].name
        n_rows = len(columns[guessed.group].values)
        n = n_rows - _repeats(columns[guessed.group])
        warnings.warn(
            InputWarning(
                f"Rows with the same {name!r} belong together ({n:,} groups in "
                f"{n_rows:,} rows). The column seems to identify subjects, so it is "
                "not used as a feature. To use it as a feature, pass ",
                Setting("keep", [name]),
                "; if the rows are independent, pass ",
                Setting("group", False),
                ".",
            ),
            stacklevel=4,
        )
    _warn_of("Shown only", columns, guessed.subjects, "names of rows or subjects")
    _warn_of("Shown only", columns, guessed.dates, "dates")


def numbers_rows(column: Column, label: Column | None) -> bool:
    """Whether a column contains numbers of the rows of the table, or of each class."""
    classes = None if label is None else _class_codes(label)
    return counts_rows(column) or _counts_classes(column, classes)


def revealing(
    columns: Sequence[Column], label: Column | None, others: set[int]
) -> set[int]:
    """Return columns that are row numbers or copies of the classes, with a warning."""
    free = [i for i in range(len(columns)) if i not in others]
    numbers = [i for i in free if numbers_rows(columns[i], label)]
    copies = [] if label is None else [i for i in free if is_copy(columns[i], label)]
    if len({*numbers, *copies}) + len(others) >= len(columns):
        return set()  # at least one feature must be left
    why = "row numbers, which would reveal the classes of a sorted table"
    _warn_of("Left out", columns, numbers, why)
    _warn_of("Left out", columns, copies, "a copy of the classes")
    return {*numbers, *copies}


def _warn_of(
    start: str, columns: Sequence[Column], at: Sequence[int], why: str
) -> None:
    # Annotations of cells are displayed anyway.
    names = [columns[i].name for i in at if not columns[i].is_annotation]
    if not names:
        return
    listed = ", ".join(map(repr, names[:5]))
    listed += f" and {len(names) - 5} more" * (len(names) > 5)
    use = "them as features" if names[1:] else "it as a feature"
    warnings.warn(
        InputWarning(
            f"{start}: {listed} ({why}). To use {use}, pass ",
            Setting("keep", names),
            ".",
        ),
        stacklevel=6,
    )


def _holds_dates(column: Column, decimal: Decimal) -> bool:
    if column.kind != "text":
        return column.kind == "date"
    first = next((word for word in column.values if word is not None), "")
    if not any(sign.isdigit() for sign in first):  # faster than a check of each word
        return False
    with suppress(ColumnError):
        return settled(column, decimal).kind == "date"
    return False


def _repeats(column: Column) -> int:
    """Return the number of rows whose value occurs in an earlier row."""
    present = ~is_missing(column)
    words = coerced(column, "nominal").values[present].astype(str)
    return len(words) - len(np.unique(words))


# Detection of columns of subjects, by their names and values.

_AFFIX = "(?:id|ids|nr|no|num|number|nummer|code|key|name|identifier|index)"
_PEOPLE = (
    "patient|patienten|pat|subject|subj|donor|spender|participant|proband|probanden"
    "|volunteer|respondent"
)
_LIVING = "individual|person|animal|mouse|rat|tier"
_OTHERS = f"sample|specimen|case|record|cellline|{_LIVING}"
_ALIVE = re.compile(f"{_AFFIX}?(?:{_PEOPLE}|{_LIVING}){_AFFIX}{{0,2}}")
_SUBJECT = re.compile(f"{_AFFIX}?(?:{_PEOPLE}){_AFFIX}{{0,2}}")
_DECIMAL = re.compile(r"[+-]?\d*[.,]\d+")
_SAMPLE = re.compile(f"{_AFFIX}?(?:{_OTHERS}){_AFFIX}{{0,2}}|id|uid|pid|mrn")
# Minimum number of different values, because these names may have other meanings.
_FEWEST_SUBJECTS, _FEWEST_SAMPLES = 4, 10
_MOST_ROWS_OF_ONE = 25.0
# Limits for columns of words that repeat, with any name.
_FEWEST_WORDS = 20
_ROWS_OF_A_WORD = (2.0, 12.0)
_ROWS_OF_A_PURE_VALUE = (1.5, _MOST_ROWS_OF_ONE)
_CHANCE = 1e-3
_BY_CLASS, _NAMES = 2, 4  # ranks: values that keep their class, and words without role
# Columns with more different words than this, in fewer rows each, contain names.
_FEWEST_NAMES, _ROWS_OF_A_CATEGORY = 100, 20.0
_FEWEST_COPIED = 30  # in fewer rows, a feature may match the classes by chance
# In the order of a measurement that separates classes, the class changes less often.
_CHANGES_PER_CLASS = 2


def likely_subjects(
    columns: Sequence[Column],
    label: Column | None,
    decimal: Decimal,
    others: Collection[int] = (),
) -> dict[int, int]:
    """Return columns without a role that may identify subjects, most likely first.

    The values are ranks, from 0 (most likely).
    """
    classes = None if label is None else _class_codes(label)
    ranks = {
        i: rank
        for i, column in enumerate(columns)
        if i not in others
        and column is not label
        and (rank := _subject_rank(column, classes, decimal)) is not None
        and not (rank == _BY_CLASS and _repeats_with_rows(column, columns))
    }
    return dict(sorted(ranks.items(), key=lambda item: item[::-1]))


def is_copy(column: Column, label: Column) -> bool:
    """Whether a column repeats the classes, perhaps under other names."""
    is_odd = column.kind in ("other", "vector")
    if column is label or is_odd or len(label.values) < _FEWEST_COPIED:
        return False
    start = slice(200)  # the first rows exclude most columns
    if not _are_paired(column.take(start), label.take(start)):
        return False
    # If most classes had one row, most columns of measurements would be copies.
    are_classes = 2 * len(np.unique(_class_codes(label))) <= len(label.values)
    return are_classes and _are_paired(column, label)


def _are_paired(column: Column, label: Column) -> bool:
    """Whether each value belongs to one class, and each class to one value."""
    classes = _class_codes(label)
    if is_missing(column).any() or (classes < 0).any():
        return False
    values = column.values.astype(str) if column.holds_words else column.values
    different, codes = np.unique(values, return_inverse=True)
    pairs = np.unique(np.column_stack([codes, classes]), axis=0)
    return len(pairs) == len(different) == len(np.unique(classes)) > 1


def _class_codes(label: Column) -> NDArray[np.intp]:
    """Return the class of each row as a number, -1 for missing."""
    absent = is_missing(label)
    codes = np.full(len(absent), -1, dtype=np.intp)
    if label.kind in ("other", "vector"):
        return codes
    words = coerced(label, "nominal").values[~absent].astype(str)
    codes[~absent] = np.unique(words, return_inverse=True)[1]
    return codes


def _subject_rank(
    column: Column, classes: NDArray[np.intp] | None, decimal: Decimal
) -> int | None:
    """Return a rank for columns that may identify subjects (0: most likely) or None."""
    letters = _letters(column.name)
    is_subject = _SUBJECT.fullmatch(letters) is not None
    is_sample = _SAMPLE.fullmatch(letters) is not None
    if not (is_subject or is_sample or _may_repeat(column)):
        return None
    known = column
    with suppress(ColumnError):
        known = settled(column, decimal)
    if known.kind not in ("nominal", "number") or _are_decimals(known):
        return None
    present = ~is_missing(known)
    values = (known.values if known.exact is None else known.exact)[present]
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
    is_complete = _ALIVE.fullmatch(letters) is not None and sizes.min() == sizes.max()
    if not is_complete and (
        _counts_classes(known, classes) or (mean > 1.0 and counts_rows(known))
    ):
        return None
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
            return _BY_CLASS
    least, most = _ROWS_OF_A_WORD
    if is_word and k >= _FEWEST_WORDS and least <= mean <= most:
        return 3
    if is_word and k > _FEWEST_NAMES and most < mean < _ROWS_OF_A_CATEGORY:
        return _NAMES
    return None


def _are_decimals(column: Column) -> bool:
    """Whether most words of a column are numbers with decimals, such as "1,5"."""
    words = column.values[:200] if column.holds_words else ()
    known = [word for word in words if word is not None]
    return 2 * sum(map(bool, map(_DECIMAL.fullmatch, known))) > len(known)


def _counts_classes(column: Column, classes: NDArray[np.intp] | None) -> bool:
    """Whether the numbers of a column count the rows of each class."""
    letters = _letters(column.name)
    is_named = _SAMPLE.fullmatch(letters) or _SUBJECT.fullmatch(letters)
    is_named = is_named or COUNTER_NAME.search(column.name.lower())
    if classes is None or column.kind != "number" or not is_named:
        return False
    known = ~np.isnan(column.values) & (classes >= 0)
    return counts_classes(column.values[known], classes[known])


def _repeats_with_rows(column: Column, columns: Sequence[Column]) -> bool:
    """Whether the numbers of a column mostly repeat in copies of whole rows."""
    numbers = [one.values for one in columns if one.kind == "number"]
    if column.kind != "number" or len(numbers) < 2:
        return False
    table = np.column_stack(numbers)[np.lexsort((*numbers[:3], column.values))]
    steps = np.diff(np.sort(column.values))
    are_copies = ((table[1:] == table[:-1]) | np.isnan(table[1:])).all(axis=1)
    return bool(2 * are_copies[steps == 0.0].sum() > (steps == 0.0).sum())


def _letters(name: str) -> str:
    return "".join(sign for sign in name.lower() if sign.isalpha())


def _may_repeat(column: Column) -> bool:
    """Check quickly whether a column may have many values with a few rows each."""
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
    """Whether all rows of each value have the same class, not just by chance."""
    known = classes >= 0
    codes, classes = codes[known], classes[known]
    if not len(codes):
        return False
    pairs = np.unique(np.column_stack([codes, classes]), axis=0)
    if len(pairs) > len(np.unique(codes)) or len(pairs) == len(np.unique(classes)):
        return False  # another class column, or the classes in other words
    shares = np.bincount(classes) / len(classes)
    sizes = np.bincount(codes)
    alike = (shares[:, None] ** sizes[sizes > 1]).sum(axis=0)
    return bool(np.log(alike).sum() < np.log(_CHANCE))


def _are_blocks(codes: NDArray[np.intp]) -> bool:
    """Whether the rows of each value are consecutive."""
    return int((np.diff(codes) != 0).sum()) + 1 == len(np.unique(codes))


def _changes_often(codes: NDArray[np.intp], classes: NDArray[np.intp]) -> bool:
    """Whether classes change more often along sorted values than in a measurement."""
    along = classes[np.argsort(codes, kind="stable")]
    changes = int((np.diff(along) != 0).sum())
    return changes >= _CHANGES_PER_CLASS * len(np.unique(classes))
