import numpy as np
import pytest
from numpy.linalg import norm
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import pdist
from scipy.stats import pearsonr, spearmanr
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler
from tests.quality import reference
from tests.quality.cases import CASES, plain
from threadpoolctl import threadpool_limits

from labelscape._core import threads
from labelscape.quality import (
    distortion_by_class,
    pearson_r,
    sammon_stress,
    shepard_pairs,
    spearman_rho,
    stress_1,
)

MEASURES = [sammon_stress, stress_1, spearman_rho, pearson_r]


def condensed(X):
    return reference.condensed(reference.distances(X))


@pytest.mark.parametrize("case", CASES)
def test_stresses_equal_their_definitions(case):
    X, Y, _ = case()
    delta, d = condensed(X), condensed(Y)
    assert_allclose(sammon_stress(X, Y, scaled=False), reference.sammon(delta, d))
    assert_allclose(stress_1(X, Y, scaled=False), reference.stress_1(delta, d))

    keep = delta > 0
    b = d[keep].sum() / np.sum(d[keep] ** 2 / delta[keep])
    assert_allclose(sammon_stress(X, Y), reference.sammon(delta, d, b), rtol=1e-12)
    closed_form = 1 - d[keep].sum() ** 2 / (
        np.sum(d[keep] ** 2 / delta[keep]) * delta.sum()
    )
    assert_allclose(sammon_stress(X, Y), closed_form, rtol=1e-12)
    b = np.sum(delta * d) / np.sum(d * d)
    assert_allclose(stress_1(X, Y), reference.stress_1(delta, d, b), rtol=1e-12)


@pytest.mark.parametrize("scale", [0.5, 0.99, 1.01, 3.0])
def test_the_best_size_of_a_map_cannot_be_bettered(scale):
    X, Y, _ = plain()
    for stress in (sammon_stress, stress_1):
        best = stress(X, Y)
        assert_allclose(stress(X, scale * Y), best, rtol=1e-12)
        delta, at_best = shepard_pairs(X, Y)
        if stress is sammon_stress:
            assert reference.sammon(delta, scale * at_best) > best


@pytest.mark.parametrize("case", CASES)
def test_correlations_are_scipys(case):
    X, Y, _ = case()
    delta, d = condensed(X), condensed(Y)
    assert_allclose(spearman_rho(X, Y), spearmanr(delta, d).statistic, rtol=1e-12)
    assert_allclose(pearson_r(X, Y), pearsonr(delta, d).statistic, rtol=1e-12)


def test_a_turned_and_scaled_copy_is_perfect():
    X, _, y = plain()
    turn, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(5, 5)))
    Y = 7.0 * X @ turn
    assert 0 <= sammon_stress(X, Y) < 1e-15
    assert 0 <= stress_1(X, Y) < 1e-14
    assert_allclose(pearson_r(X, Y), 1.0, rtol=1e-14)
    assert_allclose(spearman_rho(X, X @ turn), 1.0, rtol=1e-7)
    assert distortion_by_class(X, Y, y).total < 1e-15


def test_wine_by_pca_has_the_known_values():
    X = StandardScaler().fit_transform(load_wine().data)
    Y = PCA(2).fit_transform(X)
    assert round(sammon_stress(X, Y), 3) == 0.095
    assert round(spearman_rho(X, Y), 3) == 0.824
    assert round(pearson_r(X, Y), 3) == 0.819


@pytest.mark.parametrize("case", CASES)
def test_distortion_is_split_as_defined_and_adds_up_to_the_stress(case):
    X, Y, y = case()
    delta, d = condensed(X), condensed(Y)
    keep = delta > 0
    b = d[keep].sum() / np.sum(d[keep] ** 2 / delta[keep])
    same = [y[i] == y[j] for i in range(len(y)) for j in range(i + 1, len(y))]
    expected = reference.distortion(delta, d, same, b)
    found = distortion_by_class(X, Y, y)
    assert_allclose(found.compressed_same, expected["compressed", True])
    assert_allclose(found.compressed_different, expected["compressed", False])
    assert_allclose(found.stretched_same, expected["stretched", True])
    assert_allclose(found.stretched_different, expected["stretched", False])
    assert_allclose(found.total, sammon_stress(X, Y), rtol=1e-12)
    assert_allclose(
        found.harmful, expected["compressed", False] + expected["stretched", True]
    )
    assert_allclose(sum(found.shares), 1.0)
    assert_allclose(found.shares.stretched_same, found.stretched_same / found.total)


def test_a_perfect_map_has_no_distortion_to_share_out():
    X, _, y = plain()
    assert sum(distortion_by_class(X, X, y).shares) in (0.0, pytest.approx(1.0))
    constant = np.zeros((50, 2))
    constant[:, 0] = np.arange(50)
    assert sum(distortion_by_class(constant, constant, y).shares) == 0.0


@pytest.mark.parametrize("measure", MEASURES)
def test_a_matrix_of_distances_gives_the_same_as_the_data(measure):
    X, Y, _ = plain()
    D = reference.distances(X)
    expected = measure(X, Y)
    assert measure(D, Y, metric="precomputed") == expected
    assert_allclose(measure(X, Y, metric=lambda a, b: norm(a - b)), expected)


@pytest.mark.parametrize("measure", MEASURES)
def test_blocks_and_threads_do_not_change_a_bit(measure, monkeypatch):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(300, 5)), rng.normal(size=(300, 2))
    found = set()
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        with threadpool_limits(count):  # as a user's BLAS may have one thread or two
            found.add(measure(X, Y))
    monkeypatch.setattr(threads, "BLOCK_BYTES", 1)
    found.add(measure(X, Y))
    assert len(found) == 1


@pytest.mark.parametrize("measure", MEASURES)
def test_random_pairs_stand_for_all_pairs(measure):
    X, Y, _ = plain(200)
    found = [measure(X, Y, max_pairs=5000, random_state=s) for s in (0, 0, 1)]
    assert found[0] == found[1] != found[2]
    assert_allclose(found, measure(X, Y), atol=0.02)
    everything = measure(X, Y, max_pairs=200 * 199 // 2, random_state=0)
    assert everything == measure(X, Y)


def test_no_random_pair_joins_a_point_to_itself():
    X, Y, _ = plain()
    delta, d = shepard_pairs(X, Y, max_pairs=1000, random_state=0)
    assert delta.shape == d.shape == (1000,)
    assert delta.min() > 0
    assert set(np.round(delta, 10)) <= set(np.round(pdist(X), 10))


def test_the_points_of_a_shepard_diagram_are_all_pairs_where_they_are_few():
    X, Y, _ = plain()
    delta, d = shepard_pairs(X, Y)
    assert_allclose(delta, pdist(X), rtol=1e-14)
    assert_allclose(d / pdist(Y), (d / pdist(Y))[0])


def test_a_map_of_one_place_has_lost_all_distances():
    X, _, y = plain()
    nowhere = np.ones((50, 2))
    assert sammon_stress(X, nowhere) == pytest.approx(1.0)
    assert stress_1(X, nowhere) == pytest.approx(1.0)
    assert distortion_by_class(X, nowhere, y).total == pytest.approx(1.0)
    for correlation in (spearman_rho, pearson_r):
        with pytest.raises(ValueError, match="all on the map, are equal"):
            correlation(X, nowhere)


@pytest.mark.parametrize("measure", MEASURES)
def test_data_without_distances_are_refused(measure):
    _, Y, _ = plain()
    with pytest.raises(ValueError, match=r"All distances between|are equal"):
        measure(np.ones((50, 3)), Y)


def test_classes_of_data_without_distances_are_refused():
    _, Y, y = plain()
    with pytest.raises(ValueError, match="All distances between samples are 0"):
        distortion_by_class(np.ones((50, 3)), Y, y)


@pytest.mark.parametrize("measure", MEASURES)
def test_unusable_input_is_named(measure):
    X, Y, _ = plain()
    with pytest.raises(ValueError, match="max_pairs must be a whole number"):
        measure(X, Y, max_pairs=0)
    with pytest.raises(ValueError, match=f"{measure.__name__}: .*at least 2 samples"):
        measure(X[:1], Y[:1])
    with pytest.raises(ValueError, match="50 samples but the embedding has 3 points"):
        measure(X, Y[:3])
    with pytest.raises(ValueError, match="metric must be"):
        measure(X, Y, metric="euclid")


def test_labels_must_fit_the_objects():
    X, Y, y = plain()
    with pytest.raises(ValueError, match="50 samples but y has 3 labels"):
        distortion_by_class(X, Y, y[:3])


def test_given_arrays_are_left_as_they_are():
    X, Y, _ = plain()
    before = X.copy(), Y.copy()
    for measure in MEASURES:
        measure(X, Y)
    assert_array_equal(X, before[0])
    assert_array_equal(Y, before[1])
