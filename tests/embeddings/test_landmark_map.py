import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA
from sklearn.manifold import SpectralEmbedding
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.quality.certificate.cases import balanced_votes
from threadpoolctl import threadpool_limits

import labelscape
from labelscape.embeddings import LFDA, KernelMap, LandmarkMap, landmark_map
from labelscape.embeddings.landmark_map import drawn_landmarks, weights_in_class
from labelscape.quality import report
from labelscape.quality.certificate import placed

RNG = np.random.default_rng(0)


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(900, 6, centers=4, cluster_std=4.0, random_state=0)


@pytest.fixture
def few(monkeypatch):
    """Samples that are small, so that little data are many."""
    monkeypatch.setattr(landmark_map, "N_MEASURED", 300)
    monkeypatch.setattr(placed, "MOST_JUDGED", 200)
    monkeypatch.setattr(placed, "FEWEST_OF_CLASS", 40)


def test_landmarks_are_fitted_and_the_others_placed(blobs):
    X, y = blobs
    model = LandmarkMap(LFDA(), n_landmarks=100, random_state=0).fit(X, y)
    assert model.n_landmarks_ == 100
    assert model.embedding_.shape == (900, 2)
    assert_array_equal(np.bincount(y[model.landmarks_]), 25)
    alone = LFDA().fit(X[model.landmarks_], y[model.landmarks_])
    assert_allclose(model.embedding_, alone.transform(X), atol=1e-12)
    assert_allclose(model.transform(X[:5]), model.embedding_[:5], atol=1e-12)


def test_a_map_that_places_nothing_gets_kernels(blobs):
    X, _ = blobs
    spectral = SpectralEmbedding(affinity="rbf", random_state=0)
    model = LandmarkMap(spectral, 60, random_state=0).fit(X)
    assert isinstance(model.estimator_, KernelMap)
    assert_array_equal(model.embedding_[model.landmarks_], model.estimator_.embedding_)
    assert "unseen" not in model.scores_


@pytest.mark.slow
def test_intervals_hold_the_figures_of_the_whole_in_38_of_40_trials(few, blobs):
    X, y = blobs
    held, widths = {}, []
    for seed in range(40):
        model = LandmarkMap(PCA(2), n_landmarks=60, random_state=seed).fit(X, y)
        whole = report(X, model.embedding_, y, max_pairs=100).scores
        whole["unseen"] = balanced_votes(model.embedding_, y, model.landmarks_)
        for name, (low, high) in model.intervals_.items():
            held[name] = held.get(name, 0) + (low <= whole[name] <= high)
        widths.append(model.within_)
    assert len(held) == 7
    assert min(held.values()) >= 38
    assert 0.0 < max(widths) <= 0.1


def test_nothing_is_measured_unless_wanted(blobs):
    X, y = blobs
    model = LandmarkMap(PCA(2), 60, measure=False, random_state=0).fit(X, y)
    assert (model.scores_, model.intervals_, model.within_) == ({}, {}, 0.0)
    assert model.words_ == "Fitted to 60 of 900 samples; the others were placed."


def test_few_objects_are_all_landmarks(blobs):
    X, y = blobs
    model = LandmarkMap(LFDA()).fit(X[:30], y[:30])
    assert model.n_landmarks_ == 30
    assert (model.within_, "unseen" in model.scores_) == (0.0, False)
    assert (
        model.words_ == "Fitted to all 30 samples. Quality was measured on all samples."
    )
    assert LandmarkMap(LFDA(), 31).fit(X[:30], y[:30]).n_landmarks_ == 30


def test_what_was_done_is_told_in_a_sentence(few, blobs):
    X, y = blobs
    model = LandmarkMap(PCA(2), 60, random_state=0).fit(X, y)
    start = "Fitted to 60 of 900 samples; the others were placed. The quality"
    assert model.words_.startswith(start)
    assert model.words_.endswith(f"± {model.within_:.2g}.")


def test_the_same_seed_gives_the_same_bits_with_any_number_of_threads(few, blobs):
    X, y = blobs
    maps = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            model = LandmarkMap(LFDA(), random_state=3).fit(X, y)
        maps.append(model)
    assert_array_equal(maps[0].embedding_, maps[1].embedding_)
    assert maps[0].intervals_ == maps[1].intervals_


def test_it_stands_in_pipelines_and_is_saved(few, blobs, tmp_path):
    X, y = blobs
    landmarks = LandmarkMap(LFDA(), 60, random_state=0)
    model = make_pipeline(StandardScaler(), landmarks).fit(X, y)
    labelscape.save(model, tmp_path / "map.labelscape", include_data=True)
    again = labelscape.load(tmp_path / "map.labelscape")
    assert_array_equal(again.transform(X[:9]), model.transform(X[:9]))
    assert again[-1].intervals_ == model[-1].intervals_
    labelscape.save(model, tmp_path / "map.labelscape")
    alone = labelscape.load(tmp_path / "map.labelscape")
    assert_array_equal(alone.transform(X[:9]), model.transform(X[:9]))


def test_groups_reach_a_map_that_wants_them(blobs):
    class Grouped(LFDA):
        def fit(self, X, y=None, groups=None):
            self.groups_ = groups
            return super().fit(X, y)

    X, y = blobs
    groups = np.arange(900) // 3
    model = LandmarkMap(Grouped(), 60, random_state=0).fit(X, y, groups)
    assert_array_equal(model.estimator_.groups_, groups[model.landmarks_])


def test_unusable_input_is_named(blobs):
    X, y = blobs
    with pytest.raises(ValueError, match="n_landmarks must be a whole"):
        LandmarkMap(LFDA(), 2).fit(X, y)
    with pytest.raises(ValueError, match="embedder must be a map"):
        LandmarkMap(3).fit(X, y)


def test_nothing_is_warned_of_usual_data(few, blobs):
    X, y = blobs
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        LandmarkMap(PCA(2), random_state=0).fit(X, y)


def test_intervals_stay_between_none_and_all(few):
    X, y = make_blobs(900, 6, centers=3, cluster_std=0.1, random_state=0)
    model = LandmarkMap(LFDA(), 60, random_state=0).fit(X, y)
    for name, (low, high) in model.intervals_.items():
        assert 0.0 <= low <= model.scores_[name] <= high <= 1.0
    low, high = model.intervals_["unseen"]
    assert (model.scores_["unseen"], high) == (1.0, 1.0)
    assert model.within_ >= 1.0 - low > 0.0
    found = report(X, model.embedding_, y, n_samples=100, random_state=0)
    assert max(high for _, high in found.intervals.values()) <= 1.0
    assert 0.0 < found.within < 0.2


def drawn(X, codes, count, seed=0):
    return drawn_landmarks(X, codes, count, np.random.RandomState(seed))


def test_weights_follow_their_formula():
    X = RNG.normal(size=(80, 3))
    D = np.sort(cdist(X, X), axis=1)
    fifth = D[:, 5]  # after itself
    wanted = 0.5 + 0.5 * np.minimum(fifth / np.median(fifth), 4.0)
    assert_allclose(weights_in_class(X, np.random.RandomState(0)), wanted)


def test_many_objects_are_weighted_by_some(monkeypatch):
    monkeypatch.setattr(landmark_map, "N_OTHERS", 30)
    X = RNG.normal(size=(200, 3))
    some = np.sort(np.random.RandomState(4).choice(200, 30, replace=False))
    D = np.sort(cdist(X, X[some]), axis=1)
    fifth = D[:, 4]
    fifth[some] = D[some, 5]
    wanted = 0.5 + 0.5 * np.minimum(fifth / np.median(fifth), 4.0)
    assert_allclose(weights_in_class(X, np.random.RandomState(4)), wanted)


@pytest.mark.parametrize("X", [np.zeros((9, 2)), np.zeros((1, 2))])
def test_copies_and_lonely_objects_have_weight_1(X):
    assert_array_equal(weights_in_class(X, np.random.RandomState(0)), 1.0)


def test_mostly_copies_do_not_hide_the_others():
    X = np.concatenate([np.zeros((20, 2)), RNG.normal(size=(5, 2)) + 9.0])
    weights = weights_in_class(X, np.random.RandomState(0))
    assert (weights[:20] == 0.5).all()
    assert (weights[20:] > 0.5).all()


def test_objects_of_sparse_regions_are_drawn_more_often():
    X = np.concatenate([RNG.normal(size=(900, 2)), RNG.normal(20.0, 8.0, (100, 2))])
    codes = np.zeros(1000, dtype=int)
    shares = [(drawn(X, codes, 100, seed) >= 900).mean() for seed in range(30)]
    assert 0.15 < np.mean(shares) < 0.5  # of which 0.1 are there


def test_objects_are_drawn_in_proportion_to_their_weights(monkeypatch):
    weights = np.repeat([0.5, 2.5], 500)
    monkeypatch.setattr(landmark_map, "weights_in_class", lambda *_: weights)
    X, codes = np.zeros((1000, 1)), np.zeros(1000, dtype=int)
    heavy = [(drawn(X, codes, 20, seed) >= 500).mean() for seed in range(300)]
    assert abs(np.mean(heavy) - 5.0 / 6.0) < 0.02


def test_every_class_has_landmarks_and_more_of_them_are_the_same_ones():
    codes = np.repeat([0, 1, 2, 3], [900, 60, 30, 10])
    X = RNG.normal(size=(1000, 3))
    few, more, all_of_them = (drawn(X, codes, count) for count in (200, 400, 1000))
    assert set(few) <= set(more)
    assert_array_equal(np.bincount(codes[few]), [180, 20, 20, 10])
    assert_array_equal(few, np.unique(few))
    assert_array_equal(all_of_them, np.arange(1000))
    assert_array_equal(np.bincount(codes[drawn(X, codes, 8)]), [7, 2, 2, 2])


def test_equal_landmarks_are_refused():
    X = np.vstack([np.zeros((40, 3)), np.eye(3)])
    with pytest.raises(ValueError, match="3 landmarks are all equal"):
        LandmarkMap(PCA(2), n_landmarks=3, random_state=0).fit(X)
