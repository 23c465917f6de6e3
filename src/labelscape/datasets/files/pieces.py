"""Large tables, from Parquet and text files, read in pieces.

The table is a random sample of the rows. Each row gets a random number, and the rows
with the lowest numbers are selected, with at least 20 of each class. Samples of pieces
are joined in the same way, so any process may read any piece.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import FileName, InputError, Setting, missing_extra
from labelscape._core.rows.chunks import computed, task, tree
from labelscape.datasets._reading import Reading
from labelscape.datasets._table import Table
from labelscape.datasets.files.text import MISSING

if TYPE_CHECKING:
    import polars as pl

PARQUET, TEXT = (".parquet", ".pq"), (".csv", ".tsv", ".txt")
# Number of rows in a piece, in the sample, and of each class in the sample.
ROWS, MOST_ROWS, FEWEST_OF_CLASS = 2**16, 50_000, 20
_TYPED_ROWS = 10_000  # number of rows that decide the type of a text column
_NUMBER = "labelscape: number drawn"  # the column of random numbers

# Called with the number of bytes that were read since the last call.
Read = Callable[[int], Any]
Begin = Callable[[int], Read]  # called with the total number of bytes


def _silent(_: int) -> Read:
    return lambda _: None


class TablePiece(NamedTuple):
    """Some rows of a large table: features, classes as words, and ids, if any."""

    X: NDArray[np.float64]
    labels: NDArray[Any]
    ids: NDArray[Any] | None


class Drawn(NamedTuple):
    """Sampled rows with their random numbers, and the number of all rows."""

    rows: "pl.DataFrame"
    n: int
    label: str
    most: int


class Pieces:
    """A file or a folder of files, read in pieces with the options ``reading``."""

    def __init__(self, data: str, reading: Reading) -> None:
        self.path = Path(data)
        self.files = _files_in(self.path)
        self.reading = reading
        for option in ("skip_footer", "sheet", "transpose"):
            if getattr(reading, option):
                raise InputError(
                    Setting(option),
                    " cannot be used for a table that is read in pieces. Leave out "
                    "this option, or ",
                    Setting("chunked"),
                    ".",
                    parameter=option,
                )

    def sample(
        self,
        name: str,
        *,
        cluster: str | None = None,
        most: int | None = None,
        seed: int = 0,
        begin: Begin = _silent,
    ) -> tuple[Table, int]:
        """Return a table of sampled rows, and the number of all rows."""
        label = self.reading.label
        if not isinstance(label, str):
            raise InputError(
                "A table that is read in pieces needs the name of the column with "
                "the classes. Pass ",
                Setting("label"),
                ".",
                parameter="label",
            )
        sizes = (label, most or MOST_ROWS)
        if cluster is None:
            read, drawn = self._begun(begin), None
            for i, file in enumerate(self.files):
                one = _drawn_from_file(file, *sizes, (seed, i), self.reading, read)
                drawn = joined(drawn, one)
        else:
            drawn = _drawn_on(cluster, self.files, *sizes, seed)
        if drawn is None:
            raise InputError(
                FileName(self.path), " contains no rows.", parameter="chunked"
            )
        rows = drawn.rows.drop(_NUMBER)
        table = _as_frame(self.reading).read(rows, name)
        # The shares of copies and of rows without a class are assumed to be the same in
        # all rows as in the sample.
        return table, round(drawn.n * len(table.X) / len(drawn.rows))

    def rows(self, table: Table, begin: Begin = _silent) -> Iterator[TablePiece]:
        """Yield all rows in file order, with the features of ``table``."""
        read, plain = self._begun(begin), _as_frame(self.reading)
        key = self.reading.id
        for file in self.files:
            for piece in _pieces_of(file, self.reading, read):
                labels = plain.words_in(piece, str(self.reading.label))
                ids = None if key is None else plain.ids_in(piece, key)
                assert labels is not None  # the sample has labels
                yield TablePiece(table.encoder.transform(piece), labels, ids)

    def _begun(self, begin: Begin) -> Read:
        return begin(sum(file.stat().st_size for file in self.files))


def _files_in(path: Path) -> list[Path]:
    """Return the files of a table in order of names; all must have the same format."""
    if not path.exists():
        raise FileNotFoundError(f"There is no file {str(path)!r}.")
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    files = [file for file in files if file.suffix.lower() in PARQUET + TEXT]
    files = [file for file in files if file.is_file()]  # a pipe would never end
    if len({_is_parquet(file) for file in files}) != 1:
        what = "several kinds of files" if files else "no file"
        raise InputError(
            FileName(path),
            f" contains {what} that can be read in pieces. Pass a file, or a folder "
            "with only Parquet files (.parquet) or only text files (.csv, .tsv).",
            parameter="chunked",
        )
    return files


def _is_parquet(file: Path) -> bool:
    return file.suffix.lower() in PARQUET


def _as_frame(reading: Reading) -> Reading:
    """Return the options for a data frame: with imputation, without file options."""
    usual: dict[str, Any] = {one.name: one.default for one in fields(reading)}
    known = {k: usual[k] for k, v in reading.options().items() if v.is_of_file}
    return replace(reading, **known, missing="impute", row_numbers="drop")


def _pieces_of(file: Path, reading: Reading, read: Read) -> "Iterator[pl.DataFrame]":
    """Yield the rows of a file in pieces."""
    import polars as pl

    size = left = file.stat().st_size
    try:
        with _scanned(file, reading) as rows:
            for piece in rows.collect_batches(chunk_size=ROWS, lazy=True):
                if reading.header is False:  # same as if all rows are read at once
                    piece.columns = [f"x{j + 1}" for j in range(piece.width)]
                yield piece
                # As text, the piece has about as many bytes.
                head = piece.head(100).drop(pl.selectors.nested())  # not in text
                share = len(head.write_csv()) / max(len(head), 1)
                done = min(left, round(share * len(piece)), size)
                read(done)
                left -= done
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise InputError(
            FileName(file),
            f" cannot be read in pieces: {str(error).splitlines()[0]} If a column "
            "changes its type within the file, write the table as Parquet.",
            parameter="chunked",
        ) from error
    read(left)


@contextmanager
def _scanned(file: Path, reading: Reading) -> "Iterator[pl.LazyFrame]":
    import polars as pl

    if _is_parquet(file):
        yield pl.scan_parquet(file)
        return
    how: dict[str, Any] = {
        "separator": reading.delimiter or ("\t" if file.suffix == ".tsv" else ","),
        "decimal_comma": reading.decimal == ",",
        "null_values": [*MISSING, *reading.missing_values],
        "has_header": reading.header is not False,
        "skip_lines": reading.skip or 0,
        "infer_schema_length": _TYPED_ROWS,
    }
    with TemporaryDirectory(prefix="labelscape-") as folder:
        if reading.encoding is not None:  # polars only reads UTF-8
            copy = Path(folder, "utf8.csv")
            with (
                file.open(encoding=reading.encoding, newline="") as text,
                copy.open("w", encoding="utf-8", newline="") as same,
            ):
                shutil.copyfileobj(text, same)
            file = copy
        yield pl.scan_csv(file, **how)


def _drawn_on(
    cluster: str, files: list[Path], label: str, most: int, seed: int
) -> Drawn | None:
    """Return a sample of rows that the workers of a cluster read from the files."""
    try:
        from distributed import Client
    except ImportError:
        missing_extra("dask", "dask", "a cluster")
    if not _is_parquet(files[0]):
        raise InputError(
            "A Dask cluster reads only Parquet files. Write the table as Parquet, or "
            "leave out ",
            Setting("cluster"),
            ".",
            parameter="cluster",
        )
    try:
        client = Client(cluster, timeout=20)
    except (OSError, ValueError) as error:
        raise InputError(
            f"There is no Dask scheduler at {cluster!r}: {error}. An address looks "
            "like tcp://host:8786.",
            parameter="cluster",
        ) from error
    with client:
        parts = [
            task(_drawn_from_file, file.resolve(), label, most, (seed, i))
            for i, file in enumerate(files)
        ]
        drawn: Drawn | None = computed([tree(joined, parts)])[0]
        return drawn


def _drawn_from_file(
    file: Path,
    label: str,
    most: int,
    seed: tuple[int, int],
    reading: Reading | None = None,
    read: Read = lambda _: None,
) -> Drawn | None:
    """Return the sample of a file; None if it has no rows."""
    drawn = None
    for k, rows in enumerate(_pieces_of(file, reading or Reading(), read)):
        drawn = joined(drawn, drawn_from(rows, label, most, (*seed, k)))
    return drawn


def drawn_from(
    rows: "pl.DataFrame", label: str, most: int, seed: tuple[int, ...]
) -> Drawn:
    """Return the rows of a piece with the lowest random numbers."""
    if label not in rows.columns:
        listed = ", ".join(rows.columns[:8])
        raise InputError(
            f"There is no column {label!r}. Pass ",
            Setting("label"),
            f" with one of: {listed}.",
            parameter="label",
        )
    import polars as pl

    numbers = pl.Series(_NUMBER, np.random.default_rng(seed).random(len(rows)))
    return _lowest(Drawn(rows.with_columns(numbers), len(rows), label, most))


def joined(one: Drawn | None, other: Drawn | None) -> Drawn | None:
    """Return the joint sample of two pieces, each of which may be empty."""
    if one is None or other is None:
        return other if one is None else one
    import polars as pl

    rows = pl.concat([one.rows, other.rows], how="diagonal_relaxed")
    return _lowest(one._replace(rows=rows, n=one.n + other.n))


def _lowest(drawn: Drawn) -> Drawn:
    """Return the rows with the lowest random numbers, overall and in each class."""
    import polars as pl

    rank = pl.col(_NUMBER).rank("ordinal")
    of_class = rank.over(drawn.label) <= FEWEST_OF_CLASS
    return drawn._replace(rows=drawn.rows.filter((rank <= drawn.most) | of_class))
