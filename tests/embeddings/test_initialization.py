import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from labelscape._core.points.spaces import Dissimilarities, Points
from labelscape.embeddings._base import initial_map, pca_scores, separated, straight_map

X = np.random.default_rng(0).normal(size=(10, 4))


def start(init, data=X, n_components=2):
    state = np.random.RandomState(0)
    return initial_map(init, Points(data), n_components, state, owner="Test")


def test_the_straight_view_is_pca():
    assert_array_equal(start("pca"), pca_scores(X, 2))


def test_random_places_come_from_the_seed():
    assert_array_equal(start("random"), start("random"))
    assert start("random").shape == (10, 2)


def test_given_places_are_copied():
    Z = np.ones((10, 2))
    begun = start(Z)
    begun[0] = 7.0
    assert_array_equal(Z, 1.0)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (np.ones((9, 2)), r"init must contain.*shape \(10, 2\), got shape \(9, 2\)"),
        (
            np.full((10, 2), np.nan),
            "input init contains NaN: column 0 has 10",
        ),
        (np.full((10, 2), np.inf), "input init contains infinity: column 0"),
    ],
)
def test_wrong_places_are_an_error(wrong, words):
    with pytest.raises(ValueError, match=f"^Test: {words}"):
        start(wrong)


def test_a_flat_direction_is_opened_and_the_others_are_left():
    line = np.arange(10.0)[:, None]
    Z = start("pca", line)
    assert_allclose(np.abs(Z[:, 0]), np.abs(line[:, 0] - 4.5), atol=1e-12)
    assert 0 < np.ptp(Z[:, 1]) < 0.1


def test_points_in_one_place_are_parted():
    Z = separated(np.array([[0.0, 1.0], [0.0, 1.0], [3.0, 0.0]]))
    assert len(np.unique(Z, axis=0)) == 3
    assert_allclose(Z, [[0, 1], [0, 1], [3, 0]], atol=0.02)


def test_data_and_their_distances_begin_with_the_same_straight_map():
    space = Points(np.random.default_rng(0).normal(size=(13, 4)))
    given = Dissimilarities(space.matrix())
    assert_allclose(straight_map(space, 2), straight_map(given, 2), atol=1e-10)
