"""How long columns are stored: 16 bits for numbers, no more than needed for indices."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape.scene.scene import MISSING, STEPS, Members, Scaled, Singles

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
    """Return numbers between low and high in 16 bits.

    Examples
    --------
    >>> column = np.array([0.0, 1.0, np.nan, 4.0], dtype=np.float32)
    >>> scaled(column, 0.0, 4.0).numbers.round(3).tolist()
    [0.0, 1.0, nan, 4.0]
    """
    width = (high - low) or 1.0
    steps = np.rint((values.astype(np.float64) - low) / width * STEPS)
    there = np.isfinite(steps)
    codes = np.where(there, steps, MISSING).astype(np.uint16)
    return Scaled(codes, low, high)


def members(indices: NDArray[Any], n_groups: int) -> Members:
    """Return indices of groups in the smallest type that also has a "none".

    Examples
    --------
    >>> members(np.array([0, 2]), 3).dtype, members(np.array([0, 2]), 300).dtype
    (dtype('uint8'), dtype('uint16'))
    """
    for kind in (np.uint8, np.uint16):
        most = np.iinfo(kind).max
        if n_groups < most:
            few: Members = np.minimum(indices, most).astype(kind)
            return few
    return indices.astype(np.uint32, copy=False)
