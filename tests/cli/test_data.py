import pytest

from labelscape.cli._data import table_from


def test_a_name_gives_its_data_set():
    assert table_from("Wine").name == "wine"


def test_a_file_is_read_with_its_missing_values_imputed(trees):
    table = table_from(str(trees), "kind", "name")
    assert table.missing == {"height": 2}
    assert table.ids[0] == "t0"
    assert table.name == "trees"


def test_a_file_that_is_called_like_a_data_set_is_a_file(trees, monkeypatch):
    monkeypatch.chdir(trees.parent)
    trees.rename(trees.with_name("wine"))
    with pytest.raises(ValueError, match="wine"):
        table_from("wine", "no such column")


@pytest.mark.parametrize("option", [{"label": "class"}, {"id": "name"}])
def test_a_data_set_by_name_takes_no_columns(option):
    with pytest.raises(ValueError, match="has its own classes: leave out --"):
        table_from("wine", **option)


def test_a_file_without_a_label_says_which_columns_there_are(trees):
    with pytest.raises(ValueError, match=r"Pass --label .*height"):
        table_from(str(trees), id="name")


def test_a_misspelt_name_is_answered_with_a_better_one():
    with pytest.raises(ValueError, match="Did you mean 'wine'"):
        table_from("wien")


def test_columns_can_be_left_out(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,y\n1,,p\n2,,q\n3,,p\n4,,q\n")
    with pytest.raises(ValueError, match="drop="):
        table_from(str(path), "y")
    table = table_from(str(path), "y", drop=["b"], nominal=None, decimal=".")
    assert table.feature_names == ["a"]


def test_the_columns_of_the_file_are_offered_as_labels(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,y\n1,p\n2,q\n3,p\n4,q\n")
    with pytest.raises(ValueError, match="one of: a, y"):
        table_from(str(path))
