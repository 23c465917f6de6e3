import sys
from pathlib import Path

import pytest

from labelscape.cli._mapping import map_table
from labelscape.cli._picture import check_picture, write_picture
from labelscape.datasets import load


@pytest.mark.parametrize("kind", [".png", ".svg", ".pdf"])
@pytest.mark.parametrize("method", ["liram", "pca"])
def test_pictures_of_every_kind_are_written(tmp_path, kind, method):
    path = tmp_path / "deep" / "er" / f"map{kind}"
    write_picture(map_table(load("iris"), method, judge=False), path)
    assert path.stat().st_size > 5000


def test_a_folder_is_no_picture(tmp_path):
    folder = tmp_path / "maps.png"
    folder.mkdir()
    with pytest.raises(ValueError, match="is a folder"):
        check_picture(folder)


def test_without_matplotlib_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"labelscape\[plot\]"):
        check_picture(Path("map.png"))


def test_a_picture_opens_no_figure_of_pyplot(tmp_path):
    import matplotlib.pyplot as plt

    write_picture(map_table(load("iris"), "lda", judge=False), tmp_path / "map.png")
    assert plt.get_fignums() == []
