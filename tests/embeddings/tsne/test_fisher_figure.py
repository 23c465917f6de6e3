"""Fig. 1 of paper 001, measured: modes are kept, and so is overlap."""

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

from labelscape.datasets import make_modes
from labelscape.embeddings import FisherKernelTSNE, FisherMDS, FisherTSNE
from labelscape.geometry import FisherMetric

N = 300
X, y = make_modes(N, random_state=0)
# make_modes hands out classes and modes in turn; the second modes of classes 0 and 1
# lie over each other.
MODE = np.arange(N) // 3 % 2
OVERLAP = (MODE == 1) & (y < 2)
# Metric MDS is what the paper's figure shows.
MAPS = {
    "MDS": FisherMDS(random_state=0),
    "MDS, hardly any plain distance": FisherMDS(
        metric=FisherMetric(random_state=0), random_state=0
    ),
    "t-SNE": FisherTSNE(random_state=0),
    "kernel t-SNE": FisherKernelTSNE(random_state=0),
}


@pytest.fixture(scope="module")
def places():
    return {name: model.fit(X, y).embedding_ for name, model in MAPS.items()}


def groups(Z):
    """Return a group for each object: those of a class that are neighbours' neighbours.

    Neighbours are each other's 15 nearest of their class. This asks for ranks only, so
    a map may stretch what it likes. A group has 5 % of the class, others count as -1.
    With 10, t-SNE tears a mode of 50 objects in a third of its starts, and how the
    processor rounds decides in which.
    """
    found, n_found = np.full(len(Z), -1), 0
    for c in np.unique(y):
        rows = np.flatnonzero(y == c)
        near = kneighbors_graph(Z[rows], 15)
        group = connected_components(near.multiply(near.T), directed=False)[1]
        for g in np.flatnonzero(np.bincount(group) >= 0.05 * len(rows)):
            found[rows[group == g]] = n_found
            n_found += 1
    return found


def foreign_neighbors(Z, rows):
    """Return the share of other classes among the 10 neighbours of some objects."""
    search = NearestNeighbors(n_neighbors=10).fit(Z)
    nearest = search.kneighbors(return_distance=False)[rows]
    return np.mean(y[nearest] != y[rows, None])


def test_the_data_have_six_modes_and_an_overlap():
    assert groups(X).max() + 1 == 6
    assert foreign_neighbors(X, OVERLAP) > 0.2
    assert foreign_neighbors(X, ~OVERLAP) < 0.01


def test_the_count_sees_that_a_map_to_class_labels_keeps_neither():
    corners = np.eye(3)[y] + 0.01 * np.random.default_rng(0).normal(size=(N, 3))
    assert groups(corners).max() + 1 == 3
    assert foreign_neighbors(corners, OVERLAP) == 0.0


@pytest.mark.parametrize("name", MAPS)
def test_each_mode_is_one_group_on_the_map(places, name):
    group = groups(places[name])
    assert group.max() + 1 == 6
    for g in range(6):  # of one mode of one class, and nearly all of it
        modes = 2 * y[group == g] + MODE[group == g]
        assert np.ptp(modes) == 0
        assert len(modes) > 0.9 * N / 6


@pytest.mark.parametrize("name", MAPS)
def test_overlap_is_as_large_on_the_map_as_in_the_data(places, name):
    Z = places[name]
    in_data = foreign_neighbors(X, OVERLAP)
    assert foreign_neighbors(Z, OVERLAP) == pytest.approx(in_data, abs=0.05)
    assert foreign_neighbors(Z, ~OVERLAP) < 0.01


def test_new_objects_overlap_on_the_map_as_in_the_data(places):
    new, y_new = make_modes(N, random_state=1)
    Z, Z_new = places["kernel t-SNE"], MAPS["kernel t-SNE"].transform(new)
    shares = []
    for fitted, placed in ((X, new), (Z, Z_new)):
        search = NearestNeighbors(n_neighbors=10).fit(fitted)
        nearest = search.kneighbors(placed[OVERLAP], return_distance=False)
        shares.append(np.mean(y[nearest] != y_new[OVERLAP, None]))
    assert shares[1] == pytest.approx(shares[0], abs=0.05)
