import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris
from sklearn.manifold import trustworthiness as scikit_learns
from tests.quality import reference
from tests.quality.cases import CASES, plain, small_blocks, ties

from labelscape._core import threads
from labelscape._core.points.spaces import Points
from labelscape.quality import (
    class_continuity,
    class_trustworthiness,
    continuity,
    trustworthiness,
)
from labelscape.quality.measures.neighborhoods import neighborhoods


@pytest.mark.parametrize("case", CASES)
def test_scores_equal_their_definitions_for_all_k(case):
    X, Y, y = case()
    rho = reference.ranks(reference.distances(X))
    r = reference.ranks(reference.distances(Y))
    for k in range(1, len(X) - 1):
        for found, expected in [
            (trustworthiness(X, Y, k), reference.trustworthiness(rho, r, k)),
            (continuity(X, Y, k), reference.continuity(rho, r, k)),
            (
                class_trustworthiness(X, Y, y, k),
                reference.class_trustworthiness(rho, r, y, k),
            ),
            (class_continuity(X, Y, y, k), reference.class_continuity(rho, r, y, k)),
        ]:
            assert_allclose(found, expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("n_features", [3, 64])
def test_trustworthiness_is_scikit_learns_without_ties(n_features):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(120, n_features)), rng.normal(size=(120, 2))
    for k in (1, 5, 12, 30, 59):
        expected = scikit_learns(X, Y, n_neighbors=k)
        assert_allclose(trustworthiness(X, Y, k), expected, rtol=0, atol=1e-12)
        expected = scikit_learns(Y, X, n_neighbors=k)
        assert_allclose(continuity(X, Y, k), expected, rtol=0, atol=1e-12)


def test_trustworthiness_is_scikit_learns_with_ties_in_the_data(monkeypatch):
    # scikit-learn orders tied objects as np.argsort happens to, which differs between
    # processors: here it gets a sort that keeps equals in the order of their indices.
    # Distances of whole numbers are exact in both. The map has no ties, because there
    # scikit-learn's order is that of its tree.
    quick = np.argsort
    monkeypatch.setattr(np, "argsort", lambda a, axis: quick(a, axis, kind="stable"))
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(6, 80))
        X = rng.integers(0, 3, size=(n, 3)).astype(float)
        Y = rng.normal(size=(n, 2))
        for k in range(1, (n + 1) // 2, 3):
            expected = scikit_learns(X, Y, n_neighbors=k)
            assert_allclose(trustworthiness(X, Y, k), expected, rtol=0, atol=1e-12)


def test_trustworthiness_is_scikit_learns_where_tied_points_change_places():
    # Objects come in twins, in the data and on the map. The twins of a pair are at the
    # same distance from everybody, and may come in either order; with an odd k (the own
    # twin and whole pairs) no neighbourhood ends between twins, so the sum of their
    # ranks is the same in both orders and scikit-learn's value is well defined.
    rng = np.random.default_rng(3)
    X, Y = rng.integers(0, 1000, (30, 6)).astype(float), rng.normal(size=(30, 2))
    X, Y = np.repeat(X, 2, axis=0), np.repeat(Y, 2, axis=0)
    for k in (1, 3, 5, 11, 21):
        expected = scikit_learns(X, Y, n_neighbors=k)
        assert_allclose(trustworthiness(X, Y, k), expected, rtol=0, atol=1e-12)


def test_continuity_is_trustworthiness_with_the_spaces_exchanged():
    X, Y, _ = ties()
    for k in (1, 7, 24, 25, 48):
        assert continuity(X, Y, k) == trustworthiness(Y, X, k)


@pytest.mark.parametrize("case", CASES)
def test_tolerated_and_harmful_distortions_add_up(case):
    X, Y, y = case()
    _, codes = np.unique(y, return_inverse=True)
    for k in (1, 12, 30, 48):
        found = neighborhoods(Points(X), Points(Y), codes, k, np.arange(50))
        T_within = found.score(found.false_within)
        C_between = found.score(found.tears_between)
        assert_allclose(
            1 - trustworthiness(X, Y, k),
            (1 - class_trustworthiness(X, Y, y, k)) + (1 - T_within),
            rtol=0,
            atol=1e-15,
        )
        assert_allclose(
            1 - continuity(X, Y, k),
            (1 - class_continuity(X, Y, y, k)) + (1 - C_between),
            rtol=0,
            atol=1e-15,
        )


def test_a_turned_and_scaled_copy_is_perfect():
    X, _, y = plain()
    turn, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(5, 5)))
    Y = 0.01 * X @ turn
    for k in (1, 12, 48):
        assert trustworthiness(X, Y, k) == continuity(X, Y, k) == 1.0
        assert class_trustworthiness(X, Y, y, k) == class_continuity(X, Y, y, k) == 1.0


@pytest.mark.parametrize("case", CASES)
def test_blocks_and_threads_do_not_change_a_score(case, monkeypatch):
    X, Y, y = case()
    whole = [trustworthiness(X, Y), class_continuity(X, Y, y)]
    small_blocks(monkeypatch)
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        assert [trustworthiness(X, Y), class_continuity(X, Y, y)] == whole


@pytest.mark.parametrize("case", CASES)
def test_a_matrix_of_distances_gives_the_same_as_the_data(case):
    X, Y, y = case()
    D = reference.distances(X)

    class Metric:
        def pairwise(self, X, Y=None):
            return D

    for k in (1, 12, 40):
        expected = trustworthiness(X, Y, k), class_continuity(X, Y, y, k)
        for given, metric in [
            (D, "precomputed"),
            (X, Metric()),
            (X, lambda a, b: reference.distances([a, b])[0, 1]),
        ]:
            found = (
                trustworthiness(given, Y, k, metric),
                class_continuity(given, Y, y, k, metric),
            )
            assert found == expected


def test_decimal_data_have_the_same_ties_as_their_distances():
    # Distances that are equal on paper differ in the last bits of their squares.
    X, _ = load_iris(return_X_y=True)
    D = cdist(X, X)
    for k in (1, 5, 12):
        assert trustworthiness(X, X[:, :2], k) == trustworthiness(
            D, X[:, :2], k, "precomputed"
        )


def test_given_matrices_are_left_as_they_are():
    X, Y, _ = plain()
    D = cdist(X, X)
    before = D.copy(), Y.copy()
    trustworthiness(D, Y, metric="precomputed")
    np.testing.assert_array_equal(D, before[0])
    np.testing.assert_array_equal(Y, before[1])


@pytest.mark.parametrize("far", [1e3, 1e6, 1e9])
def test_an_outlier_far_away_does_not_blur_the_ranks(far):
    # With a matrix product its size would drown the differences between the others.
    rng = np.random.default_rng(4)
    X, Y = rng.normal(size=(60, 20)), rng.normal(size=(60, 2))
    X[7] = far
    rho = reference.ranks(reference.distances(X))
    r = reference.ranks(reference.distances(Y))
    for k in (1, 12, 40):
        expected = reference.trustworthiness(rho, r, k)
        assert_allclose(trustworthiness(X, Y, k), expected, rtol=0, atol=1e-13)


def test_all_neighbourhoods_as_a_sample_are_exact_and_some_come_close():
    X, Y, y = plain(400)
    whole = trustworthiness(X, Y)
    assert trustworthiness(X, Y, n_samples=400, random_state=0) == whole
    assert trustworthiness(X, Y, n_samples=1000, random_state=0) == whole
    some = [trustworthiness(X, Y, n_samples=100, random_state=s) for s in range(5)]
    assert len(set(some)) == 5
    assert_allclose(some, whole, atol=0.02)
    again = class_continuity(X, Y, y, n_samples=50, random_state=1)
    assert class_continuity(X, Y, y, n_samples=50, random_state=1) == again


def test_names_of_classes_and_order_of_points_do_not_matter():
    X, Y, y = plain()
    expected = class_trustworthiness(X, Y, y)
    numbers = {"a": 7, "b": -1, "c": 3}
    assert class_trustworthiness(X, Y, [numbers[label] for label in y]) == expected
    order = np.random.default_rng(0).permutation(len(X))
    found = class_trustworthiness(X[order], Y[order], y[order])
    assert_allclose(found, expected, rtol=1e-14)


def test_lists_and_whole_numbers_are_welcome():
    X = [[0, 0], [1, 0], [0, 2], [5, 5]]
    assert trustworthiness(X, X, 1) == 1.0


@pytest.mark.parametrize("k", [0, -1, 2.0, "5", None, True])
def test_a_neighbourhood_size_that_is_no_whole_number_is_refused(k):
    X, Y, _ = plain()
    with pytest.raises(ValueError, match="n_neighbors must be a whole number of at"):
        trustworthiness(X, Y, k)


def test_a_neighbourhood_cannot_hold_everybody():
    X = np.array([[0.0], [1.0], [3.0]])
    assert trustworthiness(X, X, 1) == 1.0
    with pytest.raises(ValueError, match=r"number of samples minus 2 \(1\), got 2"):
        trustworthiness(X, X, 2)
    with pytest.raises(ValueError, match=r"continuity: .* minus 2 \(0\), got 1"):
        continuity(X[:2], X[:2], 1)


def test_unusable_numbers_are_named_with_their_place():
    X, Y, y = plain()
    broken = X.copy()
    broken[4, 1] = np.nan
    with pytest.raises(ValueError, match=r"X contains NaN: column 1 .* in row 4"):
        trustworthiness(broken, Y)
    broken[4, 1] = -np.inf
    with pytest.raises(ValueError, match=r"X contains infinity: column 1 .* in row 4"):
        class_continuity(broken, Y, y)
    Y[2, 0] = np.nan
    with pytest.raises(ValueError, match="embedding contains NaN"):
        continuity(X, Y)


def test_a_map_of_other_points_is_refused():
    X, Y, y = plain()
    with pytest.raises(ValueError, match="50 samples but the embedding has 49 points"):
        trustworthiness(X, Y[:-1])
    with pytest.raises(ValueError, match="50 samples but y has 49 labels"):
        class_trustworthiness(X, Y, y[:-1])


def test_one_class_is_refused():
    X, Y, _ = plain()
    with pytest.raises(ValueError, match="at least two classes, got 1 class: 'a'"):
        class_trustworthiness(X, Y, ["a"] * 50)


def test_a_metric_nobody_knows_is_refused():
    X, Y, _ = plain()
    with pytest.raises(ValueError, match=r"metric must be 'euclidean'.*got 'cosinus'"):
        trustworthiness(X, Y, metric="cosinus")
    with pytest.raises(ValueError, match="needs a square matrix"):
        trustworthiness(X, Y, metric="precomputed")


def test_a_sample_size_must_be_a_whole_number():
    X, Y, _ = plain()
    with pytest.raises(ValueError, match="n_samples must be a whole number"):
        trustworthiness(X, Y, n_samples=0.5)
