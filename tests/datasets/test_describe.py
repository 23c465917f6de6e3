import numpy as np
import pytest

from labelscape.datasets import Reading, describe_columns


def described(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_text(text)
    return {column.name: column for column in describe_columns(path)}


def test_kinds_missing_values_and_examples_are_told(tmp_path):
    columns = described(
        tmp_path, "day,ok,size,leaf\n2020-01-02,true,1.5,a\n2020-01-03,false,,b\n"
    )
    kinds = [column.kind for column in columns.values()]
    assert kinds == ["date", "boolean", "number", "nominal"]
    assert columns["size"].n_missing == 1
    assert columns["ok"].examples == ["true", "false"]
    assert columns["day"].examples == ["2020-01-02", "2020-01-03"]
    assert columns["size"].examples == ["1.5"]


def test_a_telling_name_beats_the_last_place(tmp_path):
    rows = "".join(f"{'ab'[i % 2]},{i},{'xy'[i % 2]}\n" for i in range(20))
    roles = {n: c.role for n, c in described(tmp_path, "class,v,last\n" + rows).items()}
    assert roles == {"class": "label", "v": "feature", "last": "feature"}


def test_columns_with_gaps_or_too_many_values_hold_no_labels(tmp_path):
    rows = "".join(f"{i},{'a' if i else ''},word {i}\n" for i in range(60))
    roles = {n: c.role for n, c in described(tmp_path, "v,half,text\n" + rows).items()}
    assert roles == {"v": "feature", "half": "feature", "text": "id"}


def test_one_unreadable_column_does_not_hide_the_others(tmp_path):
    columns = described(tmp_path, 'price,v\n"1,5",1\n"2,5",2\n"3,5",4\n')
    assert columns["price"].kind == "other"
    assert columns["price"].role == "drop"
    assert columns["v"].kind == "number"


def test_arrays_are_described_too():
    columns = describe_columns(np.array([[1.0, np.nan], [2.0, 3.0]]))
    assert [column.n_missing for column in columns] == [0, 1]


def test_an_empty_table_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no rows"):
        described(tmp_path, "a,b\n")


def test_what_is_wrong_with_a_column_is_told_with_the_value_to_blame(tmp_path):
    text = "size,share\n1,1%\n2,2%\n-,3%\n"
    columns = described(tmp_path, text)
    said = "Column 'size' should contain numbers, but contains '-' in line 4."
    assert (columns["size"].problem, columns["size"].odd) == (said, "-")
    assert "percent sign" in columns["share"].problem
    assert columns["share"].odd == ""
    path = tmp_path / "table.csv"
    size = describe_columns(path, reading=Reading(missing_values=["-"]))[0]
    assert (size.kind, size.n_missing, size.problem) == ("number", 1, "")


def test_a_column_with_a_telling_name_may_have_gaps_and_still_be_the_label(tmp_path):
    rows = "".join(f"{i},{'ab'[i % 2] if i else ''}\n" for i in range(20))
    roles = {n: c.role for n, c in described(tmp_path, "v,class\n" + rows).items()}
    assert roles == {"v": "feature", "class": "label"}
