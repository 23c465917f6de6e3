"""Repeated fits of a map to parts of the samples."""

import inspect
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.random import RandomState
from sklearn.base import clone

from labelscape._core.checks import ConstantFeatures
from labelscape._core.errors import InputError, InputWarning
from labelscape._core.threads import WhileInside, ignored, map_blocks, n_workers
from labelscape._core.types import Array, Floats
from labelscape._resampling.label_signal import LabelsSayNothing

# Modules whose fits do not share state, so that they can run in threads.
KNOWN = (
    "labelscape.",
    *(
        f"sklearn.{name}."
        for name in ("compose", "impute", "pipeline", "preprocessing")
    ),
)


def drawn_seed(rng: RandomState) -> int:
    """Return a seed for one of many fits."""
    return int(rng.randint(np.iinfo(np.int32).max))


def in_turn(
    make: Callable[[Any], Any],
    fits: Iterable[Any],
    report: Callable[[int, Any], bool],
    n_jobs: int | None = None,
    *,
    share_threads: bool = False,
) -> list[Any]:
    """Return ``make(fit)`` for each fit, in their order.

    Fits run in ``n_jobs`` processes; by default in threads, if that is safe. ``report``
    is called with the index and result of each fit, and returns whether to stop. Each
    warning is repeated once at the end, with the number of fits that raised it.
    """
    turns = _Turns(make, report)
    if share_threads and n_jobs is None:
        with expected_ignored(), _recording:
            map_blocks(turns.take, enumerate(fits))
    else:
        # One fit at a time, because a batch of fast fits would delay the callback.
        run = Parallel(n_jobs=n_workers(n_jobs), batch_size=1, return_as="generator")
        alone = delayed(_recorded_alone)
        left = (alone(make, fit) for fit in turns.until_stopped(fits))
        for i, done in enumerate(run(left)):
            turns.keep(i, done)
    for place, warning in turns.first.items():
        warnings.warn(_counted(warning, turns.counts[place]), stacklevel=2)
    return turns.results


class _Turns:
    """Results and warnings of fits that end in any order, reported in order."""

    def __init__(
        self, make: Callable[[Any], Any], report: Callable[[int, Any], bool]
    ) -> None:
        self._make = make
        self.results: list[Any] = []
        self.counts, self.first = Counter[Any](), dict[Any, Warning]()
        self._report, self._is_stopped = report, False
        self._early, self._lock = dict[int, Any](), threading.Lock()

    def until_stopped(self, fits: Iterable[Any]) -> Iterator[Any]:
        """Yield fits until the callback requests a stop, but at least one."""
        for i, fit in enumerate(fits):
            if i and self._is_stopped:
                return
            yield fit

    def take(self, turn: tuple[int, Any]) -> None:
        """Run one fit in this thread."""
        i, fit = turn
        if not (i and self._is_stopped):
            self.keep(i, _recorded(self._make, fit))

    def keep(self, i: int, done: tuple[Any, list[Any]]) -> None:
        """Store a result, and report it after all earlier ones."""
        with self._lock:
            self._early[i] = done
            while (i := len(self.results)) in self._early:
                result, warned = self._early.pop(i)
                self.results.append(result)
                for place, warning in warned:
                    self.first.setdefault(place, warning)
                self.counts.update({place for place, _ in warned})
                self._is_stopped = self._report(i, result) or self._is_stopped


# Each context records its own warnings, because a user's threads may test maps at once.
# Filters and `showwarning` belong to the process, and are changed while any thread is
# inside `_recording`; other threads show their warnings as before.
_log: ContextVar[list[Any] | None] = ContextVar("log", default=None)
_show_elsewhere: Any = warnings.showwarning


class _OfLog(type):
    """Makes a category of warnings empty except where warnings are recorded."""

    recorded: Any  # a category, or several

    def __subclasscheck__(cls, category: type) -> bool:
        return _log.get() is not None and issubclass(category, cls.recorded)


def _where_recorded(categories: Any) -> Any:
    return _OfLog("WhereRecorded", (Warning,), {"recorded": categories})


@contextmanager
def _recorder() -> Iterator[None]:
    filters: Any = warnings.filters
    for f in list(filters):
        if f[0] in ("default", "module", "once"):
            always = "always", f[1], _where_recorded(f[2]), *f[3:]
            filters.insert(filters.index(f), always)
    warnings.simplefilter("always", _where_recorded(Warning), append=True)
    global _show_elsewhere
    if warnings.showwarning is not _show:
        _show_elsewhere = warnings.showwarning
    show: Any = _show
    warnings.showwarning = show
    try:
        yield
    finally:
        filters = warnings.filters
        filters[:] = [f for f in filters if not isinstance(f[2], _OfLog)]
        if warnings.showwarning is _show:
            warnings.showwarning = _show_elsewhere


def _show(message: Any, category: Any, filename: str, lineno: int, *_: Any) -> None:
    log = _log.get()
    if log is None:
        _show_elsewhere(message, category, filename, lineno, *_)
    else:
        log.append(((category, filename, lineno), message))


_recording = WhileInside(_recorder)


def expected_ignored() -> AbstractContextManager[None]:
    """Ignore warnings that are expected for parts of a table and shuffled labels."""
    # The report contains the result for shuffled labels, which have no signal. Runtime
    # warnings are, for example, divisions by a variance of 0; positions are checked
    # later. Features that are constant in a part of the rows may vary in all of them.
    return ignored(LabelsSayNothing, RuntimeWarning, ConstantFeatures)


def _recorded(make: Callable[[Any], Any], fit: Any) -> tuple[Any, list[Any]]:
    """Return the result of a fit, and its warnings with their code lines."""
    log: list[Any] = []
    before = _log.set(log)
    try:
        return make(fit), log
    finally:
        _log.reset(before)


def _recorded_alone(make: Callable[[Any], Any], fit: Any) -> Any:
    with expected_ignored(), _recording:
        return _recorded(make, fit)


def share_threads(estimator: Any) -> bool:
    """Return whether copies of an estimator can safely be fitted in threads.

    Threads are safe for our estimators, and scalers and imputers of scikit-learn.
    """
    if not hasattr(estimator, "get_params"):
        return False  # it cannot be copied; the fit raises the error
    values = [estimator, *estimator.get_params().values()]
    parts = [f"{type(one).__module__}." for one in values if hasattr(one, "get_params")]
    return all(name.startswith(KNOWN) for name in parts) and not any(
        map(callable, values)
    )


def _counted(warning: Warning, n_fits: int) -> Warning:
    """Return a warning with the number of fits that raised it, if more than one."""
    if n_fits == 1:
        return warning
    words = f" (In {n_fits} fits.)"
    if isinstance(warning, InputWarning):
        return InputWarning(*warning.parts, words)
    return type(warning)(f"{warning}{words}")


def with_transform(estimator: Any, *, owner: str) -> Any:
    """Return the estimator, or a `KernelMap` of it if it has no ``transform``."""
    if hasattr(estimator, "transform"):
        return estimator
    if not hasattr(estimator, "fit"):
        raise TypeError(
            f"{owner}: {type(estimator).__name__} has no fit method, so it is not an "
            "estimator. Pass a map such as LFDA() or TSNE()."
        )
    # Imported here, because maps are in a higher layer, and most scores do not need
    # them.
    from labelscape.embeddings import KernelMap

    return KernelMap(estimator)


def seeded_clone(estimator: Any, seed: int | None) -> Any:
    """Return an unfitted copy, with a seed for all parts that have none."""
    model = clone(estimator)
    unset = {
        name: None if seed is None else int(seed)
        for name, value in model.get_params().items()
        if name.split("__")[-1] == "random_state" and value is None
    }
    return model.set_params(**unset)


def own_map(
    model: Any, X: Array, labels: Array | None, units: Array, *, owner: str
) -> Floats:
    """Fit a map; return the positions of its training points."""
    takes_groups = "groups" in inspect.signature(model.fit).parameters
    known = {"groups": units} if takes_groups else {}
    # A part of a table may have too few rows for the perplexity of the map.
    most = (len(X) - 1) / 3
    for name, value in model.get_params().items():
        if name.split("__")[-1] == "perplexity" and isinstance(value, int | float):
            model.set_params(**{name: min(value, most)})
    model.fit(X, labels, **known)
    Z = getattr(model, "embedding_", None)
    return places(model, model.transform(X) if Z is None else Z, len(X), owner=owner)


def places(model: Any, Z: Any, n: int, *, owner: str) -> Floats:
    """Return the positions that a map returned for n points, after a check."""
    at: Floats = np.ascontiguousarray(np.asarray(Z), dtype=np.float64)
    if at.ndim != 2 or len(at) != n or at.shape[1] == 0:
        raise InputError(
            f"{type(model).__name__} returned an array of shape {at.shape} for the "
            f"positions of {n} points. It must return one row per point.",
            owner=owner,
        )
    lost = np.flatnonzero(~np.isfinite(at).all(axis=1))
    if len(lost):
        raise InputError(
            f"{type(model).__name__} placed {len(lost)} of {n} points at NaN "
            f"or infinity, the first in row {lost[0]}. Check its parameters, and the "
            "scale of X.",
            owner=owner,
        )
    return at
