"""Measures of sparse data equal those of dense copies."""

import numpy as np
import pytest
from scipy import sparse

from labelscape import quality
from labelscape._core.points.spaces import Points

RNG = np.random.default_rng(0)
DENSE = RNG.poisson(0.4, size=(120, 40)) * RNG.uniform(0.5, 2.0, size=(120, 40))
DENSE[7] = DENSE[90]  # a copy
DENSE[8] = 0.0
Z = RNG.normal(size=(120, 2))
Y = np.arange(120) % 3


@pytest.mark.parametrize(
    "kind", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array]
)
@pytest.mark.parametrize(
    "measure",
    [
        lambda X: quality.knn_accuracy(X, Y, n_neighbors=5),
        lambda X: quality.trustworthiness(X, Z),
        lambda X: quality.continuity(X, Z),
        lambda X: quality.class_trustworthiness(X, Z, Y),
        lambda X: quality.auc_log_rnx(X, Z),
        lambda X: quality.sammon_stress(X, Z),
        lambda X: quality.spearman_rho(X, Z),
        lambda X: quality.label_trustworthiness(X, Z, Y),
        lambda X: quality.label_continuity(X, Z, Y),
    ],
)
def test_a_measure_of_sparse_data_is_that_of_dense_ones(measure, kind):
    assert measure(kind(DENSE)) == pytest.approx(measure(DENSE), rel=1e-9)


def test_distances_are_those_of_dense_points_and_copies_are_at_zero():
    points, dense = Points(sparse.csr_array(DENSE)), Points(DENSE)
    every = slice(0, 120)
    D = points.rows(every)
    np.testing.assert_allclose(D, dense.rows(every), atol=1e-9)
    assert D[7, 90] == 0.0
    assert (np.diag(D) == 0.0).all()
    i, j = RNG.integers(0, 120, size=(2, 500))
    np.testing.assert_allclose(points.pairs(i, j), dense.pairs(i, j), atol=1e-9)


def test_a_bad_number_in_a_sparse_matrix_is_told():
    X = sparse.csr_array(DENSE)
    X.data[3] = np.nan
    with pytest.raises(ValueError, match="knn_accuracy: input X contains NaN"):
        quality.knn_accuracy(X, Y)
