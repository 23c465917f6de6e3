"""Objects with missing values: distances over the features that they have."""

import numpy as np
import pytest
from tests.prototypes.lvq.cases import FAMILY, MATRIX_MODELS, blobs

from labelscape.prototypes import GLVQ, LBFGS, LiRaMLVQ

every_model = pytest.mark.parametrize("model", FAMILY)


def with_holes(X, share=0.15, seed=0):
    X = X.copy()
    X[np.random.default_rng(seed).random(X.shape) < share] = np.nan
    X[np.isnan(X).all(axis=1), 0] = 0.5
    return X


def slow_distances(model, X):
    """Distances by the formula, from what a fitted model shows."""
    D = np.empty((len(X), len(model.prototypes_)))
    for p, w in enumerate(model.prototypes_):
        A = model.metric_.factor(p)
        A = np.eye(len(w)) if A is None else np.diag(A) if A.ndim == 1 else A
        for i, x in enumerate(X):
            seen = ~np.isnan(x)
            rest = A[:, seen] @ (x - w)[seen]
            D[i, p] = rest @ rest * len(x) / seen.sum()
    return D


@every_model
def test_where_nothing_is_missing_the_result_is_the_same(model):
    X, y = blobs(60)
    plain = model(2, max_iter=20, random_state=0).fit(X, y)
    allowing = model(2, max_iter=20, random_state=0, missing="ignore").fit(X, y)
    np.testing.assert_array_equal(allowing.prototypes_, plain.prototypes_)
    np.testing.assert_array_equal(allowing.predict_proba(X), plain.predict_proba(X))


@every_model
def test_distances_are_over_the_observed_features_and_scaled_up(model):
    X, y = blobs(90)
    X = with_holes(X)
    fitted = model(2, missing="ignore", random_state=0).fit(X, y)
    expected = slow_distances(fitted, X)
    np.testing.assert_allclose(fitted.metric_.distances(X), expected, rtol=1e-9)
    np.testing.assert_array_equal(
        fitted.predict(X), fitted.prototype_labels_[expected.argmin(axis=1)]
    )
    assert fitted.score(X, y) > 0.8
    assert np.isfinite(fitted.loss_curve_).all()


@every_model
def test_values_may_be_missing_at_prediction_only(model):
    X, y = blobs(90)
    fitted = model(missing="ignore", random_state=0).fit(X, y)
    holes = with_holes(X)
    np.testing.assert_allclose(
        fitted.metric_.distances(holes), slow_distances(fitted, holes), rtol=1e-9
    )
    assert fitted.score(holes, y) > 0.75
    assert np.isfinite(fitted.decision_function(holes)).all()


@pytest.mark.parametrize("model", MATRIX_MODELS)
def test_on_the_map_the_nearest_prototype_fills_the_holes(model):
    X, y = blobs(90)
    X = with_holes(X)
    fitted = model(missing="ignore", random_state=0).fit(X, y)
    nearest = slow_distances(fitted, X).argmin(axis=1)
    filled = np.where(np.isnan(X), fitted.prototypes_[nearest], X)
    np.testing.assert_allclose(fitted.transform(X), filled @ fitted.omega_.T)


def test_a_feature_missing_for_a_whole_class_is_no_obstacle():
    X, y = blobs(60)
    X[y == 1, 3] = np.nan
    model = GLVQ(missing="ignore", random_state=0).fit(X, y)
    assert np.isfinite(model.prototypes_).all()


@pytest.mark.parametrize("trials", [None, 3])
def test_many_starts_and_holes_go_together(trials):
    X, y = blobs(120, n_classes=6)
    model = LiRaMLVQ(missing="ignore", solver=LBFGS(n_init=trials or 1), random_state=0)
    assert np.isfinite(model.fit(with_holes(X), y).loss_curve_).all()


@every_model
def test_by_default_a_missing_value_is_an_error_that_says_where(model):
    X, y = blobs(60)
    X[7, 2] = X[9, 2] = np.nan
    where = "column 2 has 2 missing values, the first in row 7. Drop rows, or impute"
    with pytest.raises(ValueError, match=where):
        model().fit(X, y)
    fitted = model(max_iter=2).fit(np.nan_to_num(X), y)
    with pytest.raises(ValueError, match=where):
        fitted.predict(X)


def test_the_column_is_named_where_it_has_a_name():
    pandas = pytest.importorskip("pandas")
    X, y = blobs(60)
    X[40, 1] = np.nan
    frame = pandas.DataFrame(X, columns=["mass", "age", "size", "hue", "site"])
    with pytest.raises(ValueError, match=r"column 'age' has 1 missing value, .* 40"):
        GLVQ().fit(frame, y)


@every_model
def test_an_object_without_any_value_cannot_be_placed(model):
    X, y = blobs(60)
    fitted = model(missing="ignore", max_iter=2).fit(X, y)
    X[5] = np.nan
    with pytest.raises(ValueError, match="Sample 5 has no value at all"):
        model(missing="ignore").fit(X, y)
    with pytest.raises(ValueError, match="Sample 5 has no value at all"):
        fitted.predict(X)


def test_a_column_without_any_value_is_to_be_left_out():
    X, y = blobs(60)
    X[:, 4] = np.nan
    with pytest.raises(ValueError, match=r"GLVQ: column 4 has no value .* Leave"):
        GLVQ(missing="ignore").fit(X, y)


def test_online_training_needs_complete_objects():
    with pytest.raises(ValueError, match=r"missing='ignore' needs .*impute"):
        GLVQ(missing="ignore", solver="sgd").fit(*blobs(60))
