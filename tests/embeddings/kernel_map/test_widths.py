import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist

from labelscape._core.points.distances import exact_squared_distances
from labelscape.embeddings.kernel_map import _placement as kernels

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 3))
SQUARES = cdist(X, X) ** 2


def slow_weights(squares, widths):
    """Normalised Gaussians, written from the formula."""
    k = np.exp(-squares / (2 * widths**2))
    return k / k.sum(axis=1, keepdims=True)


def test_the_factor_with_the_least_held_out_error_is_chosen():
    Z = X[:, :2]  # a smooth map wants wide kernels
    seed = np.random.RandomState
    errors = []
    tenth = np.median(np.sort(cdist(Z, Z) ** 2, axis=1)[:, 10])
    fold = seed(0).permutation(40) % 5
    for factor in kernels.FACTORS:
        error = 0.0
        for k in range(5):
            kept, left = X[fold != k], X[fold == k]
            D = cdist(kept, kept) + np.diag(np.full(len(kept), np.inf))
            widths = np.full(len(kept), factor * np.median(D.min(axis=1)))
            phi = slow_weights(cdist(kept, kept) ** 2, widths)
            G = phi.T @ phi
            G += 1e-3 * np.mean(np.diag(G)) * np.eye(len(G))
            mean = Z[fold != k].mean(axis=0)
            A = mean + np.linalg.solve(G, phi.T @ (Z[fold != k] - mean))
            for x, z in zip(left, Z[fold == k], strict=True):
                d = np.sum((kept - x) ** 2, axis=1)
                w = np.exp(-(d - d.min()) / (2 * widths**2))
                gap = np.sum((w @ A / w.sum() - z) ** 2)
                error += min(gap, tenth)
        errors.append(error)
    found = kernels.held_out_errors(SQUARES, Z, 1e-3, seed(0))
    assert_allclose(found, errors, rtol=1e-6)
    best = kernels.best_factor(SQUARES, Z, 1e-3, seed(0))
    assert best == kernels.FACTORS[np.argmin(errors)]


def test_widths_come_from_neighbours_that_are_not_duplicates():
    points = [[0.0], [0.0], [1.0], [4.0]]
    nearest = kernels.nearest_others(cdist(points, points) ** 2)
    assert_allclose(nearest, [1.0, 1.0, 1.0, 3.0])
    assert kernels.median_width(nearest) == 1.0


@pytest.mark.parametrize("rounding", [0.0, 1e-30])
def test_where_every_point_has_a_copy_the_nearest_other_place_counts(rounding):
    points = np.repeat([[0.0], [1.0], [4.0]], 2, axis=0)
    squares = cdist(points, points) ** 2 + rounding
    assert_allclose(kernels.nearest_others(squares), [1.0, 1.0, 1.0, 1.0, 3.0, 3.0])


def test_one_point_far_away_makes_no_copies_of_the_others():
    points = np.array([[0.0], [1.0], [3.0], [4.0], [1e20]])
    nearest = kernels.nearest_others(cdist(points, points) ** 2)
    assert_allclose(nearest[:4], 1.0)


def test_copies_are_held_out_together():
    # Apart, each held-out point would be placed exactly by its copy.
    Z = X[:, :2]
    twice, Z_twice = np.tile(SQUARES, (2, 2)), np.tile(Z, (2, 1))
    alone = kernels.held_out_errors(SQUARES, Z, 0.0, np.random.RandomState(0))
    errors = kernels.held_out_errors(twice, Z_twice, 0.0, np.random.RandomState(0))
    assert errors.min() > alone.min()


@pytest.mark.parametrize("n", [1, 3])
def test_points_that_are_all_in_one_place_have_width_one(n):
    nearest = kernels.nearest_others(np.zeros((n, n)))
    assert kernels.median_width(nearest) == 1.0


def test_a_neighborhood_is_measured_to_the_bits_of_exact_distances():
    Y = np.random.default_rng(0).normal(size=(40, 11))
    squares = np.sort(exact_squared_distances(Y, Y), axis=1)
    assert kernels.neighborhood_square(Y) == np.median(squares[:, 10])
