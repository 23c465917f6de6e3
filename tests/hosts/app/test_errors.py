"""Error messages of the page."""

import errno
import sqlite3

import pytest

from labelscape._core.errors import InputError, Setting, sentence
from labelscape.hosts.app.errors import PageWording, disk_words


def full_catalog():
    error = sqlite3.OperationalError("as SQLite says it")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space"), "The disk is full."),
        (OSError(errno.EDQUOT, "Quota"), "The disk is full."),
        (full_catalog(), "The disk is full."),
        (PermissionError(errno.EACCES, "Permission denied"), "(Permission denied)"),
        (sqlite3.OperationalError("disk I/O error"), "(disk I/O error)"),
    ],
)
def test_troubles_of_the_disk_become_sentences(error, words):
    assert words in disk_words(error)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (Setting("drop", ["age", "day"]), "“left out” for 'age', 'day'"),
        (Setting("group"), "“same subject”"),
        (
            Setting("missing_values", ["-999", "n.d."]),
            "“Missing-value codes”: -999, n.d.",
        ),
        (Setting("copies", "drop"), "“Identical rows”: keep only the first"),
        (
            Setting("merge_classes", "case"),
            "“Classes that differ only in upper and lower case”: are merged",
        ),
        (Setting("skip", 0), "“Lines above the table”: 0"),
        (Setting("sheet"), "“Sheet”"),
        (Setting("header", False), "“First line”: a row"),
    ],
)
def test_settings_are_called_as_the_page_of_a_table_calls_them(setting, words):
    assert PageWording({}).words(setting) == words
    assert PageWording({}).remedy(setting) == f"choose {words}"


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("For another sheet, pass ", "For another sheet, choose “Sheet”: Two."),
        ("Pass ", "Choose “Sheet”: Two."),
        ("Pass the name, such as ", "Choose the name, such as “Sheet”: Two."),
        ("Marks of 'pass ' are in ", "Marks of 'pass ' are in “Sheet”: Two."),
        ("Column 'pass', read from ", "Column 'pass', read from “Sheet”: Two."),
        ("It has a bypass ", "It has a bypass “Sheet”: Two."),
    ],
)
def test_settings_of_the_page_are_chosen_and_names_of_columns_are_kept(before, words):
    error = InputError(before, Setting("sheet", "Two"), ".", owner="read_table")
    assert sentence(error, PageWording({})) == words
    assert sentence(error) == f"read_table: {before}sheet='Two'."
