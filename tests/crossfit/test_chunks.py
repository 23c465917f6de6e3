"""Cross-fitting of chunks has the folds and probabilities of a fit in memory."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from labelscape.crossfit import CrossFit, RandomFeatureClassifier
from labelscape.prototypes import GLVQ

da = pytest.importorskip("dask.array", reason="labelscape[dask] is not installed")

X, Y = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X)
X[100:110] = X[90:100]  # copies, which are held out together
CHUNKS = (70, 8, 100)


def table():
    return da.from_array(X, chunks=(CHUNKS, 13)), da.from_array(Y, chunks=60)


def test_smooth_borders_are_those_of_a_fit_in_memory():
    expected = RandomFeatureClassifier(50, random_state=0).fit(X, Y)
    found = RandomFeatureClassifier(50, random_state=0).fit(*table())
    assert found.ridge_ == expected.ridge_
    assert found.sharpness_ == pytest.approx(expected.sharpness_, rel=1e-6)
    assert_allclose(found.frequencies_, expected.frequencies_)
    assert_allclose(found.coefficients_, expected.coefficients_, atol=1e-8)


def test_probabilities_are_those_of_a_fit_in_memory():
    labels = np.array(["ash", "elm", "oak"])[Y]
    expected = CrossFit(n_folds=2, random_state=0).fit(X, labels)
    found = CrossFit(n_folds=2, random_state=0).fit(table()[0], labels)
    assert found.classes_.tolist() == expected.classes_.tolist()
    np.testing.assert_array_equal(found.fold_, expected.fold_)
    assert_allclose(found.probabilities_, expected.probabilities_, atol=1e-5)
    assert_allclose(found.predict_proba(X), expected.predict_proba(X), atol=1e-5)
    assert_allclose(found.out_of_fold_proba(X), found.probabilities_, atol=1e-12)


def test_groups_are_held_out_together():
    groups = np.arange(len(Y)) // 5
    model = CrossFit(GLVQ(max_iter=3), 4, random_state=0)
    expected = model.fit(X, Y, groups).fold_
    for given in (groups, da.from_array(groups, chunks=50)):
        found = CrossFit(GLVQ(max_iter=3), 4, random_state=0).fit(*table(), given)
        np.testing.assert_array_equal(found.fold_, expected)


def test_classifiers_that_would_gather_all_data_are_refused():
    with pytest.raises(TypeError, match="LogisticRegression cannot learn from chunks"):
        CrossFit(LogisticRegression()).fit(*table())


def test_what_is_asked_of_the_fitted_objects_is_asked_in_memory():
    model = CrossFit(GLVQ(max_iter=2), 2, random_state=0).fit(*table())
    with pytest.raises(TypeError, match="X must be in memory"):
        model.out_of_fold_proba(table()[0])
    with pytest.raises(TypeError, match="X must be in memory"):
        model.refit(*table())
