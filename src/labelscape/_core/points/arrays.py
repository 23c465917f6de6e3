"""Arrays of other libraries: their functions, and the way to and from NumPy.

scikit-learn's rule, everything follows X: what is given as tensors of PyTorch is
computed where they are, by functions of the array API standard.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import missing_extra
from labelscape._core.errors import InputError

# Whose arrays are followed. Those of others are read by NumPy, as they always were.
LIBRARIES = {"torch", "cupy", "array_api_strict"}


def namespace_of(X: Any) -> Any:
    """Return the functions of the library whose array this is; None for NumPy's."""
    if type(X).__module__.partition(".")[0] not in LIBRARIES:
        return None
    return _compat().array_namespace(X)


def device_of(X: Any) -> Any:
    """Return where an array is."""
    return _compat().device(X)


@cache
def _compat() -> Any:
    """Return what makes libraries follow the standard: scikit-learn's, if it has it."""
    names = ("sklearn.externals.array_api_compat", "array_api_compat")
    found = [name for name in names if find_spec(name)]
    if not found:
        missing_extra("array-api-compat", "gpu", "arrays of other libraries")
    return import_module(found[0])


def to_numpy(A: Any) -> NDArray[Any]:
    """Return an array of any library and device as NumPy's."""
    library = type(A).__module__.partition(".")[0]
    if library == "torch":  # a tensor may be on a GPU and hold slopes
        A = A.detach().cpu()
    elif library == "cupy":
        A = A.get()
    elif library == "array_api_strict":
        A = A.to_device(type(A.device)("CPU_DEVICE"))
    return np.asarray(A)


def as_numpy(value: Any) -> Any:
    """Return an array of another library as NumPy's, and all else as it is."""
    return value if namespace_of(value) is None else to_numpy(value)


def where_is(A: Any) -> tuple[Any, Any]:
    """Return the functions of an array's library, and its device; of NumPy's, None."""
    xp = namespace_of(A)
    return xp, None if xp is None else device_of(A)


def moved(A: Any, xp: Any, device: Any) -> Any:
    """Return an array of any library where another one is, see `where_is`."""
    if where_is(A) == (xp, device):
        return A
    return as_numpy(A) if xp is None else xp.asarray(as_numpy(A), device=device)


class Frame(NamedTuple):
    """Where arrays are, and in which precision: what follows X."""

    xp: Any
    device: Any
    dtype: Any

    @classmethod
    def of(cls, xp: Any, X: Any) -> "Frame":
        """Return that of X; single precision stays, all else is double."""
        single = X.dtype == xp.float32
        return cls(xp, device_of(X), xp.float32 if single else xp.float64)

    @property
    def double(self) -> "Frame":
        """The same in double precision."""
        return self._replace(dtype=self.xp.float64)

    def array(self, A: Any) -> Any:
        """Return an array of any library and device here, in this precision."""
        if namespace_of(A) is not self.xp or device_of(A) != self.device:
            A = self.xp.asarray(as_numpy(A), device=self.device)
        if hasattr(A, "detach"):
            A = A.detach()
        return self.xp.astype(A, self.dtype, copy=False)


def floats_like(xp: Any, value: Any, *, device: Any, owner: str, name: str) -> Any:
    """Return a table of finite floats on a device, in their own precision."""
    A = xp.asarray(value, device=device)
    if A.ndim != 2:
        raise InputError(
            f"{name} must be a table with two axes, got shape {tuple(A.shape)}.",
            owner=owner,
            parameter=name,
        )
    if xp.isdtype(A.dtype, "complex floating"):
        raise InputError(
            f"{name} must hold real numbers, got complex data of type {A.dtype}.",
            owner=owner,
            parameter=name,
        )
    if not xp.isdtype(A.dtype, "real floating"):
        A = xp.astype(A, xp.float64)
    finite = xp.all(xp.isfinite(A), axis=1)
    if not bool(xp.all(finite)):
        row = int(xp.argmin(xp.astype(finite, xp.int8)))
        raise InputError(
            f"{name} holds NaN or infinite values, the first in row {row}. Remove or "
            "replace them first.",
            owner=owner,
            parameter=name,
        )
    return A
