"""The Triton kernel of cost and slopes: on a GPU, or by Triton's interpreter."""

from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest
from tests.prototypes.lvq.cases import (
    as_training_set,
    as_variables,
    blobs,
    random_model,
)

from labelscape._core.rows import device
from labelscape._core.rows.device import DeviceRows
from labelscape.prototypes.lvq import _device
from labelscape.prototypes.lvq._training import CostSettings, evaluate

torch = pytest.importorskip("torch", reason="the kernel takes tensors of PyTorch")
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
with pytest.MonkeyPatch.context() as _patched:
    if DEVICE == "cpu":  # read by Triton when it is imported, and by each kernel
        _patched.setenv("TRITON_INTERPRET", "1")
    reason = "the kernel is written in Triton, which PyTorch brings on Linux"
    pytest.importorskip("triton", reason=reason)
    _fused = import_module("labelscape.prototypes.lvq._fused")
COST = CostSettings(slope=5.0, variance=0.3, theta=0.03, resolution=1e-15)


has_kernel = _device._has_kernel  # before it is patched


@pytest.fixture(autouse=True)
def kernel(monkeypatch):
    """Use the kernel, on processors by the interpreter."""
    monkeypatch.setattr(_device, "_has_kernel", lambda X, variables: True)
    if DEVICE == "cpu":
        monkeypatch.setenv("TRITON_INTERPRET", "1")
        monkeypatch.setattr(_fused, "TILES", 2)


def beside(data, dtype=np.float64):
    arrays = data.X.astype(dtype), data.codes, data.shares
    X, codes, shares = (torch.asarray(A, device=DEVICE) for A in arrays)
    return DeviceRows(X, data.labels, codes, 1.0, shares, data.center.astype(dtype))


def weighted(n, seed=1):
    """Return weighted samples about a center that is not their mean."""
    X, y = blobs(n, seed=seed)
    return as_training_set(X, y, np.random.default_rng(seed).uniform(0.1, 2, len(X)))


def compared(data, model, settings, dtype=np.float64):
    """Return cost, accuracy and gradient of the loops, and of the kernel."""
    form, layout, variables = as_variables(model, data.center)
    return [
        evaluate(form, layout, rows, variables, settings)
        for rows in (data, beside(data, dtype))
    ]


def near(found, expected, size):
    """Check costs, shares of correct decisions and slopes, relative to the largest."""
    assert found.cost == pytest.approx(expected.cost, rel=size)
    assert found.accuracy == pytest.approx(expected.accuracy, rel=size)
    slopes = expected.gradient.packed()
    assert np.abs(found.gradient.packed() - slopes).max() <= size * abs(slopes).max()


@pytest.mark.parametrize("slope", [0.0, 5.0])
@pytest.mark.parametrize("rows", [1, 2, 5])
def test_cost_and_slopes_are_those_of_the_compiled_loops(rows, slope):
    model, settings = random_model("matrix", rows, "class"), COST._replace(slope=slope)
    for n in (9, 96, 110):
        expected, found = compared(weighted(n), model, settings)
        near(found, expected, 1e-12)


def test_single_precision_is_as_good_to_four_digits():
    model = random_model("matrix", 2, "class")
    expected, found = compared(weighted(100), model, COST, np.float32)
    near(found, expected, 1e-4)


def test_programs_with_several_tiles_and_chunks_add_up_to_the_whole(monkeypatch):
    data, model = weighted(101), random_model("matrix", 3, "class")
    expected, _ = compared(data, model, COST)
    for tiles, chunk in [(1, 4), (2, 2), (3, 8)]:
        monkeypatch.setattr(_fused, "TILES", tiles)
        monkeypatch.setattr(_fused, "CHUNK", chunk)
        near(compared(data, model, COST)[1], expected, 1e-12)


def test_slopes_are_those_of_finite_differences():
    rows = beside(weighted(60))
    model = random_model("matrix", 2, "class")
    form, layout, variables = as_variables(model, rows.center)

    def cost(vector):
        return evaluate(form, layout, rows, variables.unpacked(vector), COST).cost

    start, step = variables.packed(), 1e-6
    slopes = evaluate(form, layout, rows, variables, COST).gradient.packed()
    for k in range(0, len(start), 7):
        aside = step * (np.arange(len(start)) == k)
        found = (cost(start + aside) - cost(start - aside)) / (2 * step)
        assert found == pytest.approx(slopes[k], abs=1e-8)


def test_samples_on_prototypes_cost_and_move_what_they_do_elsewhere():
    data, model = weighted(30, seed=5), random_model("matrix", 2, "class")
    W, c = model["W"], model["c"]
    X = np.vstack([data.X, W, W])
    y = np.concatenate([data.codes, c, c[::-1]])
    expected, found = compared(as_training_set(X, y), model, COST)
    near(found, expected, 1e-12)


def test_other_models_and_processors_take_the_path_of_arrays():
    on_gpu = SimpleNamespace(is_cuda=True)
    for kind, is_small in [("matrix", True), ("diagonal", False), ("shared", False)]:
        _, _, variables = as_variables(random_model(kind, 2, "class"))
        assert bool(has_kernel(on_gpu, variables)) == is_small
        assert not has_kernel(torch.zeros(1), variables)
    _, _, few = as_variables(random_model("matrix", 2, "class"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(device, "_has_triton", lambda: False)  # no compiler of C
        assert not has_kernel(on_gpu, few)
    assert not has_kernel(on_gpu, few._replace(W=np.zeros((65, 5))))
    assert not has_kernel(on_gpu, few._replace(Omega=np.zeros((5, 5))))
    assert not has_kernel(on_gpu, few._replace(Omega=np.zeros((2, 17))))
