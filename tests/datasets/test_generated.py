import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from labelscape.datasets import (
    make_checkerboard,
    make_gaussians,
    make_modes,
    make_noise,
    make_satellite,
    make_xor,
)

MAKERS = [
    make_checkerboard,
    make_gaussians,
    make_modes,
    make_noise,
    make_satellite,
    make_xor,
]


@pytest.mark.parametrize("make", MAKERS)
def test_a_seed_gives_the_same_points_and_another_seed_others(make):
    X, y = make(40, random_state=3)
    again, y_again = make(40, random_state=3)
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, y_again)
    assert not np.array_equal(X, make(40, random_state=4)[0])
    assert X.shape == (40, X.shape[1])
    assert X.dtype == np.float64
    assert y.dtype == np.int64


@pytest.mark.parametrize("make", MAKERS)
def test_a_wrong_number_of_points_is_refused_by_name(make):
    with pytest.raises(ValueError, match=f"{make.__name__}: n must be"):
        make(0)


def test_the_modes_are_six_and_just_two_of_them_overlap():
    X, y = make_modes(1200, random_state=0)
    mode = np.arange(1200) % 6
    wrong = KNeighborsClassifier(15).fit(X, y).predict(X) != y
    share = [wrong[mode == m].mean() for m in range(6)]
    overlapping = [m for m in range(6) if share[m] > 0.1]
    assert overlapping == [3, 4]  # the second modes of the classes 0 and 1
    assert {int(y[m]) for m in overlapping} == {0, 1}
    assert max(s for m, s in enumerate(share) if m not in overlapping) < 0.01


@pytest.mark.parametrize(("n_features", "n_classes"), [(10, 4), (2, 3), (1, 2)])
def test_gaussian_centres_are_equally_far_apart(n_features, n_classes):
    X, y = make_gaussians(20_000, n_features, n_classes, 5.0, random_state=0)
    centers = np.array([X[y == c].mean(axis=0) for c in range(n_classes)])
    i, j = np.triu_indices(n_classes, 1)
    distances = np.linalg.norm(centers[i] - centers[j], axis=1)
    np.testing.assert_allclose(distances, 5.0, atol=0.1)


def test_gaussians_need_room_for_their_centres():
    with pytest.raises(ValueError, match=r"n_features must be .* at least 3"):
        make_gaussians(10, n_features=2, n_classes=4)


def test_noise_has_nothing_to_learn():
    X, y = make_noise(4000, 20, 2, random_state=0)
    fitted = LinearDiscriminantAnalysis().fit(X[:2000], y[:2000])
    assert abs(fitted.score(X[2000:], y[2000:]) - 0.5) < 0.05


def test_xor_classes_have_exactly_the_same_moments():
    X, y = make_xor(1000, random_state=0)
    np.testing.assert_array_equal(X[y == 0].mean(axis=0), X[y == 1].mean(axis=0))
    np.testing.assert_array_equal(X[y == 0].mean(axis=0), 0.0)
    np.testing.assert_array_equal((X[y == 0] ** 2).sum(0), (X[y == 1] ** 2).sum(0))
    np.testing.assert_array_equal(X[:, 0] * X[:, 1] > 0, y == 0)
    with pytest.raises(ValueError, match="multiple of 4"):
        make_xor(10)


def test_checkerboard_neighbours_differ():
    X, y = make_checkerboard(500, n_tiles=3, random_state=0)
    column, row = np.floor(X).astype(int).T
    np.testing.assert_array_equal((column + row) % 2, y)
    assert set(column) == set(row) == {0, 1, 2}


def test_the_satellite_has_14_unbalanced_classes_and_tied_bands():
    X, y = make_satellite(200_000, random_state=0)
    counts = np.bincount(y)
    assert X.shape == (200_000, 6)
    assert len(counts) == 14
    assert counts.max() > 30 * counts.min()
    ties = np.corrcoef(X[y == 0].T)[np.triu_indices(6, 1)]
    assert ties.min() > 0.4


def test_the_satellite_does_not_depend_on_the_number_of_threads(monkeypatch):
    threaded = make_satellite(400_000, random_state=0)[0]
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    np.testing.assert_array_equal(make_satellite(400_000, random_state=0)[0], threaded)
