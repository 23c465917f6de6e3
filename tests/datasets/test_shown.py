"""Displayed columns are no features, and stay aligned with the rows."""

import numpy as np
import pandas as pd
import pytest

from labelscape.datasets import Reading, ShownColumn, read_table
from labelscape.datasets._internal import continued

TEXT = (
    "x,plate,day,fine,donor,note,class\n"
    "1,007,1970-01-02,true,anna,first,a\n"
    "2,012,,false,bert,,b\n"
    "3,007,1970-01-04,true,anna,third,a\n"
    "4,012,1970-01-05,,bert,fourth,\n"
    "1,007,1970-01-06,true,anna,first,a\n"
)
ALL = ("plate", "day", "fine", "donor", "note")


@pytest.fixture
def path(write):
    return write(TEXT.replace("fourth,\n", "fourth,b\n"))


def test_shown_columns_say_what_they_hold_and_are_no_features(path):
    table = read_table(path, "class", show=ALL)
    assert table.feature_names == ["x"]
    assert [(c.name, c.kind) for c in table.shown] == [
        ("plate", "category"),  # 007 is a code, not the number 7
        ("day", "date"),
        ("fine", "truth"),
        ("donor", "category"),
        ("note", "category"),
    ]
    plate, day, fine, _, note = (column.values for column in table.shown)
    assert plate.tolist() == ["007", "012", "007", "012", "007"]
    np.testing.assert_array_equal(day, [1, np.nan, 3, 4, 5])
    np.testing.assert_array_equal(fine, [1, 0, 1, np.nan, 1])
    assert note.tolist() == ["first", None, "third", "fourth", "first"]


def test_names_and_free_text_can_be_shown(write):
    rows = "".join(f"{i % 7},patient {i},{'ab'[i % 2]}\n" for i in range(60))
    path = write(f"x,who,class\n{rows}")
    with pytest.raises(ValueError, match=r"names or free text.*drop=\['who'\]"):
        read_table(path, "class")
    (who,) = read_table(path, "class", show=["who"]).shown
    assert (who.kind, who.values[59]) == ("text", "patient 59")


def test_shown_columns_are_in_step_with_rows_that_are_left_out(write):
    with pytest.warns(UserWarning, match="Left out|left out"):
        table = read_table(
            write(TEXT),
            "class",
            show=ALL[:4],
            reading=Reading(text="note", unlabelled="drop"),
        )
    np.testing.assert_array_equal(table.shown[1].values, [1, np.nan, 3, 5])
    assert table.texts.tolist() == ["first", None, "third", "first"]
    with pytest.warns(UserWarning, match="1 row is a copy of another row"):
        part = read_table(
            write(TEXT.replace("fourth,\n", "fourth,b\n")),
            "class",
            show=["plate", "day", "fine", "donor"],
            reading=Reading(text="note", copies="drop"),
        )
    np.testing.assert_array_equal(part.shown[1].values, [1, np.nan, 3, 4])
    assert part.texts.tolist() == ["first", None, "third", "fourth"]


def test_a_column_is_shown_whatever_it_holds():
    frame = pd.DataFrame(
        {
            "x": [1.0, 2.0, 3.0],
            "class": ["a", "b", "a"],
            "mixed": [1, "two", None],
            "nothing": [None, None, None],
            "large": [2**60 + 1, 2**60, 2**60],
            "numbers": [0.5, np.nan, 2.0],
        }
    )
    shown = read_table(frame, "class", show=list(frame)[2:]).shown
    kinds = [column.kind for column in shown]
    assert kinds == ["category", "text", "category", "number"]
    assert shown[0].values.tolist() == ["1", "two", None]
    assert shown[2].values[0] == str(2**60 + 1)


def test_numbers_are_shown_as_categories_when_told(path):
    drop = ["day", "fine", "donor", "note"]
    (x,) = read_table(path, "class", show=["x"], nominal=["x"], drop=drop).shown
    assert (x.kind, x.values[1]) == ("category", "2")


@pytest.mark.parametrize("role", ["label", "id", "drop", "keep"])
def test_a_column_is_not_shown_only_and_something_else(path, role):
    given = {role: ["donor"] if role in ("drop", "keep") else "donor"}
    with pytest.raises(ValueError, match=f"{role} and show both select .*'donor'"):
        read_table(path, **({"label": "class"} | given), show=["donor"])


def test_an_absent_column_is_named_with_its_role(path):
    with pytest.raises(ValueError, match="show: there is no column 'donner'"):
        read_table(path, "class", show=["donner"])
    with pytest.raises(ValueError, match="image: there is no column 'photo'"):
        read_table(path, "class", reading=Reading(image="photo"))


def test_a_group_may_be_shown(path):
    table = read_table(path, "class", group="donor", show=ALL)
    assert table.groups.tolist() == table.shown[3].values.tolist()


def test_pictures_are_found_from_the_folder_of_the_table(write, tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "1.png").write_bytes(b"\x89PNG")
    path = write("x,photo,class\n1,photos/1.png,a\n2,,b\n3,photos/1.png,a\n")
    table = read_table(path, "class", reading=Reading(image="photo"))
    there = tmp_path / "photos" / "1.png"
    assert table.images.tolist() == [there, None, there]
    assert table.feature_names == ["x"]


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (
            "gone.png",
            r"'gone.png' in line 2, but there is no such file \(1 more missing",
        ),
        ("https://a.org/1.png", r"contains links.*To show the links, pass show=\['ph"),
    ],
)
def test_pictures_that_are_not_there_are_told_before_a_fit(write, file, words):
    path = write(f"x,photo,class\n1,{file},a\n2,,b\n3,{file},a\n")
    with pytest.raises(ValueError, match=words):
        read_table(path, "class", reading=Reading(image="photo"))


def test_a_reading_keeps_what_is_shown(path):
    reading = Reading(
        label="class",
        show=("donor", "day"),
        text="note",
        drop=ALL[:1],
        missing="impute",
    )
    assert Reading.from_json(reading.to_json()) == reading
    assert "show=['donor', 'day']" in reading.code("a.csv")
    assert [column.name for column in reading.read(path).shown] == ["donor", "day"]


@pytest.mark.parametrize(
    ("first", "kind", "values"),
    [
        (None, "number", [0.5, np.nan]),
        (ShownColumn("x", "number", np.array([2.0])), "number", [0.5, 2.0]),
        (ShownColumn("x", "text", np.array(["a"], object)), "text", ["0.5", "a"]),
    ],
)
def test_a_shown_column_goes_on_with_what_further_rows_have(first, kind, values):
    column = continued(ShownColumn("x", "number", np.array([0.5])), first, 1)
    assert column.kind == kind
    np.testing.assert_array_equal(column.values, np.array(values, column.values.dtype))
