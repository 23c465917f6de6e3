import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import NearestCentroid

from labelscape.prototypes.grow.kmeans_prototypes import KMeansPrototypes


def test_one_prototype_per_class_is_the_nearest_centroid_classifier():
    X, y = load_iris(return_X_y=True)
    model, centroids = KMeansPrototypes(k=1).fit(X, y), NearestCentroid().fit(X, y)
    np.testing.assert_allclose(model.prototypes_, centroids.centroids_)
    assert (model.predict(X) == centroids.predict(X)).all()


def test_a_share_of_each_class_becomes_prototypes_and_at_least_one():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(63, 2)), np.repeat([0, 1, 2], [40, 20, 3])
    model = KMeansPrototypes(k=0.1, random_state=0).fit(X, y)
    assert np.bincount(model.prototype_labels_).tolist() == [4, 2, 1]
    assert model.compression_ == 9.0


def test_prototypes_are_the_means_of_their_members():
    X, y = load_iris(return_X_y=True)
    model = KMeansPrototypes(k=3, random_state=0).fit(X, y)
    for P, members in zip(model.prototypes_, model.members_, strict=True):
        np.testing.assert_allclose(X[members].mean(axis=0), P)


@pytest.mark.parametrize("k", [5, 1.0])
def test_a_class_has_at_most_as_many_prototypes_as_distinct_objects(k):
    X = np.array([[0.0], [0.0], [1.0], [5.0], [5.0]])
    model = KMeansPrototypes(k=k).fit(X, [0, 0, 0, 1, 1])
    assert model.prototypes_.tolist() == [[0.0], [1.0], [5.0]]


@pytest.mark.parametrize("k", [0, 0.0, 1.5, "many", True])
def test_k_is_a_number_of_prototypes_or_a_share(k):
    with pytest.raises(ValueError, match="KMeansPrototypes: k must be a whole number"):
        KMeansPrototypes(k=k).fit([[0.0], [1.0]], [0, 1])
