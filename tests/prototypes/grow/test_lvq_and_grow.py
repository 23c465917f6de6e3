import numpy as np
import pytest
from sklearn.datasets import load_iris

from labelscape.prototypes.grow._lvq2_kernels import lvq1_epoch, lvq2_epoch
from labelscape.prototypes.grow.lvq_and_grow import LVQAndGrow


@pytest.fixture
def start():
    rng = np.random.default_rng(0)
    X, W = rng.normal(size=(200, 3)), rng.normal(size=(5, 3))
    owner = np.array([0, 0, 1, 1, 2])
    return X, rng.integers(0, 3, 200), rng.permutation(200), W, owner


def falling_rates(order):
    return 0.1 + (0.08 - 0.1) * np.arange(len(order)) / len(order)


def test_lvq1_draws_the_nearest_prototype_to_its_class_and_away_from_others(start):
    X, y, order, W, owner = start
    slow = W.copy()
    for i, a in zip(order, falling_rates(order), strict=True):
        nearest = np.linalg.norm(slow - X[i], axis=1).argmin()
        sign = 1 if owner[nearest] == y[i] else -1
        slow[nearest] += sign * a * (X[i] - slow[nearest])
    lvq1_epoch(X, y, order, W, owner, 0.1, 0.08)
    np.testing.assert_allclose(W, slow, rtol=1e-9)


def test_lvq2_moves_two_prototypes_for_an_object_just_beyond_their_border(start):
    X, y, order, W, owner = start
    slow, updates = W.copy(), 0
    for i, a in zip(order, falling_rates(order), strict=True):
        d = np.linalg.norm(slow - X[i], axis=1)
        first, second = d.argsort()[:2]
        near_border = d[first] / d[second] > 0.7 / 1.3
        if owner[first] != y[i] and owner[second] == y[i] and near_border:
            slow[first] -= a * (X[i] - slow[first])
            slow[second] += a * (X[i] - slow[second])
            updates += 1
    lvq2_epoch(X, y, order, W, owner, 0.1, 0.08, 0.7 / 1.3)
    assert updates > 10
    np.testing.assert_allclose(W, slow, rtol=1e-9)


@pytest.mark.parametrize("variant", ["lvq2", "lvq1"])
def test_both_variants_learn_iris(variant):
    X, y = load_iris(return_X_y=True)
    model = LVQAndGrow(variant=variant, random_state=0).fit(X, y)
    assert model.score(X, y) >= 0.93


def test_the_same_seed_gives_the_same_model_and_scale_does_not_matter():
    X, y = load_iris(return_X_y=True)
    first = LVQAndGrow(random_state=0).fit(X, y)
    again = LVQAndGrow(random_state=0).fit(X, y)
    scaled = LVQAndGrow(random_state=0).fit(1000 * X, y)
    assert (first.prototypes_ == again.prototypes_).all()
    np.testing.assert_allclose(scaled.prototypes_, 1000 * first.prototypes_, rtol=1e-6)


def test_a_prototype_that_no_object_is_nearest_to_is_dropped():
    X = np.array([[0.0], [1.0], [10.0], [11.0]])
    model = LVQAndGrow().fit(X, [0, 0, 1, 1])
    space, classes = model._check_objects(X, [0, 0, 1, 1])
    found = model._regrouped(
        space, classes, np.array([[0.5], [99.0], [10.5]]), np.array([0, 0, 1])
    )
    assert found.prototypes.tolist() == [[0.5], [10.5]]
    assert found.owner.tolist() == [0, 1]
    assert found.group.tolist() == [0, 0, 1, 1]


def test_xor_is_solved_by_growing():
    rng = np.random.default_rng(0)
    corner = rng.integers(0, 2, size=(200, 2))
    X = corner + rng.uniform(-0.3, 0.3, size=(200, 2))
    model = LVQAndGrow(random_state=0, grow_patience=1).fit(X, corner.sum(axis=1) % 2)
    assert len(model.prototypes_) >= 4
    assert model.score(X, corner.sum(axis=1) % 2) == 1.0
