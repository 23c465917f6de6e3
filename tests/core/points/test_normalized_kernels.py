import numpy as np
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist

from labelscape._core.points import normalized_kernels as kernels

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
