"""A few prototypes that stand for the classes of a table."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.pipeline import Pipeline, make_pipeline

from labelscape._core.arguments import arguments, text
from labelscape._core.errors import InputError
from labelscape._core.fits.progress import Callback
from labelscape._core.rules import flag
from labelscape.datasets import Table
from labelscape.jobs._mapping import JOB, NOT_ASKED
from labelscape.jobs._scaling import scaler_for
from labelscape.jobs._steps import Begin, Step, silent
from labelscape.jobs.fitting.around import constant_features_named, watched
from labelscape.jobs.methods import method_named
from labelscape.quality._internal import (
    ClassifierVerdict,
    judged_classifier,
    units_of,
    units_per_class,
)

FOLDS = 5


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
    verdict : ClassifierVerdict
        How good models like this are for rows that they were not fitted to.
    seconds : dict of str to float
        How long the fit took.
    """

    table: Table
    method: str
    model: Pipeline
    verdict: ClassifierVerdict
    seconds: dict[str, float]

    def __str__(self) -> str:
        return f"{len(self.model[-1].prototypes_)} prototypes. {self.verdict}"

    __repr__ = __str__


@arguments(method=text(), judge=flag(), **JOB)
def prototype_table(
    table: Table,
    method: str = "pag",
    *,
    parameters: Mapping[str, Any] | None = None,
    seed: int = 0,
    judge: bool = True,
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
    judge : bool, default=True
        Whether to find out how good it is for unseen rows, which takes five fits.
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
    >>> found = prototype_table(load("iris"), "kmeans")
    >>> len(found.model[-1].prototypes_), found.verdict.accuracy > 0.9
    (15, True)
    """
    chosen = method_named(method, "prototypes")
    if table.y is None:
        raise InputError(f"{table.name!r} has no classes, and prototypes need them.")
    start = perf_counter()
    estimator = chosen.new(parameters or {}, seed)
    (begin or silent)(Step("fitting", chosen.estimator))
    model = make_pipeline(scaler_for(table.X), estimator)
    named = constant_features_named(table.X, table.feature_names)
    with named, watched(estimator, callback):
        model.fit(table.X, table.y)
    fitted = perf_counter()
    verdict = ClassifierVerdict("untested", None, why=NOT_ASKED)
    if judge:
        step = (begin or silent)(Step("judging", chosen.estimator, FOLDS))
        verdict = cross_validated(model, table, seed, step)
    seconds = {
        "fit": round(fitted - start, 3),
        "honesty": round(perf_counter() - fitted, 3),
    }
    return PrototypeResult(table, chosen.name, model, verdict, seconds)


def cross_validated(
    model: Any, table: Table, seed: int, step: Callable[..., Any]
) -> ClassifierVerdict:
    """Return how good models of this kind are for rows that they have not seen."""
    X, y = table.X, np.asarray(table.y)
    _, codes = np.unique(y, return_inverse=True)
    units = units_of(X, table.groups, codes=codes).of_row
    folds = min(FOLDS, int(units_per_class(codes, units, codes.max() + 1).min()))
    if folds < 2:
        return ClassifierVerdict(
            "untested", None, why="a class has fewer than two independent rows"
        )
    answers = held_out(model, X, codes, units, np.arange(len(X)), folds, seed, step)
    rng = np.random.RandomState(seed)
    return judged_classifier(
        codes, answers.codes, None, units, rng, how="rows when unseen"
    )


class HeldOut(NamedTuple):
    """What models say of rows that they did not see, and how sure they are."""

    codes: NDArray[np.intp]
    certainty: NDArray[np.float32]


def held_out(
    model: Any,
    X: NDArray[np.float64],
    codes: NDArray[np.intp],
    units: NDArray[np.intp],
    rows: NDArray[np.intp],
    folds: int,
    seed: int,
    step: Callable[..., Any] = lambda _: None,
) -> HeldOut:
    """Return what models of a kind say of all rows, each by one that did not see it.

    They are fitted to parts of ``rows``, whole units each; others ask the first one.
    """
    answers, certainty = np.empty_like(codes), np.empty(len(codes), dtype=np.float32)
    splitter = StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
    others = np.setdiff1d(np.arange(len(X)), rows)
    with warnings.catch_warnings():
        # What the first fit has warned of, the others need not say again.
        warnings.simplefilter("ignore")
        for fitted, unseen in splitter.split(X[rows], codes[rows], units[rows]):
            part = clone(model).fit(X[rows[fitted]], codes[rows[fitted]])
            asked = np.concatenate([rows[unseen], others])
            answers[asked] = part.predict(X[asked])
            certainty[asked] = part.predict_proba(X[asked]).max(axis=1)
            others = others[:0]
            step({})
    return HeldOut(answers, certainty)
