"""The options for reading a table, as a record."""

import json

import numpy as np
import pytest

from labelscape.datasets import Reading, describe_columns, read_table

TEXT = "name;kind;size;notes;zip\nA;oak;1,5;x;10\nB;fir;-;y;20\nC;oak;3,5;z;10\n"


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "trees.txt"
    file.write_text(TEXT)
    return file


ODD = Reading(
    label="kind",
    id="name",
    drop=("notes",),
    nominal=("zip",),
    decimal=",",
    missing_values=("-",),
    missing="impute",
)


def test_it_reads_what_read_table_reads(path):
    table = ODD.read(path)
    same = read_table(
        path,
        label="kind",
        id="name",
        drop=["notes"],
        nominal=["zip"],
        missing="impute",
        reading=Reading(decimal=",", missing_values=["-"]),
    )
    np.testing.assert_array_equal(table.X, same.X)
    assert table.y.tolist() == same.y.tolist()
    assert table.feature_names == same.feature_names == ["size", "zip=20"]
    assert table.missing == {"size": 1}
    assert table.name == "trees"
    assert ODD.read(path, "Forest").name == "Forest"


def test_it_describes_by_how_the_file_is_written(path):
    found = ODD.describe(path)
    assert found == describe_columns(
        path, reading=Reading(decimal=",", missing_values=["-"])
    )
    assert [column.kind for column in found][2] == "number"


def test_its_code_reads_the_same_table(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    code = ODD.code("trees.txt")
    again = eval(code, {"read_table": read_table, "Reading": Reading})
    np.testing.assert_array_equal(again.X, ODD.read(path).X)


def test_its_code_says_only_what_is_not_usual():
    assert Reading().code("a.csv") == "read_table('a.csv')"
    assert Reading(label=-1, header=False, unlabelled="drop").code("a.csv") == (
        "read_table('a.csv', label=-1, unlabelled='drop', header=False)"
    )


@pytest.mark.parametrize("reading", [Reading(), ODD, Reading(label=3, header=False)])
def test_it_comes_back_from_json(reading):
    again = Reading.from_json(json.loads(json.dumps(reading.to_json())))
    assert again == reading
    assert hash(again) == hash(reading)


def test_json_holds_what_is_not_usual():
    assert Reading().to_json() == {}
    assert Reading(label="kind", drop=("a", 2)).to_json() == {
        "label": "kind",
        "drop": ["a", 2],
    }


def test_a_setting_that_nobody_knows_is_named():
    with pytest.raises(
        ValueError, match=r"Reading: there is no option 'dcimal'. Available: co"
    ):
        Reading.from_json({"dcimal": ","})


def test_what_makes_no_sense_is_refused_by_the_reader_with_the_parameter(path):
    with pytest.raises(ValueError, match="decimal must be") as raised:
        Reading(label="kind", decimal="x").read(path)
    assert raised.value.parameter == "decimal"


def test_a_table_is_read_by_any_option_of_a_reading(tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("Trees\nx|class\n1,5|a\n2,5|b\n")
    how = {"skip": 1, "delimiter": "|", "decimal": ","}
    assert read_table(path, "class", **how).X.tolist() == [[1.5], [2.5]]
    again = read_table(
        path, "class", decimal=",", reading=Reading(**how | {"skip": 0}), skip=1
    )
    assert again.X.tolist() == [[1.5], [2.5]]
    with pytest.raises(ValueError, match="read_table: there is no option 'dcimal'"):
        read_table(path, "class", dcimal=",")
