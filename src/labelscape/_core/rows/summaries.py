"""Summaries of chunks before a fit: errors, ranges and labels."""

from typing import Any, NamedTuple

import numpy as np

from labelscape._core.checks import (
    check_finite,
    check_ranges,
    column_name,
    missing_values,
    no_numbers,
    numbers_argument,
)
from labelscape._core.errors import InputError
from labelscape._core.labels import (
    check_labels,
    check_weights,
    exact_labels,
    missing_label,
    missing_labels,
)
from labelscape._core.rows.rows import no_value
from labelscape._core.types import Array, Floats, Ints


class ChunkSummary(NamedTuple):
    """Summary of one chunk: its samples, labels and features."""

    labels: Array  # the labels that occur
    sizes: Ints  # number of samples with each label
    counts: Ints  # number of these with a weight above 0
    weights: Floats  # the sum of their weights
    low: Array
    high: Array
    missing: Ints  # number of missing values of each feature
    first_missing: tuple[int, int] | None
    n_unlabeled: int
    first_unlabeled: int | None


class Wanted(NamedTuple):
    """Requirements on all chunks."""

    owner: str
    dtype: str
    names: tuple[str, ...] | None
    allow_nan: bool


def as_floats(X: Any, wanted: Wanted) -> Array:
    """Return the numbers of a chunk, in row-major order."""
    try:
        if hasattr(X, "to_numpy"):
            X = X.to_numpy(dtype=wanted.dtype, na_value=np.nan)
        return np.ascontiguousarray(X, dtype=wanted.dtype)
    except (TypeError, ValueError) as error:
        raise no_numbers(error, owner=wanted.owner, name="X") from error


def weights_of(weights: Any, n: int, owner: str) -> Floats:
    """Return the weights of a chunk, given as None, one number or an array."""
    if weights is None:
        return np.ones(n)
    if np.isscalar(weights):
        return np.full(n, float(weights))  # type: ignore[arg-type]
    return numbers_argument(owner, "sample_weight", weights)


def summarized(
    X: Any, y: Any, weights: Any, first_row: int, wanted: Wanted
) -> ChunkSummary | InputError | None:
    """Return the summary of a chunk, its error, or None if it is empty."""
    if not len(X):
        return None
    owner = wanted.owner
    try:
        X = as_floats(X, wanted)
        weights = weights_of(weights, len(X), owner)
        check_finite(X, wanted.names, owner=owner, allow_nan=True, first_row=first_row)
        check_weights(weights, owner=owner, first_row=first_row)
        if wanted.allow_nan and (empty := np.isnan(X).all(axis=1)).any():
            raise no_value(first_row + int(empty.argmax()))
    except InputError as error:
        return error
    labels = exact_labels(y)
    gaps, missing = missing_labels(labels), np.isnan(X)
    distinct, codes = np.unique(labels[~gaps], return_inverse=True)
    holes = np.argwhere(missing)[:1].tolist()
    there = X[weights > 0]
    return ChunkSummary(
        distinct,
        np.bincount(codes, minlength=len(distinct)),
        np.bincount(codes[weights[~gaps] > 0], minlength=len(distinct)),
        np.bincount(codes, weights[~gaps], len(distinct)).astype(np.float64),
        np.fmin.reduce(there, initial=np.inf),
        np.fmax.reduce(there, initial=-np.inf),
        missing.sum(axis=0),
        (first_row + holes[0][0], holes[0][1]) if holes else None,
        int(gaps.sum()),
        first_row + int(gaps.argmax()) if gaps.any() else None,
    )


def check_summaries(summaries: list[Any], wanted: Wanted) -> None:
    """Raise the first error of the first chunk that has one."""
    owner = wanted.owner
    if not summaries:
        raise InputError("X has no samples: all of its chunks are empty.", owner=owner)
    for one in summaries:
        if isinstance(one, InputError):
            raise one
    holes = [one.first_missing for one in summaries if one.first_missing is not None]
    if holes and not wanted.allow_nan:
        row, column = holes[0]
        count = int(sum(one.missing[column] for one in summaries))
        raise missing_values(column_name(column, wanted.names), count, row, owner=owner)
    gaps = [one.first_unlabeled for one in summaries if one.n_unlabeled]
    if gaps:
        count = sum(one.n_unlabeled for one in summaries)
        raise missing_label(count, gaps[0], owner=owner)
    low, high = ranges_of(summaries)
    check_ranges(high - low, owner=owner)


def ranges_of(summaries: list[ChunkSummary]) -> tuple[Array, Array]:
    """Return the lowest and the highest value of each feature."""
    low = np.fmin.reduce([one.low for one in summaries])
    return low, np.fmax.reduce([one.high for one in summaries])


def classes_of(summaries: list[ChunkSummary], owner: str) -> Array:
    """Return the sorted labels of all chunks, after the checks of `check_labels`."""
    kinds = {one.labels.dtype.kind in "biuf" for one in summaries}
    mixed = [one.labels.astype(object) for one in summaries]
    labels = np.concatenate(mixed if len(kinds) > 1 else [k.labels for k in summaries])
    # Each label is repeated: scikit-learn warns about as many classes as samples.
    return check_labels(np.repeat(labels, 3), 3 * len(labels), owner=owner)[0]


def by_class(summaries: list[ChunkSummary], classes: Array, column: str) -> Floats:
    """Return one attribute, such as a weight, per chunk and class (m, C)."""
    table = np.zeros((len(summaries), len(classes)))
    for i, one in enumerate(summaries):
        table[i, np.searchsorted(classes, one.labels)] = getattr(one, column)
    return table
