"""The file format: a zip of .npy arrays and a manifest, followed by a checksum.

Arrays are not compressed, because floats hardly shrink.
"""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.lib import format as npy

import labelscape
from labelscape._core.errors import InputError
from labelscape._core.types import Array

FORMAT = "labelscape-model"
VERSION = 1

# The first bytes of every zip file.
MAGIC = b"PK\x03\x04"
_MANIFEST = "manifest.json"
_SEAL = 64  # number of hexadecimal digits at the end of the file
# Maximum number of lists and objects in a JSON text. Each needs much more memory than
# the two bytes of its brackets, and skops needs about 20 µs for it. A thousand trees
# have 80,000.
_MOST_NODES = 400_000
# bool, integers, floats, complex, durations, dates, bytes, text; no objects or records
KINDS = "biufcmMSU"
_DTYPE = re.compile(rf"[<>|][{KINDS}]\d{{1,9}}(\[\d*[a-zA-Z]+\])?")


class ModelFileError(InputError):
    """Error of a model file that cannot be read; the message says why.

    Examples
    --------
    >>> issubclass(ModelFileError, ValueError)
    True
    """


def pack(model: dict[str, Any], arrays: Iterable[Array]) -> bytes:
    """Return the bytes of a model file, from its tree and the numbered arrays."""
    members, described = {}, {}
    for i, array in enumerate(arrays):
        member = io.BytesIO()
        npy.write_array(member, array, allow_pickle=False)
        members[array_name(i)] = data = member.getvalue()
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
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, data in {_MANIFEST: text, **members}.items():
            # A ZipInfo has a fixed date, so that the same model gives the same bytes.
            archive.writestr(zipfile.ZipInfo(name), data)
        archive.comment = b"labelscape model, sha256 " + b"0" * _SEAL
    return sealed(file.getbuffer()[:-_SEAL])


def sealed(content: bytes | memoryview) -> bytes:
    """Return ``content`` followed by its checksum."""
    return b"".join([content, hashlib.sha256(content).hexdigest().encode()])


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the tree and the named arrays of a model file."""
    if not data.startswith(MAGIC):
        raise ModelFileError("it is not a Labelscape model file")
    content = memoryview(data)[:-_SEAL]
    if hashlib.sha256(content).hexdigest().encode() != data[-_SEAL:]:
        raise ModelFileError(
            "it is damaged, cut short, or not a Labelscape model file: its checksum "
            "is wrong. Copy it again, or save the model again"
        )
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        check_stored(archive, len(data))
        manifest = parsed(archive.read(_MANIFEST))
        if manifest["format"] != FORMAT:
            raise ModelFileError("its manifest does not describe a Labelscape model")
        if manifest["version"] > VERSION:
            raise ModelFileError(
                f"it was written by a newer Labelscape ({manifest['labelscape']}, "
                f"format {manifest['version']}; this is {labelscape.__version__} and "
                f"reads format {VERSION}). Upgrade with: pip install --upgrade "
                "labelscape"
            )
        arrays = {name: _array(archive.read(name)) for name in manifest["arrays"]}
    return manifest["model"], arrays


def check_stored(archive: zipfile.ZipFile, size: int) -> None:
    """Raise an error if the parts of a zip of this size could need more memory."""
    members = archive.infolist()
    if sum(member.file_size for member in members) > size:
        raise ModelFileError("its zip index declares parts larger than the file")
    if any(member.compress_type != zipfile.ZIP_STORED for member in members):
        # The declared size of a compressed part may be wrong.
        raise ModelFileError("it has compressed parts, which no model file has")


def parsed(text: bytes) -> Any:
    """Return the value of a JSON text, unless it consists of too many parts."""
    if text.count(b"[") + text.count(b"{") > _MOST_NODES:
        raise ModelFileError(f"it consists of more than {_MOST_NODES:,} parts")
    return json.loads(text)


def _array(member: bytes) -> Array:
    array: Array = npy.read_array(io.BytesIO(member), allow_pickle=False)
    if array.size > len(member):  # of empty texts, which need no bytes
        raise ModelFileError("it has an array with more items than bytes")
    return array


def array_name(number: int) -> str:
    return f"arrays/{number}.npy"


def dtype_named(text: str) -> np.dtype[Any]:
    """Return the dtype with the given name, if model files support it."""
    if not _DTYPE.fullmatch(text):
        raise ModelFileError(f"{text[:40]!r} is not a dtype that model files support")
    return np.dtype(text)
