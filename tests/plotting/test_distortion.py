import numpy as np
import pytest

from labelscape.plotting import plot_distortion
from labelscape.plotting._theme import TRUE, rgb


def test_a_faithful_map_is_pale_everywhere(groups):
    X, _ = groups(3)
    ax = plot_distortion(X, 2.0 * X)
    colors = ax.collections[0].get_facecolors()[:, :3]
    np.testing.assert_allclose(colors, np.tile(rgb(TRUE), (len(X), 1)), atol=1e-6)
    assert ax.get_title(loc="left") == "Trustworthiness 1.00, continuity 1.00"


def test_points_in_false_company_are_more_orange_than_blue(groups):
    X, y = groups(2, n_each=30)
    Z = X - np.array([X[y == c].mean(axis=0) for c in (0, 1)])[y]  # laid on each other
    red, _, blue, _ = plot_distortion(X, Z).collections[0].get_facecolors().mean(axis=0)
    assert red > blue + 0.05


def test_the_key_is_a_square_of_colours_beside_the_map(groups):
    X, _ = groups(3, n_features=4)
    ax = plot_distortion(X, X[:, :2], limit=0.25)
    (key,) = ax.child_axes
    assert key.images[0].get_extent() == [0, 0.25, 0, 0.25]
    ax.figure.canvas.draw()
    assert key.get_tightbbox().x1 <= ax.figure.bbox.x1 + 1
    assert key.get_tightbbox().x0 > ax.bbox.x1


def test_the_worst_points_are_drawn_last(groups):
    X, _ = groups(3, n_features=4)
    colors = plot_distortion(X, X[:, :2]).collections[0].get_facecolors()[:, :3]
    pale = np.linalg.norm(colors - rgb(TRUE), axis=1)
    assert pale[0] < pale[-1]


def test_only_flat_maps_are_drawn(groups):
    X, _ = groups(3, n_features=3)
    with pytest.raises(ValueError, match="2 columns, got 3"):
        plot_distortion(X, X)


def test_a_limit_of_nothing_is_refused(groups):
    X, _ = groups(3)
    with pytest.raises(ValueError, match="limit must be a number above 0"):
        plot_distortion(X, X, limit=0)
