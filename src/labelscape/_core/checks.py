"""Checks of data: X, labels, weights, dissimilarities."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import column_or_1d, validate_data

from labelscape._core.errors import InputError, shown

# Squares of larger numbers, summed over the features, may overflow: as float64, and as
# float32.
LARGEST_VALUE, LARGEST_SINGLE = 1e150, 1e16
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
        _check_spread(checked, owner=type(estimator).__name__)
    return checked  # type: ignore[no-any-return]


def check_finite(
    X: Any,
    feature_names: Sequence[str] | None = None,
    *,
    owner: str,
    name: str = "X",
    allow_nan: bool = False,
) -> None:
    """Raise a ValueError that says where the first unusable number of X stands."""
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
        raise InputError(
            f"input {name} contains NaN: {column_name(column, feature_names)} "
            f"holds {count} missing value{'s' * (count > 1)}, the first in row {row}. "
            "Drop or impute them first.",
            owner=owner,
        )
    infinite = np.isinf(dense)
    if infinite.any():
        row, column = np.argwhere(infinite)[0]
        raise InputError(
            f"input {name} contains infinity: "
            f"{column_name(column, feature_names)} is {dense[row, column]} in row "
            f"{row}. Replace or drop it first.",
            owner=owner,
        )
    size = np.where(missing, 0.0, np.abs(dense))
    if size.max(initial=0) > largest:
        row, column = np.argwhere(size > largest)[0]
        raise InputError(
            f"{column_name(column, feature_names)} of {name} is "
            f"{dense[row, column]:.3g} in row {row}, and its square is too large for a "
            f"distance. Rescale the features to values below {largest:g}.",
            owner=owner,
        )


def check_labels(
    y: ArrayLike, n_samples: int, *, owner: str
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Check class labels; return the sorted classes and each object's class index."""
    if y is None:
        raise ValueError(
            f"{owner} requires y to be passed, but the target y is None. "
            "Give one class label per object."
        )
    labels = column_or_1d(exact_labels(y), warn=True)
    if len(labels) != n_samples:
        raise InputError(
            f"X has {n_samples} objects but y has {len(labels)} labels. "
            "Give one label per object.",
            owner=owner,
        )
    unlabelled = np.flatnonzero(_gaps(labels))
    if len(unlabelled):
        raise InputError(
            f"y contains NaN or None, {len(unlabelled)} in all, the first in "
            f"row {unlabelled[0]}. Label these objects or leave them out.",
            owner=owner,
        )
    if labels.dtype.kind == "f" and np.isinf(labels).any():
        raise InputError(
            f"y contains infinity, first in row {np.isinf(labels).argmax()}. "
            "Give one class label per object.",
            owner=owner,
        )
    _check_one_kind(labels, owner=owner)
    if type_of_target(labels) == "continuous":
        raise InputError(
            "Unknown label type: y holds continuous numbers, not classes. "
            "Bin them first if you want classes.",
            owner=owner,
        )
    check_classification_targets(labels)
    classes, indices = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise InputError(
            "y must hold at least two classes, got 1 class: "
            f"{classes.tolist()[0]!r}. With one class there is nothing to tell apart.",
            owner=owner,
        )
    return classes, indices


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
    return _plain(labels) if labels.dtype.kind == "O" else labels


def is_label(label: Any) -> bool:
    """Return whether this names a class: None, NaN and NA do not."""
    try:
        return label is not None and bool(label == label)
    except TypeError:  # pandas.NA is neither true nor false
        return False


def _gaps(labels: NDArray[Any]) -> NDArray[np.bool_]:
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


def _check_one_kind(labels: NDArray[Any], *, owner: str) -> None:
    """Raise a ValueError if labels have no order: text and numbers, say."""
    if labels.dtype.kind != "O":
        return
    try:
        largest = np.unique(labels)[-1]
    except TypeError:
        first: dict[type, Any] = {}
        for label in labels.tolist():
            first.setdefault(type(label), label)
        listed = ", ".join(shown(label) for label in list(first.values())[:3])
        raise InputError(
            f"y mixes labels of several kinds, such as {listed}, which can "
            "not be sorted. Make them all text: [str(label) for label in y].",
            owner=owner,
        ) from None
    if isinstance(largest, int):
        raise InputError(
            f"y holds whole numbers for which 64 bits are not enough, such as "
            f"{shown(largest)}. Make them text: [str(label) for label in y].",
            owner=owner,
        )


def check_sample_weight(
    sample_weight: ArrayLike | None, n_samples: int, *, owner: str
) -> NDArray[np.float64]:
    """Check weights of objects: one finite number each, not negative, not all 0."""
    if sample_weight is None:
        return np.ones(n_samples)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n_samples, float(weights))
    if weights.shape != (n_samples,):
        raise InputError(
            f"sample_weight must hold one number per object ({n_samples}), "
            f"got an array of shape {weights.shape}.",
            owner=owner,
            parameter="sample_weight",
        )
    wrong = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if len(wrong):
        raise InputError(
            "sample_weight must be finite and not negative, got "
            f"{weights[wrong[0]]:.4g} for object {wrong[0]}.",
            owner=owner,
            parameter="sample_weight",
        )
    if not weights.any():
        raise InputError(
            "every sample_weight is zero, so no object is left.",
            owner=owner,
            parameter="sample_weight",
        )
    return weights


def check_dissimilarities(D: ArrayLike, *, owner: str) -> NDArray[np.float64]:
    """Check an n × n matrix: finite, not negative, symmetric, zero on its diagonal."""
    matrix = np.asarray(D, dtype=np.float64)
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


def _check_spread(X: NDArray[Any], *, owner: str) -> None:
    """Raise a ValueError if objects differ, but by too little for a distance."""
    smallest = SMALLEST_SINGLE if X.dtype == np.float32 else SMALLEST_SPREAD
    for rows in (X[:1000], X):  # mostly the first rows differ enough
        # Unlike max and min, these pass over NaN.
        ranges = np.fmax.reduce(rows) - np.fmin.reduce(rows)
        spread = float(np.fmax.reduce(ranges))
        if spread >= smallest:
            return
    if spread > 0.0:
        raise InputError(
            f"the objects of X differ by {spread:.3g} at most, and the square "
            "of that is too small for a distance. Rescale the features, so that their "
            "values are not far from 1.",
            owner=owner,
        )


def column_name(column: int, names: Sequence[str] | None) -> str:
    """Return what an error calls a column: by its name, or by its number."""
    return f"column {column}" if names is None else f"column {str(names[column])!r}"
