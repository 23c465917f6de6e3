import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from labelscape.embeddings.landmarks import _drawing
from labelscape.embeddings.landmarks._drawing import LandmarkOrder, weights_in_class

RNG = np.random.default_rng(0)


def order_of(X, codes, seed=0):
    return LandmarkOrder(X, codes, np.random.RandomState(seed))


def test_weights_follow_their_formula():
    X = RNG.normal(size=(80, 3))
    D = np.sort(cdist(X, X), axis=1)
    fifth = D[:, 5]  # after itself
    wanted = 0.5 + 0.5 * np.minimum(fifth / np.median(fifth), 4.0)
    assert_allclose(weights_in_class(X, np.random.RandomState(0)), wanted)


def test_many_objects_are_weighted_by_some(monkeypatch):
    monkeypatch.setattr(_drawing, "N_OTHERS", 30)
    X = RNG.normal(size=(200, 3))
    some = np.sort(np.random.RandomState(4).choice(200, 30, replace=False))
    D = np.sort(cdist(X, X[some]), axis=1)
    fifth = D[:, 4]
    fifth[some] = D[some, 5]
    wanted = 0.5 + 0.5 * np.minimum(fifth / np.median(fifth), 4.0)
    assert_allclose(weights_in_class(X, np.random.RandomState(4)), wanted)


@pytest.mark.parametrize("X", [np.zeros((9, 2)), np.zeros((1, 2))])
def test_copies_and_lonely_objects_have_weight_1(X):
    assert_array_equal(weights_in_class(X, np.random.RandomState(0)), 1.0)


def test_mostly_copies_do_not_hide_the_others():
    X = np.concatenate([np.zeros((20, 2)), RNG.normal(size=(5, 2)) + 9.0])
    weights = weights_in_class(X, np.random.RandomState(0))
    assert (weights[:20] == 0.5).all()
    assert (weights[20:] > 0.5).all()


def test_objects_of_sparse_regions_are_drawn_more_often():
    X = np.concatenate([RNG.normal(size=(900, 2)), RNG.normal(20.0, 8.0, (100, 2))])
    codes = np.zeros(1000, dtype=int)
    drawn = [(order_of(X, codes, seed).first(100) >= 900).mean() for seed in range(30)]
    assert 0.15 < np.mean(drawn) < 0.5  # of which 0.1 are there


def test_objects_are_drawn_in_proportion_to_their_weights(monkeypatch):
    weights = np.repeat([0.5, 2.5], 500)
    monkeypatch.setattr(_drawing, "weights_in_class", lambda *_: weights)
    X, codes = np.zeros((1000, 1)), np.zeros(1000, dtype=int)
    heavy = [(order_of(X, codes, seed).first(20) >= 500).mean() for seed in range(300)]
    assert abs(np.mean(heavy) - 5.0 / 6.0) < 0.02


def test_every_class_has_landmarks_and_more_of_them_are_the_same_ones():
    codes = np.repeat([0, 1, 2, 3], [900, 60, 30, 10])
    order = order_of(RNG.normal(size=(1000, 3)), codes)
    few, more, all_of_them = order.first(200), order.first(400), order.first(1000)
    assert set(few) <= set(more)
    assert_array_equal(np.bincount(codes[few]), [180, 20, 20, 10])
    assert_array_equal(few, np.unique(few))
    assert_array_equal(all_of_them, np.arange(1000))
    assert_array_equal(np.bincount(codes[order.first(8)]), [7, 2, 2, 2])
