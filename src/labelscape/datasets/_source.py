"""Where a table comes from: which reader takes a file, a frame or an array."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np

from labelscape.datasets._arrays import array_columns, npy_columns, npz_columns
from labelscape.datasets._columns import Column, ColumnKey
from labelscape.datasets._csv import CsvOptions, csv_columns
from labelscape.datasets._frames import arrow_columns, frame_columns
from labelscape.datasets._text_file import file_format

_TEXT = {".csv", ".tsv", ".tab", ".txt", ".data", ".dat"}
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
        raise ValueError(f"{str(path)!r} is {what}. Give the name of a file to read.")
    extension = file_format(path)
    if extension in _TEXT:
        return csv_columns(path, options, words)
    if extension in _ARROW:
        return arrow_columns(path)
    if extension == ".npy":
        return npy_columns(path)
    if extension == ".npz":
        return npz_columns(path, [key for key in words if isinstance(key, str)])
    raise ValueError(
        f"{path.name!r} is in no format that can be read. The name must end in "
        f"{', '.join(sorted(_TEXT | _ARROW | {'.npy', '.npz'}))}, or in one of the "
        "text formats with .gz. Save a spreadsheet as CSV."
    )
