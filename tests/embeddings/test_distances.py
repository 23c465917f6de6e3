import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import pdist, squareform

from labelscape.embeddings import _distances
from labelscape.embeddings._distances import (
    EuclideanDistances,
    GivenDissimilarities,
)

X = np.random.default_rng(0).normal(size=(13, 4))
X[5] = X[2]
D = squareform(pdist(X))


@pytest.fixture(params=["data", "matrix"])
def kind(request):
    return EuclideanDistances(X) if request.param == "data" else GivenDissimilarities(D)


def test_every_question_gets_the_same_distances(kind, monkeypatch):
    monkeypatch.setattr(
        _distances,
        "row_blocks",
        lambda n, _: [slice(i, min(i + 4, n)) for i in range(0, n, 4)],
    )
    assert_allclose(kind.matrix(), D, atol=1e-14)
    assert_allclose(kind.condensed(), pdist(X), atol=1e-14)
    assert_allclose(kind.rows(slice(3, 7)), D[3:7], atol=1e-14)
    i, j = np.array([0, 4, 12, 5, 1]), np.array([3, 4, 1, 2, 0])
    assert_allclose(kind.listed(i, j), D[i, j], atol=1e-14)


def test_identical_objects_get_one_number_in_the_order_of_appearance(kind):
    first, number = kind.distinct()
    assert_array_equal(first, [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12])
    assert_array_equal(number, [0, 1, 2, 3, 4, 2, 5, 6, 7, 8, 9, 10, 11])
    assert_allclose(kind.subset(first).matrix(), D[np.ix_(first, first)], atol=1e-14)


def test_minus_zero_is_zero():
    first, number = EuclideanDistances(np.array([[0.0], [-0.0]])).distinct()
    assert_array_equal(first, [0])
    assert_array_equal(number, [0, 0])


def test_objects_at_distance_zero_with_other_distances_are_not_the_same():
    odd = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 2.0], [1.0, 2.0, 0.0]])
    assert len(GivenDissimilarities(odd).distinct()[0]) == 3


def test_both_kinds_begin_with_the_same_straight_map():
    data, matrix = EuclideanDistances(X), GivenDissimilarities(D)
    assert_allclose(data.straight_map(2), matrix.straight_map(2), atol=1e-10)
