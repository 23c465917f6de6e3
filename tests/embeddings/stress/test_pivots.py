import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import pdist, squareform
from scipy.stats import norm

from labelscape._core import threads
from labelscape._core.points.spaces import Dissimilarities, Points
from labelscape.embeddings.stress import _base as _pivots
from labelscape.embeddings.stress._base import STAGES, PivotRun, pivot_order
from labelscape.embeddings.stress._weights import (
    BY_CLASS,
    BY_NEARER,
    Penalty,
    falling_weights,
    inverse_weights,
    spread_of,
)

rng = np.random.default_rng(0)
n = 30
X = rng.normal(size=(n, 4))
D = squareform(pdist(X))
MEAN, STD = pdist(X).mean(), pdist(X).std()
START = rng.normal(size=(2, n))
LABELS = np.arange(n) % 3 - (np.arange(n) > 24) * 9  # some have no label
LABELS[LABELS < 0] = -1


def F(x, lam):
    return norm.sf(x, MEAN - 2 * (1 - lam) * STD, 2 * lam * STD)


def held(i, lam, first):
    """Section 1.1: lambda stays where the row keeps a thousandth of its weight."""
    row = np.delete(D[i], i)
    least = 1e-3 * F(row, first).sum()
    while F(row, lam).sum() < least:
        lam += 1e-4
    return lam


def slow_pivots(Z, pivots, alphas, lambdas, weight, p):
    """Section 1.2 of the specification, one point at a time."""
    Y = Z.T.copy()
    for i, alpha, lam in zip(pivots, alphas, lambdas, strict=True):
        place = Y[i].copy()
        for j in range(n):
            if j == i:
                continue
            d = np.linalg.norm(Y[j] - place)
            gap = D[i, j] - d
            w = weight(i, j, d, lam)
            step = alpha * w * gap
            if p == 1:
                step = np.sign(gap) * min(alpha * w * STD / 2, abs(gap))
            Y[j] += step * (Y[j] - place) / d
    return Y.T


def by_class(i, j, d, lam):
    lam = held(i, lam, 0.9)
    same = LABELS[i] == LABELS[j] != -1
    return F(D[i, j], lam) if same else F(d, lam)


def by_nearer(i, j, d, lam):
    return F(min(D[i, j], d), held(i, lam, 0.9))


def by_inverse(i, j, d, lam):
    return min(1.0, 0.8 / D[i, j])


CASES = {
    "classes": (falling_weights(BY_CLASS, LABELS, spread_of(pdist(X))), by_class),
    "nearer": (falling_weights(BY_NEARER, LABELS, spread_of(pdist(X))), by_nearer),
    "inverse": (inverse_weights(0.8, n), by_inverse),
}


def run_of(weights, p=2, n_pivots=70, given=None, seed=0):
    given = Points(X) if given is None else given
    random_state = np.random.RandomState(seed)
    penalty = Penalty(p, STD / 2)
    return PivotRun(given, weights, penalty, (0.9, 0.1), n_pivots, random_state)


def moved(run, Z=START):
    Z = Z.copy()
    for _ in run.stages(Z):
        pass
    return Z


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("case", CASES)
def test_the_kernel_equals_one_turn_after_the_other(case, p):
    weights, weight = CASES[case]
    run = run_of(weights, p)
    slow = slow_pivots(START, run.pivots, run.alphas, run.lambdas, weight, p)
    assert_allclose(moved(run), slow, atol=1e-3 if case != "inverse" else 1e-12)


def test_rates_run_from_their_first_to_their_last_value():
    run = run_of(CASES["classes"][0])
    assert_allclose(run.alphas[[0, -1]], [0.5, 0.01])
    assert_allclose(run.lambdas[[0, -1]], [0.9, 0.1])
    assert_allclose(np.diff(np.log(run.alphas), 2), 0.0, atol=1e-12)
    assert_allclose(np.diff(run.lambdas, 2), 0.0, atol=1e-12)


def test_every_object_is_pivot_once_before_any_is_again():
    order = pivot_order(7, 17, np.random.RandomState(0))
    assert len(order) == 17
    assert sorted(order[:7]) == sorted(order[7:14]) == list(range(7))
    assert len(set(order[14:])) == 3
    assert len(pivot_order(7, 0, np.random.RandomState(0))) == 0


@pytest.mark.parametrize("p", [1, 2])
def test_blocks_and_threads_do_not_change_a_bit(p, monkeypatch):
    weights = CASES["classes"][0]
    wanted = moved(run_of(weights, p))
    monkeypatch.setattr(_pivots, "POINTS_BUDGET", 7 * 16)
    monkeypatch.setattr(_pivots, "ROWS_BUDGET", 2 * 8 * n)
    for count, block in ((1, 1), (2, 5), (2, 70)):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        monkeypatch.setattr(_pivots, "LARGEST_BLOCK", block)
        assert_array_equal(moved(run_of(weights, p)), wanted)


def test_a_matrix_and_the_data_behind_it_move_the_map_alike():
    weights = CASES["nearer"][0]
    given = Dissimilarities(D)
    assert_allclose(moved(run_of(weights, given=given)), moved(run_of(weights)))


@pytest.mark.parametrize("q", [1, 2, 5])
def test_points_in_one_place_part_and_the_same_seed_parts_them_alike(q):
    together = np.zeros((q, n))
    run = run_of(inverse_weights(D.max(), n), n_pivots=2000)
    Z = moved(run, together)
    assert len(np.unique(Z.T, axis=0)) == n
    assert_allclose(pdist(Z.T).mean(), MEAN, rtol=0.4)
    assert_array_equal(moved(run, together), Z)


def test_identical_objects_stay_together():
    twice = np.vstack([X, X[:3]])
    labels = np.append(LABELS, LABELS[:3])
    weights = falling_weights(BY_CLASS, labels, spread_of(pdist(X)))
    Z = moved(
        run_of(weights, given=Points(twice)),
        np.hstack([START, START[:, :3]]),
    )
    assert_array_equal(Z[:, n:], Z[:, :3])


def test_a_run_pauses_fifty_times_and_tells_lambda():
    told = list(run_of(CASES["classes"][0], n_pivots=500).stages(START.copy()))
    assert len(told) == STAGES
    assert told == sorted(told, reverse=True)
    assert told[-1] == pytest.approx(0.1)
    assert len(list(run_of(CASES["classes"][0], n_pivots=3).stages(START.copy()))) == 3
