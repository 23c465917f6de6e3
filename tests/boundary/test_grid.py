import numpy as np
import pytest

from labelscape.boundary import _grid
from labelscape.boundary._classifier_output import ClassScores
from labelscape.boundary._grid import grid_axes, regions_on
from labelscape.boundary._inverse import InverseMap

Z = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]])


def plane_classifier(X):
    """Class 1 right of x = 2: certainty grows with the distance from there."""
    p = 1.0 / (1.0 + np.exp(-(X[:, 0] - 2.0)))
    return np.column_stack([1.0 - p, p])


@pytest.fixture
def inverse():
    return InverseMap(Z, np.full(4, 0.5), np.column_stack([Z, Z[:, 0]]))


def test_the_grid_is_the_box_of_the_points_and_a_margin():
    x, y = grid_axes(Z, 45)
    assert len(x) == 45
    np.testing.assert_allclose([x[0], x[-1]], [-0.2, 4.2])
    np.testing.assert_allclose([y[0], y[-1]], [-0.2, 2.2])
    np.testing.assert_allclose(np.diff(x), 0.1)
    np.testing.assert_allclose(np.diff(y), 0.1)


def test_points_on_a_line_or_in_one_place_have_a_grid_too():
    x, y = grid_axes(Z[:2], 11)
    assert len(x) == 11
    assert len(y) >= 2
    x, y = grid_axes(Z[:1].repeat(3, axis=0), 5)
    assert len(x) == len(y) == 5
    assert np.isfinite([*x, *y]).all()


def test_regions_are_what_the_classifier_says_of_each_cell(inverse):
    x, y = grid_axes(Z, 23)
    regions = regions_on(x, y, inverse, ClassScores(plane_classifier))
    for i in (0, 3, len(y) - 1):
        for j in (0, 7, 11, 22):
            p = plane_classifier(inverse(np.array([[x[j], y[i]]])))[0]
            assert regions.winners[i, j] == p.argmax()
            np.testing.assert_allclose(regions.certainty[i, j], p.max())
            np.testing.assert_allclose(regions.lead[i, j], abs(p[0] - p[1]))
            gaps = np.hypot(x[j] - Z[:, 0], y[i] - Z[:, 1])
            np.testing.assert_allclose(regions.support[i, j], gaps.min() / 0.5)
    assert regions.box == (x[0], x[-1], y[0], y[-1])


def test_blocks_do_not_change_the_picture(inverse, monkeypatch):
    x, y = grid_axes(Z, 31)
    whole = regions_on(x, y, inverse, ClassScores(plane_classifier))
    monkeypatch.setattr(_grid, "BLOCK_BYTES", 7 * 3 * 8)
    parts = regions_on(x, y, inverse, ClassScores(plane_classifier))
    assert (whole.winners == parts.winners).all()
    np.testing.assert_allclose(whole.certainty, parts.certainty, atol=1e-12)


def test_the_share_far_from_data_counts_cells_beyond_three_widths(inverse):
    narrow = inverse._replace(widths=np.full(4, 0.1))
    regions = regions_on(*grid_axes(Z, 40), narrow, ClassScores(plane_classifier))
    assert 0.5 < regions.share_far_from_data < 1.0
    assert regions.share_far_from_data == (regions.support > 3).mean()
    assert (regions.far == (regions.support > 3)).all()


def test_labels_are_the_classes_of_the_winners(inverse):
    def named(X):
        return plane_classifier(X)

    named.classes_ = ["left", "right"]
    regions = regions_on(*grid_axes(Z, 20), inverse, ClassScores(named))
    assert (regions.labels[:, 0] == "left").all()
    assert (regions.labels[:, -1] == "right").all()
