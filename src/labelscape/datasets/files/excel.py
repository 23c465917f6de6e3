"""Sheets of an Excel file into columns.

Cells have types, which are believed; only words may mean something else, as in a text
file. What a file unpacks to is measured before anything is unpacked.
"""

import re
import warnings
import zipfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, time
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import missing_extra
from labelscape._core.errors import FileName, InputError, InputWarning, Setting
from labelscape.datasets._columns import Column, in_words, name_unnamed
from labelscape.datasets.files.arrays import exact_words
from labelscape.datasets.files.delimited import MISSING, CsvOptions, header_names
from labelscape.datasets.files.surroundings import (
    n_titles,
    table_lines,
    warn_of_notes,
    warn_of_titles,
)

# Sheets are XML, and pack well; no real ones better than this, or into more.
_BEST_PACKING = 100
_LARGE = 2**27
_LARGEST = 2**31
# What Excel itself can hold; a file may promise more.
_MOST_ROWS = 2**20
_ERRORS = frozenset(
    {"#N/A", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"}
    | {"#SPILL!", "#CALC!", "#GETTING_DATA"}
)
_OLD = b"\xd0\xcf\x11\xe0"
_SNIFFED_ROWS = 20
_EPOCH = datetime(1970, 1, 1)
# As in a text file.
_BLANKS = " \t\r\n\xa0"

# Of more cells than this, most of them empty, no table is made.
_MOST_CELLS = 5 * 10**7

# A row of a sheet by its number, counted from 1; an empty one has no cells.
Row = list[Any]
Numbered = tuple[int, Row]


def excel_columns(path: Path, options: CsvOptions) -> list[Column]:
    """Return the columns of a sheet of an Excel file."""
    with _workbook(path) as book:
        sheet, others = _sheet(book, options.sheet, path)
        rows, margin = _rows(sheet, path)
        merged = _merged(path, sheet)
    _warn_of_sheets(path, sheet.title, others)
    rows = [(number, row) for number, row in rows if number > (options.skip or 0)]
    words = [[_word(cell) for cell in row] for _, row in rows]
    filled = [i for i, row in enumerate(words) if any(row)]
    above = _above(words, filled, options)
    warn_of_titles(path, [" ".join(filter(None, words[i])) for i in filled[:above]])
    first = filled[above] if filled else 0
    width = max(map(len, words[first:]), default=0)
    _check_cells(path, len(filled), width, rows, margin)
    header = _even(words[first], width) if filled else []
    given, again = header_names(header, path, options.header)
    if _fill_merged(rows[first + (not again) :], merged, margin):
        words = [[_word(cell) for cell in row] for _, row in rows]
    body = (
        (i, _even(words[i], width) if any(words[i]) else [])
        for i in range(first, len(words))
    )
    notes: list[str] = []
    kept = table_lines(islice(body, not again, None), width, options.skip_footer, notes)
    table = [rows[at] for at, _ in kept]
    if not table:
        raise InputError(
            FileName(path),
            " holds a header and no rows. Check that the right file was given.",
        )
    warn_of_notes(path, notes)
    missing = MISSING | _ERRORS | set(options.missing_values)
    lines = np.array([number for number, _ in table], dtype=np.int32)
    letters = [_letter(margin + j) for j in range(width)]
    columns = [
        replace(
            _column(name, _cells(table, j), missing),
            lines=lines,
            letter=letters[j],
            is_named=bool(given[j]),
        )
        for j, name in enumerate(name_unnamed(given, letters))
    ]
    return [c for c in columns if c.is_named or not _is_empty(c)]


def _even(row: Sequence[str], width: int) -> list[str]:
    return [*row, *[""] * (width - len(row))]


def _is_empty(column: Column) -> bool:
    return column.kind == "text" and all(word is None for word in column.values)


def _check_cells(
    path: Path, n_rows: int, width: int, rows: Sequence[Numbered], margin: int
) -> None:
    """Refuse a sheet whose rows would have far too many cells if made even."""
    if n_rows * width <= _MOST_CELLS:
        return
    widest = next(number for number, row in rows if len(row) == width)
    raise InputError(
        FileName(path),
        f" has {n_rows:,} rows, and row {widest} reaches to column "
        f"{_letter(margin + width - 1)}: {n_rows * width:,} cells, more than can be "
        "read. If a cell far from the table is there by mistake, delete its row and "
        "column; else save the sheet as CSV.",
    )


def _letter(j: int) -> str:
    """Return what a spreadsheet calls its column number j, from 0: A, B, ..., AA."""
    letters = ""
    j += 1
    while j:
        j, last = divmod(j - 1, 26)
        letters = chr(ord("A") + last) + letters
    return letters


def _above(
    words: Sequence[Sequence[str]], filled: Sequence[int], options: CsvOptions
) -> int:
    """Return how many rows that are not empty stand above the header."""
    if options.skip is not None or options.header is False:
        return 0
    return n_titles([words[i] for i in filled[:_SNIFFED_ROWS]])


def _cells(rows: Sequence[Numbered], j: int) -> list[Any]:
    return [row[j] if j < len(row) else None for _, row in rows]


# Cells that are merged into one: the file keeps the value of the first alone.

_MERGE = re.compile(rb'<(?:\w+:)?mergeCell [^>]*?ref="([A-Z]+)(\d+):([A-Z]+)(\d+)"')


class _Merged(NamedTuple):
    """Cells of one column that are merged, from a row to another one."""

    column: str
    top: int
    bottom: int


def _merged(path: Path, sheet: Any) -> list[_Merged]:
    """Return the cells of a sheet that are merged below each other.

    openpyxl tells them only where it holds the whole sheet in memory.
    """
    merged: list[_Merged] = []
    rest = b""
    part = getattr(sheet, "_worksheet_path", "")
    with zipfile.ZipFile(path) as archive:
        if part not in archive.namelist():
            return []
        with archive.open(part) as file:
            while chunk := file.read(2**20):
                text = rest + chunk
                for found in _MERGE.finditer(text):
                    left, top, right, bottom = (one.decode() for one in found.groups())
                    if left == right and len(merged) < _MOST_ROWS:
                        merged.append(_Merged(left, int(top), int(bottom)))
                # A tag may go on in the next chunk.
                rest = text[max(text.rfind(b"<"), len(text) - 200) :]
    return list(dict.fromkeys(merged))


def _fill_merged(
    rows: Sequence[Numbered], merged: Sequence[_Merged], margin: int
) -> bool:
    """Give cells that are merged below each other their value; say if there are any."""
    at = dict(rows)
    is_filled = False
    for letters, top, bottom in merged:
        j = _number(letters) - margin
        value = at[top][j] if top in at and 0 <= j < len(at[top]) else None
        if value is None:
            continue
        for number in range(top + 1, min(bottom, rows[-1][0]) + 1):
            row = at.get(number)
            if row:  # what is empty beside it is no row of the table
                row.extend([None] * (j + 1 - len(row)))
                row[j], is_filled = value, True
    return is_filled


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


# Cells of a column into numbers, booleans, dates or words.


def _column(name: str, cells: Sequence[Any], missing: Collection[str]) -> Column:
    present = np.array([not _is_missing(cell, missing) for cell in cells], dtype=bool)
    values = np.full(len(cells), None, dtype=object)
    for i in np.flatnonzero(present).tolist():
        values[i] = cells[i]
    kinds = {type(values[i]) for i in np.flatnonzero(present)}
    numbers = np.full(len(cells), np.nan)
    if kinds == {bool}:
        numbers[present] = [float(value) for value in values[present]]
        return Column(name, "boolean", numbers)
    if kinds and kinds <= {int, float} and _to_floats(values, present, numbers):
        return Column(name, "number", numbers, exact=exact_words(values, numbers))
    if kinds and kinds <= {datetime, date}:
        numbers[present] = [_days(value) for value in values[present]]
        return Column(name, "date", numbers)
    values[present] = [_word(value) for value in values[present]]
    return Column(name, "text", values)


def _is_missing(cell: Any, missing: Collection[str]) -> bool:
    return cell is None or _word(cell) in missing


def _to_floats(
    values: NDArray[Any], present: NDArray[np.bool_], numbers: NDArray[np.float64]
) -> bool:
    try:
        numbers[present] = values[present].astype(np.float64)
    except OverflowError:  # a whole number beyond all floats
        return False
    return True


def _days(moment: date) -> float:
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day)
    return (moment.replace(tzinfo=None) - _EPOCH).total_seconds() / 86400.0


def _word(cell: Any) -> str:
    """Return a cell as a text file would spell it."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell.strip(_BLANKS)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    return cell.isoformat() if isinstance(cell, date | time) else str(cell)


# The file and its sheets.


@contextmanager
def _workbook(path: Path) -> Iterator[Any]:
    """Open an Excel file, and say what is wrong with it if it is no whole one."""
    _check_archive(path)
    try:
        import openpyxl
    except ImportError:
        missing_extra("openpyxl", "excel", f"Reading {path.name!r}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # styles and filters that it leaves out
            book = openpyxl.load_workbook(path, read_only=True, data_only=True)
            try:
                yield book
            finally:
                book.close()
    except (InputError, MemoryError):
        raise
    except Exception as error:  # readers of XML, zip and styles raise what they like
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(
            FileName(path),
            f" is a damaged Excel file ({reason[:120]}). Open it in a spreadsheet and "
            "save it anew.",
        ) from error


def _check_archive(path: Path) -> None:
    with path.open("rb") as file:
        start = file.read(4)
    if start == _OLD:
        raise InputError(
            FileName(path),
            " is an old (.xls) or an encrypted Excel file. Open it in a spreadsheet, "
            "take the password off, and save it as .xlsx or CSV.",
        )
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise InputError(
            FileName(path),
            f" is not a readable Excel file ({error}). Save it anew as .xlsx.",
        ) from error
    packed = sum(part.compress_size for part in parts)
    size = sum(part.file_size for part in parts)
    if size > min(_LARGEST, max(_LARGE, _BEST_PACKING * packed)):
        raise InputError(
            FileName(path),
            f" unpacks {packed} bytes into {size}, which no real table does. Save the "
            "sheet as CSV if you trust it.",
        )


def _sheet(book: Any, wanted: str | int | None, path: Path) -> tuple[Any, list[str]]:
    """Return the sheet that was asked for, or the first that holds a table.

    With the names of those that might have been meant as well.
    """
    sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    names = [sheet.title for sheet in book.worksheets]
    if wanted is not None:
        return book.worksheets[_place(wanted, names, path)], []
    told = [(sheet, _looks(sheet)) for sheet in sheets or book.worksheets]
    tables = [sheet for sheet, looks in told if looks == "table"]
    found = tables or [sheet for sheet, looks in told if looks == "something"]
    if not found:
        raise InputError(
            FileName(path),
            " is empty: no header and no rows. Check that the right file was given.",
        )
    return found[0], [sheet.title for sheet in found[1:]]


def _warn_of_sheets(path: Path, read: str, others: Sequence[str]) -> None:
    if others:
        warnings.warn(
            InputWarning(
                FileName(path),
                f": read sheet {read!r}. For another one, pass ",
                Setting("sheet", others[0]),
                f"; there are {in_words(others)}." if others[1:] else ".",
            ),
            stacklevel=3,
        )


def _place(wanted: str | int, names: Sequence[str], path: Path) -> int:
    if wanted in names:
        return names.index(str(wanted))
    number = int(wanted) if str(wanted).isdecimal() else 0
    if not 1 <= number <= len(names):
        raise InputError(
            Setting("sheet"),
            ": ",
            FileName(path),
            f" has no sheet {wanted!r}. There are {in_words(names, 10)}; they are "
            "counted from 1.",
            parameter="sheet",
        )
    return number - 1


def _looks(sheet: Any) -> str:
    """Return what a sheet seems to hold: a table, something, or nothing."""
    widths = [len(row) - _margin(row) for row in islice(_sheet_rows(sheet), 50) if row]
    if not widths:
        return "nothing"
    return "table" if sum(width > 1 for width in widths) > 1 else "something"


def _margin(row: Row) -> int:
    return next((j for j, cell in enumerate(row) if cell not in (None, "")), len(row))


def _rows(sheet: Any, path: Path) -> tuple[list[Numbered], int]:
    """Return the rows of a sheet without an empty margin, and how wide the left one is.

    Of empty rows that follow each other, only the first is there: a cell far below the
    table may be preceded by a million.
    """
    rows: list[Numbered] = []
    for number, row in enumerate(_sheet_rows(sheet), start=1):
        if number > _MOST_ROWS:
            raise InputError(
                FileName(path), f" has more than {_MOST_ROWS:,} rows. Save it as CSV."
            )
        if row or (rows and rows[-1][1]):
            rows.append((number, row))
    margin = min((_margin(row) for _, row in rows if row), default=0)
    return [(number, row[margin:]) for number, row in rows], margin


def _sheet_rows(sheet: Any) -> Iterator[Row]:
    sheet.reset_dimensions()  # what a file says of its own size may be anything
    for cells in sheet.iter_rows(values_only=True):
        row = list(cells)
        while row and row[-1] in (None, ""):
            row.pop()
        yield row
