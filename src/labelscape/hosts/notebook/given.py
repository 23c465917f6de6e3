"""Conversion of users' arguments: data frames, and selections of points."""

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from labelscape._core.checks import columns_of_words
from labelscape._core.columns import ShownColumn
from labelscape._core.errors import InputError, shown
from labelscape._core.threads import ignored
from labelscape.datasets import Table, read_table
from labelscape.scene import Scene
from labelscape.scene._internal import given_columns

OWNER = "explore"


Prepared = tuple[Any, dict[str, Any]]


def prepared(
    thing: Any, X: Any, options: dict[str, Any], *, is_fitted: bool
) -> Prepared:
    """Return the input of the model, and options that show all other columns of X."""
    # Columns in ``columns``, and columns that the model was not fitted to, are shown.
    # Text is encoded if the model needs numbers.
    frame = _frame(X)
    if frame is None:
        return X, options
    named = _named_columns(options.get("columns"), frame)
    features = _features(thing, frame, named)
    aside = [name for name in frame.columns if name not in features or name in named]
    if aside:
        frame, options = _set_aside(frame, features, aside, named, options)
        X = frame.to_native()
    if not columns_of_words(frame) or _takes_words(thing, frame, is_fitted):
        return X, options
    return _as_numbers(thing, frame, options, is_fitted)


def holds_words(X: Any) -> bool:
    """Return whether X is a data frame with text columns."""
    frame = _frame(X)
    return frame is not None and bool(columns_of_words(frame))


def _frame(X: Any) -> nw.DataFrame[Any] | None:
    """Return a data frame with text column names; None for other objects."""
    try:
        frame = nw.from_native(X, eager_only=True, pass_through=True)
    except nw.exceptions.DuplicateError:  # columns with equal names
        return None
    if not isinstance(frame, nw.DataFrame):
        return None
    names: list[Any] = list(frame.columns)
    return frame if all(isinstance(name, str) for name in names) else None


def _named_columns(columns: Any, frame: nw.DataFrame[Any]) -> list[str]:
    """Return the columns of X that are listed in the option ``columns``."""
    is_list = isinstance(columns, list | tuple) and bool(columns)
    if not is_list or not all(isinstance(name, str) for name in columns):
        return []
    if unknown := [name for name in columns if name not in frame.columns]:
        raise InputError(
            f"columns contains {shown(unknown[0])}, which is not a column of X.",
            owner=OWNER,
            parameter="columns",
        )
    return list(columns)


def _features(thing: Any, frame: nw.DataFrame[Any], named: list[str]) -> list[str]:
    """Return the columns of the fit; if unknown, all columns except ``named``."""
    fitted = getattr(thing, "feature_names_in_", None)
    if fitted is not None and set(fitted) <= set(frame.columns):
        return [str(name) for name in fitted]
    return [name for name in frame.columns if name not in named]


def _set_aside(
    frame: nw.DataFrame[Any],
    features: list[str],
    aside: list[str],
    named: list[str],
    options: dict[str, Any],
) -> tuple[nw.DataFrame[Any], dict[str, Any]]:
    """Return the features, and options that show the other columns."""
    if not features:
        raise InputError(
            "columns contains all columns of X, so no feature is left.",
            owner=OWNER,
            parameter="columns",
        )
    more = None if named else options.get("columns")
    columns = [
        *given_columns(frame.select(aside).to_native(), len(frame)),
        *given_columns(more, len(frame)),
    ]
    return frame.select(features), {**options, "columns": columns}


def _takes_words(thing: Any, frame: nw.DataFrame[Any], is_fitted: bool) -> bool:
    """Return whether a model accepts text, because it may begin with an encoder."""
    if not is_fitted:
        return isinstance(thing, Pipeline)
    n_features = getattr(thing, "n_features_in_", None)
    return hasattr(thing, "feature_names_in_") or n_features == len(frame.columns)


def _as_numbers(
    thing: Any, frame: nw.DataFrame[Any], options: dict[str, Any], is_fitted: bool
) -> Prepared:
    """Return a frame as numbers for the model, and options that show more columns."""
    n_features = getattr(thing, "n_features_in_", None) if is_fitted else None
    words = columns_of_words(frame)
    plain = [name for name in frame.columns if name not in words]
    if plain and n_features == len(plain):
        aside = [name for name in frame.columns if name not in plain]
        left, options = _set_aside(frame, plain, aside, [], options)
        return left.to_numpy(), {"feature_names": plain, **options}
    table, texts = _encoded(frame)
    if n_features is not None and n_features != table.X.shape[1]:
        raise InputError(
            f"X has {len(plain)} numeric columns, and {table.X.shape[1]} features if "
            f"its text columns are encoded, but {type(thing).__name__} was fitted to "
            f"{n_features} features. Pass the same features, or fit a pipeline with an "
            "encoder to the data frame.",
            owner=OWNER,
            parameter="X",
        )
    known = {
        "feature_names": table.feature_names,
        "feature_kinds": table.encoder.feature_kinds,
        "imputed": table.imputed,
        "categories": table.categories,
    }
    more = given_columns(options.get("columns"), len(frame))
    return table.X, {**known, **options, "columns": [*texts, *more]}


def _encoded(frame: nw.DataFrame[Any]) -> tuple[Table, list[ShownColumn]]:
    """Return a frame as numbers, and its columns of free text."""
    columns = given_columns(frame.to_native(), len(frame))
    texts = [column for column in columns if column.kind == "text"]
    left = frame.drop([column.name for column in texts])
    try:
        with ignored(Warning):  # about omitted parts of files
            table = read_table(left.to_native(), missing="impute", keep=left.columns)
    except ValueError as error:
        raise InputError(
            f"X cannot be converted to numbers. {error} To show a column "
            "without using it as a feature, pass columns=[its name].",
            owner=OWNER,
            parameter="X",
        ) from None
    return table, texts


Indices = NDArray[np.uint32]


def chosen_points(choice: Any, scene: Scene) -> Indices:
    """Return the sorted indices of selected points."""
    if choice is None:
        return np.empty(0, dtype=np.uint32)
    if isinstance(choice, set | frozenset):
        choice = list(choice)
    try:
        given = np.asarray(choice)
    except ValueError:  # lists of different lengths
        given = np.empty((0, 0))
    if given.ndim != 1:
        raise InputError(
            "selection must be a list of points, such as [0, 3], or None to select no "
            f"point; got {shown(choice)}.",
            parameter="selection",
        )
    return _indices(given, scene, "selection")


def chosen_point(point: Any, scene: Scene) -> int:
    """Return one point, given by its index or its id, as an index."""
    is_one = np.isscalar(point) or getattr(point, "shape", None) == ()
    if not is_one or isinstance(point, bool | np.bool_):
        raise TypeError(
            "object must be one point, its index or its id as text, or None; got "
            f"{shown(point)}."
        )
    return int(_indices(np.array([point]), scene, "object")[0])


def _indices(given: NDArray[Any], scene: Scene, name: str) -> Indices:
    """Return sorted indices from indices, a mask or ids; errors begin with ``name``."""
    n = scene.n_points
    if given.size == 0:
        return np.empty(0, dtype=np.uint32)
    if given.dtype.kind == "b":
        if len(given) != n:
            raise InputError(
                f"a mask needs one value for each of the {n} points, got {len(given)}.",
                owner=name,
            )
        given = np.flatnonzero(given)
    elif given.dtype.kind in "UOT" and all(isinstance(one, str) for one in given):
        given = _named(given, scene, name)
    elif given.dtype.kind not in "iu":
        raise TypeError(
            f"{name} must be given by indices of points, by a mask, or by ids as "
            f"texts; got {shown(given.tolist())}."
        )
    low, high = int(given.min()), int(given.max())
    if low < 0 or high >= n:
        raise InputError(
            f"points have indices from 0 to {n - 1}, got {low if low < 0 else high}.",
            owner=name,
        )
    return np.unique(given).astype(np.uint32)


def _named(names: NDArray[Any], scene: Scene, name: str) -> NDArray[Any]:
    if scene.ids is None:
        raise InputError(
            "the points have no ids. Pass indices, or use explore(ids=...).", owner=name
        )
    wanted = set(names.tolist())
    ids = [scene.ids[i] for i in range(len(scene.ids))]
    if absent := wanted.difference(ids):
        raise InputError(f"there is no point with the id {min(absent)!r}.", owner=name)
    return np.array([i for i, one in enumerate(ids) if one in wanted])
