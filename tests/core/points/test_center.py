import numpy as np
import pytest

from labelscape._core.points.distances import middle

X = np.random.default_rng(0).normal(size=(300, 3)) + 5.0


def test_the_middle_is_the_mean():
    np.testing.assert_array_equal(middle(X), X.mean(axis=0))
    np.testing.assert_array_equal(middle(np.ones((4, 2))), np.ones(2))


@pytest.mark.parametrize("value", [1e9, 1e20, 9.97e36, 1e140])
def test_a_far_row_does_not_drag_it_away(value):
    far = np.vstack([X, np.full((1, 3), value)])
    assert np.abs(middle(far) - X.mean(axis=0)).max() < 0.5


def test_among_many_copies_the_few_others_tell_what_is_usual():
    few = np.zeros((1000, 2))
    few[[501, 777]] = 1.0
    np.testing.assert_array_equal(middle(few), few.mean(axis=0))
    few[778] = 1e20
    np.testing.assert_array_equal(middle(few), np.zeros(2))
