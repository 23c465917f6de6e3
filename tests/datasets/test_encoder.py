import numpy as np
import pandas as pd
import polars as pl
import pytest

from labelscape.datasets import load, read_table

TEXT = (
    "n,flag,day,colour,class\n"
    "1,true,2024-01-01,red,a\n"
    "2,false,2024-01-02,blue,b\n"
    "4,true,,green,a\n"
)


@pytest.fixture
def table(write):
    how = {"scale": "standard", "missing": "impute", "keep": ["day"]}
    return read_table(write(TEXT), "class", **how)


def test_the_same_rows_pass_the_same_way(write, table):
    np.testing.assert_array_equal(table.encoder.transform(write(TEXT)), table.X)


def test_new_rows_may_come_as_another_kind_of_table(table):
    columns = {
        "colour": ["blue"],
        "day": [pd.Timestamp("2024-01-02")],
        "n": ["2"],
        "flag": [False],
        "unknown": ["ignored"],
    }
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns)):
        np.testing.assert_array_equal(table.encoder.transform(frame), table.X[1:2])


def test_one_row_with_gaps_gets_the_means_of_the_table(write, table):
    row = write("n,flag,day,colour\n,,,\n", "row.csv")
    np.testing.assert_allclose(
        table.encoder.transform(row), np.zeros((1, 6)), atol=1e-12
    )


def test_numbers_in_a_frame_match_the_categories_read_from_text(write):
    path = write("region,class\n1,a\n2,b\n3,a\n")
    encoder = read_table(path, "class", nominal=["region"]).encoder
    frame = pd.DataFrame({"region": [3.0, 1.0]})
    assert encoder.transform(frame).tolist() == [[0, 0, 1], [1, 0, 0]]


def test_a_matrix_passes_by_position():
    iris = load("iris")
    np.testing.assert_array_equal(iris.encoder.transform(iris.X[:3]), iris.X[:3])
    with pytest.raises(ValueError, match="3 columns, but the fitted table had 4"):
        iris.encoder.transform(iris.X[:, :3])


def test_absent_columns_are_named(write, table):
    with pytest.raises(ValueError, match="lack 2 of 4 columns: 'flag', 'colour'"):
        table.encoder.transform(write("n,day\n1,2024-01-01\n", "new.csv"))


def test_an_unknown_category_is_named_with_the_known_ones(write, table):
    row = write("n,flag,day,colour\n1,true,2024-01-01,teal\n", "new.csv")
    with pytest.raises(ValueError, match=r"'teal' in line 2.*'blue', 'green' or 'red'"):
        table.encoder.transform(row)


@pytest.mark.parametrize(
    ("column", "value", "wanted"),
    [("n", "many", "numbers"), ("flag", 2.5, "true or false"), ("day", 3, "dates")],
)
def test_a_value_of_the_wrong_kind_is_named(table, column, value, wanted):
    row = {"n": 1, "flag": True, "day": pd.Timestamp(0), "colour": "red"}
    with pytest.raises(ValueError, match=f"Column '{column}' should contain {wanted}"):
        table.encoder.transform(pd.DataFrame([row | {column: value}]))


def test_a_missing_value_is_an_error_if_the_table_had_none(write):
    encoder = read_table(write("x,class\n1,a\n2,b\n"), "class").encoder
    with pytest.raises(ValueError, match="'x' has 1 missing value, the first in row 0"):
        encoder.transform(pd.DataFrame({"x": [None]}))


def test_it_says_how_many_columns_become_how_many_features(table):
    assert repr(table.encoder) == "TableEncoder(4 columns → 6 features)"


def test_it_knows_dates_and_truth_values_unless_they_are_scaled(write, table):
    how = {"missing": "impute", "keep": ["day"]}
    plain = read_table(write(TEXT), "class", **how).encoder
    assert plain.feature_names[:3] == ["n", "flag", "day"]
    assert plain.feature_kinds == [None, "truth", "date", "truth", "truth", "truth"]
    assert table.encoder.feature_kinds == [None] * 6


@pytest.mark.parametrize("scale", [None, "standard", "minmax"])
def test_a_column_of_categories_is_known_by_its_features(scale):
    frame = pd.DataFrame(
        {
            "size": [1.0, 2.0, 4.0, 3.0, 2.5],
            "wood": ["hard", "soft", "soft", "hard", "hard"],
            "hue": ["red", "green", "blue", "red", None],
            "tall": [True, False, True, True, False],
        }
    )
    table = read_table(frame, scale=scale, missing="impute")
    wood, hue, tall = table.categories
    assert [one.name for one in table.categories] == ["wood", "hue", "tall"]
    assert hue.words == ("blue", "green", "red")
    assert tall.words == ("no", "yes")
    assert [table.feature_names[j] for j in hue.features] == [
        "hue=blue",
        "hue=green",
        "hue=red",
    ]
    assert wood.of(table.X).tolist() == [0, 1, 1, 0, 0]
    assert hue.of(table.X).tolist() == [2, 1, 0, 2, -1]  # the last one is between them
    assert tall.of(table.X).tolist() == [1, 0, 1, 1, 0]
