"""A text file that was cut into cells once, to be read again without its text."""

import json
import os
from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
from numpy.typing import NDArray

from labelscape.datasets._columns import Column, ColumnKey, find_position
from labelscape.datasets._kinds import to_number
from labelscape.datasets.files.delimited import CsvOptions, csv_columns


@dataclass(frozen=True)
class ParsedText:
    """The columns of a text file; `read_table` and `describe_columns` take it as one.

    What they find is the same as in the file, which is only opened again if it is to be
    read in another way, or if a column of numbers is to stay words ("007").
    """

    # The file.
    path: Path
    # How it is written.
    options: CsvOptions
    # What it holds, when no column is said to be words.
    columns: list[Column]

    @classmethod
    def of(cls, path: Path, options: CsvOptions) -> Self:
        """Parse a file."""
        return cls(path, options, csv_columns(path, options))

    def read(self, options: CsvOptions, words: Collection[ColumnKey]) -> list[Column]:
        """Return the columns as the file would give them."""
        parsed = self.written(options)
        if parsed is None or not all(_is_spelled(parsed.columns, key) for key in words):
            return csv_columns(self.path, options, words)
        return parsed.columns

    def written(self, options: CsvOptions) -> "ParsedText | None":
        """Return what another way of writing makes of it; None: the text must tell."""
        if options == self.options:
            return self
        usual = replace(options, decimal=".")
        if usual == self.options and not any("," in w for w in usual.missing_values):
            # What is a number with points has no commas, and stays one.
            columns = [_with_commas(column) for column in self.columns]
            return ParsedText(self.path, options, columns)
        return None

    @property
    def n_bytes(self) -> int:
        """About how many bytes `write` writes."""
        text = [word for c in self.columns if c.holds_words for word in set(c.values)]
        cells = sum(len(column.values) for column in self.columns)
        return 8 * cells + sum(len(word or "") for word in text)

    def write(self, target: Path) -> None:
        """Write the columns; a crash leaves what was there before."""
        temporary = target.with_name(f".{target.name}.tmp")
        try:
            with temporary.open("wb") as file:
                self._save(file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise

    def _save(self, file: IO[bytes]) -> None:
        numbers = [c.values for c in self.columns if not c.holds_words]
        coded = [_coded(c.values) for c in self.columns if c.holds_words]
        header = {
            "by": _writer(),
            "options": asdict(self.options),
            "columns": [
                (c.name, c.holds_words, c.is_whole, c.is_named) for c in self.columns
            ],
            "words": [words for words, _ in coded],
        }
        np.savez(
            file,
            header=np.frombuffer(json.dumps(header).encode(), np.uint8),
            numbers=np.array(numbers, dtype=np.float64),
            codes=np.array([codes for _, codes in coded], dtype=np.int32),
            lines=np.asarray(self.columns[0].lines, dtype=np.int32),
        )

    @classmethod
    def load(cls, source: Path, path: Path, options: CsvOptions) -> Self | None:
        """Return what `write` wrote of a file; None if it is not that, or not whole."""
        try:
            with source.open("rb") as file, np.load(file) as arrays:  # no pickles
                header = json.loads(arrays["header"].tobytes())
                plain = json.loads(json.dumps(asdict(options)))
                if header["by"] != _writer() or header["options"] != plain:
                    return None
                return cls(path, options, _columns(header, arrays))
        except Exception:  # the readers of zip, JSON and arrays raise what they like
            return None


def _writer() -> str:
    """Return who wrote a file: another version may cut the text otherwise."""
    from labelscape import __version__

    return f"labelscape {__version__}, form 2"


def _columns(header: dict[str, Any], arrays: Any) -> list[Column]:
    numbers, codes = iter(arrays["numbers"]), iter(arrays["codes"])
    pools, lines = iter(header["words"]), arrays["lines"]
    columns = []
    for name, holds_words, is_whole, is_named in header["columns"]:
        if holds_words:
            pool = np.array([*next(pools), None], dtype=object)  # None at -1
            column = Column(name, "text", pool[next(codes)])
        else:
            column = Column(name, "number", next(numbers), is_whole)
        columns.append(replace(column, lines=lines, is_named=is_named))
    return columns


def _coded(values: NDArray[Any]) -> tuple[list[str], NDArray[np.int32]]:
    """Return the different words, and which of them stands where; -1 for missing."""
    code: dict[str, int] = {}
    for word in values:
        if word is not None:
            code.setdefault(word, len(code))
    codes = [-1 if word is None else code[word] for word in values]
    return list(code), np.array(codes, dtype=np.int32)


def _is_spelled(columns: list[Column], key: ColumnKey) -> bool:
    """Whether it is known how the cells of a column are spelled."""
    names = [column.name for column in columns]
    with suppress(ValueError):  # whoever needs an absent column will say so
        column = columns[find_position(names, key, role="column")]
        return column.holds_words or column.is_whole
    return True


def _with_commas(column: Column) -> Column:
    """Return a column of words as numbers, if all are with a point for the comma."""
    if not column.holds_words:
        return column
    number: dict[str | None, float] = {None: np.nan}
    try:
        for word in dict.fromkeys(column.values):
            if word is not None:
                number[word] = to_number(word.replace(",", "."))
    except ValueError:
        return column
    values = np.fromiter(map(number.__getitem__, column.values), np.float64)
    return replace(column, kind="number", values=values)
