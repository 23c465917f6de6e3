"""Columns as a file or a frame holds them, before they become features."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError, Part, Setting

# "text" is a column of a file without types, whose kind its words have yet to tell;
# "other" holds what no feature can be made of, and is an error if it is to be one.
Kind = Literal["number", "boolean", "date", "nominal", "text", "other"]

# A column by its name, or by its position from 0 (from the end if negative).
ColumnKey = str | int

_SKIP = Setting("skip", 1)
_UNNAMED = re.compile(r"column (\d+|[A-Z]{1,3})")


@dataclass(frozen=True)
class Column:
    """One column: float64 values with NaN for missing, or words with None for missing.

    Booleans are 0 and 1, dates are days since 1970; "nominal" and "text" are words.
    ``is_whole`` says of numbers from a text that each is spelled as Python spells whole
    numbers, so that they tell what the words were. ``exact`` holds the words of numbers
    of which float64 would lose digits, for ids, classes and categories. ``lines`` says
    where each value stands in its file, counted from 1 as an editor counts, and
    ``letter`` which column of a sheet it is. ``day_first`` says whether its dates are
    written so that the day comes before the month; None: it is not known yet.
    """

    name: str
    kind: Kind
    values: NDArray[Any]
    is_whole: bool = False
    exact: NDArray[Any] | None = None
    lines: NDArray[np.int32] | None = None
    letter: str = ""
    is_named: bool = True
    day_first: bool | None = None

    @property
    def holds_words(self) -> bool:
        """Whether the values are words, not numbers."""
        return self.kind in ("nominal", "text")

    def take(self, rows: NDArray[Any] | slice) -> "Column":
        """Return the column with some rows only."""
        exact = None if self.exact is None else self.exact[rows]
        lines = None if self.lines is None else self.lines[rows]
        return replace(self, values=self.values[rows], exact=exact, lines=lines)

    def place(self, row: int) -> str:
        """Return where a value stands: its cell, its line, or its row in a frame."""
        if self.lines is None:
            return f"row {row}"
        line = int(self.lines[row])
        return f"cell {self.letter}{line}" if self.letter else f"line {line}"


def name_unnamed(names: Sequence[str], letters: Sequence[str] = ()) -> list[str]:
    """Return names in which a column without one is called by its place.

    ``letters`` are those of a sheet; without them columns are counted from 1.
    """
    places = letters or [str(i + 1) for i in range(len(names))]
    return [
        name or f"column {place}" for name, place in zip(names, places, strict=True)
    ]


def find_position(names: Sequence[str], key: ColumnKey, *, role: str) -> int:
    """Return where the column named or numbered ``key`` stands, or say what is near."""
    if isinstance(key, str):
        if key in names:
            return names.index(key)
        if len(names) == 1:
            raise InputError(
                Setting(role),
                f": there is no column {key!r}, only one that is called "
                f"{names[0][:40]!r}. If its lines should be cut into cells, pass "
                "what stands between these, such as ",
                Setting("delimiter", ";"),
                ".",
                parameter=role,
            )
        near = get_close_matches(key, names, n=3, cutoff=0.5)
        # A column of row numbers has no name; others without one look like no header.
        gaps = not near and any(map(_UNNAMED.fullmatch, names[1:]))
        raise InputError(
            Setting(role),
            f": there is no column {key!r}. ",
            f"Did you mean {in_words(near)}?" if near else _listed(names),
            *((" If the names stand further down, pass ", _SKIP, ".") if gaps else ()),
            parameter=role,
        )
    if isinstance(key, bool) or not isinstance(key, int | np.integer):
        raise InputError(
            Setting(role),
            f" must be the name of a column or its position, got {key!r}.",
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


def check_unique(names: Sequence[str], *where: Part) -> None:
    """Raise a ValueError if a name stands over more than one column."""
    seen: set[str] = set()
    for name in names:
        if name and name in seen:
            count = list(names).count(name)
            raise InputError(
                *where,
                f" has {count} columns named {name!r}. Give each its own name.",
            )
        seen.add(name)


def in_words(items: Sequence[Any], at_most: int = 5) -> str:
    """Return a few items as a sentence lists them: 'a', 'b' or 'c'."""
    shown = [repr(item) for item in items[:at_most]]
    if len(items) > at_most:
        return ", ".join(shown) + f" and {len(items) - at_most} more"
    return " or ".join([", ".join(shown[:-1]), shown[-1]] if shown[1:] else shown)


def _listed(names: Sequence[str]) -> str:
    return f"The columns are {', '.join(map(repr, names[:10]))}" + (
        f" and {len(names) - 10} more." if len(names) > 10 else "."
    )
