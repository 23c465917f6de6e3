"""Sines and cosines of arrays, compared with NumPy."""

import numpy as np
import pytest

from labelscape.crossfit._waves import quick_waves


def numpys(angles):
    return np.hstack([np.cos(angles), np.sin(angles)])


@pytest.mark.parametrize("spread", [1e-9, 0.1, 3.0, 50.0, 1e6])
def test_waves_are_those_of_numpy_to_the_digits_of_float32(spread):
    angles = np.random.default_rng(0).uniform(-spread, spread, size=(40, 101))
    found = quick_waves(angles)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, numpys(angles), rtol=0.0, atol=6e-7)


def test_waves_are_right_at_the_seams_of_the_circle():
    quarters = np.arange(-40, 41) * (np.pi / 2.0)
    angles = np.concatenate([quarters, np.nextafter(quarters, 99.0)])[None]
    np.testing.assert_allclose(quick_waves(angles), numpys(angles), rtol=0.0, atol=6e-7)


def test_angles_too_far_for_the_quick_loop_are_left_to_numpy():
    angles = np.array([[0.3, 2e7, -5e12]])
    np.testing.assert_array_equal(quick_waves(angles), numpys(angles))
