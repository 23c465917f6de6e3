import numpy as np
import pandas as pd
import pytest
from tests.geometry.cases import clouds, plain

from labelscape.geometry import FisherMetric


def test_one_class_is_refused():
    X, _ = clouds(10)
    with pytest.raises(ValueError, match="at least two classes, got 1 class"):
        FisherMetric().fit(X, np.zeros(10, dtype=int))


def test_missing_values_are_refused_where_they_come():
    X, y = clouds(10)
    broken = X.copy()
    broken[4, 1] = np.nan
    with pytest.raises(ValueError, match="column 1 has 1 missing value, the first"):
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
        (
            np.ones((4, 2)),
            [0, 1, 0, 1],
            r"as many features as X \(3\), got 2",
        ),
        (np.full((4, 3), np.nan), [0, 1, 0, 1], "the points of parzen_points contains"),
        (np.ones((4, 3)), [0, 1], "parzen_points: X has 4 samples but y has 2 labels"),
        (np.ones((4, 3)), [1, 1, 1, 1], "parzen_points: y must contain at least two"),
        (np.ones((4, 3)), None, "parzen_points requires y"),
        (np.ones(3), [0, 1, 0], "Expected 2D array"),
    ],
)
def test_given_parzen_points_must_fit_the_data(points, labels, words):
    X, y = clouds(10)
    with pytest.raises(ValueError, match=words):
        FisherMetric(parzen_points=(points, labels)).fit(X, y)


@pytest.mark.parametrize("value", [1e9, 1e20, 9.97e36])
def test_a_fill_value_leaves_the_other_objects_as_they_are(value):
    X, y = clouds(60)
    one = np.vstack([X, np.full((1, 3), value)])
    metric = plain().fit(X, y)
    with pytest.warns(
        UserWarning, match=r"column . is .* row 60. Its distance .* more than 1e\+08"
    ):
        spoilt = plain().fit(one, np.append(y, 0))
    np.testing.assert_allclose(spoilt.predict_proba(X), metric.predict_proba(X))
    np.testing.assert_allclose(spoilt.pairwise(X), metric.pairwise(X), atol=1e-7)
    np.testing.assert_allclose(spoilt.tensor(X), metric.tensor(X), atol=1e-9)
    assert np.isfinite(spoilt.pairwise()).all()


def test_fill_values_in_many_rows_are_counted_and_the_column_is_named():
    X, y = clouds(60)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame.loc[[3, 8, 9], "b"] = -1e30
    words = r"'b' is -1e\+30 in row 3 \(and similar in 2 more rows\). Its distance"
    with pytest.warns(UserWarning, match=words):
        FisherMetric(random_state=0).fit(frame, y)


@pytest.mark.parametrize("options", [{}, {"exclude_self": True}])
def test_however_far_an_object_is_the_nearest_class_is_certain(options):
    X, y = clouds(60)
    metric = plain(**options).fit(X, y)
    direction = np.array([0.3, -0.8, 0.5])
    nearest = y[(X @ direction).argmax()]
    for distance in (1e5, 1e7, 1e12, 1e20, 1e100):
        p = metric.predict_proba(distance * direction[None])
        np.testing.assert_allclose(p, np.eye(3)[[nearest]], atol=1e-12)


@pytest.mark.parametrize("direction", [[0.3, -0.8, 0.5], [-1, 0.1, 0.2], [0, 1, 1]])
def test_a_left_out_outlier_is_of_the_class_that_is_nearest_to_it(direction):
    X, y = clouds(60)
    nearest = y[(X @ direction).argmax()]
    one = np.vstack([X, 1e20 * np.array(direction)])
    metric = plain(exclude_self=True, method="endpoint")
    with pytest.warns(UserWarning, match="more than"):
        metric.fit(one, np.append(y, (nearest + 1) % 3))
    # An object on the way is of this class, and certain.
    way = 1e10 * np.array([direction])
    np.testing.assert_allclose(metric.predict_proba(way), np.eye(3)[[nearest]])
    assert metric.pairwise(one, way)[-1, 0] < 1e-6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bandwidth": 1e300}, r"bandwidth is 1e\+300, and its square is too large"),
        ({"bandwidth": 1e-300}, "bandwidth is 1e-300, and its square is too small"),
        ({"bandwidth_scale": 1e300}, "and its square is too large to compute"),
    ],
)
def test_bandwidths_without_a_square_are_refused(options, words):
    X, y = clouds(20)
    with pytest.raises(ValueError, match=words):
        FisherMetric(**options).fit(X, y)


def test_objects_that_are_too_many_bandwidths_away_are_refused():
    X, y = clouds(20)
    metric = FisherMetric(bandwidth=1e-100, random_state=0).fit(X, y)
    assert np.isfinite(metric.kneighbors()[0]).all()
    with pytest.raises(ValueError, match="too far for a bandwidth of 1e-100"):
        metric.predict_proba(np.full((1, 3), 1e60))


def test_labels_of_several_kinds_are_refused():
    X, _ = clouds(9)
    with pytest.raises(ValueError, match="FisherMetric: y mixes labels of several"):
        FisherMetric().fit(X, np.array(["a", 1, 2.5] * 3, dtype=object))
