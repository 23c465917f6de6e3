"""One array as the bytes of a .npy file, and back without trusting its header."""

import io
import math
import re
from typing import Any, Literal

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from labelscape._model_file._errors import ModelFileError

# bool, integers, floats, complex, durations, dates, bytes, text: no objects, no records
KINDS = "biufcmMSU"
_DTYPE = re.compile(rf"[<>|][{KINDS}]\d{{1,9}}(\[\d*[a-zA-Z]+\])?")

_HEADER_READERS = {
    (1, 0): npy.read_array_header_1_0,
    (2, 0): npy.read_array_header_2_0,
}


def to_npy(array: NDArray[Any]) -> bytes:
    """Return an array as a .npy file: dtype, byte order, shape and memory order."""
    file = io.BytesIO()
    npy.write_array(file, array, allow_pickle=False)
    return file.getvalue()


def from_npy(data: bytes) -> NDArray[Any]:
    """Return the array that a .npy file holds, once its header agrees with its size."""
    file = io.BytesIO(data)
    version = npy.read_magic(file)
    if version not in _HEADER_READERS:
        raise ModelFileError(f"an array has the unknown .npy version {version}")
    shape, fortran_order, dtype = _HEADER_READERS[version](file)
    content = memoryview(data)[file.tell() :]
    return from_bytes(content, dtype, shape, "F" if fortran_order else "C")


def from_bytes(
    data: bytes | memoryview,
    dtype: np.dtype[Any],
    shape: tuple[int, ...],
    order: Literal["C", "F"] = "C",
) -> NDArray[Any]:
    """Return ``data`` as an array, refusing sizes and values that can not be."""
    if dtype.kind not in KINDS:
        raise ModelFileError(f"an array of dtype {dtype} is never part of a model file")
    if math.prod(shape) * dtype.itemsize != len(data) or min(shape, default=0) < 0:
        raise ModelFileError(
            f"{len(data)} bytes are no array of shape {shape} and dtype {dtype}"
        )
    # NumPy trusts the bytes of text and truth values, and fails much later if it can't.
    if dtype.kind == "U":
        letters = np.frombuffer(data, np.dtype("u4").newbyteorder(dtype.byteorder))
        if letters.max(initial=0) > 0x10FFFF:
            raise ModelFileError("an array of text holds letters that do not exist")
    if dtype.kind == "b" and np.frombuffer(data, np.uint8).max(initial=0) > 1:
        raise ModelFileError("an array of truth values holds other values")
    fixed: NDArray[Any] = np.ndarray(shape, dtype, buffer=data, order=order)
    return fixed.copy(order="K")


def dtype_named(text: str) -> np.dtype[Any]:
    """Return the dtype that a manifest writes as ``text``."""
    if not _DTYPE.fullmatch(text):
        raise ModelFileError(f"{text[:40]!r} is not a dtype of a model file")
    return np.dtype(text)
