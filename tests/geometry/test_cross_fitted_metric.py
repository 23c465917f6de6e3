"""The Fisher metric of cross-fitted probabilities."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import get_tags

import labelscape
from labelscape.geometry import FisherMetric

X, Y = load_iris(return_X_y=True)
OLD, NEW, Y_OLD = X[::2], X[1::2] + 0.01, Y[::2]


@pytest.fixture(scope="module")
def metric():
    return FisherMetric(estimator=GaussianNB(), regularization=0.1, random_state=0).fit(
        OLD, Y_OLD
    )


def arcs(p, q):
    gaps = np.sqrt(((np.sqrt(p)[:, None] - np.sqrt(q)) ** 2).sum(axis=2))
    return 4.0 * np.arcsin(gaps / 2.0)


def regularized(metric, p, q, A, B):
    squares = ((A[:, None] - B) ** 2).sum(axis=2)
    return np.sqrt(arcs(p, q) ** 2 + metric.epsilon_ * squares)


def test_fitted_objects_are_judged_by_models_that_never_saw_them(metric):
    p = metric.cross_fit_.probabilities_
    slow = regularized(metric, p, p, OLD, OLD)
    np.testing.assert_allclose(metric.pairwise(OLD), slow, atol=1e-7)


def test_new_objects_are_judged_by_all_models(metric):
    p, q = metric.predict_proba(NEW), metric.cross_fit_.probabilities_
    slow = regularized(metric, p, q, NEW, OLD)
    np.testing.assert_allclose(metric.pairwise(NEW, OLD), slow, atol=1e-7)
    distances, indices = metric.kneighbors(NEW, 3)
    np.testing.assert_allclose(distances, np.sort(slow, axis=1)[:, :3], atol=1e-7)
    assert indices.shape == (75, 3)


def test_a_metric_from_a_file_without_data_knows_its_table(tmp_path):
    metric = FisherMetric(estimator="auto", random_state=0).fit(OLD, Y_OLD)
    labelscape.save(metric, tmp_path / "m")
    again = labelscape.load(tmp_path / "m")
    assert np.array_equal(again.pairwise(OLD), metric.pairwise(OLD))
    assert np.array_equal(again.pairwise(NEW), metric.pairwise(NEW))
    assert OLD[0].tobytes() not in (tmp_path / "m").read_bytes()


def test_a_fitted_classifier_is_used_as_it_is():
    classifier = GaussianNB().fit(OLD, Y_OLD)
    metric = FisherMetric(estimator=classifier).fit(NEW)
    assert not hasattr(metric, "cross_fit_")
    np.testing.assert_allclose(
        metric.predict_proba(NEW), classifier.predict_proba(NEW), atol=1e-12
    )


def test_groups_are_held_out_together():
    group = np.arange(75) % 15
    metric = FisherMetric(estimator=GaussianNB(), random_state=0)
    metric.fit(OLD, Y_OLD, groups=group)
    fold = metric.cross_fit_.fold_
    assert all(len(set(fold[group == g])) == 1 for g in range(15))


def test_labels_are_needed_and_copies_are_not_fitted():
    metric = FisherMetric(estimator=GaussianNB())
    assert get_tags(metric).target_tags.required
    assert not hasattr(clone(metric.fit(OLD, Y_OLD)), "cross_fit_")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"method": "graph"}, "method='graph' needs probabilities"),
        ({"rule": "left"}, "rule='left' needs gradients"),
        ({"cross_fit": 1}, "cross_fit must be"),
        ({"estimator": "trees"}, "estimator must be 'auto'"),
    ],
)
def test_what_can_not_be_is_said(settings, words):
    with pytest.raises(ValueError, match=words):
        FisherMetric(**{"estimator": "auto", **settings}).fit(OLD, Y_OLD)
