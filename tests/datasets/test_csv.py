import csv
import gzip

import numpy as np
import pytest

from labelscape.datasets import Reading, read_table

ROWS = [["age", "colour", "class"], ["1.5", "red", "a"], ["2.5", "blue", "b"]]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_any_common_delimiter_and_encoding_gives_the_same_table(
    write, delimiter, encoding
):
    text = "\n".join(delimiter.join(row) for row in ROWS).replace("red", "rosé")
    table = read_table(write(text, encoding=encoding), label="class")
    np.testing.assert_array_equal(table.X, [[1.5, 1.0], [2.5, 0.0]])
    assert table.feature_names == ["age", "colour=rosé"]
    assert table.y.tolist() == ["a", "b"]


def test_a_guess_at_the_encoding_is_said(write):
    path = write("x,class\n1,rosé\n2,b", encoding="cp1252")
    with pytest.warns(UserWarning, match=r"read as cp1252\. Pass encoding='cp1252' to"):
        table = read_table(path, label="class")
    assert table.y.tolist() == ["rosé", "b"]
    assert read_table(
        path, label="class", reading=Reading(encoding="cp1252")
    ).y.tolist() == [
        "rosé",
        "b",
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_empty_lines_do_not_matter(write, end):
    text = end.join(["", "x,class", "1,a", "", "2,b", "", ""])
    assert read_table(write(text), label="class").X.tolist() == [[1.0], [2.0]]


def test_a_packed_file_reads_like_the_plain_one(write):
    path = write(gzip.compress(b"x,class\n1,a\n2,b\n"), "packed.csv.gz")
    table = read_table(path, label="class")
    assert table.X.tolist() == [[1.0], [2.0]]
    assert table.name == "packed"


def test_quoted_cells_may_hold_the_delimiter_and_line_ends(write):
    path = write('x,"a, ""b"""\n1,"p,\nq"\n2,r\n')
    table = read_table(path, label=1)
    assert table.y.tolist() == ["p,\nq", "r"]


def test_tabs_rule_in_a_tsv_file_whatever_else_is_in_it(write):
    path = write("x;y;z\tclass\n1\ta\n2\tb\n", "table.tsv")
    assert read_table(path, label="class").feature_names == ["x;y;z"]


def test_runs_of_blanks_are_one_delimiter(write):
    path = write("  x    class \n 1.0  a\n10.0  b  \n", "table.dat")
    assert read_table(path, label="class").X.tolist() == [[1.0], [10.0]]


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["10%", "2.5 %"], r"'x' contains numbers with a percent sign, such as '10%'"),
        (["1.012,5", "3,5"], r"thousands separators, such as '1\.012,5'"),
        (["1,012.5", "950"], r"thousands separators, such as '1,012\.5'"),
    ],
)
@pytest.mark.parametrize("decimal", [".", ","])
def test_numbers_in_a_form_for_people_are_pointed_out(write, cells, words, decimal):
    path = write("x;class\n" + f"{cells[0]};a\n{cells[1]};b\n" * 3)
    with pytest.raises(ValueError, match=words):
        read_table(path, label="class", reading=Reading(decimal=decimal))
    assert read_table(path, label="class", nominal=["x"]).X.shape == (6, 1)


def test_words_of_which_none_occurs_twice_are_names_beyond_a_few_rows(write):
    rows = "\n".join(f"{i},w{i},{'ab'[i % 2]}" for i in range(11))
    with pytest.raises(ValueError, match="11 different words in 11 rows"):
        read_table(write("x,word,class\n" + rows), label="class")
    with pytest.raises(ValueError, match="11 different values in 11 rows"):
        read_table(write("x,word,class\n" + rows), label="word")


def test_lines_that_were_not_cut_are_pointed_out(write):
    with pytest.raises(ValueError, match=r"only one .* 'x~class'.*delimiter=';'"):
        read_table(write("x~class\n1~a\n2~b"), label="class")


def test_one_sign_can_not_be_delimiter_and_decimal(write):
    with pytest.raises(ValueError, match="delimiter and decimal are both ','"):
        read_table(
            write("x,class\n1,a\n2,b"), reading=Reading(delimiter=",", decimal=",")
        )


def test_a_decimal_comma_is_read_when_told_and_pointed_out_when_not(write):
    path = write("x;class\n1,5;a\n2,5;b\n")
    assert read_table(path, "class", reading=Reading(decimal=",")).X.tolist() == [
        [1.5],
        [2.5],
    ]
    with pytest.raises(ValueError, match="decimal=','"):
        read_table(path, "class")


def test_late_words_do_not_lose_the_digits_before_them(write):
    rows = "".join(f"{i % 5:03d},{'ab'[i % 2]}\n" for i in range(2000))
    path = write("code,class\n" + rows + "none,a\n" * 3000)
    table = read_table(path, label="class")
    assert table.feature_names[:2] == ["code=000", "code=001"]
    assert table.feature_names[-1] == "code=none"


def test_underscores_make_a_name_not_a_number(write):
    path = write("x,v,class\n1_0,1,a\n1_0,2,b\n2_0,3,a\n")
    assert read_table(path, "class").feature_names == ["x=2_0", "v"]


def test_a_file_without_header_gets_numbered_names_when_told(write):
    path = write("1,2,a\n3,4,b\n")
    table = read_table(path, label=-1, reading=Reading(header=False))
    assert table.feature_names == ["x1", "x2"]
    assert table.X.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_numbers_are_names_when_told(write):
    table = read_table(
        write("400,410\n0.1,0.2\n0.3,0.4\n"), reading=Reading(header=True)
    )
    assert table.feature_names == ["400", "410"]


def test_a_delimiter_at_the_end_of_each_line_is_no_column(write):
    assert read_table(write("x,class,\n1,a,\n2,b,\n"), "class").feature_names == ["x"]


def test_a_thousand_wide_and_tall_columns_keep_every_digit(tmp_path):
    X = np.random.default_rng(0).standard_normal((150, 1200))
    path = tmp_path / "wide.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"gene {i}" for i in range(X.shape[1])])
        writer.writerows(X.tolist())
    np.testing.assert_array_equal(read_table(path).X, X)


def test_own_words_for_missing_values_apply_to_numbers_too(write):
    path = write("x,y,class\n-999,1,a\n2,1,b\n4,1,b\n")
    table = read_table(
        path, "class", missing="impute", reading=Reading(missing_values=["-999"])
    )
    assert table.X.tolist() == [[3.0, 1.0], [2.0, 1.0], [4.0, 1.0]]
    assert table.missing == {"x": 1}


@pytest.mark.parametrize("word", ["", "?", "NA", "NaN", "null", " "])
def test_the_usual_words_are_missing_values_but_none_is_a_word(write, word):
    path = write(f"x,v,class\n{word},none,a\n2,some,b\n")
    table = read_table(path, "class", missing="impute")
    assert table.missing == {"x": 1}
    assert table.feature_names == ["x", "v=some"]


def test_one_slip_does_not_turn_numbers_with_decimal_commas_into_words(write):
    path = write("a;b;y\n1,5;1,5;p\n2,5;x;q\n-;z;p\n4;v;q\n")
    how = {"label": "y", "decimal": ",", "missing": "impute"}
    also = Reading(**how, missing_values=("-",))
    with pytest.raises(ValueError, match="should contain numbers, but contains '-'"):
        read_table(path, reading=Reading(**how))
    table = read_table(path, reading=also)
    assert table.X[:, 0].tolist() == [1.5, 2.5, 8 / 3, 4]
    assert "b=1,5" in table.feature_names  # words stay as they are written


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_the_mark_of_an_encoding_is_no_part_of_the_first_name(tmp_path, encoding):
    path = tmp_path / "marked.csv"
    path.write_bytes('\ufeff"size",kind\n1,a\n2,b\n3,a\n'.encode(encoding))
    table = read_table(path, label="kind", reading=Reading(encoding=encoding))
    assert table.feature_names == ["size"]
