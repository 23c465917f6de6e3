import numpy as np
import pytest
from scipy.spatial import Delaunay

from labelscape._core.class_colors import N_COLORS, class_looks


def clouds(n_classes, seed, q=2):
    rng = np.random.default_rng(seed)
    y = np.arange(15 * n_classes) % n_classes
    middles = 10 * rng.random((n_classes, q))
    return middles[y] + rng.normal(0, 0.3, (len(y), q)), y, middles


def sharing(looks, middles):
    """Return how many neighboring classes have the same color."""
    corners = Delaunay(middles).simplices
    sides = {
        tuple(sorted((a, b))) for corner in corners for a in corner for b in corner
    }
    return sum(looks[a] % N_COLORS == looks[b] % N_COLORS for a, b in sides if a != b)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n_classes", [13, 20, 40])
def test_classes_side_by_side_have_different_colours(n_classes, seed):
    Z, y, middles = clouds(n_classes, seed)
    assert sharing(class_looks(Z, y, n_classes), middles) == 0


@pytest.mark.parametrize("n_classes", [13, 40, 120, 300])
def test_every_look_is_given_once_so_that_no_two_classes_share_colour_and_shape(
    n_classes,
):
    Z, y, _ = clouds(n_classes, 0)
    looks = class_looks(Z, y, n_classes)
    assert sorted(looks) == list(range(n_classes))


def test_few_classes_have_colours_in_their_order():
    Z, y, _ = clouds(12, 0)
    assert class_looks(Z, y, 12).tolist() == list(range(12))


def test_classes_that_are_mixed_up_have_different_colours_wherever_their_middles_are():
    Z, y, _ = clouds(24, 1)
    # Half of class 12 lies in class 0, and drags its middle away from both.
    torn = np.flatnonzero(y == 12)[::2]
    Z[torn] = Z[np.flatnonzero(y == 0)[: len(torn)]] + 0.01
    looks = class_looks(Z, y, 24)
    assert looks[0] % N_COLORS != looks[12] % N_COLORS


def test_the_same_map_gives_the_same_looks_and_a_map_in_space_has_some_too():
    Z, y, _ = clouds(30, 2, q=3)
    first, second = class_looks(Z, y, 30), class_looks(Z.copy(), y, 30)
    np.testing.assert_array_equal(first, second)


def test_points_without_a_class_and_classes_without_points_are_no_trouble():
    Z, y, _ = clouds(14, 3)
    y = np.where(y == 5, -1, y)
    looks = class_looks(Z, y, 20)
    assert sorted(looks) == list(range(20))
    nobody = class_looks(Z, np.full(len(Z), -1), 20)
    assert nobody.tolist() == list(range(20))
    one_place = class_looks(np.zeros((26, 2)), np.arange(26) % 13, 13)
    assert sorted(one_place) == list(range(13))
