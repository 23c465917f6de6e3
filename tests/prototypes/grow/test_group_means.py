import numpy as np
import pytest
from scipy.spatial.distance import cdist

from labelscape.prototypes.grow._growing import (
    DissimilarityMeans,
    VectorMeans,
    distances_to_combinations,
)


@pytest.fixture
def groups():
    rng = np.random.default_rng(0)
    X, group = rng.normal(size=(30, 4)), np.arange(30) % 3
    return X, group, rng.uniform(0.5, 2.0, 30)


def test_means_are_weighted_averages(groups):
    X, group, weights = groups
    found = VectorMeans(X).means(group, weights, 3)
    wanted = [
        np.average(X[group == g], axis=0, weights=weights[group == g]) for g in range(3)
    ]
    np.testing.assert_allclose(found, wanted, rtol=1e-13)


def test_dissimilarities_know_all_that_vectors_know(groups):
    X, group, weights = groups
    vectors, others = VectorMeans(X), DissimilarityMeans(cdist(X, X) ** 2)
    P, Q = vectors.means(group, weights, 3), others.means(group, weights, 3)
    rows, which = slice(4, 20), np.array([2, 0])
    for found, wanted in [
        (others.squared_distances(Q, rows), vectors.squared_distances(P, rows)),
        (others.squared_between(Q, which), vectors.squared_between(P, which)),
        (
            others.own_squared_distances(Q, group),
            vectors.own_squared_distances(P, group),
        ),
        (
            others.squared_between_samples(rows, slice(0, 9)),
            vectors.squared_between_samples(rows, slice(0, 9)),
        ),
        (
            others.squared_distances(others.samples(which), rows),
            vectors.squared_distances(vectors.samples(which), rows),
        ),
    ]:
        np.testing.assert_allclose(found, wanted, atol=1e-13)


def test_a_subset_is_a_space_of_its_own(groups):
    X, group, weights = groups
    members = np.flatnonzero(group == 1)
    half = np.arange(len(members)) % 2
    spaces = VectorMeans(X), DissimilarityMeans(cdist(X, X) ** 2)
    found = []
    for space in spaces:
        part = space.subset(members)
        means = part.means(half, weights[members], 2)
        found.append(part.squared_distances(means, slice(0, len(part))))
    np.testing.assert_allclose(found[0], found[1], atol=1e-13)


def test_new_objects_find_the_means_by_their_dissimilarities(groups):
    X, group, weights = groups
    Z = np.random.default_rng(1).normal(size=(5, 4))
    P = VectorMeans(X).means(group, weights, 3)
    Q = DissimilarityMeans(cdist(X, X) ** 2).means(group, weights, 3)
    found = distances_to_combinations(
        cdist(Z, X), Q.coefficients.toarray(), Q.variances
    )
    np.testing.assert_allclose(found, cdist(Z, P), rtol=1e-12)


def test_the_variance_of_a_group_is_its_mean_squared_distance_from_the_mean(groups):
    X, group, _ = groups
    Q = DissimilarityMeans(cdist(X, X) ** 2).means(group, np.ones(30), 3)
    wanted = [X[group == g].var(axis=0).sum() for g in range(3)]
    np.testing.assert_allclose(Q.variances, wanted, rtol=1e-12)


def test_the_nearest_own_prototype_is_of_the_own_class(groups):
    X, group, _ = groups
    P, owner = X[:6], np.array([0, 0, 1, 1, 2, 2])
    found = VectorMeans(X).nearest_own(P, owner, group)
    D = cdist(X, P)
    D[owner != group[:, None]] = np.inf
    assert (found == D.argmin(axis=1)).all()
