from dataclasses import replace

import numpy as np
import pytest
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.preprocessing import StandardScaler
from tests.jobs.cases import Ear, some_iris, table_of, without_classes

from labelscape._core.checks import ConstantFeatures
from labelscape._core.errors import ParameterError
from labelscape.datasets import load
from labelscape.embeddings import KernelTSNE, Sammon
from labelscape.jobs import Step, kept_map, place_rows
from labelscape.jobs.fitting import as_chosen, fitted_rows
from labelscape.jobs.map import NOT_REQUESTED, Effort, map_table
from labelscape.jobs.methods import METHODS
from labelscape.jobs.placed_rows import placement_scene


def test_the_same_seed_gives_the_same_result():
    first, second = (
        map_table(load("iris"), "liram", judge=False, seed=3) for _ in range(2)
    )
    np.testing.assert_array_equal(first.embedding, second.embedding)
    assert first.quality.scores == second.quality.scores


def test_the_model_places_rows_of_the_table_where_the_map_has_them():
    table = load("iris")
    result = map_table(table, "lfda", judge=False)
    np.testing.assert_allclose(result.model.transform(table.X), result.embedding)


def test_features_are_put_on_one_scale():
    table = load("wine")
    result = map_table(table, "pca", judge=False)
    assert result.quality.knn_accuracy_original > 0.9  # 0.77 on raw features


def test_honesty_is_measured_and_each_fit_told():
    ear = Ear()
    result = map_table(load("iris"), "lda", begin=ear)
    assert result.honesty.verdict.real == "yes"
    assert ear.steps[-2] == Step("judging", "LinearDiscriminantAnalysis", 8)
    assert ear.parts[-2] == 8
    assert ear.steps[-1] == Step("explaining")


def test_islands_are_found_where_they_are_asked_for_and_each_fit_told():
    ear = Ear()
    result = map_table(load("iris"), "pca", judge=False, islands=True, begin=ear)
    assert [island.size for island in result.islands] == [100, 50]
    assert {island.verdict for island in result.islands} == {"stable"}
    assert ear.steps[-2] == Step("resampling", "PCA", 10)
    assert ear.parts[-2] == 10
    assert list(result.seconds) == ["fit", "quality", "islands", "explanation"]


def test_a_method_that_fails_on_half_of_the_rows_has_no_islands(monkeypatch):
    def fail(*_, **__):
        raise ValueError("Too few\nrows.")

    monkeypatch.setattr("labelscape.jobs.map.islands_of", fail)
    result = map_table(some_iris(), "pca", judge=False, islands=True)
    assert str(result.islands) == "Islands were not tested: Too few rows."


def test_large_tables_are_judged_on_a_sample():
    effort = Effort(n_splits=1, n_refits=2, rows=80)
    result = map_table(load("iris"), "pca", effort=effort)
    n = result.honesty.n_judged
    assert 70 < n < 90
    assert f"Tested on {n} random rows of 150." in result.honesty.notes
    assert len(result.honesty.null_splits) == 2


def test_a_method_that_holds_all_pairs_is_fitted_to_some_rows(monkeypatch):
    some = tuple(replace(one, fits_rows=60) for one in METHODS if one.name == "nca")
    monkeypatch.setattr("labelscape.jobs.methods.METHODS", some)
    table = load("iris")
    result = map_table(table, "nca", judge=False)
    assert np.unique(table.y[result.fitted], return_counts=True)[1].tolist() == [20] * 3
    np.testing.assert_array_equal(result.fitted, fitted_rows(table.y, 60))
    assert result.record()["fitted_rows"] == 60
    assert result.fitted_words.startswith("Fitted to 60 of 150 rows; the others were")
    assert result.fitted_words in result.scene().maps[0].words
    scaled = StandardScaler().fit_transform(table.X)
    fitted = result.fitted
    alone = NeighborhoodComponentsAnalysis(2, random_state=0)
    alone.fit(scaled[fitted], table.y[fitted])
    np.testing.assert_allclose(alone.transform(scaled), result.embedding)


def test_rows_that_a_map_was_fitted_to_stand_where_the_fit_put_them(monkeypatch):
    some = tuple(replace(one, fits_rows=60) for one in METHODS if one.name == "tsne")
    monkeypatch.setattr("labelscape.jobs.methods.METHODS", some)
    result = map_table(load("iris"), "tsne", judge=False)
    own = result.model[-1].embedding_
    np.testing.assert_array_equal(result.embedding[result.fitted], own)


def test_a_map_of_all_rows_says_so():
    result = map_table(load("iris"), "nca", judge=False)
    assert result.fitted is None
    assert result.record()["fitted_rows"] == 150


def test_the_certificate_has_kernels_of_the_width_that_was_chosen():
    table = some_iris()
    estimator = KernelTSNE(perplexity=5, max_iter=20, random_state=0).fit(table.X)
    judged = as_chosen(estimator).get_params()
    assert judged["bandwidth"] == "global"
    assert judged["bandwidth_factor"] == estimator.factor_
    assert as_chosen(Sammon()).get_params() == Sammon().get_params()


def test_a_map_of_sharpened_probabilities_is_judged_with_them():
    fitted = map_table(load("iris"), "crossfit", judge=False).model[-1]
    assert len({trial.sharpness for trial in fitted.trials_}) == 2
    for sharpness, focus in ((1, fitted.focus_), (8, "auto")):
        fitted.sharpness_ = sharpness
        assert as_chosen(fitted).focus == focus


def test_a_map_that_cannot_place_new_objects_is_judged_with_a_kernel_map():
    effort = Effort(n_splits=1, n_refits=1, rows=100)
    result = map_table(load("iris"), "wmds", effort=effort)
    assert "A kernel map placed" in result.honesty_note
    assert result.honesty.unseen > 0.5


def test_a_class_of_one_object_does_not_keep_the_others_from_a_judgement():
    rng = np.random.default_rng(0)
    table = table_of(rng.normal(size=(61, 3)), np.array(["a", "b"] * 30 + ["c"]))
    result = map_table(table, "pca")
    assert result.honesty.left_out == ["c"]
    assert result.verdict.real == "no"


def test_rows_of_one_patient_stay_together():
    rng = np.random.default_rng(1)
    patients, of_row = rng.normal(size=(60, 10)), np.repeat(np.arange(60), 4)
    X = patients[of_row] + 0.1 * rng.normal(size=(240, 10))
    table = table_of(X, np.array(["ill", "well"])[rng.integers(2, size=60)[of_row]])
    found = map_table(replace(table, groups=of_row), "lfda").honesty
    assert found.units.n_units == 60
    assert found.verdict.real == "no"


def test_a_half_of_uneven_groups_is_large_enough_for_the_perplexity():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(24), [40, *[4] * 23])
    y = np.arange(132) % 2
    table = table_of(rng.normal(size=(132, 3)) + 2.0 * y[:, None], y)
    result = map_table(replace(table, groups=groups), "crossfit")
    assert result.honesty is not None


def test_a_method_that_fails_on_half_of_the_rows_is_not_tested(monkeypatch):
    def fails(*_, **__):
        raise ValueError("Half of them\nare too few.")

    monkeypatch.setattr("labelscape.jobs.map.honesty", fails)
    result = map_table(some_iris(), "pca")
    assert str(result.verdict) == "Not tested: Half of them are too few."


def test_one_feature_gives_a_map_of_one_dimension():
    X = np.random.default_rng(0).normal(size=(30, 1))
    result = map_table(
        table_of(X, np.array(["a", "b", "c"] * 10)), "liram", judge=False
    )
    assert result.embedding.shape == (30, 1)


def test_a_table_without_classes_is_refused():
    with pytest.raises(ValueError, match="has no classes, but a map needs them"):
        map_table(without_classes())


def test_parameters_reach_the_method_and_the_fit_can_be_watched():
    news = []
    found = map_table(
        load("iris"),
        "sammon",
        judge=False,
        parameters={"max_iter": 7},
        callback=news.append,
    )
    estimator = found.model[-1]
    assert estimator.max_iter == 7
    assert estimator.callback is None  # so that it can be saved, and judged in silence
    assert news
    assert "embedding" in news[-1]


def test_what_was_not_asked_for_is_said_and_every_step_is_timed():
    result = map_table(some_iris(), "pca", judge=False, explain=False)
    assert result.honesty is None
    assert result.honesty_note == NOT_REQUESTED
    assert list(result.seconds) == ["fit", "quality"]
    assert all(seconds >= 0 for seconds in result.seconds.values())


def test_other_seeds_give_other_maps_where_something_is_random():
    first, second = (
        map_table(some_iris(), "nexom", judge=False, seed=seed) for seed in (0, 1)
    )
    assert (first.embedding != second.embedding).any()


def test_a_parameter_that_makes_no_sense_is_named_before_anything_else_is_done():
    ear = Ear()
    with pytest.raises(ParameterError, match="Sammon: tol must be") as raised:
        map_table(some_iris(), "sammon", parameters={"tol": -1.0}, begin=ear)
    assert raised.value.parameter == "tol"
    assert ear.names == ["fitting"]


def test_an_unknown_method_is_refused():
    with pytest.raises(ValueError, match="There is no method 'tsme'"):
        map_table(some_iris(), "tsme")


def test_callbacks_of_others_are_left_alone():
    news = []
    map_table(some_iris(), "nca", judge=False, callback=news.append)
    assert news == []


def test_a_constant_feature_is_named_and_no_obstacle():
    iris = some_iris()
    table = table_of(iris.X, iris.y, dull=np.full(len(iris.y), 3.0))
    with pytest.warns(ConstantFeatures, match=r"dull\) and is ignored"):
        result = map_table(table, "pca", judge=False)
    same = map_table(iris, "pca", judge=False)
    np.testing.assert_allclose(result.embedding, same.embedding, atol=1e-9)


def test_a_table_in_which_nothing_varies_is_refused():
    table = table_of(np.ones((6, 2)), list("ababab"))
    with pytest.raises(ValueError, match="every feature is constant"):
        map_table(table, "pca")


def test_a_map_of_two_classes_by_fisher_has_one_dimension():
    iris = load("iris")
    table = table_of(iris.X[:100:2], iris.y[:100:2])
    assert map_table(table, "lda", judge=False).embedding.shape == (50, 1)


def test_an_audit_is_a_step_of_its_own_where_it_is_asked_for():
    ear = Ear()
    result = map_table(some_iris(), "pca", judge=False, audit=True, begin=ear)
    assert ear.names[-2:] == ["auditing", "explaining"]
    assert list(result.seconds) == ["fit", "quality", "audit", "explanation"]
    assert len(result.audit.given) == len(some_iris().X)
    without = map_table(some_iris(), "pca", judge=False)
    assert (without.audit, without.audit_note) == (None, "the audit was not requested")


def test_a_large_table_is_audited_only_if_somebody_says_so(monkeypatch):
    monkeypatch.setattr("labelscape.jobs.audit.MOST_ROWS", 40)
    result = map_table(some_iris(), "pca", judge=False, audit=None)
    assert result.audit is None
    assert result.audit_note.startswith("tables of more than 40 rows")


def test_a_table_that_can_not_be_audited_has_a_map_and_the_reason(monkeypatch):
    def fail(*_, **__):
        raise ValueError("There is one class.")

    monkeypatch.setattr("labelscape.jobs.audit.audited", fail)
    result = map_table(some_iris(), "pca", judge=False, audit=True)
    assert (result.audit, result.audit_note) == (None, "There is one class")


def test_a_map_can_have_three_dimensions_and_its_words_say_so():
    result = map_table(load("iris"), "pca", judge=True, parameters={"n_components": 3})
    assert result.embedding.shape == (150, 3)
    assert result.honesty.verdict.real == "yes"
    scene = result.scene()
    assert scene.maps[0].depth.points.shape == (150,)
    assert scene.maps[0].depth.prototypes is not None
    assert "The map has 3 dimensions." in scene.methods


def test_the_choice_for_three_dimensions_is_among_those_that_have_them():
    result = map_table(load("iris"), judge=False, parameters={"n_components": 3})
    assert result.embedding.shape == (150, 3)
    assert {one.method for one in result.choice.tried} == {"liram", "lfda"}


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("lda", "it separates 3 classes along 2 directions"),
        ("tsne", "its maps have at most 2 dimensions"),
        ("crossfit", "its maps have at most 2 dimensions"),
    ],
)
def test_a_method_without_a_third_dimension_says_so(method, words):
    with pytest.raises(ValueError, match=words) as error:
        map_table(load("iris"), method, judge=False, parameters={"n_components": 3})
    assert error.value.parameter == "n_components"
    assert "Leave out n_components, or choose another method." in str(error.value)


def test_more_dimensions_than_features_are_refused():
    table = table_of(np.random.default_rng(0).normal(size=(12, 2)), list("ab") * 6)
    with pytest.raises(ValueError, match="there are 2 features"):
        map_table(table, "pca", judge=False, parameters={"n_components": 3})


def test_new_rows_stand_in_three_dimensions_on_such_a_map():
    table = load("iris")
    found = map_table(table, "lfda", judge=False, parameters={"n_components": 3})
    kept = kept_map(found)
    placed = place_rows(kept, table)
    np.testing.assert_allclose(placed.placement.positions, found.embedding)
    assert placed.csv().startswith("row,id,x,y,z,class")
    scene = placement_scene(found.scene(), table, kept, placed, name="again")
    depths = scene.maps[0].depth.points
    np.testing.assert_allclose(depths[:150], depths[150:], rtol=1e-5, atol=1e-6)


def test_relevances_stand_with_their_intervals_the_largest_first():
    result = map_table(load("wine"), "liram", judge=False)
    model = result.model[-1]
    relevances = result.record()["relevances"]
    X = result.model[:-1].transform(result.table.X)
    intervals = model.relevance_intervals(X, result.table.y)
    best = result.table.feature_names[model.relevances_.argmax()]
    assert next(iter(relevances)) == best
    assert relevances[best] == {
        "relevance": model.relevances_.max(),
        "interval": intervals[model.relevances_.argmax()].tolist(),
    }
    low, high = relevances[best]["interval"]
    words = f"{best} {model.relevances_.max():.2f} ({low:.2f} to {high:.2f})"
    assert words in result.relevance_words
    lda = map_table(load("wine"), "lda", judge=False)
    assert lda.relevances is None
    assert lda.relevance_words == ""
