"""Quality measures for arrays of other libraries, compared with NumPy."""

import numpy as np
import pytest

from labelscape._core.points import array_distances
from labelscape.quality import (
    class_continuity,
    class_trustworthiness,
    continuity,
    label_continuity,
    label_trustworthiness,
    sammon_stress,
    trustworthiness,
)
from labelscape.quality.measures import ranks


def torch_arrays(A):
    return pytest.importorskip("torch").asarray(A)


def strict_arrays(A):
    return pytest.importorskip("array_api_strict").asarray(A)


@pytest.fixture(params=[strict_arrays, torch_arrays], ids=["strict", "torch"])
def arrays(request):
    return request.param


def table(kind, n=90):
    """Return objects, a map and classes; whole numbers have many ties, and copies."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 5)) + 3.0
    if kind == "whole":
        X = rng.integers(3, size=(n, 5)).astype(float)
    return X, X[:, :2] + 0.1 * (kind == "real"), rng.integers(3, size=n)


@pytest.mark.parametrize("kind", ["real", "whole"])
@pytest.mark.parametrize("k", [1, 7, 60])
def test_ranks_are_those_of_numpys_arrays(arrays, kind, k):
    X, Z, y = table(kind)
    for score in (trustworthiness, continuity):
        found = score(arrays(X), arrays(Z), n_neighbors=k)
        assert found == pytest.approx(score(X, Z, n_neighbors=k), rel=0, abs=1e-12)
    for score in (class_trustworthiness, class_continuity):
        found = score(arrays(X), arrays(Z), y, n_neighbors=k)
        assert found == pytest.approx(score(X, Z, y, n_neighbors=k), rel=0, abs=1e-12)


def test_distances_of_pairs_and_to_classes_are_those_of_numpys_arrays(arrays):
    X, Z, y = table("real")
    for score in (label_trustworthiness, label_continuity):
        assert score(arrays(X), arrays(Z), y) == score(X, Z, y)
    some = {"max_pairs": 500, "random_state": 0}
    found = sammon_stress(arrays(X), arrays(Z), **some)
    assert found == pytest.approx(sammon_stress(X, Z, **some), rel=1e-9)


def test_single_precision_is_as_good_to_four_digits(arrays):
    X, Z, _ = table("real")
    found = trustworthiness(arrays(X.astype(np.float32)), arrays(Z.astype(np.float32)))
    assert found == pytest.approx(trustworthiness(X, Z), rel=0, abs=1e-4)


def test_a_map_of_numpys_follows_the_data(arrays):
    X, Z, _ = table("real")
    assert trustworthiness(arrays(X), Z) == pytest.approx(trustworthiness(X, Z))
    assert trustworthiness(X, arrays(Z)) == pytest.approx(trustworthiness(X, Z))


def test_objects_far_from_zero_keep_their_order(arrays):
    X, Z, _ = table("real")
    far = trustworthiness(arrays(X + 1e7), arrays(Z))
    assert far == pytest.approx(trustworthiness(X, Z), abs=1e-6)


def test_bad_numbers_are_told_where_they_are(arrays):
    X, Z, _ = table("real")
    X[4, 2] = np.nan
    with pytest.raises(ValueError, match=r"X contains NaN or infinite values.*row 4"):
        trustworthiness(arrays(X), arrays(Z))
    with pytest.raises(ValueError, match="90 samples but the embedding has 10"):
        trustworthiness(arrays(Z), arrays(Z[:10]))
    with pytest.raises(ValueError, match="two axes"):
        trustworthiness(arrays(Z[:, 0]), arrays(Z))


@pytest.mark.parametrize("kind", ["real", "whole"])
@pytest.mark.parametrize("k", [1, 4])
def test_groups_of_columns_hold_the_nearest(arrays, kind, k, monkeypatch):
    X, Z, y = table(kind, n=131)
    X[7:12] = X[70]  # near ones in several groups, as far as each other
    expected = class_trustworthiness(X, Z, y, n_neighbors=k)
    for group in (1, 3, 8):
        monkeypatch.setattr(array_distances, "GROUP", group)
        monkeypatch.setattr(ranks, "_latest", (b"", None))
        found = class_trustworthiness(arrays(X), arrays(Z), y, n_neighbors=k)
        assert found == pytest.approx(expected, rel=0, abs=1e-12)
