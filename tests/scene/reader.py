"""A second reader of scenes, written from README.md and sharing no code with ours."""

import itertools
import json
import struct


def read(data):
    """Return the tree of a scene: plain lists, dicts, numbers and texts."""
    assert data[:4] == b"LSCN"
    version, length = struct.unpack("<II", data[4:12])
    assert version == 1
    assert (12 + length) % 8 == 0
    header = json.loads(data[12 : 12 + length].decode("utf-8"), parse_constant=_refuse)
    return _node(header, data[12 + length :])


def _node(node, body):
    if isinstance(node, list):
        return [_node(part, body) for part in node]
    if not isinstance(node, dict):
        return node
    if "$array" in node:
        return _array(node["$array"], body)
    if "$strings" in node:
        offsets = _node(node["$strings"]["offsets"], body)
        bytes_ = bytes(_node(node["$strings"]["bytes"], body))
        return [bytes_[a:b].decode("utf-8") for a, b in itertools.pairwise(offsets)]
    if "$scaled" in node:
        low, high = node["$scaled"]["low"], node["$scaled"]["high"]
        codes = _node(node["$scaled"]["codes"], body)
        return _unscaled(codes, low, high)
    return {name: _node(part, body) for name, part in node.items()}


def _unscaled(codes, low, high):
    if isinstance(codes, list):
        return [_unscaled(part, low, high) for part in codes]
    return None if codes == 65535 else low + codes * (high - low) / 65534


SIGNS = {
    "uint8": "B",
    "uint16": "H",
    "uint32": "I",
    "int32": "i",
    "float32": "f",
    "float64": "d",
}


def _array(node, body):
    assert node["offset"] % 8 == 0
    size = 1
    for length in node["shape"]:
        size *= length
    kind = f"<{size}{SIGNS[node['dtype']]}"
    flat = list(struct.unpack_from(kind, body, node["offset"]))
    for length in reversed(node["shape"][1:]):
        count = len(flat) // length if length else 0
        flat = [flat[i * length : (i + 1) * length] for i in range(count)]
    return flat


def _refuse(name):
    raise AssertionError(f"{name} is no JSON")
