"""The nearest point of the border on maps: where it stands, and where it cannot."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.scene.cases import iris, liram, push_and_grow

from labelscape.prototypes import GMLVQ
from labelscape.prototypes._internal import explained_rows
from labelscape.scene._internal import scene_of

QUICK = {"regions": False, "quality": False, "random_state": 0}


def test_a_border_point_is_where_the_map_places_the_changed_object():
    X, y = iris()
    scene = scene_of(liram(), X, y, maps={"PCA": PCA(2).fit(X)}, **QUICK)
    after = np.array(
        [liram().explain(X[i]).counterfactual for i in scene.model.explanations.objects]
    )
    own, pca = scene.maps
    assert_allclose(own.borders, liram().transform(after)[:, :2], atol=1e-4)
    assert_allclose(pca.borders, PCA(2).fit(X).transform(after), atol=1e-4)


def test_units_of_a_pipeline_are_kept():
    X, y = iris()
    model = make_pipeline(StandardScaler(), GMLVQ(random_state=0)).fit(X, y)
    scene = scene_of(model, X, y, **QUICK)
    found, own = scene.model.explanations, model[-1]
    seen = model[0].transform(X)
    after = [own.explain(seen[i]).counterfactual for i in found.objects[:10]]
    wanted = own.transform(np.array(after))[:, :2]
    assert_allclose(scene.maps[0].borders[:10], wanted, atol=1e-4)


def test_on_a_map_of_distances_it_stands_where_its_distances_ask_for():
    X, y = iris()
    scene = scene_of(push_and_grow(), X, y, **QUICK)
    drawn, found = scene.maps[0], scene.model.explanations
    after = X[found.objects] + found.changes
    wanted = cdist(after, X)
    shown = cdist(drawn.borders, drawn.positions)
    errors = np.abs(shown - wanted).mean()
    # No worse than the map shows the objects themselves.
    own = cdist(X[found.objects], X)
    usual = np.abs(cdist(drawn.positions[found.objects], drawn.positions) - own).mean()
    assert errors < 1.5 * usual


def test_places_that_were_given_have_no_borders():
    X, y = iris()
    scene = scene_of(X[:, :2], X, y, prototypes=push_and_grow(), **QUICK)
    assert scene.model.explanations is not None
    assert scene.maps[0].borders is None


def test_borders_are_unknown_where_features_are_left_out():
    X, y = iris()
    scene = scene_of(liram(), X, y, max_features=2, **QUICK)
    assert scene.maps[0].borders is None


def test_an_object_that_no_change_flips_has_none(monkeypatch):
    X, y = iris()

    def never(*given):
        explained = explained_rows(*given)
        for one in explained:
            if one.x[0] > 7.0:
                vars(one).update(counterfactual=None, counterfactual_distance=np.inf)
        return explained

    monkeypatch.setattr("labelscape.scene._model.explained_rows", never)
    scene = scene_of(liram(), X, y, **QUICK)
    lost = np.isnan(scene.maps[0].borders).any(axis=1)
    assert_array_equal(lost, X[scene.model.explanations.objects, 0] > 7.0)
