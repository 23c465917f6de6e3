"""What a disk objects to, in words."""

import errno
import sqlite3

import pytest

from labelscape.hosts.app.errors import disk_words


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
