import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits, load_iris
from sklearn.linear_model import LogisticRegression

import labelscape
from labelscape._core.points.distances import nearest_neighbors
from labelscape._core.points.spaces import Dissimilarities
from labelscape._resampling.label_signal import LabelsSayNothing
from labelscape._resampling.voters import vote
from labelscape.embeddings import (
    FisherKernelTSNE,
    FisherMDS,
    FisherTSNE,
    KernelMap,
    Sammon,
    WeightedMDS,
)
from labelscape.geometry import FisherMetric
from labelscape.geometry._internal import distances_among
from labelscape.quality import knn_accuracy

X, y = load_iris(return_X_y=True)
X = X + np.random.default_rng(0).normal(scale=0.01, size=X.shape)  # no duplicates
SHORT = {"early_exaggeration_iter": 20, "max_iter": 30, "random_state": 0}
MAPS = [FisherTSNE(**SHORT), FisherKernelTSNE(**SHORT), FisherMDS(max_iter=20)]


def unseen_accuracy(Z, codes, Z_new, new_codes):
    votes = vote(codes[nearest_neighbors(Z, 5, Z_new)[0]], codes.max() + 1)
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
    where, found = Dissimilarities(metric.pairwise(X)).kneighbors(20)
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
    with pytest.warns(
        UserWarning, match=f"{name}: the labels cannot be predicted from"
    ):
        model.fit(noise, labels)


@pytest.mark.parametrize("model", MAPS)
def test_given_parzen_points_bring_their_own_labels(model):
    metric = FisherMetric(parzen_points=(X[::2], y[::2]), random_state=0)
    own = type(model)(**{**model.get_params(deep=False), "metric": metric}).fit(X)
    assert own.embedding_.shape == (150, 2)


def test_other_maps_in_a_fisher_metric_warn_of_labels_without_meaning():
    rng = np.random.default_rng(0)
    noise, labels = rng.normal(size=(60, 10)), rng.integers(2, size=60)
    model = Sammon(metric=FisherMetric(random_state=0), random_state=0)
    with pytest.warns(LabelsSayNothing, match="Sammon: the labels cannot be predicted"):
        model.fit(noise, labels)


def gap_on_noise(make, n_sets=6, n=150, d=20):
    """Return 5-NN accuracy of fitted less that of new objects, mean over noise sets."""
    rng = np.random.default_rng(0)
    gaps = []
    for _ in range(n_sets):
        noise, codes = rng.normal(size=(2 * n, d)), rng.integers(0, 2, size=2 * n)
        model = make().fit(noise[:n], codes[:n])
        seen = knn_accuracy(model.embedding_, codes[:n], 5)
        Z = model.transform(noise[n:])
        gaps.append(seen - unseen_accuracy(model.embedding_, codes[:n], Z, codes[n:]))
    return np.mean(gaps)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*labels cannot be predicted from the data")
@pytest.mark.parametrize("regularization", [0.01, 1.0])
@pytest.mark.parametrize(
    "options",
    [
        {"method": "straight"},
        {"method": "endpoint"},
        {"method": "graph"},
        {"method": "endpoint", "class_weight": "balanced"},
        {"parzen_points": 60, "parzen_selection": "kmeans"},
    ],
)
def test_labels_without_meaning_part_nothing_in_any_mode(options, regularization):
    metric = FisherMetric(regularization=regularization, random_state=0, **options)
    mds = FisherMDS(metric=metric, random_state=0)
    assert gap_on_noise(lambda: KernelMap(mds, metric=metric, random_state=0)) < 0.05


@pytest.mark.filterwarnings("ignore:.*labels cannot be predicted from the data")
def test_labels_without_meaning_part_nothing():
    # The gap of one set of noise varies by .068, so that of twenty by .015.
    assert gap_on_noise(lambda: FisherKernelTSNE(random_state=0), n_sets=20) < 0.05


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


def test_new_places_are_those_by_all_kernels_to_a_ten_thousandth_of_the_map():
    digits, classes = load_digits(return_X_y=True)
    for dtype, n_centers in (("float64", None), ("float32", 150)):
        data = digits.astype(dtype)
        model = FisherKernelTSNE(n_centers=n_centers, **SHORT)
        model.fit(data[:300], classes[:300])
        new = data[300:500]
        D = model.metric_.pairwise(new, data[:300])[:, model.center_indices_]
        exponents = D.astype(float) ** 2 / (2.0 * model.widths_**2)
        phi = np.exp(exponents.min(axis=1, keepdims=True) - exponents)
        wanted = phi @ model.coefficients_ / phi.sum(axis=1, keepdims=True)
        size = np.ptp(model.coefficients_, axis=0).max()
        assert np.abs(model.transform(new) - wanted).max() < 1e-4 * size
        assert_allclose(model.support(new), (D / model.widths_).min(axis=1), rtol=1e-4)


def test_with_fewer_kernels_than_objects_the_map_is_the_same_without_all_pairs(
    monkeypatch,
):
    part = FisherKernelTSNE(perplexity=15, n_centers=40, **SHORT)
    part._fit_metric(X, y, None, 0)
    given = Dissimilarities(part.metric_.pairwise())
    assert_allclose(part._nearest(45)[0], given.kneighbors(45)[1], rtol=1e-6)
    index = np.arange(0, 150, 7)
    among = distances_among(part.metric_, index)
    assert_allclose(among, given.subset(index).D, atol=1e-9)

    monkeypatch.setattr(FisherMetric, "pairwise", None)
    model = part.fit(X, y)
    D = given.D[:, model.center_indices_]
    phi = np.exp(-((D / model.widths_) ** 2) / 2.0)
    phi /= phi.sum(axis=1, keepdims=True)
    mean, G = model.embedding_.mean(axis=0), phi.T @ phi
    G += 1e-3 * np.mean(np.diag(G)) * np.eye(40)
    alpha = mean + np.linalg.solve(G, phi.T @ (model.embedding_ - mean))
    size = np.ptp(model.embedding_, axis=0).max()
    assert_allclose(model.coefficients_, alpha, atol=5e-3 * size)


def test_a_part_is_fitted_and_the_rest_is_placed_as_new():
    model = FisherKernelTSNE(perplexity=10, train_size=0.5, **SHORT)
    Z = model.fit_transform(X, y)
    drawn = model.train_indices_
    assert Z.shape == (150, 2)
    assert_array_equal(np.bincount(y[drawn]), [25, 25, 25])
    assert_array_equal(model.training_X_, X[drawn])
    assert_allclose(model.transform(X), Z)

    part = FisherKernelTSNE(perplexity=10, **SHORT).fit(X[drawn], y[drawn])
    assert_array_equal(part.train_indices_, np.arange(75))
    assert_allclose(part.embedding_, Z[drawn])
    assert_allclose(part.transform(X), Z)


def test_a_part_of_a_frame_is_fitted_without_a_warning():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model = FisherKernelTSNE(perplexity=10, train_size=75, **SHORT)
    assert model.fit(frame, pd.Series(y)).embedding_.shape == (150, 2)
    assert model.transform(frame).shape == (150, 2)


def test_a_part_of_unlabelled_objects_is_fitted_under_a_classifier():
    classifier = LogisticRegression(max_iter=1000).fit(X, y)
    metric = FisherMetric(estimator=classifier, method="endpoint", random_state=0)
    model = FisherKernelTSNE(perplexity=10, metric=metric, train_size=60, **SHORT)
    assert len(model.fit(X).train_indices_) == 60
    assert model.embedding_.shape == (150, 2)


def test_a_wrong_train_size_is_named():
    for wrong in (0, 1.5, "all"):
        with pytest.raises(ValueError, match="train_size must be"):
            FisherKernelTSNE(train_size=wrong).fit(X, y)
