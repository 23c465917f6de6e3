import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

import labelscape
from labelscape.embeddings import (
    FisherKernelTSNE,
    FisherMDS,
    FisherTSNE,
    KernelMap,
    WeightedMDS,
)
from labelscape.embeddings._fisher_default import label_agreement
from labelscape.embeddings._fisher_kernel_tsne import _nearest
from labelscape.geometry import FisherMetric
from labelscape.quality import knn_accuracy
from labelscape.quality._knn import nearest_fitted, vote

X, y = load_iris(return_X_y=True)
X = X + np.random.default_rng(0).normal(scale=0.01, size=X.shape)  # no duplicates
SHORT = {"early_exaggeration_iter": 20, "max_iter": 30, "random_state": 0}
MAPS = [FisherTSNE(**SHORT), FisherKernelTSNE(**SHORT), FisherMDS(max_iter=20)]


def unseen_accuracy(Z, codes, Z_new, new_codes):
    votes = vote(codes[nearest_fitted(Z, Z_new, 5)], codes.max() + 1)
    return np.mean(votes == new_codes)


@pytest.mark.parametrize("model", MAPS)
def test_the_metric_may_be_given_and_is_fitted_as_a_copy(model):
    metric = FisherMetric(bandwidth=0.5, random_state=3)
    own = type(model)(**{**model.get_params(deep=False), "metric": metric}).fit(X, y)
    assert own.metric_ is not metric
    assert own.metric_.bandwidth_ == 0.5
    assert own.metric_.random_state == 3
    assert not hasattr(metric, "bandwidth_")


@pytest.mark.parametrize("model", MAPS)
def test_a_classifier_takes_the_place_of_labels(model):
    classifier = LogisticRegression(max_iter=1000).fit(X, y)
    metric = FisherMetric(estimator=classifier, method="endpoint", random_state=0)
    own = type(model)(**{**model.get_params(deep=False), "metric": metric}).fit(X)
    assert own.embedding_.shape == (150, 2)


@pytest.mark.parametrize("model", MAPS)
def test_labels_are_needed_and_other_metrics_refused(model):
    with pytest.raises(ValueError, match="requires y to be passed"):
        model.fit(X)
    other = type(model)(metric="euclidean")
    with pytest.raises(ValueError, match="metric must be None, or a FisherMetric"):
        other.fit(X, y)


@pytest.mark.parametrize("model", MAPS)
def test_model_files_leave_the_objects_out(model, tmp_path):
    labelscape.save(model.fit(X, y), tmp_path / "map.model")
    again = labelscape.load(tmp_path / "map.model")
    assert not hasattr(again, "embedding_")


def test_fisher_mds_is_weighted_mds_of_fisher_distances():
    model = FisherMDS(random_state=0).fit(X, y)
    D = model.metric_.pairwise(X)
    mds = WeightedMDS(metric="precomputed", n_init=1, random_state=0).fit(D)
    assert_array_equal(model.embedding_, mds.embedding_)
    assert model.stress_ == mds.stress_ == model.loss_curve_[-1]


def test_neighbours_of_both_ways_to_a_fisher_map_are_the_same():
    metric = FisherMetric(random_state=0).fit(X, y)
    distances, indices = metric.kneighbors(n_neighbors=20)
    D = metric.pairwise(X)
    found, where = _nearest(D, 20)
    assert_allclose(found, distances, rtol=1e-6)
    assert np.mean(where == indices) > 0.99


def test_a_saturated_metric_is_warned_about_in_words():
    metric = FisherMetric(bandwidth=0.01, regularization=0, random_state=0)
    model = FisherTSNE(perplexity=5, metric=metric, **SHORT)
    with pytest.warns(UserWarning, match="FisherTSNE: the metric is saturated"):
        model.fit(X, y)


@pytest.mark.parametrize("model", MAPS)
def test_labels_without_meaning_are_warned_about_in_words(model):
    rng = np.random.default_rng(0)
    noise, labels = rng.normal(size=(120, 20)), rng.choice(["a", "b"], size=120)
    name = type(model).__name__
    with pytest.warns(UserWarning, match=f"{name}: the labels cannot be told from"):
        model.fit(noise, labels)


def test_agreement_of_labels_is_what_chance_does_not_give():
    metric = FisherMetric(random_state=0).fit(X, y)
    p = metric.predict_proba(X)[np.arange(150), y].mean()
    assert_allclose(label_agreement(metric, X, y), (p - 1 / 3) / (2 / 3))


@pytest.mark.filterwarnings("ignore:.*labels cannot be told from the data")
@pytest.mark.xfail(
    strict=False,
    reason="a point that leaves itself out sees a smaller share of its own class",
)
def test_labels_without_meaning_part_nothing():
    rng = np.random.default_rng(0)
    gaps = []
    for _ in range(3):
        noise, codes = rng.normal(size=(300, 20)), rng.integers(0, 2, size=300)
        model = FisherKernelTSNE(random_state=0).fit(noise[:150], codes[:150])
        seen = knn_accuracy(model.embedding_, codes[:150], 5)
        Z = model.transform(noise[150:])
        unseen = unseen_accuracy(model.embedding_, codes[:150], Z, codes[150:])
        gaps.append(seen - unseen)
    assert np.mean(gaps) < 0.05


def test_new_objects_of_a_class_stand_where_the_class_does():
    model = FisherKernelTSNE(perplexity=15, random_state=0).fit(X[::2], y[::2])
    Z = model.transform(X[1::2])
    assert unseen_accuracy(model.embedding_, y[::2], Z, y[1::2]) > 0.93
    assert_allclose(model.transform(X[::2]), model.embedding_)


def test_fisher_kernel_t_sne_is_the_kernel_map_of_its_own_map():
    model = FisherKernelTSNE(perplexity=15, **SHORT).fit(X[::2], y[::2])
    metric = model.metric_.get_params() | {"bandwidth": model.metric_.bandwidth_}
    tsne = FisherTSNE(perplexity=15, metric=FisherMetric(**metric), **SHORT)
    other = KernelMap(tsne, metric=FisherMetric(**metric), random_state=0)
    other.fit(X[::2], y[::2])
    assert_allclose(other.widths_, model.widths_)
    assert_allclose(other.embedding_, model.embedding_, atol=1e-3)
