"""Tables that are read in pieces: Parquet and text, a file or a folder of them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from labelscape._core.checks import missing_extra
from labelscape._core.errors import FileName, InputError

PARQUET, TEXT = (".parquet", ".pq"), (".csv", ".tsv", ".txt")
ROWS, BLOCK_BYTES = 2**16, 2**22

# What is called with the number of bytes that have been read since the last call.
Read = Callable[[int], Any]


def files_in(path: Path) -> list[Path]:
    """Return the files of a table, in the order of their names: of one kind, all."""
    if not path.exists():
        raise FileNotFoundError(f"There is no file {str(path)!r}.")
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    found = [file for file in files if file.suffix.lower() in PARQUET + TEXT]
    kinds = {file.suffix.lower() in PARQUET for file in found}
    if not found or len(kinds) > 1:
        what = "several kinds of files" if found else "no file"
        raise InputError(
            FileName(path),
            f" holds {what} that can be read in pieces. Pass a file or a folder of "
            "Parquet (.parquet) or of text (.csv, .tsv).",
            parameter="chunked",
        )
    return found


def are_parquet(files: list[Path]) -> bool:
    """Return whether the files of a table are Parquet."""
    return files[0].suffix.lower() in PARQUET


def pieces_of(files: list[Path], options: dict[str, Any], read: Read) -> Iterator[Any]:
    """Yield the rows of files as Arrow tables, some at a time."""
    try:
        import pyarrow as pa
    except ImportError:
        missing_extra("pyarrow", "parquet", "a table in pieces")

    for file in files:
        try:
            if are_parquet(files):
                yield from _pieces_of_parquet(file, read)
            else:
                yield from _pieces_of_text(file, options, read)
        except (pa.ArrowInvalid, UnicodeDecodeError) as error:
            raise InputError(
                FileName(file),
                f" can not be read in pieces: {str(error).splitlines()[0]} Where a "
                "column changes its kind on the way, write the table as Parquet.",
                parameter="chunked",
            ) from error


def _pieces_of_parquet(file: Path, read: Read) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(file) as source:
        share = file.stat().st_size / max(source.metadata.num_rows, 1)
        for batch in source.iter_batches(batch_size=ROWS):
            yield pa.Table.from_batches([batch])
            read(round(share * batch.num_rows))


def _pieces_of_text(file: Path, options: dict[str, Any], read: Read) -> Iterator[Any]:
    import pyarrow as pa
    from pyarrow import csv

    delimiter = options["delimiter"] or ("\t" if file.suffix == ".tsv" else ",")
    convert = csv.ConvertOptions(
        decimal_point=options["decimal"] or ".", strings_can_be_null=True
    )
    convert.null_values = [*convert.null_values, "?", *options["missing_values"]]
    is_named = options["header"] is not False
    how = csv.ReadOptions(
        block_size=BLOCK_BYTES,
        encoding=options["encoding"] or "utf8",
        skip_rows=options["skip"] or 0,
        autogenerate_column_names=not is_named,
    )
    parsed = csv.ParseOptions(delimiter=delimiter)
    with (
        file.open("rb") as source,
        csv.open_csv(
            source, read_options=how, parse_options=parsed, convert_options=convert
        ) as reader,
    ):
        before = 0
        for batch in reader:
            rows = pa.Table.from_batches([batch])
            if not is_named:  # as where the whole is read
                rows = rows.rename_columns(
                    [f"x{j + 1}" for j in range(rows.num_columns)]
                )
            yield rows
            now = source.tell()
            read(now - before)
            before = now
