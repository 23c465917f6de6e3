import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.decomposition import NMF, PCA, KernelPCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.scene.cases import iris

from labelscape import datasets
from labelscape.embeddings import LFDA, KernelTSNE
from labelscape.prototypes import LiRaMLVQ, LocalLiRaMLVQ, PushAndGrow
from labelscape.scene import decode, encode
from labelscape.scene._internal import scene_of as built_scene

WINE = datasets.load("wine")


def scene_of(last, X=WINE.X, y=WINE.y, **options):
    model = make_pipeline(StandardScaler(), last).fit(X, y)
    names = [f"f{j}" for j in range(X.shape[1])]
    scene = built_scene(model, X, y, feature_names=names, quality=False, **options)
    return model, scene


@pytest.mark.slow
@pytest.mark.parametrize(
    "last",
    [
        PCA(2),
        PCA(4, whiten=True),
        LinearDiscriminantAnalysis(n_components=2),
        NeighborhoodComponentsAnalysis(n_components=2, max_iter=5, random_state=0),
        LFDA(),
        LiRaMLVQ(random_state=0),
        LocalLiRaMLVQ(max_iter=5, random_state=0),
    ],
    ids=lambda last: type(last).__name__,
)
def test_arrows_are_what_the_map_makes_of_one_standard_deviation(last):
    model, scene = scene_of(last, regions=False)
    arrows = scene.maps[0].arrows
    X, spread = WINE.X, WINE.X.std(axis=0)
    mean = X.mean(axis=0)
    assert_allclose(arrows.origin, model.transform([mean])[0, :2], atol=1e-6)
    for name, vector in zip(arrows.features, arrows.vectors, strict=True):
        step = np.zeros_like(mean)
        j = int(name[1:])
        step[j] = 1e-3 * spread[j]
        above, below = model.transform([mean + step, mean - step])[:, :2]
        assert_allclose(vector, (above - below) / 2e-3, rtol=1e-5, atol=1e-6)


def test_the_longest_arrows_are_shown_the_longest_first():
    model, scene = scene_of(PCA(2))
    lengths = np.hypot(*model[-1].components_)
    arrows = scene.maps[0].arrows
    assert len(arrows.features) == 8
    assert arrows.features == tuple(f"f{j}" for j in np.argsort(-lengths)[:8])


def test_features_that_hardly_count_have_no_arrow():
    X = np.column_stack([WINE.X, np.zeros(len(WINE.X))])
    X[:, 3:] *= 1e-3
    map_ = PCA(2).fit(X[:, :5] * [1, 1, 1, 1, 0])
    scene = built_scene(map_, X[:, :5] * [1, 1, 1, 1, 0], quality=False)
    assert "x5" not in scene.maps[0].arrows.features
    assert set(scene.maps[0].arrows.features) <= {"x1", "x2", "x3"}


@pytest.mark.parametrize(
    "last",
    [
        KernelPCA(2, kernel="rbf"),
        KernelTSNE(max_iter=20, early_exaggeration_iter=10, random_state=0),
    ],
    ids=lambda last: type(last).__name__,
)
def test_maps_that_are_not_linear_have_none(last):
    _, scene = scene_of(last)
    assert scene.maps[0].arrows is None


def test_directions_alone_do_not_make_a_map_linear():
    X, y = iris()
    model = NMF(2, random_state=0, max_iter=1000).fit(X)
    scene = built_scene(model, X, y, quality=False)
    assert hasattr(model, "components_")
    assert scene.maps[0].arrows is None


def test_a_map_of_one_dimension_has_none():
    X, y = iris()
    model = LinearDiscriminantAnalysis(n_components=1).fit(X, y)
    assert built_scene(model, X, y, quality=False).maps[0].arrows is None


def test_equal_objects_have_none():
    X = np.ones((5, 3))
    model = PCA(2).fit(iris()[0][:, :3])
    assert built_scene(model, X, quality=False).maps[0].arrows is None


def test_values_that_are_too_large_make_no_arrows():
    X, _ = iris()
    model = PCA(2).fit(X)
    model.components_[:, 3] = 0.0
    scene = built_scene(model, X * [1.0, 1.0, 1.0, 1e200], quality=False)
    assert scene.maps[0].arrows is None


def test_arrows_have_the_names_of_the_features_beside_a_model():
    X, y = iris()
    names = ["a", "b", "c", "d"]
    prototypes = make_pipeline(StandardScaler(), PushAndGrow()).fit(X, y)
    scene = built_scene(
        make_pipeline(StandardScaler(), PCA(2)).fit(X),
        X,
        y,
        feature_names=names,
        prototypes=prototypes,
        maps={"LDA": LinearDiscriminantAnalysis().fit(X, y)},
        quality=False,
    )
    for one in scene.maps:
        assert set(one.arrows.features) <= set(names)


def test_places_that_were_given_have_none_and_arrows_survive_the_bytes():
    X, y = iris()
    Z = PCA(2).fit_transform(X)
    assert built_scene(Z, X, y, quality=False).maps[0].arrows is None
    _, scene = scene_of(PCA(2))
    arrows, again = scene.maps[0].arrows, decode(encode(scene)).maps[0].arrows
    assert again.features == arrows.features
    assert_allclose(again.vectors, arrows.vectors)
