"""Vectors in a column: one column of the table with many features."""

from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from labelscape.datasets import TableEncoder, describe_columns, read_table
from labelscape.jobs import map_table
from labelscape.jobs.fitting import scaler_for


def vectors(n=30, width=4, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=(n, width)).astype(dtype)


KIND = np.array(["a", "b", "c"] * 10)


def as_pandas(V):
    return pd.DataFrame({"kind": KIND, "v": list(V)})


def as_lists(V):
    return pd.DataFrame({"kind": KIND, "v": V.tolist()})


def as_polars(V):
    return pl.DataFrame({"kind": KIND, "v": V.tolist()})


def as_polars_array(V):
    rows = pl.Series(V.tolist(), dtype=pl.Array(pl.Float32, V.shape[1]))
    return pl.DataFrame({"kind": KIND, "v": rows})


def as_arrow(V):
    return pa.table({"kind": KIND, "v": pa.array(V.tolist())})


def as_fixed_arrow(V):
    rows = pa.FixedSizeListArray.from_arrays(pa.array(V.ravel()), V.shape[1])
    return pa.table({"kind": KIND, "v": rows})


def as_arrow_in_pandas(V):
    return as_arrow(V).to_pandas(types_mapper=pd.ArrowDtype)


def as_fields(V):
    fields = np.empty(len(V), dtype=[("kind", "U1"), ("v", V.dtype, (V.shape[1],))])
    fields["kind"], fields["v"] = KIND, V
    return fields


FORMS = [
    as_pandas,
    as_lists,
    as_polars,
    as_polars_array,
    as_arrow,
    as_fixed_arrow,
    as_arrow_in_pandas,
    as_fields,
]


@pytest.mark.parametrize("form", FORMS)
def test_a_column_of_vectors_becomes_one_feature_per_number(form):
    V = vectors()
    table = read_table(form(V), label="kind")
    assert table.feature_names == [f"v[{i}]" for i in range(4)]
    assert np.allclose(table.X, V, atol=1e-6)
    assert table.encoder.column_names == ["v"]
    assert table.encoder.vectors == {"v": table.feature_names}


@pytest.mark.parametrize("form", [as_pandas, as_fixed_arrow, as_fields])
def test_half_precision_is_read(form):
    V = vectors(dtype=np.float16)
    assert np.array_equal(read_table(form(V), label="kind").X, V.astype(np.float64))


@pytest.mark.parametrize("form", [as_arrow, as_fixed_arrow])
def test_vectors_are_read_from_parquet(form, tmp_path):
    for dtype in (np.float64, np.float32, np.float16):
        V = vectors(dtype=dtype)
        pq.write_table(form(V), tmp_path / "v.parquet")
        table = read_table(tmp_path / "v.parquet", label="kind")
        assert np.array_equal(table.X, V.astype(np.float64))


def test_vectors_are_read_beside_other_columns_and_in_new_rows():
    V = vectors()
    frame = as_pandas(V).assign(size=np.linspace(0, 9, 30) ** 2)
    table = read_table(frame, label="kind")
    assert table.feature_names[-2:] == ["v[3]", "size"]
    encoder = TableEncoder.from_json(table.encoder.to_json())
    new = encoder.transform(frame.drop(columns="kind").iloc[::-1])
    assert np.array_equal(new, table.X[::-1])
    short = frame.assign(v=list(V[:, :3]))
    with pytest.raises(ValueError, match="'v' contains vectors of 3 numbers, but"):
        encoder.transform(short)


def of(frame, **changes):
    values = list(frame["v"])
    for row, value in changes.items():
        values[int(row[1:])] = value
    return frame.assign(v=pd.Series(values, dtype=object))


@pytest.mark.parametrize(
    ("odd", "message"),
    [
        (
            [1.0, 2.0],
            r"'v' contains a vector in row 7 of 2 numbers, but the first vector has 4",
        ),
        ([1.0, "x", 2.0, 3.0], r"vector in row 7 with 'x' in it, which is not a numb"),
        (np.ones((2, 2)), r"vector in row 7 of shape \(2, 2\), which is not a row of"),
        ([], r"vector in row 7 of shape \(0,\), which is not a row of numbers"),
        ([np.inf, 0.0, 0.0, 0.0], "'v' contains inf in row 7, which models cannot use"),
        (None, "'v' has 1 missing value, the first in row 7"),
        ([1.0, None, 2.0, 3.0], "'v' has 1 missing value, the first in row 7"),
        ("word", "must contain values of one kind"),
    ],
)
def test_odd_vectors_are_refused_by_row_and_column(odd, message):
    frame = of(as_pandas(vectors()), r7=odd)
    with pytest.raises(ValueError, match=message):
        read_table(frame, label="kind")
    frame["size"] = np.linspace(0, 9, 30) ** 2
    assert read_table(frame, label="kind", drop=["v"]).feature_names == ["size"]


def test_ragged_lists_of_polars_are_refused():
    rows = [[1.0, 2.0]] * 29 + [[1.0]]
    with pytest.raises(ValueError, match="vector in row 29 of 1 numbers, but the fir"):
        read_table(pl.DataFrame({"kind": KIND, "v": rows}), label="kind")
    words = [["a", "b"]] * 30
    with pytest.raises(ValueError, match="vector in row 0 with 'a' in it"):
        read_table(pl.DataFrame({"kind": KIND, "v": words}), label="kind")


def test_a_missing_vector_is_imputed_or_its_row_left_out():
    V = vectors()
    frame = of(as_pandas(V), r7=None)
    with pytest.warns(UserWarning, match="Left out: 1 row without any value"):
        alone = read_table(frame, label="kind", missing="impute")
    assert np.array_equal(alone.X, np.delete(V, 7, axis=0))
    frame["size"] = np.arange(30.0) ** 2
    table = read_table(frame, label="kind", missing="impute")
    assert np.allclose(table.X[7, :4], np.delete(V, 7, axis=0).mean(axis=0))
    assert {name: rows.tolist() for name, rows in table.imputed.items()} == {
        f"v[{i}]": [7] for i in range(4)
    }


@pytest.mark.parametrize("role", ["label", "id"])
def test_vectors_are_neither_labels_nor_ids(role):
    with pytest.raises(ValueError, match="'v' contains vectors, which can only be"):
        read_table(as_pandas(vectors()).assign(x=vectors()[:, 0]), **{role: "v"})


def test_vectors_are_described_and_shown():
    frame = as_pandas(vectors()).assign(x=vectors()[:, 0])
    info = {one.name: one for one in describe_columns(frame)}["v"]
    assert (info.kind, info.role, info.examples) == ("vector", "feature", ["4 numbers"])
    table = read_table(frame, label="kind", show=["v"])
    assert table.shown[0].kind == "text"
    assert table.shown[0].values[0].startswith("[")


@pytest.mark.parametrize("dtype", [np.float64, np.float16])
def test_vectors_of_unit_length_keep_their_angles(dtype):
    V = vectors(width=40) * np.linspace(0.1, 3.0, 40)
    V /= np.linalg.norm(V, axis=1, keepdims=True)
    X = read_table(as_pandas(V.astype(dtype)), label="kind").X
    scaled = scaler_for(X).fit_transform(X)
    apart = np.linalg.norm(scaled[:, None] - scaled[None], axis=2)
    assert np.allclose(apart**2, 2 - 2 * X @ X.T, atol=3e-3)


def test_a_vector_is_one_column_of_the_view_and_of_relevances():
    V = vectors(width=5) + 3 * (KIND[:, None] == np.array(["a", "b", "c", "a", "b"]))
    frame = as_pandas(V).assign(size=vectors(seed=1)[:, 0])
    scene = map_table(read_table(frame, label="kind"), "lda", judge=False).scene()
    [column] = scene.columns
    assert column.name == "v"
    assert [scene.features[j].name for j in column.features] == [
        f"v[{i}]" for i in range(5)
    ]
    assert scene.model.relevances.shape[-1] == len(scene.features) == 6


def test_a_data_set_of_hugging_face_keeps_the_names_of_its_classes():
    """Data with the interface of `datasets.Dataset`."""
    arrow = pa.table({"label": [0, 1, 1, -1] * 5, "v": pa.array(vectors(20).tolist())})
    rows = Rows(
        features={"label": SimpleNamespace(names=["cat", "dog"]), "v": object()},
        with_format=lambda kind: AsArrow(arrow) if kind == "arrow" else None,
    )
    with pytest.warns(UserWarning, match="Left out: 5 rows without a class"):
        table = read_table(rows, label="label", unlabelled="drop")
    assert table.y.tolist() == ["cat", "dog", "dog"] * 5
    assert np.array_equal(table.X, np.delete(vectors(20), np.arange(3, 20, 4), axis=0))


@pytest.mark.parametrize("kind", [dict, SimpleNamespace])
def test_splits_and_iterable_data_sets_of_hugging_face_are_refused(kind):
    class Odd(kind):
        def with_format(self, kind):
            raise AssertionError("read although it has no rows of its own")

    with pytest.raises(ValueError, match=r"one split .* pass dataset\['train'\]"):
        read_table(Odd(), label="label")


class Rows(SimpleNamespace):
    """What `datasets.Dataset` has, and its splits and iterable ones do not."""

    def __len__(self):
        return 20


class AsArrow(NamedTuple):
    """Rows in a format, as ``with_format`` returns them."""

    table: pa.Table

    def __getitem__(self, rows):
        assert rows == slice(None)
        return self.table
