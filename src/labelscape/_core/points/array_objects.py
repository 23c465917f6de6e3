"""Objects in an array of another library: asked for in blocks, added up where they are.

What is added up over all objects is added up in double precision, and in slices: one
long sum in single precision would lose its last digits, and a device works on slices at
the same time.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import (
    LARGEST_SINGLE,
    LARGEST_VALUE,
    check_finite,
    check_ranges,
    check_X,
)
from labelscape._core.errors import InputError
from labelscape._core.points.arrays import (
    Frame,
    device_of,
    floats_like,
    namespace_of,
    to_numpy,
)
from labelscape._core.threads import row_blocks

# Bytes of one table of a block; half a dozen are alive at a time. On processors a block
# should stay in the cache, on others it should be worth the call.
DEVICE_BYTES, PROCESSOR_BYTES = 2**29, 2**22
# Objects that are added up at once.
SLICE = 1024


class ArrayObjects:
    """Objects (n, N) in an array of floats, which stays on its device."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.frame = Frame.of(namespace_of(array), array)
        self.xp, self.device, _ = self.frame
        self.shape: tuple[int, int] = tuple(array.shape)
        self.dtype = np.dtype(str(array.dtype).rpartition(".")[2])

    def __len__(self) -> int:
        return self.shape[0]

    @cached_property
    def low(self) -> NDArray[Any]:
        """The lowest value of each feature."""
        return to_numpy(self.xp.min(self.array, axis=0))

    @cached_property
    def high(self) -> NDArray[Any]:
        """The highest value of each feature."""
        return to_numpy(self.xp.max(self.array, axis=0))

    def chosen(self, rows: Any) -> "ArrayObjects":
        """Return some of the objects: a slice, or indices on the device."""
        if isinstance(rows, slice):
            return ArrayObjects(self.array[rows, :])
        return ArrayObjects(self.xp.take(self.array, rows, axis=0))

    def added(self, function: Callable[[slice], Any], row_bytes: int) -> Any:
        """Return the sum of a function over blocks of rows, as NumPy's array.

        Only this sum leaves the device. ``row_bytes`` is the size of the largest table
        for one object.
        """
        total = None
        for rows in self.blocks(row_bytes):
            part = function(rows)
            total = part if total is None else total + part
        return to_numpy(total)

    def blocks(self, row_bytes: int) -> list[slice]:
        """Return slices of rows of which the device has room for some tables."""
        return blocks_of(self.array, row_bytes)

    def about(self, center: NDArray[Any]) -> Callable[[slice], Any]:
        """Return a function from rows to objects about a centre, as float64."""
        middle = self.frame.double.array(center)

        def centered(rows: slice) -> Any:
            return self.xp.astype(self.array[rows, :], self.xp.float64) - middle

        return centered

    def scatter(self, center: NDArray[Any], weights: Any = None) -> NDArray[np.float64]:
        """Return the weighted sum of ``(x - center) (x - center)^T`` over all."""
        about = self.about(center)

        def block(rows: slice) -> Any:
            centered = about(rows)
            left = centered if weights is None else centered * weights[rows, None]
            return contracted(self.xp, left.T, centered)

        found: NDArray[np.float64] = self.added(block, 8 * self.shape[1])
        return found

    def nearest_to(self, points: NDArray[Any]) -> NDArray[Any]:
        """Return for each point (k, N) an object that is nearest to it, as NumPy's.

        By the largest difference in a feature, of which the range is the unit: where a
        point is an object up to rounding, this finds one that shows it.
        """
        xp = self.xp
        size = np.maximum(np.abs(self.low), np.abs(self.high))
        units = self.frame.array(np.where(size > 0, size, 1))
        points = self.frame.array(points)
        found = []
        for k in range(points.shape[0]):
            gaps = xp.concat(
                [
                    xp.max(xp.abs(self.array[rows, :] - points[k, :]) / units, axis=1)
                    for rows in self.blocks(self.shape[1] * self.dtype.itemsize)
                ]
            )
            found.append(xp.argmin(gaps))
        return to_numpy(xp.take(self.array, xp.stack(found), axis=0))


def array_of(X: Any) -> Any:
    """Return the array of such objects; others as they are."""
    return X.array if isinstance(X, ArrayObjects) else X


def blocks_of(array: Any, row_bytes: int) -> list[slice]:
    """Return slices of rows of which the array's device has room for some tables."""
    budget = table_bytes(device_of(array))
    return row_blocks(int(array.shape[0]), row_bytes, budget)


def table_bytes(device: Any) -> int:
    """Return how large a table of a block should be on a device."""
    is_processor = "cpu" in str(device).lower()
    return PROCESSOR_BYTES if is_processor else DEVICE_BYTES


def joined_blocks(array: Any, row_bytes: int, function: Callable[[Any], Any]) -> Any:
    """Return a function of block after block of rows, joined on the device."""
    blocks = blocks_of(array, row_bytes)
    return namespace_of(array).concat([function(array[rows, :]) for rows in blocks])


def contracted(xp: Any, A: Any, B: Any) -> Any:
    """Return A (p, n) @ B (n, q) for many n, in double precision between slices."""
    (p, n), q = A.shape, B.shape[1]
    count = n // SLICE
    whole = count * SLICE
    total = xp.astype(A[:, whole:] @ B[whole:, :], xp.float64)
    if not count:
        return total
    A = xp.permute_dims(xp.reshape(A[:, :whole], (p, count, SLICE)), (1, 0, 2))
    parts = A @ xp.reshape(B[:whole, :], (count, SLICE, q))
    return total + xp.sum(parts, axis=0, dtype=xp.float64)


def checked_objects(
    estimator: Any, X: Any, *, reset: bool, min_samples: int = 1
) -> ArrayObjects:
    """Check an array of another library as `check_X` does those of NumPy.

    float32 stays float32, all other numbers become float64; they stay where they are.
    """
    from sklearn.utils.validation import validate_data

    owner, xp = type(estimator).__name__, namespace_of(X)
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
    objects = ArrayObjects(A)
    largest = LARGEST_SINGLE if objects.dtype == np.float32 else LARGEST_VALUE
    if max(-objects.low.min(), objects.high.max()) > largest:
        check_finite(to_numpy(A), owner=owner)  # says where
    if reset:
        check_ranges(objects.high - objects.low, owner=owner)
    return objects


def check_objects(
    estimator: Any, X: Any, *, reset: bool = True, min_samples: int = 1
) -> Any:
    """Check objects as `check_X` does; those of other libraries stay where they are."""
    check = check_X if namespace_of(X) is None else checked_objects
    return array_of(check(estimator, X, reset=reset, min_samples=min_samples))


def same_table(A: Any, B: Any) -> bool:
    """Return whether two tables of one library and device hold equal numbers."""
    xp = namespace_of(A)
    if xp is None:
        return np.array_equal(A, B)
    return tuple(A.shape) == tuple(B.shape) and bool(xp.all(A == B))
