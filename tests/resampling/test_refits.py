import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

from labelscape._core.errors import InputWarning, Setting
from labelscape.quality import honesty, islands

RNG = np.random.RandomState(0)
Y = np.repeat(["a", "b"], 40)
X = RNG.normal(size=(80, 3)) + 9.0 * (Y == "a")[:, None]


def nervous():
    """Return a map whose class travels to other processes by itself."""

    class Nervous(BaseEstimator):
        """A map that warns in each fit, each time in other words."""

        def fit(self, X, y=None):
            mean = float(X.mean())
            warnings.warn(f"Stopped at {mean}.", ConvergenceWarning, stacklevel=1)
            warnings.warn(InputWarning("Lower ", Setting("tol", 1), "."), stacklevel=1)
            self.embedding_ = self.transform(X)
            return self

        def transform(self, X):
            return np.asarray(X)[:, :2]

    return Nervous()


def heard(work):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        work()
    return [one.message for one in caught]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_all_fits_warn_of_is_said_once_with_their_number(n_jobs):
    first, second = heard(lambda: honesty(nervous(), X, Y, n_jobs=n_jobs))
    assert isinstance(first, ConvergenceWarning)
    assert str(first).startswith("Stopped at ")
    assert str(first).endswith(" (In 8 fits.)")
    assert str(second) == "Lower tol=1. (In 8 fits.)"
    assert second.advice == (Setting("tol", 1),)


def test_islands_say_it_once_too():
    said = heard(lambda: islands(nervous(), X, Y, embedding=X[:, :2], n_resamples=3))
    assert len(said) == 2
    assert all(str(one).endswith(" (In 3 fits.)") for one in said)


def test_a_warning_that_is_an_error_stops_the_work_as_ever():
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        with pytest.raises(ConvergenceWarning, match="Stopped at"):
            honesty(nervous(), X, Y)
