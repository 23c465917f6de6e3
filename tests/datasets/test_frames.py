import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

from labelscape.datasets import read_table

COLUMNS = {
    "n": [1.5, None, 3.5],
    "flag": [True, False, None],
    "day": [dt.datetime(1970, 1, 2), dt.datetime(1970, 1, 1, 12), None],
    "colour": ["red", None, "blue"],
    "class": ["a", "b", "a"],
}
X = [[1.5, 1, 1, 1], [2.5, 0, 0.5, 0.5], [3.5, 0.5, 0.75, 0]]
MISSING = {"n": 1, "flag": 1, "day": 1, "colour": 1}


def arrow_file(folder, name):
    table, path = pa.table(COLUMNS), folder / name
    if name.endswith("parquet"):
        pa.parquet.write_table(table, path)
    elif name.endswith("feather"):
        pa.feather.write_feather(table, path)
    else:
        with pa.ipc.new_stream(path, table.schema) as stream:
            stream.write_table(table)
    return path


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).convert_dtypes(),
        pl.DataFrame(COLUMNS),
        pa.table(COLUMNS),
    ],
    ids=["pandas", "pandas nullable", "polars", "pyarrow"],
)
def test_every_library_of_frames_gives_the_same_table(frame):
    table = read_table(frame, label="class", missing="impute", keep=["day"])
    np.testing.assert_allclose(table.X, X)
    assert table.feature_names == ["n", "flag", "day", "colour=red"]
    assert table.missing == MISSING


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.arrow"])
def test_every_arrow_file_gives_the_same_table(tmp_path, name):
    file = arrow_file(tmp_path, name)
    table = read_table(file, label="class", missing="impute", keep=["day"])
    np.testing.assert_allclose(table.X, X)
    assert table.name == "t"


def test_categories_of_frames_are_nominal_even_if_they_are_numbers():
    frame = pd.DataFrame({"c": pd.Categorical([1, 2, None]), "y": [True, False, True]})
    table = read_table(frame.assign(x=1.0), label="y", missing="impute")
    assert table.feature_names == ["c=2", "x"]
    assert table.y.tolist() == [True, False, True]


def test_dates_of_python_and_of_polars_are_days():
    days = [dt.date(1970, 1, 2), dt.date(1970, 1, 5)]
    for frame in (pd.DataFrame({"d": days}), pl.DataFrame({"d": days})):
        assert read_table(frame).X.tolist() == [[1.0], [4.0]]


def test_ids_and_categories_are_spelt_as_a_text_file_has_them():
    frame = pl.DataFrame(
        {
            "when": [dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 1, 12)],
            "flag": [True, False],
            "size": [1.5, 2.0],
        }
    )
    table = read_table(frame, id="when", nominal=["flag", "size"])
    assert table.ids.tolist() == ["2024-01-01", "2024-01-01T12:00"]
    assert table.feature_names == ["flag=true", "size=2"]


def test_whole_floats_are_whole_labels():
    assert read_table(pl.DataFrame({"x": [1, 2], "y": [0.0, 1.0]}), "y").y.tolist() == [
        *(0, 1)
    ]


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"v": [[1], [2, 3]], "x": [1, 2]}),
        pd.DataFrame({"v": [1, "a"], "x": 1}),
        pd.DataFrame({"v": [np.zeros(1), np.ones((1, 1))], "x": 1}),
        pd.DataFrame({"v": pd.Series([10**400, 1], dtype=object), "x": 1}),
        pd.DataFrame({"v": pd.to_timedelta([1, 2]), "x": 1}),
    ],
    ids=["lists", "mixed", "arrays", "huge", "durations"],
)
def test_a_column_of_other_things_is_named_and_can_be_dropped(frame):
    with pytest.raises(ValueError, match=r"'v'.*drop=\['v'\]"):
        read_table(frame)
    assert read_table(frame, drop=["v"]).feature_names == ["x"]


def test_what_is_no_frame_is_said_to_be_none():
    with pytest.raises(ValueError, match=r"frame\.collect\(\)"):
        read_table(pl.LazyFrame({"x": [1]}))
    with pytest.raises(ValueError, match="a file, a data frame or an array, got list"):
        read_table([[1, 2]])
    twice = pd.DataFrame([[1, 2]], columns=["x", "x"])
    with pytest.raises(ValueError, match="x"):
        read_table(twice)
    with pytest.raises(ValueError, match="no rows"):
        read_table(pd.DataFrame({"x": []}))


def test_a_damaged_parquet_file_is_said_to_be_one(tmp_path):
    path = arrow_file(tmp_path, "t.parquet")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ValueError, match="not a readable parquet file"):
        read_table(path)


def test_an_arrow_file_that_points_outside_itself_is_refused(tmp_path):
    path = tmp_path / "t.feather"
    table = pa.table({"x": [1.0, 2.0, 3.0], "k": ["a", "bc", "def"]})
    pa.feather.write_feather(table, path, compression="uncompressed")
    ends = np.array([0, 1, 3, 6], dtype="<i4")  # where the words of k end
    beyond = np.array([0, 1, 2**30, 6], dtype="<i4")
    content = path.read_bytes()
    assert content.count(ends.tobytes()) == 1
    path.write_bytes(content.replace(ends.tobytes(), beyond.tobytes()))
    with pytest.raises(ValueError, match="not a readable feather file"):
        read_table(path, label="k")
