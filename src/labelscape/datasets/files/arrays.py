"""Arrays and NumPy files as columns; code in a file is never executed.

The size in the header is first compared with the size of the file, so that a small file
that declares a large array is rejected before memory is used.
"""

import math
import sys
import zipfile
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from decimal import Decimal
from enum import Enum
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from labelscape._core.errors import FileName, InputError
from labelscape.datasets._columns import Column, Kind, check_unique, is_absent
from labelscape.datasets._kinds import is_date

# Larger content is rejected if it compresses better than tables usually do.
_LARGE = 2**30
_BEST_PACKING = 200
LARGEST_EXACT = 2**53  # from here on, float64 cannot represent all integers


def array_columns(X: NDArray[Any], names: Sequence[str] | None = None) -> list[Column]:
    """Return the columns of a matrix, or the fields of a structured array."""
    if X.size == 0:  # checked before columns get names: there may be billions
        raise ValueError(
            f"A table must have rows and columns, got an array of shape {X.shape}."
        )
    if X.dtype.names is not None and X.ndim == 1:
        return [array_column(name, X[name]) for name in X.dtype.names]
    if X.ndim != 2:
        raise ValueError(
            f"A table must be an array with 2 dimensions, rows × columns, got "
            f"the shape {X.shape}. Reshape it first."
        )
    if names is None:
        names = [f"x{i + 1}" for i in range(X.shape[1])]
    return [array_column(name, X[:, i]) for i, name in enumerate(names)]


def npy_columns(path: Path) -> list[Column]:
    """Return the columns of the array in a .npy file."""
    return array_columns(npy_array(path))


def npy_array(path: Path) -> NDArray[Any]:
    """Return the array in a .npy file."""
    if not path.is_file():  # a pipe would never end
        raise InputError(FileName(path, whole=True), " is not a file.")
    return _array(path.read_bytes(), path)


def npz_columns(path: Path, beside: Collection[str]) -> list[Column]:
    """Return the columns of X (or of the only matrix), then other requested arrays."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = {
                info.filename.removesuffix(".npy"): info for info in archive.filelist
            }
            arrays = {
                name: _array(_unpacked(archive, info, path), path)
                for name, info in members.items()
                if name in ("X", "feature_names", *beside) or "X" not in members
            }
    except InputError:
        raise
    except Exception as error:  # zipfile raises many kinds of errors for broken files
        raise InputError(
            FileName(path), f" is not a readable npz file ({error}). Save it again."
        ) from error
    matrices = [name for name, array in arrays.items() if array.ndim == 2]
    main = "X" if "X" in arrays else matrices[0] if len(matrices) == 1 else None
    if main is None:
        raise InputError(
            FileName(path),
            f" contains no array 'X' (rows × columns), only {sorted(members)}. "
            "Save it with np.savez(file, X=…, y=…).",
        )
    X = arrays.pop(main)
    names = [str(name) for name in arrays.pop("feature_names", np.array([])).flat]
    if names and X.ndim == 2 and len(names) != X.shape[1]:
        raise InputError(
            FileName(path),
            f" has {len(names)} feature_names for {X.shape[1]} columns of X. "
            "Save one name for each column.",
        )
    columns = array_columns(X, names or None)
    for name in [one for one in beside if one in arrays]:
        if arrays[name].shape != (len(X),):
            raise InputError(
                f"Array {name!r} of ",
                FileName(path),
                f" has the shape {arrays[name].shape}, but X has {len(X)} rows. "
                "Save one value per row.",
            )
        columns.append(array_column(name, arrays[name]))
    check_unique([column.name for column in columns], FileName(path))
    return columns


def object_column(name: str, values: NDArray[Any]) -> Column:
    """Return a column of Python objects, if all are numbers, words or dates."""
    absent = np.array([is_absent(value) for value in values], dtype=bool)
    types = {type(value) for value in values[~absent]}
    if types <= {str}:
        return _column_of_words(name, _with_gaps(values, absent))
    if all(issubclass(kind, list | tuple | np.ndarray) for kind in types):
        return _vector_column(name, values, absent)
    if (
        types
        and all(issubclass(kind, str | Enum) for kind in types - {str})
        and not any(issubclass(kind, int | float) for kind in types)
    ):
        words = _with_gaps(values, absent)
        words[~absent] = [_enum_word(value) for value in values[~absent]]
        return Column(name, "nominal", words)
    if all(issubclass(kind, int | float | np.number | np.bool_) for kind in types):
        numbers = np.full(len(values), np.nan)
        only_truth = all(issubclass(kind, bool | np.bool_) for kind in types)
        with suppress(OverflowError):  # an integer too large for a float
            numbers[~absent] = values[~absent].astype(np.float64)
            kind: Kind = "boolean" if only_truth else "number"
            return Column(name, kind, numbers, exact=exact_words(values, numbers))
    if all(issubclass(kind, date) for kind in types):
        words = _with_gaps(values, absent)
        words[~absent] = [day.isoformat() for day in values[~absent]]
        return Column(name, "text", words)
    return Column(name, "other", values)


def _vector_column(name: str, values: NDArray[Any], absent: NDArray[Any]) -> Column:
    """Return lists or arrays as vectors, if all are numbers of one length."""
    other = Column(name, "other", _with_gaps(values, absent))
    try:
        rows = np.array(list(values[~absent]))
        is_number = rows.dtype.kind in "biuf" or (
            rows.dtype.kind == "O"
            and all(isinstance(x, int | float | None) for x in rows.flat)
        )
        if rows.ndim != 2 or not is_number:
            return other
        return with_vectors(name, rows.astype(np.float64), ~absent)
    except (ValueError, OverflowError):  # of different lengths, or too large for floats
        return other


def with_vectors(name: str, rows: NDArray[Any], present: NDArray[np.bool_]) -> Column:
    """Return a column with vectors in the ``present`` rows, missing in other rows."""
    if not rows.size:
        return Column(name, "other", np.full(len(present), None, dtype=object))
    values = np.full((len(present), rows.shape[1]), np.nan)
    values[present] = rows
    values[np.isnan(values).any(axis=1)] = np.nan
    return Column(name, "vector", values)


def _column_of_words(name: str, words: NDArray[Any]) -> Column:
    """Return a column of words, or of dates if the first word is a date."""
    first = next((word for word in words if word is not None), "")
    return Column(name, "text" if is_date(first) else "nominal", words)


def _enum_word(value: Any) -> str:
    """Return a text unchanged; for an Enum member, return its text value or name."""
    if isinstance(value, Enum):
        value = value.value if isinstance(value.value, str) else value.name
    return str(value)


def exact_words(
    values: NDArray[Any], numbers: NDArray[np.float64]
) -> NDArray[Any] | None:
    """Return numbers as words; None if they can be stored exactly as floats."""
    present = ~np.isnan(numbers)
    if np.abs(numbers[present]).max(initial=0.0) < LARGEST_EXACT:
        return None
    words = np.full(len(values), None, dtype=object)
    words[present] = [_spelled(value) for value in values[present].tolist()]
    return words


def exact_moments(
    moments: NDArray[np.datetime64], present: NDArray[np.bool_]
) -> NDArray[Any] | None:
    """Return times as words; None if they can be stored exactly as floats."""
    if not (moments.astype(np.int64) % 1000).any():
        return None
    words = np.full(len(present), None, dtype=object)
    words[present] = [str(np.datetime_as_string(one, unit="auto")) for one in moments]
    return words


def _spelled(value: Any) -> str:
    """Return a number as digits, without a decimal part if it is an integer."""
    if isinstance(value, Decimal):
        digits = format(value, "f")
        return digits.rstrip("0").rstrip(".") if "." in digits else digits
    if isinstance(value, float | np.floating) and not value.is_integer():
        return repr(float(value))
    return str(int(value))


def array_column(name: str, values: NDArray[Any]) -> Column:
    """Convert an array (n,) to a column of the same type; masked values are missing."""
    column = _typed_column(name, np.ma.getdata(values))
    masked = np.ma.getmaskarray(values)
    if not np.ma.is_masked(values) or masked.ndim != 1:
        return column
    if column.holds_words or column.kind == "other":
        return object_column(name, _with_gaps(column.values.astype(object), masked))
    exact = None if column.exact is None else _with_gaps(column.exact, masked)
    return replace(column, values=np.where(masked, np.nan, column.values), exact=exact)


def _typed_column(name: str, values: NDArray[Any]) -> Column:
    kind = values.dtype.kind
    if kind == "O":
        return object_column(name, values)
    if kind == "M":
        moments = values.astype("datetime64[us]")
        days = moments.astype(np.float64) / 86400e6
        is_known = ~np.isnat(moments)
        exact = None
        if values.dtype == np.dtype("datetime64[ns]"):
            exact = exact_moments(values[is_known], is_known)
        return Column(name, "date", np.where(is_known, days, np.nan), exact=exact)
    if kind in "US":
        words = _decoded(name, values).astype(object)
        return _column_of_words(name, _with_gaps(words, words == ""))
    if kind in "biuf" and values.ndim == 1:
        numbers = values.astype(np.float64)
        is_long = kind in "iu" and values.dtype.itemsize == 8
        exact = exact_words(values, numbers) if is_long else None
        what: Kind = "boolean" if kind == "b" else "number"
        return Column(name, what, numbers, exact=exact)
    if kind in "biuf" and values.ndim == 2:
        return with_vectors(name, values, np.ones(len(values), dtype=bool))
    return Column(name, "other", values)


def _decoded(name: str, values: NDArray[Any]) -> NDArray[Any]:
    """Return text, decoded from UTF-8 if it is bytes."""
    if values.dtype.kind == "U":
        return values
    try:
        return np.char.decode(values, "utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"Column {name!r} contains bytes that are not UTF-8 text ({error.reason}). "
            "Decode them first: np.char.decode(values, encoding).",
        ) from None


def _with_gaps(values: NDArray[Any], absent: NDArray[np.bool_]) -> NDArray[Any]:
    words = values.copy()
    words[absent] = None
    return words


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> bytes:
    if info.file_size > max(_LARGE, _BEST_PACKING * info.compress_size):
        raise InputError(
            FileName(path),
            f" expands from {info.compress_size:,} to {info.file_size:,} bytes, unlike "
            "any real table. If you trust it, pass it unpacked.",
        )
    return archive.read(info)


def _array(content: bytes, path: Path) -> NDArray[Any]:
    """Return the array in a NumPy file, if its header matches the file's size."""
    file = BytesIO(content)
    try:
        read_header = (
            npy_format.read_array_header_1_0
            if npy_format.read_magic(file) == (1, 0)
            else npy_format.read_array_header_2_0
        )
        shape, fortran_order, dtype = read_header(file)
    except Exception as error:  # the header is Python text, with many possible errors
        reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
        raise InputError(
            FileName(path),
            f" is not a readable NumPy file ({reason}). Save it again with np.save or "
            "np.savez.",
        ) from error
    if dtype.hasobject:
        raise InputError(
            FileName(path),
            " contains Python objects, which could run code when read. Save plain "
            "numbers or words, with np.save(file, X, allow_pickle=False).",
        )
    promised, size = math.prod(shape) * dtype.itemsize, len(content) - file.tell()
    if any(length < 0 for length in shape) or promised != size:
        raise InputError(
            FileName(path),
            f" declares an array of shape {shape} ({promised} bytes), but has {size} "
            "bytes. It is damaged or incomplete: save it again.",
        )
    array = np.frombuffer(content, dtype=dtype, offset=file.tell())
    array = array.reshape(shape, order="F" if fortran_order else "C")
    if not _is_text_possible(array):
        raise InputError(
            FileName(path),
            " contains text with invalid characters. It is damaged: save it again.",
        )
    return array


def _is_text_possible(array: NDArray[Any]) -> bool:
    """Whether all text is valid Unicode, which NumPy does not check."""
    if array.dtype.names is not None:
        return all(_is_text_possible(array[name]) for name in array.dtype.names)
    if array.dtype.kind != "U" or not array.dtype.itemsize:
        return True
    codes = np.ascontiguousarray(array).reshape(-1)
    codes = codes.view(np.dtype(np.uint32).newbyteorder(array.dtype.byteorder))
    surrogates = (codes >= 0xD800) & (codes <= 0xDFFF)
    return not (surrogates | (codes > sys.maxunicode)).any()
