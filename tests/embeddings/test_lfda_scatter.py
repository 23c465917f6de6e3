import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from labelscape._core import threads
from labelscape.embeddings import lfda
from labelscape.embeddings.lfda import local_scatter


def scatter(X, y, k):
    """Return S_w and S_b of samples with class indices."""
    return local_scatter(lambda c: X[y == c], np.bincount(y), X.sum(axis=0), k)


def pair_sums(X, y, k):
    """Eqs. 32-35 as they are printed, with scales by different rows: pair by pair."""
    n, N = X.shape
    sigma = np.zeros(n)
    for i in range(n):
        others = {tuple(X[j]) for j in range(n) if y[j] == y[i]} - {tuple(X[i])}
        if others:
            gaps = sorted(np.linalg.norm(X[i] - other) for other in others)
            sigma[i] = gaps[min(k, len(gaps)) - 1]
    S_w, S_b = np.zeros((N, N)), np.zeros((N, N))
    for i in range(n):
        for j in range(n):
            v = X[i] - X[j]
            outer = np.outer(v, v) / 2
            if y[i] != y[j]:
                S_b += outer / n
                continue
            n_l = np.sum(y == y[i])
            product = sigma[i] * sigma[j]
            A = np.exp(-(v @ v) / product) if product > 0 else 0.0
            S_w += A / n_l * outer
            S_b += A * (1 / n - 1 / n_l) * outer
    return S_w, S_b


def hard_data():
    """Three classes: one with duplicates, one of a single object."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(30, 4)) + 5.0
    X[1:4] = X[0]
    y = np.repeat([0, 1, 2], [12, 17, 1])
    return X, y


@pytest.mark.parametrize("k", [1, 3, 7, 100])
def test_class_wise_sums_equal_the_sums_over_pairs(k):
    X, y = hard_data()
    expected_w, expected_b = pair_sums(X, y, k)
    S_w, S_b = scatter(X, y, k)
    assert_allclose(S_w, expected_w, rtol=0, atol=1e-10 * np.abs(expected_w).max())
    assert_allclose(S_b, expected_b, rtol=0, atol=1e-10 * np.abs(expected_b).max())


def test_blocks_and_threads_do_not_change_the_scatter(monkeypatch):
    X, y = hard_data()
    whole_w, whole_b = scatter(X, y, 3)
    monkeypatch.setattr(
        lfda,
        "row_blocks",
        lambda n, row_bytes: threads.row_blocks(n, 1, budget=5),
    )
    monkeypatch.setattr(threads, "n_threads", lambda: 1)
    one_w, one_b = scatter(X, y, 3)
    monkeypatch.setattr(threads, "n_threads", lambda: 2)
    two_w, two_b = scatter(X, y, 3)
    assert_array_equal(one_w, two_w)
    assert_array_equal(one_b, two_b)
    assert_allclose(one_w, whole_w, rtol=1e-12)
    assert_allclose(one_b, whole_b, rtol=1e-12)
