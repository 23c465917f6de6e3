import warnings
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import kruskal, norm
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from labelscape._resampling.label_signal import (
    CHANCE,
    LabelsSayNothing,
    best_feature,
    excess_agreement,
    label_signal,
    warn_if_labels_say_nothing,
)


def noise(seed, n=100, d=10, n_classes=2):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.integers(n_classes, size=n)


def test_mean_and_spread_are_those_of_shuffled_labels():
    rng = np.random.default_rng(0)
    M = rng.normal(size=(7, 7)) ** 2
    M += M.T
    np.fill_diagonal(M, 0.0)
    y = np.array([0, 0, 0, 1, 1, 2, 1])

    def together(labels):
        return (M * (labels[:, None] == labels)).sum()

    shuffled = np.array([together(y[list(p)]) for p in permutations(range(7))])
    wanted = (together(y) - shuffled.mean()) / shuffled.std()
    assert excess_agreement(M, y) == pytest.approx(wanted)


@pytest.mark.parametrize(
    "load", [load_iris, load_wine, load_digits, load_breast_cancer]
)
def test_real_data_are_far_from_chance(load):
    X, y = load(return_X_y=True)
    assert label_signal(X, y) > 10 * CHANCE
    some = np.random.default_rng(0).permutation(len(X))[:40]
    assert label_signal(X[some], y[some]) > CHANCE


@pytest.mark.parametrize(("d", "n_classes"), [(2, 2), (10, 2), (10, 5), (300, 2)])
def test_random_labels_stay_within_chance(d, n_classes):
    signals = [label_signal(*noise(seed, 100, d, n_classes)) for seed in range(30)]
    assert np.mean(np.array(signals) > CHANCE) <= 1 / 30


def test_what_only_neighbours_or_only_lines_tell_is_enough():
    X, _ = noise(0, 200, 2)
    assert label_signal(X, (X[:, 0] * X[:, 1] > 0).astype(int)) > CHANCE
    X, y = noise(0, 200, 150)
    X[:, 0] += 4 * y
    assert label_signal(X, y) > CHANCE


def test_one_feature_among_many_is_enough():
    X, y = noise(0, 60, 1000)
    X[:, 7] += 3 * y
    assert label_signal(X, y) > CHANCE
    wanted = kruskal(X[y == 0, 7], X[y == 1, 7]).pvalue
    assert best_feature(X[:, [7]], y) == pytest.approx(-norm.ppf(wanted))
    assert best_feature(X, y) == pytest.approx(-norm.ppf(1000 * wanted))


def test_ties_are_not_broken_by_the_order_of_objects():
    y = np.repeat([0, 1], 50)
    assert label_signal(np.tile([[0.0], [1.0]], (50, 1)), y) < CHANCE
    assert label_signal(np.ones((100, 3)), y) < CHANCE


def test_units_and_missing_values_do_not_matter():
    X, y = load_wine(return_X_y=True)
    expected = label_signal(X, y)
    assert label_signal(X * np.logspace(-100, 100, 13), y) == pytest.approx(expected)
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    assert label_signal(holes, y) > 0.5 * expected


def test_of_many_objects_each_class_gives_its_share():
    X, y = noise(0, 5000, 3)
    X[:, 0] += 3 * y
    assert label_signal(X, y) > CHANCE


def test_dissimilarities_are_judged_by_neighbours():
    X, y = load_iris(return_X_y=True)
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    given = D.copy()
    assert label_signal(D, y, precomputed=True) > CHANCE
    np.testing.assert_array_equal(D, given)
    X, y = noise(0)
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    with pytest.warns(LabelsSayNothing, match="Map: .* neighbors predict"):
        warn_if_labels_say_nothing(D, y, owner="Map", precomputed=True)


def test_the_warning_names_a_way_out_and_the_line_that_asked():
    X, y = noise(0)

    def fit():
        warn_if_labels_say_nothing(X, y, owner="Map", stacklevel=2)

    with pytest.warns(LabelsSayNothing, match="quality.honesty") as caught:
        fit()
    assert caught[0].filename == __file__


def test_too_few_objects_and_classes_of_one_or_all_are_not_judged():
    X, y = noise(0, 15)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_labels_say_nothing(X, y, owner="Map")
        warn_if_labels_say_nothing(*noise(0, n_classes=1), owner="Map")
        warn_if_labels_say_nothing(noise(0)[0], np.arange(100), owner="Map")
