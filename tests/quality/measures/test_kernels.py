import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.stats import rankdata

from labelscape.quality.measures._kernels import ranks_of_rows
from labelscape.quality.measures.distances import average_ranks


@pytest.mark.parametrize("scale", [0.0, 1e-300, 1.0, 1e300])
def test_ranks_are_those_of_scipy(scale):
    rng = np.random.default_rng(0)
    values = scale * rng.random(500)
    values[::7] = values[3]
    values[5:9] = [0.0, -0.0, 5e-324, 0.0]
    before = values.copy()
    assert_array_equal(average_ranks(values), rankdata(values))
    D = values.reshape(5, 100)
    ranks = np.empty(D.shape, dtype=np.int32)
    ranks_of_rows(D, ranks)
    for row, found in zip(D, ranks, strict=True):
        assert_array_equal(found, rankdata(row, method="ordinal"))
    assert_array_equal(values, before)


def test_infinity_comes_last():
    D = np.array([[2.0, np.inf, 0.5]])
    ranks = np.empty(D.shape, dtype=np.int32)
    ranks_of_rows(D, ranks)
    assert_array_equal(ranks, [[2, 3, 1]])


@pytest.mark.parametrize("farthest", [1.0, 1e12])
def test_ranks_of_many_buckets_are_those_of_scipy(farthest):
    rng = np.random.default_rng(0)
    values = np.round(rng.gamma(2.0, size=70_000), 4)
    values[7] = farthest
    assert_array_equal(average_ranks(values), rankdata(values))
