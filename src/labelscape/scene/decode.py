"""Decoding of a scene from bytes, with errors that describe any damage."""

import json
from dataclasses import fields, is_dataclass
from functools import cache
from struct import unpack_from
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from labelscape._core.errors import InputError, shown
from labelscape._core.params import arguments, binary
from labelscape.scene.encode import ALIGNMENT, DTYPES, MAGIC, VERSION
from labelscape.scene.scene import Scaled, Scene, Texts

_type_hints = cache(get_type_hints)


@arguments(given=binary())
def decode(given: bytes) -> Scene:
    """Decode a scene from bytes.

    Parameters
    ----------
    given : bytes
        A scene, as written by `encode`.

    Returns
    -------
    Scene
        The scene. Its arrays are read-only views of the bytes.

    Raises
    ------
    ValueError
        If the bytes are not a scene, are of another version, or are damaged.

    Examples
    --------
    >>> from labelscape.scene import Subject, build_scene, decode, encode
    >>> decode(encode(build_scene(Subject([[0, 0], [1, 2]])))).n_points
    2
    """
    if len(given) < 12 or given[:4] != MAGIC:
        raise InputError(
            "these bytes are not a scene: they must begin with LSCN.", owner="decode"
        )
    version, length = unpack_from("<II", given, 4)
    if version != VERSION:
        raise InputError(
            f"the scene has format {version}, but this version of Labelscape "
            f"reads format {VERSION}. Make the scene again with this version.",
            owner="decode",
        )
    if 12 + length > len(given):
        raise _damaged("its header is cut off")
    try:
        tree = json.loads(given[12 : 12 + length].decode("utf-8"))
    except ValueError as error:
        raise _damaged(f"its header is not JSON ({error})") from None
    body = memoryview(given)[12 + length :]
    scene = _read(Scene, tree, body, "the scene")
    assert isinstance(scene, Scene)
    return scene


def _damaged(what: str) -> InputError:
    return InputError(f"the scene is damaged: {what}. Write it again.", owner="decode")


def _read(hint: Any, node: Any, body: memoryview, where: str) -> Any:
    """Return a value of the type that `scene.py` declares, from its node."""
    choices = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    choices = tuple(map(spelled_out, choices))
    if node is None and type(None) in choices:
        return None
    kinds = [kind for kind in choices if kind is not type(None)]
    arrays = [kind for kind in kinds if get_origin(kind) is np.ndarray]
    if arrays and isinstance(node, dict) and "$array" in node:
        return _array(arrays, node["$array"], body, where)
    for kind, mark in ((Texts, "$strings"), (Scaled, "$scaled")):
        if kind in kinds and isinstance(node, dict) and mark in node:
            return _record(kind, node[mark], body, where)
    if is_dataclass(kinds[0]) and kinds[0] not in (Texts, Scaled):
        return _record(kinds[0], node, body, where)
    if get_origin(kinds[0]) is tuple and isinstance(node, list):
        return _tuple(get_args(kinds[0]), node, body, where)
    return _plain(kinds[0], node, where)


def _record(kind: Any, node: Any, body: memoryview, where: str) -> Any:
    if not isinstance(node, dict):
        raise _damaged(f"{where} is {shown(node)}")
    given = {}
    hints = _type_hints(kind)
    for field in fields(kind):
        if field.name not in node:
            raise _damaged(f"{where} has no {field.name!r}")
        inner = f"{field.name!r} of {where}"
        given[field.name] = _read(hints[field.name], node[field.name], body, inner)
    if kind is Texts:
        _check_offsets(given, where)
    return kind(**given)


def _tuple(parts: Any, node: list[Any], body: memoryview, where: str) -> Any:
    if parts[-1] is Ellipsis:
        parts = parts[:1] * len(node)
    if len(parts) != len(node):
        raise _damaged(f"{where} has {len(node)} entries instead of {len(parts)}")
    return tuple(
        _read(hint, part, body, f"entry {i} of {where}")
        for i, (hint, part) in enumerate(zip(parts, node, strict=True))
    )


def _plain(kind: Any, node: Any, where: str) -> Any:
    """Return a text or a number."""
    if get_origin(kind) is Literal:
        if node not in get_args(kind):
            raise _damaged(f"{where} is {shown(node)}")
        return node
    if kind is Any:  # a label, which a scene stores as text
        kind = str
    wanted = (int, float) if kind is float else (kind,)
    if not isinstance(kind, type) or type(node) not in wanted:
        raise _damaged(f"{where} is {shown(node)}")
    return kind(node)


def spelled_out(kind: Any) -> Any:
    """Return the type behind an alias; NDArray is an alias since NumPy 2.5."""
    value = getattr(get_origin(kind), "__value__", None)
    return kind if value is None else value[get_args(kind)]


def _array(kinds: list[Any], node: Any, body: memoryview, where: str) -> Any:
    """Return an array of one of the expected types."""
    try:
        dtype, shape, offset = node["dtype"], tuple(node["shape"]), node["offset"]
    except (TypeError, KeyError):
        raise _damaged(f"{where} has no dtype, shape or offset") from None
    numbers = (*shape, offset)
    if not all(type(n) is int and n >= 0 for n in numbers) or offset % ALIGNMENT:
        raise _damaged(f"{where} is an array of shape {shape} at {offset}")
    wanted = [get_args(get_args(kind)[1])[0].__name__ for kind in kinds]
    if dtype not in DTYPES or dtype not in wanted:
        raise _damaged(f"{where} is of type {shown(dtype)}, not {' or '.join(wanted)}")
    kind = np.dtype(dtype).newbyteorder("<")
    count = int(np.prod(shape, dtype=object))
    if offset + count * kind.itemsize > len(body):
        raise _damaged(f"it ends before the end of {where}")
    return np.frombuffer(body, kind, count, offset).reshape(shape)


def _check_offsets(given: dict[str, Any], where: str) -> None:
    offsets, end = given["offsets"].astype(np.int64), len(given["bytes"])
    if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != end:
        raise _damaged(f"the offsets of {where} do not match its texts")
    if (np.diff(offsets) < 0).any():
        raise _damaged(f"{where} has texts that end before they begin")
