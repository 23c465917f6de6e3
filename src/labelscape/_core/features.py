"""Features: their names, which a fitted model wants again; constants and counters."""

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError

# Who makes a data frame of an array, the first that is installed.
_FRAMES = ("pandas", "polars")
# So many names are listed in an error or a warning.
MOST_LISTED = 5


class ConstantFeatures(UserWarning):
    """Some features have the same value for all objects."""


def named_as(fitted: Any, X: NDArray[Any]) -> Any:
    """Return a copy of X, with the column names that a model was fitted to, if any.

    A copy, because a model may work in place: ``StandardScaler(copy=False)`` does.
    """
    names = getattr(fitted, "feature_names_in_", None)
    if names is None or len(names) != X.shape[1]:
        return X.copy()
    return _frame(X.copy(), names)


def _frame(X: NDArray[Any], names: Iterable[Any]) -> Any:
    """Return a data frame of the library that is there; X itself where none is."""
    import narwhals as nw

    backend: Any = next((name for name in _FRAMES if find_spec(name)), None)
    if backend is None:
        return X
    return nw.from_numpy(X, [str(name) for name in names], backend=backend).to_native()


def columns_of_words(X: Any) -> list[str]:
    """Return the names of a data frame's columns that are neither numbers nor flags."""
    import narwhals as nw

    try:
        frame = nw.from_native(X, eager_only=True, pass_through=True)
    except nw.exceptions.DuplicateError:  # nobody can tell which column is meant
        return []
    if not isinstance(frame, nw.DataFrame):
        return []
    return [
        name
        for name, dtype in frame.schema.items()
        if not (dtype.is_numeric() or dtype == nw.Boolean)
    ]


def check_same_columns(estimator: Any, fitted: Any, *, called: str) -> None:
    """Raise a ValueError if X has other column names than a model was fitted to."""
    ours = getattr(estimator, "feature_names_in_", None)
    theirs = getattr(fitted, "feature_names_in_", None)
    if ours is None or theirs is None or list(ours) == list(theirs):
        return
    missing = [name for name in theirs if name not in set(ours)]
    unknown = [name for name in ours if name not in set(theirs)]
    if missing or unknown:
        parts = [f"{listed(missing)} not in X"] if missing else []
        parts += [f"{listed(unknown)} not known to it"] if unknown else []
        reason, remedy = " and ".join(parts), "Give X the columns that it knows"
    else:
        k = next(k for k in range(len(ours)) if ours[k] != theirs[k])
        reason = f"column {k} is {str(ours[k])!r}, and was {str(theirs[k])!r}"
        remedy = "Give X these columns in the order of its feature_names_in_"
    raise InputError(
        f"the columns of X are not those that {called} was "
        f"fitted to: {reason}. {remedy}.",
        owner=type(estimator).__name__,
    )


def constant_words(constant: NDArray[np.bool_], names: Sequence[Any] | None) -> str:
    """Return how many features are constant, and which."""
    which = np.flatnonzero(constant).tolist()
    shown = [str(j if names is None else names[j]) for j in which[:MOST_LISTED]]
    if len(which) > MOST_LISTED:
        shown.append("...")
    verb = "features are" if len(which) > 1 else "feature is"
    return f"{len(which)} {verb} constant ({', '.join(shown)})"


def listed(names: Iterable[Any]) -> str:
    """Return the first names, each as it is quoted, and how many more there are."""
    texts = [repr(str(name)) for name in names]
    more = len(texts) - MOST_LISTED
    return ", ".join(texts[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


# Fewer rows than this are too few to tell a counter from a measurement.
FEWEST_COUNTED = 10
# Of the numbers between the first and the last of a counter, so many are there.
DENSE = 0.5
# A counter of rows that is off by a step or more in some rows is one nevertheless.
MOSTLY = 0.95


def is_counter(values: NDArray[Any], rows: NDArray[Any] | None = None) -> bool:
    """Return whether a feature counts the rows: in their order, or in any other.

    A counter is known in any unit, so that standardized features can be asked, too:
    all its values are different, and they are whole steps apart with few left out, or
    lie on a line over ``rows``, the numbers of the rows.
    """
    x = np.asarray(values, dtype=np.float64)
    if len(x) < FEWEST_COUNTED or not np.isfinite(x).all():
        return False
    with np.errstate(over="ignore"):
        steps = np.diff(np.sort(x))
    if not (steps.min() > 0.0 and np.isfinite(steps.sum())):
        return False
    multiples = steps / steps.min()
    is_whole = np.abs(multiples - np.rint(multiples)) < 1e-3
    if is_whole.all() and len(steps) / multiples.sum() >= DENSE:
        return True
    place = np.arange(len(x), dtype=np.float64) if rows is None else rows * 1.0
    slope, start = np.polyfit(place, x, 1)
    off = np.abs(x - (start + slope * place))
    return bool(np.mean(off < abs(slope)) >= MOSTLY)
