import numpy as np
import pytest
from numpy.testing import assert_allclose

from labelscape.scene._regions import frame_of


@pytest.mark.parametrize(
    ("extent", "stretch", "words"),
    [
        ((10.0, 10.0), (1.0, 1.0), ""),
        ((10.0, 2.6), (1.0, 1.0), ""),
        ((16.0, 1.0), (1.0, 8.0), "Vertical distances are enlarged 8 times"),
        ((60.0, 1.0), (1.0, 10.0), "only the horizontal position matters. Vertical"),
        ((120.0, 1.0), (1.0, 20.0), "Vertical distances are enlarged 20 times"),
        ((1.0, 254.0), (30.0, 1.0), "only the vertical position matters. Horizontal"),
        ((1.0, 1e-6), (1.0, 1.0), ""),
        ((1.0, 0.0), (1.0, 1.0), ""),
        ((0.0, 0.0), (1.0, 1.0), ""),
    ],
)
def test_a_narrow_map_is_drawn_wider_and_says_so(extent, stretch, words):
    frame = frame_of(np.array([(0.0, 0.0), extent]), None)
    assert frame.stretch == stretch
    assert words in frame.warning
    assert bool(frame.warning) == (stretch != (1.0, 1.0))


def test_prototypes_have_no_say_in_the_stretch_but_are_in_the_frame():
    Z, W = np.array([[0.0, 0.0], [16.0, 1.0]]), np.array([[3.0, 20.0]])
    frame = frame_of(Z, W)
    assert frame.stretch == (1.0, 8.0)
    assert_allclose(frame.high, [16.0, 160.0])


def test_cells_are_square_and_as_many_along_the_points_as_asked_for():
    x, y = frame_of(np.array([[0.0, 0.0], [2.0, 1.0]]), None).axes(23)
    assert_allclose(np.diff(x), 0.1)
    assert_allclose(np.diff(y), 0.1)
    assert_allclose((x.mean(), y.mean()), (1.0, 0.5))


def test_places_that_coincide_have_a_frame_too():
    frame = frame_of(np.zeros((3, 2)), None)
    assert not frame.is_line
    assert len(frame.axes(5)[0]) > 4


def test_points_far_out_do_not_make_the_grid_coarse():
    rng = np.random.default_rng(0)
    Z = np.vstack([rng.uniform(size=(400, 2)), [[900.0, -300.0], [-400.0, 7.0]]])
    frame = frame_of(Z, np.array([[0.5, 1.5]]))
    assert_allclose(frame.low, Z[:400].min(axis=0))
    assert_allclose(frame.high, [Z[:400, 0].max(), 1.5])  # prototypes are in it
    x, _ = frame.axes(200)
    assert x[1] - x[0] < 0.01


def test_points_a_little_outside_are_shown_with_the_others():
    Z = np.vstack([np.random.default_rng(0).uniform(size=(400, 2)), [[1.4, 0.5]]])
    assert_allclose(frame_of(Z, None).high[0], 1.4)
