"""A model file gives back the model, bit by bit."""

import inspect
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted
from tests.model_file.toys import (
    Grid,
    Pair,
    Toy,
    assert_same,
    through_a_file,
    with_state,
)

from labelscape._model_file import load, save
from labelscape._model_file._registry import STEPS, model_named, model_names
from labelscape.embeddings import LFDA, Sammon
from labelscape.prototypes import GLVQ


def test_a_loaded_model_predicts_and_transforms_to_the_last_bit(toy, tmp_path):
    X, _ = load_iris(return_X_y=True, as_frame=True)
    again = through_a_file(toy, tmp_path / "toy.model")

    check_is_fitted(again)
    assert again.transform(X).tobytes() == toy.transform(X).tobytes()
    assert (again.predict(X) == toy.predict(X)).all()
    assert again.n_features_in_ == 4
    assert_same(again.feature_names_in_, toy.feature_names_in_)
    assert again.get_params() == toy.get_params()


STATES = {
    "nothing": None,
    "truth": [True, False, np.bool_(True)],
    "whole numbers": [0, -7, 2**200, np.int8(-3), np.uint64(2**64 - 1)],
    "floats": [0.1, -0.0, 1e300, 5e-324, np.inf, -np.inf, np.nan, -np.nan],
    "numpy floats": [
        np.float32(0.1),
        np.float64(np.nan),
        np.float16(2),
        np.complex64(1j),
    ],
    "text": [
        "",
        "é\n",
        "\ud800",
        "\x00",
        np.str_("größe"),
        np.str_(""),
        np.bytes_(b"a"),
    ],
    "dates": [np.datetime64("2020-02-29", "ns"), np.timedelta64(3, "h")],
    "containers": ([], (), {}, [(1, [2, {"a": (None,)}])]),
    "dict keys": {"a": 1, 1: 2, 2.5: 3, False: 4, None: 5, np.int64(9): 6, np.inf: 7},
    "labels": np.array(["a", 1, 2.5, True, None, np.nan, np.int64(3)], dtype=object),
    "a matrix of labels": np.array([["a", "b"], ["c", 1]], dtype=object),
    "one label": np.array("a", dtype=object),
    "no labels": np.empty((0, 3), dtype=object),
    "float32": np.arange(6, dtype=np.float32).reshape(2, 3),
    "fortran order": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "no order": np.arange(24.0).reshape(2, 3, 4)[:, ::2, ::-1],
    "no dimension": np.array(3.5),
    "empty": [np.empty(0), np.empty((0, 3), np.int8), np.empty((2, 0, 2), "U3")],
    "foreign bytes": np.arange(3, dtype=">f8"),
    "texts": np.array(["a", "bcd", ""]),
    "bytes": np.array([b"a", b"bcd"]),
    "truths": np.array([True, False]),
    "times": np.array(["2020-01-01", "NaT"], dtype="M8[D]"),
    "csr": sparse.csr_array(np.eye(4, 5) * 0.5),
    "csc": sparse.csc_matrix(np.eye(3, 2, dtype=np.float32)),
    "no entries": sparse.csr_matrix((3, 4)),
    "named tuple": Pair(1, np.arange(2)),
    "data class": {"grid": Grid(np.array([["a"]]), 0.5)},
    "estimator": [Toy(2.0), with_state(np.arange(3))],
}


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_every_kind_of_state_comes_back_as_it_was(state, tmp_path):
    again = through_a_file(with_state(state), tmp_path / "toy.model")
    assert_same(again.state_, state)


def plain_values():
    scalars = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=5)
        | hnp.arrays(hnp.scalar_dtypes(), ()).map(lambda array: array[()])
    )
    arrays = hnp.arrays(
        hnp.scalar_dtypes() | hnp.unicode_string_dtypes() | hnp.byte_string_dtypes(),
        hnp.array_shapes(min_dims=0, min_side=0, max_side=3),
    )
    return st.recursive(
        scalars | arrays,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.lists(inner, max_size=3).map(tuple)
            | st.dictionaries(scalars, inner, max_size=3)
        ),
        max_leaves=8,
    )


@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(state=plain_values())
def test_any_tree_of_plain_values_comes_back_as_it_was(state, tmp_path):
    again = through_a_file(with_state(state), tmp_path / "toy.model")
    assert_same(again.state_, state)


def test_a_nested_estimator_comes_back_fitted(toy, tmp_path):
    X, _ = load_iris(return_X_y=True, as_frame=True)
    again = through_a_file(Toy(metric=toy), tmp_path / "toy.model")
    assert again.metric.transform(X).tobytes() == toy.transform(X).tobytes()


def test_a_model_that_is_not_fitted_comes_back_not_fitted(tmp_path):
    again = through_a_file(Toy(scale=3), tmp_path / "toy.model")
    assert again.scale == 3
    with pytest.raises(NotFittedError):
        again.predict([[0.0]])


def test_a_callback_is_no_part_of_a_model(tmp_path):
    assert through_a_file(Toy(callback=print), tmp_path / "toy.model").callback is None


@pytest.mark.parametrize("name", [name for name in model_names() if name not in STEPS])
def test_every_estimator_comes_back_bit_by_bit(name, tmp_path):
    cls = model_named(name)
    X, y = load_iris(return_X_y=True)
    X, y = X[::3], np.array(["setosa", "versicolor", "virginica"], object)[y[::3]]
    choices = {"random_state": 0, "max_iter": 5, "perplexity": 10}
    choices["embedder"] = Sammon()
    if name in ("ClassifierMap", "TableMap"):
        choices["classifier"] = GLVQ().fit(X, y)
    if name == "TableMap":
        choices["projection"] = LFDA().fit(X, y)
    known = inspect.signature(cls).parameters
    model = cls(**{k: v for k, v in choices.items() if k in known})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # five iterations are few
        model.fit(X, y)

    again = through_a_file(model, tmp_path / "a.model", include_data=True)

    assert_same(again, model)
    for method in ("predict", "predict_proba", "decision_function", "transform"):
        if hasattr(model, method):
            assert_same(getattr(again, method)(X), getattr(model, method)(X))


def test_a_pipeline_of_a_scaler_and_a_model_is_kept(tmp_path):
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from labelscape.embeddings import LFDA

    X, y = load_iris(return_X_y=True)
    model = make_pipeline(StandardScaler(), LFDA()).fit(X, y)
    save(model, tmp_path / "m")
    again = load(tmp_path / "m")
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
