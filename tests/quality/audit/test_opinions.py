import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier

from labelscape.quality.audit import _kernel
from labelscape.quality.audit._kernel import (
    RIDGES,
    best_ridge,
    gaussian_kernel,
    kernel_opinions,
    landmark_features,
    left_out_scores,
    ridge_solution,
)
from labelscape.quality.audit.opinions import MOST_ALIKE, neighbor_opinions, opinions


def flowers():
    X, y = load_iris(return_X_y=True)
    return X - X.mean(axis=0), y


def kernel_said(X, y, units=None):
    n = len(X)
    return kernel_opinions(
        X,
        y,
        np.arange(n) if units is None else units,
        np.arange(n) % 5,
        np.random.RandomState(0),
    )


def test_products_of_features_are_the_kernel():
    X, _ = flowers()
    rng = np.random.RandomState(0)
    X = X + 0.01 * rng.normal(size=X.shape)
    Z = landmark_features(X, X, 0.5).astype(float)
    K = gaussian_kernel(X, X, 0.5)
    centered = np.eye(len(X)) - 1.0 / len(X)
    np.testing.assert_allclose(Z @ Z.T, centered @ K @ centered, atol=2e-3)


def test_a_fold_less_is_a_fit_without_its_objects():
    rng = np.random.RandomState(0)
    Z, Y = rng.normal(size=(40, 6)), rng.normal(size=(40, 3))
    ZZ, ZY = Z[:10].T @ Z[:10], Z[:10].T @ Y[:10]
    less = ridge_solution(Z.T @ Z - ZZ, Z.T @ Y - ZY, 0.5)
    rest, wanted = Z[10:], Y[10:]
    fitted = np.linalg.solve(rest.T @ rest + 0.5 * np.eye(6), rest.T @ wanted)
    np.testing.assert_allclose(less, fitted)


@pytest.mark.parametrize("size", [1, 3])
def test_one_inverse_says_what_fits_without_each_unit_would(size):
    X, y = flowers()
    X, y = X[::3], y[::3]
    units, Y = np.arange(len(X)) // size, np.eye(3)[y]
    scores = left_out_scores(X, Y, units, 0.7, 0.01)
    K = gaussian_kernel(X, X, 0.7)
    for unit in np.unique(units):
        out, rest = units == unit, units != unit
        G = K[np.ix_(rest, rest)] + 0.01 * len(X) * np.eye(rest.sum())
        slow = K[np.ix_(out, rest)] @ np.linalg.solve(G, Y[rest])
        np.testing.assert_allclose(scores[out], slow, atol=2e-4)


def test_many_objects_are_judged_by_landmarks_nearly_as_by_all(monkeypatch):
    X, y = flowers()
    exact = kernel_said(X, y)
    monkeypatch.setattr(_kernel, "MOST_EXACT", 100)
    by_landmarks = kernel_said(X, y)
    assert not np.array_equal(exact, by_landmarks)
    assert (exact.argmax(axis=1) == by_landmarks.argmax(axis=1)).mean() > 0.95


def test_the_kernel_tells_unseen_flowers_apart():
    X, y = flowers()
    p = kernel_said(X, y)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert (p.argmax(axis=1) == y).mean() > 0.94


def test_few_landmarks_do_nearly_as_well_and_copies_are_no_trouble(monkeypatch):
    X, y = flowers()
    twice, both = np.repeat(X, 2, axis=0), np.repeat(y, 2)
    monkeypatch.setattr(_kernel, "MOST_EXACT", 0)
    monkeypatch.setattr(_kernel, "LANDMARKS", 60)
    p = kernel_opinions(
        twice,
        both,
        np.repeat(np.arange(150), 2),
        np.repeat(np.arange(150) % 5, 2),
        np.random.RandomState(0),
    )
    assert (p.argmax(axis=1) == both).mean() > 0.94


@pytest.mark.parametrize("model", ["kernel", "neighbors", "crossfit"])
def test_no_label_has_a_say_about_its_own_object(model):
    # Three numbers are chosen for all objects, so that the kernel moves a little.
    X, y = flowers()
    other = y.copy()
    other[7] = 2
    before, after = (
        opinions(X, one, np.arange(150), np.random.RandomState(0))[model][7]
        for one in (y, other)
    )
    if model == "neighbors":
        np.testing.assert_array_equal(before, after)
    assert before.argmax() == after.argmax() == 0


def test_neighbors_are_those_of_all_other_objects():
    X, y = flowers()
    X = X + 1e-3 * np.random.RandomState(0).normal(size=X.shape)
    p = neighbor_opinions(X, y, np.arange(150), 0)
    for i in (0, 70, 149):
        rest = np.arange(150) != i
        vote = KNeighborsClassifier(10, weights="distance").fit(X[rest], y[rest])
        np.testing.assert_allclose(p[i], vote.predict_proba(X[i : i + 1])[0])


def test_objects_of_a_unit_are_not_asked_about_each_other():
    X, y = flowers()
    units = np.arange(150) // 2
    p = neighbor_opinions(X, y, units, 0)
    for i in (0, 70, 149):
        rest = units != units[i]
        vote = KNeighborsClassifier(10).fit(X[rest], y[rest])
        asked = vote.kneighbors(X[i : i + 1], return_distance=False)[0]
        assert set(np.flatnonzero(p[i])) == set(y[rest][asked])


def test_large_units_are_left_out_by_folds():
    X, y = flowers()
    units = np.arange(150) % 4
    assert np.bincount(units).max() > MOST_ALIKE
    p = neighbor_opinions(X, y, units, 0)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)


def test_the_number_of_threads_does_not_matter(monkeypatch):
    X, y = flowers()
    many = kernel_said(X, y)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    np.testing.assert_array_equal(kernel_said(X, y), many)


@pytest.mark.parametrize("lowest", range(len(RIDGES)))
def test_the_best_ridge_is_found_downhill_from_anywhere(lowest):
    asked = []

    def loss(ridge):
        asked.append(ridge)
        return abs(RIDGES.index(ridge) - lowest)

    for start in RIDGES:
        asked.clear()
        assert best_ridge(loss, start) == RIDGES[lowest]
        assert len(asked) == len(set(asked))
