"""One array that is not what it says."""

import io

import numpy as np
import pytest
from tests.faults.model_files.members import Members, Toy, refused


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
        ("names_", npy(header("<U2", (2,)), b"\xff" * 16), "invalid Unicode"),
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
