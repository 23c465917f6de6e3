"""Who is near whom in the data: a measure for the view, or a list where it has none."""

import numpy as np

from labelscape._core.points.spaces import Dissimilarities, Points
from labelscape.scene._features import Shown, members, range_of, scaled
from labelscape.scene._inputs import Subject
from labelscape.scene._units import Matrix, Unit
from labelscape.scene.scene import Doubles, Neighbors

# How many neighbors are listed of each object, and of how many objects: a longer list
# would be too much to send, or take more than some seconds to find (n n d).
N_LISTED, MOST_LISTED, MOST_WORK = 10, 20_000, 20_000_000_000


def data_neighbors(seen: Subject, reader: Subject, shown: Shown) -> Neighbors | None:
    """Return how near objects are in the data; None where that is not known.

    ``seen`` are the data as the map sees them. Where all of their features are shown,
    those of ``reader``, the view measures by itself; else it is given a list.
    """
    if seen.X is None or seen.X.size == 0 or len(seen.X) < 2:
        return None
    unit = None if seen.is_precomputed else seen.units.unit
    weights = _weights(seen, reader) if shown.are_all else None
    if weights is not None:
        return Neighbors(unit, weights)
    return _listed(seen.X, unit, is_square=seen.is_precomputed)


def _weights(seen: Subject, reader: Subject) -> Doubles | None:
    """Return by what differences of shown features are multiplied, if that is all."""
    if seen.is_precomputed or not _are_equal(seen.shown, reader.shown):
        return None
    slopes = seen.units.slopes(seen.shown.shape[1])
    if slopes is None:
        return None
    with np.errstate(all="ignore"):
        weights: Doubles = np.abs(1.0 / slopes)
    return weights if np.isfinite(weights).all() else None


def _are_equal(one: Matrix, two: Matrix) -> bool:
    return one is two or bool(np.array_equal(one, two, equal_nan=True))


def _listed(X: Matrix, unit: Unit | None, *, is_square: bool) -> Neighbors | None:
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
    return Neighbors(
        unit, None, members(nearest, n), scaled(singles, *range_of(singles))
    )
