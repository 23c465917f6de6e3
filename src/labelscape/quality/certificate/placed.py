"""Accuracy of a map for rows that were not used to fit it."""

from typing import NamedTuple

import numpy as np
from numpy.random import RandomState

from labelscape._core.types import Array, Ints
from labelscape._resampling.chance import Interval, half_width, interval_around
from labelscape._resampling.voters import Voters

# Maximum number of tested rows, and minimum number of each class.
MOST_JUDGED, FEWEST_OF_CLASS = 20_000, 200


class PlacedScore(NamedTuple):
    """How well fitted rows predict the classes of placed rows near them.

    Attributes
    ----------
    unseen : float
        Balanced accuracy of the votes of the nearest fitted rows.
    interval : Interval
        99% interval for all placed rows.
    n_judged, n : int
        Numbers of tested rows and of all placed rows.
    """

    unseen: float
    interval: Interval
    n_judged: int
    n: int

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"Of the {self.n:,} rows that were not used to fit this map, "
            f"{self.unseen:.1%} get the right class from their neighbors (99% interval "
            f"{low:.1%} to {high:.1%}; {self.n_judged:,} rows tested)."
        )


def score_placed_rows(
    Z: Array,
    codes: Array,
    units: Ints,
    fitted: Ints,
    k: int,
    rng: RandomState,
    n_population: int | None = None,
) -> PlacedScore | None:
    """Return how well fitted neighbors predict placed rows; None if not testable."""
    # A row is not held out if another row of its unit was fitted. Z (n, q) is the map
    # of a random part of ``n_population`` rows.
    unseen = np.flatnonzero(~np.isin(units, units[fitted]))
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
    # Classes are drawn independently, so the squares of their errors add up.
    mean, width = float(np.mean(means)), float(np.linalg.norm(widths)) / len(widths)
    rest = len(unseen) if n_population is None else n_population - len(fitted)
    return PlacedScore(mean, interval_around(mean, width), n_judged, rest)
