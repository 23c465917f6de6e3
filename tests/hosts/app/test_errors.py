"""Error messages of the page."""

import errno
import sqlite3

import pytest

from labelscape._core.errors import Setting
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
