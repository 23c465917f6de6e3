"""Model files with one wrong array."""

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
        (npy(np.array([Toy()], object)), "damaged"),
        (npy(header(shape=(10**12,))), "damaged"),
        (npy(header(), bytes(95)), "damaged"),
        (npy(header(shape=(0, 10**30))), "damaged"),
        (raw_npy(b"__import__('os').getcwd()\n"), "damaged"),
        (raw_npy(b"(" * 9000 + b"\n"), "damaged"),
        (raw_npy(b"-" * 9000 + b"1\n"), "damaged"),
        (b"\x93NUMPY\x07\x00" + bytes(9), "damaged"),
        (b"\x80\x04N.", "damaged"),
        (b"", "damaged"),
    ],
)
def test_an_array_that_is_not_what_it_says_is_refused(path, data, words):
    members = Members(path)
    members.replace_array("means_", data)
    members.write(path)
    refused(path, words)


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
