import numpy as np
import pytest
from scipy.optimize import linprog

from labelscape.prototypes.explain._polyhedron import nearest_in_polyhedron


def test_the_nearest_point_of_a_polyhedron_with_limits_equals_a_quadratic_program():
    rng = np.random.default_rng(0)
    empty = 0
    for _ in range(150):
        m, n = rng.integers(1, 9, 2)
        A = rng.normal(size=(m, n)) * (rng.random((m, n)) < 0.7)
        h = rng.normal(size=m)
        low = np.where(rng.random(n) < 0.5, -rng.random(n).round(1), -np.inf)
        high = np.where(rng.random(n) < 0.5, rng.random(n).round(1), np.inf)
        t, sure = nearest_in_polyhedron(A, h, low, high)
        assert sure
        box = list(zip(low, high, strict=True))
        inside = linprog(np.zeros(n), A_ub=A, b_ub=-h, bounds=box)
        assert (t is None) == (not inside.success)
        if t is None:
            empty += 1
            continue
        assert (A @ t + h).max() <= 1e-10
        assert (np.clip(t, low, high) == t).all()
        # The shortest vector of a convex set makes no obtuse angle with the others:
        # t.(s - t) >= 0 for all s in it.
        if t.any():
            nearest = linprog(t, A_ub=A, b_ub=-h, bounds=box)
            assert nearest.fun == pytest.approx(t @ t, rel=1e-6)
    assert 20 < empty < 100


def test_a_very_sharp_wedge_is_not_taken_for_an_empty_cell():
    slope = 1e-7  # two half-spaces that meet 1 / slope away
    A = np.array([[-slope, 1.0], [-slope, -1.0]])
    t, sure = nearest_in_polyhedron(A, np.ones(2))
    assert sure
    np.testing.assert_allclose(slope * t, [1.0, 0.0], atol=1e-8)
