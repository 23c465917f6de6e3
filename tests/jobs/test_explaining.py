from dataclasses import replace

import numpy as np
import pytest
from tests.jobs.cases import some_iris, table_of

from labelscape._resampling.voters import balanced_accuracy
from labelscape.datasets import load
from labelscape.jobs import explain, map_table
from labelscape.jobs.explain import explaining
from labelscape.jobs.map_result import predictions_of
from labelscape.scene import decode, encode


@pytest.fixture(scope="module")
def overlapping():
    """Four classes; two overlap, and one is in two groups on both sides of them."""
    rng = np.random.RandomState(0)
    codes = np.arange(240) % 4
    X = rng.normal(size=(240, 6))
    X[:, 0] += np.array([0.0, 0.5, -0.5, -4.0])[codes]
    X[codes == 0, 1] += np.where(rng.rand(60) < 0.5, 5.0, -5.0)
    y = np.array(["bus", "opel", "saab", "van"])[codes]
    result = map_table(table_of(X, y), "crossfit")
    return result, result.scene()


@pytest.fixture(scope="module")
def checkered():
    """A board of two colors, which a few prototypes can't scenes."""
    rng = np.random.RandomState(0)
    X = rng.uniform(0, 6, size=(600, 2))
    y = np.where(np.floor(X).sum(axis=1) % 2 == 0, "black", "white")
    result = map_table(table_of(X, y), "pca")
    return result, result.scene()


@pytest.mark.slow
def test_predictions_of_a_cross_fitted_map_are_those_of_models_that_did_not_see_the_row(
    overlapping,
):
    result, scene = overlapping
    said = result.model[-1].metric_.cross_fit_.probabilities_
    np.testing.assert_array_equal(scene.predictions, said.argmax(axis=1))
    np.testing.assert_allclose(scene.certainty, said.max(axis=1), rtol=1e-6)
    assert "were fitted without the row" in scene.predictions_note


def test_regions_say_what_the_models_of_the_map_say_of_the_points_around(overlapping):
    _, scene = overlapping
    regions = decode(encode(scene)).maps[0].regions
    assert regions.by == "cross-fitted models"
    # All buses stand on ground of their class, both groups of them.
    x0, y0, x1, y1 = regions.box
    rows, columns = regions.labels.shape
    Z = scene.maps[0].positions[scene.labels == 0]
    at_x = ((Z[:, 0] - x0) / (x1 - x0) * columns).astype(int)
    at_y = ((Z[:, 1] - y0) / (y1 - y0) * rows).astype(int)
    assert (regions.labels[at_y, at_x] == 0).mean() > 0.95


def test_the_accuracy_of_a_cross_fitted_map_is_that_of_its_shown_predictions(
    overlapping,
):
    _, scene = overlapping
    codes, shown = scene.labels.astype(int), scene.predictions.astype(int)
    right = balanced_accuracy(shown, codes, 4)
    assert scene.maps[0].regions.accuracy == right
    # Four classes of 60 rows: what the search for `prediction != class` counts.
    assert right == pytest.approx(1 - (shown != codes).mean())


def test_a_point_in_a_region_of_another_class_than_its_prediction_is_marked(
    overlapping,
):
    _, scene = overlapping
    regions = scene.maps[0].regions
    assert regions.contradicts.any()
    assert regions.agreement == pytest.approx(1 - regions.contradicts.mean())
    assert regions.agreement > 0.9


def test_the_model_that_explains_is_the_best_for_held_out_rows_and_says_how_good(
    overlapping,
):
    result, scene = overlapping
    found, codes = result.explains, scene.labels.astype(int)
    # One prototype for each class would be wrong for a class in two groups.
    assert len(found.model[-1].prototypes_) > 4
    assert found.accuracy == balanced_accuracy(found.answers.codes, codes, 4)
    assert scene.model.name == found.title
    assert scene.model.accuracy == found.accuracy
    assert f"right for {found.accuracy:.0%} of held-out rows" in scene.model.words
    assert found.accuracy >= result.accuracy - 0.05


def test_a_map_with_prototypes_explains_itself_and_its_predictions_are_held_out():
    result = map_table(some_iris(), "liram", judge=False)
    found, scene = result.explains, result.scene()
    assert found.model is result.model
    assert scene.model.name == "LiRaM LVQ"
    assert scene.maps[0].regions.by == "LiRaM LVQ"
    assert scene.maps[0].regions.accuracy == found.accuracy
    np.testing.assert_array_equal(scene.predictions, found.answers.codes)
    regions = scene.maps[0].regions
    said = np.unique(result.table.y, return_inverse=True)[0].tolist().index
    seen = np.array([said(one) for one in result.model.predict(result.table.X)])
    np.testing.assert_array_equal(regions.contradicts, seen != scene.predictions)
    assert regions.agreement == 1 - regions.contradicts.mean()


def test_where_prototypes_are_much_worse_than_the_map_none_are_shown(checkered):
    result, scene = checkered
    found = result.explains
    assert found.accuracy < result.accuracy - 0.05
    assert found.model is None
    assert scene.model is None
    assert scene.predictions is None
    assert scene.maps[0].prototypes is None
    assert (
        f"neighbors on the map are right for {result.accuracy:.0%}" in scene.model_note
    )
    assert decode(encode(scene)).model_note == scene.model_note


def test_regions_of_other_maps_are_those_of_their_certificate(checkered):
    result, scene = checkered
    regions = scene.maps[0].regions
    assert regions.by == "the 5 nearest points"
    assert regions.accuracy == result.honesty.unseen


def test_a_map_whose_own_prototypes_are_poor_is_explained_by_others():
    rng = np.random.RandomState(0)
    codes = np.arange(300) % 2
    X = rng.normal(size=(300, 4))
    # One class on both sides of the other: one prototype each is not enough.
    X[:, 0] += np.where(codes == 1, 0.0, np.where(rng.rand(300) < 0.5, 6.0, -6.0))
    result = map_table(table_of(X, np.array(["in", "out"])[1 - codes]), "liram")
    found, scene = result.explains, result.scene()
    assert found.model is not result.model
    assert found.accuracy > 0.95
    assert scene.maps[0].regions.by == "the 5 nearest points"


def test_of_large_tables_some_rows_are_tried_and_fitted(monkeypatch):
    result = map_table(load("wine"), "pca", judge=False)
    monkeypatch.setattr(explain, "MOST_TRIED", 90)
    monkeypatch.setattr(explain, "MOST_FITTED", 60)
    found = explaining(result.table, result.model, None, result.accuracy)
    # As many as the scaler of its pipeline has seen.
    assert found.model[0].n_samples_seen_ == 60
    known = predictions_of(result, found)
    right = known.codes == np.unique(result.table.y, return_inverse=True)[1]
    assert right.mean() > 0.9


def test_classes_of_one_row_are_no_reason_to_explain_nothing():
    iris = some_iris()
    y = np.asarray(iris.y).astype(object)
    y[0] = "alone"
    result = map_table(replace(iris, y=y.astype(str)), "lda", judge=False)
    found = result.explains
    assert found.accuracy > 0.6
    assert len(found.answers.codes) == len(y)
