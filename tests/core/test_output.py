import errno
import os

import pytest

from labelscape._core.output import (
    check_target,
    html_table,
    text_table,
    write_atomically,
)


def test_names_stand_left_and_numbers_right():
    text = text_table(["class", "d"], [["oak", "1.5"], ["willow", "12"]])
    assert text.splitlines() == ["class     d", "oak     1.5", "willow   12"]


def test_lines_have_no_trailing_space():
    text = text_table(["a", "note"], [["1", ""], ["2", "long note"]], left=(0, 1))
    assert all(line == line.rstrip() for line in text.splitlines())


def test_html_shows_markup_as_text():
    html = html_table(["<b>"], [["a & b"]])
    assert "<th>&lt;b&gt;</th>" in html
    assert "<td>a &amp; b</td>" in html


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
    with pytest.raises(NotADirectoryError, match=r"b' is a file, not a folder"):
        write_atomically(tmp_path / "b" / "a", b"", make_folders=make_folders)


def test_a_folder_that_is_closed_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PermissionError, match="no write permission"):
        check_target(tmp_path / "a")


def test_what_the_system_says_becomes_a_sentence_and_keeps_its_number(tmp_path):
    path = tmp_path / ("a" * 300)
    with pytest.raises(OSError, match=r"^'.*a' cannot be written: \w.*\.$") as caught:
        write_atomically(path, b"")
    assert caught.value.errno == errno.ENAMETOOLONG
