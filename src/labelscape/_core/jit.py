"""The numba settings of the library, in one place, and its cache on disk.

Only kernel files import this module, and kernel files are imported when a model is
fitted, so ``import labelscape`` does not load numba. A kernel computes a range of rows
without the interpreter lock, and :mod:`labelscape._core.threads` assigns the ranges. So
compilation is short, ``fork`` works, and each row is computed in a fixed order.

If the cache cannot be written, or a file is damaged, this module compiles kernels
again. Numba alone would raise an error, or run damaged machine code.
"""

import hashlib
import pickle
import warnings
from collections.abc import Callable
from typing import Any

from labelscape._core.threads import uninterrupted

with uninterrupted():  # an import of numba that was interrupted cannot be repeated
    import numba
    from numba.core.caching import FunctionCache, IndexDataCacheFile, NullCache


class NoKernelCache(UserWarning):
    """Warning: compiled functions cannot be cached on disk."""


class _KernelCache(FunctionCache):
    """Numba's cache of one function, without errors if files cannot be used."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # raises RuntimeError if no folder is writable
        self._cache_file.__class__ = _SealedFiles  # the same files, with checksums

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # damaged files may raise any error
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_once(error.strerror or str(error))


class _SealedFiles(IndexDataCacheFile):
    """Numba's cache files of one function, each with its signature and a checksum."""

    def load(self, key: Any) -> Any:
        entry = super().load(key)
        # Processes that write at the same time may use one file name for two
        # signatures.
        if entry is None or entry[:2] != (repr(key), _seal(entry[2])):
            return None
        return pickle.loads(entry[2])

    def save(self, key: Any, data: Any) -> None:
        content = self._dump(data)
        super().save(key, (repr(key), _seal(content), content))

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception:  # damaged, or written by a version with other modules
            return {}


def _seal(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _cache_of(function: Callable[..., Any]) -> FunctionCache | NullCache:
    try:
        return _KernelCache(function)
    except (RuntimeError, OSError):
        _warn_once("there is no writable folder")
        return NullCache()


_warned: list[str] = []


def _warn_once(reason: str) -> None:
    if _warned:
        return
    _warned.append(reason)
    warnings.warn(
        f"Compiled functions can't be cached on disk ({reason}), so each process "
        "compiles them again, which takes a few seconds. Set the environment variable "
        "NUMBA_CACHE_DIR to a writable folder with enough space.",
        NoKernelCache,
        stacklevel=2,
    )


def _decorator(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    jit = numba.njit(nogil=True, error_model="numpy", **options)

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher = jit(function)
        if dispatcher is not function:  # as with NUMBA_DISABLE_JIT
            dispatcher._cache = _cache_of(function)
            # In a callback of LLVM, Ctrl+C would be lost.
            dispatcher.compile = uninterrupted()(dispatcher.compile)
        return dispatcher

    return decorate


# fastmath is off: it would let the compiler reorder sums, and the last bits of a result
# would then depend on the vector width of the machine. error_model="numpy" turns a
# division by zero into an infinity, which is checked later; an exception would prevent
# vectorized loops.
compiled = _decorator(fastmath=False)

# For kernels that mostly compute inner products: the compiler may change the order of a
# sum to use vector units. The order is the same in every run on one machine, with any
# number of threads, because one thread computes each sum.
compiled_reordering = _decorator(fastmath={"reassoc", "contract", "nsz"})
