"""Maps that are fitted again to a part of the samples."""

import inspect
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from threading import Event
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.random import RandomState
from sklearn.base import clone

from labelscape._core.checks import ConstantFeatures
from labelscape._core.errors import InputError, InputWarning
from labelscape._core.threads import n_workers
from labelscape._core.types import Array, Floats
from labelscape._resampling.label_signal import LabelsSayNothing


def drawn_seed(rng: RandomState) -> int:
    """Return a seed for one of many fits."""
    return int(rng.randint(np.iinfo(np.int32).max))


def in_turn(
    orders: Iterable[Any], n_jobs: int | None, report: Callable[[int, Any], bool]
) -> Iterator[Any]:
    """Yield the results of delayed functions, in their order, by several processes."""
    # ``report`` gets the number and the result of each, and returns whether to start no
    # others. Warnings are repeated once, at the end, with the number of fits that gave
    # them.
    stop, counts = Event(), Counter[Any]()
    first: dict[Any, Warning] = {}

    def begun() -> Iterator[Any]:
        for i, order in enumerate(orders):
            if i and stop.is_set():
                return
            yield delayed(_with_warnings)(*order)

    # One fit at a time, or a batch of quick ones would outrun the callback.
    run = Parallel(n_jobs=n_workers(n_jobs), batch_size=1, return_as="generator")
    for i, (result, warned) in enumerate(run(begun())):
        for place, warning in warned:
            first.setdefault(place, warning)
        counts.update({place for place, _ in warned})
        if report(i, result):
            stop.set()
        yield result
    for place, warning in first.items():
        warnings.warn(_counted(warning, counts[place]), stacklevel=3)


def _with_warnings(
    function: Callable[..., Any], args: Any, kwargs: Any
) -> tuple[Any, list[tuple[Any, Warning]]]:
    """Return the result of a function, and its warnings with the place of each."""
    with warnings.catch_warnings(record=True) as caught:
        result = function(*args, **kwargs)
    warned = [
        ((one.category, one.filename, one.lineno), one.message)
        for one in caught
        if isinstance(one.message, Warning)
    ]
    return result, warned


def _counted(warning: Warning, n_fits: int) -> Warning:
    """Return a warning that says how many fits gave it, if several did."""
    if n_fits == 1:
        return warning
    words = f" (In {n_fits} fits.)"
    if isinstance(warning, InputWarning):
        return InputWarning(*warning.parts, words)
    return type(warning)(f"{warning}{words}")


def with_transform(estimator: Any, *, owner: str) -> Any:
    """Return the estimator, or its kernel map if it cannot place new points itself."""
    if hasattr(estimator, "transform"):
        return estimator
    if not hasattr(estimator, "fit"):
        raise TypeError(
            f"{owner}: {type(estimator).__name__} has no fit method, so it is not an "
            "estimator. Pass one such as LFDA() or TSNE()."
        )
    # Imported here: maps are a floor above, and not needed by most scores.
    from labelscape.embeddings import KernelMap

    return KernelMap(estimator)


def seeded_clone(estimator: Any, seed: int) -> Any:
    """Return an unfitted copy, with a seed for all parts that have none."""
    model = clone(estimator)
    unset = {
        name: int(seed)
        for name, value in model.get_params().items()
        if name.split("__")[-1] == "random_state" and value is None
    }
    return model.set_params(**unset)


def own_map(
    model: Any, X: Array, labels: Array | None, units: Array, *, owner: str
) -> Floats:
    """Fit a map; return the positions of the points that it was fitted to."""
    takes_groups = "groups" in inspect.signature(model.fit).parameters
    known = {"groups": units} if takes_groups else {}
    # Parts of a table may have too few rows for the perplexity of its map.
    most = (len(X) - 1) / 3
    for name, value in model.get_params().items():
        if name.split("__")[-1] == "perplexity" and isinstance(value, int | float):
            model.set_params(**{name: min(value, most)})
    with warnings.catch_warnings():
        # The verdict says so, and shuffled labels carry no signal.
        warnings.simplefilter("ignore", LabelsSayNothing)
        # Such as a division by a variance of 0: the positions are checked.
        warnings.simplefilter("ignore", RuntimeWarning)
        # Features that are constant in a part may vary in all samples.
        warnings.simplefilter("ignore", ConstantFeatures)
        model.fit(X, labels, **known)
    Z = getattr(model, "embedding_", None)
    return places(model, model.transform(X) if Z is None else Z, len(X), owner=owner)


def new_places(model: Any, X: Array, *, owner: str) -> Floats:
    """Return the positions of new points on a fitted map."""
    return places(model, model.transform(X), len(X), owner=owner)


def places(model: Any, Z: Any, n: int, *, owner: str) -> Floats:
    """Check the positions that a map gave to n points."""
    at: Floats = np.ascontiguousarray(np.asarray(Z), dtype=np.float64)
    if at.ndim != 2 or len(at) != n or at.shape[1] == 0:
        raise InputError(
            f"{type(model).__name__} gave an array of shape {at.shape} for the "
            f"positions of {n} points. A map has one row of coordinates per point.",
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
