"""Where a table comes from: which reader takes a file, a frame or an array."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import missing_extra
from labelscape._core.errors import FileName, InputError, Setting
from labelscape.datasets._columns import Column, ColumnKey, check_unique
from labelscape.datasets.files.arrays import (
    array_columns,
    exact_moments,
    exact_words,
    npy_columns,
    npz_columns,
    object_column,
)
from labelscape.datasets.files.delimited import CsvOptions, csv_columns
from labelscape.datasets.files.excel import excel_columns
from labelscape.datasets.files.parsed import ParsedText
from labelscape.datasets.files.text_file import file_format

_TEXT = {".csv", ".tsv", ".tab", ".txt", ".data", ".dat"}
EXCEL = {".xlsx", ".xlsm"}
_ARROW = {".parquet", ".feather", ".arrow", ".ipc"}


def read_columns(
    source: Any, options: CsvOptions, words: Collection[ColumnKey] = ()
) -> list[Column]:
    """Return the columns of a file, frame or array, all of the same length.

    ``words`` are columns that are to stay words in a file without types, and arrays
    that are wanted from an npz file beside its matrix.
    """
    if isinstance(source, str | os.PathLike):
        columns = _file_columns(Path(source), options, words)
    elif isinstance(source, ParsedText):
        columns = source.read(options, words)
    elif isinstance(source, np.ndarray):
        columns = array_columns(source)
    else:
        columns = frame_columns(source)
    if not columns or not len(columns[0].values):
        raise ValueError("The table has no rows. Check that the right data were given.")
    return columns


def _file_columns(
    path: Path, options: CsvOptions, words: Collection[ColumnKey]
) -> list[Column]:
    if not path.exists():
        raise FileNotFoundError(f"There is no file {str(path)!r}.")
    if not path.is_file():
        what = "a folder" if path.is_dir() else "no file"
        raise InputError(
            FileName(path, whole=True), f" is {what}. Give the name of a file to read."
        )
    extension = file_format(path)
    if options.sheet is not None and extension not in EXCEL:
        raise InputError(
            FileName(path),
            " has no sheets: only an Excel file has. Leave out ",
            Setting("sheet"),
            ".",
            parameter="sheet",
        )
    if is_text(path):
        return csv_columns(path, options, words)
    if extension in EXCEL:
        return excel_columns(path, options)
    if extension in _ARROW:
        return arrow_columns(path)
    if extension == ".npy":
        return npy_columns(path)
    if extension == ".npz":
        return npz_columns(path, [key for key in words if isinstance(key, str)])
    raise InputError(
        FileName(path),
        " is in no format that can be read. The name must end in "
        f"{', '.join(sorted(_TEXT | _ARROW | EXCEL | {'.npy', '.npz'}))}, or in one "
        "of the text formats with .gz. Save a spreadsheet as CSV.",
    )


def is_text(path: Path) -> bool:
    """Whether a file is text by its name, packed or not."""
    return file_format(path) in _TEXT


# Data frames of any library, Parquet and Arrow files into columns.


def frame_columns(frame: Any) -> list[Column]:
    """Return the columns of a pandas, polars or Arrow table."""
    lazy = nw.from_native(frame, pass_through=True)
    if isinstance(lazy, nw.LazyFrame):
        verb = "compute" if lazy.implementation.is_dask() else "collect"
        raise ValueError(f"A lazy frame has no rows yet. Pass frame.{verb}().")
    try:
        table = nw.from_native(frame, eager_only=True)
        names = [str(name) for name in table.columns]
    except TypeError:
        raise ValueError(
            f"A table must be a file, a data frame or an array, got "
            f"{type(frame).__name__}."
        ) from None
    except nw.exceptions.NarwhalsError as error:  # pandas allows a name twice
        raise ValueError(f"The frame cannot be read: {error}") from None
    check_unique(names, "The frame")
    return [
        _column(name, series)
        for name, series in zip(names, table.iter_columns(), strict=True)
    ]


def arrow_columns(path: Path) -> list[Column]:
    """Return the columns of a Parquet, Feather or Arrow file."""
    try:
        import pyarrow
    except ImportError:
        missing_extra("pyarrow", "parquet", f"Reading {path.name!r}")
    try:
        table = _arrow_table(path)
        table.validate(full=True)  # reading alone trusts what the file says of itself
        table.column_names  # noqa: B018 - their bytes may be no text
    except (pyarrow.ArrowException, OSError, EOFError, UnicodeDecodeError) as error:
        check_unique(_names_in_parquet(path), FileName(path))
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(
            FileName(path),
            f" is not a readable {path.suffix[1:]} file ({reason[:120]}). Save "
            "it anew.",
        ) from error
    return frame_columns(table)


def _names_in_parquet(path: Path) -> list[str]:
    """Return the columns of a Parquet file that may not be read; of no other file."""
    from pyarrow import ArrowException, parquet

    if path.suffix.lower() != ".parquet":
        return []
    try:
        with path.open("rb") as file:
            return [str(name) for name in parquet.read_schema(file).names]
    except (ArrowException, OSError, UnicodeDecodeError):
        return []


def _arrow_table(path: Path) -> Any:
    from pyarrow import ipc, parquet

    with path.open("rb") as file:  # by Arrow itself, its name would have to be UTF-8
        if path.suffix.lower() == ".parquet":
            return parquet.read_table(file)
        as_file = file.read(6) == b"ARROW1"
        file.seek(0)
        return (ipc.open_file if as_file else ipc.open_stream)(file).read_all()


def _column(name: str, series: nw.Series[Any]) -> Column:
    dtype = series.dtype
    absent = series.is_null().to_numpy()
    if dtype.is_integer() or dtype == nw.Decimal:
        return _exact_column(name, series, absent)
    if dtype.is_numeric():
        return Column(name, "number", _floats(series, absent))
    if dtype == nw.Boolean:
        return Column(name, "boolean", _floats(series, absent))
    if dtype in (nw.Date, nw.Datetime):
        moments = _floats(series.drop_nulls().dt.timestamp("us"), absent)
        exact = None
        if getattr(dtype, "time_unit", "us") == "ns":
            ticks = series.drop_nulls().dt.timestamp("ns").to_numpy()
            exact = exact_moments(ticks.astype("datetime64[ns]"), ~absent)
        return Column(name, "date", moments / 86400e6, exact=exact)
    words = np.full(len(absent), None, dtype=object)
    present = series.drop_nulls().to_list()
    if dtype in (nw.Categorical, nw.Enum):
        words[~absent] = [str(value) for value in present]
        return Column(name, "nominal", words)
    if dtype in (nw.String, nw.Object, nw.Unknown):
        words[~absent] = np.fromiter(present, dtype=object, count=len(present))
        return object_column(name, words)
    return Column(name, "other", words)


def _exact_column(
    name: str, series: nw.Series[Any], absent: NDArray[np.bool_]
) -> Column:
    """Return a column of numbers that may have more digits than a float keeps."""
    present = series.drop_nulls()
    exact = present.to_numpy()
    if exact.dtype.kind not in "iu":  # decimals, and whole numbers beyond 64 bits
        exact = np.fromiter(present.to_list(), dtype=object, count=len(present))
    numbers = np.full(len(absent), np.nan)
    numbers[~absent] = exact.astype(np.float64)
    values = np.zeros(len(absent), dtype=exact.dtype)
    values[~absent] = exact
    return Column(name, "number", numbers, exact=exact_words(values, numbers))


def _floats(series: nw.Series[Any], absent: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return numbers with NaN where they are absent, however the library marks that."""
    numbers = np.full(len(absent), np.nan)
    numbers[~absent] = series.drop_nulls().cast(nw.Float64).to_numpy()
    return numbers
