import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from labelscape._core.points.spaces import Points
from labelscape.embeddings._base import pca_scores
from labelscape.embeddings.weighted_mds import _pairs
from labelscape.embeddings.weighted_mds._pairs import (
    laplacian,
    laplacian_solver,
    lbfgs,
    merged_weights,
    smacof,
    stress_and_gradient,
    weighted_pairs,
)

n = 30
rng = np.random.default_rng(0)
X = rng.normal(size=(n, 5))
W = 10.0 ** rng.uniform(-4, 0, size=(n, n))
W = W + W.T


def pairs_of(weights, power):
    points = Points(X)
    return weighted_pairs(points, merged_weights(weights, np.arange(n), n), power)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("weights", [None, W, csr_array(W)], ids=["one", "W", "sparse"])
@pytest.mark.parametrize("seed", [0, 1])
def test_majorisation_never_raises_the_stress(weights, power, seed):
    # The bare steps, without the guard against rounding that ends a fit.
    pairs = pairs_of(weights, power)
    evaluate, solve = stress_and_gradient(pairs), laplacian_solver(laplacian(pairs))
    Z = np.random.default_rng(seed).normal(size=(2, n))
    first = stress = evaluate(Z)[0]
    for _ in range(200):
        Z = Z - solve(evaluate(Z)[1]) / 2.0
        before, stress = stress, evaluate(Z)[0]
        assert stress <= before * (1.0 + 1e-13)
    assert stress < 0.7 * first


def test_a_step_of_majorisation_is_the_guttman_transform():
    pairs = pairs_of(W, 1)
    Z = np.random.default_rng(0).normal(size=(n, 2))
    V, B = np.zeros((n, n)), np.zeros((n, n))
    pair = 0
    for i in range(n):
        for j in range(i + 1, n):
            V[i, j] = V[j, i] = -pairs.V[pair]
            d = np.linalg.norm(Z[i] - Z[j])
            B[i, j] = B[j, i] = -pairs.V[pair] * pairs.T[pair] / d
            pair += 1
    np.fill_diagonal(V, -V.sum(axis=1))
    np.fill_diagonal(B, -B.sum(axis=1))
    expected = np.linalg.pinv(V) @ B @ Z

    steps = []
    smacof(
        stress_and_gradient(pairs),
        np.ascontiguousarray((Z - Z.mean(axis=0)).T),
        solve=laplacian_solver(laplacian(pairs)),
        max_iter=1,
        tol=0.0,
        on_iteration=lambda Z, _: steps.append(Z.T),
    )
    assert_allclose(steps[0], expected, rtol=1e-8, atol=1e-10)


def test_conjugate_gradients_and_the_factor_agree(monkeypatch):
    V = laplacian(pairs_of(W, 1))
    gradient = rng.normal(size=(2, n))
    gradient -= gradient.mean(axis=1, keepdims=True)
    by_factor = laplacian_solver(V)(gradient)
    monkeypatch.setattr(_pairs, "LARGEST_FACTOR", 10)
    by_steps = laplacian_solver(V)(gradient)
    by_steps -= by_steps.mean(axis=1, keepdims=True)
    assert_allclose(by_steps, by_factor, atol=1e-2 * np.abs(by_factor).max())


def test_both_solvers_come_to_the_same_minimum():
    pairs = pairs_of(W, 1)
    evaluate = stress_and_gradient(pairs)
    Z = np.ascontiguousarray(pca_scores(X, 2).T) / pairs.unit
    rules = {"max_iter": 5000, "tol": 1e-12, "on_iteration": lambda *_: None}
    steep, stress = lbfgs(evaluate, Z, **rules)
    solve = laplacian_solver(laplacian(pairs))
    slow, slow_stress = smacof(evaluate, Z, solve=solve, **rules)
    assert_allclose(stress, slow_stress, rtol=1e-6)
    assert_allclose(evaluate(steep)[0], stress, rtol=1e-14)
    assert np.abs(evaluate(slow)[1]).max() < 1e-6


@pytest.mark.parametrize("solver", ["lbfgs", "smacof"])
def test_a_listener_can_stop_the_descent(solver):
    pairs = pairs_of(None, 1)
    seen = []

    def stop_at_three(Z, stress):
        seen.append(stress)
        return len(seen) == 3

    rules = {"max_iter": 100, "tol": 0.0, "on_iteration": stop_at_three}
    if solver == "smacof":
        rules["solve"] = laplacian_solver(laplacian(pairs))
    descend = {"lbfgs": lbfgs, "smacof": smacof}[solver]
    _, stress = descend(stress_and_gradient(pairs), rng.normal(size=(2, n)), **rules)
    assert len(seen) == 3
    assert stress == seen[-1]
