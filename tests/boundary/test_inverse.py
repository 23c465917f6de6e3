import numpy as np
import pytest

from labelscape._core import threads
from labelscape.boundary._inverse import (
    InverseMap,
    fitted_inverse,
    neighbor_widths,
    tiles,
)

rng = np.random.default_rng(0)
# Islands of different density, as t-SNE makes them.
Z = np.concatenate([rng.normal(c, s, (60, 2)) for c, s in ((0, 1), (9, 0.1), (-8, 3))])
X = np.column_stack([np.sin(Z[:, 0]), Z[:, 1], Z[:, 0] * Z[:, 1], np.ones(len(Z))])
ALL = np.arange(len(Z))


def reference(inverse, places):
    """Objects and supports, straight from the formula, place by place."""
    objects, supports = [], []
    for z in places:
        d = np.linalg.norm(inverse.centers - z, axis=1) / inverse.widths
        k = np.exp(-(d**2 - min(d) ** 2) / 2)
        psi = k / k.sum()
        objects.append((psi[:, None] * inverse.coefficients).sum(axis=0))
        supports.append(min(d))
    return np.array(objects), np.array(supports)


def reference_coefficients(inverse, own, ridge):
    """Least |X - Psi A|^2 + penalty |A - own|^2, up to a shift, by one big lstsq."""
    Psi = np.array([[_weight(inverse, z, j) for j in range(len(own))] for z in Z])
    Psi /= Psi.sum(axis=1, keepdims=True)
    gaps = X - Psi @ own
    shift = gaps.mean(axis=0)
    penalty = np.sqrt(ridge * (Psi**2).sum() / len(own)) * np.eye(len(own))
    left = np.vstack([Psi, penalty])
    right = np.vstack([gaps - shift, np.zeros_like(own)])
    return own + shift + np.linalg.lstsq(left, right, rcond=None)[0]


def _weight(inverse, z, j):
    return np.exp(-np.sum((z - inverse.centers[j]) ** 2) / (2 * inverse.widths[j] ** 2))


@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0])
def test_objects_and_support_are_those_of_the_formula(factor):
    inverse = fitted_inverse(Z, X, centers=ALL, factor=factor, ridge=1.0)
    places = np.concatenate([Z[::3], rng.uniform(-20, 20, (600, 2)), [[1e3, -1e3]]])
    found, support = inverse.with_support(places)
    expected, distances = reference(inverse, places)
    np.testing.assert_allclose(found, expected, atol=1e-11)
    np.testing.assert_allclose(support, distances, rtol=1e-12)


@pytest.mark.parametrize("ridge", [1e-2, 1.0])
def test_coefficients_solve_the_ridge_regression(ridge):
    few = ALL[::4]
    inverse = fitted_inverse(Z, X, centers=few, factor=1.0, ridge=ridge)
    expected = reference_coefficients(inverse, X[few], ridge)
    np.testing.assert_allclose(inverse.coefficients, expected, atol=1e-8)


def test_weights_add_up_to_one_however_far_a_place_is():
    inverse = fitted_inverse(Z, X, centers=ALL, factor=1.0, ridge=1.0)
    far = np.array([[1e6, 0.0], [0.0, 0.0], [-1e9, 1e9]])
    np.testing.assert_allclose(inverse.weights(far).sum(axis=1), 1.0)
    np.testing.assert_allclose(inverse(far)[:, 3], 1.0)  # a constant feature stays


def test_a_far_place_gets_the_object_of_the_closest_kernel():
    inverse = InverseMap(Z[:3], np.array([1.0, 1.0, 1.0]), X[:3])
    np.testing.assert_allclose(inverse(Z[1:2] + 1e-9), reference(inverse, Z[1:2])[0])
    away = 1e7 * np.array([[1.0, 0.3]])
    nearest = np.argmax(inverse.centers @ away[0])
    np.testing.assert_allclose(inverse(away)[0], X[nearest])


def test_a_large_penalty_leaves_the_weighted_mean_of_neighbours():
    inverse = fitted_inverse(Z, X, centers=ALL, factor=1.0, ridge=1e9)
    mean = inverse._replace(coefficients=X)
    shift = (X - mean(Z)).mean(axis=0)
    np.testing.assert_allclose(inverse(Z), mean(Z) + shift, atol=1e-6)


def test_widths_are_the_distance_to_the_fifth_neighbour():
    gaps = np.linalg.norm(Z[:, None] - Z[None], axis=2)
    np.testing.assert_allclose(neighbor_widths(Z), np.sort(gaps, axis=1)[:, 5])


def test_places_that_coincide_count_once_for_widths():
    copies = np.repeat(Z, 7, axis=0)
    np.testing.assert_allclose(neighbor_widths(copies), neighbor_widths(Z).repeat(7))
    assert (neighbor_widths(np.zeros((4, 2))) == 1.0).all()
    np.testing.assert_allclose(neighbor_widths(Z[:2]), np.hypot(*(Z[0] - Z[1])))
    assert (neighbor_widths(np.array([[0.0, 0], [1e-300, 0], [1, 0]])) > 1e-9).all()


def test_duplicates_and_a_single_place_give_finite_objects():
    same = np.zeros((10, 2))
    found = fitted_inverse(same, X[:10], centers=ALL[:10], factor=1, ridge=1)(same)
    np.testing.assert_allclose(found, np.tile(X[:10].mean(axis=0), (10, 1)), atol=1e-9)
    line = np.column_stack([np.arange(10.0), np.zeros(10)])
    found = fitted_inverse(line, X[:10], centers=ALL[:10], factor=1, ridge=0.0)(line)
    assert np.isfinite(found).all()


def test_tiles_hold_every_place_once_and_none_too_many():
    for places in (Z, np.zeros((5000, 2)), rng.normal(size=(9000, 2)) * [1e6, 1e-6]):
        order, ends = tiles(places)
        assert (np.sort(order) == np.arange(len(places))).all()
        assert ends[0] == 0
        assert ends[-1] == len(places)
        assert np.diff(ends).min() > 0
        assert np.diff(ends).max() <= 1024


def test_the_number_of_threads_does_not_change_a_bit(monkeypatch):
    inverse = fitted_inverse(Z, X, centers=ALL, factor=1.0, ridge=1.0)
    places = rng.uniform(-12, 12, (9000, 2))
    one, two = [], []
    for n, kept in ((1, one), (2, two)):
        monkeypatch.setattr(threads, "n_threads", lambda n=n: n)
        kept.extend(inverse.with_support(places))
    assert one[0].tobytes() == two[0].tobytes()
    assert one[1].tobytes() == two[1].tobytes()
