"""Columns to look at: shown only, pictures and texts of the objects."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.columns.shown import ShownColumn, ShownKind
from labelscape._core.errors import InputError, Setting
from labelscape.datasets._codes import are_names, is_missing
from labelscape.datasets._columns import Column, Kind
from labelscape.datasets._kinds import ColumnError, coerced, settled
from labelscape.datasets._source import frame_columns, read_columns
from labelscape.datasets.files.arrays import array_column
from labelscape.datasets.files.delimited import CsvOptions

_KINDS: dict[Kind, ShownKind] = {"number": "number", "date": "date", "boolean": "truth"}
# "007" is a code: as a number it would lose what it is called.
_CODE = re.compile(r"[+-]?0\d+")
_LINK = re.compile(r"https?://", re.IGNORECASE)


def shown_column(column: Column, decimal: str, *, nominal: bool = False) -> ShownColumn:
    """Return a column as it is shown; whatever it holds, it can be."""
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
    """Return the columns of a data frame as they are shown."""
    return tuple(shown_column(column, ".") for column in frame_columns(frame))


def shown_values(name: str, values: Any) -> ShownColumn:
    """Return values (n,) as they are shown: numbers, days, truth, or words."""
    try:
        array = np.asanyarray(values)
    except ValueError:  # lists of several lengths, which are shown as they are
        array = np.fromiter(values, dtype=object)
    if array.ndim != 1:  # whoever wants columns says what is wrong with it
        return ShownColumn(name, "text", array)
    return shown_column(array_column(name, array), ".")


def shown_in(rows: Any, names: Sequence[str], options: CsvOptions) -> list[ShownColumn]:
    """Return columns of a file or frame as they are shown; those that it has."""
    columns = read_columns(rows, options, names)
    shown = [column for column in columns if column.name in names]
    return [shown_column(column, options.decimal) for column in shown]


def continued(column: ShownColumn, more: ShownColumn | None, n: int) -> ShownColumn:
    """Return a column with n further rows: those of another one, or gaps.

    If they are of different kinds, both are words.
    """
    if more is None:
        is_word = column.kind in ("category", "text")
        gaps = np.full(n, None if is_word else np.nan, dtype=column.values.dtype)
        return replace(column, values=np.concatenate([column.values, gaps]))
    if column.kind != more.kind:
        both = [shown_words(_unshown(one)) for one in (column, more)]
        kinds = {column.kind, more.kind}
        kind: ShownKind = "category" if kinds <= {"category", "truth"} else "text"
        return ShownColumn(column.name, kind, np.concatenate(both))
    return replace(column, values=np.concatenate([column.values, more.values]))


def _unshown(column: ShownColumn) -> Column:
    """Return what is shown as a column that has been read."""
    kinds: dict[ShownKind, Kind] = {shown: read for read, shown in _KINDS.items()}
    return Column(column.name, kinds.get(column.kind, "nominal"), column.values)


def shown_words(column: Column) -> NDArray[Any]:
    """Return a column in words, with None for missing ones."""
    if column.kind == "other":
        told = [None if value is None else str(value) for value in column.values]
        return np.array(told, dtype=object)
    words: NDArray[Any] = coerced(column, "nominal").values.astype(object)
    words[is_missing(column)] = None
    return words


def image_paths(
    names: NDArray[Any],
    folder: Path,
    column: str,
    place: Callable[[int], str] = "row {}".format,
) -> NDArray[Any]:
    """Return the picture file of each row, by its path from the folder of the table.

    ``place`` says where a row stands, for the error.
    """
    paths = np.array([None if n is None else folder / n for n in names], dtype=object)
    absent = [i for i, path in enumerate(paths) if path and not _is_file(path)]
    if not absent:
        return paths
    first = str(names[absent[0]])
    if _LINK.match(first):
        raise InputError(
            f"Image column {column!r} holds links, such as {first[:60]!r}, and only "
            "files can be shown as pictures. To show the links, pass ",
            Setting("show", [column]),
            ".",
            parameter="image",
        )
    others = f", and {len(absent) - 1:,} more are not there" if absent[1:] else ""
    raise InputError(
        f"Image column {column!r} names {first[:60]!r} in {place(absent[0])}, and "
        f"there is no such file{others}. Paths start at the folder of the table.",
        parameter="image",
    )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long a name, or a NUL in it
        return False


def _settled(column: Column, decimal: str) -> Column:
    """Return a column as what it seems to be; in doubt as it came."""
    if column.kind == "other" or is_missing(column).all():
        return column
    try:
        found = settled(column, decimal)
    except ColumnError:
        return column
    is_coded = column.holds_words and any(
        word is not None and _CODE.fullmatch(word) for word in column.values
    )
    return column if is_coded else found
