import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist

from labelscape.embeddings import _kernel_weights as kernels

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 3))
Y = rng.normal(size=(40, 2)) + 5.0
SQUARES = cdist(X, X) ** 2


def slow_weights(X, centers, widths):
    phi = np.zeros((len(X), len(centers)))
    for i, x in enumerate(X):
        for j, c in enumerate(centers):
            phi[i, j] = np.exp(-np.sum((x - c) ** 2) / (2 * widths[j] ** 2))
        phi[i] /= phi[i].sum()
    return phi


def test_weights_are_the_normalised_gaussians_of_the_formula():
    widths = rng.uniform(0.5, 2.0, size=40)
    phi = kernels.kernel_weights(SQUARES, widths)
    assert_allclose(phi, slow_weights(X, X, widths), rtol=1e-10)
    assert_allclose(phi.sum(axis=1), 1.0)


def test_weights_of_a_far_point_are_those_of_its_closest_kernel():
    far = cdist([[1e6, 0.0, 0.0]], X) ** 2
    phi = kernels.kernel_weights(far, np.full(40, 0.1))
    assert_allclose(phi.sum(), 1.0)
    assert phi[0].argmax() == far.argmin()
    assert phi[0].max() > 1 - 1e-9


def test_the_ridge_solution_is_the_closed_form_about_the_mean():
    phi = slow_weights(X, X[:15], np.full(15, 0.7))
    ridge = 0.01
    G = phi.T @ phi
    mean = Y.mean(axis=0)
    penalty = ridge * np.mean(np.diag(G)) * np.eye(15)
    expected = mean + np.linalg.inv(G + penalty) @ phi.T @ (Y - mean)
    found = kernels.coefficients(phi.__getitem__, Y, 15, ridge)
    assert_allclose(found, expected, rtol=1e-8)


def test_without_ridge_it_is_the_pseudo_inverse():
    phi = slow_weights(X, X[:15], np.full(15, 0.7))
    found = kernels.coefficients(phi.__getitem__, Y, 15, 0.0)
    assert_allclose(phi @ found, phi @ np.linalg.pinv(phi) @ Y, rtol=1e-8)


def test_blocks_of_rows_add_up_to_the_whole(monkeypatch):
    phi = slow_weights(X, X[:15], np.full(15, 0.7))
    whole = kernels.coefficients(phi.__getitem__, Y, 15, 1e-3)
    cut = kernels.row_blocks
    monkeypatch.setattr(
        kernels, "row_blocks", lambda n, size, budget: cut(n, size, 7 * size)
    )
    assert_allclose(kernels.coefficients(phi.__getitem__, Y, 15, 1e-3), whole)


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
            phi = slow_weights(kept, kept, widths)
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
    assert_allclose(nearest, [0.0, 0.0, 1.0, 3.0])
    assert kernels.global_width(nearest) == 2.0
    assert_allclose(kernels.point_widths(nearest), [1.0, 1.0, 1.0, 3.0])


@pytest.mark.parametrize("n", [1, 3])
def test_points_that_are_all_in_one_place_have_width_one(n):
    nearest = kernels.nearest_others(np.zeros((n, n)))
    assert kernels.global_width(nearest) == 1.0
    assert_allclose(kernels.point_widths(nearest), 1.0)
