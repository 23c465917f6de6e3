"""Bad bytes end in one clear sentence: no crash, no hang, no code run."""

import hashlib
import io
import json
import pickle
import zipfile
from copy import deepcopy
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator

from labelscape._model_file import ModelFileError, load, save
from labelscape._model_file._archive import LARGEST_MANIFEST, sealed
from labelscape._model_file._registry import ESTIMATORS, RECORDS

MANY = settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


class Toy(BaseEstimator):
    def __init__(self, scale=1.0, *, metric=None):
        self.scale = scale
        self.metric = metric


class Pair(NamedTuple):
    first: object
    second: object


@pytest.fixture(autouse=True)
def _toys_are_registered_and_pickle_is_locked(monkeypatch):
    monkeypatch.setitem(ESTIMATORS, "Toy", __name__)
    monkeypatch.setitem(RECORDS, "Pair", __name__)

    def alarm(*args, **kwargs):
        pytest.fail("a pickle was read")

    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, alarm)


@pytest.fixture
def path(tmp_path):
    toy = Toy(scale=0.5, metric=Toy())
    toy.means_ = np.arange(12.0).reshape(3, 4)
    toy.classes_ = np.array(["a", "b", 3], dtype=object)
    toy.sparse_ = sparse.csr_array(np.eye(3))
    toy.rest_ = {"a": (1, np.float32(2)), 1: [None, np.inf], None: Pair(1, 2)}
    toy.names_ = np.array(["x", "yy"])
    toy.truths_ = np.array([True, False])
    save(toy, tmp_path / "toy.model")
    return tmp_path / "toy.model"


class Members(dict):
    """The members of a model file by name, to be changed and zipped again."""

    def __init__(self, path):
        with zipfile.ZipFile(path) as archive:
            super().__init__({name: archive.read(name) for name in archive.namelist()})

    @property
    def manifest(self):
        return json.loads(self["manifest.json"])

    @manifest.setter
    def manifest(self, manifest):
        self["manifest.json"] = json.dumps(manifest).encode()

    def replace_array(self, attribute, data):
        """Put ``data`` in the place of an array, size and checksum made to agree."""
        manifest = self.manifest
        name = manifest["model"]["state"][attribute]["array"]
        self[name] = data
        manifest["arrays"][name]["bytes"] = len(data)
        manifest["arrays"][name]["sha256"] = hashlib.sha256(data).hexdigest()
        self.manifest = manifest
        return name

    def write(self, path, compression=zipfile.ZIP_STORED):
        """Write a file whose seal is right, as an attacker would."""
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", compression) as archive:
            for name, data in self.items():
                archive.writestr(name, data)
            archive.comment = b"0" * 64
        path.write_bytes(sealed(file.getvalue()[:-64]))


def refused(path, words):
    with pytest.raises(ModelFileError, match=words) as caught:
        load(path)
    assert str(path) in str(caught.value)


def loads_or_is_refused(path):
    try:
        return load(path)
    except ModelFileError:
        return None


# Damage


@st.composite
def damaged(draw, data):
    at = draw(st.integers(0, len(data) - 1))
    kind = draw(st.sampled_from(["flip", "cut", "insert", "swap", "zeros"]))
    if kind == "flip":
        return (
            data[:at] + bytes([data[at] ^ draw(st.integers(1, 255))]) + data[at + 1 :]
        )
    if kind == "cut":
        return data[:at]
    if kind == "insert":
        return data[:at] + draw(st.binary(min_size=1, max_size=50)) + data[at:]
    n = draw(st.integers(1, 100))
    if kind == "zeros":
        return data[:at] + bytes(n) + data[at + n :]
    return (
        data[:at] + data[at + n : at + 2 * n] + data[at : at + n] + data[at + 2 * n :]
    )


@MANY
@given(choice=st.data())
def test_any_damage_is_found(choice, path):
    whole = path.read_bytes()
    data = choice.draw(damaged(whole))
    broken = path.with_name("broken")
    broken.write_bytes(data)
    if data == whole:
        assert load(broken).scale == 0.5
    else:
        refused(broken, "not a Labelscape model file")


@MANY
@given(choice=st.data())
def test_damage_under_a_right_seal_is_found_or_harmless(choice, path):
    broken = path.with_name("broken")
    data = choice.draw(damaged(path.read_bytes()[:-64]))
    broken.write_bytes(sealed(data))
    again = loads_or_is_refused(broken)
    if again is not None:
        save(again, broken)
        assert broken.read_bytes() == path.read_bytes()


TAGS = [
    *("float", "tuple", "dict", "scalar", "array", "objects", "sparse", "estimator"),
    *("record", "class", "parameters", "state", "shape", "items", "data"),
]
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["<f8", "|O", "<U99999999", "arrays/0.npy", "Toy", "os"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(TAGS),
            inner,
            max_size=2,
        )
    ),
    max_leaves=6,
)


def places(node, above=()):
    """Return the path of every value in a JSON tree."""
    if isinstance(node, dict):
        inner = node.items()
    elif isinstance(node, list):
        inner = enumerate(node)
    else:
        inner = ()
    return [above] * bool(above) + [
        place for key, value in inner for place in places(value, (*above, key))
    ]


@MANY
@given(choice=st.data())
def test_any_manifest_gives_a_model_or_a_clear_error(choice, path):
    members = Members(path)
    manifest = deepcopy(members.manifest)
    *above, last = choice.draw(st.sampled_from(places(manifest)))
    node = manifest
    for key in above:
        node = node[key]
    if choice.draw(st.booleans()):
        node[last] = choice.draw(JSON_VALUES)
    else:
        del node[last]
    members.manifest = manifest
    members.write(path.with_name("broken"))
    assert type(loads_or_is_refused(path.with_name("broken"))) in (Toy, type(None))


@MANY
@given(data=st.binary(max_size=200), seal=st.booleans(), zip_like=st.booleans())
def test_arbitrary_bytes_are_refused(data, seal, zip_like, tmp_path):
    data = b"PK\x03\x04" * zip_like + data
    (tmp_path / "any").write_bytes(sealed(data) if seal else data)
    refused(tmp_path / "any", "Can not load")


# One thing wrong at a time


def test_a_missing_file_is_an_ordinary_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "missing")


def test_a_pickle_is_refused(tmp_path):
    (tmp_path / "a.pkl").write_bytes(pickle.dumps(Toy()))
    refused(tmp_path / "a.pkl", "not a Labelscape model file")


def test_another_zip_is_refused(tmp_path):
    np.savez(tmp_path / "a.npz", a=np.arange(3))
    refused(tmp_path / "a.npz", "damaged, cut short, or not a Labelscape model file")


def test_a_zip_without_a_manifest_is_refused(path):
    members = Members(path)
    del members["manifest.json"]
    members.write(path)
    refused(path, r"without a manifest\.json")


@pytest.mark.parametrize(
    "name", ["model.pkl", "../arrays/0.npy", "/etc/passwd", "arrays/", "arrays/01.npy"]
)
def test_a_foreign_member_is_refused(path, name):
    members = Members(path)
    members[name] = b"cos\nsystem\n(S'true'\ntR."
    members.write(path)
    refused(path, "no part of a model")


def test_a_missing_array_is_refused(path):
    members = Members(path)
    del members["arrays/0.npy"]
    members.write(path)
    refused(path, "lists other arrays than it holds")


def test_an_array_that_belongs_to_nothing_is_refused(path):
    members = Members(path)
    manifest = members.manifest
    del manifest["model"]["state"]["means_"]
    members.manifest = manifest
    members.write(path)
    refused(path, r"arrays/0\.npy, which belongs to nothing")


def test_two_attributes_can_not_share_an_array(path):
    members = Members(path)
    manifest = members.manifest
    manifest["model"]["state"]["more_"] = manifest["model"]["state"]["means_"]
    members.manifest = manifest
    members.write(path)
    refused(path, "already used")


def test_a_member_that_stands_there_twice_is_refused(path):
    members = Members(path)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("arrays/0.npy", members["arrays/0.npy"])
        archive.comment = b"0" * 64
    path.write_bytes(sealed(file.getvalue()[:-64]))
    refused(path, "two members of the same name")


def test_a_compressed_file_is_refused_before_it_can_swell(path):
    members = Members(path)
    members.replace_array("means_", bytes(10_000_000))
    members.write(path, zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 20_000
    refused(path, "compressed")


def test_members_that_overlap_are_refused(path):
    # Many entries of the directory point at the same bytes.
    members = Members(path)
    members["arrays/0.npy"] = bytes(100_000)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        first = archive.getinfo("arrays/0.npy")
        for i in range(10, 30):
            copy = deepcopy(first)
            copy.filename = f"arrays/{i}.npy"
            archive.filelist.append(copy)
            archive.NameToInfo[copy.filename] = copy
        archive.comment = b"0" * 64
    path.write_bytes(sealed(file.getvalue()[:-64]))
    refused(path, "larger than the file")


def test_a_file_of_a_newer_format_asks_for_an_upgrade(path):
    members = Members(path)
    members.manifest = {
        "format": "labelscape-model",
        "version": 2,
        "labelscape": "3.0.0",
        "something": "new",
    }
    members.write(path)
    refused(path, r"newer Labelscape \(3\.0\.0, format 2; .*pip install --upgrade")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "cake"}, "not that of a Labelscape model"),
        ({"version": 0}, "the first was 1"),
        ({"version": "1"}, "no 'version' of type int"),
        ({"version": True}, "no 'version' of type int"),
        ({"model": None}, "no 'model' of type dict"),
        ({"arrays": []}, "no 'arrays' of type dict"),
    ],
)
def test_a_wrong_manifest_is_refused(path, change, words):
    members = Members(path)
    members.manifest = members.manifest | change
    members.write(path)
    refused(path, words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "damaged"),
        (b"[]", "not that of a Labelscape model"),
        (b'{"format": "labelscape-model", "version": NaN}', "holds NaN"),
        (b'{"format": "labelscape-model", "version": %s}' % (b"1" * 5000), "damaged"),
        (b"[" * 1_000_000, "damaged"),
        (b"\xff", "damaged"),
        (b" " * (LARGEST_MANIFEST + 1), "too large"),
    ],
    ids=["empty", "list", "NaN", "long number", "deep", "not ASCII", "huge"],
)
def test_a_manifest_that_is_no_manifest_is_refused(path, text, words):
    members = Members(path)
    members["manifest.json"] = text
    members.write(path)
    refused(path, words)


def nested(depth):
    node = None
    for _ in range(depth):
        node = [node]
    return node


@pytest.mark.parametrize(
    ("node", "words"),
    [
        (nested(70), "nested more than 64 deep"),
        ({"code": "import os"}, "an unknown value"),
        ({"float": "00", "tuple": []}, "an unknown value"),
        ({"float": 3}, "3 where a str should be"),
        ({"float": "00"}, "damaged"),
        ({"tuple": "abc"}, "'abc' where a list should be"),
        ({"dict": [["a"]]}, "damaged"),
        ({"dict": [[[1], 2]]}, "a container where a label should be"),
        ({"dict": [[{"tuple": []}, 2]]}, "a container where a label should be"),
        ({"objects": {"shape": [1], "items": [{"dict": []}]}}, "a container where"),
        ({"objects": {"shape": [2], "items": [1]}}, "damaged"),
        ({"scalar": ["|O", "00"]}, "'|O' is not a dtype"),
        ({"scalar": ["<f8,<f8", "00" * 16]}, "is not a dtype"),
        ({"scalar": ["<f8", "00"]}, "1 bytes are no array"),
        ({"scalar": ["<U1", "ffffffff"]}, "letters that do not exist"),
        ({"scalar": ["|b1", "02"]}, "an array of truth values"),
        ({"array": "arrays/99.npy"}, "missing or already used"),
        ({"array": []}, "damaged"),
        ({"record": ["Pair", {"first": 1}]}, "does not have in this form"),
        ({"record": ["Popen", {"args": "true"}]}, "does not have in this form"),
        ({"estimator": {"class": "Popen"}}, "class 'Popen', which .* does not have"),
        ({"estimator": {"class": "Toy", "parameters": {}}}, "no 'state' of type dict"),
        (
            {"estimator": {"class": "Toy", "parameters": {"x": 1}, "state": {}}},
            "parameter 'x', which .* does not have. Load it with the version",
        ),
        (
            {"estimator": {"class": "Toy", "parameters": {}, "state": {"scale": 1}}},
            "a parameter among learned attributes",
        ),
    ],
)
def test_a_wrong_value_is_refused(path, node, words):
    members = Members(path)
    manifest = members.manifest
    manifest["model"]["parameters"]["metric"] = node
    members.manifest = manifest
    members.write(path)
    refused(path, words)


def test_no_name_in_a_file_is_imported(path, monkeypatch):
    imported = []
    monkeypatch.setattr(
        "labelscape._model_file._registry.import_module", imported.append
    )
    members = Members(path)
    for name in ("subprocess.Popen", "labelscape._model_file", "sklearn", ""):
        manifest = members.manifest
        manifest["model"]["class"] = name
        members.manifest = manifest
        members.write(path)
        refused(path, "which Labelscape .* does not have")
    assert imported == []


def test_a_broken_installation_is_not_taken_for_a_broken_file(path, monkeypatch):
    def fail(module):
        raise ImportError("numba is not installed")

    monkeypatch.setattr("labelscape._model_file._registry.import_module", fail)
    with pytest.raises(ImportError, match="numba"):
        load(path)


def npy(array_or_header, payload=b""):
    file = io.BytesIO()
    if isinstance(array_or_header, dict):
        np.lib.format.write_array_header_1_0(file, array_or_header)
    else:
        np.lib.format.write_array(file, array_or_header)
    return file.getvalue() + payload


def header(descr="<f8", shape=(3, 4)):
    return {"descr": descr, "fortran_order": False, "shape": shape}


def raw_npy(text):
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (npy(np.array([Toy()], object)), "dtype object is never part"),
        (npy(header(shape=(10**12,))), "0 bytes are no array"),
        (npy(header(), bytes(95)), "95 bytes are no array"),
        (npy(header(), bytes(97)), "97 bytes are no array"),
        (npy(header(shape=(-1, -12)), bytes(96)), r"96 bytes are no array"),
        (npy(header(shape=(0, 10**30))), "damaged"),
        (npy(header(descr=[("a", "<f8")]), bytes(96)), "never part of a model file"),
        (npy(np.zeros((4, 3))), "not have the dtype and shape"),
        (npy(np.zeros((3, 4), ">f8")), "not have the dtype and shape"),
        (raw_npy(b"__import__('os').getcwd()\n"), "damaged"),
        (raw_npy(b"(" * 9000 + b"\n"), "damaged"),
        (raw_npy(b"-" * 9000 + b"1\n"), "damaged"),
        (b"\x93NUMPY\x03\x00" + bytes(9), "unknown .npy version"),
        (b"\x80\x04N.", "damaged"),
        (b"", "damaged"),
    ],
)
def test_an_array_that_is_not_what_it_says_is_refused(path, data, words):
    members = Members(path)
    members.replace_array("means_", data)
    members.write(path)
    refused(path, words)


@pytest.mark.parametrize(
    ("attribute", "data", "words"),
    [
        ("names_", npy(header("<U2", (2,)), b"\xff" * 16), "letters that do not exist"),
        ("truths_", npy(header("|b1", (2,)), b"\x01\x02"), "an array of truth values"),
    ],
)
def test_values_that_can_not_be_are_refused(path, attribute, data, words):
    members = Members(path)
    members.replace_array(attribute, data)
    members.write(path)
    refused(path, words)


@pytest.mark.parametrize(
    ("key", "words"), [("bytes", "the size"), ("sha256", "the checksum")]
)
def test_an_array_must_agree_with_the_manifest(path, key, words):
    members = Members(path)
    manifest = members.manifest
    described = manifest["arrays"]["arrays/0.npy"]
    described[key] = described[key] * 2
    members.manifest = manifest
    members.write(path)
    refused(path, rf"arrays/0\.npy does not have {words}")


@pytest.mark.parametrize("part", ["indices", "indptr"])
def test_a_sparse_matrix_that_points_outside_of_itself_is_refused(path, part):
    members = Members(path)
    manifest = members.manifest
    state = manifest["model"]["state"]
    state["part_"] = state["sparse_"]["sparse"][part]  # replace_array finds it here
    members.manifest = manifest
    name = state["part_"]["array"]
    old = np.lib.format.read_array(io.BytesIO(members[name]))
    old[-1] = 10**6
    members.replace_array("part_", npy(old))
    manifest = members.manifest
    del manifest["model"]["state"]["part_"]
    members.manifest = manifest
    members.write(path)
    refused(path, "damaged")
