"""Rows that belong together, and columns of row numbers."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from labelscape._core.errors import InputWarning
from labelscape.datasets import Reading, describe_columns, read_table


@pytest.fixture
def patients():
    """Six patients, each measured four times, in the order of their diagnosis."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "row": np.arange(24) + 1,
            "patient": [f"p{i // 4}" for i in range(24)],
            "mass": rng.normal(70, 9, size=24),
            "ill": ["yes"] * 12 + ["no"] * 12,
        }
    )


def test_a_column_says_what_rows_belong_to_and_is_no_feature(patients):
    table = read_table(patients, "ill", group="patient")
    assert_array_equal(table.groups, patients["patient"])
    assert table.feature_names == ["row", "mass"]
    assert table.ids is None


def test_a_group_may_be_the_first_column(patients):
    frame = patients[["patient", "mass", "ill"]]
    assert_array_equal(read_table(frame, "ill", group=0).groups, frame["patient"])


def test_hosts_take_ids_that_occur_twice_for_groups_and_say_so(patients):
    reading = Reading(label="ill", id="patient", drop=("row",))
    with pytest.warns(InputWarning, match="'patient' belong together .6 groups in 24"):
        table = reading.read(patients)
    assert_array_equal(table.groups, table.ids)
    assert "group='patient'" in reading.code("t.csv")
    assert read_table(patients, "ill", id="patient").groups is None


def test_unless_somebody_knows_better(patients):
    alone = Reading(label="ill", id="patient", group=False, drop=("row",))
    assert alone.read(patients).groups is None
    assert "group=False" in alone.code("t.csv")
    assert Reading.from_json(alone.to_json()) == alone
    by_row = Reading(label="ill", id="row", drop=("patient",)).read(patients)
    assert len(set(by_row.groups)) == 24  # each is alone, and nothing is said


def test_a_row_without_a_group_stands_alone(patients):
    patients.loc[[3, 5], "patient"] = None
    groups = read_table(patients, "ill", group="patient").groups
    assert groups[3] is groups[5] is None
    assert groups[4] == "p1"


def test_numbers_of_subjects_are_groups_as_well(patients):
    patients["patient"] = 2**60 + np.arange(24) // 4
    groups = read_table(patients, "ill", group="patient").groups
    assert len(set(groups)) == 6


def test_classes_are_no_groups(patients):
    with pytest.raises(ValueError, match=r"label and group both select .* 'ill'"):
        read_table(patients, "ill", group="ill")
    with pytest.raises(ValueError, match="group: there is no column 'patint'"):
        read_table(patients, "ill", group="patint")


def test_a_counter_is_left_out_by_name_and_can_be_put_back(patients):
    how = {"label": "ill", "group": "patient"}
    with pytest.warns(InputWarning, match=r"Left out: 'row'.*pass keep=\['row'\]"):
        table = read_table(patients, **how, reading=Reading(row_numbers="drop"))
    assert table.feature_names == ["mass"]
    kept = read_table(
        patients, **how, keep=["row"], reading=Reading(row_numbers="drop")
    )
    assert kept.feature_names == ["row", "mass"]
    assert read_table(patients, **how).feature_names == ["row", "mass"]


def test_row_numbers_are_left_out_if_asked(patients):
    reading = Reading(label="ill", group="patient", row_numbers="drop")
    with pytest.warns(InputWarning, match=r"\(row numbers, which"):
        assert reading.read(patients).feature_names == ["mass"]
    again = Reading.from_json(Reading(label="ill", keep=("row",)).to_json())
    assert again.keep == ("row",)
    assert "row_numbers='drop'" in reading.code("t.csv")


def test_if_all_features_count_the_rows_they_stay():
    frame = pd.DataFrame({"time": np.arange(30), "y": ["a", "b", "c"] * 10})
    assert read_table(
        frame, "y", reading=Reading(row_numbers="drop")
    ).feature_names == ["time"]


def test_a_description_tells_which_columns_count_the_rows(patients):
    found = {column.name: column for column in describe_columns(patients)}
    assert [found[name].counts_rows for name in ("row", "mass")] == [True, False]
