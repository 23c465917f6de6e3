"""Columns to look at, in whatever form they come."""

from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest

from labelscape._core.columns import ShownColumn
from labelscape.scene._features import given_columns

VALUES = {
    "dose": [0.5, None, 2.0],
    "alive": [True, False, None],
    "day": [date(1970, 1, 2), None, date(1970, 1, 4)],
    "batch": ["b", None, "a"],
}
KINDS = ["number", "truth", "date", "category"]


@pytest.mark.parametrize("form", [dict, pd.DataFrame, pl.DataFrame])
def test_a_dict_and_data_frames_say_the_same(form):
    dose, alive, day, batch = found = given_columns(form(VALUES), 3)
    assert [column.kind for column in found] == KINDS
    np.testing.assert_array_equal(dose.values, [0.5, np.nan, 2.0])
    np.testing.assert_array_equal(alive.values, [1.0, 0.0, np.nan])
    np.testing.assert_array_equal(day.values, [1.0, np.nan, 3.0])
    assert batch.values.tolist() == ["b", None, "a"]


def test_moments_are_days_and_parts_of_them():
    (found,) = given_columns({"t": np.array(["1970-01-02T12:00", "NaT"], "M8[ns]")}, 2)
    np.testing.assert_array_equal(found.values, [1.5, np.nan])


def test_many_different_words_are_text():
    (found,) = given_columns({"link": [f"https://a.b/{i}" for i in range(90)]}, 90)
    assert found.kind == "text"


def test_records_are_taken_as_they_are():
    column = ShownColumn("x", "number", np.arange(4.0))
    assert given_columns([column], 4) == (column,)
    assert given_columns(None, 4) == ()


def test_a_column_of_another_length_is_named():
    with pytest.raises(ValueError, match=r"each of the 3 points, got 2 for 'batch'"):
        given_columns({"batch": ["a", "b"]}, 3)


def test_numbers_of_too_many_digits_are_words():
    (found,) = given_columns({"code": [10**400, 1, 1]}, 3)
    assert found.kind == "category"


def test_lists_are_shown_as_they_are():
    (found,) = given_columns({"parts": [[1], [2, 3], None]}, 3)
    assert found.values.tolist() == ["[1]", "[2, 3]", None]


@pytest.mark.parametrize("odd", ["batch", 3, ["batch"]])
def test_what_is_no_column_is_refused_in_words(odd):
    with pytest.raises(ValueError, match="columns must be a data frame, a dict"):
        given_columns(odd, 3)
