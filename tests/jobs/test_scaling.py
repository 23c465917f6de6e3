"""Features are put on one scale, unless rows are directions."""

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler, normalize
from tests.jobs.cases import table_of

from labelscape.datasets import load
from labelscape.jobs import map_table
from labelscape.jobs.fitting import scaler_for

RNG = np.random.default_rng(0)
CLOUD = RNG.normal(size=(60, 5)) * [1, 2, 3, 4, 5]


def is_scaled(X):
    return scaler_for(X).with_std


@pytest.mark.parametrize("length", [1.0, 1e-3, 40.0])
def test_rows_of_one_length_are_only_moved(length):
    X = length * normalize(CLOUD)
    assert not is_scaled(X)
    assert not is_scaled(X.astype(np.float32).astype(np.float64))
    moved = scaler_for(X).fit_transform(X)
    np.testing.assert_allclose(moved[0] - moved[1], X[0] - X[1])


def test_their_distances_are_those_of_angles():
    X = normalize(CLOUD)
    moved = scaler_for(X).fit_transform(X)
    apart = np.linalg.norm(moved[:, None] - moved, axis=2)
    np.testing.assert_allclose(apart**2, 2 - 2 * X @ X.T, atol=1e-12)


@pytest.mark.parametrize(
    "X",
    [
        CLOUD,
        np.eye(4)[RNG.integers(0, 4, 60)],
        np.hstack(
            [np.eye(3)[RNG.integers(0, 3, 60)], np.eye(2)[RNG.integers(0, 2, 60)]]
        ),
        normalize(CLOUD)[:5],
        np.zeros((20, 3)),
        np.vstack([normalize(CLOUD), np.zeros(5)]),
    ],
    ids=["a cloud", "a category", "two categories", "few rows", "zeros", "one zero"],
)
def test_all_other_features_are_put_on_one_scale(X):
    assert is_scaled(X)


def test_embedded_sets_are_put_on_one_scale():
    for name in ("iris", "wine", "breast_cancer", "digits", "modes"):
        assert is_scaled(load(name).X)


def test_a_map_of_directions_is_made_of_angles():
    y = np.arange(60) % 2
    X = normalize(CLOUD + 4 * y[:, None])
    model = map_table(table_of(X, y), "lda", judge=False).model
    assert model[0].get_params() == StandardScaler(with_std=False).get_params()
