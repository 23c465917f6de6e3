"""Objects of estimators that may be arrays of other libraries: checked in one way."""

from typing import Any

import numpy as np

from labelscape._core.checks import (
    LARGEST_SINGLE,
    LARGEST_VALUE,
    check_finite,
    check_ranges,
    check_X,
)
from labelscape._core.errors import InputError
from labelscape._core.points.arrays import (
    device_of,
    floats_like,
    namespace_of,
    to_numpy,
)


def check_objects(
    estimator: Any, X: Any, *, reset: bool = True, min_samples: int = 1
) -> Any:
    """Check objects as `check_X` does; a tensor stays where it is.

    float32 stays float32, all other numbers become float64.
    """
    xp = namespace_of(X)
    if xp is None:
        return check_X(estimator, X, reset=reset, min_samples=min_samples)
    from sklearn.utils.validation import validate_data

    owner = type(estimator).__name__
    if X.ndim != 2:
        raise InputError(
            f"Expected 2D array, got shape {tuple(X.shape)} instead. X must be a table "
            "with a row for each object.",
            owner=owner,
            parameter="X",
        )
    if X.shape[0] < min_samples or not X.shape[1]:
        raise InputError(
            f"Found array with {X.shape[0]} sample(s) and {X.shape[1]} feature(s), "
            f"while a minimum of {max(min_samples, 1)} is required.",
            owner=owner,
            parameter="X",
        )
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    X = X.detach() if hasattr(X, "detach") else X  # slopes are not followed
    A = floats_like(xp, X, device=device_of(X), owner=owner, name="X")
    if A.dtype not in (xp.float32, xp.float64):
        A = xp.astype(A, xp.float64)
    largest = LARGEST_SINGLE if A.dtype == xp.float32 else LARGEST_VALUE
    if A.shape[0] and bool(xp.max(xp.abs(A)) > largest):
        check_finite(to_numpy(A), owner=owner)  # says where
    if reset:
        check_ranges(to_numpy(xp.max(A, axis=0) - xp.min(A, axis=0)), owner=owner)
    return A


def same_table(A: Any, B: Any) -> bool:
    """Return whether two tables of one library and device hold equal numbers."""
    xp = namespace_of(A)
    if xp is None:
        return np.array_equal(A, B)
    return A.shape == B.shape and bool(xp.all(A == B))
