"""Soft neighbors and their stress, compared with the formulas."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import approx_fprime
from scipy.spatial.distance import cdist

from labelscape._core import threads
from labelscape.embeddings.nerv import _base as _stress
from labelscape.embeddings.nerv._base import narrowing, soft_neighbors, stress_and_slope
from labelscape.embeddings.nerv._kernels import NO_SHARE

rng = np.random.default_rng(0)
N = 24
X = rng.normal(size=(N, 5))
D = cdist(X, X)
LABELS = np.arange(N) % 3
Z = np.ascontiguousarray(rng.normal(size=(2, N)))
TAUS = [(1.0, 0.0), (0.0, 1.0), (0.7, 0.2), (0.5, 0.5)]


def neighbors_of(D, perplexity):
    return soft_neighbors(D.__getitem__, np.arange(len(D)), len(D), perplexity)


def slow_shares(distances, w):
    """Shares of all others in the neighbours of each object, straight from the sum."""
    kernel = np.exp(-w[:, None] * distances**2)
    np.fill_diagonal(kernel, 0.0)
    return kernel / kernel.sum(axis=1, keepdims=True)


def divergence(p, q):
    p, q = p[p > 0.0], q[p > 0.0]
    return (p * np.log(p / q)).sum() + q.sum() - p.sum()


def slow_stress(Z, w, labels, taus):
    """The four divergences of each object, added up as in the paper."""
    beta, b = slow_shares(D, w), slow_shares(cdist(Z.T, Z.T), w)
    total = 0.0
    for i in range(N):
        others = np.arange(N) != i
        same = labels == labels[i]
        for tau, of in ((taus[0], same & others), (taus[1], ~same)):
            total += tau * divergence(beta[i, of], b[i, of])
            total += (1.0 - tau) * divergence(b[i, of], beta[i, of])
    return total / N


@pytest.mark.parametrize("perplexity", [3.0, 6.0, 20.0])
def test_soft_neighbors_have_the_perplexity_asked_for(perplexity):
    w, log_beta = neighbors_of(D, perplexity)
    beta = slow_shares(D, w)
    off = ~np.eye(N, dtype=bool)
    assert_allclose(log_beta[off], np.log(beta[off]), rtol=1e-9)
    assert_array_equal(np.diagonal(log_beta), NO_SHARE)
    entropy = -(beta[off] * np.log(beta[off])).reshape(N, N - 1).sum(axis=1)
    assert_allclose(np.exp(entropy), perplexity, rtol=1e-8)


def test_new_objects_have_shares_of_all():
    new = cdist(rng.normal(size=(4, 5)), X)
    w, log_beta = soft_neighbors(new.__getitem__, np.full(4, -1), N, 6.0)
    beta = np.exp(-w[:, None] * new**2)
    beta /= beta.sum(axis=1, keepdims=True)
    assert_allclose(np.exp(log_beta), beta, rtol=1e-9)
    assert_allclose(np.exp(-(beta * np.log(beta)).sum(axis=1)), 6.0, rtol=1e-8)


def test_objects_as_near_as_each_other_share_alike():
    equal = np.ones((9, 9)) - np.eye(9)
    for unit in (0.0, 1e-150, 1.0, 1e150):
        w, log_beta = neighbors_of(unit * equal, 3.0)
        assert np.isfinite(w).all()
        assert (w > 0.0).all()
        assert_allclose(log_beta[~np.eye(9, dtype=bool)], -np.log(8.0))


def test_more_copies_than_neighbors_share_among_themselves():
    copies = np.vstack([np.zeros((12, 2)), rng.normal(size=(5, 2)) + 3.0])
    w, log_beta = neighbors_of(cdist(copies, copies), 4.0)
    assert np.isfinite(w).all()
    assert_allclose(np.exp(log_beta[0, 1:12]), 1.0 / 11.0)
    assert (log_beta[0, 12:] < -35.0).all()


@pytest.mark.parametrize("factor", [2.0**-100, 2.0**100])
def test_the_unit_of_the_distances_is_free(factor):
    w, log_beta = neighbors_of(D, 6.0)
    other = neighbors_of(D * factor, 6.0)
    assert_allclose(other.w * factor**2, w, rtol=1e-8)
    assert_allclose(other.log_beta, log_beta, rtol=1e-7)


@pytest.mark.parametrize("taus", TAUS)
def test_the_stress_is_that_of_the_formula(taus):
    neighbors = neighbors_of(D, 6.0)
    stress, _ = stress_and_slope(Z, neighbors, LABELS, taus)
    assert_allclose(stress, slow_stress(Z, neighbors.w, LABELS, taus), rtol=1e-9)


@pytest.mark.parametrize("taus", TAUS)
def test_the_slope_is_that_of_the_stress(taus):
    neighbors = neighbors_of(D, 6.0)
    _, slope = stress_and_slope(Z, neighbors, LABELS, taus)

    def stress(z):
        return slow_stress(z.reshape(Z.shape), neighbors.w, LABELS, taus)

    assert_allclose(slope.ravel(), approx_fprime(Z.ravel(), stress), atol=1e-6)


def test_an_exact_map_has_no_stress():
    flat = np.ascontiguousarray(X[:, :2].T)
    neighbors = neighbors_of(cdist(flat.T, flat.T), 6.0)
    for taus in TAUS:
        stress, slope = stress_and_slope(flat, neighbors, LABELS, taus)
        assert_allclose(stress, 0.0, atol=1e-11)
        assert_allclose(slope, 0.0, atol=1e-10)


def test_with_equal_taus_classes_do_not_matter():
    neighbors = neighbors_of(D, 6.0)
    first = stress_and_slope(Z, neighbors, LABELS, (0.3, 0.3))
    second = stress_and_slope(Z, neighbors, rng.permutation(LABELS), (0.3, 0.3))
    assert first[0] == second[0]
    assert_array_equal(first[1], second[1])


def test_objects_far_beyond_all_shares_leave_the_stress_finite():
    far = Z.copy()
    far[:, 0] = 1e12
    outlying = X.copy()
    outlying[1] = 1e9
    neighbors = neighbors_of(cdist(outlying, outlying), 6.0)
    for taus in TAUS:
        stress, slope = stress_and_slope(far, neighbors, LABELS, taus)
        assert np.isfinite(stress)
        assert np.isfinite(slope).all()


def test_the_bits_are_the_same_with_one_thread_and_two(monkeypatch):
    monkeypatch.setattr(_stress, "BLOCK_BYTES", 5 * 8 * N)
    found = []
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        neighbors = neighbors_of(D, 6.0)
        found.append((*neighbors, *stress_and_slope(Z, neighbors, LABELS, (0.7, 0.2))))
    for one, two in zip(*found, strict=True):
        assert_array_equal(one, two)


def test_neighborhoods_narrow_by_half():
    assert narrowing(30.0, 200) == [100.0, 50.0, 30.0]
    assert narrowing(30.0, 240) == [120.0, 60.0, 30.0]
    assert narrowing(9.0, 10) == [9.0]
    assert narrowing(1.0, 2) == [1.0]
