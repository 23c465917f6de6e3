import numpy as np
from tests.geometry.cases import clouds, plain

from labelscape.geometry._distances import shortest_paths


def test_paths_add_up_and_zero_edges_count():
    distances = np.array([[0.0], [1.5], [2.0], [2.0]])
    indices = np.array([[1], [2], [3], [2]])
    paths = shortest_paths([(0, distances, indices)], 4, slice(0, 1))
    np.testing.assert_allclose(paths, [[0.0, 0.0, 1.5, 3.5]], atol=1e-299)


def test_a_path_round_a_foreign_class_is_shorter_than_the_line():
    # A ring of one class around a blob of another: the line crosses the blob.
    angles = np.linspace(0.0, 2 * np.pi, 60, endpoint=False)
    ring = 5.0 * np.column_stack([np.cos(angles), np.sin(angles)])
    blob = np.random.default_rng(0).normal(size=(30, 2)) * 0.5
    X, y = np.concatenate([ring, blob]), np.repeat([0, 1], [60, 30])
    straight = plain().fit(X, y).pairwise()
    graph = plain(method="graph").fit(X, y).pairwise()
    assert straight[0, 30] > 6.0
    assert graph[0, 30] < 0.1
    assert (graph <= straight).all()


def test_new_points_take_the_paths_of_the_fitted_ones():
    X, y = clouds(40)
    metric = plain(method="graph", n_neighbors=4).fit(X, y)
    D = metric.pairwise(X[:5] + 0.01, X)
    np.testing.assert_allclose(D, metric.pairwise()[:5], atol=0.1)
    assert metric.pairwise(X[:5] + 0.01, X[7:9] + 0.01).shape == (5, 2)
