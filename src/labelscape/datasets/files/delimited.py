"""Delimited text into columns, with no more than Python's own reader of it.

A file is read in pieces of some thousand cells. A column counts as numbers until a
cell says otherwise; if that happens late, the file is read once more, because the
digits of the cells before ("007") are gone.
"""

import csv
import io
import re
import warnings
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import FileName, InputError, InputWarning, Setting
from labelscape._core.rules import Rule, check_argument, either, one_of, whole
from labelscape.datasets._columns import (
    Column,
    ColumnKey,
    check_unique,
    find_position,
    name_unnamed,
)
from labelscape.datasets._kinds import is_number, to_number
from labelscape.datasets.files.surroundings import (
    Line,
    n_titles,
    table_lines,
    warn_of_notes,
    warn_of_titles,
)
from labelscape.datasets.files.text_file import (
    check_encoding,
    check_packing,
    delimiters,
    likely_delimiter,
    likely_encodings,
    opened,
    text_lines,
)

MISSING = frozenset({"", "?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL"})

# `str.strip` alone would also take control characters off, such as \x1c.
_BLANKS = " \t\r\n\xa0"
# Of so few digits that a float holds them all.
_WHOLE = re.compile(r"0|-?[1-9]\d{0,14}", re.ASCII)
_SNIFFED_LINES = 20
_CELLS_PER_PIECE = 20_000


@dataclass(frozen=True)
class CsvOptions:
    """How a text file or a sheet is written; None stands for "look and see"."""

    delimiter: str | None = None
    decimal: str = "."
    encoding: str | None = None
    header: bool | None = None
    missing_values: tuple[str, ...] = ()
    skip: int | None = None
    skip_footer: int | None = None
    sheet: str | int | None = None


def csv_columns(
    path: Path, options: CsvOptions, words: Collection[ColumnKey] = ()
) -> list[Column]:
    """Read a delimited text file; the columns in ``words`` stay words."""
    check_packing(path)
    problem: UnicodeError | None = None
    encodings = [options.encoding] if options.encoding else likely_encodings(path)
    for encoding in encodings:
        try:
            columns = _read(path, encoding, options, words)
        except UnicodeError as error:
            problem = error
            continue
        if problem is not None:
            warnings.warn(
                InputWarning(
                    FileName(path),
                    f" is not in {encodings[0]} and was read as {encoding}. Pass ",
                    Setting("encoding", encoding),
                    " if that is right, or the right one, such as ",
                    Setting("encoding", "shift_jis"),
                    ".",
                ),
                stacklevel=2,
            )
        return columns
    raise InputError(
        FileName(path),
        f" is not text in {' or '.join(encodings)} ({problem}). Pass the "
        "encoding it was written in, such as ",
        Setting("encoding", "shift_jis"),
        ".",
    )


def _read(
    path: Path, encoding: str, options: CsvOptions, words: Collection[ColumnKey]
) -> list[Column]:
    pieces = _scan(path, encoding, options, words)
    if pieces.late:
        pieces = _scan(path, encoding, options, [*words, *pieces.late])
    if not pieces.parts[0]:
        raise InputError(
            FileName(path),
            " holds a header and no rows. Check that the right file was given.",
        )
    warn_of_titles(path, pieces.titles)
    warn_of_notes(path, pieces.notes)
    lines = np.array(pieces.lines, dtype=np.int32)
    return [
        Column(
            name,
            "text" if part[0].dtype == object else "number",
            _joined(part),
            whole,
            lines=lines,
            is_named=bool(given),
        )
        for name, given, part, whole in zip(
            name_unnamed(pieces.names),
            pieces.names,
            pieces.parts,
            pieces.are_whole,
            strict=True,
        )
    ]


class _Pieces(NamedTuple):
    """What one pass through a file gives; ``late`` columns turned to words halfway.

    ``titles`` and ``notes`` were left out, above and below the table; ``lines`` are
    those at which its rows end.
    """

    names: list[str]
    parts: list[list[NDArray[Any]]]
    late: list[int]
    are_whole: list[bool]
    titles: list[str]
    notes: list[str]
    lines: list[int]


def _scan(
    path: Path, encoding: str, options: CsvOptions, words: Collection[ColumnKey]
) -> _Pieces:
    with (
        opened(path) as raw,
        io.TextIOWrapper(raw, encoding=encoding, newline="") as text,
    ):
        try:
            return _pieces(text, path, options, words)
        except csv.Error as error:
            raise InputError(
                FileName(path),
                f" is not a well-formed table: {error}. Look for a quotation mark "
                "that is opened and not closed.",
            ) from error


def _pieces(
    text: IO[str], path: Path, options: CsvOptions, words: Collection[ColumnKey]
) -> _Pieces:
    reader, delimiter, skipped, titles = _reader(text, path, options)
    names, first_rows = _header(reader, path, options.header)
    wordy = set()
    for key in words:
        with suppress(ValueError):  # whoever needs an absent column will say so
            wordy.add(find_position(name_unnamed(names), key, role="column"))
    pools: list[dict[str, str]] = [{} for _ in names]
    found = _Pieces(
        names, [[] for _ in names], [], [True for _ in names], titles, [], []
    )
    lines = ((skipped + reader.line_num, row) for row in chain(first_rows, reader))
    told = table_lines(lines, len(names), options.skip_footer, found.notes)
    rows = _even_rows(told, len(names), delimiter, path)
    n_rows = min(1000, max(64, _CELLS_PER_PIECE // len(names)))
    missing = MISSING.union(options.missing_values)
    while piece := list(islice(rows, n_rows)):
        found.lines.extend(line for line, _ in piece)
        for i, cells in enumerate(zip(*(row for _, row in piece), strict=True)):
            numbers = None if i in wordy else _numbers(cells, options, missing)
            if numbers is None and i not in wordy:
                wordy.add(i)
                if found.parts[i]:
                    found.late.append(i)
            found.parts[i].append(
                _words(cells, missing, pools[i]) if numbers is None else numbers
            )
            if found.are_whole[i]:
                known = numbers is not None and _are_whole(cells, missing)
                found.are_whole[i] = known
    return found


def _reader(
    text: IO[str], path: Path, options: CsvOptions
) -> tuple[Any, str, int, list[str]]:
    """Return a reader of cells, the delimiter, and what was skipped before it.

    That is a number of lines, and those of them that nobody said to skip.
    """
    rest = text_lines(text, path)
    skipped = sum(1 for _ in islice(rest, options.skip or 0))
    head = list(islice(rest, _SNIFFED_LINES))
    titles, delimiter = _titles(head, path, options)
    if titles:
        skipped, head = len(titles), head[len(titles) :]
    lines: Iterator[str] = chain(head, rest)
    if delimiter == " ":  # a run of blanks is one delimiter
        lines = (line.strip(" \r\n") for line in lines)
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    return reader, delimiter, skipped, [line for one in titles if (line := one.strip())]


def _titles(head: list[str], path: Path, options: CsvOptions) -> tuple[list[str], str]:
    """Return the first lines, if they are clearly no part of a table; its delimiter."""
    usual = options.delimiter or likely_delimiter(head, path)
    if options.skip is not None or options.header is False or usual == " ":
        return [], usual
    for delimiter in [options.delimiter] if options.delimiter else delimiters(usual):
        reader = csv.reader(head, delimiter=delimiter, skipinitialspace=True)
        with suppress(csv.Error):  # a wide line that it does not cut at all
            rows = [(reader.line_num, row) for row in reader if row]
            cells = [row for _, row in rows]
            if k := n_titles(cells):
                return head[: rows[k - 1][0]], delimiter
            if delimiter == usual and len({len(row) for row in cells}) == 1 < len(
                cells[0]
            ):
                break  # a table as it should be
    return [], usual


def _header(
    reader: Any, path: Path, header: bool | None
) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns, and the first row if it holds no names."""
    return header_names(next((row for row in reader if row), []), path, header)


def header_names(
    first: list[str], path: Path, header: bool | None
) -> tuple[list[str], list[list[str]]]:
    """Return what the first row of a table says: names, and itself if it has none."""
    names = [name.strip(_BLANKS) for name in first]
    if not any(names):
        raise InputError(
            FileName(path),
            " is empty: no header and no rows. Check that the right file was given.",
        )
    if header is False:
        return [f"x{i + 1}" for i in range(len(first))], [first]
    if header is None and _is_row(names):
        raise InputError(
            "The first line of ",
            FileName(path),
            " holds numbers where column names were expected. Pass ",
            Setting("header", False),
            " if the file has no names (they become x1, x2, …), or ",
            Setting("header", True),
            " if these are the names.",
        )
    check_unique(names, "The header of ", FileName(path))
    return names, []


_BELOW = ("pass ", Setting("skip_footer", 1), " if it stands below the table, ")


def _is_row(names: list[str]) -> bool:
    """Whether names of columns look like a row: all numbers, or one of them twice."""
    numbers = [name for name in names if is_number(name)]
    return len(numbers) == len(names) or len(set(numbers)) < len(numbers)


def _even_rows(
    lines: Iterator[Line], n_fields: int, delimiter: str, path: Path
) -> Iterator[Line]:
    for line, row in lines:
        if len(row) != n_fields:
            raise InputError(
                f"Line {line} of ",
                FileName(path),
                f" has {len(row)} field{'s' * (len(row) != 1)}, but the header has "
                f"{n_fields} (delimiter {delimiter!r}). Mend the line, ",
                *(_BELOW if len(row) < n_fields else ()),
                "or pass the right delimiter, such as ",
                Setting("delimiter", ";" if delimiter == "," else ","),
                ".",
            )
        yield line, row


def _numbers(
    cells: Sequence[str], options: CsvOptions, missing: Collection[str]
) -> NDArray[np.float64] | None:
    """Return the cells as numbers with NaN for missing, or None if one is neither."""
    if options.decimal == ",":
        cells = [cell.replace(",", ".") for cell in cells]
    if not options.missing_values:
        with suppress(ValueError):
            numbers = np.fromiter(map(float, cells), np.float64, len(cells))
            # `float` also reads 1_000, which in a table is a name.
            return None if "_" in "".join(cells) else numbers
    try:
        return np.fromiter(
            (
                np.nan if cell.strip(_BLANKS) in missing else to_number(cell)
                for cell in cells
            ),
            np.float64,
            len(cells),
        )
    except ValueError:
        return None


def _are_whole(cells: Sequence[str], missing: Collection[str]) -> bool:
    """Whether all cells are spelled as Python spells whole numbers, or are missing."""
    return all(
        _WHOLE.fullmatch(word) or word in missing
        for word in (cell.strip(_BLANKS) for cell in cells)
    )


def _words(
    cells: Sequence[str], missing: Collection[str], pool: dict[str, str]
) -> NDArray[Any]:
    """Return the cells as words, each kept in memory once, with None for missing."""
    words = np.empty(len(cells), dtype=object)
    words[:] = [
        None
        if (word := cell.strip(_BLANKS)) in missing
        else pool.setdefault(word, word)
        for cell in cells
    ]
    return words


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    joined = np.concatenate(parts)
    parts.clear()  # one column at a time is held twice, not the whole table
    return joined


# What a user says about a text file, checked.

DELIMITER = Rule(
    "one character",
    lambda value: (
        value is None
        or (isinstance(value, str) and len(value) == 1 and value not in '\r\n"')
    ),
)
ENCODING = Rule(
    "the name of an encoding, or None",
    lambda value: value is None or (isinstance(value, str) and "\0" not in value),
)
LIST = Rule(
    "a list",
    lambda value: not isinstance(value, str) and isinstance(value, Sequence),
)
LINES = either(whole(0, 10**9), one_of(None))
SHEET = Rule(
    "the name of a sheet, or its number from 1",
    lambda value: (
        value is None
        or isinstance(value, str)
        or (isinstance(value, int) and not isinstance(value, bool) and value >= 1)
    ),
)


def checked_options(
    owner: str,
    delimiter: str | None,
    decimal: str,
    encoding: str | None,
    header: bool | None,
    missing_values: Sequence[str] = (),
    skip: int | None = None,
    skip_footer: int | None = None,
    sheet: str | int | None = None,
) -> CsvOptions:
    """Return how a text file or a sheet is written, or say what cannot be."""
    check_argument(owner, "decimal", decimal, one_of(".", ","))
    check_argument(owner, "delimiter", delimiter, DELIMITER)
    check_argument(owner, "encoding", encoding, ENCODING)
    check_argument(owner, "header", header, one_of(None, True, False))
    check_argument(owner, "missing_values", missing_values, LIST)
    check_argument(owner, "skip", skip, LINES)
    check_argument(owner, "skip_footer", skip_footer, LINES)
    check_argument(owner, "sheet", sheet, SHEET)
    check_encoding(encoding)
    if delimiter == decimal:
        raise InputError(
            Setting("delimiter"),
            " and ",
            Setting("decimal"),
            f" are both {decimal!r}. Give two different signs.",
            owner=owner,
            parameter="delimiter",
        )
    return CsvOptions(
        delimiter,
        decimal,
        encoding,
        header,
        tuple(missing_values),
        skip,
        skip_footer,
        sheet,
    )
