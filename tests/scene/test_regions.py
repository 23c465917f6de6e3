import numpy as np
from numpy.testing import assert_array_equal
from sklearn.decomposition import PCA
from sklearn.naive_bayes import GaussianNB
from tests.scene.cases import centers, iris, liram

from labelscape.boundary import ClassifierMap
from labelscape.boundary._internal import FAR, regions_of
from labelscape.prototypes import LiRaMLVQ, LocalLiRaMLVQ
from labelscape.scene._internal import scene_of


def cells(regions):
    """Return the middle of each cell (rows, columns, 2)."""
    return np.stack(np.meshgrid(*centers(regions)), axis=-1)


def test_regions_of_a_plane_are_the_nearest_prototypes():
    X, y = iris()
    first = scene_of(liram(), X, y, regions=30, quality=False).maps[0]
    places, W = cells(first.regions), first.prototypes
    near = np.linalg.norm(places[:, :, None] - W, axis=-1).argmin(axis=-1)
    owner = np.searchsorted(liram().classes_, liram().prototype_labels_)
    assert np.mean(owner[near] == first.regions.labels) > 0.999
    assert first.regions.agreement == 1.0


def test_curved_regions_agree_with_the_model():
    X, y = iris(45)
    model = LocalLiRaMLVQ(random_state=0).fit(X, y)
    regions = scene_of(model, X[::9], regions=20, quality=False).maps[0].regions
    assert regions.agreement == 1.0


def test_points_stand_where_data_are():
    X, y = iris()
    scene = scene_of(liram(), X, y, regions=40, quality=False)
    regions = scene.maps[0].regions
    x0, y0, x1, y1 = regions.box
    rows, columns = regions.support.shape
    Z = scene.maps[0].positions
    column = ((Z[:, 0] - x0) / (x1 - x0) * columns).astype(int)
    row = ((Z[:, 1] - y0) / (y1 - y0) * rows).astype(int)
    assert (regions.support[row, column] > 0).all()
    assert regions.share_far == np.mean(regions.support == 0)
    assert np.mean(regions.labels[row, column] == scene.predictions) > 0.9


def test_no_data_near_is_one_rule_for_figures_and_scenes(monkeypatch):
    X, y = iris()
    picture = ClassifierMap(GaussianNB().fit(X, y), PCA(2), resolution=10).fit(X)
    found = []

    def at_the_edge(*arguments):
        regions = regions_of(*arguments)
        column = np.arange(regions.support.shape[1])
        edge = np.where(column % 2, np.nextafter(FAR, 4.0), FAR)
        found.append(
            regions._replace(support=np.broadcast_to(edge, regions.support.shape))
        )
        return found[-1]

    monkeypatch.setattr("labelscape.scene._regions.regions_of", at_the_edge)
    shown = scene_of(picture, X, y, quality=False).maps[0].regions
    assert_array_equal(shown.support == 0, found[-1].far)
    assert 0.0 < (shown.support == 0).mean() == found[-1].share_far_from_data


def test_regions_can_be_left_out():
    X, y = iris()
    scene = scene_of(liram(), X, y, regions=False, quality=False)
    assert scene.maps[0].regions is None


def test_agreement_on_another_map_is_that_of_points_it_was_not_made_of():
    X, y = iris()
    options = {"regions": 20, "quality": False, "random_state": 0}
    scene = scene_of(PCA(2).fit(X), X, y, prototypes=liram(), **options)
    assert 0.8 < scene.maps[0].regions.agreement <= 1.0


def test_many_features_get_a_coarser_picture(monkeypatch):
    monkeypatch.setattr("labelscape.scene._regions.MOST_VALUES", 4 * 25**2)
    X, y = iris()
    scene = scene_of(PCA(2).fit(X), X, y, prototypes=liram(), quality=False)
    assert 20**2 < scene.maps[0].regions.labels.size <= 25**2


def test_regions_lie_under_all_prototypes_and_all_that_a_stage_shows():
    X, y = iris()
    shown = scene_of(liram(), X, y, regions=20, quality=False).maps[0]
    x0, y0, x1, y1 = shown.regions.box
    every = np.vstack([shown.positions, shown.prototypes]) * shown.stretch
    (width, height), middle = np.ptp(every, axis=0), (every.min(0) + every.max(0)) / 2
    for aspect in (0.8, 1.4, 2.2):
        seen = 1.2 * max(width / aspect, height) / 2
        half = np.array([aspect * seen, seen])
        assert ((middle - half) / shown.stretch >= [x0, y0]).all()
        assert ((middle + half) / shown.stretch <= [x1, y1]).all()


def test_on_a_line_all_heights_say_the_same():
    X, y = iris()
    model = LiRaMLVQ(n_components=1, random_state=0).fit(X, y)
    shown = scene_of(model, X, y, regions=30, quality=False).maps[0]
    labels, support = shown.regions.labels, shown.regions.support
    assert len(labels) > 20
    assert len(np.unique(labels[0])) == 3
    assert_array_equal(labels, np.broadcast_to(labels[0], labels.shape))
    assert_array_equal(support, np.broadcast_to(support[0], support.shape))


def test_a_stretched_map_has_regions_of_the_same_model():
    X, y = iris()
    places = PCA(2).fit_transform(X) * [1.0, 0.01]
    options = {"prototypes": liram(), "regions": 30, "quality": False}
    shown = scene_of(places, X, y, **options, random_state=0).maps[0]
    assert shown.stretch[1] > 20
    assert_array_equal(shown.positions, places.astype(np.float32))
    x0, y0, x1, y1 = shown.regions.box
    rows, columns = shown.regions.labels.shape
    tall = (y1 - y0) * shown.stretch[1] / rows
    np.testing.assert_allclose(tall, (x1 - x0) / columns, rtol=1e-6)
    assert shown.regions.agreement > 0.8


def test_all_points_in_one_place_have_regions_too():
    X, y = iris(12)
    regions = (
        scene_of(np.zeros((12, 2)), X, y, prototypes=liram(), regions=10, quality=False)
        .maps[0]
        .regions
    )
    assert_array_equal(np.isfinite(regions.box), True)
