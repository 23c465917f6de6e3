"""scikit-learn's own checks of estimators that say they follow arrays of others."""

import os
import subprocess
import sys

import pytest

from labelscape._core.rows.answers import FOLLOWS

CHECKS = """
import warnings

from unittest import SkipTest
from sklearn.utils.estimator_checks import _yield_array_api_checks

import labelscape.prototypes as prototypes
from labelscape.geometry import FisherMetric

warnings.simplefilter("error")
for model in (
    FisherMetric(),
    FisherMetric(method="endpoint", parzen_points=20),
    prototypes.GLVQ(max_iter=3),
    prototypes.GRLVQ(max_iter=3),
    prototypes.GMLVQ(max_iter=3),
    prototypes.LGMLVQ(max_iter=3),
    prototypes.LiRaMLVQ(max_iter=3),
    prototypes.LocalLiRaMLVQ(max_iter=3),
):
    assert model.__sklearn_tags__().array_api_support
    done = 0
    for check in _yield_array_api_checks(model):
        try:
            check(type(model).__name__, model)
            done += 1
        except SkipTest:  # a library or device that is not here
            pass
    assert done >= 2  # NumPy, and one other
"""


@pytest.mark.slow
def test_estimators_that_follow_arrays_pass_the_checks_of_scikit_learn():
    pytest.importorskip("array_api_strict")
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    if not FOLLOWS or not hasattr(checks, "_yield_array_api_checks"):
        pytest.skip("this version of scikit-learn has other rules, or no such checks")
    # SciPy reads the variable when it is imported.
    environment = os.environ | {"SCIPY_ARRAY_API": "1"}
    command = [sys.executable, "-c", CHECKS]
    subprocess.run(command, env=environment, check=True)
