"""The classifier on random features, compared with formulas."""

import copy

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris, load_wine, make_moons
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from labelscape._resampling.left_out import best_sharpness, indicators
from labelscape.crossfit import RandomFeatureClassifier
from labelscape.crossfit.random_features import (
    left_out_values,
    orthogonal_directions,
    ridge_regression,
    waves,
)


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    return rng.normal(size=(40, 6)), rng.integers(0, 3, 40)


def test_waves_multiply_to_a_gaussian_kernel():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(5, 8))
    W = orthogonal_directions(8, 4000, np.random.RandomState(0)) / 1.7
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    Z = waves(X, W)
    np.testing.assert_allclose(Z @ Z.T, np.exp(-squares / (2 * 1.7**2)), atol=0.04)


def test_directions_are_orthogonal_in_blocks():
    W = orthogonal_directions(5, 12, np.random.RandomState(0))
    for block in (W[:, :5], W[:, 5:10]):
        products = block.T @ block
        np.testing.assert_allclose(products - np.diag(np.diag(products)), 0, atol=1e-12)


def test_coefficients_solve_the_ridge_regression(problem):
    Z, codes = problem
    Y = indicators(codes)
    B, _ = ridge_regression(Z.T @ Z, Z.T @ Y, 0.7)
    np.testing.assert_allclose(
        B, np.linalg.solve(Z.T @ Z + 0.7 * np.eye(6), Z.T @ Y), rtol=1e-10
    )


def test_leaving_out_is_fitting_to_all_others(problem):
    Z, codes = problem
    Z = np.hstack(
        [Z, np.ones((40, 1))]
    )  # the mean, which a leverage of 1 / n stands for
    Y = indicators(codes)
    ridge = np.diag([0.7] * 6 + [0.0])
    centered = Z[:, :6] - Z[:, :6].mean(axis=0)
    Y_centered = Y - Y.mean(axis=0)
    B, L = ridge_regression(centered.T @ centered, centered.T @ Y_centered, 0.7)
    left_out = left_out_values(centered, Y_centered, B, L, 40)
    slow = np.empty_like(Y)
    for i in range(40):
        others = np.arange(40) != i
        A = Z[others]
        B = np.linalg.solve(A.T @ A + ridge, A.T @ Y[others])
        slow[i] = Z[i] @ B
    np.testing.assert_allclose(left_out + Y.mean(axis=0), slow, atol=1e-10)


def test_sharpness_is_where_the_loss_is_least(problem):
    _, codes = problem
    scores = np.random.default_rng(2).normal(size=(40, 3)) + 2 * np.eye(3)[codes]
    found, least = best_sharpness(scores, codes)

    def loss(sharpness):
        p = np.exp(sharpness * scores)
        p /= p.sum(axis=1, keepdims=True)
        return -np.log(p[np.arange(40), codes]).mean()

    assert least == pytest.approx(loss(found))
    assert all(loss(found) <= loss(factor * found) + 1e-4 for factor in (0.8, 1.25))


def test_borders_of_any_shape_are_found_and_probabilities_can_be_believed():
    X, y = make_moons(1300, noise=0.25, random_state=0)
    model = RandomFeatureClassifier(random_state=0).fit(X[:300], y[:300])
    linear = LogisticRegression().fit(X[:300], y[:300])
    p = model.predict_proba(X[300:])
    assert model.score(X[300:], y[300:]) > linear.score(X[300:], y[300:]) + 0.04
    sure = p.max(axis=1) > 0.9
    right = p.argmax(axis=1) == y[300:]
    assert abs(right[sure].mean() - p.max(axis=1)[sure].mean()) < 0.05


def test_the_model_holds_no_object():
    X, y = load_digits(return_X_y=True)
    model = RandomFeatureClassifier(50, random_state=0).fit(X[:200], y[:200])
    kept = [value for name, value in vars(model).items() if name.endswith("_")]
    sizes = {size for value in kept for size in np.shape(value)}
    assert 200 not in sizes


def test_one_and_two_threads_give_the_same_bits(monkeypatch):
    X, y = load_digits(return_X_y=True)
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        model = RandomFeatureClassifier(100, random_state=0).fit(X[:300], y[:300])
        found.append(model.predict_proba(X))
    assert np.array_equal(*found)


def test_objects_that_are_all_the_same_are_of_all_classes_alike():
    model = RandomFeatureClassifier(random_state=0)
    model.fit(np.ones((8, 2)), [0, 0, 0, 0, 0, 0, 1, 1])
    p = model.predict_proba(np.ones((1, 2)))
    assert p[0] == pytest.approx([0.5, 0.5])


def test_a_refit_to_the_same_labels_is_the_same_model():
    X, y = load_iris(return_X_y=True)
    model = RandomFeatureClassifier(random_state=0).fit(X, y)
    again = copy.copy(model).refit(X, y)
    np.testing.assert_allclose(again.predict_proba(X), model.predict_proba(X))


def test_the_threads_of_blas_leave_every_bit():
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    found = []
    for n in (1, 2):
        with threadpool_limits(n):
            model = RandomFeatureClassifier(random_state=0).fit(X, y)
            again = copy.copy(model).refit(X, np.roll(y, 5))
            found.append((model.coefficients_, again.coefficients_))
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("odd", [np.full(150, np.inf), [[1]], ["a", 1]])
def test_a_score_wants_labels_of_the_rows(odd):
    X, y = load_iris(return_X_y=True)
    model = RandomFeatureClassifier(random_state=0).fit(X, y)
    assert model.score(X, y) > 0.9
    with pytest.raises(ValueError, match="y "):
        model.score(X, odd)
    with pytest.raises(ValueError, match="sample_weight"):
        model.score(X, y, sample_weight=[[1.0, 2.0]])


def test_labels_of_another_kind_are_all_wrong():
    X, y = load_iris(return_X_y=True)
    days = np.full(150, "2020-01-01", dtype="datetime64[D]")
    assert RandomFeatureClassifier(random_state=0).fit(X, y).score(X, days) == 0.0
