"""What is shown of each point: features, columns, texts and pictures."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import numbers_in
from labelscape._core.columns import Categories, ShownColumn
from labelscape._core.errors import InputError, shown
from labelscape._core.labels import is_label
from labelscape._core.params import check_argument
from labelscape._core.params import path as path_rule
from labelscape.datasets._internal import shown_columns
from labelscape.scene._classes import Classes
from labelscape.scene._units import Matrix
from labelscape.scene.scene import (
    MANY_CLASSES,
    MISSING,
    STEPS,
    Codes,
    Feature,
    FeatureKind,
    Images,
    Indices,
    Members,
    Scaled,
    SceneColumn,
    Singles,
    Texts,
    Thumbnails,
)

# Values that all features together may have; 20 features of 100,000 points.
MOST_VALUES = 2_000_000
# This many values decide which features say most.
MOST_SCORED = 10_000_000
KINDS = get_args(FeatureKind)


class Shown(NamedTuple):
    """The features of a scene, and which columns of the data they are."""

    features: tuple[Feature, ...]
    columns: NDArray[np.intp]
    are_all: bool


def shown_features(
    X: Matrix,
    names: list[str],
    codes: NDArray[Any] | None,
    relevances: NDArray[Any] | None,
    max_features: int,
    kinds: Sequence[str | None] | None = None,
    imputed: Mapping[str, Any] | None = None,
    together: Sequence[NDArray[np.intp]] = (),
) -> Shown:
    """Return the features to show: all, or those that say most about the classes.

    Those that are ``together`` stand for one column, and are shown all or not at all.
    """
    n, d = X.shape
    most = min(max_features, MOST_VALUES // max(n, 1))
    columns = np.arange(d)
    if d > most:
        score = _scores(X, codes) if relevances is None else relevances
        columns = _chosen(score, most, together)
    known = _checked(kinds, d)
    assumed = _rows(imputed, names, n)
    features = tuple(
        feature(names[j], X[:, j], known[j], assumed.get(names[j])) for j in columns
    )
    return Shown(features, columns, len(columns) == d)


def _chosen(
    score: NDArray[Any], most: int, together: Sequence[NDArray[np.intp]]
) -> NDArray[np.intp]:
    """Return the features of the highest scores, ascending; one column has one sum."""
    first = np.arange(len(score))
    for features in together:
        first[features] = features[0]
    total = np.bincount(first, weights=score)
    size = np.bincount(first)
    kept, room = [], most
    for j in np.argsort(-total, kind="stable"):
        if 0 < size[j] <= room:
            kept.append(j)
            room -= size[j]
    return np.flatnonzero(np.isin(first, kept))


def _checked(kinds: Sequence[Any] | None, d: int) -> list[FeatureKind | None]:
    """Return the kind of each feature; None is a number."""
    if kinds is None or d == 0:
        return [None] * d
    if len(kinds) != d or any(kind not in (None, *KINDS) for kind in kinds):
        raise InputError(
            "feature_kinds must say 'date', 'truth' or None for each of "
            f"the {d} features, got {shown(kinds)}.",
            owner="build_scene",
            parameter="feature_kinds",
        )
    return list(kinds)


def _rows(
    imputed: Mapping[str, Any] | None, names: list[str], n: int
) -> dict[str, Indices]:
    """Return the points with an assumed value, ascending, by feature."""
    if imputed is None or not names:
        return {}
    if unknown := imputed.keys() - set(names):
        first = shown(min(unknown, key=str))
        raise InputError(
            f"imputed names {first}, which is no feature. Its keys must "
            "be names of features, as in feature_names.",
            owner="build_scene",
        )
    found = {}
    for name, given in imputed.items():
        rows = np.unique(np.asarray(given))
        if len(rows) == 0:
            continue
        if rows.dtype.kind not in "iu" or rows[0] < 0 or rows[-1] >= n:
            raise InputError(
                f"imputed must hold rows from 0 to {n - 1}, got "
                f"{shown(given)} for {name!r}.",
                owner="build_scene",
                parameter="imputed",
            )
        found[name] = rows.astype(np.uint32)
    return found


def feature(
    name: str,
    column: Matrix,
    kind: FeatureKind | None,
    imputed: Indices | None = None,
) -> Feature:
    """Return numbers of all points as a scene holds them."""
    widest = float(np.finfo(np.float32).max)
    known = np.where(np.isfinite(column), np.clip(column, -widest, widest), np.nan)
    values = known.astype(np.float32)
    # Rounded to steps of a long time, a day would become the one before.
    kept = values if kind == "date" else stored(values)
    return Feature(name, *range_of(values), kept, kind, imputed)


def _scores(X: Matrix, codes: NDArray[Any] | None) -> NDArray[np.float64]:
    """Return how much each feature says: F of an analysis of variance, or variance.

    F is a ratio of variances, so no feature is preferred for its unit. Without labels,
    variance is all there is. Of many objects, random ones tell.
    """
    if X.size > MOST_SCORED:
        most = max(2, MOST_SCORED // X.shape[1])
        some = np.random.default_rng(0).choice(len(X), most, replace=False)
        X, codes = X[some], None if codes is None else codes[some]
    with np.errstate(all="ignore"):
        centered = X - np.nanmean(X, axis=0)
        total = np.nansum(centered**2, axis=0, dtype=np.float64)
        if codes is None:
            score = total
        else:
            between = np.zeros(X.shape[1])
            for c in np.unique(codes):
                part = centered[codes == c]
                count = np.isfinite(part).sum(axis=0)
                between += np.nansum(part, axis=0) ** 2 / np.maximum(count, 1)
            score = between / np.maximum(total - between, np.finfo(float).tiny)
    return np.where(np.isfinite(score), score, 0.0)


# How long columns are stored: 16 bits for numbers, no more than needed for indices.

# Numbers of more points than this are stored in 16 bits.
MANY_POINTS = 20_000


def stored(values: Singles) -> Singles | Scaled:
    """Return numbers (n,) or (n, m) of n points as a scene holds them.

    In 16 bits, whatever is not finite is missing.
    """
    if len(values) <= MANY_POINTS:
        return values
    return scaled(values, *range_of(values))


def range_of(values: Singles) -> tuple[float, float]:
    """Return the lowest and the highest finite number; zeros where there is none."""
    there = values[np.isfinite(values)]
    return (float(there.min()), float(there.max())) if len(there) else (0.0, 0.0)


def scaled(values: Singles, low: float, high: float) -> Scaled:
    """Return numbers between low and high in 16 bits."""
    width = (high - low) or 1.0
    steps = np.rint((values.astype(np.float64) - low) / width * STEPS)
    there = np.isfinite(steps)
    codes = np.where(there, steps, MISSING).astype(np.uint16)
    return Scaled(codes, low, high)


def members(indices: NDArray[Any], n_groups: int) -> Members:
    """Return indices of groups in the smallest type that also has a "none"."""
    for kind in (np.uint8, np.uint16):
        most = np.iinfo(kind).max
        if n_groups < most:
            few: Members = np.minimum(indices, most).astype(kind)
            return few
    return indices.astype(np.uint32, copy=False)


OWNER = "build_scene"


def given_columns(columns: Any, n_points: int) -> tuple[ShownColumn, ...]:
    """Return columns to look at from a data frame, a dict, or records of them."""
    if columns is None:
        return ()
    found = _records(columns)
    for column in found:
        if np.shape(column.values) != (n_points,):
            raise InputError(
                f"columns must have one value for each of the {n_points} points, got "
                f"{_length(column.values)} for {column.name!r}.",
                owner=OWNER,
                parameter="columns",
            )
    return found


def _length(values: NDArray[Any]) -> str:
    return str(len(values)) if values.ndim == 1 else f"an array of shape {values.shape}"


def _records(columns: Any) -> tuple[ShownColumn, ...]:
    if isinstance(columns, Mapping) or hasattr(columns, "columns"):
        return shown_columns(columns)
    is_list = isinstance(columns, Sequence) and not isinstance(columns, str)
    if is_list and all(isinstance(column, ShownColumn) for column in columns):
        return tuple(columns)
    raise InputError(
        "columns must be a data frame, a dict from names to values, or a list of "
        f"ShownColumn; got {shown(columns)}.",
        owner=OWNER,
        parameter="columns",
    )


# Indices of categories have 16 bits at most, one value of which means "none".
MOST_CATEGORIES = 65535


def check_categories(categories: Sequence[Categories], n_features: int) -> None:
    """Raise unless columns of categories are among the features, each for itself."""
    owned = np.concatenate([[], *(column.features for column in categories)])
    known = np.arange(n_features)
    outside = [
        column.name
        for column in categories
        if len(column.features) == 0 or not np.isin(column.features, known).all()
    ]
    if outside:
        raise InputError(
            f"categories says that column {outside[0]!r} stands for features that X, "
            f"with {n_features}, does not have.",
            owner="build_scene",
            parameter="categories",
        )
    if len(np.unique(owned)) < len(owned):
        raise InputError(
            "categories gives one feature of X to two columns.",
            owner="build_scene",
            parameter="categories",
        )


def category_columns(
    categories: Sequence[Categories],
    X: Matrix,
    features: Shown | None,
    imputed: Mapping[int, Any],
) -> list[SceneColumn]:
    """Return columns of categories; X holds their features.

    ``features`` of the scene are those of X, if it is given; ``imputed`` are rows of
    features of X that were assumed.
    """
    place: dict[int, int] = {}
    if features is not None:
        place = {int(j): k for k, j in enumerate(features.columns)}
    return [_of_categories(column, X, place, imputed) for column in categories]


def _of_categories(
    column: Categories, X: Matrix, place: dict[int, int], imputed: Mapping[int, Any]
) -> SceneColumn:
    codes = column.of(X)
    for j in column.features:
        codes[np.asarray(imputed.get(int(j), ()), dtype=np.intp)] = -1
    coded = SceneColumn(
        column.name, words=column.words, codes=_indices(codes, len(column.words))
    )
    shown = [place[int(j)] for j in column.features if int(j) in place]
    if len(shown) < len(column.features):
        return coded
    return SceneColumn(
        column.name,
        words=column.words,
        codes=coded.codes,
        features=np.array(shown, dtype=np.uint32),
        patterns=column.codes.astype(np.float32),
    )


def _indices(codes: NDArray[np.intp], n_words: int) -> Codes:
    """Return indices in the smallest type, its largest value for -1."""
    kind = np.uint8 if n_words < MANY_CLASSES else np.uint16
    found: Any = np.where(codes < 0, np.iinfo(kind).max, codes).astype(kind)
    return found  # type: ignore[no-any-return]


def looked_at(column: ShownColumn) -> SceneColumn:
    """Return a column that is only shown."""
    name, kind, values = column.name, column.kind, column.values
    if kind not in ("category", "text"):
        meaning: Any = None if kind == "number" else kind
        return SceneColumn(name, numbers=feature(name, values, meaning))
    words = {word for word in values if word is not None}
    if kind == "category" and len(words) < MOST_CATEGORIES:
        classes = Classes([str(word) for word in words])
        known = np.array([None if w is None else str(w) for w in values], dtype=object)
        return SceneColumn(name, words=classes.names, codes=classes.codes(known))
    return SceneColumn(
        name, texts=Texts.of("" if word is None else str(word) for word in values)
    )


# All picture files together; the scene is held in memory several times.
MOST_IMAGE_BYTES = 500_000_000
MOST_PIXEL_BYTES = 500_000_000


def check_length(name: str, given: Any, n_points: int) -> None:
    """Raise unless there is one entry per point."""
    if len(given) != n_points:
        raise InputError(
            f"{name} must have one entry for each of the {n_points} "
            f"points, got {len(given)}.",
            owner="build_scene",
        )


def shown_texts(name: str, given: Iterable[Any] | None, n_points: int) -> Texts | None:
    """Return texts, one per point; None and NaN are empty."""
    if given is None:
        return None
    texts = [str(text) if is_label(text) else "" for text in given]
    check_length(name, texts, n_points)
    return Texts.of(texts)


def shown_thumbnails(given: Any, n_points: int) -> Thumbnails | None:
    """Return small pictures as bytes; other numbers are spread from 0 to 255."""
    if given is None:
        return None
    with numbers_in(given, owner="build_scene", name="thumbnails"):
        pixels = np.asarray(given)
    if pixels.ndim == 3:
        pixels = pixels[..., None]
    if pixels.ndim != 4 or pixels.shape[3] not in (1, 3) or 0 in pixels.shape[1:]:
        raise InputError(
            "thumbnails must be an array of shape (n, height, width) or "
            f"(n, height, width, 3), got {np.shape(given)}.",
            owner="build_scene",
            parameter="thumbnails",
        )
    check_length("thumbnails", pixels, n_points)
    if pixels.size > MOST_PIXEL_BYTES:
        raise InputError(
            f"thumbnails take {pixels.size / 1e6:.0f} MB, and a scene holds "
            f"{MOST_PIXEL_BYTES / 1e6:.0f} MB of them at most. Make them smaller.",
            owner="build_scene",
        )
    if pixels.dtype != np.uint8:
        with numbers_in(given, owner="build_scene", name="thumbnails"):
            pixels = _spread(pixels)
    return Thumbnails(np.ascontiguousarray(pixels))


def shown_images(
    given: Sequence[str | os.PathLike[str] | None] | None, n_points: int
) -> Images | None:
    """Return picture files, read from their paths; None is no picture."""
    if given is None:
        return None
    if isinstance(given, np.ndarray) and given.dtype.kind in "biuf":
        raise InputError(
            f"images are files, by their paths, got an array of shape {given.shape}. "
            "Pass pixels as thumbnails=…, an array of shape (n, height, width) or "
            "(n, height, width, 3).",
            owner="build_scene",
            parameter="images",
        )
    check_length("images", given, n_points)
    parts, size = [], 0
    for row, path in enumerate(given):
        parts.append(b"" if path is None else _picture(path, row))
        size += len(parts[-1])
        if size > MOST_IMAGE_BYTES:
            raise InputError(
                f"the images take more than {MOST_IMAGE_BYTES / 1e6:.0f} "
                f"MB, at row {row} of {n_points}. Use smaller ones, or thumbnails.",
                owner="build_scene",
            )
    offsets = np.cumsum([0, *map(len, parts)]).astype(np.uint32)
    return Images(offsets, np.frombuffer(b"".join(parts), dtype=np.uint8))


def _picture(path: str | os.PathLike[str], row: int) -> bytes:
    check_argument("build_scene", f"the image of row {row}", path, path_rule())
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"the image of row {row} cannot be read: {path} ({error.strerror}).",
            owner="build_scene",
        ) from None
    if not _is_picture(data):
        raise InputError(
            f"the image of row {row}, {path}, is no PNG, JPEG, GIF or WebP file.",
            owner="build_scene",
        )
    return data


def _is_picture(data: bytes) -> bool:
    begins = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
    return data.startswith(begins) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def _spread(pixels: Any) -> Any:
    values = pixels.astype(np.float32)
    if not np.isfinite(values).all():
        raise InputError("thumbnails hold NaN or infinity.", owner="build_scene")
    low, high = values.min(initial=np.inf), values.max(initial=-np.inf)
    width = (high - low) or 1.0
    return np.rint((values - low) / width * 255.0).astype(np.uint8)
