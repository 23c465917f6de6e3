"""Tables as numbers: what was given as X, in a form that a scene can hold."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[Any]

# A sparse matrix with more values than this, zeros included, is not made dense.
MOST_DENSE = 50_000_000


def numbers(X: Any) -> Matrix | None:
    """Return a table as floats (n, d), or None if a column holds something else.

    Examples
    --------
    >>> numbers([[1, 2], [3, 4]]).dtype, numbers([["a", "b"]])
    (dtype('float64'), None)
    """
    if hasattr(X, "tocsr"):
        return _dense(X)
    array = np.asarray(X)
    if array.ndim != 2 or array.dtype.kind in "USmM":
        return None
    if array.dtype.kind == "f" and array.dtype.itemsize >= 4:
        return array
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        return None


def first_text(X: Any) -> str:
    """Return the name of the first column that is no number, for a message."""
    columns = getattr(X, "columns", None)
    for j in range(np.shape(X)[1]):
        column = X[columns[j]] if columns is not None else np.asarray(X)[:, j]
        if numbers(np.asarray(column)[:, None]) is None:
            return repr(str(columns[j])) if columns is not None else str(j)
    return "0"


def _dense(X: Any) -> Matrix:
    n, d = X.shape
    if n * d > MOST_DENSE:
        raise ValueError(
            f"build_scene: the sparse X has shape {(n, d)}, {8e-9 * n * d:.1f} GB when "
            "made dense. Keep fewer features, for example with TruncatedSVD."
        )
    dense: Matrix = X.toarray()
    return dense.astype(np.float64, copy=False)
