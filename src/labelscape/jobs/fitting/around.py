"""What stands around a fit: who is told of it, how long it takes, and its warnings."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from numpy.typing import NDArray

from labelscape._core.features import ConstantFeatures, constant_words
from labelscape._core.fits.progress import Callback


@contextmanager
def watched(estimator: Any, callback: Callback | None) -> Iterator[None]:
    """Let a fit report to ``callback``; later fits of the estimator do not."""
    # Others have callbacks too, with other arguments.
    is_ours = type(estimator).__module__.startswith("labelscape.")
    if not is_ours or "callback" not in estimator.get_params():
        yield
        return
    estimator.set_params(callback=callback and _Listener(callback))
    try:
        yield
    finally:
        estimator.set_params(callback=None)


class _Listener:
    """A callback that clones of an estimator share, with all that belongs to it."""

    def __init__(self, callback: Callback) -> None:
        self._callback = callback

    def __call__(self, told: Any) -> Any:
        return self._callback(told)

    def __deepcopy__(self, memo: dict[int, Any]) -> "_Listener":
        return self


class Clock:
    """Seconds of each step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, name: str) -> None:
        """Note how long the step took that ends now."""
        now = perf_counter()
        self.seconds[name] = round(now - self._last, 3)
        self._last = now


# Constant features by their names, which a fit to a matrix does not know.


@contextmanager
def constant_features_named(X: NDArray[Any], names: Sequence[str]) -> Iterator[None]:
    """Say which columns of X are constant, in place of what is fitted to them."""
    constant = X.min(axis=0) == X.max(axis=0)
    if constant.all():
        raise ValueError(
            "Every feature is constant: no two rows differ, so there is nothing to "
            "draw. Check that the right columns were given."
        )
    if constant.any():
        words = constant_words(constant, names)
        warnings.warn(f"{words}, and no use here.", ConstantFeatures, stacklevel=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConstantFeatures)
        yield
