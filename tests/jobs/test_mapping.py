import numpy as np
import pytest

from labelscape.datasets import load, read_table
from labelscape.jobs._mapping import Effort, map_table


def table_of(X, y):
    columns = {f"x{j}": X[:, j] for j in range(X.shape[1])} | {"kind": y}
    pandas = pytest.importorskip("pandas")
    return read_table(pandas.DataFrame(columns), label="kind")


def test_the_same_seed_gives_the_same_result():
    first, second = (map_table(load("iris"), judge=False, seed=3) for _ in range(2))
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
    told = []

    def begin(words, total):
        return lambda *_: told.append((words, total))

    result = map_table(load("iris"), "lda", begin=begin)
    assert result.honesty.verdict.real == "yes"
    words = "Asking how honest LinearDiscriminantAnalysis is"
    assert told == [(words, 25)] * 25


def test_large_tables_are_judged_on_a_sample():
    effort = Effort(n_splits=1, n_permutations=2, rows=60)
    result = map_table(load("iris"), "pca", effort=effort)
    assert result.honesty_note == "Honesty from 60 random rows."
    assert len(result.honesty.null_splits) == 2


def test_a_map_that_cannot_place_new_objects_is_judged_with_a_kernel_map():
    effort = Effort(n_splits=1, n_permutations=2, rows=100)
    result = map_table(load("iris"), "wmds", effort=effort)
    assert "placed by a kernel map" in result.honesty_note
    assert result.honesty.unseen > 0.5


def test_a_class_of_one_object_leaves_the_map_without_a_judgement():
    rng = np.random.default_rng(0)
    table = table_of(rng.normal(size=(21, 3)), np.array(["a", "b"] * 10 + ["c"]))
    result = map_table(table, "pca")
    assert result.honesty is None
    assert "has 1 object" in result.honesty_note


def test_one_feature_gives_a_map_of_one_dimension():
    X = np.random.default_rng(0).normal(size=(30, 1))
    result = map_table(table_of(X, np.array(["a", "b", "c"] * 10)), judge=False)
    assert result.embedding.shape == (30, 1)


def test_a_table_without_classes_is_refused():
    table = read_table(np.random.default_rng(0).normal(size=(9, 2)))
    with pytest.raises(ValueError, match="has no classes"):
        map_table(table)


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
