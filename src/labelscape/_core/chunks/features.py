"""Features of chunked data: their number, names and kind, of which no row is read."""

from typing import Any

import numpy as np

from labelscape._core.checks import check_X
from labelscape._core.chunks.parts import tasks_of
from labelscape._core.chunks.recognition import is_array, is_frame


def check_columns(estimator: Any, X: Any, *, reset: bool) -> None:
    """Set or compare number and names of features, of which no value is read."""
    owner = type(estimator).__name__
    if not ((is_frame(X) or is_array(X)) and X.ndim == 2):
        tasks_of(X, owner=owner, name="X", n_dimensions=2)  # refuses it
    check_X(estimator, two_rows(X), reset=reset)


def two_rows(X: Any) -> Any:
    """Return two made-up objects with the features of chunked ones."""
    rows = np.outer([0.0, 1.0], np.ones(X.shape[1])).astype(dtype_of(X))
    if not is_frame(X):
        return rows
    import pandas as pd  # chunks of a data frame are pandas'

    return pd.DataFrame(rows, columns=list(X.columns))


def dtype_of(X: Any) -> str:
    """Return which floats objects become: as in `check_X`, single ones stay."""
    dtypes = list(X.dtypes) if is_frame(X) else [X.dtype]
    return "f4" if all(dtype == np.float32 for dtype in dtypes) else "f8"
