import numpy as np
import openTSNE
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.manifold import (
    TSNE,
    Isomap,
    LocallyLinearEmbedding,
    SpectralEmbedding,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import labelscape
from labelscape.embeddings import KernelMap, Sammon
from labelscape.embeddings.kernel_map import _placement
from labelscape.geometry import FisherMetric

X, y = load_iris(return_X_y=True)
X = X + np.random.default_rng(0).normal(scale=0.01, size=X.shape)  # no duplicates
FITTED, NEW = X[::2], X[1::2]


class Listed(BaseEstimator):
    """A map that says where everything is, as UMAP does: fit, then embedding_."""

    def __init__(self, places=None, random_state=None):
        self.places = places
        self.random_state = random_state

    def fit(self, X, y=None):
        self.embedding_ = X[:, :2] if self.places is None else self.places
        return self


class Noisy(BaseEstimator):
    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit_transform(self, X, y=None):
        return np.random.RandomState(self.random_state).normal(size=(len(X), 2))


class Labeled(BaseEstimator):
    def fit_transform(self, X, y=None):
        return np.column_stack([y, X[:, 0]])


@pytest.mark.parametrize(
    "embedder",
    [
        TSNE(perplexity=10, max_iter=250),
        SpectralEmbedding(n_neighbors=15),
        Isomap(n_neighbors=20),
        LocallyLinearEmbedding(n_neighbors=10),
        openTSNE.TSNE(perplexity=10, n_iter=20, early_exaggeration_iter=20),
        Sammon(),
        Listed(),
    ],
    ids=lambda embedder: type(embedder).__module__,
)
def test_any_map_learns_to_place_new_objects(embedder):
    model = KernelMap(embedder, random_state=0)
    Z = model.fit_transform(FITTED)
    assert type(model.embedding_) is np.ndarray
    assert_array_equal(model.embedding_, Z)
    assert_allclose(model.transform(FITTED), Z)
    assert np.isfinite(model.transform(NEW)).all()
    low, high = Z.min(axis=0), Z.max(axis=0)
    inside = (model.transform(NEW) > 2 * low - high).all(axis=1)
    assert inside.mean() > 0.9


def test_places_are_the_weighted_sums_of_the_formula():
    model = KernelMap(PCA(2), bandwidth=0.4, ridge=1e-2, n_centers=20, random_state=0)
    Z = model.fit_transform(FITTED)
    assert model.factor_ is None
    assert model.centers_.shape == (20, 4)
    assert_array_equal(model.centers_, FITTED[model.center_indices_])

    def weights(points):
        k = np.exp(-(cdist(points, model.centers_) ** 2) / (2 * 0.4**2))
        return k / k.sum(axis=1, keepdims=True)

    phi, mean = weights(FITTED), Z.mean(axis=0)
    G = phi.T @ phi
    G += 1e-2 * np.mean(np.diag(G)) * np.eye(20)
    A = mean + np.linalg.solve(G, phi.T @ (Z - mean))
    assert_allclose(model.transform(NEW), weights(NEW) @ A, rtol=1e-8)


def test_fitted_objects_keep_their_places_in_the_narrow_limit_even_without_a_rule():
    model = KernelMap(PCA(2), bandwidth="global", bandwidth_factor=0.01, ridge=1e-9)
    Z = model.fit_transform(FITTED)
    assert_allclose(model.transform(FITTED + 1e-9), Z, atol=1e-6)


def test_a_far_object_goes_to_the_closest_kernel_and_support_says_so():
    model = KernelMap(PCA(2), random_state=0).fit(FITTED)
    far = np.full((1, 4), 1e5)
    nearest = cdist(far, FITTED).argmin()
    assert_allclose(model.transform(far)[0], model.coefficients_[nearest], rtol=1e-6)
    expected = (cdist(far, FITTED) / model.widths_).min()
    assert_allclose(model.support(far), expected)
    assert_allclose(model.support(FITTED), 0.0, atol=1e-5)


def test_widths_are_global_or_of_each_point():
    D = cdist(FITTED, FITTED) + np.diag(np.full(len(FITTED), np.inf))
    model = KernelMap(PCA(2), bandwidth="global", bandwidth_factor=0.3).fit(FITTED)
    assert_allclose(model.widths_, 0.3 * np.median(D.min(axis=1)))
    model = KernelMap(PCA(2), bandwidth="per_point", bandwidth_factor=0.3).fit(FITTED)
    assert_allclose(model.widths_, 0.3 * D.min(axis=1))
    assert model.factor_ == 0.3


def test_a_smooth_map_gets_wide_kernels_by_cross_validation():
    smooth = KernelMap(PCA(2), random_state=0).fit(X)
    assert smooth.factor_ >= 0.5
    gaps = smooth.transform(NEW + 1e-6) - PCA(2).fit(X).transform(NEW)
    assert np.abs(gaps).mean() < 0.1


def test_the_order_of_fitted_objects_does_not_matter():
    order = np.random.default_rng(1).permutation(len(FITTED))
    one = KernelMap(Listed(), bandwidth="global").fit(FITTED)
    two = KernelMap(Listed(), bandwidth="global").fit(FITTED[order])
    assert_allclose(one.transform(NEW), two.transform(NEW), rtol=1e-9)


def test_a_map_that_is_moved_moves_its_new_objects():
    one = KernelMap(Listed(), bandwidth="global").fit(FITTED)
    step = np.array([100.0, -7.0])
    moved = Listed(FITTED[:, :2] + step)
    two = KernelMap(moved, bandwidth="global").fit(FITTED)
    assert_allclose(two.transform(NEW), one.transform(NEW) + step, rtol=1e-9)


def test_duplicates_get_their_mean_place():
    twice = np.vstack([FITTED, FITTED[:1]])
    places = np.vstack([FITTED[:, :2], [[50.0, 50.0]]])
    model = KernelMap(Listed(places)).fit(twice)
    mean = (places[0] + places[-1]) / 2
    assert_allclose(model.transform(FITTED[:1])[0], mean)
    assert np.isfinite(model.transform(NEW)).all()
    assert np.isfinite(
        KernelMap(Listed()).fit(np.ones((5, 3))).transform(NEW[:, :3])
    ).all()


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_objects_are_enough(n):
    model = KernelMap(Listed(), random_state=0).fit(X[:n])
    Z = model.transform(NEW)
    assert np.isfinite(Z).all()
    if n == 1:
        assert_allclose(Z, np.tile(X[0, :2], (len(NEW), 1)))


def test_labels_reach_embedders_that_take_them():
    model = KernelMap(Labeled()).fit(X, y)
    assert_array_equal(model.embedding_[:, 0], y)


def test_one_seed_is_enough_for_all():
    one = KernelMap(Noisy(), n_centers=30, random_state=3).fit(FITTED)
    two = KernelMap(Noisy(), n_centers=30, random_state=3).fit(FITTED)
    assert_array_equal(one.transform(NEW), two.transform(NEW))
    kept = KernelMap(Noisy(random_state=5), random_state=3).fit(FITTED)
    assert_array_equal(kept.embedding_, Noisy(5).fit_transform(FITTED))


@pytest.mark.parametrize("metric", ["precomputed", cdist])
def test_distances_may_be_given_or_come_from_a_function(metric):
    by_data = KernelMap(Listed(FITTED[:, :2]), random_state=0).fit(FITTED)
    if metric == "precomputed":
        given, new = cdist(FITTED, FITTED), cdist(NEW, FITTED)
    else:
        given, new = FITTED, NEW
        metric = lambda a, b: np.sqrt(np.sum((a - b) ** 2))  # noqa: E731
    other = clone(by_data).set_params(metric=metric).fit(given)
    assert_allclose(other.transform(new), by_data.transform(NEW), rtol=1e-6)
    assert_allclose(other.transform(given), by_data.embedding_)
    assert_allclose(other.support(new), by_data.support(NEW), rtol=1e-6)


def test_the_fisher_metric_measures_new_objects_without_labels():
    metric = FisherMetric(random_state=0)
    model = KernelMap(PCA(2), metric=metric, random_state=0).fit(FITTED, y[::2])
    D = model.metric_.pairwise(NEW, FITTED)
    assert_allclose(model.support(NEW), (D / model.widths_).min(axis=1), rtol=1e-5)
    assert_allclose(model.transform(FITTED), model.embedding_)
    assert np.isfinite(model.transform(NEW)).all()


def test_embedders_that_give_no_map_are_named():
    class Silent(BaseEstimator):
        def fit(self, X):
            return self

    with pytest.raises(ValueError, match="Silent returned an object of type Silent"):
        KernelMap(Silent()).fit(X)
    with pytest.raises(ValueError, match=r"shape \(3, 2\) as a map of 150 samples"):
        KernelMap(Listed(X[:3, :2])).fit(X)
    with pytest.raises(ValueError, match="the map of Listed contains NaN"):
        KernelMap(Listed(np.full((150, 2), np.nan))).fit(X)
    with pytest.raises(ValueError, match="embedder must be a map with fit_transform"):
        KernelMap(PCA).fit(X)


@pytest.mark.parametrize(
    "wrong",
    [
        {"bandwidth": "wide"},
        {"bandwidth": 0},
        {"bandwidth_factor": -1},
        {"ridge": -1},
        {"n_centers": 0},
        {"metric": "cityblock"},
    ],
)
def test_wrong_parameters_are_named(wrong):
    with pytest.raises(ValueError, match=f"KernelMap: {next(iter(wrong))} must be"):
        KernelMap(PCA(2), **wrong).fit(X)


@pytest.mark.parametrize(
    "extreme",
    [
        {"bandwidth": 1e-200},
        {"bandwidth": 1e200},
        {"bandwidth": "per_point", "bandwidth_factor": 1e-300},
    ],
)
def test_widths_without_a_square_are_refused(extreme):
    with pytest.raises(ValueError, match=r"KernelMap: kernels of width .* cannot"):
        KernelMap(PCA(2), **extreme).fit(X)


def test_objects_that_are_too_many_widths_away_are_refused():
    model = KernelMap(PCA(2), bandwidth=1e-149).fit(X)
    assert np.isfinite(model.transform(X + 0.1)).all()
    with pytest.raises(
        ValueError, match="1 of 2 samples, the first in row 1, are too far"
    ):
        model.transform([X[0] + 0.1, 1e30 * X[0]])
    assert model.support(1e30 * X[:1]) == [np.inf]


def test_an_embedder_that_works_in_place_leaves_the_objects_alone():
    mine = X.copy()
    model = KernelMap(make_pipeline(StandardScaler(copy=False), PCA(2))).fit(mine)
    assert_array_equal(mine, X)
    assert_array_equal(model.training_X_, X)


def test_a_fill_value_does_not_move_the_places_of_new_objects():
    one = np.vstack([X, np.full((1, 4), 1e20)])
    places = np.vstack([X[:, :2], [[50.0, 50.0]]])
    options = {"bandwidth": 0.1, "ridge": 1e-3}
    expected = KernelMap(Listed(X[:, :2]), **options).fit(X).transform(X + 0.01)
    found = KernelMap(Listed(places), **options).fit(one).transform(X + 0.01)
    assert_allclose(found, expected, atol=0.02)


def test_a_model_file_holds_the_objects_only_if_asked(tmp_path):
    model = KernelMap(Sammon(max_iter=10, random_state=0), random_state=0).fit(FITTED)
    labelscape.save(model, tmp_path / "without.model")
    without = labelscape.load(tmp_path / "without.model")
    with pytest.raises(ValueError, match="saved without them"):
        without.transform(NEW)
    labelscape.save(model, tmp_path / "with.model", include_data=True)
    again = labelscape.load(tmp_path / "with.model")
    assert_array_equal(again.transform(NEW), model.transform(NEW))


def test_the_map_of_a_foreign_embedder_is_saved_without_its_recipe(
    monkeypatch, tmp_path
):
    monkeypatch.setattr("labelscape._model_file._skops.find_spec", lambda name: None)
    model = KernelMap(Isomap(n_neighbors=20), random_state=0).fit(FITTED)
    with pytest.raises(TypeError, match=r"KernelMap\.embedder is a Isomap"):
        labelscape.save(model, tmp_path / "map.model")
    model.set_params(embedder=None)
    labelscape.save(model, tmp_path / "map.model", include_data=True)
    again = labelscape.load(tmp_path / "map.model")
    assert_array_equal(again.transform(NEW), model.transform(NEW))


def test_objects_without_features_have_no_centers_but_their_indices():
    D = cdist(FITTED, FITTED)
    model = KernelMap(Listed(FITTED[:, :2]), metric="precomputed", n_centers=9).fit(D)
    assert not hasattr(model, "centers_")
    assert len(model.center_indices_) == 9


def test_many_objects_are_placed_part_by_part(monkeypatch):
    X = np.random.default_rng(0).normal(size=(60, 3))
    model = KernelMap(PCA(2), bandwidth=1e-9).fit(X[:30])
    at_once = model.transform(X)
    monkeypatch.setattr(_placement, "PLACED_ROWS", 7)
    assert_allclose(model.transform(X), at_once, rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match="1 of 60 samples, the first in row 52"):
        model.transform(np.where(np.arange(60)[:, None] == 52, 1e149, X))
