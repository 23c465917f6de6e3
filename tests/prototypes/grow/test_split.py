import numpy as np
import pytest
from scipy.spatial.distance import cdist

from labelscape.prototypes.grow._growing import (
    DissimilarityMeans,
    VectorMeans,
    far_pair,
    farthest_pair,
    is_varied,
    split,
)


def slow_split(X, weights):
    """2-means from the farthest pair, object by object."""
    D = cdist(X, X)
    a, b = np.unravel_index(D.argmax(), D.shape)
    centers = X[a], X[b]
    side = None
    while True:
        new = [
            int(np.linalg.norm(x - centers[1]) < np.linalg.norm(x - centers[0]))
            for x in X
        ]
        if new == side:
            return np.array(side)
        side = new
        centers = [
            np.average(
                X[np.array(side) == s], axis=0, weights=weights[np.array(side) == s]
            )
            for s in (0, 1)
        ]


@pytest.mark.parametrize("seed", range(5))
def test_a_split_is_two_means_from_the_farthest_pair(seed):
    rng = np.random.default_rng(seed)
    X, weights = rng.normal(size=(40, 3)), rng.uniform(0.1, 5.0, 40)
    assert (split(VectorMeans(X), weights, 100) == slow_split(X, weights)).all()
    dissimilarities = DissimilarityMeans(cdist(X, X) ** 2)
    assert (split(dissimilarities, weights, 100) == slow_split(X, weights)).all()


@pytest.mark.parametrize("n", [2, 3, 50, 700])
def test_the_farthest_pair_is_the_first_of_the_largest_distances(n):
    X = np.random.default_rng(n).integers(0, 4, size=(n, 3)).astype(float)
    X[0] = X[1] + 1  # so that there is a pair
    D = cdist(X, X)
    wanted = tuple(map(int, np.unravel_index(D.argmax(), D.shape)))
    assert farthest_pair(VectorMeans(X)) == wanted


@pytest.mark.parametrize("seed", range(5))
def test_the_double_sweep_finds_more_than_half_of_the_largest_distance(seed):
    X = np.random.default_rng(seed).normal(size=(200, 8))
    i, j = far_pair(VectorMeans(X))
    assert i < j
    assert np.linalg.norm(X[i] - X[j]) >= cdist(X, X).max() / 2


def test_large_groups_are_split_by_the_double_sweep():
    rng = np.random.default_rng(0)
    X = np.r_[rng.normal(size=(30, 2)), rng.normal(size=(30, 2)) + 20]
    side = split(VectorMeans(X), np.ones(60), exact_limit=10)
    assert len(set(side[:30])) == len(set(side[30:])) == 1
    assert side[0] != side[-1]


@pytest.mark.parametrize("seed", range(20))
def test_neither_half_runs_empty_not_even_with_extreme_weights_and_duplicates(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, size=(rng.integers(2, 30), 2)).astype(float)
    X[-1] = X[0] + 1
    weights = 10.0 ** rng.uniform(-50, 50, len(X))
    assert set(split(VectorMeans(X), weights, 100)) == {0, 1}


def test_a_half_that_rounding_would_empty_is_kept_as_it_was(monkeypatch):
    sides = iter([np.array([0, 1, 1]), np.array([0, 0, 0])])
    monkeypatch.setattr(
        "labelscape.prototypes.grow._growing._nearer", lambda space, pair: next(sides)
    )
    found = split(VectorMeans(np.arange(3.0)[:, None]), np.ones(3), 100)
    assert found.tolist() == [0, 1, 1]


def test_only_distinct_objects_can_be_split():
    assert not is_varied(VectorMeans(np.full((5, 2), 0.1)))
    assert not is_varied(VectorMeans(np.zeros((1, 2))))
    assert is_varied(VectorMeans(np.array([[0.0], [0.0], [1e-9]])))
