import warnings

import numpy as np
import pytest

from labelscape._core.checks import ConstantFeatures
from labelscape.jobs.fitting import constant_features_named

X = np.column_stack([np.arange(5.0), np.ones((5, 7))])
NAMES = [f"gene {j}" for j in range(8)]


def test_constant_features_are_named_once_and_not_again_by_the_fit():
    named = constant_features_named(X[:, :3], NAMES[:3])
    with pytest.warns(ConstantFeatures) as caught, named:
        warnings.warn("2 features (1, 2)", ConstantFeatures, stacklevel=1)
    words = [str(warning.message) for warning in caught]
    assert words == ["2 features are constant (gene 1, gene 2) and are ignored."]


def test_of_many_constant_features_five_are_named():
    said = pytest.warns(ConstantFeatures, match=r"^7 .*gene 5, \.\.\.\)")
    with said, constant_features_named(X, NAMES):
        pass


def test_other_warnings_of_the_fit_are_heard():
    with pytest.warns(UserWarning, match="slow"), constant_features_named(X[:, :1], []):
        warnings.warn("slow", stacklevel=1)


def test_features_that_vary_are_no_matter():
    with constant_features_named(X[:, :1], NAMES[:1]):
        pass


def test_without_any_varying_feature_there_is_nothing_to_draw():
    said = pytest.raises(ValueError, match="every feature is constant")
    with said, constant_features_named(X[:, 1:], NAMES[1:]):
        pass
