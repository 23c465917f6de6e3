"""Additional content of a map: arrows, borders, neighbors."""

from dataclasses import replace
from typing import Any

import numpy as np

from labelscape._core.checks import named_as
from labelscape._core.points.spaces import Dissimilarities, Points
from labelscape._core.threads import row_blocks
from labelscape._core.types import Array, Floats
from labelscape.scene import scene as records
from labelscape.scene._features import ShownFeatures, members, range_of, scaled
from labelscape.scene._inputs import Unwrapped
from labelscape.scene.scene import Doubles, Singles


def aligned(level: records.ClassLevel, drawn: records.SceneMap) -> records.ClassLevel:
    """Return the map of classes, rotated or mirrored to be similar to the drawn map."""
    pairs = [(level.object_positions, drawn.positions[level.objects])]
    if drawn.prototypes is not None:
        pairs.append((level.prototype_positions, drawn.prototypes))
    own, wanted = (
        np.vstack(side).astype(np.float64) for side in zip(*pairs, strict=True)
    )
    known = np.isfinite(wanted).all(axis=1)
    if not known.any():
        return level
    own, wanted = own[known], wanted[known] * drawn.stretch
    cross = (own - own.mean(axis=0)).T @ (wanted - wanted.mean(axis=0))
    U, _, Vt = np.linalg.svd(cross)
    return replace(
        level,
        object_positions=(level.object_positions @ (U @ Vt)).astype(np.float32),
        prototype_positions=(level.prototype_positions @ (U @ Vt)).astype(np.float32),
    )


# Attributes of linear maps. Other maps get no feature arrows, because placing samples
# on them may be slow.
DIRECTIONS = ("components_", "omega_", "scalings_", "x_rotations_")
# More arrows would be unreadable; arrows below this share of the longest are omitted.
MOST_ARROWS, SHORTEST = 8, 0.1
# Number of points to test whether a map is linear, and the allowed relative error.
TRIED, ROUNDING = 500, 1e-4


def feature_arrows(
    maker: Unwrapped, names: list[str], positions: Singles, stretch: tuple[float, float]
) -> records.Arrows | None:
    """Return the longest feature arrows; None if the map is not linear."""
    # An arrow shows how the mean sample moves if a feature increases by one standard
    # deviation.
    X, estimator = maker.X, maker.estimator
    may_be_linear = any(hasattr(estimator, name) for name in DIRECTIONS)
    may_be_linear &= hasattr(estimator, "transform") and not maker.is_precomputed
    if X is None or not may_be_linear or not np.isfinite(X).all():
        return None
    with np.errstate(all="ignore"):  # overflows give no arrows
        X = X.astype(np.float64)
        mean, spread = X.mean(axis=0), X.std(axis=0)
        if not np.isfinite(mean + spread).all():
            return None
        origin = _placed(estimator, mean[None])[0]
        vectors = _moved(estimator, mean, spread) - origin
        # Test: do the arrows predict the positions of the points?
        some = np.linspace(0, len(X) - 1, min(len(X), TRIED)).astype(int)
        gaps = X[some] - mean
        units = np.divide(gaps, spread, out=np.zeros_like(gaps), where=spread > 0)
        error = np.abs(origin + units @ vectors - positions[some]).max()
        is_linear = error <= ROUNDING * np.ptp(positions, axis=0).max()
    if not is_linear or not vectors.any():
        return None
    lengths = np.hypot(*(vectors * stretch).T)
    longest = np.argsort(-lengths, kind="stable")[:MOST_ARROWS]
    drawn = longest[lengths[longest] > SHORTEST * lengths.max()]
    return records.Arrows(
        origin=(float(origin[0]), float(origin[1])),
        features=tuple(names[j] for j in drawn),
        vectors=vectors[drawn].astype(np.float32),
    )


def _placed(estimator: Any, X: Array) -> Floats:
    """Return two map coordinates per sample; the second is 0 on a line."""
    Z = np.asarray(estimator.transform(named_as(estimator, X)), dtype=np.float64)
    return np.column_stack([Z, np.zeros(len(Z))])[:, :2]


def _moved(estimator: Any, mean: Array, spread: Array) -> Floats:
    """Return positions of the mean sample after an increase of each feature in turn."""
    d = len(mean)
    positions = np.empty((d, 2))
    for rows in row_blocks(d, 8 * d):
        features = np.arange(rows.start, rows.stop)
        samples = np.tile(mean, (len(features), 1))
        samples[features - rows.start, features] += spread[features]
        positions[rows] = _placed(estimator, samples)
    return positions


def border_rows(model: Unwrapped, record: records.SceneModel) -> Array | None:
    """Return model input: explained samples, changed just enough for another class."""
    # NaN if no change leads to another class; None if not all features are shown.
    known = record.explanations
    if known is None or known.changes.shape[1] != model.features.shape[1]:
        return None
    after = np.asarray(model.features[known.objects], dtype=np.float64) + known.changes
    rows = np.array(model.units.to_model(after), dtype=np.float64)
    rows[~np.isfinite(known.change_distances)] = np.nan
    return rows


# Number of listed neighbors per sample, maximum number of samples n, and maximum of
# n * n * d. Larger lists would be too large to send or too slow to compute.
N_LISTED, MOST_LISTED, MOST_WORK = 10, 20_000, 20_000_000_000


def data_neighbors(
    seen: Unwrapped, reader: Unwrapped, features: ShownFeatures
) -> records.Neighbors | None:
    """Return the neighbors of samples in the data; None if unknown."""
    # ``seen`` are the data as the map uses them. If all features of ``reader`` are
    # shown, the view computes distances; otherwise it gets a list.
    X, is_square = seen.X, seen.is_precomputed
    if X is None or X.size == 0 or len(X) < 2:
        return None
    unit = None if is_square else seen.units.unit
    weights = _weights(seen, reader) if features.are_all else None
    if weights is not None:
        return records.Neighbors(unit, weights)
    n, d = X.shape
    is_known = np.isfinite(X).all() and (n == d or not is_square)
    if not is_known or n > MOST_LISTED or (not is_square and n * n * d > MOST_WORK):
        return None
    space = Dissimilarities(X) if is_square else Points(X)
    nearest, _ = space.kneighbors(min(N_LISTED, n - 1))
    own = np.repeat(np.arange(n), nearest.shape[1])
    distances = space.pairs(own, nearest.ravel()).reshape(nearest.shape)
    with np.errstate(over="ignore"):
        singles = distances.astype(np.float32)
    return records.Neighbors(
        unit, None, members(nearest, n), scaled(singles, *range_of(singles))
    )


def _weights(seen: Unwrapped, reader: Unwrapped) -> Doubles | None:
    """Return the weights of features in distances; None if there are none."""
    if seen.is_precomputed or not (
        seen.features is reader.features
        or np.array_equal(seen.features, reader.features, equal_nan=True)
    ):
        return None
    slopes = seen.units.slopes(seen.features.shape[1])
    if slopes is None:
        return None
    with np.errstate(all="ignore"):
        weights: Doubles = np.abs(1.0 / slopes)
    return weights if np.isfinite(weights).all() else None
