import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.decomposition import PCA
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import QuantileTransformer, StandardScaler
from tests.scene.cases import iris

from labelscape.boundary import ClassifierMap
from labelscape.embeddings import Sammon
from labelscape.prototypes import PushAndGrow
from labelscape.scene import _guides as neighbors
from labelscape.scene import decode, encode
from labelscape.scene._internal import scene_of


def nearest(X, k=10):
    distances, found = NearestNeighbors(n_neighbors=k).fit(X).kneighbors()
    return found, distances


def test_where_all_features_are_shown_the_view_is_told_how_to_measure():
    X, y = iris()
    model = make_pipeline(StandardScaler(), PCA(2)).fit(X)
    found = scene_of(model, X, y, quality=False).neighbors
    assert (found.unit, found.nearest) == ("standard_deviation", None)
    assert_allclose(found.weights, 1 / X.std(axis=0))


def test_places_that_were_given_are_compared_with_the_data_as_they_are():
    X, y = iris()
    found = scene_of(X[:, :2], X, y, quality=False).neighbors
    assert found.unit == "data"
    assert_allclose(found.weights, np.ones(4))


def test_a_model_beside_the_map_has_no_say_in_how_the_map_measures():
    X, y = iris()
    model = make_pipeline(StandardScaler(), PushAndGrow()).fit(X, y)
    found = scene_of(PCA(2).fit(X), X, y, prototypes=model, quality=False).neighbors
    assert_allclose(found.weights, np.ones(4))


def test_the_picture_of_a_classifier_measures_what_its_classifier_sees():
    X, y = iris(60)
    model = make_pipeline(StandardScaler(), PushAndGrow()).fit(X, y)
    picture = ClassifierMap(model, None, 2, random_state=0).fit(X)
    found = scene_of(picture, X, y, quality=False, regions=False).neighbors
    assert_allclose(found.weights, 1 / X.std(axis=0))


def test_of_features_that_are_not_all_shown_there_is_a_list():
    X, y = iris()
    model = make_pipeline(StandardScaler(), PCA(2)).fit(X)
    scene = scene_of(model, X, y, quality=False, max_features=2)
    found = decode(encode(scene)).neighbors
    wanted, distances = nearest(StandardScaler().fit_transform(X))
    assert found.weights is None
    assert found.nearest.dtype == np.uint8
    assert_allclose(found.distances.numbers, distances, atol=1e-4)
    # Of some that are equally near, scikit-learn names others.
    assert (found.nearest == wanted).mean() > 0.9


def test_where_a_scale_is_curved_there_is_a_list():
    X, y = iris()
    scaler = QuantileTransformer(n_quantiles=20)
    model = make_pipeline(scaler, PCA(2)).fit(X)
    found = scene_of(model, X, y, quality=False).neighbors
    _, distances = nearest(scaler.transform(X))
    assert found.weights is None
    assert_allclose(found.distances.numbers, distances, atol=1e-4)


def test_dissimilarities_are_listed_as_they_are():
    X, y = iris(30)
    D = pairwise_distances(X, metric="cityblock")
    model = Sammon(metric="precomputed", random_state=0).fit(D)
    found = scene_of(model, D, y, quality=False).neighbors
    assert found.unit is None
    wanted = np.sort(D + np.diag(np.full(30, np.inf)), axis=1)[:, :10]
    assert_allclose(found.distances.numbers, wanted, atol=1e-4)


@pytest.mark.parametrize("limit", ["MOST_LISTED", "MOST_WORK"])
def test_a_list_that_is_too_long_is_left_out(monkeypatch, limit):
    X, y = iris()
    monkeypatch.setattr(neighbors, limit, 100)
    scene = scene_of(PCA(2).fit(X), X, y, quality=False, max_features=2)
    assert scene.neighbors is None


def test_without_data_nothing_is_near():
    assert scene_of([[0.0, 0.0], [1.0, 2.0]]).neighbors is None
