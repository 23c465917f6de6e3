import numpy as np
import pytest
from scipy.spatial.distance import cdist

from labelscape._core.points.spaces import Dissimilarities, Points
from labelscape.embeddings.xom._neighborhoods import (
    DataNeighborhoods,
    neighborhood_means,
    reaches,
)


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(3.0, 1.0, size=(31, 5))


def both(X):
    return Points(X), Dissimilarities(cdist(X, X))


def test_reaches_are_quantile_and_minimum_over_the_others(X):
    D = cdist(X, X)
    others = [np.delete(D[i], i) for i in range(len(X))]
    for given in both(X):
        wide, nearest = reaches(given)
        np.testing.assert_allclose(wide, [np.quantile(row, 0.8) for row in others])
        np.testing.assert_allclose(nearest, [row.min() for row in others])


def test_reaches_of_two_objects_are_their_distance():
    wide, nearest = reaches(Points(np.array([[0.0], [3.0]])))
    np.testing.assert_array_equal(wide, [3.0, 3.0])
    np.testing.assert_array_equal(nearest, [3.0, 3.0])


def test_duplicates_are_not_the_nearest_others():
    X = np.repeat([[0.0], [2.0], [5.0]], 3, axis=0)
    for given in both(X):
        np.testing.assert_array_equal(reaches(given)[1], [2.0] * 6 + [3.0] * 3)


@pytest.mark.parametrize("scale", [1e-100, 1.0, 1e100])
@pytest.mark.parametrize("narrowest", [0.003, 2.0])
def test_rows_are_gaussians_of_the_dissimilarities_at_any_scale(X, scale, narrowest):
    objects, sigma = np.array([4, 0, 17]), np.array([narrowest, 5.0, 11.0])
    expected = np.exp(-(cdist(X[objects], X) ** 2) / (2 * sigma[:, None] ** 2))
    for given in both(scale * X):
        rows = DataNeighborhoods(given, scale * narrowest)
        H = rows.rows(objects, scale * sigma)
        np.testing.assert_allclose(H, expected, rtol=1e-5, atol=5e-18)
        assert H.max() <= 1.0


@pytest.mark.parametrize("far", [1.0, 10.0, 1e5])
def test_rows_of_neighbours_much_closer_than_the_data_are_wide_are_right(far):
    X = np.array([[far, 0.0], [far, 1e-3], [-far, 0.0], [-far, 2e-3]])
    H = DataNeighborhoods(Points(X), 1e-3).rows(np.arange(4), np.full(4, 1e-3))
    np.testing.assert_allclose([H[0, 1], H[2, 3]], np.exp([-0.5, -2.0]), rtol=0.01)
    np.testing.assert_allclose(H[:2, 2:], 0.0, atol=1e-17)


def test_new_objects_go_to_the_mean_image_of_their_neighbours(X):
    rng = np.random.default_rng(2)
    Z, new = rng.normal(size=(31, 2)), rng.normal(3.0, 1.0, size=(4, 5))
    D = cdist(new, X)
    H = np.exp(-(D**2) / (2 * 0.7**2))
    np.testing.assert_allclose(
        neighborhood_means(lambda rows: D[rows], 4, Z, 0.7),
        (H @ Z) / H.sum(axis=1, keepdims=True),
        rtol=1e-10,
    )


def test_far_objects_go_to_their_nearest_and_known_ones_to_themselves(X):
    Z = np.random.default_rng(2).normal(size=(31, 2))
    D = cdist(np.vstack([X[8], 1e9 * np.ones(5)]), X)
    places = neighborhood_means(lambda rows: D[rows], 2, Z, 0.01)
    np.testing.assert_array_equal(places[0], Z[8])
    np.testing.assert_allclose(places[1], Z[D[1].argmin()])
