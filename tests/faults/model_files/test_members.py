"""One error in the file, its members or its manifest."""

import io
import pickle
import zipfile
from copy import deepcopy

import numpy as np
import pytest
from tests.faults.model_files.members import Members, Toy, refused

from labelscape._model_file import load
from labelscape._model_file._archive import sealed


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
    refused(path, r"no item named .manifest\.json")


def test_a_missing_array_is_refused(path):
    members = Members(path)
    del members["arrays/0.npy"]
    members.write(path)
    refused(path, "no item named .arrays/0.npy")


def test_a_compressed_file_is_refused_before_it_can_swell(path):
    members = Members(path)
    members.replace_array("means_", bytes(10_000_000))
    members.write(path, zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 20_000
    refused(path, "larger than the file")


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
        ({"format": "cake"}, "does not describe a Labelscape model"),
        ({"version": "1"}, "damaged"),
        ({"model": None}, "damaged"),
        ({"arrays": []}, "damaged"),
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
        (b"[]", "damaged"),
        (b'{"format": "labelscape-model", "version": %s}' % (b"1" * 5000), "damaged"),
        (b"[" * 100_000, "damaged"),
        (b"\xff", "damaged"),
    ],
    ids=["empty", "list", "long number", "deep", "not ASCII"],
)
def test_a_manifest_that_is_no_manifest_is_refused(path, text, words):
    members = Members(path)
    members["manifest.json"] = text
    members.write(path)
    refused(path, words)
