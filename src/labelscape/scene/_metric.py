"""How a model measures, in units of the data."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape.prototypes._model_space import metric_factors
from labelscape.prototypes.lvq._estimator import LVQ
from labelscape.scene._units import Units
from labelscape.scene.scene import Metric


def shown_metric(model: Any, units: Units) -> Metric | None:
    """Return the metric with its factors, or None where it is not the same everywhere.

    A model that sees ``x / s`` measures ``|Omega (x / s)|``: each column of its factor
    is divided by the slope s of its unit.
    """
    slopes = units.slopes(model.prototypes_.shape[1])
    if slopes is None:
        return None
    factors = metric_factors(model)
    if factors[0] is None:
        if not units.scalers:
            return Metric("euclidean", None)
        return Metric("diagonal", 1.0 / slopes)
    if hasattr(model, "local_matrices_"):
        return Metric("local", np.stack([factor / slopes for factor in factors]))
    shared = np.asarray(factors[0] / slopes, dtype=np.float64)
    return Metric("diagonal" if shared.ndim == 1 else "factor", shared)


def measures_squares(model: Any) -> bool:
    """Return whether the distances that a model compares are squared ones."""
    return isinstance(model, LVQ)


def shown_relevances(model: Any) -> NDArray[np.float64] | None:
    """Return how much each feature matters, the mean where each class has its own."""
    relevances = getattr(model, "relevances_", None)
    if relevances is None:
        return None
    mean: NDArray[np.float64] = np.atleast_2d(relevances).mean(axis=0, dtype=np.float64)
    total = float(mean.sum())
    return mean / total if total > 0 else mean
