import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import pdist, squareform

from labelscape._core import threads
from labelscape._core.points.spaces import Points
from labelscape.embeddings.stress import _descent as _majorization
from labelscape.embeddings.stress._descent import Stress, majorized
from labelscape.embeddings.stress._weights import (
    BY_CLASS,
    Penalty,
    falling_weights,
    inverse_weights,
    spread_of,
)

rng = np.random.default_rng(0)
n = 25
X = rng.normal(size=(n, 5))
DELTA = pdist(X)
START = rng.normal(size=(2, n))
SAMMON = inverse_weights(DELTA.min(), n)
UNIFORM = inverse_weights(DELTA.max(), n)
CLASSES = falling_weights(BY_CLASS, np.arange(n) % 2, spread_of(DELTA))


def stress_of(weights, p=2, data=X):
    penalty = Penalty(p, 0.01 * DELTA.std())
    return Stress(Points(data), weights, 0.3, penalty)


def last(steps):
    return list(steps)[-1]


@pytest.mark.parametrize("p", [1, 2])
def test_the_stress_is_its_formula(p):
    error = np.abs(DELTA - pdist(START.T)) ** p
    sammon = np.sum(error / DELTA) / np.sum(DELTA ** (p - 1))
    assert_allclose(stress_of(SAMMON, p)(START), sammon)
    uniform = np.sum(error) / np.sum(DELTA**p)
    assert_allclose(stress_of(UNIFORM, p)(START), uniform)


@pytest.mark.parametrize("weights", [SAMMON, UNIFORM], ids=["sammon", "mds"])
def test_the_pull_is_the_slope_of_the_stress(weights):
    stress = stress_of(weights)
    pull = stress.and_pull(START)[1]
    # The stress is a sum over both (i, j) and (j, i), divided by ``size``.
    slope = -4.0 * pull / stress.size
    step = 1e-6
    for k in range(2):
        for i in range(n):
            shift = np.zeros(START.shape)
            shift[k, i] = step
            central = (stress(START + shift) - stress(START - shift)) / (2 * step)
            assert_allclose(slope[k, i], central, rtol=1e-6, atol=1e-8)


def test_the_pull_is_the_slope_where_the_weights_of_the_classes_are_fixed():
    # Inside one class weights depend on delta alone, so they are fixed.
    stress = stress_of(CLASSES._replace(labels=np.zeros(n, dtype=int)))
    slope = -4.0 * stress.and_pull(START)[1] / stress.size
    shift = 1e-6 * rng.normal(size=START.shape)
    central = (stress(START + shift) - stress(START - shift)) / 2.0
    assert_allclose(np.sum(slope * shift), central, rtol=1e-6)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("weights", [SAMMON, UNIFORM], ids=["sammon", "mds"])
def test_every_step_lowers_a_stress_with_constant_weights(weights, p):
    stress = stress_of(weights, p)
    values = [v for _, v in majorized(START, stress, max_iter=200, tol=1e-9)]
    assert len(values) > 5
    assert (np.diff([stress(START), *values]) <= 0).all()


def test_the_bottom_has_no_slope():
    stress = stress_of(SAMMON)
    Z, _ = last(majorized(START, stress, max_iter=5000, tol=1e-14))
    _, pull, mass = stress.and_pull(Z)
    assert np.abs(pull / mass).max() < 1e-5


def test_a_heavy_pair_does_not_swing_for_ever():
    near = X.copy()
    near[1] = near[0] + 1e-5
    weights = inverse_weights(pdist(near).min(), n)
    stress = stress_of(weights, data=near)
    Z, _ = last(majorized(START, stress, max_iter=500, tol=1e-10))
    assert_allclose(np.linalg.norm(Z[:, 0] - Z[:, 1]), 1e-5 * np.sqrt(5), rtol=0.1)


@pytest.mark.parametrize("weights", [SAMMON, CLASSES], ids=["sammon", "classes"])
def test_permuting_the_objects_permutes_the_map(weights):
    order = rng.permutation(n)
    options = {"max_iter": 20, "tol": 0.0}
    Z, value = last(majorized(START, stress_of(weights), **options))
    there = weights._replace(labels=weights.labels[order])
    stress = stress_of(there, data=X[order])
    permuted, same_value = last(majorized(START[:, order], stress, **options))
    assert_allclose(permuted, Z[:, order], atol=1e-9)
    assert_allclose(same_value, value)


def test_weights_that_follow_the_map_come_to_rest():
    steps = list(majorized(START, stress_of(CLASSES, 1), max_iter=2000, tol=1e-4))
    assert len(steps) < 2000


def test_threads_do_not_change_a_bit(monkeypatch):
    maps = []
    monkeypatch.setattr(
        _majorization,
        "row_blocks",
        lambda n, _: [slice(0, 9), slice(9, 16), slice(16, n)],
    )
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        steps = majorized(START, stress_of(SAMMON), max_iter=5, tol=0.0)
        maps.append(last(steps)[0])
    assert_array_equal(maps[0], maps[1])


def test_an_exact_map_is_left_as_it_is():
    flat = np.ascontiguousarray(X[:, :2].T)
    stress = stress_of(UNIFORM, data=X[:, :2])
    assert stress(flat) < 1e-30
    moved = [Z for Z, _ in majorized(flat, stress, max_iter=5, tol=1e-6)]
    assert all(np.allclose(Z, flat, atol=1e-12) for Z in moved)


def test_the_matrix_of_distances_is_not_needed_as_a_whole(monkeypatch):
    def refuse(self):
        raise AssertionError("all distances were asked for")

    monkeypatch.setattr(Points, "matrix", refuse)
    assert squareform(DELTA).shape == (n, n)
    last(majorized(START, stress_of(SAMMON), max_iter=2, tol=0.0))
