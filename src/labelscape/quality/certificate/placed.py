"""What one map makes of the rows that it was not fitted to: all of them, by some."""

from typing import Any, NamedTuple

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape._resampling.intervals import (
    Interval,
    half_width,
    interval_around,
)
from labelscape._resampling.voters import Voters

# At most this many placed rows are judged; of each class this many, if it has them.
MOST_JUDGED, FEWEST_OF_CLASS = 20_000, 200


class PlacedScore(NamedTuple):
    """The share of rows, not fitted, whose nearest fitted rows have their class.

    Attributes
    ----------
    unseen : float
        Balanced: the mean over classes of the share that neighbors vote for.
    interval : Interval
        99 % interval of that for all of them.
    n_judged, n : int
        How many were judged, and how many there are.
    """

    unseen: float
    interval: Interval
    n_judged: int
    n: int

    def __str__(self) -> str:
        low, high = (100.0 * end for end in self.interval)
        return (
            f"On this map, {100.0 * self.unseen:.1f} % ({low:.1f} to {high:.1f}, "
            f"balanced) of the {self.n:,} rows that it was not fitted to are among "
            f"rows of their class, by {self.n_judged:,} of them."
        )


def score_placed_rows(
    Z: NDArray[Any],
    codes: NDArray[Any],
    units: NDArray[np.intp],
    fitted: NDArray[np.intp],
    k: int,
    rng: RandomState,
    n_population: int | None = None,
) -> PlacedScore | None:
    """Return what neighbors among fitted rows make of those that were placed.

    A row is not held out if another one of its unit was fitted. ``n_population`` is the
    number of rows of which Z is a random part.

    Shapes: Z (n, q), codes, units (n,).
    """
    is_unseen = ~np.isin(units, units[fitted])
    unseen = np.flatnonzero(is_unseen)
    if not len(unseen):
        return None
    n_classes = int(codes.max()) + 1
    k = min(k, len(fitted))
    voters = Voters(Z[fitted], codes[fitted], units[fitted], n_classes, k)
    share = MOST_JUDGED / len(unseen)
    times = 1.0 if n_population is None else n_population / len(Z)
    means, widths, n_judged = [], [], 0
    for c in np.unique(codes[unseen]):
        members = rng.permutation(unseen[codes[unseen] == c])
        some = np.sort(members[: max(FEWEST_OF_CLASS, int(share * len(members)))])
        right = 1.0 * (voters.judge(Z[some]) == codes[some])
        means.append(right.mean())
        widths.append(half_width(right, times * len(members)))
        n_judged += len(some)
    # Classes are drawn one by one: their errors add up as squares do.
    mean, width = float(np.mean(means)), float(np.linalg.norm(widths)) / len(widths)
    rest = len(unseen) if n_population is None else n_population - len(fitted)
    return PlacedScore(mean, interval_around(mean, width), n_judged, rest)
