import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA
from sklearn.manifold import SpectralEmbedding
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.quality.certificate.cases import balanced_votes
from threadpoolctl import threadpool_limits

import labelscape
from labelscape._core.errors import InputWarning
from labelscape.embeddings import LFDA, KernelMap, LandmarkMap
from labelscape.embeddings.landmarks import _growth, landmark_map
from labelscape.quality import report
from labelscape.quality.certificate import whole as judged_wholes


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(900, 6, centers=4, cluster_std=4.0, random_state=0)


@pytest.fixture
def few(monkeypatch):
    """Samples that are small, so that little data are many."""
    monkeypatch.setattr(landmark_map, "FEWEST_MEASURED", 100)
    monkeypatch.setattr(judged_wholes, "MOST_JUDGED", 200)
    monkeypatch.setattr(judged_wholes, "FEWEST_OF_CLASS", 40)
    monkeypatch.setattr(_growth, "FIRST", 40)
    monkeypatch.setattr(_growth, "FEWEST_TRIED", 300)


def test_landmarks_are_fitted_and_the_others_placed(blobs):
    X, y = blobs
    model = LandmarkMap(LFDA(), n_landmarks=100, random_state=0).fit(X, y)
    assert model.n_landmarks_ == 100
    assert model.embedding_.shape == (900, 2)
    assert_array_equal(np.bincount(y[model.landmarks_]), 25)
    alone = LFDA().fit(X[model.landmarks_], y[model.landmarks_])
    assert_allclose(model.embedding_, alone.transform(X), atol=1e-12)
    assert_allclose(model.transform(X[:5]), model.embedding_[:5], atol=1e-12)
    assert [step.gain for step in model.growth_] == [None]


def test_a_map_that_places_nothing_gets_kernels(blobs):
    X, _ = blobs
    spectral = SpectralEmbedding(affinity="rbf", random_state=0)
    model = LandmarkMap(spectral, 60, random_state=0).fit(X)
    assert isinstance(model.estimator_, KernelMap)
    assert_array_equal(model.embedding_[model.landmarks_], model.estimator_.embedding_)
    assert "unseen" not in model.scores_


def test_intervals_hold_the_figures_of_the_whole_in_38_of_40_trials(few, blobs):
    X, y = blobs
    held, widths = {}, []
    for seed in range(40):
        model = LandmarkMap(
            PCA(2), n_landmarks=60, tolerance=0.1, random_state=seed
        ).fit(X, y)
        whole = report(X, model.embedding_, y, max_pairs=100).scores
        whole["unseen"] = balanced_votes(model.embedding_, y, model.landmarks_)
        for name, (low, high) in model.intervals_.items():
            held[name] = held.get(name, 0) + (low <= whole[name] <= high)
        widths.append(model.within_)
    assert len(held) == 7
    assert min(held.values()) >= 38
    assert 0.0 < max(widths) <= 0.1


def test_landmarks_grow_until_twice_as_many_show_the_whole_no_better(few, blobs):
    X, y = blobs
    coarse, fine = (
        LandmarkMap(LFDA(), tolerance=tolerance, random_state=0).fit(X, y)
        for tolerance in (0.5, 0.01)
    )
    assert [step.n_landmarks for step in coarse.growth_] == [40, 80]
    assert coarse.growth_[-1].gain <= 0.5
    sizes = [step.n_landmarks for step in fine.growth_]
    assert sizes[:4] == [40, 80, 160, 320]
    last = fine.growth_[-1]
    assert last.gain <= 0.01 or last.n_landmarks == 900
    assert all(step.gain > 0.01 for step in fine.growth_[1:-1])
    assert fine.within_ <= 0.01
    assert set(coarse.landmarks_) <= set(fine.landmarks_)


def test_a_gain_is_that_of_all_objects_where_all_are_tried(few, blobs):
    X, y = blobs
    model = LandmarkMap(LFDA(), tolerance=1e-3, random_state=0).fit(X, y)
    maps = [
        LandmarkMap(LFDA(), n_landmarks=m, tolerance=1e-3, random_state=0).fit(X, y)
        for m in (40, 80)
    ]
    before, after = (one.scores_ for one in maps)
    gains = [after[name] - before[name] for name in after if name != "unseen"]
    assert_allclose(model.growth_[1].gain, max(gains), atol=1e-12)


def test_who_stops_before_it_is_good_is_warned(few, blobs, monkeypatch):
    X, y = blobs
    monkeypatch.setattr(_growth, "MOST", 80)
    with pytest.warns(InputWarning, match="the last step, to 80 landmarks, still"):
        LandmarkMap(LFDA(), tolerance=1e-3, random_state=0).fit(X, y)


def test_few_objects_are_all_landmarks(blobs):
    X, y = blobs
    model = LandmarkMap(LFDA()).fit(X[:30], y[:30])
    assert model.n_landmarks_ == 30
    assert (model.within_, "unseen" in model.scores_) == (0.0, False)
    assert model.words_ == "Fitted to all 30 objects; all were measured."
    assert LandmarkMap(LFDA(), 31).fit(X[:30], y[:30]).n_landmarks_ == 30


def test_what_was_done_is_told_in_a_sentence(few, blobs):
    X, y = blobs
    model = LandmarkMap(PCA(2), 60, tolerance=0.1, random_state=0).fit(X, y)
    start = "Fitted to 60 of 900 objects, the others placed; the whole is shown within"
    assert model.words_.startswith(start)
    assert model.words_.endswith(f"± {model.within_:.2g}.")


def test_the_same_seed_gives_the_same_bits_with_any_number_of_threads(few, blobs):
    X, y = blobs
    maps = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            model = LandmarkMap(LFDA(), tolerance=0.1, random_state=3).fit(X, y)
        maps.append(model)
    assert_array_equal(maps[0].embedding_, maps[1].embedding_)
    assert maps[0].intervals_ == maps[1].intervals_


def test_it_stands_in_pipelines_and_is_saved(few, blobs, tmp_path):
    X, y = blobs
    landmarks = LandmarkMap(LFDA(), 60, tolerance=0.1, random_state=0)
    model = make_pipeline(StandardScaler(), landmarks).fit(X, y)
    labelscape.save(model, tmp_path / "map.labelscape", include_data=True)
    again = labelscape.load(tmp_path / "map.labelscape")
    assert_array_equal(again.transform(X[:9]), model.transform(X[:9]))
    assert again[-1].growth_ == model[-1].growth_
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
    with pytest.raises(ValueError, match="n_landmarks must be 'auto', or a whole"):
        LandmarkMap(LFDA(), 2).fit(X, y)
    with pytest.raises(ValueError, match="tolerance must be a number above 0"):
        LandmarkMap(LFDA(), tolerance=0.0).fit(X, y)
    with pytest.raises(ValueError, match="embedder must be a map"):
        LandmarkMap(3).fit(X, y)


def test_nothing_is_warned_of_usual_data(few, blobs):
    X, y = blobs
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        LandmarkMap(PCA(2), tolerance=0.2, random_state=0).fit(X, y)


def test_landmarks_end_at_the_most_there_may_be():
    class Fitted:
        def __init__(self, count):
            self.landmarks = np.arange(count)

    class Tried:
        scores = staticmethod(lambda found: None)
        gain = staticmethod(lambda before, after: 1.0)

    steps = _growth._grown(Fitted, Tried(), 10**6, 0.02)[1]
    assert [step.n_landmarks for step in steps][-2:] == [32_000, _growth.MOST]


def test_intervals_stay_between_none_and_all(few):
    X, y = make_blobs(900, 6, centers=3, cluster_std=0.1, random_state=0)
    model = LandmarkMap(LFDA(), 60, tolerance=0.1, random_state=0).fit(X, y)
    for name, (low, high) in model.intervals_.items():
        assert 0.0 <= low <= model.scores_[name] <= high <= 1.0
    low, high = model.intervals_["unseen"]
    assert (model.scores_["unseen"], high) == (1.0, 1.0)
    assert model.within_ >= 1.0 - low > 0.0
    found = report(X, model.embedding_, y, n_samples=100, random_state=0)
    assert max(high for _, high in found.intervals.values()) <= 1.0
    assert 0.0 < found.within < 0.2
