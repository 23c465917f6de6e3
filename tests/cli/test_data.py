import os
import shutil

import pytest

from labelscape._core.errors import sentence
from labelscape.cli import _files
from labelscape.cli._terminal import OPTIONS
from labelscape.datasets import Reading


def table_from(data, **reading):
    """Return the table, or raise the error with the text of the command line."""
    try:
        return _files.table_from(data, Reading(**reading))
    except ValueError as error:
        raise ValueError(sentence(error, OPTIONS)) from error


def test_a_name_gives_its_data_set():
    assert table_from("Wine").name == "wine"


def test_a_file_is_read_with_its_missing_values_imputed(trees):
    table = table_from(str(trees), label="kind", id="name")
    assert table.missing == {"height": 2}
    assert table.ids[0] == "t0"
    assert table.name == "trees"


def test_a_file_that_is_called_like_a_data_set_is_a_file(trees, monkeypatch):
    monkeypatch.chdir(trees.parent)
    trees.rename(trees.with_name("wine"))
    with pytest.raises(ValueError, match="wine"):
        table_from("wine", label="no such column")


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({"label": "class"}, "--label"),
        ({"id": "name"}, "--id"),
        ({"drop": ("ash",)}, "--drop"),
        ({"decimal": ","}, "--read decimal"),
        ({"header": False}, "--read header"),
        ({"missing_values": ("-",)}, "--read missing_values"),
        ({"unlabelled": "drop"}, "--drop-unlabelled"),
        ({"copies": "drop"}, "--drop-copies"),
        ({"merge_classes": "case"}, "--merge-classes"),
    ],
)
def test_a_data_set_by_name_takes_no_options_of_files(given, option):
    with pytest.raises(ValueError, match=f"has its own .*: leave out {option}\\."):
        table_from("wine", **given)


def test_a_data_set_by_name_takes_what_the_command_line_leaves_open():
    open_ones = {"label": None, "drop": (), "decimal": ".", "header": None}
    assert table_from("wine", **open_ones).name == "wine"


def test_a_file_without_a_label_says_which_columns_there_are(trees):
    with pytest.raises(ValueError, match=r"Pass --label .*height"):
        table_from(str(trees), id="name")


def test_a_misspelt_name_is_answered_with_a_better_one():
    with pytest.raises(ValueError, match="Did you mean 'wine'"):
        table_from("wien")


def test_columns_can_be_left_out(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,y\n" + "1,,p\n2,,q\n3,,p\n4,,q\n" * 3)
    with pytest.raises(ValueError, match="--drop 'b'"):
        table_from(str(path), label="y")
    table = table_from(str(path), label="y", drop=("b",))
    assert table.feature_names == ["a"]


def test_the_columns_of_the_file_are_offered_as_labels(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,y\n1,p\n2,q\n3,p\n4,q\n")
    with pytest.raises(ValueError, match="one of: y, a"):
        table_from(str(path))


@pytest.mark.parametrize(
    ("header", "rows", "how"),
    [
        ("a~b~y\n", "1~2~p\n2~3~q\n3~5~p\n4~4~q\n", {"delimiter": "~"}),
        ("", "1,2,p\n2,3,q\n3,5,p\n4,4,q\n", {"header": False}),
        ("ä,b,y\n", "1,2,p\n2,3,q\n", {"encoding": "utf-16-le"}),
        ("a;b;y\n", "1,0;2,5;p\n2,0;3,5;q\n", {"decimal": ","}),
        ("a,b,y\n", "1,-,p\n2,3,q\n3,5,p\n", {"missing_values": ("-",)}),
    ],
)
def test_how_a_file_is_written_can_be_said(tmp_path, header, rows, how):
    path = tmp_path / "t.csv"
    path.write_text(header + 5 * rows, encoding=how.get("encoding", "utf-8"))
    label = "x3" if "header" in how else "y"
    table = table_from(str(path), label=label, **how)
    assert table.X.shape[1] == 2
    with pytest.raises(ValueError, match=f"one of: .*\\b{label}\\b"):
        table_from(str(path), **how)


def test_a_column_without_a_name_is_called_by_its_place(tmp_path):
    path = tmp_path / "t.csv"
    rows = [f"{i + 11},{i * i},{'pq'[i % 2]}" for i in range(12)]
    path.write_text("\n".join([",a,y", *rows]))
    name = "column 1"
    assert table_from(str(path), label="y", drop=(name,)).feature_names == ["a"]
    assert table_from(str(path), label="y", id=name).ids.tolist()[:2] == [11, 12]
    assert table_from(str(path), label="y", keep=(name,)).feature_names == [name, "a"]
    with pytest.raises(ValueError, match="--drop: there is no column 'column 2'"):
        table_from(str(path), label="y", drop=("column 2",))


def test_fewer_than_ten_rows_are_refused_before_any_work(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "1,p\n4,q\n9,q\n" * 3)
    with pytest.raises(ValueError, match="t has 9 rows with a class, but at least 10"):
        table_from(str(path), label="y")


@pytest.fixture
def odd_name(trees):
    """A file whose name is not UTF-8, as in old archives."""
    path = os.fsdecode(os.fsencode(trees.parent) + b"/tr\xe9es.csv")
    try:
        shutil.copy(trees, path)
    except OSError:
        pytest.skip("this file system takes no such names")
    return path


@pytest.mark.parametrize("output", ["map.html", "map.png"])
def test_file_names_that_are_no_utf_8_are_read_and_shown(run, odd_name, output):
    output = output.replace("map", os.fsdecode(b"m\xe4p"))
    how = ("--label", "kind", "--id", "name", "--no-honesty", "--method", "lda")
    done = run("map", odd_name, *how, "-o", output)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("tr\N{REPLACEMENT CHARACTER}es: 24 rows")
    assert os.path.exists(output)


def test_an_absent_file_whose_name_is_no_utf_8_is_named(run, odd_name):
    done = run("map", odd_name.replace("csv", "npy"), "--label", "kind")
    assert done.exit_code == 2
    assert r"tr\udce9es.npy" in done.stderr


def test_the_likely_column_of_classes_is_named_first(tmp_path):
    file = tmp_path / "wide.csv"
    heads = [f"x{j}" for j in range(12)]
    rows = [[str(i * j % 7) for j in range(12)] + ["ab"[i % 2]] for i in range(30)]
    lines = [",".join(row) for row in ([*heads, "kind"], *rows)]
    file.write_text("\n".join(lines))
    with pytest.raises(ValueError, match="Pass --label with one of: kind, x0, x1, "):
        table_from(str(file))
