"""One error reports all problems of a table, and the call that reads the rest."""

import pytest

from labelscape.datasets import Reading, describe_columns, read_table


@pytest.fixture
def path(write):
    rows = "".join(
        f"{i * i},{'' if i % 4 else i},p{i},,{i},{'ab'[i % 2]}\n" for i in range(60)
    )
    return write("x,gappy,who,nothing,y,class\n" + rows)


def test_all_bad_columns_are_named_at_once(path):
    with pytest.raises(ValueError, match="3 columns cannot be used") as told:
        read_table(path, "class", drop=["y"])
    words = str(told.value)
    assert "Column 'who' contains 60 different words" in words
    assert "Column 'nothing' has no values." in words
    assert "Column 'gappy' has 45 missing values, the first in line 3." in words
    advice = "drop=['y', 'who', 'nothing'] and missing='impute'."
    assert f"To read the others, pass {advice} With show in place of drop," in words
    given = {setting.parameter: setting.value for setting in told.value.advice}
    assert read_table(path, "class", reading=Reading(**given)).feature_names == [
        "x",
        "gappy",
    ]


def test_one_bad_column_has_the_sentence_that_it_always_had(path):
    with pytest.raises(ValueError, match=r"^Column 'nothing' has no values\. Pass"):
        read_table(path, "class", drop=["who"], missing="impute")


def test_missing_values_are_told_of_each_column(write):
    path = write("x,y,class\n1,,a\n,,b\n3,4,a\n")
    words = (
        r"Column 'x' has 1 missing value, the first in line 3 \(3 in 2 columns in "
        r"all\)\. The others: 'y' 2\. Fill them in, or read the "
        r"table with missing='impute'"
    )
    with pytest.raises(ValueError, match=words):
        read_table(path, "class")


def test_of_very_many_all_are_named(write):
    names = [f"c{i}" for i in range(9)]
    path = write("x,class," + ",".join(names) + "\n1,a,,,,,,,,,\n2,b,,,,,,,,,\n")
    with pytest.raises(ValueError, match="9 columns cannot be used") as told:
        read_table(path, "class")
    assert all(f"'{name}'" in str(told.value) for name in names)


def test_infinity_is_found_when_columns_are_described(write):
    path = write("x,class\n1,a\ninf,b\n-inf,a\n4,b\n")
    x, _ = describe_columns(path)
    assert (x.kind, x.role) == ("number", "drop")
    assert x.problem.startswith("Column 'x' contains inf in line 3 (and 1 more")
    with pytest.raises(ValueError, match=r"'x' contains inf in line 3 .*drop=\['x'\]"):
        read_table(path, "class")


def test_infinity_is_named_with_all_other_bad_columns(write):
    rows = "".join(
        f"{i},{'inf' if i == 7 else i},p{i},{'ab'[i % 2]}\n" for i in range(60)
    )
    path = write("x,rate,who,class\n" + rows)
    with pytest.raises(ValueError, match="2 columns cannot be used") as told:
        read_table(path, "class")
    assert "Column 'rate' contains inf in line 9, which" in str(told.value)
    given = {one.parameter: one.value for one in told.value.advice}
    assert read_table(path, "class", reading=Reading(**given)).feature_names == ["x"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("x;class\n1,5;a\n2,25;b\n3;a\n", [1.5, 2.25, 3]),
        ("x;class\n1.5;a\n2;b\n", None),
    ],
)
def test_decimal_commas_are_found_out_when_asked(write, text, numbers):
    path = write(text)
    table = read_table(path, "class", reading=Reading(decimal=None))
    assert table.encoder.reading.decimal == ("," if numbers else ".")
    assert table.X[:, 0].tolist() == (numbers or [1.5, 2])
