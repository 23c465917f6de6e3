import numpy as np
import pytest

from labelscape._core.rows.rows import Rows
from labelscape.prototypes import LiRaMLVQ
from labelscape.prototypes.lvq import _matrices as _initial
from labelscape.prototypes.lvq._matrices import initial_matrix


@pytest.fixture
def wide():
    """Forty objects of three classes that differ in the first of 1200 features."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 3
    X = rng.standard_normal((40, 1200))
    X[:, :5] += 4.0 * y[:, None]
    return X, y


def training_set(X, y):
    return Rows(X, np.unique(y), y, np.ones(len(y)), center=X.mean(axis=0))


@pytest.mark.parametrize("init", ["lda", "pca"])
def test_a_wide_start_lies_in_the_span_of_the_objects(wide, init):
    X, y = wide
    Omega = initial_matrix(training_set(X, y), 2, init, np.random.RandomState(0))
    span = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][:-1]
    assert Omega.shape == (2, 1200)
    np.testing.assert_allclose(Omega @ span.T @ span, Omega, atol=1e-12)


def test_a_wide_principal_start_is_that_of_the_covariance(wide, monkeypatch):
    X, y = wide
    data = training_set(X, y)
    found = initial_matrix(data, 2, "pca", np.random.RandomState(0))
    monkeypatch.setattr(_initial, "WIDE", 5000)
    direct = initial_matrix(data, 2, "pca", np.random.RandomState(0))
    np.testing.assert_allclose(np.abs(found), np.abs(direct), atol=1e-10)


def test_more_rows_than_directions_get_a_small_random_start(wide):
    X, y = wide
    Omega = initial_matrix(training_set(X, y), 60, "lda", np.random.RandomState(0))
    assert Omega.shape == (60, 1200)
    assert np.linalg.matrix_rank(Omega) == 60


def test_a_table_with_more_columns_than_rows_can_be_mapped(wide):
    X, y = wide
    assert LiRaMLVQ(random_state=0).fit(X, y).score(X, y) == 1.0
