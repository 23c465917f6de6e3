"""Damaged tables raise one clear error."""

import csv
import gzip
import io

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labelscape._core.errors import Wording, sentence
from labelscape.datasets import Reading, Table, read_table

GOOD = "name,x,colour,class\n" + "".join(
    f"p{i},{i * 0.5},{('red', 'blue')[i % 2]},{'abc'[i % 3]}\n" for i in range(20)
)


def bad_text(case):
    return {
        "empty": b"",
        "only blanks": b"  \n\n  \n",
        "only a header": b"x,class\n",
        "a short line": b"x,v,class\n1,2,a\n3,b\n",
        "a long line": b"x,v,class\n1,2,a\n3,4,b,5\n",
        "no names": b"1,2\n3,4\n",
        "a name twice": b"x,x,class\n1,2,a\n2,3,b\n",
        "a nameless column": b"x,,class\n1,0,a\n2,1,b\n",
        "an open quotation mark": b'x,class\n1,"a\n2,b\n',
        "a slip in a number": b"x,class\n1,a\n2,b\n3x,a\n",
        "a slip in a date": b"x,class\n2024-01-01,a\n2024-02-02,b\n2024-13-01,a\n",
        "infinity": b"x,class\n1,a\ninf,b\n",
        "too large a number": b"x,class\n1,a\n1e200,b\n",
        "a column without values": b"x,v,class\n1,,a\n2,,b\n",
        "names as categories": b"v,class\n"
        + b"".join(b"word%d,%d\n" % (i, i % 2) for i in range(60)),
        "one class": b"x,class\n1,a\n2,a\n",
        "a label missing": b"x,class\n1,a\n2,\n3,\n4,b\n",
        "a measurement as label": b"x,class\n"
        + b"".join(b"1,%d.5\n" % i for i in range(60)),
        "only a label": b"class\na\nb\n",
        "binary": bytes(range(256)) * 4,
        "controls": b"\x01\x02\x03\x04\x05\x06,class\n1,a\n",
        "wrong bytes": b"x,class\n1,\x81\n2,b\n",
        "UTF-16 without mark": "x,class\n1,a\n2,b\n".encode("utf-16-le"),
        "half a UTF-16": "x,class\n1,a\n2,b\n".encode("utf-16")[:-1],
        "half a gzip": gzip.compress(GOOD.encode())[:-12],
    }[case]


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("empty", "is empty"),
        ("only blanks", "is empty"),
        ("only a header", "a header and no rows"),
        ("a short line", r"Line 3 .* has 2 fields, but the header has 3"),
        ("a long line", r"Line 3 .* has 4 fields, but the header has 3"),
        ("no names", "header=False"),
        ("a name twice", "2 columns named 'x'"),
        (
            "a nameless column",
            r"values but no name, so it is called 'column 2'.*id='column 2'",
        ),
        ("an open quotation mark", "quotation mark"),
        ("a slip in a number", "should contain numbers, but contains '3x' in line 4"),
        ("a slip in a date", "should contain dates, but contains '2024-13-01' in"),
        ("infinity", "'x' contains inf in line 3"),
        ("too large a number", "'x' of X is 1e"),
        ("a column without values", r"'v' has no values. Pass drop=\['v'\]"),
        (
            "names as categories",
            r"60 different words.*id='v', show=.* drop=\['v'\]",
        ),
        ("one class", "has only one class, 'a', but at least two"),
        ("a label missing", "'class' has 2 missing values, the first in line 3"),
        ("a measurement as label", "60 different values in 60 rows"),
        ("only a label", "No column is left as a feature"),
        ("binary", "binary data"),
        ("controls", "binary data"),
        ("wrong bytes", "not text in utf-8 or cp1252"),
        ("UTF-16 without mark", "encoding='utf-16-le'"),
        ("half a UTF-16", "not text in utf-16"),
        ("half a gzip", "damaged gzip file"),
    ],
)
def test_a_broken_text_is_described_in_one_sentence(tmp_path, case, message):
    path = tmp_path / "table.csv"
    path.write_bytes(bad_text(case))
    label = -1 if case == "no names" else "class"
    with pytest.raises(ValueError, match=message) as caught:
        read_table(path, label=label)
    assert_one_sentence(str(caught.value))


def test_a_column_that_is_not_there_brings_the_near_ones(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(GOOD)
    with pytest.raises(ValueError, match=r"label: there is no column 'clas'.*'class'"):
        read_table(path, label="clas")
    with pytest.raises(
        ValueError, match=r"id: there is no column 'zzz'. The columns are"
    ):
        read_table(path, label="class", id="zzz")
    with pytest.raises(ValueError, match="there is no column 9; the table has 4"):
        read_table(path, label=9)
    with pytest.raises(ValueError, match=r"position, got 1.5"):
        read_table(path, label=1.5)
    with pytest.raises(ValueError, match="label and id both select the column 'class'"):
        read_table(path, label="class", id=-1)


def test_what_is_no_table_file_is_said_to_be_none(tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no file"):
        read_table(tmp_path / "absent.csv")
    with pytest.raises(ValueError, match=r"is a folder\. Give the name"):
        read_table(tmp_path)
    (tmp_path / "book.ods").write_bytes(b"PK")
    with pytest.raises(ValueError, match=r"'book.ods' is in a format that.*as CSV"):
        read_table(tmp_path / "book.ods")


def test_a_line_without_end_is_refused_before_it_fills_the_memory(tmp_path):
    path = tmp_path / "endless.csv.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(70):
            file.write(b"1" * 2**20)
    with pytest.raises(ValueError, match="not a text table"):
        read_table(path)


def corrupted(content):
    """A strategy for ``content`` with up to four common faults."""
    at = st.integers(0, len(content) - 1)
    fault = st.one_of(
        st.tuples(st.just("flip"), at, st.integers(0, 255)),
        st.tuples(st.just("cut"), at, st.integers(1, 40)),
        st.tuples(st.just("end"), at, st.just(0)),
        st.tuples(st.just("insert"), at, st.binary(min_size=1, max_size=12)),
        st.tuples(st.just("double"), at, st.integers(1, 60)),
    )
    return st.lists(fault, min_size=1, max_size=4).map(
        lambda faults: _with_faults(content, faults)
    )


def _with_faults(content, faults):
    for kind, at, how in faults:
        before, after = content[:at], content[at:]
        if kind == "flip" and after:
            content = before + bytes([how]) + after[1:]
        elif kind == "cut":
            content = before + after[how:]
        elif kind == "end":
            content = before
        elif kind == "insert":
            content = before + how + after
        elif kind == "double":
            content = before + after[:how] + after
    return content


def npy_file():
    file = io.BytesIO()
    np.save(file, np.arange(60.0).reshape(20, 3))
    return file.getvalue()


def npz_file():
    file = io.BytesIO()
    X = np.arange(60.0).reshape(20, 3)
    np.savez_compressed(file, X=X, y=np.arange(20) % 3)
    return file.getvalue()


ROUGHLY_200 = settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.mark.filterwarnings("ignore:.* was read as cp1252")
@ROUGHLY_200
@given(content=corrupted(GOOD.encode()))
def test_a_corrupted_text_gives_a_right_table_or_a_clean_error(tmp_path, content):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    outcome = attempt(path, label="class", id="name", missing="impute")
    if isinstance(outcome, Table):
        assert_sound(outcome)
        assert_numbers_are_those_of_the_file(outcome, content)
    else:
        assert_one_sentence(outcome)


@pytest.mark.parametrize("make", [npy_file, npz_file])
def test_a_corrupted_numpy_file_gives_a_table_or_a_clean_error(tmp_path, make):
    path = tmp_path / f"table.{make.__name__[:3]}"

    @ROUGHLY_200
    @given(content=corrupted(make()))
    def check(content):
        path.write_bytes(content)
        outcome = attempt(path, label=None if path.suffix == ".npz" else 0)
        if isinstance(outcome, Table):
            assert_sound(outcome)
        else:
            assert_one_sentence(outcome)

    check()


def attempt(path, **options):
    """Return the table, or the message of the one error that is allowed."""
    try:
        return read_table(path, reading=Reading(**options))
    except ValueError as error:
        return str(error)


def assert_one_sentence(message):
    assert "\n" not in message
    assert message.endswith((".", "?"))
    assert len(message) < 500


def assert_sound(table):
    assert np.isfinite(table.X).all()
    assert table.X.shape[1] == len(table.feature_names) > 0
    if table.y is not None:
        assert len(table.y) == len(table.X)
        assert len(np.unique(table.y)) > 1


def assert_numbers_are_those_of_the_file(table, content):
    """Read the file again with simple code, and compare the column x."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = content.decode("cp1252")
    rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    assert len(table.X) == len(rows) - 1
    header = [name.strip() for name in rows[0]]
    if "x" in header and "x" in table.feature_names and not table.missing:
        at, feature = header.index("x"), table.feature_names.index("x")
        expected = [float(row[at]) for row in rows[1:]]
        np.testing.assert_array_equal(table.X[:, feature], expected)


class Renamed(Wording):
    """Shows every file with the name that the user gave it."""

    def file(self, file):
        return "“my trees”"


@pytest.mark.parametrize(
    "case",
    [
        "empty",
        "only a header",
        "a short line",
        "no names",
        "a name twice",
        "an open quotation mark",
        "binary",
        "wrong bytes",
        "half a gzip",
    ],
)
def test_a_host_can_call_the_file_by_another_name(tmp_path, case):
    path = tmp_path / "source.csv"
    path.write_bytes(bad_text(case))
    with pytest.raises(ValueError, match=r"'source\.csv'") as raised:
        read_table(path, label="class")
    words = sentence(raised.value, Renamed())
    assert "“my trees”" in words
    assert "source" not in words
