"""The selection of features."""

import numpy as np
from numpy.testing import assert_array_equal
from sklearn.datasets import load_wine
from sklearn.feature_selection import f_classif

from labelscape._core.columns import selected_features


def test_features_are_selected_by_the_f_of_an_analysis_of_variance():
    X, y = load_wine(return_X_y=True)
    wanted = np.sort(np.argsort(-f_classif(X, y)[0])[:5])
    assert_array_equal(selected_features(X, y, 5), wanted)


def test_constant_features_are_not_selected_before_others():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 300)), np.arange(200) % 2
    X[:, :250] = -0.0137 * rng.uniform(0.5, 2.0, 250)  # their means are rounded
    X[:, 260:265] += y[:, None]
    selected = selected_features(X, y, 20)
    assert set(range(260, 265)) <= set(selected) <= set(range(250, 300))
