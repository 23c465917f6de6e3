import inspect

import numpy as np
import pytest

from labelscape.datasets import Reading, Table, read_table


def test_every_kind_of_column_becomes_what_it_means(write):
    path = write(
        "n,flag,day,colour,hand,class\n"
        "1.5,true,1970-01-02,red,left,a\n"
        "2,FALSE,1970-01-01T12:00:00,blue,right,b\n"
        "-3e2,True,1970-01-03T00:00:00+00:00,green,left,a\n"
    )
    table = read_table(path, label="class", keep=["day"])
    assert table.feature_names == [
        *("n", "flag", "day"),
        *("colour=blue", "colour=green", "colour=red", "hand=right"),
    ]
    np.testing.assert_array_equal(
        table.X,
        [
            [1.5, 1, 1, 0, 0, 1, 0],
            [2.0, 0, 0.5, 1, 0, 0, 1],
            [-300, 1, 2, 0, 1, 0, 0],
        ],
    )
    assert isinstance(table, Table)
    assert table.X.dtype == np.float64


def test_numbers_can_be_categories_when_told(write):
    path = write("region,class\n1,a\n2,b\n3,a\n")
    table = read_table(path, "class", nominal=["region"])
    assert table.feature_names == ["region=1", "region=2", "region=3"]


def test_an_id_column_is_kept_as_ids_and_is_no_feature(write):
    path = write("name,x,class\np1,1,a\np2,2,b\n")
    table = read_table(path, label="class", id="name")
    assert table.ids.tolist() == ["p1", "p2"]
    assert table.feature_names == ["x"]


def test_dropped_columns_are_gone_by_name_or_position(write):
    path = write("x,junk,y,class\n1,é,3,a\n2,ü,4,b\n")
    for key in ("junk", 1, -3):
        assert read_table(path, "class", drop=[key]).feature_names == ["x", "y"]


def test_without_label_there_is_no_y(write):
    table = read_table(write("x\n1\n2\n"))
    assert table.y is None
    assert repr(table) == "Table 'table': 2 rows, 1 feature"


def test_imputed_cells_are_means_and_shares_of_categories(write):
    path = write("x,colour,class\n1,red,a\n,blue,b\n5,,a\n3,blue,b\n3,green,a\n")
    table = read_table(path, "class", missing="impute")
    assert table.missing == {"x": 1, "colour": 1}
    assert table.X[1, 0] == 3.0
    assert table.X[2, 1:].tolist() == [0.5, 0.25, 0.25]
    assert "2 missing values imputed in 2 columns" in repr(table)


def test_a_table_knows_which_cells_of_its_matrix_were_filled_in(write):
    path = write("x,colour,z,class\n,red,1,a\n2,,1,b\n5,blue,1,a\n,green,1,b\n")
    table = read_table(path, "class", missing="impute", scale="standard")
    assert {feature: rows.tolist() for feature, rows in table.imputed.items()} == {
        "x": [0, 3],
        "colour=blue": [1],
        "colour=green": [1],
        "colour=red": [1],
    }
    assert read_table(path, "class", drop=["x", "colour"]).imputed == {}


def test_rows_that_are_left_out_do_not_count_among_the_filled_in(write):
    path = write("x,z,class\n1,1,a\n3,1,\n,1,b\n2,1,a\n")
    with pytest.warns(UserWarning, match="1 row without a class"):
        table = read_table(
            path, "class", missing="impute", reading=Reading(unlabelled="drop")
        )
    assert table.imputed["x"].tolist() == [1]


def test_missing_cells_are_an_error_unless_they_are_to_be_imputed(write):
    path = write("x,colour,class\n1,red,a\n,blue,b\n,,a\n")
    with pytest.raises(
        ValueError, match="'x' has 2 missing values, the first in line 3"
    ):
        read_table(path, "class")


def test_standard_scaling_gives_mean_0_and_variance_1(write):
    path = write("x,same,class\n1,0.1,a\n2,0.1,b\n6,0.1,a\n")
    table = read_table(path, "class", scale="standard")
    np.testing.assert_allclose(table.X.mean(axis=0), 0.0, atol=1e-15)
    np.testing.assert_allclose(table.X[:, 0].std(), 1.0)
    assert table.X[:, 1].tolist() == [0.0, 0.0, 0.0]
    assert table.constant_features == ["same"]


def test_minmax_scaling_goes_from_0_to_1(write):
    table = read_table(write("x,class\n1,a\n2,b\n6,a\n"), "class", scale="minmax")
    np.testing.assert_allclose(table.X[:, 0], [0.0, 0.2, 1.0])


def test_labels_are_whole_numbers_where_all_are_and_else_words(write):
    def labels(*words):
        rows = "".join(f"1,{word}\n" for word in words)
        return read_table(write("x,class\n" + rows), "class").y.tolist()

    assert labels("3", "-1", "0") == [3, -1, 0]
    assert labels("007", "1") == ["007", "1"]
    assert labels("1.5", "2") == ["1.5", "2"]
    assert labels("true", "false") == ["true", "false"]


def test_a_constant_feature_stays_and_is_reported(write):
    table = read_table(write("x,c,class\n1,7,a\n2,7,b\n"), "class")
    assert table.constant_features == ["c"]


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("scale", "max"),
        ("missing", "ignore"),
        ("decimal", "x"),
        ("delimiter", ", "),
        ("drop", "x"),
        ("nominal", "x"),
        ("missing_values", "none"),
        ("header", 1),
        ("encoding", "klingon"),
        ("encoding", "zlib"),
    ],
)
def test_a_wrong_argument_is_named(write, argument, value):
    path, given = write("x,class\n1,a\n2,b\n"), {argument: value}
    is_named = argument in inspect.signature(read_table).parameters
    more = given if is_named else {"reading": Reading(**given)}
    with pytest.raises(ValueError, match=argument):
        read_table(path, "class", **more)


def test_rows_without_a_class_are_an_error_or_left_out_with_a_warning(write):
    path = write("name,a,y\nn1,1,p\nn2,2,\nn3,3,q\nn4,4,p\n")
    with pytest.raises(ValueError, match="or pass unlabelled='drop'"):
        read_table(path, label="y", id="name")
    with pytest.warns(UserWarning, match=r"Left out: 1 row without a class\."):
        table = read_table(
            path, label="y", id="name", reading=Reading(unlabelled="drop")
        )
    assert table.y.tolist() == ["p", "q", "p"]
    assert table.ids.tolist() == ["n1", "n3", "n4"]
    assert table.X[:, 0].tolist() == [1, 3, 4]


def test_a_table_without_any_class_is_refused(write):
    path = write("a,y\n1,\n2,\n")
    with pytest.raises(ValueError, match="has no class in any row"):
        read_table(path, label="y", reading=Reading(unlabelled="drop"))


def test_classes_that_differ_by_case_or_spaces_can_be_one(tmp_path):
    path = tmp_path / "trees.csv"
    path.write_text("height,kind\n1,Oak\n2, oak\n3,oak\n4,fir\n5,oa k\n6,oak\n")
    assert len(set(read_table(path, label="kind").y)) > 2
    table = read_table(path, label="kind", reading=Reading(merge_classes="case"))
    assert table.y.tolist() == ["oak", "oak", "oak", "fir", "oak", "oak"]
    path.write_text("height,kind\n1,1\n2,2\n")
    assert read_table(
        path, "kind", reading=Reading(merge_classes="case")
    ).y.tolist() == [1, 2]
    path.write_text("height,kind\n1,Oak\n2,oak\n")
    with pytest.raises(ValueError, match="merge_classes must be None or 'case'"):
        read_table(path, label="kind", reading=Reading(merge_classes="names"))


def test_copies_can_be_left_out_with_all_that_belongs_to_them(tmp_path):
    path = tmp_path / "trees.csv"
    lines = ["name,plot,height,leaf,kind", "a,p,1,3,oak", "b,p,1,3,oak", "c,q,1,3,fir"]
    path.write_text("\n".join([*lines, "d,q,,3,oak", "e,r,5,3,fir"]) + "\n")
    how = {"label": "kind", "id": "name", "group": "plot", "missing": "impute"}
    with pytest.warns(UserWarning, match="trees: 1 row is a copy of another row"):
        table = read_table(path, **how, reading=Reading(copies="drop"))
    assert table.ids.tolist() == ["a", "c", "d", "e"]
    assert table.groups.tolist() == ["p", "q", "q", "r"]
    assert table.y.tolist() == ["oak", "fir", "oak", "fir"]
    assert {name: at.tolist() for name, at in table.imputed.items()} == {"height": [2]}
    assert len(read_table(path, **how).X) == 5
