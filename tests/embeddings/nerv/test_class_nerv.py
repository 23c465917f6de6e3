import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.datasets import load_iris

from labelscape import load, quality, save
from labelscape._core import threads
from labelscape._resampling.label_signal import LabelsSayNothing
from labelscape.embeddings import ClassNeRV
from labelscape.embeddings.nerv import _base as _stress
from labelscape.geometry import FisherMetric

# Most labels here are arbitrary, and the map rightly says so.
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*labels cannot be predicted from the data"
)

rng = np.random.default_rng(0)
X = rng.normal(size=(36, 6))
y = np.arange(36) % 3
NEW = rng.normal(size=(8, 6))
IRIS, SPECIES = load_iris(return_X_y=True)


def globe(seed, n=200):
    points = np.random.default_rng(seed).standard_normal((n, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return points, np.where(points.sum(axis=1) > 0.0, "north", "south")


def test_with_equal_taus_labels_have_no_say():
    nerv = ClassNeRV(tau_intra=0.5, tau_inter=0.5)
    Z = nerv.fit_transform(X, y)
    assert_array_equal(nerv.fit_transform(X, rng.permutation(y)), Z)
    assert np.abs(ClassNeRV().fit_transform(X, y) - Z).max() > 0.1


def test_labels_say_where_a_globe_is_torn():
    def scores(seed, tau_intra, tau_inter):
        points, half = globe(seed)
        model = ClassNeRV(tau_intra=tau_intra, tau_inter=tau_inter)
        Z = model.fit_transform(points, half)
        return (
            quality.class_trustworthiness(points, Z, half),
            quality.class_continuity(points, Z, half),
        )

    gains = []
    for seed in range(8):
        false_cost, lost_cost = scores(seed, 0, 0), scores(seed, 1, 1)
        steered = scores(seed, 1, 0)
        gains.append((steered[0] - lost_cost[0], steered[1] - false_cost[1]))
    # Of 8 draws 0.058 (standard deviation 0.030) and 0.023 (0.006).
    in_trust, in_continuity = np.mean(gains, axis=0)
    assert in_trust > 0.02
    assert in_continuity > 0.01


def test_flat_data_come_out_as_they_are():
    flat = rng.normal(size=(60, 2))
    Z = ClassNeRV(tol=1e-10).fit_transform(flat, np.arange(60) % 2)
    assert_allclose(pdist(Z), pdist(flat), rtol=1e-3)


def test_the_fit_ends_at_a_bottom_of_the_stress():
    model = ClassNeRV(tol=1e-12, max_iter=2000).fit(X, y)
    Z = np.ascontiguousarray(model.embedding_.T)
    D = squareform(pdist(X))
    own = np.arange(36)
    neighbors = _stress.soft_neighbors(D.__getitem__, own, 36, model.perplexity_)
    stress, slope = _stress.stress_and_slope(Z, neighbors, y, (1.0, 0.0))
    assert_allclose(stress, model.stress_, rtol=1e-9)
    assert_allclose(slope, 0.0, atol=1e-4)
    assert model.loss_curve_[-1] == model.stress_
    assert (np.diff(model.loss_curve_) <= 0.0).all()


def test_nothing_is_random_and_threads_do_not_matter(monkeypatch):
    monkeypatch.setattr(_stress, "BLOCK_BYTES", 10 * 8 * 36)
    found = []
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        model = ClassNeRV().fit(X, y)
        found.append((model.embedding_, model.transform(NEW)))
    assert_array_equal(found[0][0], found[1][0])
    assert_array_equal(found[0][1], found[1][1])


def test_the_unit_of_the_data_is_that_of_the_map():
    model, large = ClassNeRV().fit(X, y), ClassNeRV().fit(X * 1024.0, y)
    assert_allclose(large.embedding_, model.embedding_ * 1024.0, rtol=1e-6)
    places = model.transform(NEW)
    assert_allclose(large.transform(NEW * 1024.0), places * 1024.0, rtol=1e-3)


def test_names_of_classes_do_not_matter():
    Z = ClassNeRV().fit_transform(X, y)
    model = ClassNeRV().fit(X, np.array(list("abc"))[y])
    assert_array_equal(model.embedding_, Z)
    assert_array_equal(model.classes_, list("abc"))


def test_dissimilarities_will_do():
    D = squareform(pdist(X))
    model = ClassNeRV(metric="precomputed").fit(D, y)
    plain = ClassNeRV().fit(X, y)
    assert_allclose(model.stress_, plain.stress_, rtol=0.05)
    assert model.training_X_ is None
    assert_array_equal(model.transform(D[:3]), model.embedding_[:3])


def test_a_metric_that_follows_the_labels_is_fitted_and_used():
    model = ClassNeRV(metric=FisherMetric(n_steps=5), max_iter=20).fit(X, y)
    assert model.transform(NEW).shape == (8, 2)
    assert np.abs(model.embedding_ - ClassNeRV().fit_transform(X, y)).max() > 0.1


# Hard data.


def test_one_object_far_away_does_not_spoil_the_map_of_the_others():
    Z = ClassNeRV().fit_transform(IRIS, SPECIES)
    with_far = np.vstack([IRIS, [[1e6, 0.0, 0.0, 0.0]]])
    far = ClassNeRV().fit_transform(with_far, np.append(SPECIES, 0))
    assert np.isfinite(far).all()
    plain, other = (quality.trustworthiness(IRIS, places) for places in (Z, far[:-1]))
    assert other > plain - 0.02
    assert cdist(far[-1:], far[:-1]).min() > 10.0 * np.ptp(far[:-1], axis=0).max()


def test_copies_stay_together():
    copies = np.vstack([X, X[:1].repeat(40, axis=0)])
    Z = ClassNeRV().fit_transform(copies, np.append(y, np.zeros(40, dtype=int)))
    assert np.isfinite(Z).all()
    place = Z[36:].mean(axis=0)
    assert np.linalg.norm(Z[36:] - place, axis=1).max() < 0.2 * np.ptp(Z, axis=0).max()


@pytest.mark.parametrize(
    "data",
    [
        np.zeros((6, 3)),
        np.arange(6.0)[:, None],
        np.eye(6),
        np.vstack([np.zeros((5, 2)), np.ones((1, 2))]),
    ],
    ids=["one place", "one feature", "all as far", "one apart"],
)
def test_odd_data_have_a_map(data):
    labels = np.arange(6) % 2
    model = ClassNeRV().fit(data, labels)
    assert np.isfinite(model.embedding_).all()
    assert np.isfinite(model.stress_)
    assert np.isfinite(model.transform(data + 0.3)).all()


def test_two_objects_and_one_object_in_a_class_are_enough():
    assert ClassNeRV().fit_transform([[0.0, 1.0], [1.0, 3.0]], [0, 1]).shape == (2, 2)
    single = np.where(np.arange(36) == 5, 9, y)
    assert np.isfinite(ClassNeRV().fit_transform(X, single)).all()


@pytest.mark.parametrize("q", [1, 3, 8])
def test_maps_have_as_many_dimensions_as_asked_for(q):
    model = ClassNeRV(n_components=q, max_iter=20).fit(X, y)
    assert model.embedding_.shape == (36, q)
    assert np.isfinite(model.embedding_).all()
    assert model.transform(NEW).shape == (8, q)


# New objects.


@pytest.mark.parametrize("tau", [0.0, 0.5, 1.0])
def test_a_new_object_goes_to_a_bottom_of_its_own_stress(tau):
    model = ClassNeRV(tau_intra=1.0, tau_inter=tau).fit(X, y)
    places, Z = model.transform(NEW), model.embedding_
    D = cdist(NEW, X)
    none = np.full(len(NEW), -1)
    w, log_beta = _stress.soft_neighbors(D.__getitem__, none, 36, model.perplexity_)

    def stress(z, i):
        exponents = -w[i] * ((z - Z) ** 2).sum(axis=1)
        log_b = exponents - np.log(np.exp(exponents).sum())
        b, beta = np.exp(log_b), np.exp(log_beta[i])
        gaps = tau * beta * (log_beta[i] - log_b) + (1 - tau) * b * (
            log_b - log_beta[i]
        )
        return gaps.sum()

    for i, place in enumerate(places):
        start = Z[D[i].argmin()]
        assert stress(place, i) < stress(start, i)
        below = minimize(stress, place, args=(i,))
        assert np.linalg.norm(below.x - place) < 0.05


def test_fitted_objects_keep_their_place():
    model = ClassNeRV().fit(X, y)
    assert_array_equal(model.transform(X[::-1]), model.embedding_[::-1])


def test_a_place_does_not_depend_on_the_other_new_objects():
    model = ClassNeRV().fit(X, y)
    together = model.transform(NEW)
    assert_array_equal(np.vstack([model.transform(one[None]) for one in NEW]), together)


@pytest.mark.parametrize("distance", [1e2, 1e6, 1e100])
def test_far_objects_have_a_place_that_is_finite(distance):
    model = ClassNeRV().fit(X, y)
    places = model.transform(NEW * distance)
    assert np.isfinite(places).all()


def test_held_out_flowers_land_among_their_own():
    model = ClassNeRV().fit(IRIS[::2], SPECIES[::2])
    gaps = cdist(model.transform(IRIS[1::2]), model.embedding_)
    assert np.mean(SPECIES[::2][gaps.argmin(axis=1)] == SPECIES[1::2]) > 0.9


def test_a_saved_model_places_as_before(tmp_path):
    model = ClassNeRV(perplexity=5).fit(X, y)
    save(model, tmp_path / "whole", include_data=True)
    again = load(tmp_path / "whole")
    assert_array_equal(again.transform(NEW), model.transform(NEW))
    save(model, tmp_path / "bare")
    with pytest.raises(ValueError, match="saved without them"):
        load(tmp_path / "bare").transform(NEW)


# What is told, and what is refused.


def test_a_callback_hears_of_every_iteration_and_may_stop():
    heard = []

    def listen(news):
        heard.append(news)
        return len(heard) == 5

    model = ClassNeRV(perplexity=5, callback=listen).fit(X, y)
    assert [news["iteration"] for news in heard] == [1, 2, 3, 4, 5]
    assert model.n_iter_ == 5
    assert heard[-1]["stress"] == heard[-1]["loss"] == model.stress_
    assert heard[0]["perplexity"] == 18.0
    assert_allclose(pdist(heard[-1]["embedding"]), pdist(model.embedding_))


def test_watching_does_not_change_the_map():
    Z = ClassNeRV().fit_transform(X, y)
    assert_array_equal(ClassNeRV(callback=lambda _: None).fit_transform(X, y), Z)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tau_intra": 1.5}, "tau_intra must be"),
        ({"tau_inter": -0.1}, "tau_inter must be"),
        ({"perplexity": 0.5}, "perplexity must be"),
        ({"perplexity": 36}, r"at most the number of other samples \(35\), got 36"),
    ],
)
def test_unusable_parameters_get_one_clear_sentence(options, words):
    with pytest.raises(ValueError, match=words):
        ClassNeRV(**options).fit(X, y)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (None, "requires y to be passed"),
        (np.zeros(36), "at least two classes"),
        (np.linspace(0.1, 1.0, 36), "continuous numbers"),
    ],
)
def test_unusable_labels_get_one_clear_sentence(labels, words):
    with pytest.raises(ValueError, match=words):
        ClassNeRV().fit(X, labels)


def test_labels_without_meaning_are_warned_about_where_they_have_a_say():
    noise, labels = rng.normal(size=(60, 8)), rng.choice([0, 1], size=60)
    given = (("euclidean", noise), ("precomputed", squareform(pdist(noise))))
    for metric, data in given:
        with pytest.warns(LabelsSayNothing, match="ClassNeRV: the labels cannot be"):
            ClassNeRV(metric=metric, max_iter=1).fit(data, labels)


@pytest.mark.filterwarnings("error::labelscape.embeddings.LabelsSayNothing")
def test_labels_without_a_say_may_be_without_meaning():
    noise = np.random.default_rng(3).normal(size=(60, 8))
    ClassNeRV(tau_inter=1, max_iter=1).fit(noise, np.arange(60) % 2)
