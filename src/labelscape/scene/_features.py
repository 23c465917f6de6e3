"""Data that a view shows for each point: features, columns, texts and images."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np

from labelscape._core.checks import numbers_in
from labelscape._core.columns import Categories, ShownColumn
from labelscape._core.errors import shown
from labelscape._core.labels import is_label
from labelscape._core.params import check_argument
from labelscape._core.params import path as path_rule
from labelscape._core.types import Array, Floats, Ints
from labelscape.datasets._internal import shown_columns
from labelscape.scene import scene as records
from labelscape.scene.scene import (
    MANY_CLASSES,
    MISSING,
    STEPS,
    FeatureKind,
    Indices,
    Members,
    Singles,
    scene_error,
)
from labelscape.scene.subject import Classes

# Maximum number of values of all features; allows 20 features of 100,000 points.
MOST_VALUES = 2_000_000
# Maximum number of values that are used to choose the most informative features.
MOST_SCORED = 10_000_000
KINDS = get_args(FeatureKind)


class ShownFeatures(NamedTuple):
    """Features of a scene, and their columns in the data."""

    features: tuple[records.Feature, ...]
    columns: Ints
    are_all: bool


def scene_features(
    X: Array,
    names: list[str],
    codes: Array | None,
    relevances: Array | None,
    max_features: int,
    kinds: Sequence[str | None] | None = None,
    imputed: Mapping[str, Any] | None = None,
    together: Sequence[Ints] = (),
) -> ShownFeatures:
    """Return all features, or the most informative ones."""
    n, d = X.shape
    most = min(max_features, MOST_VALUES // max(n, 1))
    columns = np.arange(d)
    if d > most:
        score = _scores(X, codes) if relevances is None else relevances
        columns = _chosen(score, most, together)
    kind_of = _checked_kinds(kinds, d)
    rows_of = _imputed_rows(imputed, names, n)
    features = tuple(
        feature(names[j], X[:, j], kind_of[j], rows_of.get(names[j])) for j in columns
    )
    return ShownFeatures(features, columns, len(columns) == d)


def _chosen(score: Array, most: int, together: Sequence[Ints]) -> Ints:
    """Return sorted indices of the best features; columns are chosen as a whole."""
    first = np.arange(len(score))
    for features in together:
        first[features] = features[0]
    total = np.bincount(first, weights=score)
    size = np.bincount(first)
    chosen, room = [], most
    for j in np.argsort(-total, kind="stable"):
        if 0 < size[j] <= room:
            chosen.append(j)
            room -= size[j]
    return np.flatnonzero(np.isin(first, chosen))


def _checked_kinds(kinds: Sequence[Any] | None, d: int) -> list[FeatureKind | None]:
    """Return the kind of each feature; None means plain numbers."""
    if kinds is None or d == 0:
        return [None] * d
    if len(kinds) != d or any(kind not in (None, *KINDS) for kind in kinds):
        raise scene_error(
            "feature_kinds must be 'date', 'truth' or None for each of "
            f"the {d} features, got {shown(kinds)}.",
            "feature_kinds",
        )
    return list(kinds)


def _imputed_rows(
    imputed: Mapping[str, Any] | None, names: list[str], n: int
) -> dict[str, Indices]:
    """Return sorted indices of points with an imputed value, for each feature."""
    if imputed is None or not names:
        return {}
    if unknown := imputed.keys() - set(names):
        first = shown(min(unknown, key=str))
        raise scene_error(
            f"imputed contains {first}, which is not a feature. Its keys must be names "
            "of features, as in feature_names."
        )
    rows_of = {}
    for name, given in imputed.items():
        rows = np.unique(np.asarray(given))
        if len(rows) == 0:
            continue
        if rows.dtype.kind not in "iu" or rows[0] < 0 or rows[-1] >= n:
            raise scene_error(
                f"imputed must contain rows from 0 to {n - 1}, got "
                f"{shown(given)} for {name!r}.",
                "imputed",
            )
        rows_of[name] = rows.astype(np.uint32)
    return rows_of


def feature(
    name: str, column: Array, kind: FeatureKind | None, imputed: Indices | None = None
) -> records.Feature:
    """Return a feature with the numbers of all points, as stored in a scene."""
    widest = float(np.finfo(np.float32).max)
    known = np.where(np.isfinite(column), np.clip(column, -widest, widest), np.nan)
    values = known.astype(np.float32)
    # Over a long period, 16 bits are too coarse: a date could change by a day.
    held = values if kind == "date" else stored(values)
    return records.Feature(name, *range_of(values), held, kind, imputed)


def _scores(X: Array, codes: Array | None) -> Floats:
    """Return each feature's F value (ANOVA), or its variance if there are no labels."""
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


# Storage of columns: 16 bits for numbers, and the smallest type for indices.

MANY_POINTS = 20_000  # with more points, numbers are stored in 16 bits


def stored(values: Singles) -> Singles | records.Scaled:
    """Return numbers (n,) or (n, m) for storage, in 16 bits for many points."""
    if len(values) <= MANY_POINTS:
        return values
    return scaled(values, *range_of(values))


def range_of(values: Singles) -> tuple[float, float]:
    """Return the lowest and the highest finite number; 0 and 0 if there is none."""
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)


def scaled(values: Singles, low: float, high: float) -> records.Scaled:
    """Return numbers between low and high as 16-bit integers."""
    width = (high - low) or 1.0
    steps = np.rint((values.astype(np.float64) - low) / width * STEPS)
    codes = np.where(np.isfinite(steps), steps, MISSING).astype(np.uint16)
    return records.Scaled(codes, low, high)


def members(indices: Array, n_groups: int) -> Members:
    """Return group indices in the smallest type that also has a value for "none"."""
    kinds: tuple[Any, ...] = (np.uint8, np.uint16)
    for kind in kinds:
        most = np.iinfo(kind).max
        if n_groups < most:
            return np.minimum(indices, most).astype(kind)
    return indices.astype(np.uint32, copy=False)


def given_columns(columns: Any, n_points: int) -> tuple[ShownColumn, ...]:
    """Return columns to show, from a data frame, a dict, or records."""
    if columns is None:
        return ()
    is_list = isinstance(columns, Sequence) and not isinstance(columns, str)
    if isinstance(columns, Mapping) or hasattr(columns, "columns"):
        records = shown_columns(columns)
    elif is_list and all(isinstance(column, ShownColumn) for column in columns):
        records = tuple(columns)
    else:
        raise scene_error(
            "columns must be a data frame, a dict from names to values, or a list of "
            f"ShownColumn; got {shown(columns)}.",
            "columns",
        )
    for column in records:
        shape = np.shape(column.values)
        if shape != (n_points,):
            size = str(shape[0]) if len(shape) == 1 else f"an array of shape {shape}"
            raise scene_error(
                f"columns must have one value for each of the {n_points} points, got "
                f"{size} for {column.name!r}.",
                "columns",
            )
    return records


# Indices of categories have at most 16 bits, and one value means "none".
MOST_CATEGORIES = 65535


def checked_categories(
    categories: Sequence[Categories], n_features: int
) -> tuple[Categories, ...]:
    """Return categorical columns, after a check that each has its own features."""
    known = np.arange(n_features)
    for column in categories:
        if len(column.features) == 0 or not np.isin(column.features, known).all():
            raise scene_error(
                f"features of the column {column.name!r} in categories must be indices "
                f"from 0 to {n_features - 1}, because X has {n_features} features.",
                "categories",
            )
    owned = np.concatenate([[], *(column.features for column in categories)])
    if len(np.unique(owned)) < len(owned):
        raise scene_error(
            "categories assigns one feature of X to two columns.", "categories"
        )
    return tuple(categories)


def category_columns(
    categories: Sequence[Categories], X: Array, features: ShownFeatures | None
) -> list[records.SceneColumn]:
    """Return the categorical columns of X, with indices of their shown features."""
    index: dict[int, int] = {}
    imputed: dict[int, Any] = {}
    if features is not None:
        index = {int(j): k for k, j in enumerate(features.columns)}
        imputed = {j: features.features[k].imputed for j, k in index.items()}
    columns = []
    for column in categories:
        own = column.features.tolist()
        codes = column.of(X)
        for j in own:
            if imputed.get(j) is not None:
                codes[imputed[j]] = -1
        # The smallest type; its largest value means "none".
        kind = np.uint8 if len(column.words) < MANY_CLASSES else np.uint16
        known: Any = np.where(codes < 0, np.iinfo(kind).max, codes).astype(kind)
        coded = records.SceneColumn(column.name, words=column.words, codes=known)
        if index.keys() >= {*own}:
            coded = replace(
                coded,
                features=np.array([index[j] for j in own], dtype=np.uint32),
                patterns=column.codes.astype(np.float32),
            )
        columns.append(coded)
    return columns


def shown_only(column: ShownColumn) -> records.SceneColumn:
    """Return a column that is shown but is not a feature."""
    name, kind, values = column.name, column.kind, column.values
    if kind not in ("category", "text"):
        meaning: Any = None if kind == "number" else kind
        return records.SceneColumn(name, numbers=feature(name, values, meaning))
    words = {word for word in values if word is not None}
    if kind == "category" and len(words) < MOST_CATEGORIES:
        classes = Classes([str(word) for word in words])
        known = np.array([None if w is None else str(w) for w in values], dtype=object)
        return records.SceneColumn(
            name, words=classes.names, codes=classes.codes(known)
        )
    return records.SceneColumn(
        name,
        texts=records.Texts.of("" if word is None else str(word) for word in values),
    )


# Limit for all image files together, because memory holds several copies of a scene.
MOST_IMAGE_BYTES = 500_000_000
MOST_PIXEL_BYTES = 500_000_000


def check_length(name: str, given: Any, n_points: int) -> None:
    """Raise an error unless there is one entry per point."""
    if len(given) != n_points:
        raise scene_error(
            f"{name} must have one entry for each of the {n_points} "
            f"points, got {len(given)}."
        )


def scene_texts(
    name: str, given: Iterable[Any] | None, n_points: int
) -> records.Texts | None:
    """Return texts, one per point; None and NaN become empty texts."""
    if given is None:
        return None
    texts = [str(text) if is_label(text) else "" for text in given]
    check_length(name, texts, n_points)
    return records.Texts.of(texts)


def scene_thumbnails(given: Any, n_points: int) -> records.Thumbnails | None:
    """Return thumbnails as bytes; other types are scaled to the range 0 to 255."""
    if given is None:
        return None
    with numbers_in(given, owner="build_scene", name="thumbnails"):
        pixels = np.asarray(given)
    if pixels.ndim == 3:
        pixels = pixels[..., None]
    if pixels.ndim != 4 or pixels.shape[3] not in (1, 3) or 0 in pixels.shape[1:]:
        raise scene_error(
            "thumbnails must be an array of shape (n, height, width) or "
            f"(n, height, width, 3), got {np.shape(given)}.",
            "thumbnails",
        )
    check_length("thumbnails", pixels, n_points)
    if pixels.size > MOST_PIXEL_BYTES:
        raise scene_error(
            f"thumbnails take {pixels.size / 1e6:.0f} MB, but a scene contains at "
            f"most {MOST_PIXEL_BYTES / 1e6:.0f} MB of thumbnails. Make them smaller."
        )
    if pixels.dtype != np.uint8:
        with numbers_in(given, owner="build_scene", name="thumbnails"):
            values = pixels.astype(np.float32)
        if not np.isfinite(values).all():
            raise scene_error("thumbnails contain NaN or infinity.")
        low, high = values.min(initial=np.inf), values.max(initial=-np.inf)
        pixels = np.rint((values - low) / ((high - low) or 1.0) * 255.0)
    return records.Thumbnails(np.ascontiguousarray(pixels, dtype=np.uint8))


def scene_images(
    given: Sequence[str | os.PathLike[str] | None] | Array | None, n_points: int
) -> records.Images | None:
    """Return image files, read from their paths; None means no image."""
    if given is None:
        return None
    if isinstance(given, np.ndarray) and given.dtype.kind in "biuf":
        raise scene_error(
            f"images must be paths of files, got an array of shape {given.shape}. "
            "Pass pixels as thumbnails=…, an array of shape (n, height, width) or "
            "(n, height, width, 3).",
            "images",
        )
    check_length("images", given, n_points)
    parts, size = [], 0
    for row, path in enumerate(given):
        parts.append(b"" if path is None else _picture(path, row))
        size += len(parts[-1])
        if size > MOST_IMAGE_BYTES:
            raise scene_error(
                f"the images of the first {row + 1} of {n_points} points take over "
                f"{MOST_IMAGE_BYTES / 1e6:.0f} MB. Use smaller files, or thumbnails."
            )
    offsets = np.cumsum([0, *map(len, parts)]).astype(np.uint32)
    return records.Images(offsets, np.frombuffer(b"".join(parts), dtype=np.uint8))


def _picture(path: str | os.PathLike[str], row: int) -> bytes:
    check_argument("build_scene", f"the image of row {row}", path, path_rule())
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise scene_error(
            f"the image of row {row} cannot be read: {path} ({error.strerror})."
        ) from None
    begins = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
    if not data.startswith(begins) and (data[:4], data[8:12]) != (b"RIFF", b"WEBP"):
        raise scene_error(
            f"the image of row {row}, {path}, is not a PNG, JPEG, GIF or WebP file."
        )
    return data
