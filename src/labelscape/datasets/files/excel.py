"""Sheets of an Excel file into columns.

Cells have types, which are believed; only words may mean something else, as in a text
file. What a file unpacks to is measured before anything is unpacked.
"""

import warnings
import zipfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import missing_extra
from labelscape._core.errors import FileName, InputError, InputWarning, Setting
from labelscape.datasets._columns import Column, in_words
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

Row = list[Any]


def excel_columns(path: Path, options: CsvOptions) -> list[Column]:
    """Return the columns of a sheet of an Excel file."""
    with _workbook(path) as book:
        sheet, others = _sheet(book, options.sheet, path)
        rows = _rows(sheet, path)
    _warn_of_sheets(path, sheet.title, others)
    rows = rows[options.skip or 0 :]
    words = [[_word(cell) for cell in row] for row in rows]
    filled = [i for i, row in enumerate(words) if any(row)]
    above = _above(words, filled, options)
    warn_of_titles(path, [" ".join(filter(None, words[i])) for i in filled[:above]])
    first = filled[above] if filled else 0
    width = max(map(len, words[first:]), default=0)
    even = [row + [""] * (width - len(row)) for row in words]
    names, again = header_names(even[first] if even else [], path, options.header)
    body = ((i, even[i] if any(even[i]) else []) for i in range(first, len(even)))
    notes: list[str] = []
    kept = table_lines(islice(body, not again, None), width, options.skip_footer, notes)
    places = [at for at, _ in kept]
    if not places:
        raise InputError(
            FileName(path),
            " holds a header and no rows. Check that the right file was given.",
        )
    warn_of_notes(path, notes)
    missing = MISSING | _ERRORS | set(options.missing_values)
    return [
        _column(name, _cells(rows, places, j), missing) for j, name in enumerate(names)
    ]


def _above(
    words: Sequence[Sequence[str]], filled: Sequence[int], options: CsvOptions
) -> int:
    """Return how many rows that are not empty stand above the header."""
    if options.skip is not None or options.header is False:
        return 0
    return n_titles([words[i] for i in filled[:_SNIFFED_ROWS]])


def _cells(rows: Sequence[Row], places: Sequence[int], j: int) -> list[Any]:
    return [rows[i][j] if j < len(rows[i]) else None for i in places]


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


def _rows(sheet: Any, path: Path) -> list[Row]:
    """Return the rows of a sheet, without an empty margin at the left and right."""
    rows: list[Row] = []
    for row in _sheet_rows(sheet):
        rows.append(row)
        if len(rows) > _MOST_ROWS:
            raise InputError(
                FileName(path), f" has more than {_MOST_ROWS:,} rows. Save it as CSV."
            )
    margin = min((_margin(row) for row in rows if row), default=0)
    return [row[margin:] for row in rows]


def _sheet_rows(sheet: Any) -> Iterator[Row]:
    sheet.reset_dimensions()  # what a file says of its own size may be anything
    for cells in sheet.iter_rows(values_only=True):
        row = list(cells)
        while row and row[-1] in (None, ""):
            row.pop()
        yield row
