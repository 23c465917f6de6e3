import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from labelscape.embeddings import (
    hyperbolic_focus,
    hyperbolic_strength,
    hyperbolic_unfocus,
    mobius_refocus,
)

X = np.random.default_rng(0).normal(size=(200, 2)) * [5.0, 1.0] + [3.0, -2.0]
FOCUS = np.array([2.0, -1.0])


def in_disc(seed=0, n=100, largest=0.95):
    rng = np.random.default_rng(seed)
    r, angle = largest * np.sqrt(rng.uniform(size=n)), rng.uniform(0, 2 * np.pi, n)
    return np.column_stack([r * np.cos(angle), r * np.sin(angle)])


def hyperbolic_distance(a, b):
    a, b = a[:, 0] + 1j * a[:, 1], b[:, 0] + 1j * b[:, 1]
    return 2 * np.arctanh(np.abs((a - b) / (1 - np.conj(a) * b)))


@pytest.mark.parametrize("strength", [0.01, 0.5, 100.0])
def test_every_point_lies_in_the_disc_and_the_focus_in_its_middle(strength):
    Z = hyperbolic_focus(np.vstack([X, FOCUS]), FOCUS, strength)
    assert np.linalg.norm(Z, axis=1).max() < 1.0
    assert_array_equal(Z[-1], 0.0)


def test_the_order_of_distances_to_the_focus_is_kept():
    Z = hyperbolic_focus(X, FOCUS, 0.1)
    flat = np.linalg.norm(X - FOCUS, axis=1)
    assert_array_equal(np.argsort(flat), np.argsort(np.linalg.norm(Z, axis=1)))


def test_directions_from_the_focus_are_kept():
    Z, gaps = hyperbolic_focus(X, FOCUS), X - FOCUS
    assert_allclose(
        np.arctan2(Z[:, 1], Z[:, 0]), np.arctan2(gaps[:, 1], gaps[:, 0]), atol=1e-12
    )


def test_near_the_focus_the_picture_is_the_flat_one_magnified():
    near = FOCUS + 1e-5 * (X - FOCUS)
    assert_allclose(hyperbolic_focus(near, FOCUS, 3.0), 3.0 * (near - FOCUS), rtol=1e-6)


def test_half_strength_reads_flat_distance_as_hyperbolic_distance():
    near = FOCUS + 0.2 * (X - FOCUS)
    Z = hyperbolic_focus(near, FOCUS, 0.5)
    assert_allclose(
        hyperbolic_distance(Z, np.zeros_like(Z)), np.linalg.norm(near - FOCUS, axis=1)
    )


def test_picking_brings_points_back():
    Z = hyperbolic_focus(X, FOCUS, 0.2)
    assert_allclose(hyperbolic_unfocus(Z, FOCUS, 0.2), X, rtol=1e-9)


def test_far_points_are_clamped_and_come_back_finite():
    Z = hyperbolic_focus([[1e9, 0.0]], [0.0, 0.0], 1.0)
    assert_allclose(Z, [[1 - 1e-12, 0.0]], rtol=1e-15)
    assert np.isfinite(hyperbolic_unfocus([[1.0, 0.0]], [0.0, 0.0], 1.0)).all()


def test_by_default_half_of_the_points_lie_within_six_tenths_of_the_mean():
    Z = hyperbolic_focus(X)
    assert_allclose(np.median(np.linalg.norm(Z, axis=1)), 0.6, atol=0.01)
    assert_allclose(
        hyperbolic_focus(X),
        hyperbolic_focus(X, X.mean(axis=0), hyperbolic_strength(X, X.mean(axis=0))),
    )


def test_points_that_are_all_the_focus_have_a_strength_too():
    assert hyperbolic_strength(np.ones((4, 2)), [1.0, 1.0]) == 1.0
    assert_array_equal(hyperbolic_focus(np.ones((4, 2))), 0.0)


def test_a_rigid_movement_and_its_inverse_change_nothing():
    Z = in_disc()
    for center in in_disc(seed=1, n=20, largest=0.9):
        back = mobius_refocus(mobius_refocus(Z, center), -center)
        assert_allclose(back, Z, rtol=0, atol=1e-12)


def test_a_rigid_movement_keeps_hyperbolic_distances_and_brings_the_center_home():
    Z, other, center = in_disc(), in_disc(seed=2), np.array([0.3, -0.5])
    moved, moved_other = mobius_refocus(Z, center), mobius_refocus(other, center)
    assert_allclose(
        hyperbolic_distance(moved, moved_other), hyperbolic_distance(Z, other)
    )
    assert_array_equal(mobius_refocus(center[None], center), 0.0)
    assert np.linalg.norm(moved, axis=1).max() < 1.0


def test_circles_stay_circles():
    angle = np.linspace(0, 2 * np.pi, 50)
    circle = 0.3 * np.column_stack([np.cos(angle), np.sin(angle)]) + [0.2, 0.1]
    moved = mobius_refocus(circle, [-0.4, 0.3])
    # |p|^2 = 2 c . p + (r^2 - |c|^2) for all points p of a circle
    A = np.column_stack([2 * moved, np.ones(50)])
    right = (moved**2).sum(axis=1)
    found = np.linalg.lstsq(A, right, rcond=None)[0]
    assert_allclose(A @ found, right, atol=1e-12)


@pytest.mark.parametrize(
    ("Z", "center"), [([[1.0, 0.0]], [0.0, 0.0]), ([[0.0, 0.0]], [0.0, 1.0])]
)
def test_points_on_the_rim_cannot_be_moved(Z, center):
    with pytest.raises(ValueError, match="inside the unit disc"):
        mobius_refocus(Z, center)
