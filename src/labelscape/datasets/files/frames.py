"""Choice of the reader for a file, a data frame or an array."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import FileName, InputError, Setting
from labelscape.datasets._columns import Column, check_unique
from labelscape.datasets._options import ReadingOptions
from labelscape.datasets.files.arrays import (
    array_columns,
    exact_moments,
    exact_words,
    npy_columns,
    npz_columns,
    object_column,
    with_vectors,
)
from labelscape.datasets.files.cells import CELLS, cell_columns, is_cells, read_cells
from labelscape.datasets.files.embed import takes_pictures, text_column
from labelscape.datasets.files.excel import excel_columns
from labelscape.datasets.files.images import folder_columns, picture_column
from labelscape.datasets.files.text import (
    TEXT,
    ParsedText,
    file_format,
    is_text,
)

EXCEL = {".xlsx", ".xlsm"}
_ARROW = {".parquet", ".feather", ".arrow", ".ipc"}


def read_columns(source: Any, reading: ReadingOptions) -> list[Column]:
    """Return the columns of a file, frame or array, all of the same length."""
    if reading.transpose and not _is_written(source):
        raise InputError(
            Setting("transpose"),
            " is only for text and Excel files. Pass a transposed frame or array, such "
            "as frame.T.",
            parameter="transpose",
        )
    if isinstance(source, str | os.PathLike):
        columns = _file_columns(Path(source), reading)
    elif isinstance(source, ParsedText):
        columns = source.read(reading)
    elif isinstance(source, np.ndarray):
        columns = array_columns(source)
    elif hasattr(source, "with_format"):
        columns = _dataset_columns(source)
    elif is_cells(source):
        columns = cell_columns(source, reading.rep, frame_columns(source.obs))
    else:
        columns = frame_columns(source)
    if not columns or not len(columns[0].values):
        raise ValueError("The table has no rows. Check that the right data were given.")
    if reading.embed is not None and not _is_folder(source):
        columns = [*columns, _embedded(columns, reading, source)]
    return columns


def _is_folder(source: Any) -> bool:
    return isinstance(source, str | os.PathLike) and Path(source).is_dir()


def _embedded(columns: list[Column], reading: ReadingOptions, source: Any) -> Column:
    """Return the vectors that a model computes from the texts or images of a table."""
    model = str(reading.embed)
    if reading.text is not None and not takes_pictures(model):
        return text_column(columns, reading)
    if reading.image is None:
        raise InputError(
            Setting("embed", model),
            " computes features from a column. Pass this column as ",
            *(() if takes_pictures(model) else (Setting("text"), " or ")),
            Setting("image"),
            ".",
            parameter="embed",
        )
    is_file = isinstance(source, str | os.PathLike)
    path = Path(source) if is_file else getattr(source, "path", Path("table"))
    return picture_column(columns, reading, path.parent)


def _is_written(source: Any) -> bool:
    """Whether a source is a text or an Excel file."""
    if not isinstance(source, str | os.PathLike):
        return isinstance(source, ParsedText)
    return is_text(path := Path(source)) or file_format(path) in EXCEL


def _file_columns(path: Path, reading: ReadingOptions) -> list[Column]:
    if not path.exists():
        raise FileNotFoundError(f"There is no file {str(path)!r}.")
    if path.is_dir():
        return folder_columns(path, reading.embed)
    if not path.is_file():
        raise InputError(
            FileName(path, whole=True),
            " is not a file. Give the name of a file to read.",
        )
    extension = file_format(path)
    if reading.sheet is not None and extension not in EXCEL:
        raise InputError(
            FileName(path),
            " has no sheets, because it is not an Excel file. Leave out ",
            Setting("sheet"),
            ".",
            parameter="sheet",
        )
    if is_text(path):
        return ParsedText.cut(path, reading).read(reading)
    if extension in EXCEL:
        return excel_columns(path, reading)
    if extension in _ARROW:
        return arrow_columns(path)
    if extension == CELLS:
        return read_columns(read_cells(path, reading.rep), reading)
    if extension == ".npy":
        return npy_columns(path)
    if extension == ".npz":
        return npz_columns(path, reading.named_columns)
    raise InputError(
        FileName(path),
        " is in a format that cannot be read. The name must end in "
        f"{', '.join(sorted(TEXT | _ARROW | EXCEL | {'.npy', '.npz', CELLS}))}, or in "
        "one of the text formats with .gz. Save a spreadsheet as CSV.",
    )


# Data frames of any library, Parquet and Arrow files as columns.


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
    except nw.exceptions.NarwhalsError as error:  # pandas allows duplicate names
        raise ValueError(f"The frame cannot be read: {error}") from None
    check_unique(names, "The frame")
    return [
        _column(name, series)
        for name, series in zip(names, table.iter_columns(), strict=True)
    ]


def _dataset_columns(rows: Any) -> list[Column]:
    """Return the columns of a Hugging Face data set, with class names."""
    if isinstance(rows, Mapping) or not hasattr(rows, "__len__"):
        raise ValueError(
            "A data set must be one split with all of its rows: pass dataset['train'], "
            "or Dataset.from_list(list(rows)) for an iterable data set."
        )
    columns = frame_columns(rows.with_format("arrow")[:])
    for i, column in enumerate(columns):
        names = getattr(rows.features[column.name], "names", None)
        if names and column.kind == "number":
            words = np.array([*map(str, names), None], dtype=object)
            codes = np.nan_to_num(column.values, nan=-1.0).astype(int)  # -1: no class
            columns[i] = Column(column.name, "nominal", words[codes])
    return columns


def arrow_columns(path: Path) -> list[Column]:
    """Return the columns of a Parquet, Feather or Arrow file."""
    import polars as pl

    # polars itself would require a UTF-8 file name
    content = path.read_bytes()
    read: Callable[[bytes], pl.DataFrame] = pl.read_ipc_stream
    if path.suffix.lower() == ".parquet":
        read = pl.read_parquet
    elif content.startswith(b"ARROW1"):
        read = pl.read_ipc
    try:
        table = read(content)
    except (Exception, pl.exceptions.PanicException) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        is_twice = isinstance(error, pl.exceptions.DuplicateError)
        advice = "Give each column its own name" if is_twice else "Save it again"
        raise InputError(
            FileName(path),
            f" is not a readable {path.suffix[1:]} file ({reason[:120]}). {advice}.",
        ) from error
    return frame_columns(table)


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
    if dtype in (nw.List, nw.Array) and (rows := _vectors(series)) is not None:
        return with_vectors(name, rows, ~absent)
    words = np.full(len(absent), None, dtype=object)
    present = series.drop_nulls().to_list()
    if dtype in (nw.Categorical, nw.Enum):
        words[~absent] = [str(value) for value in present]
        return Column(name, "nominal", words)
    if dtype in (nw.String, nw.Object, nw.Unknown):
        words[~absent] = np.fromiter(present, dtype=object, count=len(present))
        return object_column(name, words)
    words[~absent] = np.fromiter(present, dtype=object, count=len(present))
    return Column(name, "other", words)


def _vectors(series: nw.Series[Any]) -> NDArray[Any] | None:
    """Return lists of numbers as (n, width); None if their lengths differ."""
    import polars as pl

    lists = series.drop_nulls().to_polars()
    lists = lists.arr.to_list() if isinstance(lists.dtype, pl.Array) else lists
    lengths = lists.list.len().unique()
    if len(lengths) != 1 or not lists.dtype.inner.is_numeric():  # type: ignore[attr-defined]
        return None
    flat = lists.explode().cast(pl.Float64).to_numpy()
    return flat.reshape(len(lists), lengths[0])


def _exact_column(
    name: str, series: nw.Series[Any], absent: NDArray[np.bool_]
) -> Column:
    """Return a column of numbers, with exact text if floats have too few digits."""
    present = series.drop_nulls()
    exact = present.to_numpy()
    if exact.dtype.kind not in "iu":  # decimals, and integers with more than 64 bits
        exact = np.fromiter(present.to_list(), dtype=object, count=len(present))
    numbers = np.full(len(absent), np.nan)
    numbers[~absent] = exact.astype(np.float64)
    values = np.zeros(len(absent), dtype=exact.dtype)
    values[~absent] = exact
    return Column(name, "number", numbers, exact=exact_words(values, numbers))


def _floats(series: nw.Series[Any], absent: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return a column of any library as floats, with NaN for missing values."""
    numbers = np.full(len(absent), np.nan)
    numbers[~absent] = series.drop_nulls().cast(nw.Float64).to_numpy()
    return numbers
