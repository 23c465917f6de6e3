import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from labelscape.quality.audit.class_difference import (
    class_difference,
    effects_of,
    forward_choice,
)


def two_groups(n=200, d=6, seed=0):
    rng = np.random.RandomState(seed)
    is_a = np.arange(n) % 2 == 0
    X = rng.normal(size=(n, d))
    X[is_a, 1] += 2.0
    X[is_a, 4] -= 1.0
    return X, is_a


def parted(X, is_a, units=None):
    units = np.arange(len(X)) if units is None else units
    names = [f"f{j}" for j in range(X.shape[1])]
    return class_difference(X, is_a, units, names, ("A", "B"), np.random.RandomState(0))


def test_an_effect_is_how_often_one_group_is_higher_less_how_often_lower():
    X, is_a = two_groups()
    X = np.round(X, 1)  # with ties
    expected = [2 * roc_auc_score(is_a, x) - 1 for x in X.T]
    np.testing.assert_allclose(effects_of(X, is_a), expected)


def test_features_come_in_the_order_of_their_effect_with_its_sign():
    found = parted(*two_groups())
    assert [one.feature for one in found.effects[:2]] == ["f1", "f4"]
    assert found.effects[0].effect > 0.5
    assert found.effects[1].effect < -0.3
    assert found.effects[0].median_a > found.effects[0].median_b


def test_two_features_separate_better_than_one():
    found = parted(*two_groups(n=2000))
    assert found.best[:2] == (("f1",), ("f1", "f4"))
    one, two, three = found.accuracy
    assert 0.8 < one < two < 0.95
    assert abs(three - two) < 0.02


def test_a_copy_of_a_chosen_feature_is_not_chosen_beside_it():
    X, is_a = two_groups()
    X[:, 0] = X[:, 1] * 3.0
    first, second = forward_choice(X, is_a, 2)
    assert first in (0, 1)
    assert second == 4


def test_no_figure_is_better_for_the_choice_of_features_from_noise():
    rng = np.random.RandomState(3)
    X, is_a = rng.normal(size=(100, 300)), np.arange(100) % 2 == 0
    assert np.mean(parted(X, is_a).accuracy) == pytest.approx(0.5, abs=0.12)


def test_rows_of_a_unit_are_not_on_both_sides():
    rng = np.random.RandomState(0)
    units = np.arange(120) % 20
    is_a = rng.permutation(20)[units] < 10  # a coin for each unit
    X = rng.normal(size=(20, 3))[units] + 1e-3 * rng.normal(size=(120, 3))
    together, apart = parted(X, is_a, units), parted(X, is_a)
    assert np.mean(together.accuracy) < np.mean(apart.accuracy) - 0.05


def test_constant_features_are_not_chosen():
    X, is_a = two_groups(d=6)
    X[:, [0, 2, 3, 5]] = 7.0
    assert sorted(forward_choice(X, is_a, 3)) == [1, 4]
    found = parted(X, is_a)
    assert len(found.accuracy) == len(found.best) == 2


def test_it_prints_features_and_figures():
    text = str(parted(*two_groups()))
    assert text.startswith("feature  effect  median of A")
    assert "f1: " in text
    assert "accuracy on held-out rows." in text
    assert "<table>" in parted(*two_groups())._repr_html_()


def test_a_feature_with_one_value_in_each_group_tells_all_of_them():
    X, is_a = two_groups(n=40)
    X[:, 2] = is_a
    found = parted(X, is_a)
    assert found.best[0] == ("f2",)
    assert found.accuracy == (1.0, 1.0, 1.0)
