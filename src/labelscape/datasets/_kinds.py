"""What a column of words means: numbers, booleans, dates or categories."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np

from labelscape.datasets._columns import Column, Kind

_DECIMAL_COMMA = re.compile(r"[+-]?[\d.]*\d,\d+")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def settled(column: Column) -> Column:
    """Return a column of undecided text as what most of its words say that it is."""
    if column.kind == "text":
        return coerced(column, _likely_kind(column))
    return coerced(column, column.kind)


def coerced(column: Column, kind: Kind) -> Column:
    """Return ``column`` as one of ``kind``; a ValueError names the value that is not.

    New rows may come from another kind of file than the rows before them: numbers as
    words, categories as numbers. What has one meaning is taken for that.
    """
    if column.kind == "other":
        raise ValueError(
            f"Column {column.name!r} holds values that are not numbers, words, "
            f"booleans or dates alone. Convert it, or pass drop=[{column.name!r}]."
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
    if words and all(_DECIMAL_COMMA.fullmatch(word) for word in words):
        raise ValueError(
            f"Column {column.name!r} holds numbers with a comma, such as "
            f"{next(iter(words))!r}. Pass decimal=',' if that is the decimal sign, "
            f"else take the commas out or pass nominal=[{column.name!r}]."
        )
    kinds: tuple[Kind, ...] = ("boolean", "number", "date")
    for kind in kinds:
        fitting = sum(n for word, n in words.items() if _fits(word, _PARSERS[kind]))
        # One cell with a slip must not turn a column of numbers into categories.
        if 2 * fitting > words.total():
            return kind
    return "nominal"


def _parsed(column: Column, kind: Kind) -> np.ndarray:
    parse = _PARSERS[kind]
    meaning: dict[str | None, float] = {None: np.nan}
    for word in dict.fromkeys(column.values):
        if word is None:
            continue
        if not _fits(word, parse):
            row = int(np.flatnonzero(column.values == word)[0])
            raise ValueError(
                f"Column {column.name!r} should hold {_PLURAL[kind]}, but holds "
                f"{word[:40]!r} in row {row}. Mend it, pass "
                f"missing_values=[{word[:40]!r}] if it stands for a missing value, or "
                f"nominal=[{column.name!r}] if the values are categories."
            )
        meaning[word] = parse(word)
    return np.fromiter(map(meaning.__getitem__, column.values), np.float64)


def _as_words(column: Column) -> np.ndarray:
    """Return the values as the words that a text file would have for them."""
    if column.holds_words:
        return column.values
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
