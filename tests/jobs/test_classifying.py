import json

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from tests.jobs.cases import some_iris, table_of, without_classes

import labelscape
from labelscape._core.checks import ConstantFeatures
from labelscape.datasets import load, read_table
from labelscape.embeddings import LFDA
from labelscape.jobs import classify, classify_table, method_named
from labelscape.jobs.classify import held_out_rows
from labelscape.jobs.methods import classifier_names
from labelscape.prototypes import GLVQ, KMeansPrototypes
from labelscape.scene import decode, encode


@pytest.mark.parametrize("name", classifier_names())
def test_every_classifier_is_trained_tested_and_pictured(name):
    table = some_iris()
    found = classify_table(table, name)
    assert found.name == method_named(name, None).estimator
    assert found.held_out.sum() == 15
    X, y = table.X[found.held_out], table.y[found.held_out]
    answers = found.classifier.predict(X)
    assert found.accuracy == pytest.approx(balanced_accuracy_score(y, answers))
    assert found.accuracy > 0.8
    assert found.agreement == found.picture.score(X) > 0.7
    assert set(found.seconds) == {"fit", "picture"}


def test_each_class_is_held_out_in_its_share():
    found = classify_table(load("iris"), "logistic")
    held = load("iris").y[found.held_out]
    counts = np.unique(held, return_counts=True)[1]
    assert abs(counts - 15).max() <= 1  # two rows are equal, and stay together


def test_the_same_seed_gives_the_same_split_classifier_and_picture():
    first, second, other = (
        classify_table(some_iris(), "forest", seed=seed) for seed in (4, 4, 5)
    )
    np.testing.assert_array_equal(first.held_out, second.held_out)
    assert (first.held_out != other.held_out).any()
    assert (first.accuracy, first.agreement) == (second.accuracy, second.agreement)
    np.testing.assert_array_equal(first.picture.embedding_, second.picture.embedding_)


def test_a_share_of_each_class_is_held_out_and_copies_stay_together():
    X = np.repeat(np.arange(30.0)[:, None], 2, axis=0)
    y = np.repeat(["a", "b", "c"], 20)
    fitted, held_out = held_out_rows(X, y, None, seed=3)
    assert not set(X[fitted, 0]) & set(X[held_out, 0])
    assert [np.sum(y[held_out] == c) for c in "abc"] == [6, 6, 6]
    again = held_out_rows(X, y, np.arange(60) // 10, seed=3)
    assert not set(again[0] // 10) & set(again[1] // 10)


def test_a_class_of_one_object_is_no_obstacle():
    iris = some_iris()
    y = iris.y.astype(object)
    y[0] = "alone"
    assert classify_table(table_of(iris.X, y), "logistic").accuracy > 0.5


def test_it_prints_and_records_what_it_found():
    found = classify_table(some_iris(), "logistic")
    assert str(found) == repr(found)
    says = "LogisticRegression, 15 rows held out.\nIs the classifier right? Yes: "
    assert str(found).startswith(says)
    assert "of the map is extrapolation (no data nearby)." in str(found)
    record = json.loads(json.dumps(found.record()))
    assert record["classifier"] == "LogisticRegression"
    assert record["held_out"] == 15
    assert record["accuracy"] == found.accuracy
    assert record["lights"][0]["question"] == "Is the classifier right?"
    low, high = record["accuracy_interval"]
    assert low <= found.accuracy <= high


@pytest.fixture
def saved(tmp_path):
    """A classifier of irises in a file."""
    iris, path = load("iris"), tmp_path / "m.labelscape"
    model = KMeansPrototypes(random_state=0).fit(iris.X, iris.y)
    labelscape.save(model, path, include_data=True)
    return path


def test_a_model_from_a_file_is_shown_with_a_word_of_warning(saved):
    found = classify_table(load("iris"), model=saved)
    assert found.name == "KMeansPrototypes"
    assert found.accuracy is None
    assert "may have been trained on these rows (it is right for " in str(found)
    assert found.agreement > 0.8
    assert found.verdict.lights[0].state == "none"


def test_a_model_of_other_classes_is_refused(tmp_path):
    iris, path = load("iris"), tmp_path / "m.labelscape"
    labelscape.save(GLVQ(random_state=0).fit(iris.X, [f"k{c}" for c in iris.y]), path)
    with pytest.raises(ValueError, match="none in common"):
        classify_table(iris, model=path)


def test_a_model_of_other_features_is_refused(saved):
    with pytest.raises(ValueError, match="on 4 features, but these data have 13"):
        classify_table(load("wine"), model=saved)


def test_a_map_is_no_classifier(tmp_path):
    iris, path = load("iris"), tmp_path / "m.labelscape"
    labelscape.save(LFDA().fit(iris.X, iris.y), path)
    with pytest.raises(ValueError, match="contains a LFDA, which is not a classifier"):
        classify_table(iris, model=path)


def test_parameters_reach_the_classifier():
    found = classify_table(some_iris(), "svm", parameters={"C": 7.0})
    assert found.classifier[-1].C == 7.0


def test_a_table_too_small_to_train_on_is_refused_in_words():
    few = table_of(np.array([[1.0], [2.0], [3.0], [5.0]]), list("abab"))
    with pytest.raises(ValueError, match="has 4 rows, too few to train a classifier"):
        classify_table(few)


def test_a_table_without_classes_is_refused():
    with pytest.raises(ValueError, match="has no classes, but a classifier needs"):
        classify_table(without_classes())


def test_an_unknown_classifier_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match=r"'forst'. Did you mean 'forest'\?"):
        classify_table(some_iris(), "forst")


def test_a_constant_feature_is_named_and_no_obstacle():
    iris = some_iris()
    table = table_of(iris.X, iris.y, dull=np.ones(len(iris.y)))
    with pytest.warns(ConstantFeatures, match="dull"):
        found = classify_table(table, "logistic")
    assert found.accuracy > 0.8


def test_of_a_large_table_a_part_is_pictured(monkeypatch):
    monkeypatch.setattr(classify, "PICTURED", 20)
    found = classify_table(some_iris(), "logistic")
    assert len(found.picture.embedding_) == 20
    assert found.held_out.sum() == 15


def test_the_picture_and_the_map_under_it_take_parameters():
    given = {"picture__lambda2": 1.0, "picture__projection": "lfda"}
    given |= {"picture__projection__n_neighbors": 5}
    picture = classify_table(load("iris"), "logistic", parameters=given).picture
    assert picture.lambda2 == 1.0
    assert picture.projection[-1].n_neighbors == 5


def test_an_unknown_parameter_of_the_picture_is_answered_with_all_names():
    with pytest.raises(ValueError, match=r"no parameter 'lambda3'.*lambda2"):
        classify_table(load("iris"), parameters={"picture__lambda3": 1.0})


def mixed_table(n=240):
    """Return a table with columns of numbers and categories, as a frame."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "dose": rng.normal(size=n),
            "site": rng.choice(["north", "south", "west"], n),
            "kind": rng.choice(["a", "b", "c", "d"], n),
            "weight": rng.normal(70, 9, size=n),
        }
    )
    effect = frame["dose"] + 2.0 * (frame["site"] == "south")
    frame["answer"] = np.where(effect + rng.normal(0, 0.3, n) > 0.7, "yes", "no")
    return frame


def test_the_page_of_a_forest_has_probabilities_and_what_would_change_decisions():
    table = read_table(mixed_table(), label="answer")
    found = classify_table(table, "forest")
    scene = decode(encode(found.scene()))
    P = found.classifier.predict_proba(table.X)
    np.testing.assert_allclose(scene.probabilities, P, atol=1e-6)
    changes = scene.changes
    assert changes.columns == ("dose", "kind", "site", "weight")
    column_of = np.array(table.encoder.feature_columns)
    for i in range(0, 240, 40):
        taken = changes.taken[changes.starts[i] : changes.starts[i + 1]]
        mine = table.X[i].copy()
        features = np.isin(column_of, [changes.columns[j] for j in taken])
        mine[features] = table.X[changes.other[i], features]
        said = found.classifier.predict(mine[None])[0]
        assert said == scene.classes[changes.answers[i]]
        assert said != found.classifier.predict(table.X[i : i + 1])[0]


def test_page_and_terminal_say_the_same_share_far_from_data():
    found = classify_table(read_table(mixed_table(), label="answer"), "forest")
    (shown,) = found.scene().maps
    assert shown.regions.share_far == found.record()["share_far_from_data"]


def pipeline_on(frame, *columns):
    """Return a pipeline that encodes the columns of a frame itself, fitted."""
    encode_words = (OneHotEncoder(handle_unknown="ignore"), ["site", "kind"])
    encode = make_column_transformer(encode_words, (StandardScaler(), list(columns)))
    model = make_pipeline(encode, RandomForestClassifier(20, random_state=0))
    return model.fit(frame[["site", "kind", *columns]], frame["answer"])


def test_a_model_that_encodes_columns_itself_gets_the_columns(tmp_path):
    frame = mixed_table()
    model = pipeline_on(frame, "weight", "dose")
    labelscape.save(model, tmp_path / "mine.labelscape", include_data=True)
    table = read_table(frame, label="answer", scale="standard")
    found = classify_table(table, model=tmp_path / "mine.labelscape")
    assert found.name == "RandomForestClassifier"
    columns = frame[["site", "kind", "weight", "dose"]]
    assert found.classifier.predict(table.X).tolist() == [*model.predict(columns)]
    P = model.predict_proba(columns)
    np.testing.assert_array_equal(found.classifier.predict_proba(table.X), P)
    scene = found.scene()
    np.testing.assert_allclose(scene.probabilities, P, atol=1e-6)


def test_a_model_of_columns_that_the_data_lack_names_them(tmp_path):
    frame = mixed_table()
    path = tmp_path / "mine.labelscape"
    labelscape.save(pipeline_on(frame, "weight", "dose"), path, include_data=True)
    less = read_table(frame.drop(columns="dose"), label="answer")
    with pytest.raises(ValueError, match="lack 'dose'"):
        classify_table(less, model=path)


def test_a_selector_of_columns_is_refused_with_what_to_do(tmp_path):
    frame = mixed_table()
    encode = make_column_transformer(
        (OneHotEncoder(), make_column_selector(dtype_include=["object", "string"])),
    )
    model = make_pipeline(encode, RandomForestClassifier(5, random_state=0))
    model.fit(frame[["site", "kind"]], frame["answer"])
    with pytest.raises(TypeError, match="a list of names instead of a function"):
        labelscape.save(model, tmp_path / "mine.labelscape")


def test_changed_decisions_are_named_where_classes_are_numbers():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(180, 3)), columns=list("abc"))
    frame["kind"] = np.arange(180) % 12
    frame["a"] += 3.0 * frame["kind"]
    found = classify_table(read_table(frame, label="kind"), "logistic")
    scene = found.scene()
    assert scene.classes[10] == "10"
    i = int(np.flatnonzero(found.held_out)[0])
    taken = scene.changes.taken[scene.changes.starts[i] : scene.changes.starts[i + 1]]
    mine = found.table.X[i].copy()
    mine[taken] = found.table.X[scene.changes.other[i], taken]
    said = found.classifier.predict(mine[None])[0]
    assert scene.classes[scene.changes.answers[i]] == str(said)
