from dataclasses import replace

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from labelscape.datasets import load
from labelscape.jobs import (
    METHODS,
    classifier_scene,
    classify_table,
    compare_methods,
    comparison_scene,
    map_scene,
    map_table,
)
from labelscape.quality import report
from labelscape.scene import decode, encode


@pytest.fixture(scope="module")
def compared():
    found = compare_methods(load("iris"), ["liram", "nexom"], judge=False)
    return found, comparison_scene(found)


def test_no_model_of_one_map_is_shown_on_another(compared):
    _, scene = compared
    assert scene.model is None
    assert scene.predictions is None
    assert scene.certainty is None
    assert all(one.prototypes is None for one in scene.maps)


def test_maps_have_the_names_that_people_read(compared):
    _, scene = compared
    assert scene.title == "iris: 2 maps"
    assert [one.name for one in scene.maps] == ["LiRaM LVQ", "NE-XOM"]
    assert len({method.title for method in METHODS}) == len(METHODS)


def test_the_table_of_the_terminal_is_on_the_page(compared):
    found, scene = compared
    table = decode(encode(scene)).comparison
    printed = [row.split() for row in str(found).splitlines()]
    for row, line in zip(table.rows, printed[1:], strict=False):
        assert list(row[1:]) == line[1:]
    assert [row[0] for row in table.rows] == ["LiRaM LVQ", "NE-XOM"]
    assert table.columns[0] == "map"
    words = " ".join(table.words)
    assert "5-NN accuracy" in words
    assert "there are no regions" in words


@pytest.fixture(scope="module")
def classified():
    found = classify_table(load("wine"), "logistic")
    return found, classifier_scene(found)


def test_the_page_of_a_classifier_says_how_good_it_is(classified):
    found, scene = classified
    shown = scene.maps[0]
    assert shown.name == "LogisticRegression"
    wanted = f"Right for {found.accuracy:.1%} of 54 held-out rows. "
    assert shown.words.startswith(wanted)


def test_its_quality_is_measured_in_the_features_that_the_classifier_sees(classified):
    found, scene = classified
    X, y = found.table.X, found.table.y
    wanted = report(StandardScaler().fit_transform(X), scene.maps[0].positions, y)
    rows = {row.name: row for row in scene.maps[0].quality.rows}
    for name in ("trustworthiness", "continuity"):
        assert rows[name].value == pytest.approx(wanted.scores[name], abs=0.01)
    nearest = rows["knn_accuracy"].original
    assert nearest == pytest.approx(wanted.original["knn_accuracy"], abs=0.02)
    assert np.max(scene.maps[0].quality.shepard.original) < 20


def test_pages_know_which_values_were_filled_in():
    wine = load("wine")
    names = wine.feature_names
    gaps = replace(wine, imputed={names[3]: np.array([2, 5]), names[7]: np.array([9])})
    found = map_table(gaps, "lda", judge=False)
    compared = compare_methods(gaps, ["lda"], judge=False)
    for scene in (map_scene(found), comparison_scene(compared)):
        rows = {f.name: f.imputed for f in scene.features if f.imputed is not None}
        assert list(rows) == [names[3], names[7]]
        assert rows[names[3]].tolist() == [2, 5]
