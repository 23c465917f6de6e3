"""A map while it is being fitted, a few times per second."""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

import numpy as np

# Often enough to look smooth, seldom enough not to hold up the fit.
SECONDS_BETWEEN = 0.1


class Forming:
    """Passes positions of a forming map on, and how far the fit is.

    Parameters
    ----------
    show : callable
        Given the positions as bytes (float32, one pair per point) and words.
    n_points : int
        Number of points.
    """

    def __init__(self, show: Callable[[bytes, str], None], n_points: int) -> None:
        self._show, self._n_points = show, n_points
        self._last = -np.inf

    def __call__(self, news: Mapping[str, Any]) -> None:
        """Take what a fit tells of one iteration."""
        Z = news.get("embedding")
        if Z is None or monotonic() - self._last < SECONDS_BETWEEN:
            return
        self._last = monotonic()
        self._show(self._positions(Z), words(news))

    def _positions(self, Z: Any) -> bytes:
        Z = np.asarray(Z, dtype=np.float32)
        if Z.ndim != 2 or len(Z) != self._n_points:
            raise ValueError(
                f"callback: the map that is being fitted has shape {Z.shape}, and "
                f"{self._n_points} points are shown. Fit it to the same data."
            )
        plane = np.zeros((len(Z), 2), dtype=np.float32)
        width = min(2, Z.shape[1])
        plane[:, :width] = Z[:, :width]
        return plane.tobytes()


def words(news: Mapping[str, Any]) -> str:
    """Return the numbers that a fit tells, as words.

    Examples
    --------
    >>> words({"iteration": 12, "stress": 0.03217, "embedding": None})
    'iteration 12, stress 0.03217'
    """
    return ", ".join(
        f"{name.replace('_', ' ')} {value:.4g}"
        if isinstance(value, float)
        else f"{name} {value}"
        for name, value in news.items()
        if isinstance(value, int | float)
    )
