"""Encoding of a scene as bytes: a JSON header, then the arrays (see README.md)."""

import json
import math
from dataclasses import fields, is_dataclass
from struct import pack
from typing import Any

import numpy as np

from labelscape._core.params import arguments, instance
from labelscape.scene.scene import Scaled, Scene, Texts

MAGIC, VERSION = b"LSCN", 1
# Every array begins at a multiple of this number, so browsers need not copy it.
ALIGNMENT = 8
DTYPES = ("uint8", "uint16", "uint32", "int32", "float32", "float64")


@arguments(scene=instance(Scene))
def encode(scene: Scene) -> bytes:
    """Return a scene as bytes.

    Parameters
    ----------
    scene : Scene
        The scene.

    Returns
    -------
    bytes
        In the format of ``scene/README.md``.

    Examples
    --------
    >>> from labelscape.scene import Subject, build_scene, decode, encode
    >>> bytes_ = encode(build_scene(Subject([[0, 0], [1, 2]]), title="Two points"))
    >>> bytes_[:4], decode(bytes_).title
    (b'LSCN', 'Two points')
    """
    body = _Body()
    tree = json.dumps(body.node(scene), ensure_ascii=False, allow_nan=False)
    header = tree.encode("utf-8", "replace")
    header += b" " * (-(12 + len(header)) % ALIGNMENT)
    start = MAGIC + pack("<II", VERSION, len(header)) + header
    return b"".join([start, *body.parts])


class _Body:
    """The arrays, collected while the header is written."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def node(self, value: Any) -> Any:
        """Return the JSON node of a value in the header."""
        if isinstance(value, np.ndarray):
            return {"$array": self._placed(value)}
        if isinstance(value, Texts):
            return {"$strings": self._fields(value)}
        if isinstance(value, Scaled):
            return {"$scaled": self._fields(value)}
        if is_dataclass(value):
            return self._fields(value)
        if isinstance(value, tuple):
            return [self.node(part) for part in value]
        if isinstance(value, float | np.floating):
            return float(value) if math.isfinite(value) else None
        return value

    def _fields(self, record: Any) -> dict[str, Any]:
        return {
            field.name: self.node(getattr(record, field.name))
            for field in fields(record)
        }

    def _placed(self, array: np.ndarray[Any, Any]) -> dict[str, Any]:
        dtype = array.dtype.name
        if dtype not in DTYPES:
            raise TypeError(
                f"encode: a scene contains arrays of {', '.join(DTYPES)}, got {dtype}."
            )
        offset = self.size
        data = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        filled = data + bytes(-len(data) % ALIGNMENT)
        self.parts.append(filled)
        self.size += len(filled)
        return {"dtype": dtype, "shape": list(array.shape), "offset": offset}
