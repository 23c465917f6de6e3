"""What the page is told while a map forms."""

from types import SimpleNamespace

import numpy as np
import pytest

from labelscape.hosts.app import progress
from labelscape.hosts.app.progress import Telling
from labelscape.scene import decode

TABLE = SimpleNamespace(
    name="trees", X=np.zeros((3, 1)), y=np.array(["oak", "fir", "oak"])
)


@pytest.fixture
def told(monkeypatch):
    """What is told of the records that it is called with."""
    monkeypatch.setattr(progress, "SECONDS_BETWEEN", 0.0)

    def told(*records):
        news = []
        tell = Telling(news.append, TABLE)
        for record in records:
            tell(record)
        return news

    return told


@pytest.mark.parametrize("q", [1, 2, 3])
def test_a_map_is_shown_in_the_plane_whatever_its_dimension(told, q):
    Z = np.arange(3.0 * q).reshape(3, q)
    first, second = told({"epoch": 1, "embedding": Z}, {"epoch": 2, "embedding": Z})
    places = np.frombuffer(first["positions"], np.float32).reshape(3, 2)
    np.testing.assert_array_equal(places[:, : min(q, 2)], Z[:, :2])
    np.testing.assert_array_equal(places[:, 1], 0.0 if q == 1 else Z[:, 1])
    assert decode(first["scene"]).classes == ("fir", "oak")
    assert second["iteration"] == 2
    assert "scene" not in second  # once is enough


def test_a_map_of_some_rows_only_is_not_shown(told):
    (news,) = told({"iteration": 1, "embedding": np.zeros((2, 2)), "stress": 0.5})
    assert news == {"iteration": 1, "loss": 0.5, "words": "Iteration 1, loss 0.5."}


def test_a_loss_that_is_no_number_is_left_out(told):
    assert told({"iteration": 1, "loss": np.nan}) == [{"iteration": 1}]


def test_not_every_iteration_is_told():
    news = []
    tell = Telling(news.append, TABLE)
    for i in range(5):
        tell({"iteration": i})
    assert [record["iteration"] for record in news] == [0]
