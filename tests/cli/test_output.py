import sys
from pathlib import Path

import pytest

from labelscape.cli._files import PAGES, check_output
from labelscape.hosts import page


def test_a_folder_is_no_file(tmp_path):
    folder = tmp_path / "maps.png"
    folder.mkdir()
    with pytest.raises(IsADirectoryError, match="is a folder"):
        check_output(folder)


def test_without_matplotlib_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"labelscape\[plot\]"):
        check_output(Path("map.png"))


def test_without_the_view_the_message_says_how_to_build_it(monkeypatch, tmp_path):
    monkeypatch.setattr(page, "STATIC", tmp_path)
    with pytest.raises(FileNotFoundError, match="make view"):
        check_output(Path("map.html"))


def test_where_only_pages_are_written_a_picture_is_refused():
    with pytest.raises(ValueError, match=r"must end in \.html, got 'map\.png'"):
        check_output(Path("map.png"), PAGES)


def test_what_can_not_be_written_is_refused_before_anything_is_fitted(tmp_path):
    (tmp_path / "notes").touch()
    with pytest.raises(NotADirectoryError, match="notes' is a file, not a folder"):
        check_output(tmp_path / "notes" / "map.png")
    check_output(tmp_path / "new" / "map.png")
    assert not (tmp_path / "new").exists()
