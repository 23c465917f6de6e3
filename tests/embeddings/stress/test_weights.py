import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import pdist, squareform
from scipy.stats import norm

from labelscape.embeddings.stress._weights import (
    BY_CLASS,
    BY_NEARER,
    FALLS,
    falling_weights,
    inverse_weights,
    spread_of,
)

rng = np.random.default_rng(0)
D = squareform(pdist(rng.normal(size=(40, 4))))
DELTA = squareform(D)
MEAN, STD = DELTA.mean(), DELTA.std()
LABELS = np.array([0, 1] * 19 + [-1, -1])


def row_weights(weights, own, lam, delta, d):
    from labelscape.embeddings.stress._kernels import weigh

    out = np.empty(len(delta))
    weigh(weights, own, weights.labels, lam, delta, d, out)
    return out


def F(x, lam):
    """Section 1.1 of the specification."""
    return norm.sf(x, MEAN - 2 * (1 - lam) * STD, 2 * lam * STD)


@pytest.mark.parametrize("lam", [0.1, 0.5, 0.9])
def test_the_table_gives_the_normal_weighting(lam):
    weights = falling_weights(BY_CLASS, np.full(5000, -1), spread_of(DELTA))
    x = np.linspace(0.0, 3.0 * DELTA.max(), 5000)
    assert_allclose(row_weights(weights, -1, lam, x, x), F(x, lam), atol=3e-7)


def test_each_kind_takes_its_own_number_of_the_pair():
    d = D[0][rng.permutation(40)]
    same = np.arange(40) % 2 == 0
    same[38:] = False
    spread = spread_of(DELTA)

    by_class = falling_weights(BY_CLASS, LABELS, spread)
    wanted = np.where(same, F(D[0], 0.5), F(d, 0.5))
    assert_allclose(row_weights(by_class, 0, 0.5, D[0], d), wanted, atol=3e-7)
    unlabelled = row_weights(by_class, -1, 0.5, D[0], d)
    assert_allclose(unlabelled, F(d, 0.5), atol=3e-7)

    by_nearer = falling_weights(BY_NEARER, LABELS, spread)
    wanted = F(np.minimum(D[0], d), 0.5)
    assert_allclose(row_weights(by_nearer, 0, 0.5, D[0], d), wanted, atol=3e-7)

    inverse = inverse_weights(0.5, 40)
    wanted = 0.5 / np.maximum(D[0], 0.5)
    assert_allclose(row_weights(inverse, 0, 0.5, D[0], d), wanted)


def test_exponential_and_step_are_what_they_say():
    x = np.linspace(0.0, DELTA.max(), 40)
    weights = falling_weights(BY_CLASS, LABELS, spread_of(DELTA), "exponential")
    wanted = np.exp(-x / (0.3 * MEAN))
    assert_allclose(row_weights(weights, -1, 0.3, x, x), wanted, atol=5e-6)
    weights = falling_weights(BY_CLASS, LABELS, spread_of(DELTA), "step")
    wanted = x <= MEAN - 2 * 0.4 * STD
    assert_allclose(row_weights(weights, -1, 0.6, x, x), wanted)


def test_a_step_below_all_distances_weighs_nothing():
    spread = spread_of(np.array([1e-3, 1e-3, 1e-3, 1.0]))
    weights = falling_weights(BY_CLASS, np.full(2, -1), spread, "step")
    x = np.array([1e-3, 1.0])
    assert_allclose(row_weights(weights, -1, 0.1, x, x), 0.0)


@pytest.mark.parametrize("fall", FALLS)
def test_weights_never_rise_with_the_distance(fall):
    weights = falling_weights(BY_CLASS, np.full(999, -1), spread_of(DELTA), fall)
    x = np.linspace(0.0, 2.0 * DELTA.max(), 999)
    w = row_weights(weights, -1, 0.4, x, x)
    assert (np.diff(w) <= 0).all()
    assert w.min() >= 0
    assert w.max() <= 1


def test_equal_dissimilarities_have_no_deviation_and_the_weight_one_half():
    delta = pdist(np.eye(7)) * (1 + 1e-15 * np.arange(21))
    spread = spread_of(delta)
    assert spread.std == 0.0
    weights = falling_weights(BY_CLASS, np.full(21, -1), spread)
    assert_allclose(row_weights(weights, -1, 0.1, delta, delta), 0.5)


def test_the_spread_of_nothing_is_zero():
    assert spread_of(np.zeros(3)) == (0, 0, 0, 0)
    assert spread_of(np.empty(0)) == (0, 0, 0, 0)


def test_a_lonely_object_keeps_a_wider_lambda():
    from labelscape.embeddings.stress._kernels import held_lambdas

    weights = falling_weights(BY_CLASS, LABELS, spread_of(DELTA))
    lonely = D[0] + 2.0 * MEAN
    lonely[0] = 0.0  # itself, which does not count
    lambdas, held = np.array([0.3, 0.3]), np.empty(2)
    own = np.array([0, 0])
    held_lambdas(weights, np.array([D[0], lonely]), own, lambdas, 0.9, held)
    assert held[0] == 0.3
    assert 0.3 < held[1] < 0.9
    share = F(lonely[1:], held[1]).sum() / F(lonely[1:], 0.9).sum()
    assert 1e-3 <= share < 1.1e-3
