"""What a fitted model gives back, and in which form."""

import numpy as np
import pytest
import scipy.sparse
from scipy.special import expit, softmax
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.prototypes.lvq.cases import FAMILY, MATRIX_MODELS, blobs

from labelscape._resampling.label_signal import LabelsSayNothing
from labelscape.prototypes import GLVQ, GMLVQ, LGMLVQ, LiRaMLVQ, LocalLiRaMLVQ

every_model = pytest.mark.parametrize("model", FAMILY)


def class_distances(model, X):
    """Least distance to a prototype of each class, by the formula."""
    D = np.empty((len(X), len(model.prototypes_)))
    for p, w in enumerate(model.prototypes_):
        A = model.metric_.factor(p)
        V = X - w
        E = V if A is None else V * A if A.ndim == 1 else V @ A.T
        D[:, p] = np.sum(E**2, axis=1)
    return np.column_stack(
        [D[:, model.prototype_labels_ == c].min(axis=1) for c in model.classes_]
    )


@every_model
def test_several_classes_get_minus_the_distance_each(model):
    X, y = blobs(90)
    fitted = model(2, random_state=0).fit(X, y)
    np.testing.assert_allclose(
        fitted.decision_function(X), -class_distances(fitted, X), rtol=1e-9
    )
    np.testing.assert_array_equal(
        fitted.predict(X), fitted.decision_function(X).argmax(axis=1)
    )


@every_model
def test_two_classes_get_their_relative_difference(model):
    X, y = blobs(90, n_classes=2)
    fitted = model(2, random_state=0).fit(X, y)
    d = class_distances(fitted, X)
    score = fitted.decision_function(X)
    np.testing.assert_allclose(
        score, (d[:, 0] - d[:, 1]) / d.sum(axis=1), atol=1e-10
    )  # fmt: skip
    assert np.abs(score).max() <= 1.0
    np.testing.assert_array_equal(fitted.predict(X), (score > 0).astype(int))


def test_an_object_on_both_prototypes_is_undecided_and_gets_the_first_class():
    X, y = blobs(60, n_classes=2)
    fitted = GMLVQ(max_iter=2).fit(X, y)
    fitted.prototypes_[:] = X[0]
    assert fitted.decision_function(X[:1]) == 0.0
    assert fitted.predict(X[:1]) == fitted.classes_[0]
    np.testing.assert_array_equal(fitted.predict_proba(X[:1]), [[0.5, 0.5]])


@every_model
@pytest.mark.parametrize("n_classes", [2, 3])
def test_probabilities_add_up_and_agree_with_the_decision(model, n_classes):
    X, y = blobs(90, n_classes=n_classes)
    fitted = model(random_state=0).fit(X, y)
    probabilities, scores = fitted.predict_proba(X), fitted.decision_function(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    np.testing.assert_array_equal(probabilities.argmax(axis=1), fitted.predict(X))
    if n_classes == 2:
        np.testing.assert_allclose(
            probabilities[:, 1], expit(scores / fitted.temperature_)
        )
    else:
        expected = softmax(scores / fitted.temperature_, axis=1)
        np.testing.assert_allclose(probabilities, expected)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_temperature_fits_the_labels_with_one_right_and_one_wrong_more(n_classes):
    X, y = blobs(150, n_classes=n_classes, seed=8)
    fitted = LiRaMLVQ(random_state=0).fit(X, y)
    best, every = fitted.temperature_, np.arange(150)

    def surprise(temperature):
        fitted.temperature_ = temperature
        P = fitted.predict_proba(X)
        own = P[every, y]
        others = P.copy()
        others[every, y] = 0.0
        rival = others.max(axis=1)
        return -(151 / 152 * np.log(own) + 1 / 152 * np.log(rival)).mean()

    assert surprise(best) <= min(surprise(0.99 * best), surprise(1.01 * best))


@every_model
def test_data_told_apart_without_error_leave_some_doubt(model):
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    sure = model(random_state=0).fit(X, y).predict_proba(X).max(axis=1)
    assert sure.max() < 1.0
    assert len(np.unique(sure.astype(np.float32))) > 150
    assert sure.min() < 0.98


def test_weights_that_are_shares_leave_no_more_doubt():
    X, y = blobs(90)
    plain = GLVQ(random_state=0).fit(X, y)
    shares = GLVQ(random_state=0).fit(X, y, sample_weight=np.full(90, 1 / 90))
    assert shares.temperature_ == pytest.approx(plain.temperature_)


@every_model
def test_sparse_objects_give_what_dense_ones_give(model):
    X, y = blobs(60)
    X[np.abs(X) < 0.7] = 0.0
    fitted = model(max_iter=10, random_state=0).fit(X, y)
    for make in (
        scipy.sparse.csr_matrix,
        scipy.sparse.csr_array,
        scipy.sparse.coo_array,
    ):
        S = make(X)
        np.testing.assert_array_equal(fitted.predict(S), fitted.predict(X))
        for method in ("decision_function", "predict_proba", "transform"):
            if hasattr(fitted, method):
                dense, sparse = (getattr(fitted, method)(A) for A in (X, S))
                assert isinstance(sparse, np.ndarray)
                np.testing.assert_allclose(sparse, dense, atol=1e-12)


@every_model
@pytest.mark.parametrize("solver", ["lbfgs", "sgd"])
def test_float32_stays_float32_and_near_float64(model, solver):
    X, y = blobs(90)
    common = {"solver": solver, "max_iter": 20, "random_state": 0}
    double = model(**common).fit(X, y)
    single = model(**common).fit(X.astype(np.float32), y)
    for name in ("prototypes_", "omega_", "local_matrices_", "relevances_"):
        if hasattr(single, name):
            assert getattr(single, name).dtype == np.float32, name
            assert getattr(double, name).dtype == np.float64, name
    near = 1e-4 if solver == "sgd" else 0.05  # L-BFGS amplifies rounding
    np.testing.assert_allclose(single.prototypes_, double.prototypes_, atol=near)
    assert np.mean(single.predict(X.astype(np.float32)) == double.predict(X)) > 0.97
    if hasattr(single, "transform"):
        assert single.transform(X.astype(np.float32)).dtype == np.float32
        assert double.transform(X).dtype == np.float64


@every_model
def test_whole_numbers_and_lists_are_objects_too(model):
    X, y = blobs(60)
    X = np.round(4 * X).astype(int)
    fitted = model(max_iter=5, random_state=0).fit(X.tolist(), y.tolist())
    again = model(max_iter=5, random_state=0).fit(X.astype(float), y)
    np.testing.assert_array_equal(fitted.prototypes_, again.prototypes_)


@every_model
@pytest.mark.parametrize(
    "labels",
    [
        np.array(["ash", "elm", "oak"]),
        np.array(["ash", "elm", "oak"], dtype=object),
        np.array([-1, 5, 7]),
        np.array([0.0, 1.0, 2.0]),
    ],
    ids=["strings", "objects", "numbers", "floats"],
)
def test_labels_may_be_of_any_kind(model, labels):
    X, y = blobs(60)
    fitted = model(max_iter=10, random_state=0).fit(X, labels[y])
    plain = model(max_iter=10, random_state=0).fit(X, y)
    np.testing.assert_array_equal(fitted.predict(X), labels[plain.predict(X)])
    np.testing.assert_array_equal(fitted.classes_, labels)
    assert fitted.explain(X[0]).prediction == fitted.predict(X[:1])[0]


@every_model
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames_go_in_and_come_out(model, library):
    frames = pytest.importorskip(library)
    X, y = blobs(60)
    names = ["mass", "age", "size", "hue", "site"]
    frame = frames.DataFrame(dict(zip(names, X.T, strict=True)))
    labels = frames.Series(np.array(["ash", "elm", "oak"])[y])
    fitted = model(max_iter=10, random_state=0).fit(frame, labels)
    np.testing.assert_array_equal(fitted.feature_names_in_, names)
    plain = model(max_iter=10, random_state=0).fit(X, y)
    np.testing.assert_array_equal(
        fitted.predict(frame), fitted.classes_[plain.predict(X)]
    )
    if hasattr(fitted, "transform"):
        Z = fitted.set_output(transform=library).transform(frame)
        assert isinstance(Z, frames.DataFrame)
        assert list(Z.columns) == list(fitted.get_feature_names_out())
        np.testing.assert_allclose(Z.to_numpy(), plain.transform(X))


@pytest.mark.parametrize("model", MATRIX_MODELS)
def test_the_columns_of_the_map_are_named_after_the_model(model):
    X, y = blobs(60)
    fitted = model(n_components=2, max_iter=2).fit(X, y)
    names = [f"{model.__name__.lower()}{k}" for k in range(2)]
    assert fitted.get_feature_names_out().tolist() == names


@every_model
def test_models_are_cloned_piped_and_searched(model):
    X, y = blobs(60)
    original = model(prototypes_per_class={0: 2}, max_iter=5, random_state=0)
    assert clone(original).get_params() == original.get_params()
    pipe = make_pipeline(StandardScaler(), clone(original))
    step = pipe.steps[1][0]
    search = GridSearchCV(pipe, {f"{step}__prototypes_per_class": [1, {1: 2}]}, cv=2)
    assert search.fit(X, y).best_score_ > 0.6


@pytest.mark.parametrize("model", [LGMLVQ, LocalLiRaMLVQ])
def test_a_prototype_uses_the_matrix_of_its_class_or_its_own(model):
    X, y = blobs(90)
    for where in ("class", "prototype"):
        fitted = model({1: 3}, localization=where, random_state=0).fit(X, y)
        groups = [0, 1, 1, 1, 2] if where == "class" else range(5)
        for p, g in enumerate(groups):
            A = fitted.local_matrices_[g]
            A = A @ fitted.omega_ if model is LocalLiRaMLVQ else A
            d = np.sum(((X - fitted.prototypes_[p]) @ A.T) ** 2, axis=1)
            np.testing.assert_allclose(fitted.metric_.distances(X)[:, p], d, rtol=1e-9)


@every_model
def test_the_nearest_objects_of_each_prototype_are_counted(model):
    X, y = blobs(90)
    fitted = model(2, random_state=0).fit(X, y)
    nearest = fitted.metric_.distances(X).argmin(axis=1)
    np.testing.assert_array_equal(
        fitted.n_assigned_, np.bincount(nearest, minlength=6)
    )  # fmt: skip


@pytest.mark.parametrize("model", [LiRaMLVQ, LocalLiRaMLVQ, GMLVQ])
def test_a_map_of_labels_without_meaning_is_warned_about_in_words(model):
    rng = np.random.default_rng(0)
    noise, labels = rng.normal(size=(80, 20)), rng.integers(2, size=80)
    with pytest.warns(LabelsSayNothing, match=f"{model.__name__}: the labels cannot"):
        model(n_components=2, max_iter=2, random_state=0).fit(noise, labels)


def test_a_classifier_that_is_no_map_does_not_judge_the_labels():
    rng = np.random.default_rng(0)
    noise, labels = rng.normal(size=(80, 20)), rng.integers(2, size=80)
    GMLVQ(max_iter=2, random_state=0).fit(noise, labels)  # a warning is an error here
