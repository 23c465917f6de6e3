import numpy as np
import pytest

from labelscape.hosts.notebook import live as _live_map
from labelscape.hosts.notebook.live import Forming


@pytest.fixture
def shown():
    return []


@pytest.fixture
def forming(shown, monkeypatch):
    monkeypatch.setattr(_live_map, "SECONDS_BETWEEN", 0.0)
    return Forming(lambda positions, words: shown.append((positions, words)), 3)


@pytest.mark.parametrize("q", [1, 2, 3])
def test_positions_are_pairs_of_floats(forming, shown, q):
    Z = np.arange(3.0 * q).reshape(3, q)
    forming({"epoch": 2, "embedding": Z})
    pairs = np.frombuffer(shown[0][0], dtype=np.float32).reshape(3, 2)
    np.testing.assert_array_equal(pairs[:, : min(q, 2)], Z[:, :2])
    assert shown[0][1] == "epoch 2"


def test_a_fit_without_a_map_shows_nothing(forming, shown):
    forming({"epoch": 1, "loss": 0.5})
    assert shown == []


def test_not_more_is_shown_than_eyes_can_follow(shown):
    often = Forming(lambda positions, words: shown.append(words), 1)
    for epoch in range(5):
        often({"epoch": epoch, "embedding": [[0.0, 0.0]]})
    assert shown == ["epoch 0"]


def test_a_map_of_other_data_is_refused(forming):
    with pytest.raises(ValueError, match="3 points are shown"):
        forming({"embedding": np.zeros((4, 2))})
