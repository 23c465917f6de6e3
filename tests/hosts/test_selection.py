import numpy as np
import pytest

from labelscape.hosts.notebook.given import chosen_point, chosen_points
from labelscape.scene._internal import scene_of


@pytest.fixture(scope="module")
def scene():
    return scene_of(np.eye(4)[:, :2], ids=["a", "b", "b", "<i>"])


@pytest.mark.parametrize(
    ("choice", "points"),
    [
        ([3, 1, 1], [1, 3]),
        (np.array([True, False, False, True]), [0, 3]),
        (["<i>", "b"], [1, 2, 3]),
        ({1, 3}, [1, 3]),
        ([], []),
        (None, []),
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
        ([[0, 1]], r"list of points, such as \[0, 3\], or None .*; got \[\[0, 1\]\]"),
        ([[0], [1, 2]], r"got \[\[0\], \[1, 2\]\]"),
        (2, "such as .* got 2"),
        ("b", "such as .* got 'b'"),
    ],
)
def test_what_names_no_point_is_refused(scene, choice, words):
    with pytest.raises(ValueError, match=words):
        chosen_points(choice, scene)


@pytest.mark.parametrize("choice", [[0.5], [None], [b"a"]])
def test_what_is_neither_index_nor_text_is_no_point(scene, choice):
    with pytest.raises(TypeError, match=r"by indices of points.*; got \["):
        chosen_points(choice, scene)


@pytest.mark.parametrize(("point", "index"), [(2, 2), (np.int64(2), 2), ("b", 1)])
def test_one_point_has_an_index_or_an_id(scene, point, index):
    assert chosen_point(point, scene) == index


@pytest.mark.parametrize(
    ("point", "error", "words"),
    [
        (9999, ValueError, "object: points have indices from 0 to 3, got 9999"),
        ("c", ValueError, "object: there is no point with the id 'c'"),
        (0.5, TypeError, "object must be given by indices"),
        (True, TypeError, "object must be one point, .*; got True"),
        ([1, 2], TypeError, r"object must be one point, .*; got \[1, 2\]"),
    ],
)
def test_what_is_not_one_point_is_refused(scene, point, error, words):
    with pytest.raises(error, match=words):
        chosen_point(point, scene)


def test_without_ids_points_have_no_names():
    with pytest.raises(ValueError, match="have no ids"):
        chosen_points(["a"], scene_of(np.eye(2)))
