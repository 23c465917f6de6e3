"""Products and factors by tiles equal those of NumPy for any number of threads."""

import numpy as np
import pytest

from labelscape._core import blocked, threads
from labelscape._core.blocked import Factor, gram


def positive(n, rng):
    A = rng.normal(size=(n, n))
    return A @ A.T + n * np.eye(n)


@pytest.mark.parametrize("n", [1, 7, 8, 20])
def test_tiles_give_the_results_of_whole_matrices(monkeypatch, n):
    monkeypatch.setattr(blocked, "TILE", 8)
    rng = np.random.default_rng(0)
    G, B = positive(n, rng), rng.normal(size=(n, 3))
    np.testing.assert_allclose(gram(B.T), B @ B.T)
    factor = Factor.of(G.copy())
    L = np.linalg.cholesky(G)
    np.testing.assert_allclose(np.tril(factor.L), L)
    np.testing.assert_allclose(factor.forward(B.copy()), np.linalg.solve(L, B))
    np.testing.assert_allclose(factor.solve(B.copy()), np.linalg.solve(G, B))


def test_right_sides_may_begin_at_a_tile(monkeypatch):
    monkeypatch.setattr(blocked, "TILE", 8)
    rng = np.random.default_rng(0)
    G, B = positive(20, rng), rng.normal(size=(20, 3))
    B[:8] = 0.0
    solved = Factor.of(G.copy()).forward(B[8:].copy(), start=1)
    np.testing.assert_allclose(solved, np.linalg.solve(np.linalg.cholesky(G), B)[8:])


def test_a_matrix_that_is_not_positive_definite_is_an_error():
    with pytest.raises(np.linalg.LinAlgError):
        Factor.of(-np.eye(3))


def test_the_number_of_threads_does_not_change_a_bit(monkeypatch):
    monkeypatch.setattr(blocked, "TILE", 16)
    rng = np.random.default_rng(0)
    G, B = positive(90, rng), rng.normal(size=(90, 3))
    found = []
    for count in (1, 2, 5):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        solved = Factor.of(G.copy()).solve(B.copy())
        found.append((solved.tobytes(), gram(G).tobytes()))
    assert found[0] == found[1] == found[2]
