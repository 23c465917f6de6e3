"""Checks of class labels, of their spelling, and of sample weights."""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from labelscape._core.checks import array_argument, numbers_argument
from labelscape._core.errors import InputError, ParameterError, shown
from labelscape._core.types import Array, Bools, Floats, Ints

LARGEST_WEIGHT = 1e100  # with heavier samples, sums of products overflow


def check_labels(y: ArrayLike, n_samples: int, *, owner: str) -> tuple[Array, Ints]:
    """Check class labels; return the sorted classes and each sample's class index."""
    from sklearn.utils.multiclass import check_classification_targets, type_of_target
    from sklearn.utils.validation import column_or_1d

    if y is None:
        raise ValueError(
            f"{owner} requires y to be passed, but the target y is None. "
            "Give one class label per sample."
        )
    try:
        labels = column_or_1d(exact_labels(y), warn=True)
    except (TypeError, ValueError):
        label_array(y, owner=owner)  # raises the error for lists of different lengths
        raise
    if len(labels) != n_samples:
        raise other_length(n_samples, len(labels), owner=owner)
    labels = checked_labels(labels, owner=owner)
    with np.errstate(invalid="ignore"):  # labels may be too large for integers
        is_counted = labels.dtype.kind in "iub"
        if not is_counted and type_of_target(labels) == "continuous":
            raise InputError(
                "Unknown label type: y contains continuous numbers, not classes. "
                "To make classes, bin the numbers first.",
                owner=owner,
            )
    classes, indices = _distinct(labels)
    if not is_counted or 2 * len(classes) > len(labels):  # scikit-learn may warn
        check_classification_targets(labels)
    if len(classes) < 2:
        raise InputError(
            "y must contain at least two classes, got "
            + (f"1 class: {classes.tolist()[0]!r}" if len(classes) else "none")
            + ". With fewer classes, there is nothing to separate.",
            owner=owner,
        )
    return classes, indices


def _distinct(labels: Array) -> tuple[Array, Ints]:
    """Return the sorted distinct labels, and the index of each label among them."""
    if labels.dtype.kind == "i" and len(labels):
        least, most = int(labels.min()), int(labels.max())
        if most - least < len(labels):  # by counting, which is faster than sorting
            offsets = labels.astype(np.intp) - least
            is_label = np.bincount(offsets) > 0
            classes = np.flatnonzero(is_label) + least
            return classes.astype(labels.dtype), (np.cumsum(is_label) - 1)[offsets]
    return np.unique(labels, return_inverse=True)


def labels_argument(
    owner: str, name: str, value: Any, *, size: int | None = None
) -> Array:
    """Return a label argument after a check: no missing labels, all of one type."""
    array = array_argument(owner, name, value)
    is_row = array.ndim == 1 and array.dtype.kind != "V" and len(array) > 0
    if is_row:
        array = exact_labels(value)
    if not is_row or size not in (None, len(array)):
        each = "sample" if size is None else f"each of the {size} samples"
        raise ParameterError(owner, name, array, f"one label for {each}")
    return checked_labels(array, owner=owner, name=name)


def label_array(y: Any, *, owner: str) -> Array:
    """Return labels as an array; raise an error for lists of different lengths."""
    try:
        return exact_labels(y)
    except ValueError as error:
        raise InputError(
            f"y must contain one label per sample: {error}",
            owner=owner,
            parameter="y",
        ) from error


def checked_labels(labels: Array, *, owner: str, name: str = "y") -> Array:
    """Return labels after a check that they are complete and can be sorted."""
    unlabelled = np.flatnonzero(missing_labels(labels))
    if len(unlabelled):
        raise missing_label(len(unlabelled), unlabelled[0], owner=owner, name=name)
    if labels.dtype.kind == "f" and np.isinf(labels).any():
        raise InputError(
            f"{name} contains infinity, first in row {np.isinf(labels).argmax()}. "
            "Give one class label per sample.",
            owner=owner,
        )
    _check_one_kind(labels, owner=owner, name=name)
    return labels


def missing_label(count: int, row: int, *, owner: str, name: str = "y") -> InputError:
    """Return the error for missing labels; the first is in row ``row``."""
    return InputError(
        f"{name} contains NaN or None, {count} in all, the first in "
        f"row {row}. Label these samples or leave them out.",
        owner=owner,
    )


def exact_labels(y: ArrayLike) -> Array:
    """Return labels as an array in which whole numbers keep all digits."""
    # NumPy and scikit-learn convert whole numbers to floats if some labels are missing
    # or large, and so does pandas' Int64: ids of 17 digits would become equal.
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
    """Return whether a value is a class label: None, NaN and NA are not."""
    try:
        return label is not None and bool(label == label)
    except TypeError:  # pandas.NA has no truth value
        return False


def missing_labels(labels: Array) -> Bools:
    """Return a mask of missing labels."""
    if labels.dtype.kind == "O":
        return np.array([not is_label(label) for label in labels], dtype=bool)
    return np.asarray(labels != labels)  # only NaN and NaT differ from themselves


def _loses_by_array(labels: Sequence[Any]) -> bool:
    """Return whether NumPy would round integers or turn a missing value into "nan"."""
    try:
        kind = np.asarray(labels).dtype.kind
    except ValueError:  # lists of different lengths, which later checks reject
        return False
    if kind == "f":
        return not any(isinstance(label, float | np.floating) for label in labels)
    return kind == "U" and not all(is_label(label) for label in labels)


def _plain(labels: Array) -> Array:
    """Convert an object array to bool, integers or floats if all values fit."""
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


def _check_one_kind(labels: Array, *, owner: str, name: str) -> None:
    """Raise a ValueError if labels cannot be sorted, such as text and numbers."""
    if labels.dtype.kind != "O":
        return
    try:
        largest = np.unique(labels)[-1] if len(labels) else None
        set(labels.tolist())  # raises TypeError for labels that are lists
    except (TypeError, ValueError):
        first: dict[type, Any] = {}
        for label in labels.tolist():
            first.setdefault(type(label), label)
        listed = ", ".join(shown(label) for label in list(first.values())[:3])
        kinds = "mixes labels of several kinds" if len(first) > 1 else "contains labels"
        raise InputError(
            f"{name} {kinds}, such as {listed}, which cannot "
            f"be sorted. Make them all text: [str(label) for label in {name}].",
            owner=owner,
        ) from None
    if isinstance(largest, int):
        raise InputError(
            f"{name} contains whole numbers that do not fit into 64 bits, such as "
            f"{shown(largest)}. Make them text: [str(label) for label in {name}].",
            owner=owner,
        )


def check_sample_weight(
    sample_weight: ArrayLike | None, n_samples: int, *, owner: str
) -> Floats:
    """Check sample weights: one finite number per sample, not negative, not all 0."""
    if sample_weight is None:
        return np.ones(n_samples)
    if isinstance(sample_weight, int | float | np.integer | np.floating):
        sample_weight = np.full(n_samples, float(sample_weight))
    weights = numbers_argument(owner, "sample_weight", sample_weight)
    if weights.shape != (n_samples,):
        raise not_one_each(
            "sample_weight", n_samples, weights.shape, owner=owner, what="number"
        )
    check_weights(weights, owner=owner)
    if not weights.any():
        raise no_weight(owner=owner)
    return weights


def other_length(
    n_samples: int,
    n_labels: int,
    *,
    owner: str,
    remedy: str = "Give one label per sample.",
) -> InputError:
    """Return the error for different numbers of samples and labels."""
    return InputError(
        f"X has {n_samples} samples but y has {n_labels} labels. {remedy}", owner=owner
    )


def not_one_each(
    name: str, n_samples: int, shape: tuple[int, ...], *, owner: str, what: str
) -> InputError:
    """Return the error for an argument without exactly one value per sample."""
    return InputError(
        f"{name} must contain one {what} per sample ({n_samples}), got an array of "
        f"shape {shape}.",
        owner=owner,
        parameter=name,
    )


def check_weights(weights: Floats, *, owner: str, first_row: int = 0) -> None:
    """Raise a ValueError if a weight is negative, too large or not finite."""
    wrong = np.flatnonzero(~(weights <= LARGEST_WEIGHT) | (weights < 0))
    if len(wrong):
        raise InputError(
            "sample_weight must be finite and not negative, got "
            f"{weights[wrong[0]]:.4g} for sample {first_row + wrong[0]}.",
            owner=owner,
            parameter="sample_weight",
        )


def no_weight(*, owner: str) -> InputError:
    """Return the error for samples that all have weight 0."""
    return InputError(
        "every sample_weight is zero, so no sample is left.",
        owner=owner,
        parameter="sample_weight",
    )


def spellings(classes: Array, codes: Ints) -> list[list[int]]:
    """Group classes that differ only in case or spaces, the most frequent first."""
    alike: dict[str, list[int]] = defaultdict(list)
    for c, name in enumerate(classes.tolist()):
        if isinstance(name, str):
            alike["".join(name.split()).casefold()].append(c)
    counts = np.bincount(codes, minlength=len(classes))
    return [
        sorted(same, key=lambda c: -counts[c])
        for same in alike.values()
        if len(same) > 1
    ]


def merged(classes: Array, codes: Ints) -> tuple[Array, Ints]:
    """Return classes in their most frequent spelling, and each sample's class index."""
    usual = np.arange(len(classes))
    for first, *others in spellings(classes, codes):
        usual[others] = first
    spelled, numbers = np.unique(usual, return_inverse=True)
    return classes[spelled], numbers[codes]
