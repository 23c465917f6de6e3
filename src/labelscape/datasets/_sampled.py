"""A sample of a table that is too large to be read as a whole.

Each row draws a number, and the rows with the lowest stay: of all together, and a few
of each class. Such samples of pieces join into the sample of the whole, whatever the
pieces and whoever draws from them.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import missing_extra
from labelscape._core.chunks.sums import computed, task, tree
from labelscape._core.errors import FileName, InputError, Setting
from labelscape.datasets._read_table import classes_in, ids_in
from labelscape.datasets._reading import Reading, csv_options
from labelscape.datasets._table import Table
from labelscape.datasets.files.pieces import are_parquet, files_in, pieces_of

# So many rows are a map, and so many of each class are there if it has them.
MOST_ROWS, FEWEST_OF_CLASS = 50_000, 20


# How pieces of text are written.
TEXT_OPTIONS = ("delimiter", "decimal", "encoding", "missing_values", "header", "skip")


class Drawn(NamedTuple):
    """Rows that were drawn, their numbers, and from how many; of which most stay."""

    rows: Any
    numbers: NDArray[np.float64]
    n: int
    label: str
    most: int


class Rows(NamedTuple):
    """Some rows of a large table: features, classes in words, and names or None."""

    X: NDArray[np.float64]
    labels: NDArray[Any]
    ids: NDArray[Any] | None


class Sampled(NamedTuple):
    """A table of some rows of a larger one, which has n."""

    table: Table
    n: int


def table_in_pieces(
    data: str,
    reading: Reading,
    *,
    name: str,
    cluster: str | None = None,
    most: int | None = None,
    seed: int = 0,
    begin: Callable[[int], Callable[[int], Any]] = lambda _: lambda _: None,
) -> Sampled:
    """Read a table in pieces, here or on a cluster, and return a sample of its rows."""
    files = files_in(Path(data))
    label = reading.label
    if not isinstance(label, str):
        raise InputError(
            "A table in pieces needs the name of the column with the classes. Pass ",
            Setting("label"),
            ".",
            parameter="label",
        )
    if cluster is None:
        drawn = _drawn_here(files, reading, label, most or MOST_ROWS, seed, begin)
    else:
        drawn = _drawn_on(cluster, files, label, most or MOST_ROWS, seed)
    if drawn is None:
        raise InputError(FileName(Path(data)), " holds no rows.", parameter="chunked")
    # Text has been read by then.
    table = _asis(reading).read(drawn.rows, name)
    # Of the others, as many are left out as of these: copies, rows without a class.
    return Sampled(table, round(drawn.n * len(table.X) / len(drawn.rows)))


def rows_in_pieces(
    data: str,
    reading: Reading,
    table: Table,
    begin: Callable[[int], Callable[[int], Any]] = lambda _: lambda _: None,
) -> Iterator[Rows]:
    """Yield all rows of a table in the order of its files, some at a time.

    ``table`` is a sample of it, whose features they get; others as `table_in_pieces`.
    """
    files = files_in(Path(data))
    read = begin(sum(file.stat().st_size for file in files))
    plain = csv_options(_asis(reading))
    for piece in pieces_of(files, _written(reading), read):
        labels = classes_in(piece, str(reading.label), plain)
        ids = None if reading.id is None else ids_in(piece, str(reading.id), plain)
        assert labels is not None  # the sample has it
        yield Rows(table.encoder.transform(piece), labels, ids)


def _written(reading: Reading) -> dict[str, Any]:
    """Return how text is written, as pieces are read by it."""
    for option in ("skip_footer", "sheet"):
        if getattr(reading, option):
            raise InputError(
                Setting(option),
                " does not go with a table that is read in pieces. Leave it out, or "
                "take away ",
                Setting("chunked"),
                ".",
                parameter=option,
            )
    return {option: getattr(reading, option) for option in TEXT_OPTIONS}


def _asis(reading: Reading) -> Reading:
    """Return how to read what is no text any more."""
    as_usual: dict[str, Any] = dict.fromkeys(TEXT_OPTIONS)
    as_usual["missing_values"] = ()
    return replace(reading, **as_usual)


def _drawn_here(
    files: list[Path],
    reading: Reading,
    label: str,
    most: int,
    seed: int,
    begin: Callable[[int], Callable[[int], Any]],
) -> Drawn | None:
    options = _written(reading)
    read = begin(sum(file.stat().st_size for file in files))
    found = None
    for i, file in enumerate(files):
        piece = _drawn_from_file(file, label, most, (seed, i), options, read)
        found = joined(found, piece)
    return found


def _drawn_on(
    cluster: str, files: list[Path], label: str, most: int, seed: int
) -> Drawn | None:
    """Return rows that workers have drawn, each from files that it reads."""
    try:
        from distributed import Client
    except ImportError:
        missing_extra("dask", "dask", "a cluster")
    if not are_parquet(files):
        raise InputError(
            "A cluster reads Parquet. Write the table so, or leave out ",
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
        found: Drawn | None = computed([tree(joined, parts)])[0]
        return found


def _drawn_from_file(
    file: Path,
    label: str,
    most: int,
    seed: tuple[int, int],
    options: dict[str, Any] | None = None,
    read: Callable[[int], Any] = lambda _: None,
) -> Drawn | None:
    """Return the sample of a file, None if it has no rows."""
    found = None
    for k, rows in enumerate(pieces_of([file], options or {}, read)):
        found = joined(found, drawn_from(rows, label, most, (*seed, k)))
    return found


def drawn_from(rows: Any, label: str, most: int, seed: tuple[int, ...]) -> Drawn:
    """Return the rows of a piece that draw the lowest numbers."""
    if label not in rows.column_names:
        listed = ", ".join(rows.column_names[:8])
        raise InputError(
            f"There is no column {label!r}. Pass ",
            Setting("label"),
            f" with one of: {listed}.",
            parameter="label",
        )
    n = len(rows)
    return _lowest(Drawn(rows, np.random.default_rng(seed).random(n), n, label, most))


def joined(one: Drawn | None, other: Drawn | None) -> Drawn | None:
    """Return the sample of two pieces together, of which each may have no rows."""
    if one is None or other is None:
        return other if one is None else one
    import pyarrow as pa

    rows = pa.concat_tables([one.rows, other.rows], promote_options="permissive")
    numbers = np.concatenate([one.numbers, other.numbers])
    return _lowest(one._replace(rows=rows, numbers=numbers, n=one.n + other.n))


def _lowest(drawn: Drawn) -> Drawn:
    """Return the rows with the lowest numbers of all, and some of each class."""
    column = drawn.rows[drawn.label].combine_chunks()
    codes = column.dictionary_encode().indices.fill_null(-1).to_numpy()
    kept = np.zeros(len(codes), dtype=bool)
    kept[np.argsort(drawn.numbers, kind="stable")[: drawn.most]] = True
    by_class = np.lexsort((drawn.numbers, codes))
    _, first, sizes = np.unique(codes[by_class], return_index=True, return_counts=True)
    rank = np.arange(len(codes)) - np.repeat(first, sizes)
    kept[by_class[rank < FEWEST_OF_CLASS]] = True
    return drawn._replace(rows=drawn.rows.filter(kept), numbers=drawn.numbers[kept])
