"""Kernel maps of what other libraries hold: the places of NumPy's arrays."""

import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA

from labelscape import load, save
from labelscape._core.points import array_objects
from labelscape._core.points.arrays import to_numpy, where_is
from labelscape._core.points.distances import exact_squared_distances
from labelscape._core.points.following import as_tag
from labelscape.embeddings import KernelMap
from labelscape.embeddings.kernel_map import _widths
from labelscape.geometry import FisherMetric


def torch_arrays(A):
    return pytest.importorskip("torch").asarray(A)


def strict_arrays(A):
    strict = pytest.importorskip("array_api_strict")
    return strict.asarray(A, device=strict.Device("device1"))


@pytest.fixture(params=[strict_arrays, torch_arrays], ids=["strict", "torch"])
def arrays(request):
    return request.param


rng = np.random.default_rng(0)
y = rng.integers(3, size=60)
X = rng.normal(size=(60, 5)) + 2.0 * rng.normal(size=(3, 5))[y]
X[7] = X[3]  # a copy
NEW = np.concatenate([rng.normal(size=(30, 5)) + X[:30], X[:8]])
OPTIONS = {
    "default": {},
    "own widths": {"bandwidth": "per_point"},
    "pseudo-inverse": {"bandwidth": "global", "bandwidth_factor": 0.3, "ridge": 0.0},
    "few": {"n_centers": 20},
    "given": {"metric": "precomputed"},
    "fisher": {"metric": FisherMetric(random_state=0), "bandwidth": 0.7},
}


def tables(kind, precision=np.float64):
    """Return what a map is fitted to, and what is new."""
    A, B = X.astype(precision), NEW.astype(precision)
    if OPTIONS[kind].get("metric") == "precomputed":
        return cdist(A, A).astype(precision), cdist(B, A).astype(precision)
    return A, B


def fitted(X, **options):
    return KernelMap(PCA(2), random_state=0, **options).fit(X, y)


@cache
def by_numpy(kind, precision):
    """Return a map, places of new objects and their support, by compiled loops."""
    A, B = tables(kind, precision)
    model = fitted(A, **OPTIONS[kind])
    return model, model.transform(B), model.support(B)


CASES = [(kind, np.float64) for kind in OPTIONS]
CASES += [("default", np.float32), ("fisher", np.float32)]


@pytest.mark.parametrize(("kind", "precision"), CASES)
def test_places_are_those_of_numpys_arrays(arrays, kind, precision):
    A, B = (arrays(table) for table in tables(kind, precision))
    wanted, Z, support = by_numpy(kind, precision)
    found = fitted(A, **OPTIONS[kind])
    assert_array_equal(to_numpy(found.embedding_), wanted.embedding_)
    assert_array_equal(to_numpy(found.center_indices_), wanted.center_indices_)
    assert found.factor_ == wanted.factor_
    exact = precision is np.float64
    assert_allclose(to_numpy(found.widths_), wanted.widths_, rtol=1e-12)
    # Compiled, a Fisher map leaves out kernels that weigh 1e-4 together.
    rounding = 1e-10 if exact and kind != "fisher" else 1e-4
    size = np.abs(Z).max()
    for model in (found, wanted):
        assert_allclose(to_numpy(model.transform(B)), Z, rtol=0, atol=rounding * size)
        assert_allclose(to_numpy(model.support(B)), support, rtol=1e-4, atol=1e-5)
    here = found.transform(to_numpy(B))
    assert type(here) is np.ndarray
    assert_allclose(here, Z, rtol=0, atol=rounding * size)


@pytest.mark.parametrize("kind", ["default", "few", "fisher"])
def test_places_are_those_of_the_formula(arrays, kind):
    model = by_numpy(kind, np.float64)[0]
    new = NEW[:30]
    D = cdist(new, X) if kind != "fisher" else model.metric_.pairwise(new, X)
    exponents = -(D[:, model.center_indices_] ** 2) / (2.0 * model.widths_**2)
    phi = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    wanted = phi / phi.sum(axis=1, keepdims=True) @ model.coefficients_
    assert_allclose(to_numpy(model.transform(arrays(new))), wanted, rtol=1e-10)


def test_fitted_objects_stay_where_they_are_and_copies_in_their_middle(arrays):
    model = fitted(arrays(X), n_centers=20)
    places = to_numpy(model.embedding_).copy()
    places[[3, 7]] = places[[3, 7]].mean(axis=0)
    assert_allclose(to_numpy(model.transform(arrays(X))), places, rtol=1e-12)


def test_blocks_make_no_difference(arrays, monkeypatch):
    whole = to_numpy(fitted(arrays(X)).transform(arrays(NEW)))
    monkeypatch.setattr(array_objects, "PROCESSOR_BYTES", 4000)
    monkeypatch.setattr(array_objects, "DEVICE_BYTES", 4000)
    assert_allclose(to_numpy(fitted(arrays(X)).transform(arrays(NEW))), whole)


def test_answers_are_where_the_objects_are(arrays, tmp_path):
    given = arrays(X)
    model = KernelMap(PCA(2), random_state=0)
    Z = model.fit_transform(given, arrays(y))
    assert Z is model.embedding_
    for found in (Z, model.transform(given), model.support(given), model.centers_):
        assert where_is(found) == where_is(given)
    save(model, tmp_path / "map.lsm", include_data=True)
    again = load(tmp_path / "map.lsm").transform(NEW)
    assert_allclose(again, to_numpy(model.transform(arrays(NEW))), rtol=1e-10)


def test_an_embedder_that_follows_tensors_is_given_them(arrays):
    inner = KernelMap(PCA(2), random_state=0)
    found = KernelMap(inner, random_state=0).fit(arrays(X))
    wanted = KernelMap(inner, random_state=0).fit(X)
    assert_allclose(to_numpy(found.embedding_), wanted.embedding_)


def test_what_only_numpy_can_do_is_refused_in_words(arrays):
    def gap(a, b):
        return abs(a - b).sum()

    for metric in (gap, FisherMetric(method="graph")):
        model = KernelMap(PCA(2), metric=metric, random_state=0)
        assert not model.__sklearn_tags__().array_api_support
        for ask in (model.fit, model.fit(X, y).transform):
            with pytest.raises(TypeError, match="Pass NumPy arrays"):
                ask(arrays(X))
    assert KernelMap(PCA(2)).__sklearn_tags__().array_api_support == as_tag(True)


def test_unusable_objects_are_told_as_those_of_numpy_are(arrays):
    model = fitted(X)
    with pytest.raises(ValueError, match="row 4"):
        model.transform(arrays(np.where(X[4, 2] == X, np.nan, X)))
    with pytest.raises(ValueError, match="expecting 5"):
        model.transform(arrays(X[:, :3]))
    with pytest.raises(ValueError, match="needs a square matrix"):
        fitted(arrays(X), metric="precomputed")


def test_a_neighborhood_is_measured_to_the_bits_of_exact_distances():
    Y = rng.normal(size=(40, 11))
    squares = np.sort(exact_squared_distances(Y, Y), axis=1)
    assert _widths.neighborhood_square(Y) == np.median(squares[:, 10])


def test_numba_is_not_needed():
    code = """
import sys
sys.modules["numba"] = None
import array_api_strict as xp
import numpy as np
from sklearn.decomposition import PCA
from labelscape.embeddings import KernelMap
from labelscape.geometry import FisherMetric
X = np.random.default_rng(0).normal(size=(40, 3))
X[:, 0] += 4 * (y := np.arange(40) % 2)
X = xp.asarray(X)
for metric in ("euclidean", FisherMetric()):
    model = KernelMap(PCA(2), metric=metric).fit(X, y)
    model.transform(X + 0.1)
    model.support(X)
"""
    pytest.importorskip("array_api_strict")
    subprocess.run([sys.executable, "-c", code], check=True)
