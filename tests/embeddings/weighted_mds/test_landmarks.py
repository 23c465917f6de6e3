"""Objects placed among landmarks, against the formula and many other ways down."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from scipy.spatial.distance import cdist
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from labelscape.embeddings import WeightedMDS
from labelscape.embeddings._internal import placed_among


def _stress(y, D, Z):
    """Return what the place y of an object adds to the stress, by the formula."""
    return np.sum((np.sqrt(((y - Z) ** 2).sum(axis=1)) - D) ** 2 / D)


def _placed(D, Z):
    return placed_among(lambda rows: D[rows], len(D), Z)


@pytest.fixture(scope="module")
def wines():
    """Return distances of 38 wines from 140 others, and the map of these."""
    X = StandardScaler().fit_transform(load_wine().data)
    new = np.arange(len(X)) % 5 == 0
    Z = WeightedMDS(n_init=1, random_state=0).fit_transform(X[~new])
    return cdist(X[new], X[~new])[:38], Z


def test_no_place_nearby_has_less_stress(wines):
    D, Z = wines
    for d, y in zip(D, _placed(D, Z), strict=True):
        slope = approx_fprime(y, _stress, 1e-6, d, Z)
        np.testing.assert_allclose(slope, 0.0, atol=2e-3 * len(Z))


def test_no_other_start_finds_a_much_better_place(wines):
    D, Z = wines
    starts = Z[np.random.default_rng(0).choice(len(Z), 12, replace=False)]
    for d, y in zip(D[:10], _placed(D[:10], Z), strict=True):
        others = [minimize(_stress, start, (d, Z)).fun for start in starts]
        assert _stress(y, d, Z) <= 1.001 * min(others)


def test_points_of_a_plane_are_placed_exactly():
    rng = np.random.default_rng(3)
    Z, new = rng.normal(size=(30, 2)), rng.normal(size=(20, 2))
    np.testing.assert_allclose(_placed(cdist(new, Z), Z), new, atol=1e-4)


def test_a_landmark_stays_where_it_is(wines):
    _, Z = wines
    np.testing.assert_array_equal(_placed(cdist(Z[:5], Z), Z), Z[:5])


def test_objects_go_their_own_ways_whatever_the_number_of_threads(wines):
    D, Z = wines
    together = _placed(D, Z)
    alone = np.vstack([_placed(D[i : i + 1], Z) for i in range(len(D))])
    np.testing.assert_array_equal(together, alone)


def test_landmarks_that_are_all_the_same_leave_no_nan():
    Z = np.zeros((4, 2))
    assert np.isfinite(_placed(np.ones((2, 4)), Z)).all()
