"""Arrows on linear maps: where objects with a larger value of a feature lie."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.features import named_as
from labelscape._core.threads import row_blocks
from labelscape.scene._inputs import Subject
from labelscape.scene._units import Matrix
from labelscape.scene.scene import Arrows, Singles

# Where linear maps keep their directions. Others are not tried: to place objects may
# take them long.
DIRECTIONS = ("components_", "omega_", "scalings_", "x_rotations_")
# More arrows could not be read; shorter ones than this part of the longest say nothing.
MOST_ARROWS, SHORTEST = 8, 0.1
# So many points tell whether the map is linear, up to single precision.
TRIED, ROUNDING = 500, 1e-4


def feature_arrows(
    maker: Subject,
    names: list[str],
    positions: Singles,
    stretch: tuple[float, float] = (1.0, 1.0),
) -> Arrows | None:
    """Return the longest arrows as they are drawn; None where the map is not linear.

    An arrow goes from the place of the mean object to where one would stand that has
    one standard deviation more of a feature.
    """
    X = maker.X
    if X is None or not _may_be_linear(maker) or not np.isfinite(X).all():
        return None
    with np.errstate(all="ignore"):  # what is too large makes no arrows
        found = _directions(maker.estimator, X.astype(np.float64), positions)
    if found is None:
        return None
    origin, vectors = found
    lengths = np.hypot(*(vectors * stretch).T)
    longest = np.argsort(-lengths, kind="stable")[:MOST_ARROWS]
    shown = longest[lengths[longest] > SHORTEST * lengths.max()]
    return Arrows(
        origin=(float(origin[0]), float(origin[1])),
        features=tuple(names[j] for j in shown),
        vectors=vectors[shown].astype(np.float32),
    )


def _directions(
    estimator: Any, X: Matrix, positions: Singles
) -> tuple[Matrix, Matrix] | None:
    """Return where the mean object stands, and where each feature (d, 2) leads."""
    mean, spread = X.mean(axis=0), X.std(axis=0)
    if not np.isfinite(mean + spread).all():
        return None
    origin = _placed(estimator, mean[None])[0]
    vectors = _moved(estimator, mean, spread) - origin
    is_linear = _is_linear(X, mean, spread, origin, vectors, positions)
    return (origin, vectors) if is_linear and vectors.any() else None


def _may_be_linear(maker: Subject) -> bool:
    keeps = any(hasattr(maker.estimator, name) for name in DIRECTIONS)
    return keeps and hasattr(maker.estimator, "transform") and not maker.is_precomputed


def _placed(estimator: Any, X: Matrix) -> NDArray[np.float64]:
    """Return the first two coordinates of objects on the map; a missing one is 0."""
    Z = np.asarray(estimator.transform(named_as(estimator, X)), dtype=np.float64)
    return np.column_stack([Z, np.zeros(len(Z))])[:, :2]


def _moved(estimator: Any, mean: Matrix, spread: Matrix) -> NDArray[np.float64]:
    """Return where mean objects (d, 2) stand with more of one feature, each in turn."""
    d = len(mean)
    places = np.empty((d, 2))
    for rows in row_blocks(d, 8 * d):
        features = np.arange(rows.start, rows.stop)
        objects = np.tile(mean, (len(features), 1))
        objects[features - rows.start, features] += spread[features]
        places[rows] = _placed(estimator, objects)
    return places


def _is_linear(
    X: Matrix,
    mean: Matrix,
    spread: Matrix,
    origin: Matrix,
    vectors: Matrix,
    positions: Singles,
) -> bool:
    """Return whether the arrows lead to where the points stand."""
    some = np.linspace(0, len(X) - 1, min(len(X), TRIED)).astype(int)
    gaps = X[some] - mean
    units = np.divide(gaps, spread, out=np.zeros_like(gaps), where=spread > 0)
    gap = np.abs(origin + units @ vectors - positions[some]).max()
    return bool(gap <= ROUNDING * np.ptp(positions, axis=0).max())
