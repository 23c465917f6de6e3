import os
from pathlib import Path

import pytest


@pytest.fixture
def write(tmp_path):
    """Write text or bytes into a file, and return its path."""

    def write_file(content, name="table.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(
            content if isinstance(content, bytes) else content.encode(encoding)
        )
        return path

    return write_file


@pytest.fixture
def papers_data(monkeypatch):
    """Point LABELSCAPE_DATA to the papers' data, or skip the test."""
    beside = Path(__file__).parents[3] / "shared" / "data"
    folder = Path(os.environ.get("LABELSCAPE_DATA", beside))
    if not folder.is_dir():
        pytest.skip(
            "the papers' data are not here; set LABELSCAPE_DATA to their folder"
        )
    monkeypatch.setenv("LABELSCAPE_DATA", str(folder))
