import numpy as np
import pytest
from scipy.spatial.distance import cdist

from labelscape.embeddings import NEXOM, XOM


@pytest.fixture
def X():
    return np.random.default_rng(1).normal(size=(40, 3))


@pytest.mark.parametrize("estimator", [XOM(random_state=0), NEXOM(random_state=0)])
@pytest.mark.parametrize("method", ["neighbors", "pivot"])
def test_fitted_objects_keep_their_place_and_new_ones_come_near_theirs(
    X, estimator, method
):
    Z = estimator.fit_transform(X)
    np.testing.assert_array_equal(estimator.transform(X, method=method), Z)
    near = estimator.transform(X + 1e-3, method=method)
    if method == "neighbors":
        h = np.exp(-(cdist(X, X) ** 2) / (2 * estimator.neighbor_width_**2))
        mean = (h @ Z) / h.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(near, mean, atol=0.01 * np.ptp(Z))
    assert np.abs(near - Z).max() < np.ptp(Z)


def test_the_pivot_rule_finds_the_place_with_the_right_distances():
    X = np.random.default_rng(0).uniform(size=(40, 2))
    nexom = NEXOM(init=X, max_iter=1, learning_rate=1e-9, learning_rate_end=1e-9)
    new = np.array([[0.3, 0.6], [0.8, 0.2]])
    nexom.fit(X)  # hardly moves: the map is the data
    places = nexom.transform(new, method="pivot")
    np.testing.assert_allclose(
        cdist(places, nexom.embedding_), cdist(new, X), atol=0.02
    )


def test_the_place_of_a_new_object_does_not_depend_on_the_others(X):
    xom = XOM(random_state=0).fit(X)
    new = np.random.default_rng(2).normal(size=(7, 3))
    together = xom.transform(new)
    for i in range(7):
        np.testing.assert_array_equal(xom.transform(new[i : i + 1])[0], together[i])


def test_given_dissimilarities_place_as_data_do(X):
    new = np.random.default_rng(2).normal(size=(5, 3))
    nexom = NEXOM(metric="precomputed", random_state=0).fit(cdist(X, X))
    places = nexom.transform(cdist(new, X))
    h = np.exp(-(cdist(new, X) ** 2) / (2 * nexom.neighbor_width_**2))
    np.testing.assert_allclose(
        places, (h @ nexom.embedding_) / h.sum(axis=1, keepdims=True), rtol=1e-9
    )


def test_new_objects_among_objects_that_are_one_go_where_those_are_or_off_them():
    xom = XOM().fit(np.ones((5, 2)))
    new = [[4.0, 5.0], [1.0, 1.0]]
    np.testing.assert_allclose(xom.transform(new), 0.5)
    places = xom.transform(new, method="pivot")
    np.testing.assert_allclose(np.linalg.norm(places - 0.5, axis=1), [5.0, 0.0], 0.1)


def test_errors_say_what_transform_needs(X):
    nexom = NEXOM(max_iter=1, random_state=0).fit(X)
    with pytest.raises(ValueError, match="method must be 'neighbors' or 'pivot'"):
        nexom.transform(X, method="spline")
    del nexom.training_X_
    with pytest.raises(ValueError, match="saved without them"):
        nexom.transform(X)
