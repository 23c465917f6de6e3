"""Control characters in names are shown, and never printed."""

import json

import numpy as np
import pandas as pd
import pytest

from labelscape._core.errors import CONTROLS, InputError, readable
from labelscape._core.output import text_table
from labelscape.cli._files import json_text
from labelscape.datasets import read_table
from labelscape.jobs import positions_csv

EVERY = [*range(9), 11, 12, 13, *range(14, 32), *range(127, 160)]
BIDI = [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]


@pytest.mark.parametrize("sign", [*map(chr, EVERY + BIDI)], ids=ascii)
def test_a_control_character_is_shown_by_its_number(sign):
    shown = readable(f"a{sign}b")
    assert shown == f"a{ascii(sign)[1:-1]}b"
    assert readable(shown) == shown


@pytest.mark.parametrize(
    "text", ["a\nb", "a\r\nb", "a\tb", "é ß 名 🙂", "\u200fabc", r"C:\x1b"]
)
def test_other_text_stays_as_it_is(text):
    assert readable(text) == text


def test_a_name_does_not_end_the_line_of_a_table():
    assert text_table(["a"], [["x\ny\x1b"]]).splitlines() == ["a", r"x\ny\x1b"]


def test_a_message_is_readable():
    assert str(InputError("no class \x1b]0;x\x07")) == r"no class \x1b]0;x\x07"


def test_json_keeps_the_name_and_has_no_control_character():
    text = json_text({"name": "a\x1b\x9b\u202e"}, None)
    assert not CONTROLS.search(text)
    assert json.loads(text)["name"] == "a\x1b\x9b\u202e"


def table(classes, names=("a", "b")):
    X = np.random.default_rng(0).normal(size=(60, 2))
    frame = pd.DataFrame(X, columns=list(names))
    return frame.assign(kind=np.array(classes, dtype=object)[np.arange(60) % 3])


@pytest.mark.parametrize(
    "classes",
    [
        ("\x1b", r"\x1b", r"\\x1b"),
        ("\x1b\\x07", "\\x1b\x07", "\x1b\x07"),
        ("\x1b", "\x9b", "\u202e"),
    ],
)
def test_no_two_classes_of_a_table_become_equal(classes):
    read = read_table(table(classes), label="kind")
    pairs = set(zip(table(classes)["kind"], read.y.tolist(), strict=True))
    assert len(pairs) == len(set(read.y.tolist())) == 3
    assert not CONTROLS.search("".join(read.y.tolist()))
    assert not CONTROLS.search(positions_csv(read, read.X))


def test_columns_are_named_without_control_characters():
    read = read_table(table(("x", "y", "z"), ["a\x1b[31m", "b"]), label="kind")
    assert read.feature_names == [r"a\x1b[31m", "b"]
