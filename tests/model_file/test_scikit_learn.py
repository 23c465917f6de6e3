"""Pipelines of scikit-learn, and by skops its classifiers, in model files."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, NeighborhoodComponentsAnalysis
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from labelscape import load, save
from labelscape._model_file import can_hold
from labelscape.embeddings import LFDA
from labelscape.prototypes import GMLVQ

RNG = np.random.RandomState(0)
Y = np.array(["ash", "elm", "oak"])[np.arange(60) % 3]
X = RNG.normal(size=(60, 4)) + (np.arange(60) % 3)[:, None]
TWO = Y != "oak"
CLASSIFIERS = {
    "logistic": LogisticRegression(),
    "lda": LinearDiscriminantAnalysis(),
    "shrunk lda": LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
    "svm": SVC(),
    "linear svm": SVC(kernel="linear", decision_function_shape="ovo"),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    "few leaves": DecisionTreeClassifier(max_leaf_nodes=5, random_state=0),
    "forest": RandomForestClassifier(8, random_state=0),
    "extra trees": ExtraTreesClassifier(8, random_state=0),
    "boosted": GradientBoostingClassifier(n_estimators=3, random_state=0),
    "neighbors": KNeighborsClassifier(3, weights="distance", algorithm="brute"),
    "network": MLPClassifier((7, 5), max_iter=20, random_state=0),
}


def again(model, path, **options):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "save: the file contains all attributes of")
        save(model, path, **options)
    return load(path)


def fitted(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a network that is stopped early
        return model.fit(X, y)


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("rows", [slice(None), TWO], ids=["three", "two"])
def test_a_classifier_predicts_the_same_bits_after_loading(name, rows, tmp_path):
    model = fitted(CLASSIFIERS[name], X[rows], Y[rows])
    loaded = again(model, tmp_path / "a.model")
    assert loaded.get_params() == model.get_params()
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    for method in ("predict_proba", "decision_function"):
        if hasattr(model, method):
            same = getattr(loaded, method)(X)
            np.testing.assert_array_equal(same, getattr(model, method)(X))


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_a_classifier_of_other_numbers_comes_back_too(name, dtype, tmp_path):
    model = fitted(CLASSIFIERS[name], (9 * X).astype(dtype), Y)
    loaded = again(model, tmp_path / "a.model")
    np.testing.assert_array_equal(loaded.predict(9 * X), model.predict(9 * X))


def test_a_pipeline_of_steps_gives_the_same_bits(tmp_path):
    for last in (GMLVQ(max_iter=5, random_state=0), RandomForestClassifier(4)):
        model = make_pipeline(
            SimpleImputer(), MinMaxScaler(), PCA(3), StandardScaler(), last
        ).fit(np.where(X > 3.5, np.nan, X), Y)
        loaded = again(model, tmp_path / "a.model")
        np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize(
    "model",
    [
        PCA(2),
        LinearDiscriminantAnalysis(n_components=1),
        LinearDiscriminantAnalysis(solver="eigen"),
        NeighborhoodComponentsAnalysis(2, max_iter=3, random_state=0),
    ],
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_linear_map_places_the_same_bits_after_loading(model, dtype, tmp_path):
    model.fit(X.astype(dtype), Y)
    loaded = again(model, tmp_path / "a.model")
    np.testing.assert_array_equal(loaded.transform(X), model.transform(X))
    assert loaded.get_feature_names_out().tolist()


def mixed():
    frame = pd.DataFrame(X[:, :2], columns=["height", "width"])
    frame["leaf"] = np.array(["broad", "needle", None])[np.arange(60) % 3]
    frame["soil"] = np.arange(60) % 2
    return frame


@pytest.mark.parametrize("drop", [None, "first"])
def test_a_pipeline_takes_a_mixed_table_as_before(drop, tmp_path):
    columns = ColumnTransformer(
        [
            ("numbers", StandardScaler(), ["height", "width"]),
            ("words", OneHotEncoder(drop=drop), ["leaf", "soil"]),
        ]
    )
    frame = mixed()
    model = make_pipeline(columns, GMLVQ(max_iter=5, random_state=0)).fit(frame, Y)
    loaded = again(model, tmp_path / "a.model")
    np.testing.assert_array_equal(
        loaded.predict_proba(frame), model.predict_proba(frame)
    )
    names = loaded[0].get_feature_names_out()
    assert names.tolist() == model[0].get_feature_names_out().tolist()


def test_a_picture_of_a_classifier_is_saved_with_it(tmp_path):
    from labelscape.boundary import ClassifierMap

    forest = RandomForestClassifier(4, random_state=0).fit(X, Y)
    picture = ClassifierMap(forest, resolution=8, random_state=0).fit(X, Y)
    loaded = again(picture, tmp_path / "a.model", include_data=True)
    np.testing.assert_array_equal(loaded.classifier.predict(X), forest.predict(X))


@pytest.mark.parametrize("model", [SVC(), make_pipeline(PCA(2), SVC())])
def test_a_model_of_which_skops_keeps_everything_is_saved_with_a_warning(
    model, tmp_path
):
    with pytest.warns(UserWarning, match="maybe training samples: "):
        save(model.fit(X, Y), tmp_path / "a.model")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save(model, tmp_path / "a.model", include_data=True)


@pytest.mark.parametrize("strategy", ["mean", "median", "most_frequent", "constant"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, object])
def test_an_imputer_fills_in_the_same_values(strategy, dtype, tmp_path):
    words = dtype is object and strategy in ("most_frequent", "constant")
    holes = np.where(X > 1.5, "a", "b").astype(object) if words else X.astype(dtype)
    holes[::7, 1] = np.nan
    holes[:, 2] = np.nan if not words else "c"
    fill = {"fill_value": "z" if words else 3.0} if strategy == "constant" else {}
    model = fitted(SimpleImputer(strategy=strategy, **fill), holes, None)
    loaded = again(model, tmp_path / "a.model")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a column without a value
        np.testing.assert_array_equal(loaded.transform(holes), model.transform(holes))


def test_what_set_output_was_given_is_kept(tmp_path):
    for model in (StandardScaler(), LFDA()):
        model.set_output(transform="pandas").fit(X, Y)
        loaded = again(model, tmp_path / "a.model")
        pd.testing.assert_frame_equal(loaded.transform(X), model.transform(X))


def test_what_skops_needs_is_said_where_it_is_missing(monkeypatch, tmp_path):
    monkeypatch.setattr("labelscape._model_file._skops.find_spec", lambda name: None)
    model = make_pipeline(StandardScaler(), SVC()).fit(X, Y)
    with pytest.raises(TypeError, match=r"SVC of scikit-learn. .*labelscape\[skops\]"):
        save(model, tmp_path / "a.model")
    assert not can_hold(model)
    assert can_hold(make_pipeline(StandardScaler(), GMLVQ()))
    save(make_pipeline(StandardScaler(), GMLVQ()).fit(X, Y), tmp_path / "a.model")


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_model_without_a_fit_is_one_after_loading(name, tmp_path):
    model = type(CLASSIFIERS[name])()
    assert again(model, tmp_path / "a").get_params() == model.get_params()


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (HistGradientBoostingClassifier(max_iter=2).fit(X, Y), "parts of the type"),
        (KNeighborsClassifier(algorithm="kd_tree").fit(X, Y), "parts of the type"),
        (SVC(kernel=lambda a, b: a @ b.T), "skops cannot write|parts of the type"),
        (OneHotEncoder(min_frequency=3), "min_frequency must be None"),
        ("a text", "an estimator of Labelscape or scikit-learn"),
    ],
)
def test_what_a_file_can_not_hold_is_refused_in_words(model, words, tmp_path):
    with pytest.raises((TypeError, ValueError), match=words):
        save(model, tmp_path / "a.model")
