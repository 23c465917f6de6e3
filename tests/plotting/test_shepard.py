import numpy as np
import pytest

from labelscape.plotting import plot_shepard


def test_a_map_that_keeps_all_distances_lies_on_the_line(groups):
    X, _ = groups(3)
    dots = plot_shepard(X, 7.0 * X[:, ::-1]).collections[0].get_offsets()
    np.testing.assert_allclose(dots[:, 0], dots[:, 1])


def test_many_pairs_are_drawn_as_a_density(groups):
    X, _ = groups(10, n_features=4)
    ax = plot_shepard(X, X[:, :2])
    assert len(ax.collections[0].get_offsets()) < 3000
    assert ax.get_title(loc="left").startswith("Shepard diagram, r = 0.")


def test_dissimilarities_can_be_given():
    D = 1.0 - np.eye(4)
    ax = plot_shepard(D, np.arange(8.0).reshape(4, 2), metric="precomputed")
    assert ax.get_title(loc="left") == "Shepard diagram"


def test_a_metric_can_be_a_function_of_two_objects(groups):
    X, _ = groups(3)
    ax = plot_shepard(X, X, metric=lambda a, b: np.linalg.norm(a - b))
    dots = ax.collections[0].get_offsets()
    np.testing.assert_allclose(dots[:, 0], dots[:, 1])


def test_one_object_has_no_distances():
    with pytest.raises(ValueError, match=r"at least 2 (objects|samples)"):
        plot_shepard([[1.0, 2.0]], [[1.0, 2.0]])
