import pytest

from labelscape.cli._files import write_picture
from labelscape.datasets import load
from labelscape.jobs.map import map_table


@pytest.mark.parametrize("kind", [".png", ".svg", ".pdf"])
@pytest.mark.parametrize("method", ["liram", "pca"])
def test_pictures_of_every_kind_are_written(tmp_path, kind, method):
    path = tmp_path / "deep" / "er" / f"map{kind}"
    write_picture(map_table(load("iris"), method, judge=False), path)
    assert path.stat().st_size > 5000


def test_a_picture_opens_no_figure_of_pyplot(tmp_path):
    import matplotlib.pyplot as plt

    write_picture(map_table(load("iris"), "lda", judge=False), tmp_path / "map.png")
    assert plt.get_fignums() == []
