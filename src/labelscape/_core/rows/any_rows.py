"""Labeled samples for a fit, and results of blocks of rows, for all types of X."""

from collections.abc import Callable
from typing import Any

import numpy as np

from labelscape._core.checks import check_X
from labelscape._core.labels import check_labels, check_sample_weight
from labelscape._core.rows.dask import dask_rows
from labelscape._core.rows.device import blocks_of, device_rows
from labelscape._core.rows.kinds import is_chunked, namespace_of
from labelscape._core.rows.rows import ClassFactors, Rows, check_classes_left
from labelscape._core.threads import map_blocks, row_blocks


def rows_of(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    class_factors: ClassFactors | None = None,
    allow_nan: bool = False,
    accept_sparse: bool = False,
    min_samples: int = 1,
) -> Rows:
    """Check labeled samples of any type; return those with a weight above 0."""
    if is_chunked(X):
        return dask_rows(estimator, X, y, sample_weight, class_factors, allow_nan)
    if namespace_of(X) is not None:
        return device_rows(estimator, X, y, sample_weight, class_factors)
    owner = type(estimator).__name__
    X = check_X(
        estimator,
        X,
        allow_nan=allow_nan,
        accept_sparse=accept_sparse,
        min_samples=min_samples,
    )
    n = X.shape[0]
    labels, codes = check_labels(y, n, owner=owner)
    weights = check_sample_weight(sample_weight, n, owner=owner)
    if class_factors is not None:
        weights = weights * class_factors(labels, np.bincount(codes))[codes]
    if not (present := weights > 0).all():
        X, codes, weights = X[present], codes[present], weights[present]
        check_classes_left(labels, np.bincount(codes, minlength=len(labels)), owner)
    return Rows(X, labels, codes, weights, owner=owner, allow_nan=allow_nan)


def blockwise(X: Any, row_bytes: int, function: Callable[[Any], Any]) -> Any:
    """Return a function that joins the results of ``function`` for blocks of rows."""
    if namespace_of(X) is not None:
        blocks = blocks_of(X, row_bytes)
        return namespace_of(X).concat([function(X[rows, :]) for rows in blocks])

    def block(rows: slice) -> Any:
        part = X[rows]
        return function(part.toarray() if hasattr(part, "tocsr") else part)

    return np.concatenate(map_blocks(block, row_blocks(X.shape[0], row_bytes, 2**21)))
