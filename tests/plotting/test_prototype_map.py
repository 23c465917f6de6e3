import numpy as np
import pytest
from sklearn.decomposition import PCA

from labelscape.embeddings import hyperbolic_focus
from labelscape.plotting import plot_prototype_map
from labelscape.prototypes import (
    GLVQ,
    GRLVQ,
    LGMLVQ,
    LiRaMLVQ,
    LocalLiRaMLVQ,
    PushAndGrow,
)

MODELS = [
    GLVQ(random_state=0),
    GRLVQ(random_state=0),
    LiRaMLVQ(random_state=0),
    LGMLVQ(random_state=0),
    LocalLiRaMLVQ(2, localization="prototype", random_state=0),
]


@pytest.mark.parametrize("model", MODELS)
def test_distances_are_those_the_model_decides_by(groups, model):
    X, y = groups(3, n_features=4)
    model.fit(X, y)
    nearest = model.metric_.lengths(X).argmin(axis=1)
    np.testing.assert_array_equal(model.prototype_labels_[nearest], model.predict(X))
    found = model.explain(X[0]).distances
    d = model.metric_.lengths(X[:1])[0]
    for c, label in enumerate(model.classes_):
        mine = d[model.prototype_labels_ == label].min()
        assert mine**2 == pytest.approx(found[c], rel=1e-9)


@pytest.mark.parametrize("model", [GLVQ(random_state=0), GRLVQ(random_state=0)])
def test_images_have_the_distances_of_the_model(groups, model):
    X, y = groups(3, n_features=4)
    model.fit(X, y)
    metric = model.metric_
    gaps = metric.images(X)[:, None] - metric.images(metric.prototypes)
    d = np.linalg.norm(gaps, axis=2)
    np.testing.assert_allclose(d, metric.lengths(X))


def test_the_object_level_shows_exact_radii_and_writes_the_distances(groups):
    X, y = groups(3, n_features=4)
    model = PushAndGrow().fit(X, y)
    ax = plot_prototype_map(model, X[0], level="object")
    prototypes = [c.get_offsets()[0] for c in ax.collections[:3]]
    distances = list(model.explain(X[0]).distances.values())
    np.testing.assert_allclose(
        np.linalg.norm(prototypes, axis=1), np.square(distances), rtol=1e-9
    )
    texts = [text.get_text() for text in ax.texts]
    assert texts == [f"{c}  {d:.3g}" for c, d in enumerate(distances)]
    assert ax.get_title(loc="left").startswith("Predicted 0")


@pytest.mark.parametrize("model", MODELS)
def test_every_model_can_explain_one_object(groups, model):
    X, y = groups(3, n_features=4)
    ax = plot_prototype_map(model.fit(X, y), X[:1], level="object")
    assert len(ax.texts) == 3


def test_the_object_level_of_forty_classes_has_no_overlapping_names(groups, boxes_of):
    X, y = groups(40, n_features=4, n_each=3)
    ax = plot_prototype_map(PushAndGrow().fit(X, y), X[0], level="object")
    boxes = boxes_of(ax.texts)
    overlap = (boxes[:, None, :2] < boxes[None, :, 2:] - 1).all(axis=2)
    assert np.triu(overlap & overlap.T, 1).sum() == 0


def test_an_object_that_is_a_prototype_stands_in_the_middle(groups):
    X, y = groups(3, n_features=4)
    model = PushAndGrow().fit(X, y)
    ax = plot_prototype_map(model, model.prototypes_[1], level="object")
    np.testing.assert_allclose(ax.collections[1].get_offsets(), [[0, 0]], atol=1e-9)


def test_the_class_level_shows_prototypes_and_objects(groups):
    X, y = groups(3, n_features=4)
    ax = plot_prototype_map(LiRaMLVQ(random_state=0).fit(X, y), X[::4])
    points, *prototypes = ax.collections
    assert len(points.get_offsets()) == 9
    assert len(prototypes) == 3
    assert "agreement" in ax.get_title(loc="left")


def test_the_level_of_classes_can_show_prototypes_alone(groups):
    ax = plot_prototype_map(PushAndGrow().fit(*groups(3, n_features=4)))
    assert ax.get_title(loc="left") == "3 prototypes"


def test_the_data_level_shows_all_objects(groups):
    X, y = groups(3, n_features=4)
    ax = plot_prototype_map(PushAndGrow().fit(X, y), X, y, level="data")
    assert len(ax.collections[0].get_offsets()) == len(X)


def test_many_objects_are_drawn_as_groups_of_their_size(groups):
    X, y = groups(3, n_features=3, n_each=300)
    ax = plot_prototype_map(PushAndGrow().fit(X, y), X, y, level="data")
    assert ax.get_title(loc="left").startswith("Feature space: 900 samples in 5")
    assert len(np.unique(ax.collections[0].get_sizes())) > 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"level": "object"}, "Pass them as X"),
        ({"level": "object", "X": np.zeros((2, 4))}, "one sample, got 2"),
        ({"level": "data", "X": np.zeros((2, 4))}, "Pass y"),
        ({"level": "atom"}, "level must be"),
    ],
)
def test_what_is_missing_is_said_in_words(groups, arguments, words):
    model = PushAndGrow().fit(*groups(3, n_features=4))
    with pytest.raises(ValueError, match=words):
        plot_prototype_map(model, **arguments)


def test_models_that_cannot_be_drawn_are_refused(groups):
    X, y = groups(3, n_features=4)
    with pytest.raises(ValueError, match="no common space"):
        plot_prototype_map(LGMLVQ(random_state=0).fit(X, y), X)
    with pytest.raises(ValueError, match="PCA has no prototypes_"):
        plot_prototype_map(PCA().fit(X), X)
    D = np.linalg.norm(X[:, None] - X[None, :], axis=2)
    with pytest.raises(ValueError, match="precomputed"):
        plot_prototype_map(PushAndGrow(metric="precomputed").fit(D, y))


@pytest.mark.parametrize("level", ["data", "classes", "object"])
def test_a_disc_holds_all_points_around_its_focus(groups, level):
    X, y = groups(3, n_features=4)
    model = PushAndGrow().fit(X, y)
    given = (X[0],) if level == "object" else (X, y)
    flat, disc = (
        plot_prototype_map(model, *given, level=level, disc=is_disc)
        for is_disc in (False, True)
    )
    before, after = (
        np.vstack([one.get_offsets() for one in ax.collections]) for ax in (flat, disc)
    )
    focus = before.mean(axis=0)
    if level == "object":  # the sample, drawn last, is in the middle of both
        before, after, focus = before[:-1], after[:-1], np.zeros(2)
    np.testing.assert_allclose(after, hyperbolic_focus(before, focus), atol=1e-9)
    assert disc.patches[-1].get_radius() == 1.0
    assert disc.get_xlim()[0] < -1.0
