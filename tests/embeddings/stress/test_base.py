import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import pdist, squareform
from sklearn.base import BaseEstimator

import labelscape
from labelscape._core import threads
from labelscape.embeddings import CCA, DDHDS, ClassiMap, Sammon
from labelscape.embeddings.stress import _base as _pivots

# Most labels here are arbitrary, and the map rightly says so.
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*labels cannot be predicted from the data"
)

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 5))
y = np.arange(40) % 2
FLAT = rng.normal(size=(30, 2)) * [3.0, 1.0]
FLAT_y = np.arange(30) % 3
FAMILY = [Sammon, CCA, DDHDS, ClassiMap]
QUICK = {"n_pivots": 400, "random_state": 0}


@pytest.fixture(params=FAMILY, ids=lambda cls: cls.__name__)
def method(request):
    return request.param


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("rotated", [False, True])
def test_flat_data_are_drawn_exactly(method, p, rotated):
    data = FLAT
    if rotated:
        data = FLAT @ np.linalg.qr(rng.normal(size=(6, 6)))[0][:2] + 5.0
    model = method(p=p, random_state=0).fit(data, FLAT_y)
    assert model.stress_ <= 1e-8
    error = np.abs(pdist(model.embedding_) - pdist(FLAT)) ** p
    assert error.sum() <= 1e-8 * np.sum(pdist(FLAT) ** p)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("factor", [1e-90, 3.0, 1e90])
@pytest.mark.parametrize("init", ["pca", "random"])
def test_scaling_the_data_scales_the_map(method, p, factor, init):
    options = {"p": p, "init": init, **QUICK}
    Z = method(**options).fit_transform(X, y)
    scaled = method(**options).fit_transform(factor * X, y)
    assert_allclose(scaled / factor, Z, atol=1e-4)


def test_the_same_seed_gives_the_same_bits_with_any_number_of_threads(
    method, monkeypatch
):
    data = rng.normal(size=(700, 3))
    monkeypatch.setattr(_pivots, "POINTS_BUDGET", 2**12)
    maps = []
    for count in (1, 2, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        model = method(max_iter=3, **QUICK)
        maps.append(model.fit_transform(data, np.arange(700) % 3))
    assert_array_equal(maps[0], maps[1])
    assert_array_equal(maps[1], maps[2])


def test_another_seed_gives_another_order_of_pivots(method):
    first = method(n_pivots=400, random_state=0, max_iter=0).fit_transform(X, y)
    second = method(n_pivots=400, random_state=1, max_iter=0).fit_transform(X, y)
    assert not np.array_equal(first, second)


def test_all_metrics_agree_on_the_same_distances(method):
    class Half(BaseEstimator):
        """Needs a fit, like FisherMetric."""

        def fit(self, X, y=None):
            self.factor_ = 0.5
            return self

        def pairwise(self, X, Y=None):
            Y = X if Y is None else Y
            gaps = X[:, None, :] - Y[None, :, :]
            return self.factor_ * np.sqrt((gaps**2).sum(axis=2))

    def length(a, b):
        return np.sqrt(np.sum((a - b) ** 2))

    start = X[:, :2]
    options = {"init": start, "n_pivots": 200, "random_state": 0}
    data = method(**options).fit(X, y)
    given = method(metric="precomputed", **options).fit(squareform(pdist(X)), y)
    called = method(metric=length, **options).fit(X, y)
    options["init"] = start / 2
    learned = method(metric=Half(), **options).fit(X, y)
    for other, factor in ((given, 1.0), (called, 1.0), (learned, 2.0)):
        assert_allclose(factor * other.embedding_, data.embedding_, atol=1e-5)
    assert learned.metric_.factor_ == 0.5

    new = rng.normal(size=(4, 5))
    to_fitted = np.sqrt(((new[:, None] - X[None]) ** 2).sum(axis=2))
    places = data.transform(new)
    assert_allclose(given.transform(to_fitted), places, atol=1e-5)
    assert_allclose(called.transform(new), places, atol=1e-5)
    assert_allclose(2.0 * learned.transform(new), places, atol=1e-5)


@pytest.mark.parametrize("q", [1, 3, 7])
def test_maps_have_as_many_dimensions_as_asked(method, q):
    Z = method(q, **QUICK).fit_transform(X, y)
    assert Z.shape == (40, q)
    assert np.isfinite(Z).all()


def test_a_map_lies_on_its_principal_axes_unless_its_start_was_given(method):
    Z = method(**QUICK).fit_transform(X, y)
    scatter = Z.T @ Z
    assert_allclose(Z.mean(axis=0), 0.0, atol=1e-12)
    assert abs(scatter[0, 1]) < 1e-9 * scatter[0, 0]
    assert (Z[np.abs(Z).argmax(axis=0), [0, 1]] > 0).all()

    start = FLAT + 100.0
    kept = method(init=start, **QUICK).fit_transform(FLAT, FLAT_y)
    assert_allclose(kept, start, atol=1e-6)
    assert kept is not start


def test_the_callback_sees_the_map_form_and_may_stop_it(method):
    seen = []
    model = method(callback=seen.append, **QUICK).fit(X, y)
    assert [news["epoch"] for news in seen] == list(range(1, model.n_iter_ + 1))
    assert [news["stress"] for news in seen] == model.loss_curve_
    assert model.loss_curve_[-1] == model.stress_
    assert seen[0]["embedding"].shape == (40, 2)
    assert ("lambda" in seen[0]) == (method is not Sammon)
    silent = method(**QUICK).fit(X, y)
    assert_array_equal(silent.embedding_, model.embedding_)
    assert silent.stress_ == model.stress_

    stopped = method(callback=lambda news: news["epoch"] == 3, **QUICK).fit(X, y)
    assert stopped.n_iter_ == 3
    assert np.isfinite(stopped.embedding_).all()


def test_stress_and_deviation_come_from_a_sample_where_objects_are_many(
    method, monkeypatch
):
    whole = method(max_iter=0, **QUICK).fit(X, y)
    monkeypatch.setattr(_pivots, "LARGEST_SAMPLE", 30)
    sampled = method(max_iter=0, **QUICK).fit(X, y)
    assert_allclose(sampled.stress_, whole.stress_, rtol=0.5)
    assert sampled.stress_ != whole.stress_

    alike = np.zeros((100, 3))
    alike[0] = 1.0  # a sample of 30 would hardly meet the one that differs
    Z = method(**QUICK).fit_transform(alike, np.arange(100) % 2)
    assert_allclose(np.linalg.norm(Z[0] - Z[1:], axis=1), np.sqrt(3.0), rtol=1e-6)


def test_data_never_need_all_distances_at_once(method, monkeypatch):
    from labelscape._core.points.spaces import Points

    def refuse(self):
        raise AssertionError("all distances were asked for")

    monkeypatch.setattr(_pivots, "LARGEST_SAMPLE", 10)
    monkeypatch.setattr(Points, "matrix", refuse)
    method(max_iter=2, **QUICK).fit(X, y)


def test_majorisation_may_follow_the_pivots(method):
    pivots = method(max_iter=0, **QUICK).fit(X, y)
    polished = method(max_iter=20, **QUICK).fit(X, y)
    assert polished.n_iter_ > pivots.n_iter_
    assert np.isfinite(polished.embedding_).all()
    if method is not CCA:  # whose weights follow the map wherever it goes
        assert polished.stress_ < pivots.stress_


@pytest.mark.filterwarnings("ignore:.*-1 means")
@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_objects_are_drawn_exactly(method, n):
    Z = method(random_state=0).fit_transform(X[:n], y[:n])
    assert Z.shape == (n, 2)
    assert_allclose(pdist(Z), pdist(X[:n]), rtol=1e-9)


def test_equal_distances_are_drawn_as_equal_as_a_plane_allows(method):
    Z = method(random_state=0).fit_transform(np.eye(12), np.arange(12) % 2)
    assert np.isfinite(Z).all()
    assert_allclose(pdist(Z).mean(), np.sqrt(2.0), rtol=0.25)
    triangle = method(random_state=0).fit_transform(np.eye(3), [0, 1, 1])
    assert_allclose(pdist(triangle), np.sqrt(2.0), rtol=1e-9)


def test_identical_objects_share_a_place(method):
    twice = np.vstack([X, X[:5]])
    Z = method(**QUICK).fit_transform(twice, np.append(y, y[:5]))
    assert_allclose(Z[40:], Z[:5], atol=1e-12)
    same = method(**QUICK).fit(np.ones((6, 3)), [0, 1, 0, 1, 0, 1])
    assert_array_equal(same.embedding_, np.zeros((6, 2)))
    assert same.stress_ == 0.0


def test_new_objects_are_placed_near_those_they_resemble(method):
    centers = np.array([[0.0] * 5, [6.0] * 5, [-6.0, 6.0, 0.0, 0.0, 0.0]])
    group = np.arange(60) % 3
    data = centers[group] + rng.normal(size=(60, 5))
    model = method(random_state=0).fit(data, group)
    places = model.transform(centers[group[:9]] + rng.normal(size=(9, 5)))
    gaps = places[:, None] - model.embedding_[None]
    nearest = (gaps**2).sum(axis=2).argmin(axis=1)
    assert_array_equal(group[nearest], group[:9])


def test_a_model_file_without_data_says_what_transform_misses(method, tmp_path):
    model = method(**QUICK).fit(X, y)
    labelscape.save(model, tmp_path / "bare")
    labelscape.save(model, tmp_path / "full", include_data=True)
    full = labelscape.load(tmp_path / "full")
    new = X[:3] + 0.1
    assert_array_equal(full.transform(new), model.transform(new))
    bare = labelscape.load(tmp_path / "bare")
    assert not hasattr(bare, "training_X_")
    with pytest.raises(ValueError, match="include_data=True"):
        bare.transform(new)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda D: D[:, :-1], "square matrix"),
        (lambda D: D + np.triu(D), "symmetric"),
        (lambda D: -D, "must not be negative"),
        (lambda D: np.where(D > 3.0, np.nan, D), "NaN"),
        (lambda D: D + 1.0, "to itself must be 0"),
    ],
)
def test_a_broken_matrix_gets_one_clear_sentence(method, change, words):
    D = change(squareform(pdist(X)))
    with pytest.raises(ValueError, match=words):
        method(metric="precomputed").fit(D, y)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("p", 3),
        ("n_components", 0),
        ("n_pivots", -1),
        ("max_iter", 1.5),
        ("tol", -1.0),
        ("init", "tsne"),
        ("metric", "manhattan"),
    ],
)
def test_a_wrong_parameter_is_named(method, parameter, value):
    with pytest.raises(ValueError, match=f"{method.__name__}: {parameter} must be"):
        method(**{parameter: value}).fit(X, y)


@pytest.mark.parametrize("method", [CCA, DDHDS, ClassiMap])
def test_lambda_must_be_positive(method):
    with pytest.raises(ValueError, match="lambda_end must be a number above 0"):
        method(lambda_end=0).fit(X, y)
