"""Labeled samples in an array of another library, computed on its device.

As in scikit-learn, the type of X determines where a fit is computed. A PyTorch tensor
stays on its device and is used with functions of the array API standard. Sums over all
samples are computed in slices and double precision: one long sum in single precision
would lose digits, and a device computes slices in parallel.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache, cached_property
from importlib.util import find_spec
from shutil import which
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from labelscape._core.checks import (
    LARGEST_SINGLE,
    LARGEST_VALUE,
    check_finite,
    check_ranges,
    check_X,
)
from labelscape._core.errors import InputError
from labelscape._core.labels import check_labels, check_sample_weight
from labelscape._core.rows.kinds import (
    as_numpy,
    compat,
    counts_of,
    namespace_of,
    to_numpy,
)
from labelscape._core.rows.rows import ClassFactors, Rows, check_classes_left, closeness
from labelscape._core.threads import row_blocks
from labelscape._core.types import Array, Bools, Floats, Ints

# Bytes of a temporary array of a block; about six exist at a time. On a CPU they should
# fit in the cache. On other devices, large blocks are more efficient.
DEVICE_BYTES, PROCESSOR_BYTES = 2**29, 2**22
SLICE = 1024  # number of samples added at once
MOST_SAMPLED = 20_000  # enough samples to estimate the class shares


# Arrays and their devices.


def device_of(X: Any) -> Any:
    """Return the device of an array."""
    return compat().device(X)


def where_is(A: Any) -> tuple[Any, Any]:
    """Return the functions of an array's library, and its device; None for NumPy."""
    xp = namespace_of(A)
    return xp, None if xp is None else device_of(A)


def moved(A: Any, xp: Any, device: Any) -> Any:
    """Return an array of any library on a given device; see `where_is`."""
    if where_is(A) == (xp, device):
        return A
    return as_numpy(A) if xp is None else xp.asarray(as_numpy(A), device=device)


class ArrayPlace(NamedTuple):
    """The library, device and precision of arrays, as determined by X."""

    xp: Any
    device: Any
    dtype: Any

    @classmethod
    def of(cls, X: Any) -> "ArrayPlace":
        """Return the library and device of X, and its precision: float32 or float64."""
        xp = namespace_of(X)
        single = X.dtype == xp.float32
        return cls(xp, device_of(X), xp.float32 if single else xp.float64)

    @property
    def double(self) -> "ArrayPlace":
        """The same library and device, in double precision."""
        return self._replace(dtype=self.xp.float64)

    def array(self, A: Any) -> Any:
        """Convert an array to the library, device and precision of this place."""
        A = moved(A, self.xp, self.device)
        if hasattr(A, "detach"):
            A = A.detach()
        return self.xp.astype(A, self.dtype, copy=False)


def blocks_of(array: Any, row_bytes: int) -> list[slice]:
    """Return slices of rows small enough for several tables in the device's memory."""
    return row_blocks(int(array.shape[0]), row_bytes, table_bytes(device_of(array)))


def table_bytes(device: Any) -> int:
    """Return the bytes that one table of a block may use on a device."""
    return PROCESSOR_BYTES if is_processor(device) else DEVICE_BYTES


def is_processor(device: Any) -> bool:
    """Return whether the device is the CPU."""
    return "cpu" in str(device).lower()


def has_kernels(array: Any) -> bool:
    """Return whether Triton can be used: for PyTorch tensors on a GPU."""
    return bool(getattr(array, "is_cuda", False)) and _has_triton()


@cache
def _has_triton() -> bool:
    # Triton needs a C compiler, which a machine with a GPU may not have.
    compiler = os.environ.get("CC") or which("gcc") or which("clang")
    return find_spec("triton") is not None and compiler is not None


def contracted(xp: Any, A: Any, B: Any) -> Any:
    """Return A (p, n) @ B (n, q) for large n, adding slices in double precision."""
    (p, n), q = A.shape, B.shape[1]
    count = n // SLICE
    even = count * SLICE
    total = xp.astype(A[:, even:] @ B[even:, :], xp.float64)
    if not count:
        return total
    A = xp.permute_dims(xp.reshape(A[:, :even], (p, count, SLICE)), (1, 0, 2))
    parts = A @ xp.reshape(B[:even, :], (count, SLICE, q))
    return total + xp.sum(parts, axis=0, dtype=xp.float64)


def same_table(A: Any, B: Any) -> bool:
    """Return whether two tables on one device contain equal numbers."""
    xp = namespace_of(A)
    if xp is None:
        return np.array_equal(A, B)
    return tuple(A.shape) == tuple(B.shape) and bool(xp.all(A == B))


# Checks.


def floats_like(xp: Any, value: Any, *, device: Any, owner: str, name: str) -> Any:
    """Return a finite table on a device; integers become float64."""
    A, wrong = xp.asarray(value, device=device), None
    if A.ndim != 2:
        wrong = f"be a table with two axes, got shape {tuple(A.shape)}."
    elif xp.isdtype(A.dtype, "complex floating"):
        wrong = f"contain real numbers, got complex data of type {A.dtype}."
    if wrong is not None:
        raise InputError(f"{name} must {wrong}", owner=owner, parameter=name)
    if not xp.isdtype(A.dtype, "real floating"):
        A = xp.astype(A, xp.float64)
    finite = xp.all(xp.isfinite(A), axis=1)
    if not bool(xp.all(finite)):
        row = int(xp.argmin(xp.astype(finite, xp.int8)))
        raise InputError(
            f"{name} contains NaN or infinite values, the first in row {row}. Remove "
            "or replace them first.",
            owner=owner,
            parameter=name,
        )
    return A


def check_array(
    estimator: Any, X: Any, *, reset: bool = True, min_samples: int = 1
) -> Any:
    """Check samples as `check_X` does; other libraries' arrays stay on their device."""
    xp = namespace_of(X)
    if xp is None:
        return check_X(estimator, X, reset=reset, min_samples=min_samples)
    from sklearn.utils.validation import validate_data

    owner = type(estimator).__name__
    X = X.detach() if hasattr(X, "detach") else X
    A = floats_like(xp, X, device=device_of(X), owner=owner, name="X")
    if A.shape[0] < min_samples or not A.shape[1]:
        raise InputError(
            f"Found array with {A.shape[0]} sample(s) and {A.shape[1]} feature(s) "
            f"(shape={tuple(A.shape)}) while a minimum of {max(min_samples, 1)} is "
            "required.",
            owner=owner,
            parameter="X",
        )
    validate_data(estimator, A, reset=reset, skip_check_array=True)
    if A.dtype != xp.float32:
        A = xp.astype(A, xp.float64, copy=False)
    low, high = (to_numpy(end(A, axis=0)) for end in (xp.min, xp.max))
    largest = LARGEST_SINGLE if A.dtype == xp.float32 else LARGEST_VALUE
    if max(-low.min(), high.max()) > largest:
        check_finite(to_numpy(A), owner=owner)  # the error locates the value
    if reset:
        check_ranges(high - low, owner=owner)
    return A


def device_rows(
    estimator: Any, X: Any, y: Any, sample_weight: Any, factors: ClassFactors | None
) -> "DeviceRows":
    """Check labeled samples of another library; see `rows_of`."""
    owner = type(estimator).__name__
    X = check_array(estimator, X)
    frame, n = ArrayPlace.of(X), int(X.shape[0])
    labels, codes = _coded(frame, n, y, owner=owner)
    if sample_weight is None and factors is None:
        ones = frame.xp.ones(n, dtype=frame.xp.float64, device=frame.device)
        return DeviceRows(X, labels, codes, float(n), ones / float(n), owner=owner)
    weights = check_sample_weight(as_numpy(sample_weight), n, owner=owner)
    if factors is not None:
        on_host = to_numpy(codes)
        weights = weights * factors(labels, np.bincount(on_host))[on_host]
    shares = frame.double.array(weights / weights.sum())
    rows = DeviceRows(X, labels, codes, float(weights.sum()), shares, owner=owner)
    if (weights > 0).all():
        return rows
    rows = rows.chosen(weights > 0)
    check_classes_left(labels, rows.class_sizes, owner)
    return rows


def _coded(frame: ArrayPlace, n: int, y: Any, *, owner: str) -> tuple[Array, Any]:
    """Return the sorted classes, and class indices (n,) on the samples' device."""
    xp = frame.xp
    labels = y if namespace_of(y) is xp else as_numpy(y)
    if not (_are_whole(xp, labels) and tuple(labels.shape) == (n,)):
        classes, codes = check_labels(as_numpy(y), n, owner=owner)
        return classes, xp.asarray(codes, device=frame.device)
    labels = xp.asarray(labels, device=frame.device)
    distinct, codes = xp.unique_inverse(labels)
    # Each label is repeated: scikit-learn warns about as many classes as samples.
    distinct = np.repeat(to_numpy(distinct), 3)
    return check_labels(distinct, len(distinct), owner=owner)[0], codes


def _are_whole(xp: Any, labels: Any) -> bool:
    """Return whether labels are integers, which any device can sort."""
    if namespace_of(labels) is xp:
        return bool(xp.isdtype(labels.dtype, "signed integer"))
    return isinstance(labels, np.ndarray) and labels.dtype in (np.int64, np.int32)


class DeviceRows(Rows):
    """Samples, class indices and shares on a device."""

    on_device: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.frame = ArrayPlace.of(self.X)
        self.xp, self.device = self.frame.xp, self.frame.device

    @property
    def shape(self) -> tuple[int, int]:
        return tuple(self.X.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(str(self.X.dtype).rpartition(".")[2])

    @cached_property
    def ranges(self) -> tuple[Array, Array]:
        low, high = self.xp.min(self.X, axis=0), self.xp.max(self.X, axis=0)
        return to_numpy(low), to_numpy(high)

    @property
    def given_weights(self) -> Any:
        return to_numpy(self.shares) * self.weights

    @property
    def class_sizes(self) -> Ints:
        return counts_of(self.codes, len(self.labels))

    def chosen(self, which: Any) -> Self:
        """Return the rows of a slice, a mask or an index array (on any device)."""
        if isinstance(which, slice):
            X, codes, shares = self.X[which, :], self.codes[which], self.shares[which]
        else:
            if namespace_of(which) is None:
                which = np.flatnonzero(which) if which.dtype == bool else which
                which = self.xp.asarray(which, device=self.device)
            X = self.xp.take(self.X, which, axis=0)
            codes, shares = (
                self.xp.take(part, which) for part in (self.codes, self.shares)
            )
        return replace(self, X=X, codes=codes, shares=shares)

    def gathered(self) -> Rows:
        X, codes, shares = (to_numpy(A) for A in (self.X, self.codes, self.shares))
        return Rows(X, self.labels, codes, self.given_weights, shares, self.center)

    def every(self, most: int) -> Rows:
        some = self.thinned(most)
        return replace(some, shares=some.shares / self.xp.sum(some.shares))

    def sampled(self, most: int) -> Rows:
        return self.thinned(max(most, MOST_SAMPLED)).gathered()

    def of_class(self, c: int, ranks: Any) -> Rows:
        """Return samples of class c by ranks within the class, as NumPy arrays."""
        return self.chosen(self._members(c, ranks)).gathered()

    def _members(self, c: int, ranks: Any) -> Any:
        members = self.xp.nonzero(self.codes == c)[0]
        return self.xp.take(members, self.xp.asarray(ranks, device=self.device))

    # Sums over all samples; only the sums leave the device.

    def summed(self, function: Callable[[slice], Any], row_bytes: int) -> Any:
        """Return the sum of a function over blocks of rows, as a NumPy array."""
        total = None
        for rows in blocks_of(self.X, row_bytes):
            part = function(rows)
            total = part if total is None else total + part
        return to_numpy(total)

    def _about(self, center: Array) -> Callable[[slice], Any]:
        """Return a function that gives samples minus a center, as float64."""
        middle = self.frame.double.array(center)

        def centered(rows: slice) -> Any:
            return self.xp.astype(self.X[rows, :], self.xp.float64) - middle

        return centered

    def moments(self) -> tuple[Floats, Floats]:
        xp, N = self.xp, self.shape[1]
        totals, shares = self._weighted_sums(np.zeros(N), 1, self._own_shares)
        mean = totals[0] / shares[0]
        about = self._about(mean.astype(self.dtype))

        def block(rows: slice) -> Any:
            return contracted(xp, self.shares[None, rows], about(rows) ** 2)

        return mean, self.summed(block, 8 * N)[0]

    def _own_shares(self, rows: slice) -> Any:
        return self.shares[None, rows]

    def _weighted_sums(
        self, center: Array, k: int, weights: Callable[[slice], Any]
    ) -> tuple[Floats, Floats]:
        """Return k weighted sums of samples (k, N), and the sums of the weights."""
        xp, N, about = self.xp, self.shape[1], self._about(center)

        def block(rows: slice) -> Any:
            centered = about(rows)
            ones = xp.ones_like(centered[:, :1])
            return contracted(xp, weights(rows), xp.concat([centered, ones], axis=1))

        sums = self.summed(block, 8 * max(N + 1, k))
        return sums[:, :N], sums[:, N]

    def class_mean(self, c: int, ranks: Any = None) -> Any:
        if ranks is not None:
            some = self.chosen(self._members(c, ranks))
            totals, shares = some._weighted_sums(self.center, 1, some._own_shares)
        else:
            totals, shares = self._sums_of_classes(np.array([c]))
        return totals[0] / shares[0]

    def _sums_of_classes(self, classes: Array) -> tuple[Floats, Floats]:
        xp = self.xp
        index = xp.asarray(classes, device=self.device)[:, None]

        def by_class(rows: slice) -> Any:
            is_own = index == self.codes[None, rows]
            return xp.where(is_own, self.shares[None, rows], 0.0)

        return self._weighted_sums(self.center, len(classes), by_class)

    def scatters(self) -> tuple[Floats, Floats, Floats]:
        totals, shares = self._sums_of_classes(np.arange(len(self.labels)))
        means = totals / shares[:, None]
        between = (means.T * shares) @ means
        return means, shares, self._scatter(self.shares) - between

    def scatter(self) -> Any:
        return self._scatter(None)

    def _scatter(self, weights: Any) -> Any:
        about = self._about(self.center)

        def block(rows: slice) -> Any:
            centered = about(rows)
            left = centered if weights is None else centered * weights[rows, None]
            return contracted(self.xp, left.T, centered)

        return self.summed(block, 8 * self.shape[1])

    def among(self, points: Array, largest: Any = None) -> Bools:
        largest = self.largest if largest is None else largest
        close, W = closeness(self.dtype, largest).tolist(), self.frame.array(points)
        xp, found = self.xp, np.zeros(len(points), dtype=bool)
        for rows in blocks_of(self.X, 8 * len(points)):
            X = self.X[rows, :]
            # Pairs of a sample and a point that are equal in the features compared so
            # far.
            i, k = xp.nonzero(xp.abs(X[:, :1] - W[:, 0]) <= close[0])
            for j in range(1, len(close)):
                gaps = xp.take(X[:, j], i) - xp.take(W[:, j], k)
                left = xp.nonzero(xp.abs(gaps) <= close[j])[0]
                i, k = xp.take(i, left), xp.take(k, left)
            found[to_numpy(k)] = True
        return found
