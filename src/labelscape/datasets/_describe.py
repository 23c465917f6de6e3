"""Descriptions of columns for display, before they have a role."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import isfile
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from labelscape._core.columns import ShownColumn as ShownColumn
from labelscape._core.columns import ShownKind
from labelscape._core.errors import InputError, Setting
from labelscape.datasets._columns import (
    Column,
    ColumnError,
    Kind,
    Places,
    are_names,
    count_missing,
    infinite,
    is_missing,
)
from labelscape.datasets._kinds import coerced, settled
from labelscape.datasets._options import Decimal, ReadingOptions
from labelscape.datasets._roles import (
    guessed_roles,
    is_copy,
    likely_subjects,
    numbers_rows,
)
from labelscape.datasets.files.arrays import array_column
from labelscape.datasets.files.frames import frame_columns, read_columns

_KINDS: dict[Kind, ShownKind] = {"number": "number", "date": "date", "boolean": "truth"}
# "007" is a code: as a number it would lose its zeros.
_CODE = re.compile(r"[+-]?0\d+")
_LINK = re.compile(r"https?://", re.IGNORECASE)


def shown_column(
    column: Column, decimal: Decimal, *, nominal: bool = False
) -> ShownColumn:
    """Return a column of any kind for display."""
    known = column if nominal else _settled(column, decimal)
    is_rounded = known.kind == "number" and known.exact is not None
    if not nominal and known.kind in _KINDS and not is_rounded:
        return ShownColumn(column.name, _KINDS[known.kind], known.values)
    words = shown_words(column)
    present = [word for word in words if word is not None]
    is_text = are_names(len(set(present)), len(present)) or not present
    kind: ShownKind = "text" if is_text and not nominal else "category"
    return ShownColumn(column.name, kind, words)


def shown_columns(frame: Any) -> tuple[ShownColumn, ...]:
    """Return the columns of a data frame, or of a dict, for display."""
    if isinstance(frame, Mapping):
        return tuple(_shown_values(str(name), one) for name, one in frame.items())
    return tuple(shown_column(column, ".") for column in frame_columns(frame))


def _shown_values(name: str, values: Any) -> ShownColumn:
    """Return values (n,) for display: numbers, days, booleans or words."""
    try:
        array = np.asanyarray(values)
    except ValueError:  # lists of different lengths, which are displayed unchanged
        array = np.fromiter(values, dtype=object)
    if array.ndim != 1:  # the caller raises the error
        return ShownColumn(name, "text", array)
    return shown_column(array_column(name, array), ".")


def continued(column: ShownColumn, more: ShownColumn | None, n: int) -> ShownColumn:
    """Append n rows to a column; if the types differ, all values become words."""
    if more is None:
        is_word = column.kind in ("category", "text")
        gaps = np.full(n, None if is_word else np.nan, dtype=column.values.dtype)
        return replace(column, values=np.concatenate([column.values, gaps]))
    if column.kind != more.kind:
        both = [shown_words(unshown(one)) for one in (column, more)]
        kinds = {column.kind, more.kind}
        kind: ShownKind = "category" if kinds <= {"category", "truth"} else "text"
        return ShownColumn(column.name, kind, np.concatenate(both))
    return replace(column, values=np.concatenate([column.values, more.values]))


def unshown(column: ShownColumn) -> Column:
    """Convert a `ShownColumn` back to a `Column`."""
    kinds: dict[ShownKind, Kind] = {shown: read for read, shown in _KINDS.items()}
    return Column(column.name, kinds.get(column.kind, "nominal"), column.values)


def shown_words(column: Column) -> NDArray[Any]:
    """Return a column as words, with None for missing values."""
    if column.kind in ("other", "vector"):
        others = [None if value is None else str(value) for value in column.values]
        return np.array(others, dtype=object)
    words: NDArray[Any] = coerced(column, "nominal").values.astype(object)
    words[is_missing(column)] = None
    return words


def image_paths(column: Column, folder: Path) -> NDArray[Any]:
    """Return the image path of each row, relative to the folder of the table."""
    names = shown_words(column)
    paths = np.array([None if n is None else folder / n for n in names], dtype=object)
    # Unlike `Path.is_file`, this accepts a name that is too long or contains NUL.
    absent = [i for i, path in enumerate(paths) if path and not isfile(path)]
    if not absent:
        return paths
    first = str(names[absent[0]])
    if _LINK.match(first):
        raise InputError(
            f"Image column {column.name!r} contains links, such as {first[:60]!r}, but "
            "only files can be shown as pictures. To show the links, pass ",
            Setting("show", [column.name]),
            ".",
            parameter="image",
        )
    others = f" ({len(absent) - 1:,} more missing)" if absent[1:] else ""
    raise InputError(
        f"Image column {column.name!r} contains {first[:60]!r} in "
        f"{column.place(absent[0])}, but there is no such file{others}. Paths are "
        "relative to the folder of the table.",
        parameter="image",
    )


def _settled(column: Column, decimal: Decimal) -> Column:
    """Return a column converted to its likely type, or unchanged if that is unclear."""
    if column.kind in ("other", "vector") or is_missing(column).all():
        return column
    try:
        known = settled(column, decimal)
    except ColumnError:
        return column
    if column.spelled is not None:
        is_coded = column.spelled.str.contains(f"^({_CODE.pattern})$").any()
        return replace(column, kind="nominal") if is_coded else known
    is_coded = column.holds_words and any(
        word is not None and _CODE.fullmatch(word) for word in column.values
    )
    return column if is_coded else known


# Columns with these names usually contain the classes.
_LABEL_NAMES = {"class", "label", "target", "species", "diagnosis", "category", "y"}
# A column with more different values than this is not guessed to be the label.
_MOST_CLASSES = 100
_EXAMPLES = 5

# Roles of columns.
Role = Literal["label", "id", "group", "feature", "drop", "show", "image", "text"]


@dataclass(frozen=True)
class ColumnInfo:
    """What `describe_columns` reports about one column.

    ``kind`` is "number", "boolean", "date", "nominal", "vector" or "other". ``role`` is
    a guess: "label", "id", "feature", "group" for a column that is likely to identify
    subjects, "show" for other columns of subjects and dates, or "drop" for copies of
    the label and for columns that cannot be features. ``problem`` is the reason why a
    column cannot be a feature, and ``odd`` is the value that causes this, if any.
    ``counts_rows`` is True for row numbers, which would reveal the classes of a sorted
    table; the app drops them by default. ``remark`` is the reason, in a few words, why
    a usable column is not a feature.
    """

    name: str
    kind: str
    n_rows: int
    n_missing: int
    n_distinct: int
    examples: list[str]
    role: Role
    problem: str = ""
    odd: str = ""
    counts_rows: bool = False
    remark: str = ""


def describe_with_decimal(
    source: Any, reading: ReadingOptions
) -> tuple[Decimal, list[ColumnInfo]]:
    """Return the decimal sign of a file, and descriptions of its columns."""
    return _by_decimal(columns_in(source, reading))


def columns_in(source: Any, reading: ReadingOptions) -> list[Column]:
    reading.check("describe_columns")
    return read_columns(source, reading.of_file)


def described(given: Sequence[Column], decimal: Decimal) -> list[ColumnInfo]:
    """Return descriptions of columns, with guessed roles."""
    columns, problems = [], []
    for column in given:
        try:
            columns.append(settled(column, decimal))
            problems.append((infinite(columns[-1]), ""))
        except ColumnError as error:  # other columns are described anyway
            columns.append(replace(column, kind="other"))
            problems.append((error.what, error.odd))
    counts = [_n_distinct(column) for column in columns]
    label = _likely_label(columns, counts, likely_subjects(columns, None, decimal))
    ids = (
        i
        for i, column in enumerate(columns)
        if column.kind == "nominal" and counts[i] == len(column.values)
    )
    roles = _likely_roles(columns, label, next(ids, None), decimal)
    infos, classes = [], None if label is None else columns[label]
    for i, (column, (problem, odd)) in enumerate(zip(columns, problems, strict=True)):
        n = len(column.values)
        n_missing = 0 if column.kind == "other" else count_missing(column)
        is_text = column.kind == "nominal" and are_names(counts[i], n - n_missing)
        unusable = column.kind == "other" or n == n_missing or not column.is_named
        usable: Role = "show" if column.is_annotation else "feature"
        usual: Role = "drop" if unusable or is_text else usable
        role, remark = roles.get(i, (usual, ""))
        is_counter = role not in ("group", "label") and numbers_rows(column, classes)
        infos.append(
            ColumnInfo(
                column.name,
                column.kind,
                n,
                n_missing,
                counts[i],
                _examples(column),
                "drop" if problem else role,
                problem,
                odd,
                is_counter,
                "row numbers" if is_counter else remark,
            )
        )
    return infos


def _likely_roles(
    columns: list[Column], label: int | None, names: int | None, decimal: Decimal
) -> dict[int, tuple[Role, str]]:
    """Return role and remark of columns that are not features by default."""
    guessed = guessed_roles(columns, Places(label=label, id=names), decimal)
    roles: dict[int, tuple[Role, str]] = {}
    if label is not None:
        copies = (i for i, c in enumerate(columns) if is_copy(c, columns[label]))
        roles |= dict.fromkeys(copies, ("drop", "a copy of the classes"))
    roles |= dict.fromkeys(guessed.subjects, ("show", "names of rows or subjects"))
    roles |= dict.fromkeys(guessed.dates, ("show", ""))
    if guessed.group is not None:
        roles[guessed.group] = ("group", "likely a subject")
    if names is not None:
        roles[names] = ("id", "")
    if label is not None:
        roles[label] = ("label", "")
    return roles


def _values(column: Column) -> Any:
    if column.kind == "vector":
        return [f"{column.values.shape[1]} numbers"]
    if column.kind == "other" or column.holds_words:
        return [str(value) for value in column.values if value is not None]
    if column.exact is not None:
        return [word for word in column.exact if word is not None]
    return column.values[~np.isnan(column.values)]


def _n_distinct(column: Column) -> int:
    values = _values(column)
    return len(set(values) if isinstance(values, list) else np.unique(values))


def _examples(column: Column) -> list[str]:
    if column.kind in ("boolean", "date"):  # stored as numbers, but written as words
        column = coerced(column, "nominal")
    words = (
        f"{value:.6g}" if isinstance(value, float) else value[:40]
        for value in _values(column)[:200]
    )
    return list(dict.fromkeys(words))[:_EXAMPLES]


def _likely_label(
    columns: list[Column], counts: list[int], subjects: Collection[int]
) -> int | None:
    """Return the column that most likely contains the classes, or None."""

    def score(i: int) -> float:
        column, n_distinct = columns[i], counts[i]
        words = set(re.findall(r"[a-z]+", column.name.lower()))
        named = bool(words & _LABEL_NAMES)
        is_code = column.kind in ("nominal", "boolean") or named
        if not is_code or not 2 <= n_distinct <= _MOST_CLASSES:
            return 0.0
        # A column with missing values is the label only if its name is typical, because
        # some rows of a study may have no class.
        if (count_missing(column) and not named) or 2 * n_distinct > len(column.values):
            return 0.0
        # Typical names score highest, single words first. Later columns score higher,
        # because labels are often last. Booleans score lower, and subjects lowest.
        unlikely = 0.5 * (column.kind == "boolean") + 0.9 * (i in subjects)
        exact = named and len(words) == 1
        return 1.0 + 2.0 * named + exact - unlikely + (i + 1) / len(columns)

    best = max(range(len(columns)), key=score)
    return best if score(best) else None


_MAYBE_COMMA = re.compile(r"[+-]?\d+(,\d+)?")
_POINT = re.compile(r"[+-]?\d*\.\d+")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+")


def likely_decimal(columns: Sequence[Column]) -> Decimal:
    """Detect the decimal sign, in columns that were read with decimal points."""
    words = (word for c in columns if c.kind == "text" for word in c.values[:200])
    if not any(word is not None and "," in word for word in words):
        return "."
    return _by_decimal(columns)[0]


def _by_decimal(columns: Sequence[Column]) -> tuple[Decimal, list[ColumnInfo]]:
    """Return the decimal sign that makes more columns numeric, and descriptions."""
    infos = described(columns, ".")
    if has_decimal_commas(infos):
        again = described(columns, ",")
        if _n_numbers(again) > _n_numbers(infos):
            return ",", again
    return ".", infos


def has_decimal_commas(columns: Sequence[ColumnInfo]) -> bool:
    """Whether some numbers must have decimal commas ("1,5"), and none has a point."""
    with_commas = [
        [word for word in column.examples if "," in word]
        for column in columns
        if all(_MAYBE_COMMA.fullmatch(word) for word in column.examples)
    ]
    words = [word for examples in with_commas for word in examples]
    return any(not _THOUSANDS.fullmatch(word) for word in words) and not any(
        _POINT.fullmatch(word) for column in columns for word in column.examples
    )


def _n_numbers(columns: Sequence[ColumnInfo]) -> int:
    return sum(column.kind == "number" for column in columns)
