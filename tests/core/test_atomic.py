import errno
import os

import pytest

from labelscape._core.atomic import check_target, write_atomically


def test_a_file_is_written_and_nothing_else(tmp_path):
    write_atomically(tmp_path / "a", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"new"


def test_folders_on_the_way_are_made_if_asked_for(tmp_path):
    path = tmp_path / "b" / "c" / "a"
    check_target(path, make_folders=True)
    assert not path.parent.exists()
    write_atomically(path, b"new", make_folders=True)
    assert path.read_bytes() == b"new"


def test_a_folder_is_no_file_to_write(tmp_path):
    with pytest.raises(IsADirectoryError, match=r"is a folder\. Give the name of a fi"):
        write_atomically(tmp_path, b"")


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"There is no folder '.*b' to write"):
        write_atomically(tmp_path / "b" / "a", b"")


@pytest.mark.parametrize("make_folders", [False, True])
def test_a_file_is_no_folder(tmp_path, make_folders):
    (tmp_path / "b").touch()
    with pytest.raises(NotADirectoryError, match=r"b' is a file and no folder"):
        write_atomically(tmp_path / "b" / "a", b"", make_folders=make_folders)


def test_a_folder_that_is_closed_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PermissionError, match="is closed to you"):
        check_target(tmp_path / "a")


def test_what_the_system_says_becomes_a_sentence_and_keeps_its_number(tmp_path):
    path = tmp_path / ("a" * 300)
    with pytest.raises(OSError, match=r"^'.*a' can not be written: \w.*\.$") as caught:
        write_atomically(path, b"")
    assert caught.value.errno == errno.ENAMETOOLONG
