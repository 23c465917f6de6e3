import numpy as np
import pytest

from labelscape._core.optimize import annealed, decayed, minimize_lbfgs


def bowl(x):
    return float(((x - 3.0) ** 2).sum()), 2.0 * (x - 3.0)


def test_the_minimum_of_a_bowl_is_found():
    found = minimize_lbfgs(bowl, np.zeros(4), max_iter=50)
    np.testing.assert_allclose(found.x, 3.0)
    assert found.converged
    assert not found.stopped


def test_a_callback_sees_each_iteration_and_can_stop():
    seen = []

    def watch(x, value):
        seen.append(value)
        return len(seen) == 2

    def valley(x):
        a, b = x
        value = (1 - a) ** 2 + 100 * (b - a * a) ** 2
        slope = [-2 * (1 - a) - 400 * a * (b - a * a), 200 * (b - a * a)]
        return value, np.array(slope)

    found = minimize_lbfgs(
        valley, np.array([-1.2, 1.0]), max_iter=99, on_iteration=watch
    )
    assert found.stopped
    assert found.n_iter == 2
    assert seen[1] < seen[0]


def test_rates_start_at_their_start_and_fall():
    assert decayed(0.1, 1e-2, 0) == 0.1
    assert decayed(0.1, 1e-2, 100) == pytest.approx(0.05)
    assert annealed(0.5, 0.05, 0.0) == 0.5
    assert annealed(0.5, 0.05, 1.0) == pytest.approx(0.05)
    assert annealed(0.5, 0.05, 0.5) == pytest.approx(np.sqrt(0.5 * 0.05))
