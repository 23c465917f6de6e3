"""The container: a zip of .npy arrays and a manifest, sealed by a checksum.

Members are stored, not compressed. Floats hardly shrink, and a file that can not hold
more than its own size can not be a bomb.
"""

import hashlib
import io
import json
import math
import re
import zipfile
from collections.abc import Iterable
from typing import Any, Literal, NoReturn

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

import labelscape
from labelscape._core.errors import InputError

FORMAT = "labelscape-model"
VERSION = 1
LARGEST_MANIFEST = 64 * 2**20
# Empty lists, three bytes each, take twenty times as much in memory; members likewise.
# A manifest of arrays and of labels is full before it has so many of them.
MOST_CONTAINERS, MOST_VALUES, MOST_MEMBERS = 1_000_000, 5_000_000, 300_000

# How every zip file begins.
MAGIC = b"PK\x03\x04"
_MANIFEST = "manifest.json"
_ARRAY = re.compile(r"arrays/(0|[1-9]\d{0,8})\.npy")
_SEAL = 64  # the file ends in this many hexadecimal digits


class ModelFileError(InputError):
    """A file that holds no model this Labelscape can read; the message says why.

    Examples
    --------
    >>> issubclass(ModelFileError, ValueError)
    True
    """


def pack(model: dict[str, Any], arrays: Iterable[NDArray[Any]]) -> bytes:
    """Return the model file for a tree and the arrays it refers to, by number."""
    members, described = {}, {}
    for i, array in enumerate(arrays):
        members[array_name(i)] = data = to_npy(array)
        described[array_name(i)] = {
            "dtype": array.dtype.str,
            "shape": list(array.shape),
            "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
        }
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "labelscape": labelscape.__version__,
        "model": model,
        "arrays": described,
    }
    text = json.dumps(manifest, indent=1, allow_nan=False).encode("ascii")
    if len(text) > LARGEST_MANIFEST or _swells(text):
        raise ValueError(
            f"save: the model holds {len(text) / 2**20:.0f} MiB outside of its numeric "
            f"arrays, and a file takes {LARGEST_MANIFEST / 2**20:.0f} MiB of that. "
            "Pass labels as text or numbers rather than as an array of objects."
        )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, data in {_MANIFEST: text, **members}.items():
            # A ZipInfo has a fixed date: the same model gives the same bytes.
            archive.writestr(zipfile.ZipInfo(name), data)
        archive.comment = b"labelscape model, sha256 " + b"0" * _SEAL
    return sealed(file.getbuffer()[:-_SEAL])


def sealed(content: bytes | memoryview) -> bytes:
    """Return ``content`` followed by the checksum of it."""
    return b"".join([content, hashlib.sha256(content).hexdigest().encode()])


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the tree and the named arrays of a model file, all of it checked."""
    if not data.startswith(MAGIC):
        raise ModelFileError("it is not a Labelscape model file")
    content = memoryview(data)[:-_SEAL]
    if hashlib.sha256(content).hexdigest().encode() != data[-_SEAL:]:
        raise ModelFileError(
            "it is damaged, cut short, or not a Labelscape model file: its checksum "
            "does not agree. Copy it again, or save the model again"
        )
    if data.count(b"PK\x01\x02") > MOST_MEMBERS:
        raise ModelFileError("it holds more members than a model has")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        _check_members(archive.infolist(), len(data))
        if _MANIFEST not in archive.namelist():
            raise ModelFileError("it is a zip file without a manifest.json")
        manifest = _manifest(archive.read(_MANIFEST))
        described = part(manifest, "arrays", dict)
        if {_MANIFEST, *described} != set(archive.namelist()):
            raise ModelFileError("its manifest lists other arrays than it holds")
        arrays = {
            name: _array(name, archive.read(name), part(described, name, dict))
            for name in described
        }
    return part(manifest, "model", dict), arrays


def array_name(number: int) -> str:
    """Return the member name of an array."""
    return f"arrays/{number}.npy"


def part(node: dict[str, Any], key: str, kind: type) -> Any:
    """Return ``node[key]`` of a manifest if it is there and of the kind it must be."""
    value = node.get(key)
    if type(value) is not kind:
        raise ModelFileError(
            f"its manifest has no {key[:40]!r} of type {kind.__name__} where it should"
        )
    return value


def _check_members(members: list[zipfile.ZipInfo], file_size: int) -> None:
    names = [member.filename for member in members]
    if len(set(names)) < len(names):
        raise ModelFileError("it holds two members of the same name")
    for name in names:
        if name != _MANIFEST and not _ARRAY.fullmatch(name):
            raise ModelFileError(f"it holds {name[:80]!r}, which is no part of a model")
    if any(member.compress_type != zipfile.ZIP_STORED for member in members):
        raise ModelFileError(
            "its members are compressed, which those of a model are not"
        )
    # Members that share bytes could promise far more than the file holds.
    if sum(member.file_size for member in members) > file_size:
        raise ModelFileError("its members claim to be larger than the file")


def _swells(text: bytes) -> bool:
    """Return whether a manifest has so many values that reading it takes too much."""
    containers = text.count(b"[") + text.count(b"{")
    return containers > MOST_CONTAINERS or containers + text.count(b",") > MOST_VALUES


def _manifest(text: bytes) -> dict[str, Any]:
    if len(text) > LARGEST_MANIFEST:
        raise ModelFileError(f"its manifest is too large: {len(text)} bytes")
    if _swells(text):
        raise ModelFileError("its manifest holds more values than one of a model")
    manifest = json.loads(text.decode("ascii"), parse_constant=_no_constant)
    if type(manifest) is not dict or manifest.get("format") != FORMAT:
        raise ModelFileError("its manifest is not that of a Labelscape model")
    version = part(manifest, "version", int)
    if version > VERSION:
        writer = str(manifest.get("labelscape"))[:40]
        raise ModelFileError(
            f"it was written by a newer Labelscape ({writer}, format {version}; this "
            f"is {labelscape.__version__} and reads format {VERSION}). Upgrade with: "
            "pip install --upgrade labelscape"
        )
    if version < 1:
        raise ModelFileError(f"its format version is {version}, and the first was 1")
    return manifest


def _no_constant(text: str) -> NoReturn:
    raise ModelFileError(f"its manifest holds {text}, which is not JSON")


def _array(name: str, data: bytes, described: dict[str, Any]) -> NDArray[Any]:
    if len(data) != part(described, "bytes", int):
        raise ModelFileError(f"{name} does not have the size that the manifest gives")
    if hashlib.sha256(data).hexdigest() != part(described, "sha256", str):
        raise ModelFileError(f"{name} does not have the checksum of the manifest")
    array = from_npy(data)
    dtype = dtype_named(part(described, "dtype", str))
    if array.dtype != dtype or list(array.shape) != part(described, "shape", list):
        raise ModelFileError(
            f"{name} does not have the dtype and shape of the manifest"
        )
    return array


# One array as the bytes of a .npy file, and back without trusting its header.

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
            raise ModelFileError("a text array holds invalid Unicode")
    if dtype.kind == "b" and np.frombuffer(data, np.uint8).max(initial=0) > 1:
        raise ModelFileError("an array of truth values holds other values")
    fixed: NDArray[Any] = np.ndarray(shape, dtype, buffer=data, order=order)
    return fixed.copy(order="K")


def dtype_named(text: str) -> np.dtype[Any]:
    """Return the dtype that a manifest writes as ``text``."""
    if not _DTYPE.fullmatch(text):
        raise ModelFileError(f"{text[:40]!r} is not a dtype of a model file")
    return np.dtype(text)
