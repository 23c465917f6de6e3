"""The Triton kernel of Fisher lengths: on a GPU, or by Triton's interpreter."""

from importlib import import_module

import numpy as np
import pytest
from tests.geometry.test_arrays import fitted, uneven

from labelscape._core.rows.kinds import to_numpy
from labelscape.geometry import _device

torch = pytest.importorskip("torch", reason="the kernel takes tensors of PyTorch")
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
with pytest.MonkeyPatch.context() as _patched:
    if DEVICE == "cpu":  # read by Triton when it is imported, and by each kernel
        _patched.setenv("TRITON_INTERPRET", "1")
    reason = "the kernel is written in Triton, which PyTorch brings on Linux"
    pytest.importorskip("triton", reason=reason)
    _fused = import_module("labelscape.geometry._fused")


def arcsine(x):
    """Return a function of CUDA's library for the interpreter."""
    language = import_module("triton.language")
    handle = type(x.handle)(np.arcsin(x.handle.data), x.handle.dtype)
    return language.core.tensor(handle, x.type)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("options", [{}, {"n_steps": 2}, {"class_weight": "balanced"}])
def test_distances_are_those_of_the_compiled_loops(dtype, options, monkeypatch):
    if DEVICE == "cpu":
        monkeypatch.setenv("TRITON_INTERPRET", "1")
        monkeypatch.setattr(_fused, "asin", arcsine)
    calls = []
    walked = _fused.fused_lengths
    monkeypatch.setattr(
        _fused, "fused_lengths", lambda *a: calls.append(a) or walked(*a)
    )
    monkeypatch.setattr(_device, "has_kernels", lambda array: True)
    X, y = uneven(40)
    X = X.astype(dtype)
    metric = fitted(torch.asarray(X, device=DEVICE), y, **options)
    new = torch.asarray(X[:7] + dtype(0.1), device=DEVICE)
    found = to_numpy(metric.pairwise(new))
    assert calls
    expected = fitted(X.astype(np.float64), y, **options)
    expected = expected.pairwise(X[:7].astype(np.float64) + float(dtype(0.1)))
    near = 1e-11 if dtype is np.float64 else 1e-4
    np.testing.assert_allclose(found, expected, rtol=near, atol=near)
