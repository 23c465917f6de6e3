import copy
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from tests.quality import reference
from tests.quality.cases import CASES, plain, small_blocks

from labelscape import quality
from labelscape._core import threads
from labelscape.quality import report


@pytest.mark.parametrize("case", CASES)
def test_every_number_is_that_of_its_own_function(case):
    X, Y, y = case()
    found = report(X, Y, y, n_neighbors=7)
    assert found.trustworthiness == quality.trustworthiness(X, Y, 7)
    assert found.continuity == quality.continuity(X, Y, 7)
    assert found.auc_log_rnx == quality.auc_log_rnx(X, Y)
    assert found.sammon_stress == quality.sammon_stress(X, Y)
    assert found.sammon_stress_unscaled == quality.sammon_stress(X, Y, scaled=False)
    assert found.spearman_rho == quality.spearman_rho(X, Y)
    assert found.pearson_r == quality.pearson_r(X, Y)
    assert found.class_trustworthiness == quality.class_trustworthiness(X, Y, y, 7)
    assert found.class_continuity == quality.class_continuity(X, Y, y, 7)
    assert found.label_trustworthiness == quality.label_trustworthiness(X, Y, y)
    assert found.label_continuity == quality.label_continuity(X, Y, y)
    assert_allclose(found.knn_accuracy, quality.knn_accuracy(Y, y), rtol=1e-14)
    assert_allclose(found.knn_accuracy_original, quality.knn_accuracy(X, y), rtol=1e-14)
    D, E = reference.distances(X), reference.distances(Y)
    assert_allclose(found.neighborhood_hit, reference.neighborhood_hit(E, y, 7))
    assert_allclose(
        found.neighborhood_hit_original, reference.neighborhood_hit(D, y, 7)
    )
    assert (found.n, found.n_neighbors, found.n_queries) == (50, 7, 50)
    assert not found.pairs_sampled


@pytest.mark.parametrize("case", CASES)
def test_blocks_threads_and_a_matrix_do_not_change_the_report(case, monkeypatch):
    X, Y, y = case()
    whole = report(X, Y, y)
    by_matrix = report(reference.distances(X), Y, y, metric="precomputed")
    small_blocks(monkeypatch)
    reports = [by_matrix]
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        reports.append(report(X, Y, y))
    for found in reports:
        assert found.scores == pytest.approx(whole.scores, rel=1e-12)
    assert reports[1].scores == reports[2].scores == whole.scores


def test_without_labels_the_report_has_no_class_measures():
    X, Y, _ = plain()
    found = report(X, Y)
    assert "knn_accuracy" not in found.scores
    assert not found.original
    with pytest.raises(AttributeError, match=r"no 'knn_accuracy'. It has: trust"):
        found.knn_accuracy  # noqa: B018
    assert not hasattr(found, "_repr_png_")


def test_it_prints_a_table_that_explains_itself():
    X, Y, y = plain()
    lines = str(report(X, Y, y)).splitlines()
    assert lines[1].startswith("trustworthiness")
    assert "neighbors on the map are neighbors in the data" in lines[1]
    assert lines[-1] == "50 points, 12 neighbors each."
    assert len(lines) == len(quality.MEASURES) + 2
    assert repr(report(X, Y, y)) == "\n".join(lines)


def test_a_notebook_gets_an_html_table():
    X, Y, y = plain()
    html = report(X, Y, y)._repr_html_()
    assert html.startswith("<table>")
    assert html.count("<tr>") == len(quality.MEASURES) + 1
    assert "50 points" in html


def test_a_frame_has_one_row_per_measure():
    X, Y, y = plain()
    found = report(X, Y, y)
    frame = found.to_frame()
    assert list(frame.index) == list(found.scores)
    assert frame.loc["knn_accuracy", "map"] == found.knn_accuracy
    assert frame.loc["knn_accuracy", "original"] == found.knn_accuracy_original
    assert np.isnan(frame.loc["trustworthiness", "original"])
    assert frame["meaning"].str.len().min() > 10


def test_it_says_what_was_sampled():
    X, Y, y = plain(300)
    whole = report(X, Y, y)
    some = report(X, Y, y, n_samples=80, max_pairs=5000)
    assert (some.n_queries, some.pairs_sampled) == (80, True)
    assert str(some).endswith(
        "300 points, 12 neighbors each; ranks from 80 random points; "
        "distances from random pairs."
    )
    for name, value in whole.scores.items():
        assert_allclose(some.scores[name], value, atol=0.08)
    again = report(X, Y, y, n_samples=80, max_pairs=5000)
    assert again.scores == some.scores


def test_many_points_are_sampled_without_being_asked(monkeypatch):
    X, Y, y = plain(120)
    monkeypatch.setattr(quality._report, "MANY_POINTS", 100)
    assert report(X, Y, y).n_queries == 100
    assert report(X, Y, y, n_samples=120).n_queries == 120


def test_three_objects_are_enough():
    X = np.array([[0.0, 1.0], [1.0, 0.0], [5.0, 2.0]])
    found = report(X, X, [0, 0, 1])
    assert found.n_neighbors == 1
    assert found.trustworthiness == 1.0
    with pytest.raises(ValueError, match="at least 3 samples, got 2"):
        report(X[:2], X[:2])


def test_a_report_can_be_copied_and_sent_to_another_process():
    X, Y, y = plain()
    found = report(X, Y, y)
    assert pickle.loads(pickle.dumps(found)).scores == found.scores
    assert copy.deepcopy(found).scores == found.scores


def test_unusable_input_is_named():
    X, Y, y = plain()
    for k in (0, "12", 2.5, None):
        with pytest.raises(ValueError, match="report: n_neighbors must be a whole"):
            report(X, Y, y, k)
    with pytest.raises(ValueError, match="report: y must contain at least two classes"):
        report(X, Y, np.zeros(50))
    with pytest.raises(ValueError, match="report: X has 50 samples but y has 3"):
        report(X, Y, y[:3])
    with pytest.raises(ValueError, match="report: metric must be"):
        report(X, Y, y, metric=3)
    with pytest.raises(ValueError, match="report: n_samples must be"):
        report(X, Y, y, n_samples=-1)
    Y[0] = np.inf
    with pytest.raises(ValueError, match="report: input embedding contains infinity"):
        report(X, Y, y)


def test_intervals_of_a_sample_hold_the_figures_of_all_points():
    X, Y, y = plain(400)
    every = report(X, Y, y)
    assert every.intervals == {}
    assert "within ±" not in str(every)
    assert "With all points, values may differ by ± 0.0" in str(
        report(X, Y, y, n_samples=390)
    )
    held = dict.fromkeys(report(X, Y, y, n_samples=100).intervals, 0)
    assert set(held) == {
        "trustworthiness",
        "continuity",
        "class_trustworthiness",
        "class_continuity",
        "knn_accuracy",
        "neighborhood_hit",
    }
    for seed in range(40):
        some = report(X, Y, y, n_samples=100, max_pairs=500, random_state=seed)
        for name, (low, high) in some.intervals.items():
            held[name] += low <= every.scores[name] <= high
    assert min(held.values()) >= 38


def test_an_interval_is_not_empty_where_a_sample_has_no_fault():
    X = np.random.default_rng(0).normal(size=(300, 2))
    some = report(X, X, n_samples=100)
    low, high = some.intervals["trustworthiness"]
    assert some.trustworthiness == 1.0
    assert low < 1.0 == high


def test_ranks_of_all_sizes_are_sorted_for_fewer_of_many_points(monkeypatch):
    X, Y, y = plain(300)
    every = report(X, Y, y, n_samples=200)
    assert every.n_sorted == 200
    monkeypatch.setattr(quality._report, "MOST_SORTED", 300 * 40)
    some = report(X, Y, y, n_samples=200)
    assert (some.n_queries, some.n_sorted) == (200, 40)
    changed = {name for name in some.scores if some.scores[name] != every.scores[name]}
    assert changed == {"auc_log_rnx"}
    assert some.intervals == every.intervals
    assert abs(some.auc_log_rnx - every.auc_log_rnx) < 0.1
    assert "200 random points, neighborhoods of all sizes from 40" in str(some)
