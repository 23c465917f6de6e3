import numpy as np
import pytest
from scipy.spatial.distance import cdist

from labelscape._core.points.distances import (
    exact_squared_distances,
    squared_distances,
    squared_norms,
)


@pytest.fixture
def points():
    rng = np.random.default_rng(0)
    return rng.standard_normal((30, 7)), rng.standard_normal((20, 7))


def test_norms_are_squared_lengths(points):
    A, _ = points
    np.testing.assert_allclose(squared_norms(A), (A**2).sum(axis=1))


@pytest.mark.parametrize("distances", [squared_distances, exact_squared_distances])
def test_distances_are_those_of_scipy(points, distances):
    A, B = points
    np.testing.assert_allclose(distances(A, B), cdist(A, B, "sqeuclidean"), atol=1e-12)


def test_the_expanded_square_is_never_negative():
    A = 1e6 + np.random.default_rng(0).standard_normal((40, 3))
    assert squared_distances(A, A).min() >= 0.0


def test_exact_distances_of_duplicates_are_zero_even_far_from_the_origin():
    A = np.full((3, 5), 1e9 + 1 / 3)
    assert not exact_squared_distances(A, A).any()


@pytest.mark.parametrize("d", [1, 3, 4, 5, 8, 11])
def test_exact_distances_are_symmetric_to_the_last_bit(d):
    A = np.random.default_rng(d).standard_normal((25, d))
    D = exact_squared_distances(A, A)
    assert D.tobytes() == np.ascontiguousarray(D.T).tobytes()


def test_exact_distances_add_up_in_the_order_of_the_features():
    A = np.random.default_rng(1).standard_normal((6, 9))
    total = np.zeros((6, 6))
    for k in range(9):
        total = total + (A[:, None, k] - A[None, :, k]) ** 2
    assert exact_squared_distances(A, A).tobytes() == total.tobytes()
