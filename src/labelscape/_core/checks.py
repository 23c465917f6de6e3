"""Checks of input data: numbers, X, dissimilarities and feature names.

scikit-learn is imported inside functions, because the app's server imports this file
and never needs scikit-learn.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from labelscape._core.errors import (
    InputError,
    InputTypeError,
    ParameterError,
    readable,
)
from labelscape._core.rows.kinds import in_memory
from labelscape._core.types import Array, Bools, Floats

# Sums of squares of larger numbers may overflow, for float64 and float32.
LARGEST_VALUE, LARGEST_SINGLE = 1e150, 1e16
# Squares of smaller differences lose digits or become 0, for float64 and float32.
SMALLEST_SPREAD, SMALLEST_SINGLE = 1e-150, 1e-19
# Libraries that can make a data frame from an array: the first installed one is used.
_FRAMES = ("pandas", "polars")
MOST_LISTED = 5  # number of names that an error or a warning lists


class ConstantFeatures(UserWarning):
    """Warning: some features have the same value for all samples."""


def check_X(
    estimator: Any,
    X: Any,
    *,
    reset: bool = True,
    accept_sparse: bool = False,
    allow_nan: bool = False,
    min_samples: int = 1,
) -> Array:
    """Return X as a checked array: float32 is kept, other types become float64."""
    from sklearn.utils.validation import validate_data

    X = unmasked(in_memory(X, owner=type(estimator).__name__))
    check_sparse(X, owner=type(estimator).__name__)
    with numbers_in(X, owner=type(estimator).__name__):
        checked = validate_data(
            estimator,
            X,
            reset=reset,
            accept_sparse="csr" if accept_sparse else False,
            dtype=[np.float64, np.float32],
            order="C",  # the last bits of a sum depend on the memory layout
            ensure_all_finite=False,
            ensure_min_samples=min_samples,
        )
    names = getattr(estimator, "feature_names_in_", None)
    check_finite(checked, names, owner=type(estimator).__name__, allow_nan=allow_nan)
    if reset and isinstance(checked, np.ndarray):
        check_spread(checked, owner=type(estimator).__name__)
    return checked  # type: ignore[no-any-return]


def check_sparse(X: Any, *, owner: str | None = None) -> None:
    """Raise a ValueError if a sparse matrix has indices outside of its shape.

    SciPy does not check them, and reads and writes memory outside of its arrays. Unlike
    its ``check_format``, this does not change the matrix.
    """
    from scipy.sparse import issparse

    form = X.format if issparse(X) and X.ndim == 2 else ""
    if form == "coo":
        fits = all(
            _all_below(size, at) for at, size in zip(X.coords, X.shape, strict=True)
        )
    elif form in ("csr", "csc", "bsr"):
        sides = np.array(X.shape[::-1] if form == "csc" else X.shape)
        n_lines, width = sides // (X.blocksize if form == "bsr" else 1)
        ends, n = np.asarray(X.indptr), min(len(X.indices), len(X.data))
        fits = (
            len(ends) == n_lines + 1
            and ends[0] == 0
            and bool((ends[1:] >= ends[:-1]).all())
            and ends[-1] <= n
            and _all_below(width, X.indices[: ends[-1]])
        )
    else:
        return
    if not fits:
        raise InputError(
            f"the sparse matrix of shape {X.shape} is damaged: its indices do not fit "
            "its shape. Build it again.",
            owner=owner,
        )


def _all_below(size: int, places: Any) -> bool:
    low, high = np.min(places, initial=0), np.max(places, initial=-1)
    return bool(low >= 0 and high < size)


def unmasked(values: Any) -> Any:
    """Return numbers with NaN in place of masked values."""
    if not (np.ma.is_masked(values) and values.dtype.kind in "biuf"):
        return values
    return values.astype(np.result_type(values, np.float32)).filled(np.nan)


@contextmanager
def numbers_in(X: Any, *, owner: str, name: str = "X") -> Iterator[None]:
    """Add the name of an argument to errors of its conversion to numbers."""
    from scipy.sparse import issparse

    try:
        yield
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError) or issparse(X) or _are_numbers(X):
            raise
        if words := columns_of_words(X):
            raise _no_numbers_there(words, owner=owner, name=name) from error
        raise no_numbers(error, owner=owner, name=name) from error


def _no_numbers_there(words: list[str], *, owner: str, name: str) -> InputError:
    """Return the error for a data frame with columns that are not numeric."""
    what = "column {} of {} is" if len(words) == 1 else "columns {} of {} are"
    which = words if len(words) <= MOST_LISTED else "[...]"
    return InputError(
        f"{what.format(listed(words), name)} not numeric. Encode such columns first, "
        "in a pipeline that begins with make_column_transformer((OneHotEncoder("
        f"sparse_output=False), {which}), remainder='passthrough'), or read the table "
        "with labelscape.datasets.read_table.",
        owner=owner,
        parameter=name,
    )


def _are_numbers(X: Any) -> bool:
    try:
        np.asarray(X, dtype=np.complex128)
    except (TypeError, ValueError):
        return False
    return np.ndim(X) > 0


def no_numbers(error: Exception, *, owner: str, name: str) -> InputError:
    """Return the error for data that cannot be converted to numbers."""
    kind = InputTypeError if isinstance(error, TypeError) else InputError
    return kind(
        f"{name} must be an array of numbers, with rows of equal length: "
        f"{str(error).rstrip('.')}.",
        owner=owner,
        parameter=name,
    )


def numbers_argument(owner: str, name: str, value: Any) -> Floats:
    """Return an argument as a float64 array, with any number of dimensions."""
    array = array_argument(owner, name, value)
    if array.dtype.kind in "cmMV":
        raise InputError(
            f"{name} must contain numbers, got values of type {array.dtype}.",
            owner=owner,
            parameter=name,
        )
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise no_numbers(error, owner=owner, name=name) from error


def array_argument(owner: str, name: str, value: Any) -> Array:
    """Return an argument as an array with at least one dimension."""
    from scipy.sparse import issparse

    if issparse(value):
        raise InputError(
            f"{name} is sparse. Pass {name}.toarray().", owner=owner, parameter=name
        )
    if isinstance(value, str | bytes | Mapping | set) or value is None:
        raise ParameterError(owner, name, value, "an array")
    try:
        array = np.asarray(unmasked(value))
    except (TypeError, ValueError) as error:
        raise no_numbers(error, owner=owner, name=name) from error
    if array.ndim == 0:
        raise ParameterError(owner, name, value, "an array")
    return array


def matrix_argument(
    owner: str,
    name: str,
    value: Any,
    *,
    n_rows: int | None = None,
    n_columns: int | None = None,
    finite: bool = True,
) -> Floats:
    """Return an argument as a table of numbers of the required size."""
    array = numbers_argument(owner, name, value)
    fits = array.ndim == 2 and all(
        size == want or (want is None and size)
        for size, want in zip(array.shape, (n_rows, n_columns), strict=True)
    )
    if not fits:
        words = _counted(n_rows, "row"), _counted(n_columns, "column")
        sizes = " and ".join(word for word in words if word)
        noun = f"a table of numbers{' with ' if sizes else ''}{sizes}"
        raise ParameterError(owner, name, array, noun)
    if finite:
        check_finite(array, owner=owner, name=name)
    return array


def vector_argument(
    owner: str, name: str, value: Any, *, size: int | None = None
) -> Floats:
    """Return an argument as a vector of finite numbers of the required size."""
    array = numbers_argument(owner, name, value)
    if array.ndim != 1 or (size is not None and len(array) != size):
        many = "numbers in one row" if size is None else _counted(size, "number")
        raise ParameterError(owner, name, array, many)
    check_finite(array[None, :], owner=owner, name=name)
    return array


def mask_argument(
    owner: str, name: str, value: Any, *, size: int | None = None
) -> Bools:
    """Return an argument as a boolean array, one value per sample; accepts 0 and 1."""
    array = array_argument(owner, name, value)
    fits = array.ndim == 1 and size in (None, len(array)) and len(array) > 0
    if not (fits and array.dtype.kind in "biuf" and np.isin(array, (0, 1)).all()):
        each = "each sample" if size is None else f"each of the {size} samples"
        raise ParameterError(owner, name, value, f"True or False for {each}")
    return array.astype(bool)


def _counted(n: int | None, noun: str) -> str:
    return "" if n is None else f"{n} {noun}{'s' * (n != 1)}"


def check_finite(
    X: Any,
    feature_names: Sequence[str] | None = None,
    *,
    owner: str,
    name: str = "X",
    allow_nan: bool = False,
    first_row: int = 0,
) -> None:
    """Raise a ValueError that locates the first NaN or infinite value of X."""
    values = X.data if hasattr(X, "tocoo") else np.asarray(X)
    largest = LARGEST_SINGLE if values.dtype == np.float32 else LARGEST_VALUE
    with np.errstate(over="ignore", invalid="ignore"):
        # If minimum and maximum are finite, all values are. This needs no large array.
        low, high = values.min(initial=0), values.max(initial=0)
        if low >= -largest and high <= largest:
            return
    dense = X.toarray() if hasattr(X, "tocoo") else np.asarray(X)

    missing = np.isnan(dense)
    if missing.any() and not allow_nan:
        row, column = np.argwhere(missing)[0]
        count = int(missing[:, column].sum())
        called = column_name(column, feature_names)
        raise missing_values(called, count, row, owner=owner, name=name)
    infinite = np.isinf(dense)
    if infinite.any():
        row, column = np.argwhere(infinite)[0]
        raise InputError(
            f"input {name} contains infinity: {column_name(column, feature_names)} is "
            f"{dense[row, column]} in row {first_row + row}. Replace this value.",
            owner=owner,
        )
    size = np.where(missing, 0.0, np.abs(dense))
    if size.max(initial=0) > largest:
        row, column = np.argwhere(size > largest)[0]
        raise InputError(
            f"{column_name(column, feature_names)} of {name} is "
            f"{dense[row, column]:.3g} in row {first_row + row}, which is too large "
            f"to compute distances. Rescale the features to values below {largest:g}.",
            owner=owner,
        )


def missing_values(
    column: str, count: int, row: int, *, owner: str, name: str = "X"
) -> InputError:
    """Return the error for missing values in a column; the first is in row ``row``."""
    return InputError(
        f"input {name} contains NaN: {column} has {count} missing value"
        f"{'s' * (count > 1)}, the first in row {row}. Drop rows, or impute values.",
        owner=owner,
    )


def check_dissimilarities(
    D: ArrayLike, *, owner: str, symmetric: bool = True
) -> Floats:
    """Check that a dissimilarity matrix is square, finite, nonnegative, symmetric."""
    from scipy.sparse import issparse

    if issparse(D):
        raise InputError(
            "the matrix of dissimilarities is sparse. Pass D.toarray().", owner=owner
        )
    with numbers_in(D, owner=owner, name="the matrix of dissimilarities"):
        if np.iscomplexobj(D):
            raise InputError(
                "dissimilarities must be real, got complex numbers.", owner=owner
            )
        matrix = np.asarray(unmasked(D), dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(
            "metric='precomputed' needs a square matrix of dissimilarities, "
            f"got an array of shape {matrix.shape}. Pass an n × n matrix, or use "
            "metric='euclidean' for a table of features.",
            owner=owner,
        )
    check_finite(matrix, owner=owner, name="the dissimilarity matrix")
    tolerance = 1e-10 * np.abs(matrix).max(initial=0.0)
    if (negative := matrix < 0).any():
        i, j = np.argwhere(negative)[0]
        raise InputError(
            f"dissimilarities must not be negative, got {matrix[i, j]:.4g} "
            f"between samples {i} and {j}.",
            owner=owner,
        )
    diagonal = np.diagonal(matrix)
    if diagonal.max(initial=0.0) > tolerance:
        i = int(np.argmax(diagonal))
        raise InputError(
            "the dissimilarity of a sample to itself must be 0, got "
            f"{diagonal[i]:.4g} for sample {i}. Is this a similarity matrix?",
            owner=owner,
        )
    if symmetric and (uneven := np.abs(matrix - matrix.T) > tolerance).any():
        i, j = np.argwhere(uneven)[0]
        raise InputError(
            f"dissimilarities must be symmetric, got {matrix[i, j]:.4g} from "
            f"sample {i} to {j} but {matrix[j, i]:.4g} from {j} to {i}. To use the "
            "mean of both directions, pass (D + D.T) / 2.",
            owner=owner,
        )
    return matrix


def check_spread(X: Array, *, owner: str, name: str = "X") -> None:
    """Raise a ValueError if samples differ, but too little to compute distances."""
    for rows in (X[:1000], X):  # usually the first rows differ enough
        # Unlike max and min, fmax and fmin ignore NaN.
        ranges = np.fmax.reduce(rows) - np.fmin.reduce(rows)
        if not _is_too_little(ranges):
            return
    check_ranges(ranges, owner=owner, name=name)


def _is_too_little(ranges: Array) -> bool:
    smallest = SMALLEST_SINGLE if ranges.dtype == np.float32 else SMALLEST_SPREAD
    return not float(np.fmax.reduce(ranges)) >= smallest


def check_ranges(ranges: Array, *, owner: str, name: str = "X") -> None:
    """Raise a ValueError if features have ranges too small to compute distances."""
    spread = float(np.fmax.reduce(ranges))
    if spread > 0.0 and _is_too_little(ranges):
        raise InputError(
            f"the samples of {name} differ by at most {spread:.3g}, which is too "
            "small to compute distances. Rescale the features to values near 1.",
            owner=owner,
        )


def check_intact(is_intact: bool, attributes: str) -> None:
    """Raise an InputError unless the shapes of fitted arrays match (``is_intact``)."""
    if not is_intact:
        raise InputError(
            f"{attributes} are inconsistent: the model was changed after fitting. "
            "Fit it again."
        )


def column_name(column: int, names: Sequence[str] | None) -> str:
    """Return the name or number of a column, as error messages show it."""
    return f"column {column}" if names is None else f"column {str(names[column])!r}"


def named_as(fitted: Any, X: Array) -> Any:
    """Return a copy of X with the column names used in the fit, if there were any."""
    import narwhals as nw

    names = getattr(fitted, "feature_names_in_", None)
    backend: Any = next((name for name in _FRAMES if find_spec(name)), None)
    if names is None or len(names) != X.shape[1] or backend is None:
        return X.copy()
    # A copy, because a model may change X in place, as `StandardScaler(copy=False)`
    # does.
    named = nw.from_numpy(X.copy(), [str(name) for name in names], backend=backend)
    return named.to_native()


def columns_of_words(X: Any) -> list[str]:
    """Return the names of a data frame's columns that are not numeric or boolean."""
    import narwhals as nw

    try:
        frame = nw.from_native(X, eager_only=True, pass_through=True)
    except nw.exceptions.DuplicateError:  # it is unclear which column is meant
        return []
    if not isinstance(frame, nw.DataFrame):
        return []
    return [
        name
        for name, dtype in frame.schema.items()
        if not (dtype.is_numeric() or dtype == nw.Boolean)
    ]


def check_same_columns(estimator: Any, fitted: Any, *, called: str) -> None:
    """Raise a ValueError if the column names of X differ from those used in the fit."""
    ours = getattr(estimator, "feature_names_in_", None)
    theirs = getattr(fitted, "feature_names_in_", None)
    if ours is None or theirs is None or list(ours) == list(theirs):
        return
    missing = [name for name in theirs if name not in set(ours)]
    unknown = [name for name in ours if name not in set(theirs)]
    if missing or unknown:
        parts = [f"X lacks {listed(missing)}"] if missing else []
        parts += [f"the fit did not use {listed(unknown)}"] if unknown else []
        reason, remedy = (
            " and ".join(parts),
            f"Pass X with the columns in feature_names_in_ of {called}",
        )
    else:
        k = next(k for k in range(len(ours)) if ours[k] != theirs[k])
        reason = (
            f"column {k} is {str(ours[k])!r}, but it was {str(theirs[k])!r} in the fit"
        )
        remedy = f"Reorder the columns of X as in feature_names_in_ of {called}"
    raise InputError(
        f"the columns of X are not those that {called} was "
        f"fitted to: {reason}. {remedy}.",
        owner=type(estimator).__name__,
    )


def nothing_differs(consequence: str, *, owner: str | None = None) -> InputError:
    """Return the error for data in which every feature is constant."""
    return InputError(
        f"every feature is constant: no two rows differ, so {consequence}. Check that "
        "you passed the right columns.",
        owner=owner,
        parameter="X",
    )


def constant_words(constant: Bools, names: Sequence[Any] | None) -> str:
    """Return the number and names of constant features, as text for a message."""
    which = np.flatnonzero(constant).tolist()
    listed = [str(j if names is None else names[j]) for j in which[:MOST_LISTED]]
    if len(which) > MOST_LISTED:
        listed.append("...")
    verb = "features are" if len(which) > 1 else "feature is"
    return readable(f"{len(which)} {verb} constant ({', '.join(listed)})")


def listed(names: Iterable[Any]) -> str:
    """Return the first names in quotes, and the number of remaining names."""
    texts = [repr(str(name)) for name in names]
    more = len(texts) - MOST_LISTED
    return ", ".join(texts[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
