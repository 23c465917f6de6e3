"""A file whose classifier of scikit-learn no fit has made: its loops would crash."""

import warnings

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from tests.faults.kinds import X, Y
from tests.faults.model_files.members import Members, refused, unchecked

from labelscape import save
from labelscape._model_file._errors import ModelFileError
from labelscape._model_file._trees import tree_from, tree_parts


def parts():
    """Return the parts of a tree with a few nodes."""
    return tree_parts(DecisionTreeClassifier(random_state=0).fit(X, Y).tree_)


@pytest.mark.parametrize(
    ("part", "change", "words"),
    [
        ("left_child", lambda a: np.where(a >= 0, 10**6, a), "children that come"),
        ("left_child", lambda a: np.where(a >= 0, 0, a), "children that come"),
        ("right_child", lambda a: np.where(a >= 0, -7, a), "children that come"),
        ("feature", lambda a: np.full_like(a, 10**6), "features below 4"),
        ("feature", lambda a: np.full_like(a, -1), "features below 4"),
        ("feature", lambda a: a[:-1], "arrays of one length"),
        ("feature", lambda a: a.astype(np.int32), "arrays of one length"),
        ("threshold", lambda a: a * np.nan, "thresholds that are numbers"),
        ("values", lambda a: a[:, :, :1], "values of shape"),
        ("values", lambda a: a * np.nan, "values of shape"),
        ("values", lambda a: a * 0.0, "values of shape"),
        ("n_features", lambda n: -1, "numbers of features"),
        ("n_classes", lambda n: [10**9], "values of shape"),
        ("max_depth", lambda n: "deep", "a depth"),
    ],
)
def test_a_tree_that_leads_nowhere_is_refused(part, change, words):
    broken = parts()
    broken[part] = change(broken[part])
    with pytest.raises(ModelFileError, match=words):
        tree_from(broken)


def test_a_tree_comes_back_as_it_was():
    tree = DecisionTreeClassifier(random_state=0).fit(X, Y).tree_
    same = tree_from(tree_parts(tree))
    rows = X.astype(np.float32)
    np.testing.assert_array_equal(same.predict(rows), tree.predict(rows))
    np.testing.assert_array_equal(same.apply(rows), tree.apply(rows))


def broken(model, path, **attributes):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, Y)
    for name, value in attributes.items():
        setattr(model, name, value)
    with unchecked():
        save(model, path, include_data=True)
    return path


@pytest.mark.parametrize(
    ("model", "attributes", "words"),
    [
        (SVC(), {"_n_support": np.array([9, 9, 9], np.int32)}, "_n_support must be"),
        (SVC(), {"_dual_coef_": np.ones((2, 3))}, "_dual_coef_ must be"),
        (SVC(), {"support_": np.array([-5], np.int32)}, "support_ must be"),
        (SVC(), {"_probA": np.ones(1)}, "_probA must be"),
        (SVC(), {"_gamma": float("nan")}, "_gamma must be"),
        (LogisticRegression(), {"coef_": np.ones((3, 9))}, "coef_ must be"),
        (LinearDiscriminantAnalysis(), {"coef_": np.ones((9, 4))}, "coef_ must be"),
        (LinearDiscriminantAnalysis(), {"xbar_": np.ones(9)}, "xbar_ must be"),
        (LinearDiscriminantAnalysis(), {"_max_components": -1}, "_max_components"),
        (
            MLPClassifier((3,), max_iter=1),
            {"coefs_": [np.ones((4, 2)), np.ones((3, 3))]},
            "coefs_ must be",
        ),
        (KNeighborsClassifier(), {"_y": np.full(24, 99)}, "_y must be"),
        (KNeighborsClassifier(), {"_fit_X": np.ones((24, 9))}, "_fit_X must be"),
    ],
)
def test_a_classifier_that_no_fit_has_made_is_refused(
    model, attributes, words, tmp_path
):
    refused(broken(model, tmp_path / "a.model", **attributes), words)


def test_what_could_not_be_loaded_is_not_saved(tmp_path):
    model = LogisticRegression().fit(X, Y)
    model.coef_ = model.coef_[:, :2]
    with pytest.raises(ValueError, match="coef_ must be"):
        save(model, tmp_path / "a.model")
    assert not (tmp_path / "a.model").exists()


@pytest.mark.parametrize(
    ("model", "parameter", "value", "words"),
    [
        (SVC(), "kernel", "precomputed", "kernel must be"),
        (KNeighborsClassifier(), "metric", "no such metric", "metric"),
        (KNeighborsClassifier(), "n_neighbors", 10**6, "can not predict"),
        (MLPClassifier((3,), max_iter=1), "activation", "evil", "activation must be"),
        (LogisticRegression(), "n_jobs", "all", "n_jobs must be"),
    ],
)
def test_a_parameter_that_makes_no_sense_is_refused(
    model, parameter, value, words, tmp_path
):
    path = broken(model, tmp_path / "a.model")
    members = Members(path)
    manifest = members.manifest
    manifest["model"]["parameters"][parameter] = value
    members.manifest = manifest
    members.write(path)
    refused(path, words)


def test_a_transformer_of_columns_is_checked(tmp_path):
    model = ColumnTransformer([("a", StandardScaler(), [0, 1])]).fit(X)
    model.output_indices_ = {"a": slice(0, -3)}
    with unchecked():
        save(model, tmp_path / "a.model")
    refused(tmp_path / "a.model", "output_indices_ must be")


def test_categories_that_are_none_are_refused(tmp_path):
    model = OneHotEncoder().fit([["a"], ["b"]])
    model.categories_ = [np.array([], dtype=object)]
    with unchecked():
        save(model, tmp_path / "a.model")
    refused(tmp_path / "a.model", "categories_ must be")
