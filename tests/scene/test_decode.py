import json
import struct

import pytest
from tests.scene.fixture import SCENE

from labelscape.scene import decode

GOOD = SCENE.read_bytes()
LENGTH = struct.unpack("<I", GOOD[8:12])[0]


def changed(change):
    """Return the bytes of the fixture with another header."""
    tree = json.loads(GOOD[12 : 12 + LENGTH])
    change(tree)
    header = json.dumps(tree).encode()
    header += b" " * (-(12 + len(header)) % 8)
    return GOOD[:8] + struct.pack("<I", len(header)) + header + GOOD[12 + LENGTH :]


@pytest.mark.parametrize("data", [b"", b"LSCN", b"PK\x03\x04" * 10])
def test_bytes_of_something_else_are_refused(data):
    with pytest.raises(ValueError, match="not a scene: they must begin with LSCN"):
        decode(data)


def test_another_version_is_refused():
    with pytest.raises(ValueError, match=r"format 9.*reads format 1\. Make the scene"):
        decode(GOOD[:4] + struct.pack("<I", 9) + GOOD[8:])


@pytest.mark.parametrize(
    ("length", "words"), [(60, "header is cut off"), (-50_000, "before the end of")]
)
def test_a_scene_that_is_cut_off_is_refused(length, words):
    with pytest.raises(ValueError, match=f"damaged: .*{words}"):
        decode(GOOD[:length])


def test_a_header_that_is_no_json_is_refused():
    with pytest.raises(ValueError, match="its header is not JSON"):
        decode(GOOD[:12] + b"x" + GOOD[13:])


def put(value, *path):
    """Return a change of the header: another value at a place of the tree."""

    def change(tree):
        for step in path[:-1]:
            tree = tree[step]
        tree[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda tree: tree.pop("maps"), "the scene has no 'maps'"),
        (put(7, "title"), "'title' of the scene is 7"),
        (put("x", "n_points"), "'n_points' of the scene is 'x'"),
        (put(None, "maps"), "'maps' of the scene is None"),
        (put([1], "maps"), "entry 0 of 'maps' of the scene is 1"),
        (put([1, 2], "maps", 0, "regions", "box"), "has 2 entries instead of 4"),
        (put("green", "maps", 0, "honesty", "real"), "'real' of .* is 'green'"),
        (put("int64", "labels", "$array", "dtype"), "type 'int64', not uint8 or"),
        (put("float64", "certainty", "$array", "dtype"), "'float64', not float32"),
        (put(3, "labels", "$array", "offset"), r"shape \(178,\) at 3"),
        (put(-8, "labels", "$array", "offset"), r"shape \(178,\) at -8"),
        (put([-1], "labels", "$array", "shape"), r"shape \(-1,\)"),
        (put(10**12, "labels", "$array", "offset"), "ends before the end of"),
        (put([10**12], "labels", "$array", "shape"), "ends before the end of"),
        (put({}, "labels", "$array"), "has no dtype, shape or offset"),
        (put([5], "ids", "$strings", "offsets", "$array", "shape"), "not match its"),
        (put([3], "ids", "$strings", "bytes", "$array", "shape"), "not match its"),
    ],
)
def test_a_damaged_scene_says_what_is_wrong(change, words):
    with pytest.raises(ValueError, match=words):
        decode(changed(change))


def test_names_that_it_does_not_know_are_ignored():
    scene = decode(changed(put("later", "from_the_future")))
    assert scene.n_points == 178


def test_arrays_are_views_that_cannot_be_written_to():
    scene = decode(GOOD)
    with pytest.raises(ValueError, match="read-only"):
        scene.labels[0] = 1


def test_a_kind_of_feature_that_nobody_knows_is_damage():
    with pytest.raises(ValueError, match="'kind' of entry 0 of 'features'"):
        decode(changed(put("colour", "features", 0, "kind")))
