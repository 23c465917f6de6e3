"""Opening a text file of unknown packing, encoding and delimiter."""

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from labelscape._core.errors import FileName, InputError, Setting

_DELIMITERS = (",", ";", "\t", "|")
_TABBED = (".tsv", ".tab")
_LONGEST_LINE = 2**26
# Real tables pack less well than this; larger ones that pack better are refused.
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
    """Return the extension that tells the format, without that of the packing."""
    return Path(path.name.lower().removesuffix(".gz")).suffix


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file, unpacking it if it is packed, and say so if it is damaged."""
    with path.open("rb") as plain:
        is_packed = plain.read(2) == b"\x1f\x8b"
        plain.seek(0)
        if not is_packed:
            yield plain
            return
        try:
            with gzip.open(plain) as unpacked:
                yield unpacked  # type: ignore[misc]
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(
                FileName(path), f" is a damaged gzip file ({error}). Copy it anew."
            ) from error


def check_packing(path: Path) -> None:
    """Refuse a packed file that no real table could unpack into, before it is read."""
    packed = path.stat().st_size
    most = max(_LARGE, _BEST_PACKING * packed)
    with opened(path) as file:
        if isinstance(file, gzip.GzipFile):
            while file.read(2**20):
                if file.tell() > most:
                    raise InputError(
                        FileName(path),
                        f" unpacks {packed:,} bytes into more than {most:,}, which no "
                        "real table does. Unpack it yourself if you trust it.",
                    )


def likely_encodings(path: Path) -> list[str]:
    """Return the encodings to try: the one that the file is marked with, if any."""
    with opened(path) as file:
        start = file.read(4096)
    marked = [name for mark, name in _MARKS.items() if start.startswith(mark)]
    if not marked and b"\0" in start:
        raise _binary(path)
    return marked[:1] or ["utf-8", "cp1252"]


def check_encoding(encoding: str | None) -> None:
    """Raise a ValueError if Python has no text encoding of this name."""
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=encoding or "utf-8")
    except LookupError:
        raise InputError(
            Setting("encoding"),
            f": Python knows no text encoding {encoding!r}. Pass a name such as "
            "'utf-8' or 'shift_jis'.",
            parameter="encoding",
        ) from None


def text_lines(text: IO[str], path: Path) -> Iterator[str]:
    """Yield the lines of a text; a ValueError says if it cannot be a table."""
    n_characters = n_controls = 0
    while line := text.readline(_LONGEST_LINE):
        if not n_characters:  # the mark of an encoding that the user named
            line = line.removeprefix("\ufeff")
        if n_characters < 4096:
            n_characters += len(line)
            n_controls += sum(
                char < " " and char not in "\t\r\n\f\x1a" for char in line
            )
        # A line without end would fill the memory before it could be refused.
        if "\0" in line or len(line) == _LONGEST_LINE or n_controls > 4:
            raise _binary(path)
        yield line


def delimiters(first: str) -> list[str]:
    """Return what may stand between cells, beginning with the likeliest."""
    return [first, *(sign for sign in _DELIMITERS if sign != first)]


def likely_delimiter(head: list[str], path: Path) -> str:
    """Return the delimiter that cuts the first lines into equally many fields."""
    if file_format(path) in _TABBED:
        return "\t"
    best, best_score = ",", (False, 0.0, 0)
    for delimiter in _DELIMITERS:
        try:
            counts = [len(row) for row in csv.reader(head, delimiter=delimiter) if row]
        except csv.Error:  # a wide line that it does not cut at all
            continue
        fields = counts[0] if counts else 0
        agreeing = counts.count(fields) / max(len(counts), 1)
        if (score := (fields > 1, agreeing, fields)) > best_score:
            best, best_score = delimiter, score
    if not best_score[0] and head and all(" " in line.strip() for line in head):
        return " "
    return best


def _binary(path: Path) -> ValueError:
    return InputError(
        FileName(path),
        " is not a text table: it holds binary data. Give a CSV file, or "
        "pass its encoding, such as ",
        Setting("encoding", "utf-16-le"),
        ".",
    )
