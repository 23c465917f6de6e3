import numpy as np
import pytest

from labelscape.boundary._inverse import copied, round_trip_r2


def test_nothing_lost_is_one_and_the_mean_is_zero():
    X = np.random.default_rng(0).normal(size=(20, 3))
    assert round_trip_r2(X, X, X.mean(axis=0)) == 1.0
    mean = np.tile(X.mean(axis=0), (20, 1))
    assert round_trip_r2(X, mean, X.mean(axis=0)) == pytest.approx(0.0)
    again = X + 0.1
    lost = sum(0.01 for _ in range(60))
    total = sum((v - m) ** 2 for row in X for v, m in zip(row, X.mean(0), strict=True))
    assert round_trip_r2(X, again, X.mean(axis=0)) == pytest.approx(1 - lost / total)


def test_objects_that_never_vary_are_hit_or_missed():
    X = np.ones((4, 2))
    assert round_trip_r2(X, X, X[0]) == 1.0
    assert round_trip_r2(X, X + 0.5, X[0]) == 0.0


def test_labels_are_copied_from_the_nearest_place():
    Z = np.array([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0]])
    labels = np.array(["a", "b", "c"])
    assert copied(Z, labels, [[0.9, 0.1], [9.0, 9.0]]).tolist() == ["b", "c"]
    assert copied(Z, labels).tolist() == ["b", "a", "b"]


def test_a_place_never_copies_its_own_label():
    same = np.zeros((2, 2))
    assert copied(same, np.array(["a", "b"])).tolist() == ["b", "a"]
