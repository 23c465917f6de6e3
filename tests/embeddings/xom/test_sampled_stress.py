import numpy as np
import pytest
from scipy.spatial.distance import pdist

from labelscape._core.points.spaces import Points
from labelscape.embeddings.xom import _base
from labelscape.embeddings.xom._base import SampledStress


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(25, 4))
    X[7] = X[3]
    return X, rng.normal(size=(25, 2))


def sammon(X, Z):
    D, d = pdist(X), pdist(Z)
    D, d = D[D > 0], d[pdist(X) > 0]
    return np.sum((D - d) ** 2 / D) / D.sum()


def test_the_stress_is_the_least_over_all_scales_and_the_scale_attains_it(data):
    X, Z = data
    judge = SampledStress(Points(X))
    b = judge.scale(Z)
    assert judge.stress(Z) == pytest.approx(sammon(X, b * Z), rel=1e-12)
    for other in (0.99 * b, 1.01 * b):
        assert sammon(X, other * Z) > judge.stress(Z)


def test_a_map_of_any_size_is_judged_alike(data):
    X, Z = data
    judge = SampledStress(Points(X))
    assert judge.stress(1e9 * Z) == pytest.approx(judge.stress(Z), rel=1e-10)
    assert judge.scale(4.0 * Z) == pytest.approx(judge.scale(Z) / 4.0, rel=1e-12)


def test_points_in_one_place_are_right_only_for_objects_that_are_one(data):
    X, Z = data
    same = SampledStress(Points(np.ones((5, 2))))
    assert same.stress(Z[:5]) == 0.0
    assert same.scale(Z[:5]) == 1.0
    assert SampledStress(Points(X)).stress(0.0 * Z) == 1.0


def test_large_sets_are_sampled_and_always_in_the_same_way(data, monkeypatch):
    X, Z = data
    monkeypatch.setattr(_base, "LARGEST_SAMPLE", 10)
    first, second = (SampledStress(Points(X)) for _ in range(2))
    np.testing.assert_array_equal(first.samples, second.samples)
    assert len(np.unique(first.samples)) == 10
    assert first.stress(Z) == pytest.approx(
        SampledStress(Points(X[first.samples])).stress(Z[first.samples])
    )
