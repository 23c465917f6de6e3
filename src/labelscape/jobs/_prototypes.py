"""A few prototypes that stand for the classes of a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from labelscape._core.arguments import arguments, text
from labelscape._core.errors import InputError
from labelscape._core.progress import Callback
from labelscape.datasets import Table
from labelscape.jobs._mapping import JOB, constant_features_named, watched
from labelscape.jobs._steps import Begin, Step, silent
from labelscape.jobs.methods import method_named


@dataclass(frozen=True, eq=False, repr=False)
class PrototypeResult:
    """A prototype model of a table.

    Attributes
    ----------
    table : Table
        The data.
    method : str
        Name of the method.
    model : Pipeline
        Standardisation, then the fitted model.
    accuracy : float
        Share of right answers on the rows it was fitted to.
    seconds : dict of str to float
        How long the fit took.
    """

    table: Table
    method: str
    model: Pipeline
    accuracy: float
    seconds: dict[str, float]

    def __str__(self) -> str:
        n = len(self.model[-1].prototypes_)
        return (
            f"{n} prototypes; right for {self.accuracy:.1%} of the rows it was fitted "
            "to."
        )

    __repr__ = __str__


@arguments(method=text(), **JOB)
def prototype_table(
    table: Table,
    method: str = "pag",
    *,
    parameters: Mapping[str, Any] | None = None,
    seed: int = 0,
    begin: Begin | None = None,
    callback: Callback | None = None,
) -> PrototypeResult:
    """Standardise a table, and find prototypes that stand for its classes.

    Parameters
    ----------
    table : Table
        Labelled data.
    method : str, default="pag"
        Name of a method with prototypes, as in the app.
    parameters : mapping of str to object, default=None
        Parameters of the method that are not to keep their defaults.
    seed : int, default=0
        Seed of everything random.
    begin : callable, default=None
        Told what begins, as in `map_table`.
    callback : callable, default=None
        Told of each iteration of the fit, where the method has a callback.

    Returns
    -------
    PrototypeResult

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> prototype_table(load("iris"), "kmeans")
    15 prototypes; right for 98.0% of the rows it was fitted to.
    """
    chosen = method_named(method, "prototypes")
    if table.y is None:
        raise InputError(f"{table.name!r} has no classes, and prototypes need them.")
    start = perf_counter()
    estimator = chosen.new(parameters or {}, seed)
    (begin or silent)(Step("fitting", chosen.estimator))
    model = make_pipeline(StandardScaler(), estimator)
    named = constant_features_named(table.X, table.feature_names)
    with named, watched(estimator, callback):
        model.fit(table.X, table.y)
    accuracy = float(np.mean(model.predict(table.X) == table.y))
    seconds = {"fit": round(perf_counter() - start, 3)}
    return PrototypeResult(table, chosen.name, model, accuracy, seconds)
