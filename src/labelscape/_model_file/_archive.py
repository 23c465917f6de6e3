"""The container: a zip of .npy arrays and a manifest, sealed by a checksum.

Members are stored, not compressed. Floats hardly shrink, and a file that can not hold
more than its own size can not be a bomb.
"""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterable
from typing import Any, NoReturn

from numpy.typing import NDArray

import labelscape
from labelscape._model_file._errors import ModelFileError
from labelscape._model_file._npy import dtype_named, from_npy, to_npy

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
