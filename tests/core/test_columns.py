"""Predictions of a linear model for new samples."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_wine
from sklearn.feature_selection import f_classif

from labelscape._core.columns import linear_answers, selected_features


def test_features_are_selected_by_the_f_of_an_analysis_of_variance():
    X, y = load_wine(return_X_y=True)
    wanted = np.sort(np.argsort(-f_classif(X, y)[0])[:5])
    assert_array_equal(selected_features(X, y, 5), wanted)


def test_constant_features_are_not_selected_before_others():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 300)), np.arange(200) % 2
    X[:, :250] = -0.0137 * rng.uniform(0.5, 2.0, 250)  # their means are rounded
    X[:, 260:265] += y[:, None]
    selected = selected_features(X, y, 20)
    assert set(range(260, 265)) <= set(selected) <= set(range(250, 300))


@pytest.mark.parametrize("n_features", [10, 300, 900])
def test_few_features_among_any_number_are_made_use_of(n_features):
    right = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(200, n_features)), np.arange(200) % 2
        X[:, :5] += 2.0 * y[:, None]
        answers = linear_answers(X[:100], y[:100], X[100:])
        right.append(np.mean(answers == y[100:]))
    # 0.98, 0.95 and 0.92; the standard deviation of a draw is at most 0.035.
    assert np.mean(right) > 0.9


def test_a_rare_class_counts_as_much_as_a_common_one():
    rng = np.random.default_rng(0)
    y = (np.arange(400) % 20 == 0).astype(int)
    X = rng.normal(size=(400, 3)) + 2.0 * y[:, None]
    answers = linear_answers(X[:200], y[:200], X[200:])
    assert np.mean(answers[y[200:] == 1] == 1) > 0.7


def test_values_too_large_to_be_squared_do_no_harm():
    rng, y = np.random.default_rng(0), np.arange(40) % 2
    X = np.c_[1e200 * rng.normal(size=40), rng.normal(size=40) + 9.0 * y]
    assert_array_equal(linear_answers(X, y, X), y)
