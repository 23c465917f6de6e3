import numpy as np
import pytest

from labelscape.hosts._selection import chosen_points
from labelscape.scene import build_scene


@pytest.fixture(scope="module")
def scene():
    return build_scene(np.eye(4)[:, :2], ids=["a", "b", "b", "<i>"])


@pytest.mark.parametrize(
    ("choice", "points"),
    [
        ([3, 1, 1], [1, 3]),
        (np.array([True, False, False, True]), [0, 3]),
        (["<i>", "b"], [1, 2, 3]),
        ([], []),
    ],
)
def test_points_are_chosen_by_index_mask_or_id(scene, choice, points):
    chosen = chosen_points(choice, scene)
    assert chosen.dtype == np.uint32
    assert chosen.tolist() == points


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ([4], "from 0 to 3, got 4"),
        ([-1], "got -1"),
        ([True, False], "one value for each of the 4 points, got 2"),
        (["c"], "no point with the id 'c'"),
        ([[0, 1]], "shape"),
    ],
)
def test_what_names_no_point_is_refused(scene, choice, words):
    with pytest.raises(ValueError, match=words):
        chosen_points(choice, scene)


def test_numbers_with_a_fraction_are_no_indices(scene):
    with pytest.raises(TypeError, match="must be indices"):
        chosen_points([0.5], scene)


def test_without_ids_points_have_no_names():
    with pytest.raises(ValueError, match="have no ids"):
        chosen_points(["a"], build_scene(np.eye(2)))
