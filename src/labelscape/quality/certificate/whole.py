"""What one map makes of the objects that it only placed: all of them, by some."""

from typing import Any, NamedTuple

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape.quality._intervals import half_width
from labelscape.quality.certificate.chance import Interval
from labelscape.quality.certificate.scores import Voters

# So many placed objects are looked at, and so many of each class if it has them.
MOST_JUDGED, FEWEST_OF_CLASS = 20_000, 200


class Whole(NamedTuple):
    """The share of placed objects that stand among landmarks of their class.

    Attributes
    ----------
    unseen : float
        Balanced: the mean over classes of the share that neighbours vote for.
    interval : Interval
        Within what that is for all placed objects, with 99 in 100.
    n_judged, n : int
        How many were looked at, and how many were placed.
    """

    unseen: float
    interval: Interval
    n_judged: int
    n: int

    def __str__(self) -> str:
        low, high = (100.0 * end for end in self.interval)
        return (
            f"On this map, {100.0 * self.unseen:.1f} % ({low:.1f} to {high:.1f}, "
            f"balanced) of the {self.n:,} rows that were placed stand among fitted "
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
) -> Whole | None:
    """Return what neighbours among fitted objects make of those that were placed.

    An object is not placed unseen if another of its unit was fitted.

    Parameters
    ----------
    Z : ndarray of shape (n, q)
        The map of all objects.
    codes, units : ndarray of int of shape (n,)
        Their classes and units.
    fitted : ndarray of int
        Those that the map was fitted to.
    k : int
        Number of neighbours that vote.
    rng : RandomState
        Draws those that are looked at.
    tolerance : float or None
        Look at so many that the interval reaches no farther; None: at 20,000.

    Returns
    -------
    Whole or None
        None if no object was placed unseen.
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
    count = MOST_JUDGED
    while True:
        found = _judged_some(voters, Z, codes, orders, count / len(unseen))
        width = (found.interval.high - found.interval.low) / 2.0
        if tolerance is None or width <= tolerance:
            return found
        count *= 2


def _judged_some(
    voters: Voters,
    Z: NDArray[Any],
    codes: NDArray[Any],
    orders: list[NDArray[np.intp]],
    share: float,
) -> Whole:
    """Return what neighbours make of the first objects of each class in an order."""
    means, widths, n_judged = [], [], 0
    for members in orders:
        wanted = max(FEWEST_OF_CLASS, int(share * len(members)))
        some = np.sort(members[:wanted])
        right = 1.0 * (voters.judge(Z[some]) == codes[some])
        means.append(right.mean())
        widths.append(half_width(right, len(members)))
        n_judged += len(some)
    # Classes are drawn one by one: their errors add up as squares do.
    mean, width = float(np.mean(means)), float(np.linalg.norm(widths)) / len(widths)
    n = sum(len(members) for members in orders)
    return Whole(mean, Interval(mean - width, mean + width), n_judged, n)
