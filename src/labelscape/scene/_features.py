"""The features of a scene: which of many, and how they are stored."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError, shown
from labelscape.scene._units import Matrix
from labelscape.scene.scene import (
    MISSING,
    STEPS,
    Feature,
    FeatureKind,
    Indices,
    Members,
    Scaled,
    Singles,
)

# Values that all features together may have; 20 features of 100,000 points.
MOST_VALUES = 2_000_000
# So many values tell which features say most.
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
