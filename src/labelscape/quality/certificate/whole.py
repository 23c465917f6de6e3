"""What one map makes of the objects that it was not fitted to: all of them, by some."""

from typing import Any, NamedTuple

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape.quality._intervals import half_width, interval, reach
from labelscape.quality.certificate.chance import Interval
from labelscape.quality.certificate.scores import Voters

# So many placed objects are looked at, and so many of each class if it has them.
MOST_JUDGED, FEWEST_OF_CLASS = 20_000, 200


class Whole(NamedTuple):
    """The share of objects, not fitted, that stand among fitted ones of their class."""

    # Balanced: the mean over classes of the share that neighbours vote for.
    unseen: float
    # Within what that is for all of them, with 99 in 100.
    interval: Interval
    # How many were looked at, and how many there are.
    n_judged: int
    n: int

    def __str__(self) -> str:
        low, high = (100.0 * end for end in self.interval)
        return (
            f"On this map, {100.0 * self.unseen:.1f} % ({low:.1f} to {high:.1f}, "
            f"balanced) of the {self.n:,} rows that it was not fitted to stand among "
            f"rows of their class, by {self.n_judged:,} of them."
        )


def judged_whole(
    Z: NDArray[Any],
    codes: NDArray[Any],
    units: NDArray[np.intp],
    fitted: NDArray[np.intp],
    k: int,
    rng: RandomState,
    tolerance: float | None = None,
    n_whole: int | None = None,
) -> Whole | None:
    """Return what neighbours among fitted objects make of those that were placed.

    An object is not placed unseen if another of its unit was fitted.

    Shapes: Z (n, q), codes, units (n,).
    """
    is_unseen = ~np.isin(units, units[fitted])
    unseen = np.flatnonzero(is_unseen)
    if not len(unseen):
        return None
    n_classes = int(codes.max()) + 1
    k = min(k, len(fitted))
    voters = Voters(Z[fitted], codes[fitted], units[fitted], n_classes, k)
    orders = [
        rng.permutation(unseen[codes[unseen] == c]) for c in np.unique(codes[unseen])
    ]
    count, times = MOST_JUDGED, 1.0 if n_whole is None else n_whole / len(Z)
    while True:
        found = _judged_some(voters, Z, codes, orders, count / len(unseen), times)
        width = reach(found.unseen, found.interval)
        if tolerance is None or width <= tolerance or count >= len(unseen):
            rest = len(unseen) if n_whole is None else n_whole - len(fitted)
            return found._replace(n=rest)
        count *= 2


def _judged_some(
    voters: Voters,
    Z: NDArray[Any],
    codes: NDArray[Any],
    orders: list[NDArray[np.intp]],
    share: float,
    times: float,
) -> Whole:
    """Return what neighbours make of the first objects of each class in an order.

    Of each class there are so many ``times`` as many as in its order.
    """
    means, widths, n_judged = [], [], 0
    for members in orders:
        wanted = max(FEWEST_OF_CLASS, int(share * len(members)))
        some = np.sort(members[:wanted])
        right = 1.0 * (voters.judge(Z[some]) == codes[some])
        means.append(right.mean())
        widths.append(half_width(right, times * len(members)))
        n_judged += len(some)
    # Classes are drawn one by one: their errors add up as squares do.
    mean, width = float(np.mean(means)), float(np.linalg.norm(widths)) / len(widths)
    return Whole(mean, Interval(*interval(mean, width)), n_judged, n_judged)
