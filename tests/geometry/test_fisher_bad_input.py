import numpy as np
import pytest
from tests.geometry.cases import clouds

from labelscape.geometry import FisherMetric


def test_one_class_is_refused():
    X, _ = clouds(10)
    with pytest.raises(ValueError, match="at least two classes, got 1 class"):
        FisherMetric().fit(X, np.zeros(10, dtype=int))


def test_missing_values_are_refused_where_they_come():
    X, y = clouds(10)
    broken = X.copy()
    broken[4, 1] = np.nan
    with pytest.raises(ValueError, match="column 1 holds 1 missing value, the first"):
        FisherMetric().fit(broken, y)
    metric = FisherMetric(random_state=0).fit(X, y)
    for ask in (metric.pairwise, metric.kneighbors, metric.tensor, metric.relevances):
        with pytest.raises(ValueError, match="contains NaN"):
            ask(broken)


def test_points_that_are_all_the_same_have_no_bandwidth():
    with pytest.raises(ValueError, match="all Parzen points are the same"):
        FisherMetric().fit(np.ones((6, 2)), [0, 1] * 3)


def test_points_that_are_all_the_same_are_at_no_distance_given_a_bandwidth():
    metric = FisherMetric(1.0, exclude_self=False).fit(np.ones((6, 2)), [0, 1] * 3)
    assert metric.epsilon_ == 0.0
    with pytest.warns(UserWarning, match="saturated"):
        assert (metric.pairwise() == 0.0).all()


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("bandwidth", "scott"),
        ("bandwidth", 0.0),
        ("n_steps", 0),
        ("regularization", -1.0),
        ("method", "geodesic"),
        ("rule", "right"),
        ("parzen_points", 1),
        ("parzen_points", 1.5),
        ("parzen_points", ([[0.0]],)),
        ("parzen_selection", "grid"),
        ("class_weight", "uniform"),
        ("bandwidth_scale", 0.0),
        ("exclude_self", "yes"),
        ("n_neighbors", 0),
    ],
)
def test_wrong_parameters_are_named(parameter, value):
    X, y = clouds(10)
    with pytest.raises(ValueError, match=f"FisherMetric: {parameter} must be"):
        FisherMetric(**{parameter: value}).fit(X, y)


def test_a_wrong_number_of_features_is_refused():
    X, y = clouds(10)
    metric = FisherMetric(random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="features"):
        metric.pairwise(X[:, :2])


@pytest.mark.parametrize(
    ("points", "labels", "words"),
    [
        (np.ones((4, 2)), [0, 1, 0, 1], "must have the features of X, 3; they have 2"),
        (np.full((4, 3), np.nan), [0, 1, 0, 1], "the points of parzen_points contains"),
        (np.ones((4, 3)), [0, 1], "parzen_points: X has 4 objects but y has 2 labels"),
        (np.ones((4, 3)), [1, 1, 1, 1], "parzen_points: y must hold at least two"),
        (np.ones((4, 3)), None, "parzen_points requires y"),
        (np.ones(3), [0, 1, 0], "Expected 2D array"),
    ],
)
def test_given_parzen_points_must_fit_the_data(points, labels, words):
    X, y = clouds(10)
    with pytest.raises(ValueError, match=words):
        FisherMetric(parzen_points=(points, labels)).fit(X, y)
