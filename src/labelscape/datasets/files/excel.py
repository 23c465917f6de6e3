"""Sheets of Excel files as columns, read with calamine.

The types of cells are used, but the types of words are detected as in a text file.
calamine loads a whole sheet, so the unpacked size of the file and the extent of its
cells are checked first.
"""

import re
import warnings
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import FileName, InputError, InputWarning, Setting
from labelscape.datasets._columns import Column, in_words, name_unnamed
from labelscape.datasets._kinds import is_number, number_word, to_number
from labelscape.datasets._options import ReadingOptions
from labelscape.datasets.files.arrays import exact_words
from labelscape.datasets.files.layout import refuse_samples_in_columns
from labelscape.datasets.files.surroundings import (
    n_titles,
    table_lines,
    warn_of_notes,
    warn_of_titles,
)
from labelscape.datasets.files.text import (
    MISSING,
    ParsedText,
    cells_of_samples,
    cutting,
    header_names,
    nothing_in,
)

if TYPE_CHECKING:
    import polars as pl

# Sheets are XML and compress well. Files that compress even better are rejected if they
# are large.
_BEST_PACKING = 100
_LARGE = 2**27
_LARGEST = 2**31
_MOST_ROWS = 2**20  # limit of Excel; a file may declare more
# A sheet with more cells is rejected.
_MOST_CELLS = 5 * 10**7
_OLD = b"\xd0\xcf\x11\xe0"
_SNIFFED_ROWS = 20
_BLANKS = " \t\r\n\xa0"  # as in a text file
# Text of calamine before a time without a date, and after a date without a time.
_NO_DATE, _NO_TIME = "1899-12-31 ", " 00:00:00"


def excel_columns(path: Path, reading: ReadingOptions) -> list[Column]:
    """Return the columns of a sheet of an Excel file."""
    _check_archive(path)
    try:
        return _columns(path, reading)
    except (InputError, MemoryError):
        raise
    except BaseException as error:  # readers of XML and zip raise many kinds of errors
        is_panic = type(error).__name__ == "PanicException"  # raised by calamine
        if not (is_panic or isinstance(error, Exception)):
            raise
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(
            FileName(path),
            f" is a damaged Excel file ({reason[:120]}). Open it in a spreadsheet and "
            "save it again.",
        ) from error


def _columns(path: Path, reading: ReadingOptions) -> list[Column]:
    book = _Book(path)
    sheet = book.sheet(reading.sheet)
    rows, margin = book.words(sheet)
    start = min(reading.skip or 0, len(rows))
    filled = [i for i in range(start, len(rows)) if any(rows[i])]
    if reading.transpose:
        kept = filled[: len(filled) - (reading.skip_footer or 0)]
        grid = _Cells(book, sheet, kept).words(rows, margin)
        samples = cells_of_samples(grid, path, reading)
        return ParsedText(path, cutting(reading), *samples).read(reading)
    above = 0
    if reading.skip is None and reading.header is not False:
        above = n_titles([rows[i] for i in filled[:_SNIFFED_ROWS]])
    warn_of_titles(path, [" ".join(filter(None, rows[i])) for i in filled[:above]])
    first = filled[above] if filled else 0
    width = max((len(rows[i]) for i in filled[above:]), default=0)
    header = _even(rows[first], width) if filled else []
    given, again = header_names(header, path, reading.header)
    body = range(first + (not again), len(rows))
    merged_from = _merged_from(sheet.merged, rows, body, margin)
    for (i, j), top in merged_from.items():
        rows[i] = _even(rows[i], j + 1)
        rows[i][j] = rows[top][j]
    lines = ((i, _even(rows[i], width) if any(rows[i]) else []) for i in body)
    notes: list[str] = []
    kept = [i for i, _ in table_lines(lines, width, reading.skip_footer, notes)]
    if not kept:
        raise nothing_in(path, "contains a header and no rows")
    warn_of_notes(path, notes)
    cells = _Cells(book, sheet, kept)
    missing = [*MISSING, *reading.missing_values]
    letters = [_letter(margin + j) for j in range(width)]
    columns = []
    for j, name in enumerate(name_unnamed(given, letters)):
        words = np.array([_even(rows[i], width)[j] for i in kept], dtype=object)
        words[np.isin(words, missing)] = None
        if not given[j] and all(word is None for word in words):
            continue
        from_row = np.array([merged_from.get((i, j), i) for i in kept])
        column = cells.column(name, margin + j, words, from_row)
        at = np.array(kept, dtype=np.int32) + 1
        columns.append(
            replace(column, lines=at, letter=letters[j], is_named=bool(given[j]))
        )
    if reading.transpose is None and columns:
        refuse_samples_in_columns(columns, path, reading.label)
    return columns


def _even(row: Sequence[str], width: int) -> list[str]:
    return [*row, *[""] * (width - len(row))]


def _letter(j: int) -> str:
    """Return the letters of a spreadsheet column from its number: A, B, ..., AA."""
    letters = ""
    j += 1
    while j:
        j, last = divmod(j - 1, 26)
        letters = chr(ord("A") + last) + letters
    return letters


def _number(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def _merged_from(
    merged: Sequence["_Merged"], rows: Sequence[list[str]], body: range, margin: int
) -> dict[tuple[int, int], int]:
    """Map each empty cell of merged cells to the row that contains their value."""
    tops = {}
    for letters, top, bottom in merged:
        j = _number(letters) - margin
        if top - 1 not in body or j < 0 or not "".join(rows[top - 1][j : j + 1]):
            continue
        for i in range(top, min(bottom, len(rows))):
            if any(rows[i]):
                tops[i, j] = top - 1
    return tops


class _Cells:
    """The cells of some rows, with their types."""

    def __init__(self, book: "_Book", sheet: "_Sheet", rows: Sequence[int]) -> None:
        self._rows, self._first = rows, rows[0]
        n_rows = rows[-1] - rows[0] + 1
        self._load = partial(book.load, sheet, skip_rows=rows[0], n_rows=n_rows)
        self._typed = self._load(schema_sample_rows=None)
        self._floats: dict[int, pl.Series] | None = None

    def column(
        self, name: str, at: int, words: NDArray[Any], rows: NDArray[np.intp]
    ) -> Column:
        """Return one column of a sheet; numbers in text columns keep all digits."""
        import polars as pl

        present = words != np.array(None)
        typed = self._typed.get(at)
        if typed is None or not present.any():
            return Column(name, "text", words)
        values = typed[rows - self._first]
        numbers = np.full(len(words), np.nan)
        # In a numeric column, calamine converts booleans to numbers.
        has_truths = np.isin(words[present], ["true", "false"]).any()
        if typed.dtype == bool or (typed.dtype.is_numeric() and not has_truths):
            numbers[present] = values.to_numpy()[present]
            if typed.dtype == bool:
                return Column(name, "boolean", numbers)
            exact = exact_words(numbers, numbers)
            return Column(name, "number", numbers, exact=exact)
        if typed.dtype.is_temporal() and all("-" in word for word in words[present]):
            days = values.cast(pl.Datetime("us")).to_physical().to_numpy()
            numbers[present] = days[present] / 86400e6
            return Column(name, "date", numbers)
        if any(is_number(word) for word in words[present]):
            self._spell_exactly(at, words, rows)
        return Column(name, "text", words)

    def words(self, rows: Sequence[list[str]], margin: int) -> list[list[str]]:
        """Return the cells of some rows as words; numbers have all their digits."""
        width = max(len(rows[i]) for i in self._rows)
        grid = np.array([_even(rows[i], width) for i in self._rows], dtype=object)
        for j in range(width):
            self._spell_exactly(margin + j, grid[:, j], np.array(self._rows))
        return grid.tolist()  # type: ignore[no-any-return]

    def _spell_exactly(self, at: int, words: NDArray[Any], rows: Any) -> None:
        """Restore numbers in text columns, which calamine rounds to nine digits."""
        if self._floats is None:
            self._floats = self._load(dtypes="float")
        floats = self._floats[at][rows - self._first]
        for i, (word, number) in enumerate(zip(words, floats, strict=True)):
            if number is not None and word is not None and is_number(word):
                words[i] = word if to_number(word) == number else number_word(number)


# The file and its sheets.


_Merged = tuple[str, int, int]  # merged cells of one column: first and last row


class _Sheet(NamedTuple):
    """A sheet and its merged cells."""

    name: str
    merged: list[_Merged]


class _Book:
    """A workbook whose sheets fit in memory."""

    def __init__(self, path: Path) -> None:
        import fastexcel

        self._path = path
        self._book = fastexcel.read_excel(path.read_bytes())

    def sheet(self, wanted: str | int | None) -> _Sheet:
        """Return the wanted sheet, or the first with a table; warn of other tables."""
        with zipfile.ZipFile(self._path) as archive:
            parts = _parts(archive)
            if wanted is not None:
                at = _place(wanted, [name for name, *_ in parts], self._path)
                parts = parts[at : at + 1]
            visible = [part for part in parts if part[1]] or parts
            sheets = [
                _Sheet(name, _scan(archive, part, self._path))
                for name, _, part in visible
            ]
        if wanted is not None:
            return sheets[0]
        widths = [_widths(self.words(sheet, 50)[0]) for sheet in sheets]
        pairs = list(zip(sheets, widths, strict=True))
        # Tables have 2 rows of 2 cells or more. Without any, a nonempty sheet is used.
        tables = [s for s, w in pairs if sum(width > 1 for width in w) > 1]
        tables = tables or [sheet for sheet, w in pairs if w]
        if not tables:
            raise nothing_in(self._path, "is empty: no header and no rows")
        if others := [sheet.name for sheet in tables[1:]]:
            warnings.warn(
                InputWarning(
                    FileName(self._path),
                    f": read sheet {tables[0].name!r}. For another sheet, pass ",
                    Setting("sheet", others[0]),
                    f". Other sheets: {in_words(others)}." if others[1:] else ".",
                ),
                stacklevel=4,
            )
        return tables[0]

    def words(
        self, sheet: _Sheet, n_rows: int | None = None
    ) -> tuple[list[list[str]], int]:
        """Return rows as words, and the number of empty columns omitted on the left."""
        series = self.load(sheet, dtypes="string", skip_rows=0, n_rows=n_rows)
        cells = [[_word(cell) for cell in one] for one in series.values()]
        places = [at for at, one in zip(series, cells, strict=True) if any(one)]
        margin = min(places, default=0)
        rows = []
        for cut in zip(*cells[margin - min(series, default=0) :], strict=True):
            row = list(cut)
            while row and not row[-1]:
                row.pop()
            rows.append(row)
        return rows, margin

    def load(self, sheet: _Sheet, **how: Any) -> "dict[int, pl.Series]":
        """Return columns by their position in the sheet; none if types conflict."""
        import fastexcel

        try:
            loaded = self._book.load_sheet(sheet.name, header_row=None, **how)
        except fastexcel.UnsupportedColumnTypeCombinationError:
            return {}
        places = [column.absolute_index for column in loaded.available_columns()]
        return dict(zip(places, loaded.to_polars().get_columns(), strict=True))


def _parts(archive: zipfile.ZipFile) -> list[tuple[str, bool, str]]:
    """Return the name, visibility and archive file of each sheet."""
    with archive.open("xl/_rels/workbook.xml.rels") as file:
        links = {one.get("Id"): one for one in ElementTree.parse(file).iter()}
    with archive.open("xl/workbook.xml") as file:
        tags = [*ElementTree.parse(file).iter()]
    parts = []
    for tag in tags:
        link = next((v for k, v in tag.items() if k.endswith("}id")), None)
        target = links.get(link)
        if tag.tag.endswith("}sheet") and target is not None:
            part = str(target.get("Target")).removeprefix("/xl/")
            if str(target.get("Type")).endswith("/worksheet"):
                state = tag.get("state", "visible")
                parts.append((str(tag.get("name")), state == "visible", f"xl/{part}"))
    return parts


_PLACE = re.compile(rb"""\br=["']([A-Za-z]{0,6})(\d+)["']""")
_MERGE = re.compile(rb'<(?:\w+:)?mergeCell [^>]*?ref="([A-Z]+)(\d+):([A-Z]+)(\d+)"')


def _scan(archive: zipfile.ZipFile, part: str, path: Path) -> list[_Merged]:
    """Return the merged cells of a sheet; reject a sheet that is too large."""
    merged: list[_Merged] = []
    columns, rows, rest = {b"A"}, {b"1"}, b""
    with archive.open(part) as file:
        while chunk := file.read(2**22):
            text = rest + chunk
            for column, row in _PLACE.findall(text):
                columns.add(column)
                rows.add(row)
            for match in _MERGE.finditer(text):
                left, top, right, bottom = (one.decode() for one in match.groups())
                if left == right and len(merged) < _MOST_ROWS:
                    merged.append((left, int(top), int(bottom)))
            # A tag may continue in the next chunk.
            rest = text[max(text.rfind(b"<"), len(text) - 200) :]
    last_row = max(map(int, rows))
    if last_row > _MOST_ROWS:
        raise InputError(
            FileName(path), f" has more than {_MOST_ROWS:,} rows. Save it as CSV."
        )
    width = 1 + max(_number(column.decode()) for column in columns)
    if last_row * width > _MOST_CELLS:
        raise InputError(
            FileName(path),
            f" has a sheet that reaches to row {last_row:,} and column "
            f"{_letter(width - 1)}: {last_row * width:,} cells, more than can be read. "
            "If a cell far from the table is filled in by mistake, delete its row and "
            "column; otherwise, save the sheet as CSV.",
        )
    return list(dict.fromkeys(merged))


def _word(cell: str | None) -> str:
    """Return a cell as it would be written in a text file."""
    if cell is None:
        return ""
    return cell.strip(_BLANKS).removeprefix(_NO_DATE).removesuffix(_NO_TIME)


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the number of cells of each nonempty row, from its first nonempty cell."""
    starts = [next((i for i, cell in enumerate(row) if cell), 0) for row in rows]
    return [len(row) - i for row, i in zip(rows, starts, strict=True) if row]


def _place(wanted: str | int, names: Sequence[str], path: Path) -> int:
    if wanted in names:
        return names.index(str(wanted))
    number = int(wanted) if str(wanted).isdecimal() else 0
    if not 1 <= number <= len(names):
        raise InputError(
            Setting("sheet"),
            ": ",
            FileName(path),
            f" has no sheet {wanted!r}. Choose a name ({in_words(names, 10)}) or a "
            "number from 1.",
            parameter="sheet",
        )
    return number - 1


def _check_archive(path: Path) -> None:
    with path.open("rb") as file:
        start = file.read(4)
    if start == _OLD:
        raise InputError(
            FileName(path),
            " is an old (.xls) or an encrypted Excel file. Open it in a "
            "spreadsheet, remove the password, and save it as .xlsx or CSV.",
        )
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise InputError(
            FileName(path),
            f" is not a readable Excel file ({error}). Save it again as .xlsx.",
        ) from error
    packed = sum(part.compress_size for part in parts)
    size = sum(part.file_size for part in parts)
    if size > min(_LARGEST, max(_LARGE, _BEST_PACKING * packed)):
        raise InputError(
            FileName(path),
            f" expands from {packed:,} to {size:,} bytes, unlike any real table. If "
            "you trust the file, save its sheet as CSV.",
        )
