"""Maps of what other libraries hold: the same as those of NumPy's arrays."""

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from labelscape import load, save
from labelscape._core.points.arrays import Frame, namespace_of, to_numpy
from labelscape._core.points.spaces import Points
from labelscape.embeddings import WeightedMDS, object_weights, prototype_weights
from labelscape.embeddings.weighted_mds import _array_pairs, _array_spaces, _pairs

n = 40
rng = np.random.default_rng(0)
X = rng.normal(size=(n, 5)) + 3.0
Z = rng.normal(size=(2, n))
Z[:, 5] = Z[:, 9]  # images in one place
y = rng.integers(3, size=n)
IS_PROTOTYPE = np.arange(n) < 6
W = 10.0 ** rng.uniform(-4, 0, size=(n, n))
W = W + W.T
HOLES = W * (rng.uniform(size=(n, n)) < 0.4)
HOLES = HOLES + HOLES.T


def torch_arrays(A):
    return pytest.importorskip("torch").asarray(A)


def strict_arrays(A):
    strict = pytest.importorskip("array_api_strict")
    return strict.asarray(A, device=strict.Device("device1"))


@pytest.fixture(params=[strict_arrays, torch_arrays], ids=["strict", "torch"])
def arrays(request):
    return request.param


WEIGHTS = {
    "uniform": None,
    "array": W,
    "holes": HOLES,
    "prototype": prototype_weights(y, IS_PROTOTYPE),
    "object": object_weights(IS_PROTOTYPE),
}


def both_pairs(arrays, weights, power=1, precision=np.float64):
    """Return the pairs by NumPy and numba, and those by the library."""
    group = np.arange(n)
    merged = _pairs.merged_weights(weights, group, n)
    ours = _pairs.weighted_pairs(Points(X), merged, power)
    given = arrays(X.astype(precision))
    frame = Frame.of(namespace_of(given), given)
    space = _array_spaces.LocatedArrays(frame, X)
    W = None if weights is None else frame.array(weights)
    merged = _array_pairs.merged_weights(frame, W, group, group)
    return ours, _array_pairs.weighted_pairs(space, merged, power)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_stress_and_slope_are_those_of_the_compiled_loops(
    arrays, kind, power, precision
):
    ours, theirs = both_pairs(arrays, WEIGHTS[kind], power, precision)
    rtol = 1e-12 if precision == np.float64 else 1e-5
    assert_allclose(theirs.unit, ours.unit, rtol=rtol)
    assert_allclose(theirs.collapsed, ours.collapsed, rtol=rtol)
    stress, gradient = theirs.evaluation()(Z)
    wanted, slope = ours.evaluation()(Z)
    assert_allclose(stress, wanted, rtol=rtol)
    assert_allclose(gradient, slope, atol=rtol * np.abs(slope).max())


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_a_step_is_the_guttman_transform(arrays, kind, precision):
    weights = np.ones((n, n)) if WEIGHTS[kind] is None else WEIGHTS[kind]
    _, pairs = both_pairs(arrays, WEIGHTS[kind], precision=precision)
    moved = Z - pairs.solver()(pairs.evaluation()(Z)[1]) / 2.0

    D = cdist(X, X) / pairs.unit
    v = weights / np.where(D > 0, D, 1.0)
    np.fill_diagonal(v, 0.0)
    d = cdist(Z.T, Z.T)
    B = -v * np.divide(D, d, out=np.zeros((n, n)), where=d > 0)
    V = -v
    for matrix in (V, B):
        np.fill_diagonal(matrix, -matrix.sum(axis=1))
    wanted = (np.linalg.pinv(V) @ B @ Z.T).T + Z.mean(axis=1, keepdims=True)
    assert_allclose(moved, wanted, atol=1e-10 if precision == np.float64 else 1e-4)


def test_blocks_make_no_difference(arrays, monkeypatch):
    _, whole = both_pairs(arrays, W)
    monkeypatch.setattr(_array_spaces, "DEVICE_BYTES", 8 * n * 7)
    _, parts = both_pairs(arrays, W)
    assert len(whole.blocks) == 1
    assert len(parts.blocks) == 6
    for a, b in zip(whole.evaluation()(Z), parts.evaluation()(Z), strict=True):
        assert_allclose(a, b, rtol=1e-13, atol=1e-16)
    assert_allclose(whole.solver()(Z), parts.solver()(Z), rtol=1e-12)


# Whole maps.


def fitted(X, **options):
    mds = WeightedMDS(n_init=2, max_iter=20, random_state=0).set_params(**options)
    return mds.fit(X, y, is_prototype=IS_PROTOTYPE)


OPTIONS = {
    "plain": {},
    "line": {"n_components": 1},
    "prototype": {"power": 2, "weights": "prototype"},
    "object": {"weights": "object", "solver": "smacof"},
    "array": {"weights": W},
    "holes": {"weights": HOLES, "solver": "smacof"},
    "sparse": {"weights": csr_array(HOLES)},
    "given": {"metric": "precomputed", "weights": "prototype"},
    "function": {"metric": lambda a, b: abs(a - b).sum()},
}


@pytest.mark.parametrize("copies", [False, True])
@pytest.mark.parametrize("kind", OPTIONS)
def test_the_map_is_that_of_numpys_arrays(arrays, kind, copies):
    A, options = X.copy(), OPTIONS[kind]
    if copies:
        A[[7, 30]], A[11] = A[3], A[35]
    A = cdist(A, A) if options.get("metric") == "precomputed" else A
    wanted, found = fitted(A, **options), fitted(arrays(A), **options)
    assert_allclose(found.stress_, wanted.stress_, rtol=1e-10)
    assert_allclose(to_numpy(found.embedding_), wanted.embedding_, atol=1e-8)
    assert_allclose(found.loss_curve_, wanted.loss_curve_, rtol=1e-10)
    assert found.agreement_ == wanted.agreement_
    assert found.n_features_in_ == wanted.n_features_in_
    assert type(found.stress_) is float


@pytest.mark.parametrize("solver", ["lbfgs", "smacof"])
def test_single_precision_is_as_good_to_four_digits(arrays, solver):
    wanted = fitted(X, solver=solver, weights="prototype")
    found = fitted(arrays(X.astype(np.float32)), solver=solver, weights="prototype")
    assert_allclose(found.stress_, wanted.stress_, rtol=1e-4)
    size = np.abs(wanted.embedding_).max()
    assert_allclose(to_numpy(found.embedding_), wanted.embedding_, atol=1e-3 * size)


def test_the_map_is_where_the_objects_are(arrays):
    given = arrays(X.astype(np.float32))
    xp = namespace_of(given)
    mds = WeightedMDS(n_init=1, max_iter=3)
    Z = mds.fit_transform(given)
    assert namespace_of(Z) is xp
    assert Z.device == given.device
    assert Z.dtype == xp.float64
    assert Z is mds.embedding_
    assert list(mds.get_feature_names_out()) == ["weightedmds0", "weightedmds1"]


def test_labels_weights_and_marks_may_be_of_the_same_library(arrays):
    options = {"weights": arrays(W), "n_init": 1, "max_iter": 5}
    found = WeightedMDS(**options).fit(
        arrays(X), arrays(y), is_prototype=arrays(IS_PROTOTYPE)
    )
    wanted = fitted(X, **(options | {"weights": W}))
    assert_allclose(to_numpy(found.embedding_), wanted.embedding_, atol=1e-8)
    assert found.agreement_ == wanted.agreement_
    assert_array_equal(
        fitted(X, **options).embedding_,
        fitted(X, **(options | {"weights": W})).embedding_,
    )


def test_one_object_is_a_map_too(arrays):
    assert_array_equal(to_numpy(WeightedMDS().fit_transform(arrays(X[:1]))), [[0, 0]])
    D = arrays(np.zeros((3, 3)))
    found = WeightedMDS(metric="precomputed").fit_transform(D)
    assert_array_equal(to_numpy(found), np.zeros((3, 2)))


def test_a_model_of_a_tensor_is_saved_as_numpys(arrays, tmp_path):
    mds = WeightedMDS(n_init=1, max_iter=3).fit(arrays(X))
    save(mds, tmp_path / "map.lsm", include_data=True)
    found = load(tmp_path / "map.lsm")
    assert_array_equal(found.embedding_, to_numpy(mds.embedding_))


def test_tensors_that_gather_slopes_are_mapped_without_them():
    torch = pytest.importorskip("torch")
    D = torch.tensor(cdist(X, X), requires_grad=True)
    found = fitted(D, metric="precomputed").embedding_
    assert not found.requires_grad


def test_half_precision_is_mapped_in_double():
    torch = pytest.importorskip("torch")
    half = torch.asarray(X).to(torch.bfloat16)
    assert_allclose(fitted(half).embedding_, fitted(half.to(torch.float64)).embedding_)


# What can not be mapped.


def test_what_is_wrong_is_said_as_of_numpys_arrays(arrays):
    D = cdist(X, X)
    cases = [
        ("contains NaN: column 2", {}, np.where(X[4, 2] == X, np.nan, X)),
        ("square is too large", {}, 1e160 * X),
        ("Expected 2D array", {}, X[:, 0]),
        ("0 sample", {}, X[:0]),
        ("must not be negative", {"metric": "precomputed"}, D - 1.0),
        ("must be symmetric", {"metric": "precomputed"}, D + np.triu(D)),
        ("needs a square matrix", {"metric": "precomputed"}, X),
        ("to itself must be 0", {"metric": "precomputed"}, D + 1.0),
        ("contains NaN", {"metric": "precomputed"}, D * np.nan),
        ("must not be negative", {"weights": arrays(-W)}, X),
        ("weights must be symmetric", {"weights": arrays(W + np.triu(W))}, X),
        ("shape \\(40, 40\\)", {"weights": arrays(W[:3, :3])}, X),
        ("split the objects into 2 parts", {"weights": arrays(np.eye(2))}, X[:2]),
        ("too large or too small", {"power": 200}, 1e100 * X),
        (
            "nothing to draw",
            {
                "metric": "precomputed",
                "weights": np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0.0]]),
            },
            np.array([[0, 0, 1.0], [0, 0, 0], [1, 0, 0]]),
        ),
    ]
    for words, options, A in cases:
        with pytest.raises(ValueError, match=words):
            WeightedMDS(**options).fit(arrays(A))


def test_numba_is_not_needed():
    code = """
import sys
sys.modules["numba"] = None
import array_api_strict as xp
import numpy as np
from labelscape.embeddings import WeightedMDS
X = xp.asarray(np.random.default_rng(0).normal(size=(20, 3)))
mask = np.arange(20) < 3
D = xp.linalg.vector_norm(X[:, None, :] - X[None, :, :], axis=2)
for solver in ("lbfgs", "smacof"):
    options = {"solver": solver, "n_init": 2, "max_iter": 3}
    WeightedMDS(**options).fit(X)
    WeightedMDS(weights="object", **options).fit(X, mask, is_prototype=mask)
    WeightedMDS(metric="precomputed", **options).fit(D)
"""
    pytest.importorskip("array_api_strict")
    subprocess.run([sys.executable, "-c", code], check=True)
