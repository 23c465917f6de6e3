"""Ids and classes keep all digits, also those that floats cannot store."""

import decimal
import json
import struct

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

import labelscape
from labelscape._core.errors import InputWarning
from labelscape.datasets import Reading, describe_columns, read_table
from labelscape.prototypes import GLVQ
from labelscape.scene import decode, encode
from labelscape.scene._internal import scene_of

SIZE = np.random.default_rng(0).normal(size=12).tolist()
STARTS = {"int64": 2**53, "long int64": -(2**62), "uint64": 2**63}


def frame(start):
    dtype = np.uint64 if start >= 2**63 else np.int64
    ids = np.array([start + i for i in range(12)], dtype=dtype)
    kind = np.array([start + i % 3 for i in range(12)], dtype=dtype)
    return pd.DataFrame({"id": ids, "kind": kind, "size": SIZE})


def nullable(table):
    return table.convert_dtypes()


def decimals(table):
    words = [decimal.Decimal(str(value)) for value in table["id"]]
    return pa.table(table).set_column(0, "id", pa.array(words))


def arrow_stream(table, path):
    with pa.ipc.new_stream(path, pa.table(table).schema) as stream:
        stream.write_table(pa.table(table))


FRAMES = {
    "pandas": lambda table: table,
    "nullable": nullable,
    "objects": lambda table: table.astype({"id": object, "kind": object}),
    "polars": pl.from_pandas,
    "arrow": pa.table,
    "decimals": decimals,
    "records": lambda table: np.array(table.to_records(index=False)),
}
FILES = {
    "csv": lambda table, path: table.to_csv(path, index=False),
    "parquet": lambda table, path: table.to_parquet(path),
    "feather": lambda table, path: table.to_feather(path),
    "arrow": arrow_stream,
    "npy": lambda table, path: np.save(path, np.array(table.to_records(index=False))),
    "npz": lambda table, path: np.savez(
        path, X=table[["size"]], id=table["id"], kind=table["kind"]
    ),
}


def check(read, given):
    assert [int(name) for name in read.ids] == given["id"].tolist()
    assert read.y.tolist() == given["kind"].tolist()
    assert read.feature_names in (["size"], ["x1"])


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
@pytest.mark.parametrize("form", FRAMES)
def test_frames_keep_ids_and_classes(form, start):
    given = frame(start)
    check(read_table(FRAMES[form](given), label="kind", id="id"), given)


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
@pytest.mark.parametrize("form", FILES)
def test_files_keep_ids_and_classes(form, start, tmp_path):
    given, path = frame(start), tmp_path / f"table.{form}"
    FILES[form](given, path)
    check(read_table(path, label="kind", id="id"), given)


def test_rows_without_a_class_are_left_out_with_their_digits_only():
    given = frame(2**53).astype({"kind": "Int64"})
    given.loc[0, "kind"] = None
    with pytest.warns(UserWarning, match="1 row without a class"):
        read = read_table(
            given, label="kind", id="id", reading=Reading(unlabelled="drop")
        )
    check(read, given[1:])


def test_categories_keep_their_digits_in_new_rows_too():
    given = frame(2**53).drop(columns="id")
    read = read_table(given, nominal=["kind"])
    assert read.feature_names[:2] == [f"kind={2**53}", f"kind={2**53 + 1}"]
    np.testing.assert_array_equal(read.encoder.transform(given), read.X)


def test_a_feature_that_loses_differences_is_said_to():
    with pytest.warns(InputWarning, match="'id' contains 12 different numbers.*only 7"):
        read_table(frame(2**53), label="kind", keep=["id"])


def test_different_ids_are_counted_as_different():
    ids = describe_columns(frame(2**53))[0]
    assert (ids.n_distinct, ids.examples[1]) == (12, str(2**53 + 1))


def test_a_saved_model_predicts_them(tmp_path):
    given = frame(2**53)
    X, y = given[["size"]].to_numpy(), given["kind"].astype("Int64")
    model = GLVQ(random_state=0).fit(X, y)
    labelscape.save(model, tmp_path / "model")
    loaded = labelscape.load(tmp_path / "model")
    assert loaded.classes_.tolist() == sorted(set(y))
    assert loaded.score(X, y) == np.mean(model.predict(X) == given["kind"])


def test_scenes_write_them_as_texts_for_javascript_keeps_53_bits():
    given = frame(2**53)
    Z = np.column_stack([SIZE, SIZE])
    data = encode(scene_of(Z, y=given["kind"].astype("Int64"), ids=given["id"]))
    shown = decode(data)
    assert list(shown.classes) == [str(2**53 + c) for c in range(3)]
    assert [shown.ids[i] for i in range(12)] == given["id"].astype(str).tolist()
    (length,) = struct.unpack("<I", data[8:12])
    numbers = []
    json.loads(data[12 : 12 + length], parse_int=lambda word: numbers.append(int(word)))
    assert max(map(abs, numbers)) < 2**53
