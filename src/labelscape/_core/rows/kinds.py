"""Types of X, recognized without importing Dask or PyTorch, and arrays of libraries."""

import warnings
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from labelscape._core.errors import InputTypeError, InputWarning, missing_extra
from labelscape._core.types import Array, Ints

# Libraries whose arrays remain on their device; NumPy reads all others.
LIBRARIES = {"torch", "cupy", "array_api_strict"}


def is_chunked(X: Any) -> bool:
    """Return whether X is a Dask collection, whose chunks may be on other machines."""
    if isinstance(X, type) or not hasattr(X, "__dask_graph__"):
        return False
    # Objects of xarray always have __dask_graph__; it returns None without Dask.
    is_of_dask = type(X).__module__.partition(".")[0] == "dask"
    return is_of_dask or X.__dask_graph__() is not None


def in_memory(X: Any, *, owner: str) -> Any:
    """Return chunked data in memory, with a warning; other data remain unchanged."""
    if not is_chunked(X):
        return X
    warnings.warn(
        InputWarning(
            f"{owner} works in memory, so all chunks of X are loaded. If X is too "
            "large, load a part of it with .compute(), and pass this part."
        ),
        stacklevel=4,
    )
    return X.compute()


def check_in_memory(value: Any, *, owner: str, name: str) -> None:
    """Raise an error if an argument that must be in memory is chunked."""
    if is_chunked(value):
        raise InputTypeError(
            f"{name} must be in memory, but it is chunked. Load it with .compute() "
            "first.",
            owner=owner,
            parameter=name,
        )


def namespace_of(X: Any) -> Any:
    """Return the functions of an array's library; None for NumPy."""
    if type(X).__module__.partition(".")[0] not in LIBRARIES:
        return None
    return compat().array_namespace(X)


@cache
def compat() -> Any:
    """Return the array API compatibility layer, preferably the copy in scikit-learn."""
    names = ("sklearn.externals.array_api_compat", "array_api_compat")
    known = [name for name in names if find_spec(name)]
    if not known:
        missing_extra("array-api-compat", "gpu", "arrays of other libraries")
    return import_module(known[0])


def to_numpy(A: Any) -> Array:
    """Return an array of any library and device as a NumPy array."""
    library = type(A).__module__.partition(".")[0]
    if library == "torch":  # a tensor may be on a GPU and have gradients
        A = A.detach().cpu()
    elif library == "cupy":
        A = A.get()
    elif library == "array_api_strict":
        A = A.to_device(type(A.device)("CPU_DEVICE"))
    return np.asarray(A)


def as_numpy(value: Any) -> Any:
    """Return an array of another library as NumPy's; other values remain unchanged."""
    return value if namespace_of(value) is None else to_numpy(value)


def counts_of(indices: Any, length: int) -> Ints:
    """Return how often each index below ``length`` occurs, for any array library."""
    xp = namespace_of(indices)
    if xp is None:
        return np.bincount(indices, minlength=length)
    present, counts = map(to_numpy, xp.unique_counts(indices))
    sizes = np.zeros(length, dtype=np.intp)
    sizes[present] = counts
    return sizes
