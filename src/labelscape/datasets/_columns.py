"""Columns of a file or a data frame, before they become features."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.columns import counts_parts, is_counter
from labelscape._core.errors import CONTROLS, InputError, Part, Setting, readable
from labelscape.datasets._options import ColumnKey, ReadingOptions

if TYPE_CHECKING:
    import polars as pl

# "text" is a column of a text file, whose type is not yet decided; "other" cannot be a
# feature.
Kind = Literal["number", "boolean", "date", "nominal", "text", "vector", "other"]

_SKIP = Setting("skip", 1)
COUNTER_NAME = re.compile(
    r"(index|number|nummer|count|row|(^|[\W_])(id|nr|no|num|obs|#))$"
)
_UNNAMED = re.compile(r"column (\d+|[A-Z]{1,3})")


@dataclass(frozen=True)
class Column:
    """One column: float64 values with NaN for missing, or words with None for missing.

    Booleans are 0 and 1, dates are days since 1970. Nominal and text columns contain
    words. Vectors are rows of values (n, width); if a number is missing, the whole row
    is NaN. ``spelled`` contains numbers as they are written in a text file. ``exact``
    contains numbers that float64 cannot store exactly, as text for ids and classes.
    ``lines`` contains the line of each value in the file, from 1, and ``letter`` is the
    letter of a spreadsheet column. ``day_first`` is True if dates have the day before
    the month (None: unknown). ``is_annotation`` marks columns of ``obs`` (AnnData).
    """

    name: str
    kind: Kind
    values: NDArray[Any]
    spelled: "pl.Series | None" = None
    exact: NDArray[Any] | None = None
    lines: NDArray[np.int32] | None = None
    letter: str = ""
    is_named: bool = True
    day_first: bool | None = None
    is_annotation: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", readable(self.name))
        if self.holds_words:
            object.__setattr__(self, "values", _readable_words(self.values))

    @property
    def holds_words(self) -> bool:
        """Whether the values are words, not numbers."""
        return self.kind in ("nominal", "text")

    def take(self, rows: NDArray[Any] | slice) -> "Column":
        """Return the column restricted to some rows."""
        at = np.arange(len(self.values))[rows]
        others: dict[str, Any] = {
            name: None if values is None else values[at]
            for name in ("exact", "lines", "spelled")
            for values in [getattr(self, name)]
        }
        return replace(self, values=self.values[at], **others)

    def place(self, row: int) -> str:
        """Return the place of a value: its cell, its line, or its row in a frame."""
        if self.lines is None:
            return f"row {row}"
        line = int(self.lines[row])
        return f"cell {self.letter}{line}" if self.letter else f"line {line}"


def _readable_words(values: NDArray[Any]) -> NDArray[Any]:
    """Return words that are safe to print, of which no two have become equal."""
    words = set(values.tolist())
    if "".join(map(str, words)).isprintable():
        return values
    shown = {
        word: readable(word)
        for word in words
        if isinstance(word, str) and CONTROLS.search(word)
    }
    taken = words - shown.keys()
    for word in sorted(shown):
        while shown[word] in taken:  # a word that contains these signs as they are
            shown[word] = shown[word].replace("\\", "\\\\")
        taken.add(shown[word])
    if not shown:
        return values
    return np.array([shown.get(word, word) for word in values.tolist()], dtype=object)


class ColumnError(InputError):
    """Error: a column cannot be read. The message contains the reason and advice."""

    def __init__(self, what: str, *advice: Part, odd: str = "") -> None:
        super().__init__(f"{what} ", *advice)
        self.what, self.odd = what, odd
        self.args = (what, *advice)  # so that another process can create it again


def name_unnamed(names: Sequence[str], letters: Sequence[str] = ()) -> list[str]:
    """Return the column names; an unnamed column gets its letter or number as name."""
    places = letters or [str(i + 1) for i in range(len(names))]
    return [
        name or f"column {place}" for name, place in zip(names, places, strict=True)
    ]


def find_position(names: Sequence[str], key: ColumnKey, *, role: str) -> int:
    """Return the position of the column ``key``; an error suggests similar names."""
    if isinstance(key, str):
        if key in names:
            return names.index(key)
        if len(names) == 1:
            raise InputError(
                Setting(role),
                f": there is no column {key!r}, only one that is called "
                f"{names[0][:40]!r}. If the lines should be split into cells, pass "
                "the delimiter, such as ",
                Setting("delimiter", ";"),
                ".",
                parameter=role,
            )
        near = get_close_matches(key, names, n=3, cutoff=0.5)
        # A single unnamed column often contains row numbers. Several unnamed columns
        # suggest a missing header.
        gaps = not near and any(map(_UNNAMED.fullmatch, names[1:]))
        more = f" and {len(names) - 10} more" if len(names) > 10 else ""
        raise InputError(
            Setting(role),
            f": there is no column {key!r}. ",
            f"Did you mean {in_words(near)}?"
            if near
            else f"The columns are {', '.join(map(repr, names[:10]))}{more}.",
            *((" If names are in a later line, pass ", _SKIP, ".") if gaps else ()),
            parameter=role,
        )
    if not -len(names) <= key < len(names):
        raise InputError(
            Setting(role),
            f": there is no column {key}; the table has {len(names)} columns, counted "
            "from 0.",
            parameter=role,
        )
    return key % len(names)


class Places(NamedTuple):
    """The positions of the columns that have a role, such as label or id."""

    label: int | None = None
    id: int | None = None
    group: int | None = None
    image: int | None = None
    text: int | None = None
    drop: tuple[int, ...] = ()
    keep: tuple[int, ...] = ()
    nominal: tuple[int, ...] = ()
    show: tuple[int, ...] = ()

    @property
    def aside(self) -> set[int]:
        """The columns that are not features."""
        single = (self.label, self.id, self.group, self.image, self.text)
        return {at for at in (*single, *self.drop, *self.show) if at is not None}


def places_of(columns: Sequence[Column], reading: ReadingOptions) -> Places:
    """Return the positions of columns with a role; reject a column with two roles."""
    names = [column.name for column in columns]

    def place(role: str) -> Any:
        key = getattr(reading, role)
        if isinstance(key, tuple):
            return tuple(find_position(names, one, role=role) for one in key)
        if key is None or key is False:
            return None
        return find_position(names, key, role=role)

    at = Places(**{role: place(role) for role in Places._fields})
    _refuse_both("id", [at.id], "label", [at.label], names)
    _refuse_both("group", [at.group], "label", [at.label], names)
    roles = {"label": [at.label], "id": [at.id], "drop": at.drop, "keep": at.keep}
    for role, others in roles.items():
        _refuse_both("show", at.show, role, others, names)
    return at


def _refuse_both(
    one: str,
    first: Iterable[int | None],
    other: str,
    second: Iterable[int | None],
    names: Sequence[str],
) -> None:
    """Raise a ValueError if two settings select the same column."""
    for at in {*first} & {*second} - {None}:
        raise InputError(
            Setting(other),
            " and ",
            Setting(one),
            f" both select the column {names[at or 0]!r}.",
            parameter=one,
        )


def check_unique(names: Sequence[str], *where: Part) -> None:
    """Raise a ValueError if two columns have the same name."""
    name, count = next(iter(Counter(filter(None, names)).most_common(1)), ("", 0))
    if count > 1:
        raise InputError(
            *where, f" has {count} columns named {name!r}. Give each its own name."
        )


def in_words(items: Sequence[Any], at_most: int = 5) -> str:
    """Return a few items as text: 'a', 'b' or 'c'."""
    shown = [repr(item) for item in items[:at_most]]
    if len(items) > at_most:
        return ", ".join(shown) + f" and {len(items) - at_most} more"
    return " or ".join([", ".join(shown[:-1]), shown[-1]] if shown[1:] else shown)


FEWEST_ROWS = 10  # with fewer rows no map can be tested
# A column with more different words contains names or free text; see `are_names`.
MOST_CATEGORIES = 1000
ALWAYS_ALLOWED = 50
FEW = 10  # with fewer rows than this, all values may be different by coincidence


@dataclass(frozen=True)
class Code:
    """The conversion of one column to features, also for new rows."""

    name: str
    kind: Kind
    categories: tuple[str, ...] = ()
    day_first: bool | None = None
    width: int = 1  # for a vector column

    @property
    def feature_names(self) -> list[str]:
        """The names of the features, such as ``color=red`` or ``embedding[0]``."""
        if self.kind == "vector":
            return [f"{self.name}[{i}]" for i in range(self.width)]
        if self.kind != "nominal":
            return [self.name]
        # With two categories, one feature is enough.
        shown = self.categories[1:] if len(self.categories) == 2 else self.categories
        return [f"{self.name}={category}" for category in shown]


def fit_code(column: Column) -> Code:
    """Return the conversion of a column; raise an error if it cannot be a feature."""
    n_missing = count_missing(column)
    if n_missing == len(column.values):
        raise ColumnError(
            f"Column {column.name!r} has no values.",
            "Pass ",
            Setting("drop", [column.name]),
            ".",
        )
    if where := infinite(column):
        drop = Setting("drop", [column.name])
        raise ColumnError(where, "Correct such values, or pass ", drop, ".")
    if column.kind == "vector":
        return Code(column.name, "vector", width=column.values.shape[1])
    if column.kind != "nominal":
        return Code(column.name, column.kind, day_first=column.day_first)
    categories = sorted({word for word in column.values if word is not None})
    n_present = len(column.values) - n_missing
    if are_names(len(categories), n_present):
        raise ColumnError(
            f"Column {column.name!r} contains {len(categories)} different words in "
            f"{n_present} rows, such as {categories[0][:40]!r}. These look like "
            "names or free text, not categories.",
            "Pass ",
            Setting("id", column.name),
            ", ",
            Setting("show", [column.name]),
            " to display it without using it as a feature, or ",
            Setting("drop", [column.name]),
            ".",
        )
    return Code(column.name, "nominal", tuple(categories))


def infinite(column: Column) -> str:
    """Return the error for infinite values in a column, or an empty text."""
    if column.kind not in ("number", "vector"):
        return ""
    at = np.argwhere(np.isinf(column.values))
    if not len(at):
        return ""
    others = f" (and {len(at) - 1:,} more)" if len(at) > 1 else ""
    first = column.values[tuple(at[0])]
    return (
        f"Column {column.name!r} contains {first} in {column.place(at[0][0])}"
        f"{others}, which models cannot use."
    )


def are_names(n_distinct: int, n_values: int) -> bool:
    """Whether a column with this many words contains names or free text."""
    return (
        n_distinct > MOST_CATEGORIES
        or (n_distinct > ALWAYS_ALLOWED and 2 * n_distinct > n_values)
        or (n_distinct > FEW and n_distinct == n_values)
    )


def encode(codes: Sequence[Code], columns: Sequence[Column]) -> NDArray[np.float64]:
    """Return the columns as one feature matrix, with NaN for missing values."""
    widths = [len(code.feature_names) for code in codes]
    X = np.empty((len(columns[0].values), sum(widths)))
    at = 0
    for code, column, width in zip(codes, columns, widths, strict=True):
        if code.kind == "nominal":
            X[:, at : at + width] = _indicators(code, column)[:, -width:]
        elif code.kind == "vector":
            if (given := column.values.shape[1]) != width:
                raise ValueError(
                    f"Column {code.name!r} contains vectors of {given} numbers, but "
                    f"the fitted table has vectors of {width}. Use one model for both."
                )
            X[:, at : at + width] = column.values
        else:
            X[:, at] = column.values
        at += width
    return X


def category_values(code: Code) -> NDArray[np.float64] | None:
    """Return the features of each category (n_categories, m); None for other kinds."""
    if code.kind == "boolean":
        return np.array([[0.0], [1.0]])
    if code.kind != "nominal":
        return None
    return np.eye(len(code.categories))[:, -len(code.feature_names) :]


def is_absent(value: Any) -> bool:
    """Whether a value in a column of objects is missing."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def count_missing(column: Column) -> int:
    return int(is_missing(column).sum())


def is_missing(column: Column) -> NDArray[np.bool_]:
    """Return a mask of missing values."""
    if column.holds_words or column.kind == "other":
        absent = [is_absent(word) for word in column.values]
        return np.array(absent, dtype=bool)
    absent = np.isnan(column.values)
    return np.asarray(absent[:, 0] if column.kind == "vector" else absent)


def _indicators(code: Code, column: Column) -> NDArray[np.float64]:
    """Return a column of 0 and 1 for each category, with NaN for missing values."""
    index: dict[str | None, int] = {word: i for i, word in enumerate(code.categories)}
    index[None] = len(code.categories)
    try:
        codes = np.fromiter(map(index.__getitem__, column.values), np.intp)
    except KeyError as unknown:
        word = unknown.args[0]
        place = column.place(int(np.flatnonzero(column.values == word)[0]))
        raise ValueError(
            f"Column {column.name!r} contains {word!r} in {place}, which is not a "
            f"category of the fitted table ({in_words(code.categories)})."
        ) from None
    choices = np.vstack([np.eye(len(code.categories)), np.full(len(index) - 1, np.nan)])
    return choices[codes]


def counts_rows(column: Column) -> bool:
    """Whether a column has row numbers, maybe of each part, and no missing values."""
    if column.kind != "number" or np.isnan(column.values).any():
        return False
    # Ages, days and times may start again in each part, too.
    is_named = COUNTER_NAME.search(column.name.lower()) is not None
    return is_counter(column.values) or (is_named and counts_parts(column.values))
