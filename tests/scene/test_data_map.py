"""The map of the data for models that have none, of few objects and of many."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from labelscape.embeddings import WeightedMDS
from labelscape.scene._layouts import data_map


@pytest.fixture
def few(monkeypatch):
    """Count 60 objects as many, and 40 of them as landmarks."""
    monkeypatch.setattr("labelscape.scene._layouts.MOST_MAPPED", 50)
    monkeypatch.setattr("labelscape.scene._layouts.MOST_LANDMARKS", 40)
    monkeypatch.setattr("labelscape.scene._layouts.FEWEST_LANDMARKS", 40)


def _objects(n=60, d=5):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, d)) * [4, 3, 1, 0.5, 0.2][:d], rng.normal(size=(3, d))


def test_few_objects_are_mapped_together_with_the_others():
    X, W = _objects()
    made = data_map(X, W, 0)
    both = WeightedMDS(n_init=1, random_state=0).fit_transform(np.vstack([X, W]))
    assert_array_equal(np.vstack([made.samples, made.prototypes]), both)
    assert "placed among" not in made.words


@pytest.mark.usefixtures("few")
def test_of_many_objects_some_are_mapped_and_the_rest_placed_by_the_same_stress():
    X, W = _objects()
    made = data_map(X, W, 0)
    assert made.name == "Distances"
    assert "40 of 60 rows were mapped" in made.words
    mapped = np.sort(np.random.RandomState(0).choice(60, 40, replace=False))
    rows = np.vstack([X[mapped], W])
    Z = WeightedMDS(n_init=1, random_state=0).fit_transform(rows)
    assert_array_equal(made.samples[mapped], Z[:40])
    assert_array_equal(made.prototypes, Z[40:])
    # Each of the rest, alone: no place of a fine grid has less stress.
    x, y = np.meshgrid(*[np.linspace(-12, 12, 241)] * 2)
    grid = np.column_stack([x.ravel(), y.ravel()])
    for i in np.setdiff1d(np.arange(60), mapped):
        D = np.linalg.norm(X[i] - rows, axis=1)

        def stress(places, D=D):
            return ((cdist(places, Z) - D) ** 2 / D).sum(axis=1)

        assert stress(made.samples[i : i + 1])[0] <= stress(grid).min() * (1 + 1e-9)


@pytest.mark.usefixtures("few")
def test_points_of_a_plane_keep_their_distances_also_by_landmarks():
    X, W = _objects(d=2)
    made = data_map(X, W, 0)
    both = np.vstack([made.samples, made.prototypes])
    assert_allclose(cdist(both, both), cdist(*[np.vstack([X, W])] * 2), atol=0.02)


@pytest.mark.usefixtures("few")
def test_of_very_many_objects_it_is_the_straight_view(monkeypatch):
    monkeypatch.setattr("labelscape.scene._layouts.MOST_PLACED", 55)
    made = data_map(*_objects(), 0)
    assert made.name == "Principal components"
    X, _ = _objects()
    assert_allclose(made.place(X), made.samples)
