import pytest

from labelscape.hosts import _static


def test_a_view_that_is_not_built_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setattr(_static, "STATIC", tmp_path)
    with pytest.raises(FileNotFoundError, match="make view"):
        _static.built("page.js")


def test_the_built_files_are_text(monkeypatch, tmp_path):
    (tmp_path / "page.js").write_text("'ä'", encoding="utf-8")
    monkeypatch.setattr(_static, "STATIC", tmp_path)
    assert _static.built("page.js") == "'ä'"
