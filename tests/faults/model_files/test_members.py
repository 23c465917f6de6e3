"""One thing wrong with the file, its members or its manifest."""

import io
import pickle
import zipfile
from copy import deepcopy

import numpy as np
import pytest
from tests.faults.model_files.members import Members, Toy, refused

from labelscape._model_file import load
from labelscape._model_file._archive import LARGEST_MANIFEST, sealed


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
