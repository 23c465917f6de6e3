"""Missing values, and the places of errors in a file."""

import enum
import gzip

import numpy as np
import pandas as pd
import pytest

from labelscape._core.errors import InputWarning, sentence
from labelscape.cli._terminal import OPTIONS
from labelscape.datasets import Reading, describe_columns, read_table
from labelscape.datasets.files import text as text_file


def lines(n=12, **cells):
    """Lines of a table of n rows; cells are those of other words, by row."""
    rows = [[f"r{i}", str(i * i), str(i % 5), "ab"[i % 2]] for i in range(n)]
    for i, row in cells.items():
        rows[int(i[1:])] = row
    return ["name,x,z,class", *(",".join(row) for row in rows)]


def test_rows_without_any_value_are_left_out_by_name_and_line(write):
    text = lines(r3=["r3", "", "NA", "b"], r7=["r7", "?", "", "b"])
    path = write("\n".join(["Trees of 2024", "", *text]))
    with pytest.warns(InputWarning) as told:
        table = Reading(label="class", id="name", skip=2, missing="impute").read(path)
    said = "2 rows without any value in the features (r3 in line 7, r7 in line 11)."
    assert said in str(told[0].message)
    assert len(table.X) == len(table.y) == len(table.ids) == 10
    assert table.missing == {}
    with pytest.raises(ValueError, match="missing value"):
        read_table(path, "class", id="name", reading=Reading(skip=2))


def test_a_row_with_one_value_stays_and_a_number_of_the_row_is_none(write):
    one = Reading(label="class", id="name", missing="impute").read(
        write("\n".join(lines(r3=["r3", "", "1", "b"])))
    )
    assert len(one.X) == 12
    rows = [f"{i},{'' if i == 3 else i * i},{'ab'[i % 2]}" for i in range(12)]
    path = write("\n".join(["number,x,class", *rows]))
    with pytest.warns(InputWarning, match=r"1 row without any value.*line 5"):
        table = read_table(path, "class", missing="impute")
    assert table.feature_names == ["number", "x"]


def test_lines_are_counted_as_an_editor_does(write):
    text = lines(r5=["r5", "n.d.", "1", "b"])
    path = write("\n".join(["Trees of 2024", "", *text]))
    with (
        pytest.warns(InputWarning, match="above the header"),
        pytest.raises(ValueError, match=r"contains 'n\.d\.' in line 9"),
    ):
        read_table(path, "class", id="name")
    assert path.read_text().splitlines()[9 - 1].startswith("r5,n.d.")


def test_lines_are_counted_where_cells_have_several(write):
    text = lines(r2=["r2", '"4\n"', "1", "a"], r5=["r5", "n.d.", "1", "b"])
    with pytest.raises(ValueError, match=r"contains 'n\.d\.' in line 8"):
        read_table(write("\n".join(text)), "class", id="name")


def test_a_word_for_missing_values_is_answered_with_the_option_for_it(write):
    path = write("\n".join(lines(60, r5=["r5", "n.d.", "1", "b"])))
    with pytest.raises(ValueError, match="2 columns cannot be used") as caught:
        read_table(path, "class")
    words = sentence(caught.value, OPTIONS)
    assert "pass --drop 'name' and --read missing_values=n.d.." in words
    given = {one.parameter: one.value for one in caught.value.advice}
    table = read_table(path, "class", missing="impute", reading=Reading(**given))
    assert table.missing == {"x": 1}


def test_so_are_several_such_words_but_not_many(write):
    text = lines(60, r5=["r5", "n.d.", "1", "b"], r6=["r6", "low", "1", "a"])
    with pytest.raises(ValueError, match=r"missing_values=\['n\.d\.', 'low'\]"):
        read_table(write("\n".join(text)), "class", id="name")
    odd = {f"r{i}": [f"r{i}", f"about {i}", "1", "b"] for i in range(9)}
    with pytest.raises(ValueError, match="and 8 other words") as caught:
        read_table(write("\n".join(lines(60, **odd))), "class", id="name")
    assert [one.parameter for one in caught.value.advice] == ["nominal"]


def test_columns_without_a_name_have_one_to_be_called_by(write):
    path = write(
        ",x,,class\n"
        + "".join(f"{i},{i * i},{i % 3},{'ab'[i % 2]}\n" for i in range(12))
    )
    names = [column.name for column in describe_columns(path)]
    assert names == ["column 1", "x", "column 3", "class"]
    assert {c.role for c in describe_columns(path)[::2]} == {"drop"}
    table = read_table(path, "class", drop=["column 1"], keep=["column 3"])
    assert table.feature_names == ["x", "column 3"]


def test_row_names_that_pandas_and_r_write_are_ids(tmp_path):
    frame = pd.DataFrame({"x": [4.0, 1.0, 9.0, 2.0], "kind": list("abab")})
    frame.to_csv(tmp_path / "numbered.csv")
    table = read_table(tmp_path / "numbered.csv", "kind")
    assert table.feature_names == ["x"]
    assert table.ids.tolist() == [0, 1, 2, 3]
    frame.set_axis(list("pqrs")).to_csv(tmp_path / "named.csv")
    assert read_table(tmp_path / "named.csv", "kind").ids.tolist() == list("pqrs")
    frame.assign(who=list("uvwx")).to_csv(tmp_path / "both.csv")
    table = read_table(tmp_path / "both.csv", "kind", id="who")
    assert (table.feature_names, table.ids.tolist()) == (["x"], list("uvwx"))
    frame.set_axis(list("ppqq")).to_csv(tmp_path / "repeated.csv")
    with pytest.raises(ValueError, match="no name, so it is called 'column 1'"):
        read_table(tmp_path / "repeated.csv", "kind")


def test_labels_of_several_kinds_are_refused_in_words():
    frame = pd.DataFrame({"a": range(12), "k": [1, "a", None, 2.5] * 3})
    with (
        pytest.warns(UserWarning, match="3 rows without a class"),
        pytest.raises(ValueError, match="'k' must contain values of one kind"),
    ):
        read_table(frame, label="k", reading=Reading(unlabelled="drop"))


class Tree(enum.Enum):
    OAK = 1
    FIR = 2


class Wood(enum.StrEnum):
    HARD = "hard wood"
    SOFT = "soft wood"


def test_members_of_an_enum_are_words():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "k": [Tree.OAK, Tree.FIR, Tree.OAK]})
    frame["wood"] = np.array([Wood.HARD, Wood.SOFT, Wood.HARD], dtype=object)
    table = read_table(frame, "k")
    assert table.y.tolist() == ["OAK", "FIR", "OAK"]
    assert table.feature_names == ["x", "wood=soft wood"]


def test_what_is_masked_is_missing():
    X = np.ma.array(np.arange(24.0).reshape(12, 2) ** 2, mask=np.zeros((12, 2), bool))
    X[3, 1] = np.ma.masked
    with pytest.raises(
        ValueError, match="'x2' has 1 missing value, the first in row 3"
    ):
        read_table(X)
    assert read_table(X, missing="impute").missing == {"x2": 1}
    words = np.ma.array([("a", 1), ("b", 2)] * 6, dtype=[("k", "U1"), ("n", int)])
    words["k"][2] = np.ma.masked
    with pytest.raises(ValueError, match="'k' has 1 missing value, the first in row 2"):
        read_table(words, "k")


def test_a_gzip_file_that_unpacks_into_far_too_much_is_refused(write, monkeypatch):
    monkeypatch.setattr(text_file, "_LARGE", 2**20)
    path = write(gzip.compress(b"x,class\n" + b"1,a\n2,b\n" * 2**18), "t.csv.gz")
    with pytest.raises(ValueError, match=r"expands from .* unlike any real table"):
        read_table(path, "class")
    real = b"x,class\n" + b"".join(
        b"%d,%c\n" % (i * i, b"ab"[i % 2]) for i in range(99)
    )
    assert len(read_table(write(gzip.compress(real), "t.csv.gz"), "class").X) == 99


def test_a_frame_of_dask_is_answered_with_what_dask_has():
    dask = pytest.importorskip("dask.dataframe")
    frame = dask.from_pandas(pd.DataFrame({"a": [1, 2]}), npartitions=1)
    with pytest.raises(ValueError, match=r"Pass frame\.compute\(\)"):
        read_table(frame)


def test_a_parquet_file_with_a_name_twice_says_so(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = pa.table([pa.array([1, 2]), pa.array([3, 4])], names=["x", "x"])
    parquet.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="'x' has more than one occurrence"):
        read_table(tmp_path / "t.parquet")
