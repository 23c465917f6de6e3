"""Models of arrays of other libraries: learned where they are, and answers beside X."""

import os
import subprocess
import sys

import numpy as np
import pytest
from tests.prototypes.lvq.cases import FAMILY, blobs
from tests.prototypes.lvq.libraries import each_library, library_of, near

from labelscape._core.rows.kinds import to_numpy
from labelscape.prototypes import GLVQ, GMLVQ, LBFGS, LiRaMLVQ, LocalLiRaMLVQ

every_model = pytest.mark.parametrize("model", FAMILY)


def options(**more):
    return {"prototypes_per_class": 2, "max_iter": 12, "random_state": 0} | more


@each_library
@every_model
def test_a_fit_learns_what_it_does_from_numpys_arrays(library, model):
    arrays, (X, y) = library_of(library), blobs(240, seed=3)
    weights = np.random.default_rng(3).uniform(0.1, 2.0, size=len(X))
    weights[::7] = 0.0
    expected = model(**options()).fit(X, y, weights)
    found = model(**options()).fit(arrays(X), arrays(y), arrays(weights))
    np.testing.assert_allclose(found.loss_curve_, expected.loss_curve_, rtol=1e-9)
    np.testing.assert_allclose(found.prototypes_, expected.prototypes_, atol=1e-7)
    np.testing.assert_array_equal(found.n_assigned_, expected.n_assigned_)
    np.testing.assert_array_equal(found.classes_, expected.classes_)
    assert found.temperature_ == pytest.approx(expected.temperature_, rel=1e-6)


@each_library
@every_model
def test_answers_are_where_x_is_and_those_of_numpys_arrays(library, model):
    arrays, (X, y) = library_of(library), blobs(120)
    fitted = model(**options()).fit(X, y)
    asked = ["predict", "predict_proba", "decision_function"]
    for method in asked + ["transform"] * hasattr(fitted, "transform"):
        found = getattr(fitted, method)(arrays(X))
        assert arrays.holds(found)
        near(found, getattr(fitted, method)(X), atol=1e-12)
    assert fitted.score(arrays(X), arrays(y)) == fitted.score(X, y)


@each_library
@pytest.mark.parametrize("two", [0, 1])
def test_two_classes_and_single_precision_stay_what_they_are(library, two):
    arrays, (X, y) = library_of(library), blobs(120, n_classes=2 + two)
    X = X.astype(np.float32)
    fitted = LiRaMLVQ(**options()).fit(arrays(X), arrays(y))
    expected = LiRaMLVQ(**options()).fit(X, y)
    assert fitted.prototypes_.dtype == np.float32
    for method in ("predict_proba", "decision_function", "transform"):
        found = to_numpy(getattr(fitted, method)(arrays(X)))
        assert found.dtype == np.float32
    near(fitted.predict_proba(arrays(X)), expected.predict_proba(X), atol=1e-2)


@each_library
def test_words_are_predicted_as_numpys_and_numbers_beside_x(library):
    arrays, (X, y) = library_of(library), blobs(90)
    words = np.array(["ash", "beech", "cedar"])[y]
    found = GLVQ(**options()).fit(arrays(X), words).predict(arrays(X))
    assert isinstance(found, np.ndarray)
    assert set(found) == {"ash", "beech", "cedar"}
    for labels in (y.tolist(), y.astype(float), arrays(10 * y), y > 0):
        assert arrays.holds(GLVQ(**options()).fit(arrays(X), labels).predict(arrays(X)))


@each_library
def test_what_was_learned_is_numpys_so_that_others_can_go_on(library, tmp_path):
    import labelscape

    arrays, (X, y) = library_of(library), blobs(120)
    model = LocalLiRaMLVQ(**options()).fit(arrays(X), arrays(y))
    assert isinstance(model.prototypes_, np.ndarray)
    np.testing.assert_allclose(model.predict(X), to_numpy(model.predict(arrays(X))))
    assert model.explain(arrays(X[0])).prediction == model.predict(X[:1])[0]
    labelscape.save(model, tmp_path / "model.labelscape")
    loaded = labelscape.load(tmp_path / "model.labelscape")
    near(loaded.transform(arrays(X)), model.transform(X), atol=1e-13)


@each_library
@pytest.mark.parametrize(
    "more",
    [
        {"class_weight": "balanced"},
        {"class_weight": {0: 2.0, 1: 0.5}},
        {"solver": LBFGS(n_init=3), "n_components": 1},
        {"prototype_init": "random", "matrix_init": "pca"},
        {"null_space_correction": True},
        {"regularization": 0.01},
        {"prototypes_per_class": {0: 1, 1: 3}},
    ],
)
def test_parameters_mean_what_they_do_for_numpys_arrays(library, more):
    arrays, (X, y) = library_of(library), blobs(150)
    X[:, 4] = X[:, 3]
    a = LiRaMLVQ(**options(**more)).fit(arrays(X), arrays(y))
    b = LiRaMLVQ(**options(**more)).fit(X, y)
    np.testing.assert_allclose(a.loss_curve_, b.loss_curve_, rtol=1e-8)
    np.testing.assert_allclose(np.abs(a.omega_), np.abs(b.omega_), atol=1e-6)


@each_library
def test_held_out_objects_are_watched_beside_the_others(library):
    arrays, (X, y) = library_of(library), blobs(150)
    expected = GLVQ(**options()).fit(X, y, validation=(X[::2], y[::2]))
    for X_out in (X[::2], arrays(X[::2])):
        model = GLVQ(**options())
        model.fit(arrays(X), arrays(y), validation=(X_out, arrays(y[::2])))
        assert model.validation_curve_ == pytest.approx(expected.validation_curve_)


@each_library
def test_a_second_fit_goes_on_where_the_first_ended(library):
    arrays, (X, y) = library_of(library), blobs(150)
    model = GMLVQ(**options(warm_start=True, max_iter=5)).fit(arrays(X), arrays(y))
    first = model.loss_curve_[-1]
    assert model.fit(arrays(X), arrays(y)).loss_curve_[0] <= first


@each_library
def test_many_features_start_in_the_span_of_some_objects(library):
    arrays, (X, y) = library_of(library), blobs(60, n_features=1100)
    a = LiRaMLVQ(max_iter=3, random_state=0).fit(arrays(X), arrays(y))
    b = LiRaMLVQ(max_iter=3, random_state=0).fit(X, y)
    np.testing.assert_allclose(a.loss_curve_, b.loss_curve_, rtol=1e-6)


@each_library
def test_prototypes_that_are_objects_are_known(library):
    arrays, (X, y) = library_of(library), blobs(61)
    y[60] = 7
    model = GLVQ(max_iter=1, tol=1e9, random_state=0).fit(arrays(X), arrays(y))
    expected = GLVQ(max_iter=1, tol=1e9, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model._is_sample, expected._is_sample)
    held = GLVQ(
        prototype_init=X[[0, 1, 2, 60]], solver=LBFGS(jitter=0.0), max_iter=1, tol=1e9
    )
    expected = held.fit(X, y)._is_sample
    np.testing.assert_array_equal(held.fit(arrays(X), arrays(y))._is_sample, expected)


@each_library
def test_what_can_not_be_used_is_refused_in_words(library):
    arrays, (X, y) = library_of(library), blobs(60)
    model = LiRaMLVQ(**options())
    hole = X.copy()
    hole[4, 2] = np.nan
    for wrong, words in [
        ((arrays(hole), arrays(y)), r"X contains NaN or infinite values.*row 4"),
        ((arrays(X * np.inf), arrays(y)), "NaN or infinite"),
        ((arrays(X * 1e160), arrays(y)), "too large to compute"),
        ((arrays(X * 1e-160), arrays(y)), "too small to compute"),
        ((arrays(X[:, 0]), arrays(y)), "two axes"),
        ((arrays(X[:0]), arrays(y[:0])), r"0 sample\(s\)"),
        ((arrays(X.astype(complex)), arrays(y)), "complex"),
        ((arrays(X), arrays(y[:9])), "60 samples but y has 9 labels"),
        ((arrays(X), arrays(0 * y)), "at least two classes"),
        ((arrays(X), arrays(X[:, 0])), "continuous"),
        ((arrays(X), None), "requires y"),
        ((arrays(X), arrays(y), arrays(y[:9])), "one number per sample"),
        ((arrays(X), arrays(y), arrays(-1.0 * y)), "not negative"),
        ((arrays(X), arrays(y), arrays(1.0 * (y > 0))), "class 0 have weight 0"),
        ((arrays(X), arrays(y), arrays(0.0 * y)), "every sample_weight is zero"),
    ]:
        with pytest.raises(ValueError, match=words):
            model.fit(*wrong)
    model.fit(arrays(X), arrays(y))
    with pytest.raises(ValueError, match="expecting 5 features"):
        model.predict(arrays(X[:, :3]))
    with pytest.raises(ValueError, match="NaN"):
        model.predict(arrays(hole))
    with pytest.raises(ValueError, match="a pair"):
        model.fit(arrays(X), arrays(y), validation=arrays(X))


@each_library
@pytest.mark.parametrize("more", [{"solver": "sgd"}, {"missing": "ignore"}])
def test_what_is_no_sum_over_all_objects_wants_numpys_arrays(library, more):
    arrays, (X, y) = library_of(library), blobs(60)
    with pytest.raises(TypeError, match="needs solver='lbfgs' and missing='error'"):
        GLVQ(**more).fit(arrays(X), arrays(y))
    with pytest.raises(TypeError, match="partial_fit takes NumPy arrays only"):
        GLVQ(**more).partial_fit(arrays(X), y, classes=[0, 1, 2])
    fitted = GLVQ(max_iter=5, **more).fit(X, y)  # it answers all the same
    near(fitted.predict(arrays(X)), fitted.predict(X))


def test_a_tensor_that_holds_slopes_is_read_without_them():
    X, y = blobs(60)
    tensor = library_of("torch").xp.asarray(X).requires_grad_()
    model = GLVQ(**options()).fit(tensor, y)
    assert not model.predict_proba(tensor).requires_grad


def run(code, *arguments, **environment):
    """Run Python code in a process of its own; return what it printed."""
    found = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


@pytest.mark.slow
@each_library
def test_a_device_needs_no_compiler(library):
    name = type(library_of(library)(0.0)).__module__.partition(".")[0]
    code = f"""
import sys
sys.modules["numba"] = None
import {name} as xp
from labelscape.datasets import make_satellite
from labelscape.prototypes import LBFGS, LiRaMLVQ, LocalLiRaMLVQ

X, y = make_satellite(1000, random_state=0)
X, y = xp.asarray(X), xp.asarray(y)
for model in (LiRaMLVQ, LocalLiRaMLVQ):
    fitted = model(3, solver=LBFGS(n_init=2), max_iter=5, random_state=0)
    fitted.fit(X, y, validation=(X, y))
    fitted.predict_proba(X), fitted.transform(X), fitted.decision_function(X)
    print(fitted.score(X, y) > 0.5)
"""
    assert run(code).split() == ["True"] * 2


@pytest.mark.slow
def test_where_scikit_learns_dispatch_is_on_what_was_learned_follows_x_too(
    tmp_path,
):
    code = """
import sys
import numpy as np
import array_api_strict as xp
import labelscape
import sklearn
from sklearn.datasets import load_wine
from labelscape.prototypes import LocalLiRaMLVQ

X, y = load_wine(return_X_y=True)
X = (X - X.mean(axis=0)) / X.std(axis=0)
there = xp.asarray(X, device=xp.Device("device1"))
model = LocalLiRaMLVQ(random_state=0, max_iter=5, warm_start=True)
with sklearn.config_context(array_api_dispatch=True):
    model.fit(there, y)
    for name in ("prototypes_", "omega_", "local_matrices_", "n_assigned_"):
        assert getattr(model, name).device == there.device
    try:
        model.predict(X)
    except ValueError as error:
        assert "LocalLiRaMLVQ.predict() must use the same namespace" in str(error)
        print("refused")
    model.fit(there, y)

# What needs NumPy's arrays finds them.
labelscape.save(model, sys.argv[1])
assert isinstance(labelscape.load(sys.argv[1]).prototypes_, np.ndarray)
assert model.explain(X[0]).prediction == model.predict(X[:1])[0] == 0
assert model.metric_.distances(X).shape == (178, 3)
assert model.reduced(1).transform(X).shape == (178, 1)
assert model.relevance_matrix_.shape == (13, 13)
assert model.relevances_.sum().round(9) == 1
model.partial_fit(X, y)
assert isinstance(model.prototypes_, np.ndarray)
"""
    file = str(tmp_path / "model.labelscape")
    assert run(code, file, SCIPY_ARRAY_API="1").split() == ["refused"]
