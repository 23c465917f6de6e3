"""Small classifiers of the tests."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from labelscape._resampling.classifiers import (
    answers_of_two,
    answers_on_a_line,
    linear_answers,
)


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


def test_a_feature_with_one_value_in_each_class_decides_alone():
    rng, codes = np.random.default_rng(0), np.arange(40) % 2
    X = np.c_[rng.normal(size=40) - 9.0 * codes, 3.0 + codes]
    new = np.array([[0.0, 4.0], [-9.0, 3.0]])  # the other feature says the opposite
    assert_array_equal(answers_of_two(X, codes, new), [1, 0])


def test_votes_on_a_line_weigh_uneven_classes_alike():
    values = np.r_[np.linspace(0.0, 1.0, 90), np.linspace(1.0, 1.3, 10)]
    codes = np.repeat([0, 1], [90, 10])
    new = np.array([0.5, 1.0, 1.2])
    assert_array_equal(answers_on_a_line(values, codes, new, 5, 2), [0, 1, 1])
    assert_array_equal(
        answers_on_a_line(values[::-1], codes[::-1], new, 1, 2)[::2], [0, 1]
    )
