import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import approx_fprime
from scipy.sparse import csr_array

from labelscape._core import threads
from labelscape._core.points.spaces import Points
from labelscape.embeddings.weighted_mds import _pairs
from labelscape.embeddings.weighted_mds._pairs import (
    fitted_size,
    laplacian,
    merged_weights,
    stress_and_gradient,
    unlinked_parts,
    weighted_pairs,
)

n = 11
rng = np.random.default_rng(0)
X = rng.normal(size=(n, 4))
Z = rng.normal(size=(n, 2))
W = 10.0 ** rng.uniform(-4, 0, size=(n, n))
W = W + W.T
HOLES = W * (rng.uniform(size=(n, n)) < 0.4)
HOLES = HOLES + HOLES.T


def pairs_of(weights, power=1):
    number = np.arange(n)
    return weighted_pairs(Points(X), merged_weights(weights, number, n), power)


def slow_stress(Z, weights, power):
    """Def. 5.1 and its normalisation, pair by pair."""
    error = scale = 0.0
    for i in range(n):
        for j in range(i):
            D = np.linalg.norm(X[i] - X[j]) ** power
            d = np.linalg.norm(Z[i] - Z[j])
            error += weights[i, j] * (d - D) ** 2 / D
            scale += weights[i, j] * D
    return error / scale


CASES = [
    (None, np.ones((n, n))),
    (W, W),
    (HOLES, HOLES),
    (csr_array(W), W),
    (csr_array(HOLES), HOLES),
]


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize(("given", "dense"), CASES)
def test_the_stress_is_the_one_of_the_definition(given, dense, power):
    pairs = pairs_of(given, power)
    stress, _ = stress_and_gradient(pairs)(np.ascontiguousarray(Z.T) / pairs.unit)
    assert_allclose(stress, slow_stress(Z, dense, power), rtol=1e-12)


@pytest.mark.parametrize(("given", "dense"), CASES)
def test_the_gradient_is_the_slope_of_the_stress(given, dense):
    evaluate = stress_and_gradient(pairs_of(given))
    z = Z.T.ravel()
    slope = approx_fprime(z, lambda z: evaluate(z.reshape(2, n))[0], 1e-7)
    assert_allclose(evaluate(Z.T.copy())[1].ravel(), slope, atol=1e-6)


def test_coincident_images_have_a_finite_slope():
    Y = np.zeros((2, n))
    for weights in (None, csr_array(W)):
        stress, gradient = stress_and_gradient(pairs_of(weights))(Y)
        assert_allclose(stress, 1.0, rtol=1e-12)
        assert_array_equal(gradient, 0.0)


@pytest.mark.parametrize("given", [W, csr_array(W)], ids=["dense", "sparse"])
def test_threads_do_not_change_a_bit(given, monkeypatch):
    pairs = pairs_of(given)
    Y = Z.T.copy()
    whole = stress_and_gradient(pairs)(Y)
    monkeypatch.setattr(_pairs, "BLOCK_PAIRS", 10)
    results = []
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        results.append(stress_and_gradient(pairs)(Y))
    assert results[0][0] == results[1][0]
    assert_array_equal(results[0][1], results[1][1])
    assert_allclose(results[0][1], whole[1], atol=1e-13)


def test_blocks_hold_every_row_once(monkeypatch):
    monkeypatch.setattr(_pairs, "BLOCK_PAIRS", 10)
    for given in (W, csr_array(HOLES)):
        blocks = _pairs._blocks(pairs_of(given))
        rows = np.concatenate([np.arange(b.start, b.stop) for b in blocks])
        assert len(blocks) > 1
        assert_array_equal(rows, np.arange(n))


@pytest.mark.parametrize("given", [None, W, csr_array(W)])
def test_merged_weights_are_those_of_the_members_added_up(given):
    number = np.array([0, 1, 1, 2, 0, 3, 3, 3, 4, 4, 5])
    dense = np.ones((n, n)) if given is None else W
    merged = merged_weights(given, number, 6)
    if not isinstance(merged, np.ndarray):
        merged = merged.toarray()[np.triu_indices(6, k=1)]
    expected = [
        dense[np.ix_(number == a, number == b)].sum()
        for a in range(6)
        for b in range(a + 1, 6)
    ]
    assert_allclose(merged, expected)


def test_tiny_distances_are_not_divided_by():
    points = Points(np.array([[0.0], [1e-30], [1.0]]))
    pairs = weighted_pairs(points, np.ones(3), 1)
    assert np.isfinite(pairs.V).all()
    assert_allclose(pairs.V[0] / pairs.V[1], 1e6 * pairs.T[1])


def test_parts_without_a_link_are_found():
    split = np.zeros((4, 4))
    split[0, 2] = split[2, 0] = split[1, 3] = split[3, 1] = 1.0
    for given in (split, csr_array(split)):
        count, part = unlinked_parts(merged_weights(given, np.arange(4), 4), 4)
        assert count == 2
        assert part[0] == part[2] != part[1] == part[3]


@pytest.mark.parametrize("given", [W, csr_array(W)], ids=["dense", "sparse"])
def test_the_laplacian_has_rows_that_add_up_to_zero(given):
    pairs = pairs_of(given)
    L = laplacian(pairs)
    L = L if isinstance(L, np.ndarray) else L.toarray()
    assert_allclose(L.sum(axis=1), 0.0, atol=1e-15)
    assert_allclose(L[np.triu_indices(n, k=1)], -pairs.V)


def test_no_other_size_of_a_start_has_less_stress():
    pairs = pairs_of(W)
    evaluate = stress_and_gradient(pairs)
    Y = fitted_size(37.0 * Z.T, pairs)
    best = evaluate(Y)[0]
    assert best < min(evaluate(0.999 * Y)[0], evaluate(1.001 * Y)[0])
