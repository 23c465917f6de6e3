"""Detection of the type of a text column: numbers, dates, categories, classes, ids."""

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError, Part, Setting
from labelscape.datasets._columns import (
    FEWEST_ROWS,
    Column,
    ColumnError,
    Kind,
    are_names,
    find_position,
    is_missing,
)
from labelscape.datasets._options import ColumnKey

if TYPE_CHECKING:
    import polars as pl

_DECIMAL_COMMA = re.compile(r"[+-]?[\d.]*\d,\d+")
_PLAIN_COMMA = re.compile(r"[+-]?\d+,\d+")
_SIGNED = re.compile(r"[+-]?\d[\d.,]*")
_PERCENT = re.compile(r"[+-]?[\d.,]*\d\s*%")
_MOST_WORDS_FOR_GAPS = 3
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CLOCK = (
    r"(?:[ T,]+(\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?(?: ?([AaPp])\.?[Mm]\.?)?)?"
)
_DAY_LAST_YEAR = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})" + _CLOCK)
_YEAR_FIRST = re.compile(r"(\d{4})[./](\d{1,2})[./](\d{1,2})" + _CLOCK)


def settled(column: Column, decimal: str = ".") -> Column:
    """Convert a text column of unknown type to the type of most of its words."""
    if column.kind != "text":
        return coerced(column, column.kind)
    spelled = _with_points(column) if decimal == "," else column
    kind = _likely_kind(spelled)
    return coerced(spelled if kind == "number" else column, kind)


def coerced(column: Column, kind: Kind) -> Column:
    """Convert a column to a type; a ValueError shows values that do not fit."""
    if column.kind == "other" or (column.kind == "vector" and kind != "vector"):
        drop = Setting("drop", [column.name])
        raise ColumnError(_odd_values(column), "Convert it, or pass ", drop, ".")
    if column.kind == kind:
        return column
    if column.spelled is not None:
        values = pooled(column.spelled)
        column = replace(column, kind="text", values=values, spelled=None)
    if kind == "nominal":
        return replace(column, kind="nominal", values=_as_words(column), exact=None)
    if column.holds_words:
        if kind == "date" and column.day_first is None:
            column = replace(column, day_first=_is_day_first(column.values))
        return replace(column, kind=kind, values=_parsed(column, kind))
    values = column.values[~np.isnan(column.values)]
    if {column.kind, kind} == {"number", "boolean"} and (
        kind == "number" or np.isin(values, (0.0, 1.0)).all()
    ):
        return replace(column, kind=kind)
    raise ValueError(
        f"Column {column.name!r} should contain {_PLURAL[kind]}, "
        f"but contains {_PLURAL[column.kind]}."
    )


def _odd_values(column: Column) -> str:
    """Return the error for a column that cannot be converted to a type."""
    if column.kind == "vector":
        return f"Column {column.name!r} contains vectors, which can only be features."
    if column.values.dtype.kind == "c":
        return f"Column {column.name!r} contains complex numbers, not real numbers."
    width = None
    for i, value in enumerate(column.values):
        if not isinstance(value, list | tuple | np.ndarray):
            continue
        cells = np.asarray(value, dtype=object)
        where = f"Column {column.name!r} contains a vector in {column.place(i)}"
        if cells.ndim != 1 or not len(cells):
            return f"{where} of shape {cells.shape}, which is not a row of numbers."
        for one in cells:
            if not isinstance(one, int | float | np.number | None):
                return f"{where} with {str(one)[:40]!r} in it, which is not a number."
        width = width or len(cells)
        if len(cells) != width:
            return f"{where} of {len(cells)} numbers, but the first vector has {width}."
    return (
        f"Column {column.name!r} must contain values of one kind (numbers, words, "
        "booleans, dates or vectors), but it mixes several kinds."
    )


def pooled(words: "pl.Series") -> np.ndarray:
    """Return words as an array; equal words share memory, and None means missing."""
    import polars as pl

    different = words.drop_nulls().unique(maintain_order=True)
    codes = words.cast(pl.Enum(different)).to_physical().cast(pl.Int64).fill_null(-1)
    pool = np.array([*different, None], dtype=object)  # None is at -1
    return np.asarray(pool[codes.to_numpy()])


def to_number(word: str) -> float:
    """Convert a word to a number, like `float`, but reject ``1_000``."""
    if "_" in word:
        raise ValueError("not a number in a table")
    return float(word)


def is_number(word: str) -> bool:
    """Whether a word can be converted to a number."""
    return _fits(word, to_number)


def is_date(word: str) -> bool:
    """Whether a word is a date, and not a number."""
    is_either = any(
        _fits(word, partial(_days, day_first=first)) for first in (True, False)
    )
    return is_either and not is_number(word)


def _likely_kind(column: Column) -> Kind:
    words = Counter(word for word in column.values if word is not None)
    first = next(iter(words), "")
    grouped = [word for word in words if "." in word and "," in word]
    what = ""
    advice: tuple[Part, ...] = ("Remove these signs, or pass ",)
    if grouped and all(_SIGNED.fullmatch(word) for word in words):
        what = f"thousands separators, such as {grouped[0]!r}"
    elif words and all(_DECIMAL_COMMA.fullmatch(word) for word in words):
        what = f"a comma, such as {first!r}"
        either = " if that is the decimal sign. Otherwise, remove the commas, or pass "
        advice = ("Pass ", Setting("decimal", ","), either)
    elif words and all(_PERCENT.fullmatch(word) for word in words):
        what = f"a percent sign, such as {first!r}"
    if what:
        nominal = Setting("nominal", [column.name])
        what = f"Column {column.name!r} contains numbers with {what}."
        raise ColumnError(what, *advice, nominal, ".")
    kinds: tuple[Kind, ...] = ("boolean", "number", "date")
    for kind in kinds:
        parse = _parser(kind, words)
        fitting = sum(n for word, n in words.items() if _fits(word, parse))
        # One bad cell must not turn a numeric column into categories.
        if 2 * fitting > words.total():
            return kind
    return "nominal"


def _with_points(column: Column) -> Column:
    """Return a column with decimal points in place of decimal commas."""
    point = {
        word: word.replace(",", ".")
        for word in set(column.values)
        if word is not None and _PLAIN_COMMA.fullmatch(word)
    }
    values = np.array([point.get(word, word) for word in column.values], dtype=object)
    return replace(column, values=values)


def _parsed(column: Column, kind: Kind) -> np.ndarray:
    parse = _parser(kind, column.values, column.day_first)
    words = [word for word in dict.fromkeys(column.values) if word is not None]
    if odd := [word for word in words if not _fits(word, parse)]:
        raise _odd_words(column, kind, odd)
    meaning: dict[str | None, float] = {word: parse(word) for word in words}
    meaning[None] = np.nan
    return np.fromiter(map(meaning.__getitem__, column.values), np.float64)


def _odd_words(column: Column, kind: Kind, odd: list[str]) -> ColumnError:
    """Return the error for words that cannot be converted to a type, with advice."""
    place = column.place(int(np.flatnonzero(column.values == odd[0])[0]))
    others = f" and {len(odd) - 1} other words like it" if odd[1:] else ""
    # Codes for missing values are few and short.
    gaps = [word[:40] for word in odd] if len(odd) <= _MOST_WORDS_FOR_GAPS else []
    missing = Setting("missing_values", gaps or [odd[0][:40]])
    return ColumnError(
        f"Column {column.name!r} should contain {_PLURAL[kind]}, but contains "
        f"{odd[0][:40]!r} in {place}{others}.",
        "Correct them, " if others else "Correct it, ",
        *(
            ("pass ", missing, " if it stands for a missing value, or ")
            if gaps
            else ("or pass ",)
        ),
        Setting("nominal", [column.name]),
        " if the values are categories.",
        odd=odd[0],
    )


def _as_words(column: Column) -> np.ndarray:
    """Return the values as words, as they would be written in a text file."""
    if column.holds_words:
        return column.values
    if column.exact is not None:
        return column.exact
    spell = _SPELLINGS[column.kind]
    words = np.full(len(column.values), None, dtype=object)
    present = ~np.isnan(column.values)
    words[present] = [spell(value) for value in column.values[present].tolist()]
    return words


def _parser(
    kind: Kind, words: Iterable[str | None], day_first: bool | None = None
) -> Callable[[str], float]:
    """Return a function that converts a word of a column to a value of a type."""
    if kind != "date":
        return _PARSERS[kind]
    if day_first is None:
        day_first = _is_day_first(words)
    return partial(_days, day_first=day_first)


def _is_day_first(words: Iterable[str | None]) -> bool:
    """Whether 6/1/2020 is January 6, judging from the other dates in the column."""
    # A number above 12 is a day. Without one, a slash follows the month, as in the
    # United States, and a point or a dash follows the day.
    matches = (_DAY_LAST_YEAR.fullmatch(word) for word in words if word is not None)
    dates = [one for one in matches if one is not None]
    first = sum(int(one[1]) > 12 for one in dates)
    second = sum(int(one[3]) > 12 for one in dates)
    if first != second:
        return first > second
    return not any(one[2] == "/" for one in dates)


def _days(word: str, day_first: bool) -> float:
    """Return the days since 1970 of a date, including its time if it has one."""
    if match := _DAY_LAST_YEAR.fullmatch(word):
        day, _, month, year, *clock = match.groups()
        day, month = (day, month) if day_first else (month, day)
        if len(year) == 2:  # as in POSIX: 69 is 1969, 68 is 2068
            year = str(int(year) + (1900 if int(year) >= 69 else 2000))
    elif match := _YEAR_FIRST.fullmatch(word):
        year, month, day, *clock = match.groups()
    else:
        moment = datetime.fromisoformat(word)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return (moment - _EPOCH).total_seconds() / 86400.0
    midnight = datetime(int(year), int(month), int(day), tzinfo=UTC)
    hours, minutes = int(clock[0] or 0), int(clock[1] or 0)
    seconds, half = float((clock[2] or "0").replace(",", ".")), clock[3]
    if half is not None and 1 <= hours <= 12:
        hours = hours % 12 + 12 * (half in "Pp")
    elif half is not None or hours > 23:
        raise ValueError("no such hour")
    if minutes > 59 or seconds >= 60.0:
        raise ValueError("no such time")
    share = (3600 * hours + 60 * minutes + seconds) / 86400.0
    return (midnight - _EPOCH).days + share


def number_word(value: float) -> str:
    """Return a number as it would be written in a text file."""
    return str(int(value)) if value.is_integer() else repr(value)


def _fits(word: str, parse: Callable[[str], float]) -> bool:
    try:
        parse(word)
    except (ValueError, KeyError, OverflowError):
        return False
    return True


_PARSERS: dict[Kind, Callable[[str], float]] = {
    "boolean": lambda word: {"true": 1.0, "false": 0.0}[word.lower()],
    "number": to_number,
}
_SPELLINGS: dict[Kind, Callable[[float], str]] = {
    "boolean": lambda value: "true" if value else "false",
    "number": number_word,
    "date": lambda days: str(
        np.datetime_as_string(np.datetime64(round(days * 86400e6), "us"), unit="auto")
    ),
}
_PLURAL: dict[Kind, str] = {
    "boolean": "true or false",
    "number": "numbers",
    "date": "dates",
    "nominal": "words",
    "text": "words",
}


# Conversion of a column to class labels or ids.

_WHOLE = re.compile(r"0|-?[1-9]\d{0,19}")


def class_labels(column: Column) -> NDArray[Any]:
    """Return the classes in a label column as integers if possible, else as words."""
    labels = identifiers(column, role="Label")
    n_classes = len(np.unique(labels))
    if n_classes == 1:
        raise InputError(
            f"Label column {column.name!r} has only one class, {str(labels[0])!r}, but "
            "at least two are needed.",
            parameter="label",
        )
    if are_names(n_classes, len(labels)):
        raise InputError(
            f"Label column {column.name!r} contains {n_classes} different values in "
            f"{len(labels)} rows. These look like names or measurements, not "
            "classes. Choose another column, or bin the values first.",
            parameter="label",
        )
    return labels


def labeled_rows(columns: Sequence[Column], label: ColumnKey) -> list[Column]:
    """Remove the rows without a class from all columns, with a warning."""
    at = find_position([column.name for column in columns], label, role="label")
    labeled = ~is_missing(columns[at])
    n_labeled, n_left_out = int(labeled.sum()), int((~labeled).sum())
    if not n_labeled:
        raise InputError(
            f"Label column {columns[at].name!r} has no class in any row. "
            "Choose another column.",
            parameter="label",
        )
    blocks = _block_words(columns[at])
    if blocks and n_labeled < FEWEST_ROWS:
        raise InputError(
            f"Label column {columns[at].name!r} contains a class in {n_labeled} of "
            f"{len(labeled):,} rows. {blocks}".strip(),
            parameter="label",
        )
    if n_left_out:
        rows = "1 row" if n_left_out == 1 else f"{n_left_out:,} rows"
        warnings.warn(
            f"Left out: {rows} without a class. {blocks}".strip(), stacklevel=3
        )
    return [column.take(labeled) for column in columns]


def _block_words(column: Column) -> str:
    """Return advice if classes are written only in the first row of each block."""
    labeled, n = np.flatnonzero(~is_missing(column)), len(column.values)
    if n < FEWEST_ROWS or not 2 <= len(labeled) <= n / 2 or labeled[0] != 0:
        return ""
    words = coerced(column, "nominal").values[labeled]
    if (words[1:] == words[:-1]).any():
        return ""
    return (
        "The class seems to be written only once per block of rows, as in merged "
        "cells. In a spreadsheet, unmerge the cells and fill the column down. "
    )


def identifiers(column: Column, *, role: str) -> NDArray[Any]:
    """Return ids as integers if possible, else as words; reject missing ids."""
    words: NDArray[Any] = coerced(column, "nominal").values
    gaps = np.flatnonzero(is_missing(column))
    if len(gaps):
        advice: tuple[Part, ...] = ("Fill them in or leave these rows out.",)
        if role == "Label":
            drop = Setting("unlabelled", "drop")
            advice = ("Fill them in, or pass ", drop, " to leave these rows out.")
            advice = (_block_words(column), *advice)
        raise InputError(
            f"{role} column {column.name!r} has {len(gaps)} missing "
            f"value{'s' * (len(gaps) > 1)}, the first in {column.place(gaps[0])}. ",
            *advice,
        )
    if column.kind == "boolean":
        return column.values.astype(bool)
    # "007" and "1.0" remain as they are written.
    if all(_WHOLE.fullmatch(word) for word in set(words)):
        for dtype in (np.int64, np.uint64):
            with suppress(OverflowError):
                return words.astype(dtype)
    return words.astype(str)
