import numpy as np
import pytest

from labelscape.embeddings.xom._base import (
    box,
    disc,
    fitted_into,
    gaussians,
    lattice,
    mixture,
    structure_of,
)

COUNT = 20_000


def draw(structure):
    return structure.sample(np.random.RandomState(0), COUNT)


@pytest.mark.parametrize("q", [1, 2, 3])
def test_the_box_is_uniform_in_the_unit_cube(q):
    S = draw(box(q))
    assert S.shape == (COUNT, q)
    assert S.min() >= 0.0
    assert S.max() <= 1.0
    np.testing.assert_allclose(S.mean(axis=0), 0.5, atol=0.01)
    np.testing.assert_allclose(np.atleast_2d(np.cov(S.T)), np.eye(q) / 12, atol=2e-3)


@pytest.mark.parametrize("q", [1, 2, 3])
def test_the_disc_is_uniform_in_the_ball_of_radius_one_half(q):
    S = draw(disc(q)) - 0.5
    r = np.linalg.norm(S, axis=1)
    assert r.max() <= 0.5
    np.testing.assert_allclose(S.mean(axis=0), 0.0, atol=0.01)
    # The mean square radius of a unit ball in q dimensions is q/(q + 2).
    np.testing.assert_allclose(np.mean(r**2), 0.25 * q / (q + 2), rtol=0.02)
    np.testing.assert_allclose(np.mean(r <= 0.25), 0.5**q, atol=0.01)


def test_the_lattice_has_equal_cells_drawn_equally_often():
    sites, counts = np.unique(draw(lattice(2, 16)), axis=0, return_counts=True)
    assert len(sites) == 16
    np.testing.assert_allclose(np.unique(sites[:, 0]), [0.125, 0.375, 0.625, 0.875])
    np.testing.assert_allclose(counts, COUNT / 16, rtol=0.1)


def test_gaussians_stand_on_the_corners_of_a_polygon():
    S = draw(gaussians(3, 4, spread=0.01))
    corners = np.array([[1, 0.5], [0.5, 1], [0, 0.5], [0.5, 0]])
    nearest = np.argmin(((S[:, None, :2] - corners) ** 2).sum(axis=2), axis=1)
    np.testing.assert_allclose(np.bincount(nearest), COUNT / 4, rtol=0.1)
    np.testing.assert_allclose(S[:, :2] - corners[nearest], 0.0, atol=0.06)
    np.testing.assert_allclose(S.std(axis=0)[2], 0.01, rtol=0.05)


def test_gaussians_on_a_line_are_evenly_spaced_and_do_not_overlap_much():
    S = draw(gaussians(1, 3))
    assert S.mean() == pytest.approx(0.5, abs=0.01)
    assert S.var() == pytest.approx(1 / 6 + 0.125**2, rel=0.03)


def test_one_gaussian_stands_in_the_middle():
    S = draw(gaussians(2, 1))
    np.testing.assert_allclose(S.mean(axis=0), 0.5, atol=0.01)
    np.testing.assert_allclose(S.std(axis=0), 0.25, rtol=0.02)


def test_given_points_are_drawn_as_they_are_unless_spread():
    sites = np.array([[0.0, 1.0], [2.0, 5.0], [3.0, -1.0]])
    drawn, counts = np.unique(draw(mixture(sites, 0.0)), axis=0, return_counts=True)
    np.testing.assert_array_equal(drawn, sites)
    np.testing.assert_allclose(counts, COUNT / 3, rtol=0.05)
    spread = draw(mixture(sites, 2.0))
    np.testing.assert_allclose(spread.var(axis=0), sites.var(axis=0) + 4.0, rtol=0.05)


@pytest.mark.parametrize("structure", [box(2), disc(2), lattice(2, 25)])
def test_a_first_map_is_fitted_into_the_structure(structure):
    Z = np.random.default_rng(0).normal(5.0, 3.0, size=(40, 2))
    Z = fitted_into(structure, Z)
    assert np.linalg.norm(Z - 0.5, axis=1).max() <= 0.5 + 1e-12
    assert np.ptp(Z) > 0.3


def test_names_and_points_lead_to_their_structures():
    def sample(given, n_sites=None, spread=None):
        made = structure_of(given, 2, 9, n_sites, spread, owner="XOM")
        return made.sample(np.random.RandomState(0), 500)

    assert len(np.unique(sample("lattice"), axis=0)) == 9
    assert len(np.unique(sample("lattice", 4), axis=0)) == 4
    assert len(np.unique(sample([[0, 0], [1, 1]]), axis=0)) == 2
    assert len(np.unique(sample([[0, 0], [1, 1]], spread=0.1), axis=0)) == 500
    np.testing.assert_array_equal(
        sample("box"), box(2).sample(np.random.RandomState(0), 500)
    )
    np.testing.assert_array_equal(
        sample("gaussians", 3, 0.1),
        gaussians(2, 3, 0.1).sample(np.random.RandomState(0), 500),
    )
    assert np.linalg.norm(sample("disc") - 0.5, axis=1).max() <= 0.5


def test_errors_say_what_a_structure_needs():
    with pytest.raises(ValueError, match="needs n_sites, the number of Gaussians"):
        structure_of("gaussians", 2, 9, None, None, owner="XOM")
    for points in (np.zeros((3, 1)), np.zeros((0, 2)), np.full((3, 2), np.nan)):
        with pytest.raises(ValueError, match="finite points with one column per"):
            structure_of(points, 2, 9, None, None, owner="XOM")
