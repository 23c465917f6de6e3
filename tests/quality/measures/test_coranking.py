import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from tests.quality import reference
from tests.quality.cases import CASES, plain, small_blocks

from labelscape._core import threads
from labelscape.quality import (
    auc_log_rnx,
    continuity,
    q_nx,
    r_nx,
    rank_curves,
    trustworthiness,
)


@pytest.mark.parametrize("case", CASES)
def test_all_curves_equal_their_definitions_for_all_k(case):
    X, Y, _ = case()
    rho = reference.ranks(reference.distances(X))
    r = reference.ranks(reference.distances(Y))
    Q = reference.coranking_matrix(rho, r)
    n = len(X)
    found = rank_curves(X, Y)
    for K in range(1, n):
        assert_allclose(found.q_nx[K - 1], reference.q_nx(Q, K), rtol=1e-13)
        assert_allclose(found.b_nx[K - 1], reference.b_nx(Q, K), atol=1e-14)
        assert_allclose(found.lcmc[K - 1], reference.lcmc(Q, K), atol=1e-14)
    for K in range(1, n - 1):
        T, C = reference.trustworthiness(rho, r, K), reference.continuity(rho, r, K)
        assert_allclose(found.r_nx[K - 1], reference.r_nx(Q, K), atol=1e-13)
        assert_allclose(found.trustworthiness[K - 1], T, atol=1e-13)
        assert_allclose(found.continuity[K - 1], C, atol=1e-13)
    assert_allclose(found.auc_log_rnx, reference.auc_log_rnx(Q), atol=1e-13)


@pytest.mark.parametrize("case", CASES)
def test_the_curves_hold_the_scores_of_one_k(case):
    X, Y, _ = case()
    curves = rank_curves(X, Y)
    for k in (1, 12, 24, 25, 26, 48):  # both branches of g(k)
        assert_allclose(curves.trustworthiness[k - 1], trustworthiness(X, Y, k))
        assert_allclose(curves.continuity[k - 1], continuity(X, Y, k))


def test_single_measures_are_those_of_the_curves():
    X, Y, _ = plain()
    found = rank_curves(X, Y)
    assert_array_equal(q_nx(X, Y), found.q_nx)
    assert_array_equal(r_nx(X, Y), found.r_nx)
    assert auc_log_rnx(X, Y) == found.auc_log_rnx


def test_a_turned_and_scaled_copy_is_perfect():
    X, _, _ = plain()
    turn, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(5, 5)))
    found = rank_curves(X, 3.0 * X @ turn)
    for curve in (found.q_nx, found.r_nx, found.trustworthiness, found.continuity):
        assert_array_equal(curve, np.ones(len(curve)))
    assert_allclose(found.auc_log_rnx, 1.0, rtol=1e-15)
    assert_array_equal(found.b_nx, np.zeros(len(found.b_nx)))


@pytest.mark.parametrize("case", CASES)
def test_all_samples_are_neighbors_in_the_end(case):
    X, Y, _ = case()
    assert q_nx(X, Y)[-1] == 1.0


def test_random_maps_have_an_r_nx_of_zero_on_average():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(40, 4))
    found = np.array([r_nx(X, rng.normal(size=(40, 2))) for _ in range(200)])
    error = found.std(axis=0, ddof=1) / np.sqrt(len(found))
    # 38 neighbourhood sizes are looked at, so the mean over them is what is tested.
    overall = found.mean(axis=1)
    assert abs(overall.mean()) < 3 * overall.std(ddof=1) / np.sqrt(len(overall))
    assert np.mean(np.abs(found.mean(axis=0)) < 3 * error) > 0.9


def test_blocks_and_threads_do_not_change_the_curves(monkeypatch):
    X, Y, _ = plain()
    whole = rank_curves(X, Y)
    small_blocks(monkeypatch)
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        for curve, expected in zip(rank_curves(X, Y), whole, strict=True):
            assert_array_equal(curve, expected)


def test_a_sample_of_all_points_gives_the_exact_curves():
    X, Y, _ = plain()
    for curve, expected in zip(
        rank_curves(X, Y, n_samples=50, random_state=0), rank_curves(X, Y), strict=True
    ):
        assert_array_equal(curve, expected)


def test_a_sample_of_neighbourhoods_comes_close():
    X, Y, _ = plain(400)
    whole = rank_curves(X, Y)
    some = rank_curves(X, Y, n_samples=100, random_state=0)
    assert_allclose(some.auc_log_rnx, whole.auc_log_rnx, atol=0.03)
    assert_allclose(some.trustworthiness[11], whole.trustworthiness[11], atol=0.02)
    assert some.q_nx[-1] == 1.0


def test_three_objects_are_enough():
    X = np.array([[0.0], [1.0], [3.0]])
    found = rank_curves(X, X)
    assert_array_equal(found.q_nx, [1.0, 1.0])
    assert found.auc_log_rnx == 1.0
    with pytest.raises(ValueError, match="at least 3 samples, got 2"):
        q_nx(X[:2], X[:2])


def test_large_and_tiny_numbers_are_ranked_alike():
    X, Y, _ = plain()
    expected = rank_curves(X, Y)
    for scale in (1e-140, 1e140):
        for curve, plain_curve in zip(rank_curves(scale * X, Y), expected, strict=True):
            assert_allclose(curve, plain_curve, rtol=1e-12)
