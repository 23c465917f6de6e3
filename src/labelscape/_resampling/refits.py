"""Maps that are fitted again to a part of the samples, one after the other."""

import inspect
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from threading import Event
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.base import clone

from labelscape._core.checks import ConstantFeatures
from labelscape._core.errors import InputError, InputWarning
from labelscape._core.threads import n_workers
from labelscape._resampling.label_signal import LabelsSayNothing


def drawn_seed(rng: RandomState) -> int:
    """Return a seed for one of many fits."""
    return int(rng.randint(np.iinfo(np.int32).max))


def in_turn(
    orders: Iterable[Any], n_jobs: int | None, report: Callable[[int, Any], bool]
) -> Iterator[Any]:
    """Yield what delayed functions return, in their order, from several processes.

    ``report`` gets the number and the result of each, and returns whether to stop: then
    no others begin. Each place that warns does so once, at the end, with the number of
    fits that it came up in.
    """
    stop, counts = Event(), Counter[Any]()
    first: dict[Any, Warning] = {}

    def begun() -> Iterator[Any]:
        for i, order in enumerate(orders):
            if i and stop.is_set():
                return
            yield delayed(_with_warnings)(*order)

    # One fit at a time, or a bundle of quick ones would outrun the callback.
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
    """Return what a function returns, and its warnings with the place of each."""
    with warnings.catch_warnings(record=True) as caught:
        result = function(*args, **kwargs)
    warned = [
        ((one.category, one.filename, one.lineno), one.message)
        for one in caught
        if isinstance(one.message, Warning)
    ]
    return result, warned


def _counted(warning: Warning, n_fits: int) -> Warning:
    """Return a warning that says in how many fits it came up, if in several."""
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
            f"{owner}: {type(estimator).__name__} has no fit, so it is no map. Give an "
            "estimator such as LFDA() or TSNE()."
        )
    # Maps are a floor above: imported here, when one is at hand, they
    # do not come along with every score.
    from labelscape.embeddings import KernelMap

    return KernelMap(estimator)


def seeded_clone(estimator: Any, seed: int) -> Any:
    """Return an unfitted copy, with a seed for whatever in it would draw its own."""
    model = clone(estimator)
    unset = {
        name: int(seed)
        for name, value in model.get_params().items()
        if name.split("__")[-1] == "random_state" and value is None
    }
    return model.set_params(**unset)


def own_map(
    model: Any,
    X: NDArray[Any],
    labels: NDArray[Any] | None,
    units: NDArray[Any],
    *,
    owner: str,
) -> NDArray[np.float64]:
    """Fit a map; return what it shows of the points that it was fitted to."""
    takes_groups = "groups" in inspect.signature(model.fit).parameters
    known = {"groups": units} if takes_groups else {}
    with warnings.catch_warnings():
        # That labels say nothing is what the shuffled ones are for, and what the
        # verdict tells of the true ones.
        warnings.simplefilter("ignore", LabelsSayNothing)
        # What arithmetic of others warns of, such as a division by a variance of 0,
        # is judged by the places that come out.
        warnings.simplefilter("ignore", RuntimeWarning)
        # What is constant in a part of the samples need not be so in all, and the map
        # of all samples has warned.
        warnings.simplefilter("ignore", ConstantFeatures)
        model.fit(X, labels, **known)
    Z = getattr(model, "embedding_", None)
    return places(model, model.transform(X) if Z is None else Z, len(X), owner=owner)


def new_places(model: Any, X: NDArray[Any], *, owner: str) -> NDArray[np.float64]:
    """Return where a fitted map puts new points."""
    return places(model, model.transform(X), len(X), owner=owner)


def places(model: Any, Z: Any, n: int, *, owner: str) -> NDArray[np.float64]:
    """Check the places that a map gave to n points."""
    at: NDArray[np.float64] = np.ascontiguousarray(np.asarray(Z), dtype=np.float64)
    if at.ndim != 2 or len(at) != n or at.shape[1] == 0:
        raise InputError(
            f"{type(model).__name__} gave an array of shape {at.shape} for the "
            f"places of {n} points. A map has one row of coordinates per point.",
            owner=owner,
        )
    lost = np.flatnonzero(~np.isfinite(at).all(axis=1))
    if len(lost):
        raise InputError(
            f"{type(model).__name__} placed {len(lost)} of {n} points at NaN "
            f"or infinity, the first in row {lost[0]}. Points without a place have no "
            "neighbors: look at its parameters, or at the scale of X.",
            owner=owner,
        )
    return at
