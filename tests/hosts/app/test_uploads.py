"""Files that are much larger after unpacking."""

import gzip
import io
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather, ipc

from labelscape.hosts.app.uploads import Limits, check_size

LIMITS = Limits(unpacked=2**20, columns=1000)


def test_ordinary_files_pass(tmp_path):
    plain = tmp_path / "a.csv"
    plain.write_text("a,b\n1,2\n")
    packed = tmp_path / "a.csv.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    arrays = tmp_path / "a.npz"
    np.savez(arrays, X=np.eye(3))
    columns = tmp_path / "a.parquet"
    pq.write_table(pa.table({"a": [1, 2]}), columns)
    arrow = tmp_path / "a.feather"
    feather.write_feather(pa.table({"a": [1, 2]}), arrow)
    for path in (plain, packed, arrays, columns, arrow):
        check_size(path, LIMITS)


@pytest.mark.parametrize("name", ["bomb.csv.gz", "bomb.csv", "bomb.txt"])
def test_a_gzip_bomb_is_refused_whatever_it_is_called(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(gzip.compress(b"a,b\n" + b"0" * 2**21))
    with pytest.raises(ValueError, match=r"more than .* GB when it is unpacked"):
        check_size(path, LIMITS)


@pytest.mark.parametrize("damage", [slice(20), slice(3)])
def test_a_damaged_gzip_file_is_told(tmp_path, damage):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(bytes(range(256)) * 100)[damage])
    with pytest.raises(ValueError, match="not a complete gzip file"):
        check_size(path, LIMITS)


def test_garbage_inside_a_gzip_file_is_told(tmp_path):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"")[:10] + b"\xff" * 100)
    with pytest.raises(ValueError, match="not a complete gzip file"):
        check_size(path, LIMITS)


def test_a_zip_bomb_is_refused_by_what_it_says(tmp_path):
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("X.npy", bytes(2**21))
    with pytest.raises(ValueError, match="is the limit of the app"):
        check_size(path, LIMITS)
    path.write_bytes(b"PK no zip")
    with pytest.raises(ValueError, match="not a complete npz file"):
        check_size(path, LIMITS)


def test_a_parquet_file_of_very_many_rows_is_refused(tmp_path):
    path = tmp_path / "long.parquet"
    zeros = pa.DictionaryArray.from_arrays(np.zeros(2**18, np.int32), ["a"])
    pq.write_table(pa.table({"a": zeros}), path)
    assert path.stat().st_size < 2**12
    with pytest.raises(ValueError, match="is the limit of the app"):
        check_size(path, LIMITS)
    path.write_bytes(b"PAR1" + b"\xff" * 100 + b"PAR1")
    with pytest.raises(ValueError, match="not a complete Parquet file"):
        check_size(path, LIMITS)


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_a_very_wide_table_is_refused_before_it_is_read(tmp_path, sign):
    text = sign.join(map(str, range(1001))) + "\n"
    for name, data in (
        ("a.data", text.encode()),
        ("b.gz", gzip.compress(text.encode())),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ValueError, match="1,001 columns"):
            check_size(tmp_path / name, LIMITS)


def test_commas_in_a_binary_file_are_no_columns(tmp_path):
    (tmp_path / "cells.h5ad").write_bytes(b"\x89HDF" + 2000 * b",")
    check_size(tmp_path / "cells.h5ad", LIMITS)


def test_a_wide_parquet_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "wide.parquet"
    pq.write_table(pa.table({str(i): [0] for i in range(1001)}), path)
    with pytest.raises(ValueError, match="1,001 columns"):
        check_size(path, LIMITS)


@pytest.mark.parametrize("new", [ipc.new_file, ipc.new_stream])
@pytest.mark.parametrize(
    "column",
    [
        pa.array(np.zeros(2**17 + 1)),
        pa.array(["a" * 2**20, "b"]),
        pa.nulls(2**18),
        pa.DictionaryArray.from_arrays(np.zeros(2**18, np.int8), ["a"]),
    ],
    ids=["numbers", "words", "nulls", "few words"],
)
def test_an_arrow_file_that_unpacks_to_more_is_refused(tmp_path, new, column):
    path = tmp_path / "bomb.arrow"
    packed = ipc.IpcWriteOptions(compression="zstd")
    table = pa.table({"a": column})
    with new(path, table.schema, options=packed) as file:
        file.write_table(table, max_chunksize=2**16)
    assert path.stat().st_size < 2**16
    with pytest.raises(ValueError, match="is the limit of the app"):
        check_size(path, LIMITS)


def test_a_wide_or_broken_feather_file_is_refused(tmp_path):
    path = tmp_path / "wide.feather"
    feather.write_feather(pa.table({str(i): [0] for i in range(1001)}), path)
    with pytest.raises(ValueError, match="1,001 columns"):
        check_size(path, LIMITS)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ValueError, match=r"not a complete feather file"):
        check_size(path, LIMITS)


def test_reading_never_gets_all_of_the_memory():
    assert Limits(memory=5).reading_memory == 5
    assert 0 < Limits().reading_memory < 2**50


def test_an_npz_that_lies_about_its_size_is_read_to_what_it_said(tmp_path):
    path = tmp_path / "lie.npz"
    array = io.BytesIO()
    np.save(array, np.zeros(2**15))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("X.npy", array.getvalue())
    size = len(array.getvalue()).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(size, (100).to_bytes(4, "little")))
    check_size(path, LIMITS)
    with pytest.raises((ValueError, zipfile.BadZipFile)), np.load(path) as arrays:
        arrays["X"]
