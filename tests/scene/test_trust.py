import numpy as np
import pytest
from numpy.testing import assert_allclose
from tests.scene.cases import iris

from labelscape.quality import pointwise_distortion, report, shepard_pairs
from labelscape.scene._internal import scene_of


def test_measures_are_those_of_the_report():
    X, y = iris()
    found = scene_of(X[:, :2], X, y, random_state=0).maps[0].quality
    wanted = report(X, X[:, :2].astype(np.float32), y)
    assert {row.name: row.value for row in found.rows} == pytest.approx(wanted.scores)
    own = {row.name: row.original for row in found.rows if row.original is not None}
    assert own == pytest.approx(wanted.original)
    assert found.note == "150 points, 12 neighbors each."


def test_the_curve_is_thinned_evenly_on_a_logarithmic_axis():
    X = np.random.default_rng(0).normal(size=(900, 3))
    curve = scene_of(X[:, :2], X).maps[0].quality.curve
    assert len(curve.k) <= 200
    assert (curve.k[0], curve.k[-1]) == (1, 898)
    wanted = report(X, X[:, :2].astype(np.float32)).curves
    for name in ("r_nx", "trustworthiness", "continuity"):
        drawn = getattr(wanted, name)[curve.k - 1]
        assert_allclose(getattr(curve, name), drawn, rtol=1e-6)


def test_distortion_is_what_each_point_lacks():
    X, y = iris()
    Z = X[:, :2].astype(np.float32)
    found = scene_of(Z, X, y).maps[0].distortion
    wanted = pointwise_distortion(X, Z)
    assert_allclose(found.false_neighbours, 1 - wanted.trustworthiness, atol=1e-6)
    assert_allclose(found.tears, np.clip(1 - wanted.continuity, 0, 1), atol=1e-6)


def test_pairs_of_the_shepard_diagram_are_few():
    X, y = iris()
    found = scene_of(X[:, :2], X, y, random_state=0).maps[0].quality.shepard
    assert found.original.shape == found.shown.shape == (2000,)
    assert found.original.max() <= shepard_pairs(X, X[:, :2], max_pairs=10**6)[0].max()


def test_many_points_are_measured_by_a_sample(monkeypatch):
    monkeypatch.setattr("labelscape.scene._trust.MOST_MEASURED", 50)
    monkeypatch.setattr("labelscape.scene._trust.MOST_DISTORTED", 100)
    X, y = iris()
    first = scene_of(X[:, :2], X, y, random_state=0).maps[0]
    assert first.quality.note.startswith("A sample of 50 of 150 points: 50 points")
    assert first.distortion is None


def test_too_few_points_are_not_measured():
    found = scene_of([[0, 0], [1, 1]], [[1.0], [2.0]]).maps[0]
    assert found.quality.rows == ()
    assert "too few points" in found.quality.note


def test_quality_can_be_left_out():
    X, y = iris()
    first = scene_of(X[:, :2], X, y, quality=False).maps[0]
    assert first.quality is None
    assert first.distortion is None


def test_a_report_of_more_dimensions_than_are_shown_says_nothing_of_the_points_shown():
    from sklearn.decomposition import PCA

    X, y = iris()
    model = PCA(4).fit(X)
    known = report(X, model.transform(X), y)
    found = scene_of(model, X, y, quality=known).maps[0].distortion
    wanted = pointwise_distortion(X, model.transform(X)[:, :2].astype(np.float32))
    assert_allclose(found.false_neighbours, 1 - wanted.trustworthiness, atol=1e-6)


def test_a_report_of_a_sample_or_of_other_neighbourhoods_is_not_taken_for_the_points():
    X, y = iris()
    Z = X[:, :2].astype(np.float32)
    wanted = scene_of(Z, X, y).maps[0].distortion
    for known in (report(X, Z, y, n_samples=20), report(X, Z, y, n_neighbors=5)):
        found = scene_of(Z, X, y, quality=known).maps[0].distortion
        np.testing.assert_array_equal(found.false_neighbours, wanted.false_neighbours)
        np.testing.assert_array_equal(found.tears, wanted.tears)
