"""Invalid input to the LVQ family raises errors: what, where, and what to do."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from tests.prototypes.lvq.cases import FAMILY, MATRIX_MODELS, blobs

from labelscape.prototypes import GLVQ, GMLVQ, GRLVQ, LGMLVQ, LiRaMLVQ, LocalLiRaMLVQ

every_model = pytest.mark.parametrize("model", FAMILY)
ALL_MATRIX = [GMLVQ, LiRaMLVQ, LGMLVQ, LocalLiRaMLVQ]
X, Y = blobs(30)


def changed(row, column, value, dtype=float):
    A = X.astype(dtype)
    A[row, column] = value
    return A


BAD_X = {
    "nan": (changed(4, 2, np.nan), r"column 2 has 1 missing value.*row 4.*impute"),
    "infinity": (changed(4, 2, np.inf), r"infinity: column 2 is inf in row 4.*Replace"),
    "minus infinity": (changed(4, 2, -np.inf), r"column 2 is -inf in row 4"),
    "huge": (changed(4, 2, 1e200), r"column 2 of X is 1e\+200 in row 4.*Rescale"),
    "huge float32": (changed(4, 2, 1e30, "f"), r"is 1e\+30 in row 4.*Rescale"),
    "infinite float32": (changed(4, 2, np.inf, "f"), r"infinity: column 2 .* row 4"),
    "nan float32": (changed(4, 2, np.nan, "f"), r"column 2 has 1 missing value"),
    "words": (np.full((30, 5), "abc"), r"(?i)convert.*string|string.*float"),
    "an object column": (changed(4, 2, "abc", object), r"(?i)could not convert.*'abc'"),
    "empty": (np.zeros((0, 5)), r"Found array with 0 sample"),
    "no features": (np.zeros((30, 0)), r"0 feature\(s\)"),
    "a vector": (np.zeros(30), r"Expected 2D array, got 1D array"),
    "a cube": (np.zeros((30, 2, 2)), r"(?i)dim 3|expected"),
    "complex": (X + 1j, r"Complex data not supported"),
}
BAD_Y = {
    "none": (None, r"requires y to be passed.*one class label per sample"),
    "one class": (np.zeros(30), r"at least two classes, got 1 class: 0.0"),
    "continuous": (np.linspace(0, 1, 30), r"Unknown label type: .*continuous.*bin the"),
    "too short": (Y[:29], r"X has 30 samples but y has 29 labels.*one label per"),
    "nan": (np.where(np.arange(30) == 3, np.nan, Y), r"NaN.*1 in all, .*row 3"),
    "missing names": (np.array(["a", None] * 15, object), r"None, 15 in all.*row 1"),
    "two columns": (np.column_stack([Y, Y]), r"1d array|y should be"),
}


@every_model
@pytest.mark.parametrize(("data", "message"), BAD_X.values(), ids=BAD_X.keys())
def test_objects_that_cannot_be_used_are_refused(model, data, message):
    with pytest.raises(ValueError, match=message):
        model().fit(data, Y)


@pytest.mark.parametrize(("data", "message"), BAD_X.values(), ids=BAD_X.keys())
def test_they_are_refused_at_prediction_too(data, message):
    fitted = LiRaMLVQ(max_iter=2).fit(X, Y)
    for method in (fitted.predict, fitted.predict_proba, fitted.transform):
        with pytest.raises(ValueError, match=rf"{message}|0 features, but"):
            method(data)


@every_model
@pytest.mark.parametrize(("labels", "message"), BAD_Y.values(), ids=BAD_Y.keys())
def test_labels_that_cannot_be_used_are_refused(model, labels, message):
    with pytest.raises(ValueError, match=message):
        model().fit(X, labels)


@every_model
def test_a_dict_is_no_table(model):
    with pytest.raises((TypeError, ValueError), match=r"dict"):
        model().fit({"mass": X[:, 0]}, Y)


@every_model
def test_another_number_of_features_is_refused(model):
    fitted = model(max_iter=2).fit(X, Y)
    with pytest.raises(ValueError, match=r"X has 4 features, but .* is expecting 5"):
        fitted.predict(X[:, :4])
    with pytest.raises(ValueError, match=r"X has 4 features, but .* is expecting 5"):
        fitted.partial_fit(X[:, :4], Y)


@every_model
def test_a_model_must_be_fitted_first(model):
    for method in ("predict", "predict_proba", "decision_function", "explain"):
        with pytest.raises(NotFittedError):
            getattr(model(), method)(X)


@pytest.mark.parametrize("model", MATRIX_MODELS)
def test_a_map_must_be_fitted_first(model):
    with pytest.raises(NotFittedError):
        model().transform(X)


BAD_PARAMETERS = {
    "no prototypes": ({"prototypes_per_class": 0}, r"whole number of at least 1, .* 0"),
    "half a prototype": ({"prototypes_per_class": 1.5}, r"got 1\.5"),
    "prototypes in words": ({"prototypes_per_class": "two"}, r"got 'two'"),
    "solver": ({"solver": "adam"}, r"solver must be 'lbfgs' or 'sgd', .* got 'adam'"),
    "iterations": ({"max_iter": 0}, r"max_iter must be .* at least 1.*got 0"),
    "tolerance": ({"tol": -1.0}, r"tol must be a number of at least 0, got -1"),
    "rate": ({"learning_rate": -0.1}, r"learning_rate must be .* above 0, got -0\.1"),
    "settings": ({"solver": 0.1}, r"LBFGS or .*SGD, got 0\.1"),
    "stopping": ({"early_stopping": "soon"}, r"'best' or 'none', or .* got 'soon'"),
    "start": ({"prototype_init": "here"}, r"'random' or 'kmeans', .* got 'here'"),
    "shape of start": (
        {"prototype_init": np.zeros((2, 5))},
        r"3 prototypes of 5 .*\(2",
    ),
    "nan start": ({"prototype_init": np.full((3, 5), np.nan)}, r"finite numbers only"),
    "class weight": ({"class_weight": "fair"}, r"'balanced' or None, .* got 'fair'"),
    "negative weight": ({"class_weight": {0: -1.0}}, r"class_weight must not be neg"),
    "missing": (
        {"missing": "skip"},
        r"missing must be 'error' or 'ignore', got 'skip'",
    ),
    "warm": ({"warm_start": 1}, r"warm_start must be True or False, got 1"),
    "callback": ({"callback": 3}, r"callback must be a function, or None, got 3"),
    "unknown class": ({"prototypes_per_class": {7: 2}}, r"contains 7, .* \[0, 1, 2\]"),
    "no count": ({"prototypes_per_class": {1: 0}}, r"at least 1, got 0 for class 1"),
}


@every_model
@pytest.mark.parametrize(
    ("parameters", "message"), BAD_PARAMETERS.values(), ids=BAD_PARAMETERS.keys()
)
def test_parameters_that_make_no_sense_are_named(model, parameters, message):
    with pytest.raises(ValueError, match=message):
        model(**parameters).fit(X, Y)


@pytest.mark.parametrize("model", ALL_MATRIX)
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 0}, r"n_components must be .* at least 1.* got 0"),
        ({"n_components": 6}, r"at most the number of features \(5\), got 6"),
        ({"matrix_init": "zeros"}, r"matrix_init must be .* got 'zeros'"),
        ({"matrix_init": np.ones((2, 3))}, r"shape \(2, 5\).* got .* \(2, 3\)"),
        ({"matrix_init": np.zeros((2, 5))}, r"finite numbers, not all of them 0"),
        ({"matrix_learning_rate": -1.0}, r"matrix_learning_rate .* got -1"),
        ({"regularization": -0.1}, r"regularization .* at least 0, got -0\.1"),
    ],
    ids=[
        "none",
        "many",
        "start",
        "shape",
        "zeros",
        "rate",
        "penalty",
    ],
)
def test_matrix_parameters_that_make_no_sense_are_named(model, parameters, message):
    with pytest.raises(ValueError, match=message):
        model(**{"n_components": 2, **parameters}).fit(X, Y)


@pytest.mark.parametrize("model", [LGMLVQ, LocalLiRaMLVQ])
def test_localization_is_by_class_or_prototype(model):
    with pytest.raises(ValueError, match=r"'class' or 'prototype', .* got 'object'"):
        model(localization="object").fit(X, Y)


@every_model
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(29), r"one number per sample \(30\), got .* \(29,\)"),
        (np.where(np.arange(30) == 3, -1.0, 1.0), r"not negative, got -1 for sample 3"),
        (np.where(np.arange(30) == 3, np.nan, 1.0), r"finite .* got nan for sample 3"),
        (np.zeros(30), r"every sample_weight is zero"),
        (np.where(Y == 1, 0.0, 1.0), r"all samples of class 1 have weight 0\. Leave"),
    ],
    ids=["short", "negative", "nan", "zero", "class"],
)
def test_weights_that_make_no_sense_are_refused(model, weights, message):
    with pytest.raises(ValueError, match=message):
        model().fit(X, Y, weights)


@pytest.mark.parametrize(
    ("held_out", "message"),
    [
        ((X[:, :4], Y), r"X has 4 features"),
        ((X, Y[:9]), r"y must contain one label per sample \(30\), got .* \(9,\)"),
        ((X, Y + 5), r"y contains 5, which is none of the classes \[0, 1, 2\]"),
        ((X, np.array(["a"] * 30)), r"y contains 'a', which is none of"),
        ((changed(0, 1, np.nan), Y), r"column 1 has 1 missing value"),
    ],
    ids=["features", "lengths", "label", "kind of label", "nan"],
)
def test_held_out_objects_are_checked_too(held_out, message):
    with pytest.raises(ValueError, match=message):
        GRLVQ(max_iter=2).fit(X, Y, validation=held_out)


def test_a_failed_fit_leaves_a_message_and_no_half_model():
    model = GLVQ()
    with pytest.raises(ValueError, match="at least two classes"):
        model.fit(X, np.zeros(30))
    with pytest.raises(NotFittedError):
        model.predict(X)
