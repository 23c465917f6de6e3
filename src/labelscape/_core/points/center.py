"""The middle of data: about it, products of coordinates lose the fewest digits."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# The mean is dragged away if it is so many usual distances from the median.
DRAGGED = 1e4
# The median of so many rows tells what is usual.
FEW = 100


def middle(X: NDArray[Any]) -> NDArray[np.float64]:
    """Return the mean (d,) of the rows, or a median where far rows drag the mean away.

    Counted from a mean far away from them, all other rows would be the same to the last
    digit. One fill value of 1e20 is enough for that.
    """
    mean: NDArray[np.float64] = X.mean(axis=0, dtype=np.float64)
    for rows in (X[:: -(-len(X) // FEW)], X):  # all, if the few are copies of one
        median: NDArray[np.float64] = np.median(rows.astype(np.float64), axis=0)
        gaps = np.sqrt(np.square(rows - median).sum(axis=1))
        if gaps.any():
            usual = np.median(gaps[gaps > 0.0])
            dragged = np.sqrt(np.square(mean - median).sum()) > DRAGGED * usual
            return median if dragged else mean
    return mean
