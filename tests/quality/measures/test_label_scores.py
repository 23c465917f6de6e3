import numpy as np
import pytest
from numpy.testing import assert_allclose
from tests.quality import reference
from tests.quality.cases import CASES, plain

from labelscape._core.points.spaces import Dissimilarities, Points
from labelscape.quality import label_continuity, label_trustworthiness
from labelscape.quality.measures.labels import class_separation


@pytest.mark.parametrize("case", CASES)
def test_label_scores_equal_their_definitions(case):
    X, Y, y = case()
    expected = reference.label_scores(X, Y, list(y))
    assert_allclose(label_trustworthiness(X, Y, y), expected[0], rtol=1e-13)
    assert_allclose(label_continuity(X, Y, y), expected[1], rtol=1e-13)


def test_a_matrix_of_distances_gives_the_same_as_the_data():
    X, Y, y = plain()
    D = reference.distances(X)
    for measure in (label_trustworthiness, label_continuity):
        assert_allclose(measure(D, Y, y, "precomputed"), measure(X, Y, y), rtol=1e-13)


def test_centroids_are_found_from_distances_alone():
    X, _, y = plain()
    members = [np.flatnonzero(y == label) for label in "abc"]
    from_coordinates = Points(X).squared_to_centroids(members)
    from_distances = Dissimilarities(reference.distances(X)).squared_to_centroids(
        members
    )
    assert_allclose(from_distances, from_coordinates, rtol=1e-12)


def test_separation_is_one_for_classes_apart_and_zero_for_mixed_ones():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    members = [np.arange(0, 40, 2), np.arange(1, 40, 2)]
    apart = X.copy()
    apart[members[0]] += 100
    assert class_separation(Points(apart).squared_to_centroids(members), members)
    # Objects at the same place are near neither centroid.
    same = Points(np.ones((40, 3))).squared_to_centroids(members)
    assert class_separation(same, members) == [0.0]


def test_pulling_classes_apart_costs_continuity_and_mixing_them_trustworthiness():
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    mixed = rng.normal(size=(60, 2))
    apart = mixed + 20.0 * y[:, None]
    assert label_trustworthiness(mixed, apart, y) == 1.0
    assert label_continuity(mixed, apart, y) < 0.6
    assert label_trustworthiness(apart, mixed, y) < 0.6
    assert label_continuity(apart, mixed, y) == 1.0


def test_a_class_of_one_object_is_welcome():
    X, Y, y = plain()
    y = y.copy()
    y[0] = "only"
    expected = reference.label_scores(X, Y, list(y))
    assert_allclose(label_trustworthiness(X, Y, y), expected[0], rtol=1e-13)


def test_one_class_is_refused():
    X, Y, _ = plain()
    with pytest.raises(ValueError, match="y must contain at least two classes"):
        label_continuity(X, Y, np.zeros(50))
