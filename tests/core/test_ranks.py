import numpy as np
import pytest

from labelscape._core.ranks import nearest_neighbours, neighbour_order


def direct_order(D, own):
    """Others sorted by (distance, index), straight from the rule."""
    return [
        sorted((j for j in range(D.shape[1]) if j != o), key=lambda j: (row[j], j))
        for row, o in zip(D, own, strict=True)
    ]


@pytest.fixture(params=["distinct", "tied", "infinite"])
def rows(request):
    rng = np.random.default_rng(0)
    D = rng.random((6, 12)) if request.param == "distinct" else None
    if D is None:
        D = rng.integers(0, 3, size=(6, 12)).astype(float)
    if request.param == "infinite":
        D[:, 3:6] = np.inf
    return D, np.arange(2, 8)


def test_neighbours_are_ordered_by_distance_then_index(rows):
    assert neighbour_order(*rows).tolist() == direct_order(*rows)


@pytest.mark.parametrize("k", [1, 3, 39])
def test_nearest_neighbours_are_those_of_the_full_order(k):
    X = np.random.default_rng(0).integers(0, 3, size=(40, 2)).astype(float)
    D = ((X[:, None] - X[None]) ** 2).sum(axis=-1)
    order, distances = nearest_neighbours(X, k)
    wanted = np.array(direct_order(D, np.arange(40)))[:, :k]
    assert order.tolist() == wanted.tolist()
    np.testing.assert_array_equal(
        distances, np.sqrt(np.take_along_axis(D, wanted, axis=1))
    )
