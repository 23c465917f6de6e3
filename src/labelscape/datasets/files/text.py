"""Columns of delimited text files: Python splits the lines, polars reads numbers.

Compression, encoding, delimiter, titles and notes are detected. Python's csv module
splits the lines, because it reports line numbers and unclosed quotation marks.
"""

import csv
import gzip
import io
import json
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import FileName, InputError, InputWarning, Setting
from labelscape._core.output import write_atomically
from labelscape.datasets._columns import (
    Column,
    check_unique,
    name_unnamed,
)
from labelscape.datasets._kinds import is_number, pooled, to_number
from labelscape.datasets._options import ReadingOptions
from labelscape.datasets.files.layout import refuse_samples_in_columns
from labelscape.datasets.files.surroundings import (
    Line,
    n_titles,
    table_lines,
    warn_of_notes,
    warn_of_titles,
)

if TYPE_CHECKING:
    import polars as pl

TEXT = {".csv", ".tsv", ".tab", ".txt", ".data", ".dat"}
_DELIMITERS = (",", ";", "\t", "|")
_TABBED = (".tsv", ".tab")
_LONGEST_LINE = 2**26
# Larger content is rejected if it compresses better than tables usually do.
_LARGE = 2**27
_BEST_PACKING = 200
_MARKS = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}


def file_format(path: Path) -> str:
    """Return the extension of a file name, without .gz."""
    return Path(path.name.lower().removesuffix(".gz")).suffix


def is_text(path: Path) -> bool:
    """Return whether a file name is that of a text file, compressed or not."""
    return file_format(path) in TEXT


def _content(path: Path) -> bytes:
    """Return the bytes of a file, uncompressed."""
    content = path.read_bytes()
    if not content.startswith(b"\x1f\x8b"):
        return content
    most = max(_LARGE, _BEST_PACKING * len(content))
    try:
        with gzip.open(io.BytesIO(content)) as file:
            while file.read(2**20):  # the size is checked before memory is used
                if file.tell() > most:
                    raise InputError(
                        FileName(path),
                        f" expands from {len(content):,} to more than {most:,} bytes, "
                        "unlike any real table. If you trust it, unpack it first.",
                    )
            file.seek(0)
            return file.read()
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(
            FileName(path), f" is a damaged gzip file ({error}). Copy it again."
        ) from error


def _encodings(content: bytes, path: Path) -> list[str]:
    """Return the encodings to try; only one if there is a byte order mark."""
    marked = [name for mark, name in _MARKS.items() if content.startswith(mark)]
    if not marked and b"\0" in content[:4096]:
        raise _binary(path)
    return marked[:1] or ["utf-8", "cp1252"]


def _text_lines(text: IO[str], path: Path) -> Iterator[str]:
    """Yield the lines of a text; raise a ValueError if they cannot be a table."""
    n_characters = n_controls = 0
    while line := text.readline(_LONGEST_LINE):
        if not n_characters:  # removes the byte order mark
            line = line.removeprefix("\ufeff")
        if n_characters < 4096:
            n_characters += len(line)
            n_controls += sum(
                char < " " and char not in "\t\r\n\f\x1a" for char in line
            )
        # A line without end would fill the memory before it could be rejected.
        if "\0" in line or len(line) == _LONGEST_LINE or n_controls > 4:
            raise _binary(path)
        yield line


def _likely_delimiter(head: list[str], path: Path) -> str:
    """Return the delimiter that splits the first lines into equal numbers of fields."""
    if file_format(path) in _TABBED:
        return "\t"
    best, best_score = ",", (False, 0.0, 0)
    for delimiter in _DELIMITERS:
        try:
            counts = [len(row) for row in csv.reader(head, delimiter=delimiter) if row]
        except csv.Error:  # a line with a very long field
            continue
        fields = counts[0] if counts else 0
        agreeing = counts.count(fields) / max(len(counts), 1)
        if (score := (fields > 1, agreeing, fields)) > best_score:
            best, best_score = delimiter, score
    if not best_score[0] and head and all(" " in line.strip() for line in head):
        return " "
    return best


def nothing_in(path: Path, state: str) -> InputError:
    """Return the error for a file without a table."""
    return InputError(FileName(path), f" {state}. Check that the right file was given.")


def _binary(path: Path) -> ValueError:
    return InputError(
        FileName(path),
        " is not a text table: it contains binary data. Give a CSV file, or "
        "pass its encoding, such as ",
        Setting("encoding", "utf-16-le"),
        ".",
    )


MISSING = frozenset({"", "?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL"})

# `str.strip` alone would also remove control characters, such as \x1c.
_BLANKS = " \t\r\n\xa0"
# Numbers that polars reads in the same way as Python.
_PLAIN = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_SNIFFED_LINES = 20
_CELLS_PER_PIECE = 20_000
_SAMPLE = "Sample"  # the name of the sample column, if its cell is empty


@dataclass(frozen=True)
class ParsedText:
    """The cells of a text file, to be used instead of reading the file again."""

    # The file is opened again only if options change how it is split into cells.

    path: Path
    reading: ReadingOptions  # how the file was split
    names: list[str]  # the names in the header, some of which may be empty
    # Its cells, and the last line number of each row.
    words: "pl.DataFrame"
    lines: NDArray[np.int32]

    @classmethod
    def of(cls, path: Path, reading: ReadingOptions) -> Self | None:
        """Split a file into cells; None if its name is not that of a text file."""
        return cls.cut(path, reading) if is_text(path) else None

    @classmethod
    def cut(cls, path: Path, reading: ReadingOptions) -> Self:
        """Split a file into cells, whatever its name."""
        content = _content(path)
        problem: UnicodeError | None = None
        wanted = reading.encoding
        encodings = [wanted] if wanted else _encodings(content, path)
        for encoding in encodings:
            text = io.TextIOWrapper(io.BytesIO(content), encoding=encoding, newline="")
            try:
                cells = _cells_by_sample(text, path, reading)
            except UnicodeError as error:
                problem = error
                continue
            if problem is not None:
                warnings.warn(
                    InputWarning(
                        FileName(path),
                        f" is not in {encodings[0]} and was read as {encoding}. Pass ",
                        Setting("encoding", encoding),
                        " to confirm this, or the right encoding, such as ",
                        Setting("encoding", "shift_jis"),
                        ".",
                    ),
                    stacklevel=2,
                )
            return cls(path, cutting(reading), *cells)
        raise InputError(
            FileName(path),
            f" is not text in {' or '.join(encodings)} ({problem}). Pass the "
            "encoding of the file, such as ",
            Setting("encoding", "shift_jis"),
            ".",
        )

    def read(self, reading: ReadingOptions) -> list[Column]:
        """Return the columns of the file."""
        if cutting(reading) != self.reading:
            return self.cut(self.path, reading).read(reading)

        missing = [*MISSING, *reading.missing_values]
        columns = []
        for name, given, words in zip(
            name_unnamed(self.names), self.names, self.words.iter_columns(), strict=True
        ):
            if (is_missing := words.is_in(missing)).any():
                words = words.set(is_missing, None)
            numbers = _numbers(words, reading.decimal == ",")
            column = (
                Column(name, "text", pooled(words))
                if numbers is None
                else Column(name, "number", numbers, spelled=words)
            )
            lines = None if reading.transpose else self.lines
            columns.append(replace(column, lines=lines, is_named=bool(given)))
        if reading.transpose is None:
            refuse_samples_in_columns(columns, self.path, reading.label)
        return columns

    def write(self, target: Path) -> None:
        """Write the cells to a file; a crash does not damage an existing file."""
        import polars as pl

        # The name of the last column describes the other columns.
        about = json.dumps([_writer(), self.reading.to_json(), self.names])
        content = io.BytesIO()
        self.words.with_columns(pl.Series(about, self.lines)).write_parquet(content)
        write_atomically(target, content.getvalue())

    @classmethod
    def load(cls, source: Path, path: Path, reading: ReadingOptions) -> Self | None:
        """Return the cells that `write` wrote; None if they cannot be used."""
        import polars as pl

        how_cut = cutting(reading)
        try:
            *words, lines = pl.read_parquet(source.read_bytes()).get_columns()
            writer, how, names = json.loads(lines.name)
            if [writer, how] != [_writer(), how_cut.to_json()]:
                return None
            return cls(path, how_cut, names, pl.DataFrame(words), lines.to_numpy())
        except (Exception, pl.exceptions.PanicException):  # any kind of damage
            return None


def cutting(reading: ReadingOptions) -> ReadingOptions:
    """Return the options that affect how a file is split into cells."""
    written = replace(reading.of_file, decimal=".", missing_values=(), sheet=None)
    return replace(written, transpose=reading.transpose or None)


def _writer() -> str:
    """Return the version of the code that splits files, to recognize old results."""
    from labelscape import __version__

    return f"labelscape {__version__}, form 3"


def _cells_by_sample(
    text: IO[str], path: Path, reading: ReadingOptions
) -> "tuple[list[str], pl.DataFrame, NDArray[np.int32]]":
    """Return column names, cells with one row per sample, and line numbers."""
    if not reading.transpose:
        return _cells(text, path, reading)
    _, cells, _ = _cells(text, path, replace(reading, header=False))
    return cells_of_samples(cells.rows(), path, reading)


def cells_of_samples(
    rows: Sequence[Sequence[str]], path: Path, reading: ReadingOptions
) -> "tuple[list[str], pl.DataFrame, NDArray[np.int32]]":
    """Return names, cells and row numbers of a table whose samples are in columns."""
    import polars as pl

    first = [row[0] for row in rows]
    first[0] = first[0] or _SAMPLE
    names, again = header_names(first, path, reading.header)
    start = 0 if again else 1
    if len(rows[0]) == start:
        raise nothing_in(path, "contains one column and no samples")
    cells = pl.DataFrame({str(j): row[start:] for j, row in enumerate(rows)})
    return names, cells, np.arange(len(cells), dtype=np.int32)


def _cells(
    text: IO[str], path: Path, reading: ReadingOptions
) -> "tuple[list[str], pl.DataFrame, NDArray[np.int32]]":
    """Return the names in a header, the cells below, and line numbers of rows."""
    import polars as pl

    parts: list[pl.DataFrame] = []
    at: list[int] = []
    notes: list[str] = []
    try:
        reader, delimiter, skipped, titles = _reader(text, path, reading)
        first: list[str] = next((row for row in reader if row), [])
        names, again = header_names(first, path, reading.header)
        lines = ((skipped + reader.line_num, row) for row in chain(again, reader))
        rows = table_lines(lines, len(names), reading.skip_footer, notes)
        keys = list(map(str, range(len(names))))
        while piece := list(islice(rows, max(64, _CELLS_PER_PIECE // len(names)))):
            ends, cells = zip(*piece, strict=True)
            if {*map(len, cells)} != {len(names)}:
                raise _uneven(piece, len(names), delimiter, path)
            at.extend(ends)
            columns = zip(*cells, strict=True)
            part = pl.DataFrame(dict(zip(keys, columns, strict=True)))
            parts.append(part.select(pl.all().str.strip_chars(_BLANKS)))
    except csv.Error as error:
        raise InputError(
            FileName(path),
            f" is not a well-formed table: {error}. Look for a quotation mark that is "
            "opened and not closed.",
        ) from error
    if not parts:
        raise nothing_in(path, "contains a header and no rows")
    warn_of_titles(path, titles)
    warn_of_notes(path, notes)
    return names, pl.concat(parts), np.array(at, dtype=np.int32)


def _reader(
    text: IO[str], path: Path, reading: ReadingOptions
) -> tuple[Any, str, int, list[str]]:
    """Return a csv reader, the delimiter, the number of skipped lines, and titles."""
    rest = _text_lines(text, path)
    skipped = sum(1 for _ in islice(rest, reading.skip or 0))
    head = list(islice(rest, _SNIFFED_LINES))
    titles, delimiter = _titles(head, path, reading)
    if titles:
        skipped, head = len(titles), head[len(titles) :]
    lines: Iterator[str] = chain(head, rest)
    if delimiter == " ":  # consecutive blanks are one delimiter
        lines = (line.strip(" \r\n") for line in lines)
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    return reader, delimiter, skipped, [line for one in titles if (line := one.strip())]


def _titles(
    head: list[str], path: Path, reading: ReadingOptions
) -> tuple[list[str], str]:
    """Return the lines that are clearly titles above the table, and the delimiter."""
    usual = reading.delimiter or _likely_delimiter(head, path)
    if reading.skip is not None or reading.header is False or usual == " ":
        return [], usual
    others = () if reading.delimiter else _DELIMITERS
    for delimiter in dict.fromkeys([usual, *others]):
        reader = csv.reader(head, delimiter=delimiter, skipinitialspace=True)
        with suppress(csv.Error):  # a line with a very long field
            rows = [(reader.line_num, row) for row in reader if row]
            cells = [row for _, row in rows]
            if k := n_titles(cells):
                return head[: rows[k - 1][0]], delimiter
            if delimiter == usual and len({len(row) for row in cells}) == 1 < len(
                cells[0]
            ):
                break  # a regular table
    return [], usual


def header_names(
    first: list[str], path: Path, header: bool | None
) -> tuple[list[str], list[list[str]]]:
    """Return the column names, and a list with the first row if it contains values."""
    names = [name.strip(_BLANKS) for name in first]
    if not any(names):
        raise nothing_in(path, "is empty: no header and no rows")
    if header is False:
        return [f"x{i + 1}" for i in range(len(first))], [first]
    if header is None and _is_row(names):
        raise InputError(
            "The first line of ",
            FileName(path),
            " contains numbers where column names were expected. Pass ",
            Setting("header", False),
            " if the file has no names (they become x1, x2, …), or ",
            Setting("header", True),
            " if these are the names.",
        )
    check_unique(names, "The header of ", FileName(path))
    return names, []


_BELOW = ("pass ", Setting("skip_footer", 1), " if it is below the table, ")


def _is_row(names: list[str]) -> bool:
    """Whether column names look like values: all are numbers, or a number repeats."""
    numbers = [name for name in names if is_number(name)]
    return len(numbers) == len(names) or len(set(numbers)) < len(numbers)


def _uneven(
    piece: Sequence[Line], n_fields: int, delimiter: str, path: Path
) -> InputError:
    """Return the error for the first row with a different number of cells."""
    line, row = next((line, row) for line, row in piece if len(row) != n_fields)
    return InputError(
        f"Line {line} of ",
        FileName(path),
        f" has {len(row)} field{'s' * (len(row) != 1)}, but the header has "
        f"{n_fields} (delimiter {delimiter!r}). Correct the line, ",
        *(_BELOW if len(row) < n_fields else ()),
        "or pass the right delimiter, such as ",
        Setting("delimiter", ";" if delimiter == "," else ","),
        ".",
    )


def _numbers(words: "pl.Series", has_commas: bool) -> NDArray[np.float64] | None:
    """Convert words to numbers (NaN for missing); None if a word is not a number."""
    import polars as pl

    if has_commas:
        words = words.str.replace_all(",", ".", literal=True)
    if words.str.contains(_PLAIN).all():
        return words.cast(pl.Float64).to_numpy()
    number: dict[str | None, float] = {None: np.nan}
    try:
        for word in words.unique(maintain_order=True):
            number[word] = np.nan if word is None else to_number(word)
    except ValueError:
        return None
    return np.fromiter(map(number.__getitem__, words), np.float64, len(words))
