import numpy as np
import pytest
from sklearn.base import BaseEstimator

from labelscape.plotting import plot_growth
from labelscape.prototypes import GLVQ, PushAndGrow


class Grown(BaseEstimator):
    """A stand-in with a history of three rounds, the last one not accepted."""

    def __init__(self):
        self.history_ = {
            "quality": np.array([0.5, 0.9, 0.9]),
            "n_prototypes": np.array([2, 4, 8]),
            "accepted": np.array([True, True, False]),
        }

    def fit(self):
        return self


def test_quality_and_prototypes_are_drawn_round_by_round():
    quality, prototypes = plot_growth(Grown()).axes
    np.testing.assert_allclose(quality.lines[0].get_ydata(), [0.5, 0.9, 0.9])
    np.testing.assert_allclose(prototypes.lines[0].get_ydata(), [2, 4, 8])


def test_rounds_that_did_not_pay_are_hollow():
    kept, dropped = plot_growth(Grown()).axes[0].collections
    assert len(kept.get_offsets()) == 2
    assert dropped.get_facecolors()[0].tolist() == [1, 1, 1, 1]


def test_a_model_that_never_grew_has_one_point(groups):
    X, y = groups(2)
    model = PushAndGrow(max_prototypes=2).fit(X, y)
    figure = plot_growth(model)
    assert len(figure.axes) == 2


def test_a_model_that_does_not_grow_is_refused(groups):
    with pytest.raises(ValueError, match="GLVQ does not grow"):
        plot_growth(GLVQ(random_state=0).fit(*groups(2)))
