"""Checks of data: X, labels, weights, dissimilarities.

Scikit-learn is imported when something is checked: the app's server imports this file,
and computes nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelscape._core.chunks.recognition import in_memory
from labelscape._core.errors import InputError, InputTypeError, ParameterError, shown
from labelscape._core.features import MOST_LISTED, columns_of_words, listed

# Squares of larger numbers, summed over the features, may overflow: as float64, and as
# float32.
LARGEST_VALUE, LARGEST_SINGLE = 1e150, 1e16
# Sums of products with heavier objects overflow.
LARGEST_WEIGHT = 1e100
# Squares of smaller differences lose digits, and soon are 0: likewise.
SMALLEST_SPREAD, SMALLEST_SINGLE = 1e-150, 1e-19


def check_X(
    estimator: Any,
    X: Any,
    *,
    reset: bool = True,
    accept_sparse: bool = False,
    allow_nan: bool = False,
    min_samples: int = 1,
) -> NDArray[Any]:
    """Check the data given to an estimator and return them as a float matrix.

    float32 stays float32, all other numbers become float64. ``n_features_in_`` and
    ``feature_names_in_`` are set (``reset=True``) or compared. Rows lie one after the
    other, as a data frame's don't: sums are added up in the order of the memory, and a
    last bit that differs may end in another map.
    """
    from sklearn.utils.validation import validate_data

    X = unmasked(in_memory(X, owner=type(estimator).__name__))
    with numbers_in(X, owner=type(estimator).__name__):
        checked = validate_data(
            estimator,
            X,
            reset=reset,
            accept_sparse="csr" if accept_sparse else False,
            dtype=[np.float64, np.float32],
            order="C",
            ensure_all_finite=False,
            ensure_min_samples=min_samples,
        )
    names = getattr(estimator, "feature_names_in_", None)
    check_finite(checked, names, owner=type(estimator).__name__, allow_nan=allow_nan)
    if reset and isinstance(checked, np.ndarray):
        check_spread(checked, owner=type(estimator).__name__)
    return checked  # type: ignore[no-any-return]


def unmasked(values: Any) -> Any:
    """Return numbers whose masked ones, if there are any, are NaN.

    NumPy and scikit-learn would take what stands behind the mask.
    """
    if not (np.ma.is_masked(values) and values.dtype.kind in "biuf"):
        return values
    return values.astype(np.result_type(values, np.float32)).filled(np.nan)


@contextmanager
def numbers_in(X: Any, *, owner: str, name: str = "X") -> Iterator[None]:
    """Say whose argument it is where NumPy finds something else than numbers in it.

    What scikit-learn says of numbers (their shape, how many there are) stays as it is.
    """
    from scipy.sparse import issparse

    try:
        yield
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError) or issparse(X) or _are_numbers(X):
            raise
        words = columns_of_words(X)
        if words:
            raise _no_numbers_there(words, owner=owner, name=name) from error
        raise no_numbers(error, owner=owner, name=name) from error


def _no_numbers_there(words: list[str], *, owner: str, name: str) -> InputError:
    """Return the error for a data frame with columns of words."""
    hold = "column {} of {} holds" if len(words) == 1 else "columns {} of {} hold"
    which = words if len(words) <= MOST_LISTED else "[...]"
    return InputError(
        f"{hold.format(listed(words), name)} no numbers. Encode such columns first, in "
        "a pipeline that begins with make_column_transformer((OneHotEncoder("
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
    """Return the error for data that hold something else than numbers.

    Its kind is that of NumPy's, which tells a wrong type from a wrong value.
    """
    kind = InputTypeError if isinstance(error, TypeError) else InputError
    return kind(
        f"{name} must be an array of numbers, with rows of one length, and is not: "
        f"{str(error).rstrip('.')}.",
        owner=owner,
        parameter=name,
    )


def numbers_argument(owner: str, name: str, value: Any) -> NDArray[np.float64]:
    """Return what was given as an array of float64, however many dimensions it has."""
    array = array_argument(owner, name, value)
    if array.dtype.kind in "cmMV":
        raise InputError(
            f"{name} must hold numbers, got values of type {array.dtype}.",
            owner=owner,
            parameter=name,
        )
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise no_numbers(error, owner=owner, name=name) from error


def array_argument(owner: str, name: str, value: Any) -> NDArray[Any]:
    """Return what was given as an array with one dimension at least."""
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


def check_finite(
    X: Any,
    feature_names: Sequence[str] | None = None,
    *,
    owner: str,
    name: str = "X",
    allow_nan: bool = False,
    first_row: int = 0,
) -> None:
    """Raise a ValueError that says where the first unusable number of X stands.

    ``first_row`` is that of a chunk, of which X is the rows.
    """
    values = X.data if hasattr(X, "tocoo") else np.asarray(X)
    largest = LARGEST_SINGLE if values.dtype == np.float32 else LARGEST_VALUE
    with np.errstate(over="ignore", invalid="ignore"):
        # No temporary array in the usual case: NaN and infinities show in the extremes.
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
            f"input {name} contains infinity: "
            f"{column_name(column, feature_names)} is {dense[row, column]} in row "
            f"{first_row + row}. Replace or drop it first.",
            owner=owner,
        )
    size = np.where(missing, 0.0, np.abs(dense))
    if size.max(initial=0) > largest:
        row, column = np.argwhere(size > largest)[0]
        raise InputError(
            f"{column_name(column, feature_names)} of {name} is "
            f"{dense[row, column]:.3g} in row {first_row + row}, and its square is too "
            f"large for a distance. Rescale the features to values below {largest:g}.",
            owner=owner,
        )


def missing_values(
    column: str, count: int, row: int, *, owner: str, name: str = "X"
) -> InputError:
    """Return the error for a column that lacks values, the first of them in a row."""
    return InputError(
        f"input {name} contains NaN: {column} "
        f"holds {count} missing value{'s' * (count > 1)}, the first in row {row}. "
        "Drop or impute them first.",
        owner=owner,
    )


def check_labels(
    y: ArrayLike, n_samples: int, *, owner: str
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Check class labels; return the sorted classes and each object's class index."""
    from sklearn.utils.multiclass import (
        check_classification_targets,
        type_of_target,
    )

    if y is None:
        raise ValueError(
            f"{owner} requires y to be passed, but the target y is None. "
            "Give one class label per object."
        )
    labels = _in_one_column(y, owner=owner)
    if len(labels) != n_samples:
        raise InputError(
            f"X has {n_samples} objects but y has {len(labels)} labels. "
            "Give one label per object.",
            owner=owner,
        )
    labels = checked_labels(labels, owner=owner)
    with np.errstate(invalid="ignore"):  # no whole number is as large as some labels
        kind = type_of_target(labels)
    if kind == "continuous":
        raise InputError(
            "Unknown label type: y holds continuous numbers, not classes. "
            "Bin them first if you want classes.",
            owner=owner,
        )
    with np.errstate(invalid="ignore"):
        check_classification_targets(labels)
    classes, indices = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise InputError(
            "y must hold at least two classes, got "
            + (f"1 class: {classes.tolist()[0]!r}" if len(classes) else "none")
            + ". With fewer there is nothing to separate.",
            owner=owner,
        )
    return classes, indices


def _in_one_column(y: ArrayLike, *, owner: str) -> NDArray[Any]:
    from sklearn.utils.validation import column_or_1d

    try:
        column: NDArray[Any] = column_or_1d(exact_labels(y), warn=True)
    except (TypeError, ValueError):
        label_array(y, owner=owner)
        raise
    return column


def label_array(y: Any, *, owner: str) -> NDArray[Any]:
    """Return labels as an array, or say that they are lists of several lengths."""
    try:
        return exact_labels(y)
    except ValueError as error:
        raise InputError(
            f"y must hold one label per object, and does not: {error}",
            owner=owner,
            parameter="y",
        ) from error


def checked_labels(
    labels: NDArray[Any], *, owner: str, name: str = "y"
) -> NDArray[Any]:
    """Return labels of which none is missing, and which can be sorted."""
    unlabelled = np.flatnonzero(missing_labels(labels))
    if len(unlabelled):
        raise missing_label(len(unlabelled), unlabelled[0], owner=owner, name=name)
    if labels.dtype.kind == "f" and np.isinf(labels).any():
        raise InputError(
            f"{name} contains infinity, first in row {np.isinf(labels).argmax()}. "
            "Give one class label per object.",
            owner=owner,
        )
    _check_one_kind(labels, owner=owner, name=name)
    return labels


def missing_label(count: int, row: int, *, owner: str, name: str = "y") -> InputError:
    """Return the error for labels of which some are missing, the first in a row."""
    return InputError(
        f"{name} contains NaN or None, {count} in all, the first in "
        f"row {row}. Label these objects or leave them out.",
        owner=owner,
    )


def exact_labels(y: ArrayLike) -> NDArray[Any]:
    """Return labels as an array, with all digits of whole numbers.

    NumPy and scikit-learn make floats of whole numbers that they find beside larger or
    missing ones, and of those that pandas calls Int64: ids of 17 digits become equal.
    """
    dtype = getattr(y, "dtype", None)
    if hasattr(dtype, "na_value") and getattr(dtype, "kind", "") in ("i", "u"):
        y = y.to_numpy(dtype=object)  # type: ignore[union-attr]
    elif isinstance(y, list | tuple) and _loses_by_array(y):
        y = np.fromiter(y, dtype=object, count=len(y))
    labels = np.asarray(y)
    if np.ma.is_masked(y):
        labels = labels.astype(object)
        labels[np.ma.getmaskarray(y)] = None  # type: ignore[arg-type]
    return _plain(labels) if labels.dtype.kind == "O" else labels


def is_label(label: Any) -> bool:
    """Return whether this names a class: None, NaN and NA do not."""
    try:
        return label is not None and bool(label == label)
    except TypeError:  # pandas.NA is neither true nor false
        return False


def missing_labels(labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which labels are missing."""
    if labels.dtype.kind == "O":
        return np.array([not is_label(label) for label in labels], dtype=bool)
    return np.asarray(labels != labels)  # NaN and NaT alone are not themselves


def _loses_by_array(labels: Sequence[Any]) -> bool:
    """Whether NumPy would round whole numbers, or make the word "nan" of a gap."""
    try:
        kind = np.asarray(labels).dtype.kind
    except ValueError:  # lists of several lengths, which others will refuse
        return False
    if kind == "f":
        return not any(isinstance(label, float | np.floating) for label in labels)
    return kind == "U" and not all(is_label(label) for label in labels)


def _plain(labels: NDArray[Any]) -> NDArray[Any]:
    """Return Python's numbers as NumPy's, if they are of one kind and none is lost."""
    kinds = {type(label) for label in labels.flat}
    for one, dtypes in (
        ((bool, np.bool_), (np.bool_,)),
        ((int, np.integer), (np.int64, np.uint64)),
        ((float, np.floating), (np.float64,)),
    ):
        if kinds and all(issubclass(kind, one) for kind in kinds):
            for dtype in dtypes:
                with suppress(OverflowError):
                    return labels.astype(dtype)
    return labels


def _check_one_kind(labels: NDArray[Any], *, owner: str, name: str) -> None:
    """Raise a ValueError if labels have no order: text and numbers, say."""
    if labels.dtype.kind != "O":
        return
    try:
        largest = np.unique(labels)[-1] if len(labels) else None
        set(labels.tolist())  # as keys they must not be lists
    except (TypeError, ValueError):
        first: dict[type, Any] = {}
        for label in labels.tolist():
            first.setdefault(type(label), label)
        listed = ", ".join(shown(label) for label in list(first.values())[:3])
        kinds = "mixes labels of several kinds" if len(first) > 1 else "holds labels"
        raise InputError(
            f"{name} {kinds}, such as {listed}, which can "
            f"not be sorted. Make them all text: [str(label) for label in {name}].",
            owner=owner,
        ) from None
    if isinstance(largest, int):
        raise InputError(
            f"{name} holds whole numbers for which 64 bits are not enough, such as "
            f"{shown(largest)}. Make them text: [str(label) for label in {name}].",
            owner=owner,
        )


def check_sample_weight(
    sample_weight: ArrayLike | None, n_samples: int, *, owner: str
) -> NDArray[np.float64]:
    """Check weights of objects: one finite number each, not negative, not all 0."""
    if sample_weight is None:
        return np.ones(n_samples)
    if isinstance(sample_weight, int | float | np.integer | np.floating):
        sample_weight = np.full(n_samples, float(sample_weight))
    weights = numbers_argument(owner, "sample_weight", sample_weight)
    if weights.shape != (n_samples,):
        raise InputError(
            f"sample_weight must hold one number per object ({n_samples}), "
            f"got an array of shape {weights.shape}.",
            owner=owner,
            parameter="sample_weight",
        )
    check_weights(weights, owner=owner)
    if not weights.any():
        raise no_weight(owner=owner)
    return weights


def check_weights(
    weights: NDArray[np.float64], *, owner: str, first_row: int = 0
) -> None:
    """Raise a ValueError if a weight is negative, too large or not finite."""
    wrong = np.flatnonzero(~(weights <= LARGEST_WEIGHT) | (weights < 0))
    if len(wrong):
        raise InputError(
            "sample_weight must be finite and not negative, got "
            f"{weights[wrong[0]]:.4g} for object {first_row + wrong[0]}.",
            owner=owner,
            parameter="sample_weight",
        )


def no_weight(*, owner: str) -> InputError:
    """Return the error for objects none of which has any weight."""
    return InputError(
        "every sample_weight is zero, so no object is left.",
        owner=owner,
        parameter="sample_weight",
    )


def check_dissimilarities(D: ArrayLike, *, owner: str) -> NDArray[np.float64]:
    """Check an n × n matrix: finite, not negative, symmetric, zero on its diagonal."""
    from scipy.sparse import issparse

    if issparse(D):
        raise InputError(
            "the matrix of dissimilarities is sparse. Pass D.toarray().", owner=owner
        )
    with numbers_in(D, owner=owner, name="the matrix of dissimilarities"):
        if np.iscomplexobj(D):
            raise InputError(
                "dissimilarities must be real numbers, got complex ones.", owner=owner
            )
        matrix = np.asarray(unmasked(D), dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(
            "metric='precomputed' needs a square matrix of dissimilarities, "
            f"got an array of shape {matrix.shape}. Pass n × n values, or data with "
            "metric='euclidean'.",
            owner=owner,
        )
    check_finite(matrix, owner=owner, name="the dissimilarity matrix")
    tolerance = 1e-10 * np.abs(matrix).max(initial=0.0)
    if (negative := matrix < 0).any():
        i, j = np.argwhere(negative)[0]
        raise InputError(
            f"dissimilarities must not be negative, got {matrix[i, j]:.4g} "
            f"between objects {i} and {j}.",
            owner=owner,
        )
    diagonal = np.diagonal(matrix)
    if diagonal.max(initial=0.0) > tolerance:
        i = int(np.argmax(diagonal))
        raise InputError(
            "the dissimilarity of an object to itself must be 0, got "
            f"{diagonal[i]:.4g} for object {i}. Is this a similarity matrix?",
            owner=owner,
        )
    if (uneven := np.abs(matrix - matrix.T) > tolerance).any():
        i, j = np.argwhere(uneven)[0]
        raise InputError(
            f"dissimilarities must be symmetric, got {matrix[i, j]:.4g} from "
            f"object {i} to {j} and {matrix[j, i]:.4g} back. If their mean is what you "
            "want, pass (D + D.T) / 2.",
            owner=owner,
        )
    return matrix


def missing_extra(package: str, extra: str, purpose: str) -> NoReturn:
    """Raise an ImportError that names the extra to install."""
    raise ImportError(
        f"{purpose} needs {package}, which is not installed. "
        f'Install it with: pip install "labelscape[{extra}]"'
    )


def check_spread(X: NDArray[Any], *, owner: str, name: str = "X") -> None:
    """Raise a ValueError if objects differ, but by too little for a distance."""
    for rows in (X[:1000], X):  # mostly the first rows differ enough
        # Unlike max and min, these pass over NaN.
        ranges = np.fmax.reduce(rows) - np.fmin.reduce(rows)
        if not _is_too_little(ranges):
            return
    check_ranges(ranges, owner=owner, name=name)


def _is_too_little(ranges: NDArray[Any]) -> bool:
    smallest = SMALLEST_SINGLE if ranges.dtype == np.float32 else SMALLEST_SPREAD
    return not float(np.fmax.reduce(ranges)) >= smallest


def check_ranges(ranges: NDArray[Any], *, owner: str, name: str = "X") -> None:
    """Raise a ValueError if features have ranges, but too small for a distance."""
    spread = float(np.fmax.reduce(ranges))
    if spread > 0.0 and _is_too_little(ranges):
        raise InputError(
            f"the objects of {name} differ by {spread:.3g} at most, and the square "
            "of that is too small for a distance. Rescale the features, so that their "
            "values are not far from 1.",
            owner=owner,
        )


def check_intact(is_intact: bool, attributes: str) -> None:
    """Raise unless arrays fit together: compiled loops do not look where they read."""
    if not is_intact:
        raise InputError(
            f"{attributes} do not fit together: the model was changed after its fit. "
            "Fit it again."
        )


def column_name(column: int, names: Sequence[str] | None) -> str:
    """Return what an error calls a column: by its name, or by its number."""
    return f"column {column}" if names is None else f"column {str(names[column])!r}"
