import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from tests.scene.cases import iris, liram, push_and_grow

from labelscape import prototypes
from labelscape._core.errors import InputError
from labelscape._core.numerics import distance_terms
from labelscape.scene import Decider
from labelscape.scene._internal import scene_of as built_scene


def scene_of(model, X, y=None, **more):
    return built_scene(
        model, X, y, regions=False, quality=False, random_state=0, **more
    )


@pytest.mark.parametrize("model", [liram, push_and_grow])
def test_distances_and_explanations_are_those_of_explain(model):
    X, y = iris()
    scene = scene_of(model(), X, y)
    found = scene.model.explanations
    for i in (0, 70, 149):
        e = model().explain(X[i])
        row = np.searchsorted(found.objects, i)
        distances = [e.distances[c] for c in scene.classes]
        nearest = [e.nearest[c] for c in scene.classes]
        assert_allclose(scene.model.class_distances[i], distances, rtol=1e-6)
        assert_array_equal(scene.model.class_nearest[i], nearest)
        assert scene.model.member_of[i] == e.nearest[e.prediction]
        assert_allclose(found.contributions[row], e.contributions, rtol=1e-5)
        assert_allclose(found.changes[row], e.counterfactual - X[i], atol=1e-6)
        assert_allclose(
            found.change_distances[row], e.counterfactual_distance, rtol=1e-6
        )
        after = scene.classes[found.change_classes[row]]
        assert after == e.counterfactual_prediction


@pytest.mark.parametrize(
    "name", ["GLVQ", "GRLVQ", "GMLVQ", "LGMLVQ", "LiRaMLVQ", "LocalLiRaMLVQ"]
)
def test_the_metric_gives_the_distances(name):
    X, y = iris(30)
    model = getattr(prototypes, name)(prototypes_per_class=2, random_state=0).fit(X, y)
    X, y = X[::15], y[::15]
    scene = scene_of(model, X, y).model
    metric = scene.metric
    for i in (0, 1):
        for c in range(3):
            p = scene.class_nearest[i, c]
            factor = metric.factors
            factor = factor[p] if metric.kind == "local" else factor
            terms = distance_terms(X[i] - scene.prototypes.values[p], factor)
            assert_allclose(terms.sum(), scene.class_distances[i, c], rtol=1e-5)


@pytest.mark.parametrize(("model", "squared"), [(liram, True), (push_and_grow, False)])
def test_a_scene_says_whether_its_distances_are_squared(model, squared):
    X, y = iris()
    found = scene_of(model(), X, y).model
    assert found.squared is squared
    factor = found.metric.factors
    v = X[0] - found.prototypes.values[found.class_nearest[0, 0]]
    square = distance_terms(v, factor).sum()
    wanted = square if squared else np.sqrt(square)
    assert_allclose(found.class_distances[0, 0], wanted, rtol=1e-5)


def test_the_objects_behind_prototypes_are_those_the_model_kept():
    X, y = iris()
    model = push_and_grow()
    found = scene_of(model, X, y).model.prototypes
    assert_array_equal(found.medoids, model.medoids_)
    assert_array_equal(found.typical, model.typical_)
    assert_array_equal(found.hardest, model.hardest_)


def test_other_objects_behind_prototypes_are_found_among_those_shown():
    X, y = iris()
    model = liram()
    found = scene_of(model, X, y).model.prototypes
    D = model.metric_.distances(X)
    sure = model.predict_proba(X).max(axis=1)
    sure = np.where(model.predict(X) == y, sure, -sure)
    for p, label in enumerate(model.prototype_labels_):
        foreign = model.prototype_labels_ != label
        nearest = np.where(foreign, np.inf, D).argmin(axis=1)
        members = np.flatnonzero((y == label) & (nearest == p))
        assert found.medoids[p] == members[D[members, p].argmin()]
        assert {found.typical[p], found.hardest[p]} <= set(members)
        assert sure[found.hardest[p]] == pytest.approx(sure[members].min())
        assert sure[found.typical[p]] == pytest.approx(sure[members].max())


def test_of_equally_sure_objects_the_lead_tells_the_typical_from_the_hardest():
    X, y = iris()
    model = prototypes.GLVQ(random_state=0).fit(X, y)
    model.temperature_ = 1e-9  # sure of everything
    found = scene_of(model, X, y).model.prototypes
    near, far = np.sort(model.metric_.distances(X), axis=1)[:, :2].T
    right = model.predict(X) == y
    lead = np.where(right, 1.0, -1.0) * (far - near) / (far + near)
    for p, label in enumerate(model.prototype_labels_):
        members = np.flatnonzero(y == label)
        assert found.typical[p] == members[lead[members].argmax()]
        assert found.hardest[p] == members[lead[members].argmin()]


def test_members_are_counted_by_the_nearest_prototype():
    X, y = iris()
    found = scene_of(liram(), X, y).model
    counts = np.bincount(found.member_of, minlength=6)
    assert_array_equal(found.prototypes.n_members, counts)
    assert_array_equal(found.member_of, liram().metric_.distances(X).argmin(axis=1))


def test_distances_between_prototypes_are_as_the_model_measures():
    X, y = iris()
    between = scene_of(push_and_grow(), X, y).model.prototypes.distances
    W = push_and_grow().prototypes_
    assert_allclose(between, np.linalg.norm(W[:, None] - W, axis=2), atol=1e-12)


def test_a_class_that_the_model_does_not_know_is_infinitely_far():
    X, y = iris(30)
    y[-1] = "an orchid"
    scene = scene_of(liram(), X, y)
    assert scene.classes[0] == "an orchid"
    assert np.isinf(scene.model.class_distances[:, 0]).all()
    assert (scene.model.class_nearest[:, 0] == 255).all()
    assert np.isfinite(scene.model.class_distances[:, 1:]).all()
    assert_array_equal(scene.model.prototypes.labels, [1, 1, 2, 2, 3, 3])


def test_a_prototype_without_objects_stands_at_the_nearest_one():
    X, y = iris()
    model = prototypes.GLVQ(prototypes_per_class=2, random_state=0).fit(X, y)
    model.prototypes_[0] += 100.0
    options = {"regions": False, "quality": False}
    scene = built_scene(X[:, 2:], X, y, prototypes=model, **options)
    assert scene.model.prototypes.medoids[0] == -1
    assert scene.model.prototypes.n_members[0] == 0
    nearest = np.linalg.norm(X - model.prototypes_[0], axis=1).argmin()
    assert_allclose(scene.maps[0].prototypes[0], X[nearest, 2:], rtol=1e-6)


def test_distances_to_very_many_classes_are_left_out(monkeypatch):
    monkeypatch.setattr("labelscape.scene._model.MOST_DISTANCES", 449)
    X, y = iris()
    found = scene_of(push_and_grow(), X, y).model
    assert found.class_distances is None
    assert found.class_nearest is None
    assert_array_equal(found.prototypes.medoids, push_and_grow().medoids_)


def test_relevances_are_those_of_the_model():
    X, y = iris()
    assert_allclose(scene_of(liram(), X, y).model.relevances, liram().relevances_)
    local = prototypes.LGMLVQ(random_state=0).fit(X, y)
    found = scene_of(local, X[::15], y[::15]).model.relevances
    assert_allclose(found, local.relevances_.mean(axis=0))


def test_relevances_have_the_intervals_that_are_known():
    X, y = iris()
    model = prototypes.GMLVQ(random_state=0).fit(X, y)
    intervals = model.relevance_intervals(X, y, n_bootstraps=10)
    assert scene_of(model, X, y).model.relevance_intervals is None
    decider = Decider("GMLVQ", relevance_intervals=intervals)
    shown = scene_of(model, X, y, decider=decider, max_features=2)
    best = np.sort(np.argsort(-model.relevances_)[:2])
    assert_allclose(shown.model.relevance_intervals, intervals[best])


def test_errors_and_doubts_are_explained_first(monkeypatch):
    monkeypatch.setattr("labelscape.scene._model.MOST_EXPLAINED", 20)
    X, y = iris()
    scene = scene_of(push_and_grow(), X, y)
    objects = scene.model.explanations.objects
    assert len(objects) == 20
    assert (np.diff(objects.astype(int)) > 0).all()
    wrong = np.flatnonzero(scene.labels != scene.predictions)
    assert np.isin(wrong, objects).all()
    assert len(np.unique(scene.labels[objects])) == 3


def test_centres_of_classes_hold_their_members():
    X, y = iris()
    scene = scene_of(push_and_grow(), X, y)
    groups = scene.model.compressed
    assert len(groups.labels) == 15
    assert_array_equal(groups.labels[groups.member_of], scene.labels)
    assert groups.counts.sum() == 150


def test_agreement_of_the_class_level_is_counted_in_the_picture():
    X, y = iris()
    scene = scene_of(push_and_grow(), X, y)
    level = scene.model.class_levels[0]
    gaps = level.object_positions[:, None] - level.prototype_positions
    near = np.linalg.norm(gaps, axis=2).argmin(axis=1)
    same = scene.model.prototypes.labels[near] == scene.predictions[level.objects]
    assert level.agreement == pytest.approx(same.mean(), abs=0.01)


def test_the_class_level_is_drawn_for_each_weighting():
    X, y = iris()
    levels = scene_of(push_and_grow(), X, y).model.class_levels
    names = [level.weighting for level in levels]
    assert names == ["prototype", "same_class", "object", "uniform"]
    first, *_, uniform = levels
    assert_array_equal(uniform.objects, first.objects)
    assert not np.allclose(uniform.object_positions, first.object_positions)


def test_the_class_level_lies_as_the_map_does():
    X, y = iris()
    scene, mirrored = (scene_on(Z, X, y) for Z in (X[:, 2:], X[:, :1:-1]))
    level, other = scene.model.class_levels[0], mirrored.model.class_levels[0]
    own = level.object_positions - level.object_positions.mean(axis=0)
    wanted = scene.maps[0].positions[level.objects].astype(float)
    # No turn and no reflection brings the two closer together.
    cross = own.T @ (wanted - wanted.mean(axis=0))
    assert_allclose(cross, cross.T, rtol=1e-3)
    assert np.linalg.eigvalsh((cross + cross.T) / 2).min() >= 0
    size = np.ptp(own)
    assert_allclose(
        other.object_positions[:, ::-1], level.object_positions, atol=1e-3 * size
    )
    assert_allclose(
        np.linalg.norm(np.diff(other.prototype_positions, axis=0), axis=1),
        np.linalg.norm(np.diff(level.prototype_positions, axis=0), axis=1),
        rtol=1e-4,
    )


def scene_on(Z, X, y):
    model = push_and_grow()
    return built_scene(
        Z, X, y, prototypes=model, regions=False, quality=False, random_state=0
    )


def test_compression_says_how_many_centres_stand_for_the_objects():
    X, y = iris()
    options = {"regions": False, "quality": False, "random_state": 0}
    usual = built_scene(push_and_grow(), X, y, **options).model.compressed
    assert len(usual.counts) == 15
    more = built_scene(push_and_grow(), X, y, compression=0.2, **options)
    assert len(more.model.compressed.counts) == 30
    assert more.model.compressed.counts.sum() == 150
    with pytest.raises(ValueError, match="compression"):
        built_scene(push_and_grow(), X, y, compression=0.0, **options)


def test_the_user_chooses_the_points_among_the_prototypes():
    X, y = iris()
    rows = [140, 3, 77, 3]
    for given in (rows, np.isin(np.arange(150), rows)):
        for level in scene_of(liram(), X, y, class_points=given).model.class_levels:
            assert level.objects.tolist() == [3, 77, 140]
            assert level.object_positions.shape == (3, 2)
    usual = scene_of(liram(), X, y).model.class_levels[0]
    assert len(usual.objects) == 150
    for wrong in ([150], [0.5], np.ones(149, bool), [[1]], "all"):
        with pytest.raises(InputError, match="class_points must be a mask of 150"):
            scene_of(liram(), X, y, class_points=wrong)
