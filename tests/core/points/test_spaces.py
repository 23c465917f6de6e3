import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.metrics import DistanceMetric
from threadpoolctl import threadpool_limits

from labelscape._core import threads
from labelscape._core.points import spaces
from labelscape._core.points.spaces import Dissimilarities, Points, measured, space_of

X = np.random.default_rng(0).normal(size=(13, 4))
X[5] = X[2]
D = squareform(pdist(X))


@pytest.fixture(params=["data", "matrix"])
def kind(request):
    return Points(X) if request.param == "data" else Dissimilarities(D)


def euclidean(a, b):
    return np.linalg.norm(a - b)


# The questions.


def test_every_question_gets_the_same_distances(kind, monkeypatch):
    monkeypatch.setattr(
        spaces,
        "row_blocks",
        lambda n, *_: [slice(i, min(i + 4, n)) for i in range(0, n, 4)],
    )
    assert kind.n == 13
    assert_allclose(kind.matrix(), D, atol=1e-14)
    assert_allclose(kind.condensed(), pdist(X), atol=1e-14)
    assert_allclose(kind.rows(slice(3, 7)), D[3:7], atol=1e-14)
    assert_allclose(kind.rows(np.array([9, 0])), D[[9, 0]], atol=1e-14)
    assert_allclose(kind.squared_rows(slice(3, 7)), D[3:7] ** 2, atol=1e-14)
    i, j = np.array([0, 4, 12, 5, 1]), np.array([3, 4, 1, 2, 0])
    assert_allclose(kind.pairs(i, j), D[i, j], atol=1e-14)
    members = [np.array([0, 3, 5]), np.array([1, 2])]
    centroids = np.stack([X[rows].mean(axis=0) for rows in members])
    squares = cdist(X, centroids, "sqeuclidean")
    assert_allclose(kind.squared_to_centroids(members), squares, atol=1e-13)


@pytest.mark.parametrize("n", [1, 255, 256, 257, 600])
@pytest.mark.parametrize("d", [1, 3, 4, 17])
def test_rows_are_sums_in_the_order_of_the_features(n, d):
    points = np.random.default_rng(n + d).normal(size=(n, d))
    which = np.array([0, n // 2, n - 1])
    total = np.zeros((3, n))
    for k in range(d):
        total = total + (points[which, None, k] - points[None, :, k]) ** 2
    assert_array_equal(Points(points).squared_rows(which), total)
    assert_array_equal(Points(points).rows(which), np.sqrt(total))


def test_identical_objects_get_one_number_in_the_order_of_appearance(kind):
    first, number = kind.distinct()
    assert_array_equal(first, [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12])
    assert_array_equal(number, [0, 1, 2, 3, 4, 2, 5, 6, 7, 8, 9, 10, 11])
    assert_allclose(kind.subset(first).matrix(), D[np.ix_(first, first)], atol=1e-14)


def test_minus_zero_is_zero():
    first, number = Points(np.array([[0.0], [-0.0]])).distinct()
    assert_array_equal(first, [0])
    assert_array_equal(number, [0, 0])


def test_objects_at_distance_zero_with_other_distances_are_not_the_same():
    odd = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 2.0], [1.0, 2.0, 0.0]])
    assert len(Dissimilarities(odd).distinct()[0]) == 3


# Neighbors.


def gaussian(n, d):
    return np.random.default_rng(0).normal(size=(n, d))


def grid(n, d):
    """Ties and duplicates, far from the origin."""
    return 1000.0 + np.random.default_rng(1).integers(0, 2, size=(n, d))


def outlier(n, d):
    """One point so far away that products of other points are inexact."""
    points = gaussian(n, d)
    points[3] = 1e9
    return points


@pytest.mark.parametrize("make", [gaussian, grid, outlier])
@pytest.mark.parametrize("d", [2, 40])
@pytest.mark.parametrize("k", [1, 6, 69])
def test_neighbors_are_the_others_by_distance_then_index(make, d, k):
    space = Points(make(70, d))
    full = space.matrix()
    others = full + np.where(np.eye(70, dtype=bool), np.inf, 0.0)
    wanted = np.argsort(others, axis=1, kind="stable")[:, :k]
    for found in (space, Dissimilarities(full)):
        neighbors, distances = found.kneighbors(k)
        assert_array_equal(neighbors, wanted)
    assert_array_equal(distances, np.take_along_axis(full, wanted, axis=1))


@pytest.mark.parametrize("d", [2, 40])
def test_distances_to_neighbors_are_exact_where_rows_are_screened(d):
    space = Points(grid(70, d))
    neighbors, distances = space.kneighbors(5)
    assert_array_equal(distances, np.take_along_axis(space.matrix(), neighbors, axis=1))


def test_a_search_does_not_write_to_a_matrix():
    before = D.copy()
    Dissimilarities(D).kneighbors(3)
    assert_array_equal(D, before)


@pytest.mark.parametrize("d", [2, 40])
def test_blocks_and_threads_do_not_change_the_neighbors(d, monkeypatch):
    whole = Points(gaussian(300, d)).kneighbors(7)
    monkeypatch.setattr(spaces, "SEARCH_BYTES", 1)
    monkeypatch.setattr(spaces, "SEARCH_ROWS", 7)
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        with threadpool_limits(count):
            parts = Points(gaussian(300, d)).kneighbors(7)
        for part, expected in zip(parts, whole, strict=True):
            assert_array_equal(part, expected)


# What a metric means.


class Scaled:
    """An object with pairwise; that it can be called as well does not matter."""

    def pairwise(self, X):
        return 2.0 * cdist(X, X)

    def __call__(self, a, b):
        raise AssertionError("pairwise was there")


@pytest.mark.parametrize(
    ("data", "metric", "factor"),
    [
        (X, "euclidean", 1.0),
        (D, "precomputed", 1.0),
        (X, euclidean, 1.0),
        (X, DistanceMetric.get_metric("euclidean"), 1.0),
        (X, Scaled(), 2.0),
        (X.tolist(), "euclidean", 1.0),
        (X.tolist(), euclidean, 1.0),
    ],
)
def test_every_kind_of_metric_makes_a_space(data, metric, factor):
    space = space_of(data, metric, owner="Test")
    assert_allclose(space.matrix(), factor * D, atol=1e-14)


def test_a_function_is_given_rows_and_their_precision():
    seen = []

    def watch(a, b):
        seen.append((a.shape, b.shape, a.dtype, b.dtype))
        return float(np.abs(a - b).sum())

    space_of(X.astype(np.float32), watch, owner="Test")
    assert len(seen) == 13**2  # both directions
    assert set(seen) == {((4,), (4,), np.dtype(np.float32), np.dtype(np.float32))}
    measured(watch, X.astype(np.float32), X, owner="Test")
    assert seen[-1] == ((4,), (4,), np.dtype(float), np.dtype(float))


def test_an_asymmetric_function_is_refused_as_a_matrix_is():
    def uphill(a, b):
        return max(b[0] - a[0], 0.0)

    matrix = np.array([[uphill(a, b) for b in X] for a in X])
    with pytest.raises(ValueError, match=r"^Test: .* must be symmetric") as by_matrix:
        space_of(matrix, "precomputed", owner="Test")
    with pytest.raises(ValueError, match=r"^Test: .* must be symmetric") as by_function:
        space_of(X, uphill, owner="Test")
    assert str(by_function.value) == str(by_matrix.value)


def test_rounding_is_no_asymmetry_and_leaves_none():
    def nearly(a, b):
        return euclidean(a, b) * (1.0 + 1e-15 * (a[0] > b[0]))

    found = space_of(X, nearly, owner="Test").D
    assert_array_equal(found, found.T)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_function_without_an_answer_names_the_two_objects(value):
    def broken(a, b):
        return value if a is not b and b[0] == X[7, 0] else euclidean(a, b)

    wanted = rf"^Test: metric must return a finite number, got {value} for sample 0 and"
    with pytest.raises(ValueError, match=wanted + " sample 7"):
        space_of(X, broken, owner="Test")


def test_a_negative_answer_names_the_two_objects():
    def negative(a, b):
        return -1.0 if {a[0], b[0]} == {X[2, 0], X[9, 0]} else euclidean(a, b)

    with pytest.raises(ValueError, match=r"got -1 between samples 2 and 9"):
        space_of(X, negative, owner="Test")


@pytest.mark.parametrize("function", [cdist, np.subtract, lambda a: 0.0])
def test_what_is_no_function_of_two_objects_is_told_how_to_be_one(function):
    wanted = r"^Test: metric must be a function of two samples .*metric='precomputed'"
    with pytest.raises(ValueError, match=wanted):
        space_of(X, function, owner="Test")


@pytest.mark.parametrize("metric", ["cosine", 3, None])
def test_other_metrics_are_refused_with_what_there_is(metric):
    with pytest.raises(ValueError, match=r"'euclidean', 'precomputed', a function of"):
        space_of(X, metric, owner="Test")


def test_blocks_of_a_search_are_small_where_rows_are_long():
    for n, rows in ((13, 13), (50_000, 64), (1_000_000, 16)):
        first = spaces.search_blocks(n, n)[0]
        assert first.stop - first.start == rows


def test_screened_rows_are_the_product_of_centered_points():
    points = np.random.default_rng(0).normal(3.0, 1.0, size=(40, 20))
    which = np.array([5, 0, 39])
    V, slack = Points(points).screened_rows(which)
    centered = points - np.median(points, axis=0)
    norms = (centered**2).sum(axis=1)
    assert_allclose(V, norms - 2.0 * centered[which] @ centered.T, atol=1e-12)
    assert (slack > 0.0).all()
