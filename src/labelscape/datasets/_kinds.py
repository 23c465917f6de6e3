"""What a column of words means: numbers, booleans, dates or categories."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np

from labelscape._core.errors import InputError, Part, Setting
from labelscape.datasets._columns import Column, Kind

_DECIMAL_COMMA = re.compile(r"[+-]?[\d.]*\d,\d+")
_PLAIN_COMMA = re.compile(r"[+-]?\d+,\d+")
_SIGNED = re.compile(r"[+-]?\d[\d.,]*")
_PERCENT = re.compile(r"[+-]?[\d.,]*\d\s*%")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ColumnError(InputError):
    """A column that can not be read: what is wrong with it, and what to do.

    Attributes
    ----------
    what : str
        The sentence without the advice, which is for those who write code.
    odd : str
        The value that is not like the others, if it is one.
    """

    def __init__(self, what: str, *advice: Part, odd: str = "") -> None:
        super().__init__(f"{what} ", *advice)
        self.what, self.odd = what, odd
        self.args = (what, *advice)  # from which it is made again in a process


def settled(column: Column, decimal: str = ".") -> Column:
    """Return a column of undecided text as what most of its words say that it is."""
    if column.kind != "text":
        return coerced(column, column.kind)
    spelled = _with_points(column) if decimal == "," else column
    kind = _likely_kind(spelled)
    return coerced(spelled if kind == "number" else column, kind)


def coerced(column: Column, kind: Kind) -> Column:
    """Return ``column`` as one of ``kind``; a ValueError names the value that is not.

    New rows may come from another kind of file than the rows before them: numbers as
    words, categories as numbers. What has one meaning is taken for that.
    """
    if column.kind == "other":
        raise ColumnError(
            f"Column {column.name!r} holds values that are not numbers, words, "
            "booleans or dates alone.",
            "Convert it, or pass ",
            Setting("drop", [column.name]),
            ".",
        )
    if column.kind == kind:
        return column
    if kind == "nominal":
        return Column(column.name, "nominal", _as_words(column))
    if column.holds_words:
        return Column(column.name, kind, _parsed(column, kind))
    values = column.values[~np.isnan(column.values)]
    if {column.kind, kind} == {"number", "boolean"} and (
        kind == "number" or np.isin(values, (0.0, 1.0)).all()
    ):
        return Column(column.name, kind, column.values)
    raise ValueError(
        f"Column {column.name!r} should hold {_PLURAL[kind]}, "
        f"but holds {_PLURAL[column.kind]}."
    )


def to_number(word: str) -> float:
    """Return the number that a word spells, as `float` does but without ``1_000``."""
    if "_" in word:
        raise ValueError("not a number in a table")
    return float(word)


def is_number(word: str) -> bool:
    """Whether a word spells a number."""
    return _fits(word, to_number)


def _likely_kind(column: Column) -> Kind:
    words = Counter(word for word in column.values if word is not None)
    if words and all(_SIGNED.fullmatch(word) for word in words):
        grouped = [word for word in words if "." in word and "," in word]
        if grouped:
            raise ColumnError(
                f"Column {column.name!r} holds numbers with signs between their "
                f"thousands, such as {grouped[0]!r}.",
                "Take these signs out, or pass ",
                Setting("nominal", [column.name]),
                ".",
            )
    if words and all(_DECIMAL_COMMA.fullmatch(word) for word in words):
        raise ColumnError(
            f"Column {column.name!r} holds numbers with a comma, such as "
            f"{next(iter(words))!r}.",
            "Pass ",
            Setting("decimal", ","),
            " if that is the decimal sign, else take the commas out or pass ",
            Setting("nominal", [column.name]),
            ".",
        )
    if words and all(_PERCENT.fullmatch(word) for word in words):
        raise ColumnError(
            f"Column {column.name!r} holds numbers with a percent sign, such as "
            f"{next(iter(words))!r}.",
            "Take the signs out, or pass ",
            Setting("nominal", [column.name]),
            ".",
        )
    kinds: tuple[Kind, ...] = ("boolean", "number", "date")
    for kind in kinds:
        fitting = sum(n for word, n in words.items() if _fits(word, _PARSERS[kind]))
        # One cell with a slip must not turn a column of numbers into categories.
        if 2 * fitting > words.total():
            return kind
    return "nominal"


def _with_points(column: Column) -> Column:
    """Return a column whose numbers with a decimal comma have a point in its place."""
    point = {
        word: word.replace(",", ".")
        for word in set(column.values)
        if word is not None and _PLAIN_COMMA.fullmatch(word)
    }
    values = np.array([point.get(word, word) for word in column.values], dtype=object)
    return Column(column.name, column.kind, values)


def _parsed(column: Column, kind: Kind) -> np.ndarray:
    parse = _PARSERS[kind]
    meaning: dict[str | None, float] = {None: np.nan}
    for word in dict.fromkeys(column.values):
        if word is None:
            continue
        if not _fits(word, parse):
            row = int(np.flatnonzero(column.values == word)[0])
            raise ColumnError(
                f"Column {column.name!r} should hold {_PLURAL[kind]}, but holds "
                f"{word[:40]!r} in row {row}.",
                "Mend it, pass ",
                Setting("missing_values", [word[:40]]),
                " if it stands for a missing value, or ",
                Setting("nominal", [column.name]),
                " if the values are categories.",
                odd=word,
            )
        meaning[word] = parse(word)
    return np.fromiter(map(meaning.__getitem__, column.values), np.float64)


def _as_words(column: Column) -> np.ndarray:
    """Return the values as the words that a text file would have for them."""
    if column.holds_words:
        return column.values
    if column.exact is not None:
        return column.exact
    spell = _SPELLINGS[column.kind]
    words = np.full(len(column.values), None, dtype=object)
    present = ~np.isnan(column.values)
    words[present] = [spell(value) for value in column.values[present].tolist()]
    return words


def _days(word: str) -> float:
    moment = datetime.fromisoformat(word)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH).total_seconds() / 86400.0


def _day_word(days: float) -> str:
    moment = np.datetime64(round(days * 86400e6), "us")
    return str(np.datetime_as_string(moment, unit="auto"))


def _number_word(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def _truth(word: str) -> float:
    return {"true": 1.0, "false": 0.0}[word.lower()]


def _fits(word: str, parse: Callable[[str], float]) -> bool:
    try:
        parse(word)
    except (ValueError, KeyError, OverflowError):
        return False
    return True


_PARSERS: dict[Kind, Callable[[str], float]] = {
    "boolean": _truth,
    "number": to_number,
    "date": _days,
}
_SPELLINGS: dict[Kind, Callable[[float], str]] = {
    "boolean": lambda value: "true" if value else "false",
    "number": _number_word,
    "date": _day_word,
}
_PLURAL: dict[Kind, str] = {
    "boolean": "true or false",
    "number": "numbers",
    "date": "dates",
    "nominal": "words",
    "text": "words",
}
