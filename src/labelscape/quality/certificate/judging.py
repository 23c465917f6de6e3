"""One fit of a map, and what the neighbours on it make of the objects."""

import inspect
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from labelscape._core.errors import InputError
from labelscape._core.label_signal import LabelsSayNothing
from labelscape.quality.certificate.problem import Fit, Judged, Problem
from labelscape.quality.certificate.scores import Voters


def judged_by_fit(estimator: Any, problem: Problem, fit: Fit, k: int) -> Judged:
    """Fit a map to some objects; return what neighbours on it make of all."""
    fitted, unseen = fit.split
    X, codes, units = problem.X, fit.codes[fitted], problem.units[fitted]
    model = _seeded(clone(estimator), fit.seed)
    Z = _own_map(model, X[fitted], problem.classes[codes], units)
    Z_new = _positions(model, model.transform(X[unseen]), len(unseen))
    on_map = Voters(Z, codes, units, problem.n_classes, k)
    return Judged(
        seen=on_map.judge_themselves(),
        unseen=on_map.judge(Z_new),
        original=on_map._replace(Z=X[fitted]).judge(X[unseen]),
    )


def with_transform(estimator: Any) -> Any:
    """Return the estimator, or its kernel map if it cannot place new points itself."""
    if hasattr(estimator, "transform"):
        return estimator
    if not hasattr(estimator, "fit"):
        raise TypeError(
            f"honesty: {type(estimator).__name__} has no fit, so it is no map. Give an "
            "estimator such as LFDA() or TSNE()."
        )
    # Maps stand a floor above their quality: imported here, when one is at hand, they
    # do not come along with every score.
    from labelscape.embeddings import KernelMap

    return KernelMap(estimator)


def _seeded(model: Any, seed: int) -> Any:
    """Give a seed to whatever in a model would draw its own."""
    unset = {
        name: int(seed)
        for name, value in model.get_params().items()
        if name.split("__")[-1] == "random_state" and value is None
    }
    return model.set_params(**unset)


def _own_map(
    model: Any, X: NDArray[Any], labels: NDArray[Any], units: NDArray[Any]
) -> NDArray[np.float64]:
    """Return what the map shows of the points that it was fitted to."""
    takes_groups = "groups" in inspect.signature(model.fit).parameters
    known = {"groups": units} if takes_groups else {}
    with warnings.catch_warnings():
        # That labels say nothing is what the shuffled ones are for, and what the
        # verdict tells of the true ones.
        warnings.simplefilter("ignore", LabelsSayNothing)
        model.fit(X, labels, **known)
    Z = getattr(model, "embedding_", None)
    return _positions(model, model.transform(X) if Z is None else Z, len(X))


def _positions(model: Any, Z: Any, n: int) -> NDArray[np.float64]:
    """Check the places that a map gave to n points."""
    Z = np.ascontiguousarray(np.asarray(Z), dtype=np.float64)
    if Z.ndim != 2 or len(Z) != n or Z.shape[1] == 0:
        raise InputError(
            f"{type(model).__name__} gave an array of shape {Z.shape} for the "
            f"places of {n} points. A map has one row of coordinates per point.",
            owner="honesty",
        )
    lost = np.flatnonzero(~np.isfinite(Z).all(axis=1))
    if len(lost):
        raise InputError(
            f"{type(model).__name__} placed {len(lost)} of {n} points at NaN "
            f"or infinity, the first in row {lost[0]}. Points without a place have no "
            "neighbours: look at its parameters, or at the scale of X.",
            owner="honesty",
        )
    return Z
