import numpy as np
import pytest
from numpy.testing import assert_allclose
from tests.scene.cases import iris, liram

from labelscape.prototypes import PushAndGrow
from labelscape.scene import decode, encode
from labelscape.scene._internal import scene_of
from labelscape.scene.scene import Scaled

PLAIN = {"regions": False, "quality": False, "random_state": 0}


def names(scene):
    return [feature.name for feature in scene.features]


def test_features_have_the_range_of_their_values():
    X, y = iris()
    X[0, 0], X[1, 0] = np.nan, np.inf
    scene = scene_of(X[:, 1:3], X, y, **PLAIN)
    first = scene.features[0]
    assert_allclose(
        (first.low, first.high), (X[2:, 0].min(), X[2:, 0].max()), rtol=1e-6
    )
    assert np.isnan(first.values[:2]).all()  # infinity is no value that can be drawn


def test_a_feature_without_any_value_is_empty():
    X, y = iris(12)
    X[:, 0] = np.nan
    feature = scene_of(X[:, 1:3], X, y, **PLAIN).features[0]
    assert (feature.low, feature.high) == (0.0, 0.0)
    assert np.isnan(feature.values).all()


def test_of_many_features_those_that_tell_the_classes_apart_are_shown():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 400))
    y = np.arange(60) % 3
    X[:, 7] += 3 * y
    X[:, 300] -= 4 * y
    X[:, 5] *= 1000  # its size says nothing about the classes
    scene = scene_of(X[:, :2], X, y, max_features=2, **PLAIN)
    assert names(scene) == ["x8", "x301"]
    assert scene.n_features == 400
    assert scene.subtitle == "60 points, 400 features, 3 classes"


def test_without_labels_those_that_vary_are_shown():
    X = np.random.default_rng(0).normal(size=(60, 40))
    X[:, 5] *= 1000
    assert names(scene_of(X[:, :2], X, max_features=1, **PLAIN)) == ["x6"]


def test_a_model_with_relevances_chooses_by_them():
    X, y = iris()
    scene = scene_of(liram(), X, y, max_features=2, **PLAIN)
    best = np.sort(np.argsort(-liram().relevances_)[:2])
    assert names(scene) == [f"x{j + 1}" for j in best]
    assert_allclose(scene.model.relevances, liram().relevances_[best])
    assert_allclose(scene.model.prototypes.values, liram().prototypes_[:, best])
    assert scene.model.explanations.contributions.shape == (150, 2)
    assert scene.model.metric is None  # it needs all features


def test_many_points_leave_room_for_fewer_features(monkeypatch):
    monkeypatch.setattr("labelscape.scene._features.MOST_VALUES", 350)
    X, y = iris()
    assert len(scene_of(X[:, :2], X, y, **PLAIN).features) == 2


def test_wide_data_are_shown_with_a_model():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 5000))
    y = np.arange(20) % 2
    X[:, 0] += 5 * y
    scene = scene_of(PushAndGrow().fit(X, y), X, y, max_features=10, **PLAIN)
    assert names(scene)[0] == "x1"
    assert scene.model.prototypes.values.shape[1] == 10


def test_dates_and_truth_values_are_told_from_numbers():
    X, y = iris()
    kinds = [None, "date", "truth", None]
    scene = scene_of(X[:, 1:3], X, y, feature_kinds=kinds, **PLAIN)
    assert [feature.kind for feature in decode(encode(scene)).features] == kinds
    few = scene_of(liram(), X, y, feature_kinds=kinds, max_features=2, **PLAIN)
    best = np.sort(np.argsort(-liram().relevances_)[:2])
    assert [feature.kind for feature in few.features] == [kinds[j] for j in best]


@pytest.mark.parametrize("kinds", [["date"], [None, None, None, "colour"]])
def test_kinds_of_features_that_are_none_are_refused(kinds):
    X, y = iris()
    with pytest.raises(ValueError, match="for each of the 4 features, got"):
        scene_of(X[:, 1:3], X, y, feature_kinds=kinds, **PLAIN)


def test_days_stay_days_also_of_very_many_points(monkeypatch):
    monkeypatch.setattr("labelscape.scene._features.MANY_POINTS", 10)
    X, y = iris()
    X[:, 1] = np.arange(150) * 137
    kinds = [None, "date", None, None]
    number, day, *_ = scene_of(X[:, 2:], X, y, feature_kinds=kinds, **PLAIN).features
    assert isinstance(number.values, Scaled)
    assert_allclose(day.values, X[:, 1], rtol=0)


def test_assumed_values_are_told_from_measured_ones():
    X, y = iris()
    imputed = {"x4": np.array([7, 2]), "x2": [], "x3": [149]}
    scene = scene_of(X[:, 1:3], X, y, imputed=imputed, **PLAIN)
    rows = [feature.imputed for feature in decode(encode(scene)).features]
    assert rows[:2] == [None, None]
    assert [rows[2].tolist(), rows[3].tolist()] == [[149], [2, 7]]
    assert rows[3].dtype == np.uint32


def test_of_many_features_the_shown_ones_keep_their_assumed_values():
    X, y = iris()
    imputed = {f"x{j + 1}": [j] for j in range(4)}
    few = scene_of(liram(), X, y, imputed=imputed, max_features=2, **PLAIN)
    best = np.sort(np.argsort(-liram().relevances_)[:2])
    assert [feature.imputed.tolist() for feature in few.features] == [[j] for j in best]


@pytest.mark.parametrize(
    ("imputed", "words"),
    [
        ({"x5": [0]}, "imputed contains 'x5', which is not a feature"),
        ({"x1": [150]}, r"rows from 0 to 149, got \[150\] for 'x1'"),
        ({"x1": [-1]}, r"rows from 0 to 149, got \[-1\]"),
        ({"x1": [0.5]}, r"rows from 0 to 149, got \[0.5\]"),
    ],
)
def test_assumed_values_that_are_nowhere_are_refused(imputed, words):
    X, y = iris()
    with pytest.raises(ValueError, match=words):
        scene_of(X[:, 1:3], X, y, imputed=imputed, **PLAIN)
