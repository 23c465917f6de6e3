import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from tests.quality import reference
from tests.quality.cases import CASES, plain, small_blocks

from labelscape._core import threads
from labelscape._core.points.spaces import Points
from labelscape._resampling.voters import vote
from labelscape.quality import knn_accuracy


@pytest.mark.parametrize("case", CASES)
def test_accuracy_equals_its_definition_for_all_k(case):
    _, Y, y = case()
    D = reference.distances(Y)
    for k in range(1, 50):
        expected = reference.knn_hits(D, y, k).mean()
        assert knn_accuracy(Y, y, k) == expected
        assert knn_accuracy(D, y, k, "precomputed") == expected


def test_a_tied_vote_goes_to_the_nearer_class():
    line = np.array([[0.0], [1.0], [2.0], [-3.0], [4.0]])
    # The nearest of the first point: b at 1, a at 2, a at 3, b at 4.
    y = np.array(["a", "b", "a", "a", "b"])
    D = reference.distances(line)
    for k in range(1, 5):
        assert knn_accuracy(line, y, k) == reference.knn_hits(D, y, k).mean()
    assert_array_equal(vote(np.array([[1, 0], [0, 1], [2, 1]]), 3), [1, 0, 2])
    assert_array_equal(vote(np.array([[1, 0, 0, 1], [2, 0, 0, 1]]), 3), [1, 0])


def test_duplicates_are_neighbours_and_a_point_itself_is_not():
    Y = np.zeros((4, 2))
    neighbors, _ = Points(Y).kneighbors(3)
    assert_array_equal(neighbors, [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])
    assert knn_accuracy(Y, [0, 0, 1, 1]) == 0.5


def test_blocks_and_threads_do_not_change_the_accuracy(monkeypatch):
    _, Y, y = plain()
    whole = knn_accuracy(Y, y, 5)
    small_blocks(monkeypatch)
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        assert knn_accuracy(Y, y, 5) == whole


def test_chance_is_chance():
    rng = np.random.default_rng(0)
    accuracy = knn_accuracy(rng.normal(size=(1000, 2)), rng.integers(2, size=1000))
    assert_allclose(accuracy, 0.5, atol=0.06)


def test_unusable_input_is_named():
    _, Y, y = plain()
    for k in (0, 50, 1.5):
        with pytest.raises(ValueError, match=r"must be .* between 1 and 49"):
            knn_accuracy(Y, y, k)
    with pytest.raises(ValueError, match="at least two classes"):
        knn_accuracy(Y, np.ones(50))
    with pytest.raises(ValueError, match="50 samples but y has 2"):
        knn_accuracy(Y, y[:2])
    Y[3, 1] = np.nan
    with pytest.raises(ValueError, match=r"NaN: column 1 .* in row 3"):
        knn_accuracy(Y, y)
