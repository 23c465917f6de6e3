import sys
from dataclasses import replace

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler
from tests.jobs.cases import some_iris

import labelscape
from labelscape.cli._terminal import OPTIONS
from labelscape.datasets import load
from labelscape.jobs import (
    classify_table,
    compare_methods,
    map_table,
    method_named,
    prototype_table,
)
from labelscape.prototypes import KMeansPrototypes
from labelscape.quality import pointwise_distortion, report
from labelscape.scene import decode, encode


@pytest.fixture(scope="module")
def compared():
    found = compare_methods(load("iris"), ["liram", "nexom"], judge=False)
    return found, found.scene()


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


def test_the_recommended_map_comes_first_and_is_named(compared):
    scene = compared[1]
    assert scene.comparison.recommended == ""  # nothing was judged
    judged = compare_methods(load("iris"), ["pca", "lda"])
    best, shown = judged.recommended, decode(encode(judged.scene()))
    assert shown.comparison.recommended == method_named(best.method).title
    assert shown.maps[0].name == shown.comparison.recommended
    assert shown.comparison.words[0] == str(best)
    assert [row[0] for row in shown.comparison.rows] == [
        "Principal components",
        "Linear discriminant",
    ]


def test_the_table_of_the_terminal_is_on_the_page(compared):
    found, scene = compared
    table = decode(encode(scene)).comparison
    printed = [row.split() for row in str(found).splitlines()]
    for row, line in zip(table.rows, printed[1:], strict=False):
        assert list(row[1:]) == line[1:]
    assert [row[0] for row in table.rows] == ["LiRaM LVQ", "NE-XOM"]
    assert table.columns[0] == "map"
    words = " ".join(table.words)
    assert "all classes have the same weight" in words
    assert "has no regions" in words


@pytest.fixture(scope="module")
def classified():
    found = classify_table(load("wine"), "logistic")
    return found, found.scene()


def test_the_page_of_a_classifier_says_how_good_it_is(classified):
    found, scene = classified
    shown = scene.maps[0]
    assert shown.name == "LogisticRegression"
    assert shown.honesty.verdict == str(found.verdict)
    assert shown.honesty.lights[0].figure.startswith(f"{found.accuracy:.0%} of ")
    held_out = scene.held_out == 1
    contradicts = shown.regions.contradicts[held_out].mean()
    assert 1 - contradicts == pytest.approx(found.agreement)


def test_terminal_and_page_have_one_figure_of_what_is_far_from_data(classified):
    found, scene = classified
    far = scene.maps[0].regions.share_far
    assert f"{far:.0%} of the map is extrapolation" in str(found)
    assert scene.maps[0].regions.accuracy == found.verdict.accuracy


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
    for scene in (found.scene(), compared.scene()):
        rows = {f.name: f.imputed for f in scene.features if f.imputed is not None}
        assert list(rows) == [names[3], names[7]]
        assert rows[names[3]].tolist() == [2, 5]


@pytest.fixture(scope="module")
def mapped():
    result = map_table(some_iris(), "sammon", judge=False)
    return result, result.scene()


def test_a_page_is_called_by_the_title_of_its_method(mapped):
    scene = mapped[1]
    assert scene.title == "table: Sammon's mapping"
    assert scene.maps[0].name == "Sammon's mapping"


def fits_of(run):
    """Return the names of the models and maps that are fitted while a function runs."""
    fitted = set()

    def begin(frame, event, _):
        if event == "call" and frame.f_code.co_name in ("fit", "fit_transform"):
            fitted.add(type(frame.f_locals.get("self")).__name__)

    sys.setprofile(begin)
    try:
        run()
    finally:
        sys.setprofile(None)
    return fitted


@pytest.mark.parametrize("method", ["lfda", "liram", "crossfit"])
def test_a_scene_fits_nothing(method, monkeypatch):
    result = map_table(load("wine"), method, audit=True)
    compared = "labelscape.quality.audit.report.class_difference"
    monkeypatch.setattr(compared, lambda *_: pytest.fail("Classes were compared."))
    assert fits_of(result.scene) == set()


def test_what_a_page_shows_is_fitted_by_its_job():
    fitted = fits_of(lambda: map_table(load("iris"), "lda"))
    assert {"GMLVQ", "WeightedMDS", "KMeans"} <= fitted
    fitted = fits_of(lambda: prototype_table(load("iris"), "kmeans"))
    assert {"WeightedMDS", "KMeans"} <= fitted
    # Only regions on a map that is not the model's are found with the scene.
    for result in (
        prototype_table(load("iris"), "kmeans"),
        classify_table(load("iris"), "gmlvq"),
    ):
        assert fits_of(result.scene) == {"ClassifierMap"}


def test_without_explanations_a_page_says_why():
    result = map_table(load("wine"), "lda", judge=False, explain=False)
    scene = result.scene()
    assert scene.model is None
    assert scene.model_note == "Explanations were not requested."
    own = map_table(load("wine"), "liram", judge=False, explain=False).scene()
    assert own.model.name == "LiRaM LVQ"


def test_pages_know_that_the_jobs_standardise(mapped, classified):
    result, scene = mapped
    assert scene.model.unit == "standard_deviation"
    X, model = result.table.X, result.explains.model
    wanted = model[0].inverse_transform(model[-1].prototypes_)
    np.testing.assert_array_equal(scene.model.prototypes.values, wanted)
    factor = model[-1].metric_.shared / X.std(axis=0)
    np.testing.assert_allclose(scene.model.metric.factors, factor)
    assert classified[1].model is None


def test_a_saved_model_without_a_scaler_sees_the_units_of_the_data(tmp_path):
    iris, path = some_iris(), tmp_path / "m.labelscape"
    labelscape.save(KMeansPrototypes().fit(iris.X, iris.y), path)
    scene = classify_table(iris, model=path).scene()
    assert scene.model.unit == "data"
    assert "may have been trained on these rows" in scene.maps[0].honesty.verdict


def test_quality_is_measured_once_and_by_the_job(mapped, monkeypatch):
    def again(*_, **__):
        pytest.fail("It was measured again.")

    result, _ = mapped
    for name in ("neighborhoods", "report"):
        monkeypatch.setattr(f"labelscape.scene._trust.{name}", again)
    shown = result.scene().maps[0]
    scores = {row.name: row.value for row in shown.quality.rows}
    assert scores == result.quality.scores
    X = result.model[0].transform(result.table.X)
    wanted = pointwise_distortion(X, result.embedding)
    np.testing.assert_allclose(
        shown.distortion.false_neighbours, 1 - wanted.trustworthiness, atol=1e-6
    )
    np.testing.assert_allclose(
        shown.distortion.tears, np.clip(1 - wanted.continuity, 0, 1), atol=1e-6
    )


def test_a_comparison_has_honesty_where_it_was_measured():
    found = compare_methods(some_iris(), ["lda"])
    (shown,) = found.scene().maps
    assert shown.honesty.verdict == str(found.maps[0].honesty.verdict)


def test_a_map_says_how_honest_it_is():
    result = map_table(some_iris(), "lda")
    shown = result.scene().maps[0]
    assert shown.honesty.verdict == str(result.honesty.verdict)
    states = [light.state for light in shown.honesty.lights]
    assert states == ["good", "good", "fair"]
    rows = {row.name: row.value for row in shown.honesty.rows}
    assert rows["unseen"] == result.honesty.unseen
    assert len(shown.honesty.by_class) == 3
    tried = result.honesty.points.tried > 0
    np.testing.assert_array_equal(np.isfinite(shown.judged_right), tried)
    assert shown.words.startswith("Finds a linear projection")


def test_a_map_that_was_not_judged_says_so():
    shown = map_table(some_iris(), "lda", judge=False).scene().maps[0]
    assert shown.honesty.verdict == "Not tested: the test was not requested."
    assert {light.state for light in shown.honesty.lights} == {"none"}
    assert shown.judged_right is None


def test_the_page_of_prototypes_says_how_good_they_are_for_unseen_rows():
    found = prototype_table(some_iris(), "kmeans")
    shown = found.scene().maps[0]
    assert shown.honesty.verdict == str(found.verdict)
    right = float(shown.honesty.lights[0].figure.split("%")[0]) / 100
    assert right == pytest.approx(found.verdict.accuracy, abs=0.005)


def test_islands_stand_on_the_page_of_a_map_that_was_asked_for_them():
    result = map_table(load("iris"), "pca", judge=False, islands=True)
    shown = decode(encode(result.scene())).maps[0].islands
    assert [island.answer for island in shown.islands] == ["stable", "stable"]
    assert shown.islands[1].holds == "setosa (50)"
    np.testing.assert_array_equal(shown.islands[1].members, np.arange(50))
    assert shown.words[0] == "2 of 2 islands (clusters) are stable."
    without = map_table(some_iris(), "pca", judge=False)
    assert without.scene().maps[0].islands is None


def test_an_audit_stands_on_the_page_of_a_map_that_was_asked_for_one():
    result = map_table(load("iris"), "pca", judge=False, audit=True)
    scene = decode(encode(result.scene(wording=OPTIONS)))
    assert scene.audit.summary == result.audit.summary
    words = [finding.words for finding in scene.audit.findings]
    assert any("pass --drop 'petal width (cm)'" in one for one in words)
    without = map_table(some_iris(), "pca", judge=False).scene()
    assert (without.audit, without.audit_note) == (None, "the audit was not requested")
