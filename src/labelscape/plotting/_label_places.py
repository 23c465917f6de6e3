"""Where to write labels so that none covers another."""

import numpy as np

# Steps away from the wanted place that are tried, and their length relative to the
# height of a label.
RINGS, STEP, DIRECTIONS = 40, 0.6, 16


def free_places(wanted, sizes, bounds, *, obstacles=None):
    """Return centres of boxes near the wanted ones, such that no two overlap.

    Parameters
    ----------
    wanted : ndarray of shape (n, 2)
        Where the boxes want to be.
    sizes : ndarray of shape (n, 2)
        Their widths and heights.
    bounds : tuple (left, bottom, right, top)
        They stay inside.
    obstacles : ndarray of shape (m, 4), default=None
        Places to be kept clear, as (x, y, width, height) around their centres.

    Returns
    -------
    ndarray of shape (n, 2)
        One box after the other takes the nearest free place; sideways counts half,
        because labels are wide. A box for which there is no room stays where it wants
        to be.

    Examples
    --------
    >>> import numpy as np
    >>> wanted, sizes = np.array([[5.0, 5], [5, 5]]), np.full((2, 2), 2.0)
    >>> free_places(wanted, sizes, (0, 0, 10, 10)).round(1)
    array([[5. , 5. ],
           [2.8, 5.5]])
    """
    sizes = np.asarray(sizes, dtype=np.float64)
    low = np.array(bounds[:2]) + sizes / 2
    high = np.maximum(np.array(bounds[2:]) - sizes / 2, low)
    places = np.clip(np.asarray(wanted, dtype=np.float64), low, high)
    taken = [] if obstacles is None else [tuple(box) for box in obstacles]
    for i, size in enumerate(sizes):
        tried = np.clip(places[i] + STEP * size[1] * _OFFSETS, low[i], high[i])
        free = _free(tried, size, np.array(taken).reshape(-1, 4))
        if free.any():
            places[i] = tried[free.argmax()]
        taken.append((*places[i], *size))
    return places


def _free(centres, size, taken):
    """Whether a box of this size overlaps none of the taken ones, for each centre."""
    gaps = np.abs(centres[:, None] - taken[None, :, :2])
    reach = (size + taken[:, 2:]) / 2 - 1e-9
    return ~(gaps < reach).all(axis=2).any(axis=1)


def _offsets():
    """Return steps away from a place, nearest first: upwards, then around."""
    angles = np.pi / 2 + np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS
    around = np.column_stack([2.0 * np.cos(angles), np.sin(angles)])
    rings = np.arange(1, RINGS + 1)[:, None, None] * around
    return np.vstack([[[0.0, 0.0]], rings.reshape(-1, 2)])


_OFFSETS = _offsets()
