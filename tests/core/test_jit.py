import errno
import importlib.util
import shutil
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numba.core.caching import CacheImpl, IndexDataCacheFile

from labelscape._core import jit
from labelscape._core.jit import NoKernelCache

SOURCE = """
from labelscape._core.jit import compiled

@compiled
def half(x):
    return x / 2

@compiled
def sum_of_halves(x):
    total = half(x[0])
    for i in range(1, len(x)):
        total += half(x[i])
    return total
"""
NUMBERS = np.array([1.0, 2.0, 4.0])


@pytest.fixture
def kernels(tmp_path, monkeypatch):
    """A kernel file in a separate folder, loaded as in a new process."""
    monkeypatch.setattr(jit, "_warned", [])
    path = tmp_path / "toy_kernels.py"
    path.write_text(SOURCE)

    def load():
        spec = importlib.util.spec_from_file_location("toy_kernels", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def hits(function):
    return sum(function.stats.cache_hits.values())


def cached(tmp_path, pattern="*.nb?"):
    return sorted((tmp_path / "__pycache__").glob(pattern))


def test_a_kernel_is_compiled_once_and_then_read_from_disk(kernels):
    assert kernels().sum_of_halves(NUMBERS) == 3.5
    again = kernels().sum_of_halves
    assert again(NUMBERS) == 3.5
    assert hits(again) == 1


@pytest.mark.parametrize("pattern", ["*sum*.nbi", "*sum*.nbc"])
def test_a_damaged_cache_file_does_no_harm_and_is_replaced(kernels, tmp_path, pattern):
    kernels().sum_of_halves(NUMBERS)
    (path,) = cached(tmp_path, pattern)
    whole = path.read_bytes()
    cuts = [whole[:n] for n in (0, 1, 20, len(whole) // 2, len(whole) - 1)]
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    longer = whole + b"."
    for damaged in (
        *cuts,
        bytes(len(whole)),
        bytes(flipped),
        longer,
        b"r\xff\xff\xff~",
    ):
        path.write_bytes(damaged)
        first, second = kernels().sum_of_halves, kernels().sum_of_halves
        assert (first(NUMBERS), second(NUMBERS)) == (3.5, 3.5)
        assert hits(second) == 1


def test_code_for_another_signature_is_never_run(kernels, tmp_path):
    # Two processes that write at the same time may give it this name.
    for numbers in (NUMBERS, NUMBERS.astype(np.complex128)):
        kernels().sum_of_halves(numbers)
    one, other = cached(tmp_path, "*sum*.nbc")
    shutil.copy(other, one)
    for numbers in (NUMBERS, NUMBERS.astype(np.complex128)):
        assert kernels().sum_of_halves(numbers) == 3.5


def test_a_full_disk_costs_the_cache_and_not_the_fit(kernels, monkeypatch, tmp_path):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "_open_for_write", full)
    with pytest.warns(NoKernelCache, match="No space left.*NUMBA_CACHE_DIR"):
        assert kernels().sum_of_halves(NUMBERS) == 3.5
    assert cached(tmp_path) == []


def test_a_cache_folder_may_vanish_between_import_and_call(kernels, tmp_path):
    function = kernels().sum_of_halves
    shutil.rmtree(tmp_path / "__pycache__")
    (tmp_path / "__pycache__").touch()
    with pytest.warns(NoKernelCache):
        assert function(NUMBERS) == 3.5


def test_without_any_folder_to_write_there_is_one_warning(kernels, monkeypatch):
    monkeypatch.setattr(CacheImpl, "_locator_classes", [])
    with pytest.warns(NoKernelCache, match="NUMBA_CACHE_DIR") as told:
        module = kernels()
    assert len(told) == 1
    assert module.sum_of_halves(NUMBERS) == 3.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kernels()


def test_threads_may_ask_for_the_same_kernel_at_once(kernels):
    modules = [kernels() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda m: m.sum_of_halves(NUMBERS), modules))
    assert found == [3.5] * 4


def test_a_cache_of_a_version_with_other_modules_is_replaced(kernels, monkeypatch):
    kernels().sum_of_halves(NUMBERS)

    def moved(self):
        raise ModuleNotFoundError("the record type of a signature was moved")

    with monkeypatch.context() as patch:
        patch.setattr(IndexDataCacheFile, "_load_index", moved)
        assert kernels().sum_of_halves(NUMBERS) == 3.5
    again = kernels().sum_of_halves
    assert again(NUMBERS) == 3.5
    assert hits(again) == 1
