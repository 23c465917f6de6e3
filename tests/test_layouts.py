"""Every estimator learns the same bits for all memory layouts."""

import inspect

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.naive_bayes import GaussianNB

from labelscape import boundary, embeddings, geometry, prototypes
from labelscape.boundary import ClassifierMap
from labelscape.embeddings import Sammon

ESTIMATORS = [
    member
    for room in (boundary, embeddings, geometry, prototypes)
    for member in (getattr(room, name) for name in room.__all__)
    if isinstance(member, type) and issubclass(member, BaseEstimator)
]
Y = np.arange(40) % 2
X = np.random.default_rng(0).normal(size=(40, 7)) + 2.0 * Y[:, None]
SETTINGS = {
    "random_state": 0,
    "max_iter": 5,
    "early_exaggeration_iter": 5,
    "perplexity": 5,
    "resolution": 5,
    "embedder": Sammon(max_iter=5, random_state=0),
    "classifier": GaussianNB().fit(X, Y),
}


def read_only(X):
    X = X.copy()
    X.setflags(write=False)
    return X


LAYOUTS = {
    "columns": np.asfortranarray,
    "frame": pd.DataFrame,
    "view": lambda X: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    "backwards": lambda X: X[::-1].copy()[::-1],
    "read only": read_only,
    "lists": np.ndarray.tolist,
}


def learned(estimator, X):
    parameters = inspect.signature(estimator).parameters
    used = {name: value for name, value in SETTINGS.items() if name in parameters}
    model = estimator(**used).fit(X, Y)
    found = {
        name: value
        for name, value in vars(model).items()
        if isinstance(value, np.ndarray) and value.dtype.kind == "f"
    }
    if hasattr(model, "transform"):
        found["transform"] = np.asarray(model.transform(X))
    if hasattr(model, "predict_proba"):
        found["predict_proba"] = np.asarray(model.predict_proba(X))
    return found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*(did not|not) converge")
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_all_layouts_of_an_array_give_the_same_bits(estimator):
    expected = learned(estimator, X)
    assert expected
    for layout in LAYOUTS.values():
        found = learned(estimator, layout(X))
        for name, value in expected.items():
            np.testing.assert_array_equal(found[name], value, err_msg=name)


def test_a_picture_is_the_same_for_both_precisions():
    single = X.astype(np.float32)
    maps = [
        learned(ClassifierMap, given) for given in (single, single.astype(np.float64))
    ]
    np.testing.assert_array_equal(maps[0]["embedding_"], maps[1]["embedding_"])
