import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import pdist

from labelscape.embeddings._base import on_principal_axes, with_positive_peaks


def test_the_largest_entry_of_each_row_becomes_positive():
    rows = np.array([[1.0, -3.0, 2.0], [0.0, 0.5, -0.1], [0.0, 0.0, 0.0]])
    expected = np.array([[-1.0, 3.0, -2.0], [0.0, 0.5, -0.1], [0.0, 0.0, 0.0]])
    assert_array_equal(with_positive_peaks(rows), expected)


def test_of_tied_entries_the_first_decides_even_if_rounding_parts_them():
    rows = np.array([[-2.0, 2.0], [-2.0, 2.0 + 1e-12]])
    assert_array_equal(with_positive_peaks(rows)[:, 0], [2.0, 2.0])


def test_turning_keeps_distances_and_puts_the_widest_direction_first():
    Z = np.random.default_rng(0).normal(size=(30, 3)) * [1.0, 5.0, 3.0] + 7.0
    turned = on_principal_axes(Z)
    assert_allclose(pdist(turned), pdist(Z))
    assert_allclose(turned.mean(axis=0), 0.0, atol=1e-12)
    scatter = turned.T @ turned
    assert_allclose(scatter, np.diag(np.diag(scatter)), atol=1e-9)
    assert np.all(np.diff(np.diag(scatter)) < 0)


def test_a_turned_or_mirrored_map_comes_back_the_same():
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(20, 2)) * [3.0, 1.0]
    turn = np.linalg.qr(rng.normal(size=(2, 2)))[0]
    assert_allclose(on_principal_axes(Z @ turn), on_principal_axes(Z), atol=1e-12)
    assert_allclose(on_principal_axes(Z * [1, -1]), on_principal_axes(Z), atol=1e-12)
