"""A map while it is being fitted, a few times per second."""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

import numpy as np

from labelscape._core.errors import InputError
from labelscape.scene._internal import two_columns

# Often enough to look smooth, seldom enough not to hold up the fit.
SECONDS_BETWEEN = 0.1


class Forming:
    """Passes positions of a forming map on, and how far the fit is."""

    def __init__(self, show: Callable[[bytes, str], None], n_points: int) -> None:
        self._show, self._n_points = show, n_points
        self._pace = Pace(SECONDS_BETWEEN)

    def __call__(self, news: Mapping[str, Any]) -> None:
        """Take what a fit tells of one iteration."""
        Z = news.get("embedding")
        if Z is None or not self._pace.is_due():
            return
        if np.ndim(Z) != 2 or len(Z) != self._n_points:
            raise InputError(
                f"the map that is being fitted has shape {np.shape(Z)}, and "
                f"{self._n_points} points are shown. Fit it to the same data.",
                owner="callback",
            )
        self._show(pairs(Z), words(news))


class Pace:
    """Says when it is time for the next picture."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last = -np.inf

    def is_due(self) -> bool:
        """Whether so long has passed since it was due the last time."""
        now = monotonic()
        if now - self._last < self._seconds:
            return False
        self._last = now
        return True


def pairs(Z: Any) -> bytes:
    """Return a map as float32, one pair per point, also if it has one dimension."""
    return two_columns(np.asarray(Z)).tobytes()


def words(news: Mapping[str, Any]) -> str:
    """Return the numbers that a fit tells, as words, each once."""
    numbers = {
        name: value for name, value in news.items() if isinstance(value, int | float)
    }
    # The method's own names for iteration and loss are there, too.
    if "iteration" in numbers:
        numbers.pop("epoch", None)
    loss = numbers.pop("loss", None)
    if loss is not None and loss not in numbers.values():
        numbers["loss"] = loss
    return ", ".join(
        f"{name.replace('_', ' ')} {value:.4g}"
        if isinstance(value, float)
        else f"{name} {value}"
        for name, value in numbers.items()
    )
