import numpy as np
import pytest
from numpy.testing import assert_array_equal

from labelscape._core import threads
from labelscape._core.points import distances as ranks
from labelscape._core.points.distances import nearest_in_rows, nearest_neighbors
from labelscape._core.points.spaces import Points


def direct_order(D, own):
    """Return other points sorted by (distance, index), by the definition."""
    return [
        sorted((j for j in range(D.shape[1]) if j != o), key=lambda j: (row[j], j))
        for row, o in zip(D, own, strict=True)
    ]


def rows_of(kind, n):
    rng = np.random.default_rng(0)
    D = rng.random((8, n))
    if kind == "descending":  # each point is nearer than all before it
        D = -np.sort(-D, axis=1)
    if kind in ("tied", "infinite"):
        D = rng.integers(0, 3, size=(8, n)).astype(float)
    if kind == "infinite":
        D[:, 3:] = np.inf
    return D


@pytest.mark.parametrize("kind", ["distinct", "descending", "tied", "infinite"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("k", [1, 2, 7, 32, 33, 50, 79])
def test_neighbors_are_ordered_by_distance_then_index(kind, dtype, k):
    D, own = rows_of(kind, 80).astype(dtype), np.arange(2, 10)
    found, distances = nearest_in_rows(D, k, own)
    wanted = np.array(direct_order(D, own))[:, :k]
    assert_array_equal(found, wanted)
    assert_array_equal(distances, np.take_along_axis(D, wanted, axis=1))
    assert distances.dtype == dtype


@pytest.mark.parametrize("k", [1, 5, 30])
def test_rows_of_new_points_leave_out_nobody(k):
    D = rows_of("tied", 30)
    wanted = np.argsort(D, axis=1, kind="stable")[:, :k]
    assert_array_equal(nearest_in_rows(D, k)[0], wanted)


@pytest.mark.parametrize("k", [1, 3, 39])
def test_nearest_neighbors_are_those_of_the_full_order(k):
    X = np.random.default_rng(0).integers(0, 3, size=(40, 2)).astype(float)
    D = ((X[:, None] - X[None]) ** 2).sum(axis=-1)
    order, distances = nearest_neighbors(X, k)
    wanted = np.array(direct_order(D, np.arange(40)))[:, :k]
    assert_array_equal(order, wanted)
    assert_array_equal(distances, np.sqrt(np.take_along_axis(D, wanted, axis=1)))


def test_new_positions_find_their_neighbors_among_the_fitted():
    rng = np.random.default_rng(0)
    fitted = rng.integers(0, 3, size=(30, 2)).astype(float)
    queries = rng.integers(0, 3, size=(11, 2)).astype(float)
    found, _ = nearest_neighbors(fitted, 4, queries)
    for query, row in zip(queries, found, strict=True):
        order = sorted((sum((query - x) ** 2), j) for j, x in enumerate(fitted))
        assert_array_equal(row, [j for _, j in order[:4]])


def test_blocks_and_threads_do_not_change_the_neighbors(monkeypatch):
    X = np.random.default_rng(0).normal(size=(300, 5))
    whole = nearest_neighbors(X, 7)
    monkeypatch.setattr(
        ranks, "row_blocks", lambda n, size: threads.row_blocks(n, size, 7 * size)
    )
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        for side, expected in zip(nearest_neighbors(X, 7), whole, strict=True):
            assert_array_equal(side, expected)


@pytest.mark.parametrize("n", [1, 5, 40])
def test_more_neighbors_than_there_are_points_are_refused(n):
    X = np.random.default_rng(0).normal(size=(n, 20))
    with pytest.raises(ValueError, match="fewer points than the number"):
        nearest_neighbors(X, n)
    with pytest.raises(ValueError, match="fewer points than the number"):
        Points(X).kneighbors(n)
    with pytest.raises(ValueError, match="fewer points than the number"):
        nearest_neighbors(X, n + 1, X)


def test_no_neighbors_are_none():
    assert Points(np.ones((1, 3))).kneighbors(0)[0].shape == (1, 0)
    assert Points(np.ones((1, 20))).kneighbors(0)[0].shape == (1, 0)
