import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA

from labelscape.embeddings._base import classical_mds, pca_scores


def mds_of(D, n_components):
    return classical_mds(lambda rows: D[rows] ** 2, len(D), n_components)


def assert_same_up_to_signs(Z, expected):
    signs = np.sign(np.sum(Z * expected, axis=0))
    assert_allclose(Z * signs, expected, atol=1e-8 * np.abs(expected).max())


@pytest.mark.parametrize("shape", [(40, 5), (12, 30)])
def test_scores_are_those_of_principal_component_analysis(shape):
    X = np.random.default_rng(0).normal(size=shape) * np.linspace(1, 4, shape[1])
    assert_same_up_to_signs(pca_scores(X, 3), PCA(3).fit_transform(X))


@pytest.mark.parametrize("n", [40, 300])
def test_classical_mds_of_euclidean_distances_is_pca(n):
    # 40 objects are solved densely, 300 by Lanczos.
    X = np.random.default_rng(0).normal(size=(n, 5)) * [1, 2, 4, 8, 16]
    assert_same_up_to_signs(mds_of(cdist(X, X), 2), pca_scores(X, 2))


def test_lanczos_finds_the_eigenvectors_of_a_slowly_falling_spectrum():
    X = np.random.default_rng(0).normal(size=(250, 40))
    D = cdist(X, X, "cityblock")
    J = np.eye(250) - 1 / 250
    exact = np.linalg.eigvalsh(-0.5 * J @ D**2 @ J)[::-1][:3]
    assert_allclose((mds_of(D, 3) ** 2).sum(axis=0), exact, rtol=1e-6)


def test_a_spectrum_that_does_not_converge_gives_a_map_of_nearly_the_same_size():
    # Random dissimilarities have no leading eigenvectors: the steps end at the limit.
    D = np.random.default_rng(2).uniform(1.0, 2.0, size=(250, 250))
    D = (D + D.T) / 2 * (1 - np.eye(250))
    J = np.eye(250) - 1 / 250
    exact = np.linalg.eigvalsh(-0.5 * J @ D**2 @ J)[::-1][:2]
    assert_allclose((mds_of(D, 2) ** 2).sum(axis=0), exact, rtol=1e-3)


@pytest.mark.parametrize("n", [5, 300])
def test_equal_distances_give_a_finite_map_and_the_same_one_again(n):
    D = 1.0 - np.eye(n)
    Z = mds_of(D, 2)
    assert_allclose((Z**2).sum(axis=0), 0.5, rtol=1e-9)
    assert_array_equal(Z, mds_of(D, 2))


def test_columns_beyond_the_rank_are_zero():
    x = np.arange(6.0)[:, None]
    assert_array_equal(pca_scores(x, 3)[:, 1:], 0.0)
    assert_allclose(mds_of(np.abs(x - x.T), 3)[:, 1:], 0.0, atol=1e-6)
    assert pca_scores(np.ones((1, 4)), 2).shape == (1, 2)
