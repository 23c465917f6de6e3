import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from tests.quality import reference
from tests.quality.cases import CASES, plain

from labelscape.quality import (
    class_continuity,
    class_trustworthiness,
    continuity,
    knn_accuracy,
    pointwise_distortion,
    sammon_stress,
    trustworthiness,
)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("k", [1, 12, 48])
def test_the_mean_over_points_is_the_score(case, k):
    X, Y, y = case()
    found = pointwise_distortion(X, Y, y, k)
    for shares, score in [
        (found.trustworthiness, trustworthiness(X, Y, k)),
        (found.continuity, continuity(X, Y, k)),
        (found.class_trustworthiness, class_trustworthiness(X, Y, y, k)),
        (found.class_continuity, class_continuity(X, Y, y, k)),
        (found.knn_hit, knn_accuracy(Y, y)),
        (found.stress, sammon_stress(X, Y)),
    ]:
        assert shares.shape == (50,)
        assert_allclose(shares.mean(), score, rtol=0, atol=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_each_point_has_its_own_penalties(case):
    X, Y, y = case()
    k, n = 12, 50
    D, E = reference.distances(X), reference.distances(Y)
    rho, r = reference.ranks(D), reference.ranks(E)
    unit = n * reference.g(n, k)
    found = pointwise_distortion(X, Y, y, k)
    assert_allclose(found.trustworthiness, 1 - unit * reference.penalties(r, rho, k))
    assert_allclose(found.continuity, 1 - unit * reference.penalties(rho, r, k))
    between = reference.penalties(r, rho, k, lambda i, j: y[i] != y[j])
    assert_allclose(found.class_trustworthiness, 1 - unit * between)
    within = reference.penalties(rho, r, k, lambda i, j: y[i] == y[j])
    assert_allclose(found.class_continuity, 1 - unit * within)
    assert_array_equal(found.knn_hit, reference.knn_hits(E, y, 1))

    away = ~np.eye(n, dtype=bool) & (D > 0)
    b = E[away].sum() / np.sum(E[away] ** 2 / D[away])
    errors = np.divide((D - b * E) ** 2, D, out=np.zeros((n, n)), where=away)
    assert_allclose(found.stress, errors.sum(axis=1) * n / D.sum(), rtol=1e-11)


def test_without_labels_there_are_no_class_scores():
    X, Y, y = plain()
    found = pointwise_distortion(X, Y)
    assert (
        found.class_trustworthiness is found.class_continuity is found.knn_hit is None
    )
    assert_array_equal(
        found.trustworthiness, pointwise_distortion(X, Y, y).trustworthiness
    )


def test_a_misplaced_point_stands_out():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    Y = X.copy()
    Y[17] = [5.0, 5.0]
    found = pointwise_distortion(X, Y, n_neighbors=5)
    assert found.trustworthiness.argmin() == 17
    assert found.continuity.argmin() == 17
    assert found.stress.argmax() == 17


def test_data_without_distances_are_refused():
    _, Y, _ = plain()
    with pytest.raises(ValueError, match="All distances between samples are 0"):
        pointwise_distortion(np.ones((50, 3)), Y)


def test_a_matrix_of_distances_gives_the_same_as_the_data():
    X, Y, y = plain()
    expected = pointwise_distortion(X, Y, y)
    D = reference.distances(X)
    for a, b in zip(
        pointwise_distortion(D, Y, y, metric="precomputed"), expected, strict=True
    ):
        assert_allclose(a, b, rtol=1e-12)
