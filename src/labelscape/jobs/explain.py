"""The prototype model that explains the classes on the page of a map."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline, make_pipeline

from labelscape._core.errors import InputError
from labelscape._core.threads import ignored
from labelscape._core.types import Floats, Ints
from labelscape._resampling.trial import Problem
from labelscape._resampling.units import units_of
from labelscape._resampling.voters import balanced_accuracy
from labelscape.datasets import Table
from labelscape.jobs.fitting import fitted_rows, scaler_for
from labelscape.jobs.methods import methods_of
from labelscape.jobs.scenes import codes_of, data_of
from labelscape.prototypes import GMLVQ, PushAndGrow
from labelscape.scene import Layouts, Predictions, Subject
from labelscape.scene._internal import layouts_of

# Maximum number of rows for the comparison of models, and maximum number of rows or
# values that the chosen model is fitted to.
MOST_TRIED, MOST_FITTED, MOST_VALUES = 1500, 5000, 20_000_000
FOLDS = 3
# Settings of matrix LVQ, as in cross-fitting: prototypes, directions and iterations.
PROTOTYPES, RANK, STEPS = 4, 20, 80
NEARLY = 0.01  # the simplest model within this loss of accuracy is chosen
# A model that is worse than the map by more than this is not used to explain it.
WITHIN = 0.05
# With more rows times features, relevance intervals take over a second, so they are
# omitted; they use at most this many rows.
MOST_IN_INTERVALS, ROWS_IN_INTERVALS = 50_000, 2000
NOT_REQUESTED = "Explanations were not requested."


@dataclass(frozen=True, eq=False)
class Explaining:
    """The prototype model that explains predictions on the page of a map."""

    model: Pipeline | None  # the fitted model; None if none is accurate enough
    title: str  # title of the model, or of the best model if none is shown
    # Balanced accuracy of this kind of model on held-out rows, and its predictions of
    # each row; None if they could not be measured.
    accuracy: float | None
    answers: Predictions | None
    note: str = ""  # why there is no model
    # (n_features, 2) The intervals of the model's relevances; None if it has none, or
    # if they would take long.
    relevance_intervals: Floats | None = None
    # Maps of the prototypes and of class centers; None: they are fitted for the page.
    layouts: Layouts | None = None

    def is_near(self, bar: float | None) -> bool:
        """Return whether the model is nearly as accurate as neighbors on the map."""
        if bar is None or self.accuracy is None:
            return True
        return self.accuracy >= bar - WITHIN


def explaining(
    table: Table,
    model: Pipeline,
    fitted: Ints | None,
    bar: float | None,
    *,
    seed: int = 0,
    known: Pipeline | None = None,
    step: Callable[[], object] | None = None,
) -> Explaining:
    """Choose and fit the model that explains the classes on the page of a map.

    ``model`` is the map, which was fitted to the rows ``fitted`` (None: all), and
    ``bar`` is its accuracy on held-out rows. ``known`` is an explaining model that need
    not be fitted again.
    """
    # A map of a prototype model is explained by this model. For other maps, or if the
    # accuracy of this model is more than 0.05 below that of the map, three prototype
    # models are compared. None is chosen if the best is more than 0.05 below the map.
    own = model if hasattr(model[-1], "prototypes_") else None
    known = known or own
    X = table.X
    codes, units = codes_of(table), units_of(X, table.groups)
    rng, classes = np.random.RandomState(seed), np.arange(int(codes.max()) + 1)
    problem = Problem.of_table(X, codes, units, classes, MOST_TRIED, rng, "explain")

    def measure(model: Pipeline) -> Explaining:
        """Measure the accuracy of this kind of model on held-out rows."""
        title = _title(model)
        if problem.n_classes < 2:
            return Explaining(model, title, None, None)
        folds = min(FOLDS, problem.fewest_units)
        # All models are compared on the same folds.
        rng = np.random.RandomState(seed)
        answers, certainty = problem.predictions(model, X, folds, rng)
        right = balanced_accuracy(answers, codes, len(classes))
        note = f"by {title}, fitted without this row"
        return Explaining(model, title, right, Predictions(answers, certainty, note))

    tried = [] if known is None else [measure(known)]
    if not tried or not tried[0].is_near(bar):
        rank = min(RANK, X.shape[1])
        few = {"n_components": rank, "max_iter": STEPS, "random_state": seed}
        # The simplest model is the first.
        for one in (GMLVQ(1, **few), PushAndGrow(), GMLVQ(PROTOTYPES, **few)):
            scaler = scaler_for(X, table.encoder)
            tried.append(measure(make_pipeline(scaler, one)))
            if step is not None:
                step()
    best = max(one.accuracy or 0.0 for one in tried)
    chosen = next(one for one in tried if (one.accuracy or 0.0) >= best - NEARLY)
    if not chosen.is_near(bar):
        note = (
            "This page has no prototypes and no explanations: the best prototype "
            f"model, {chosen.title}, is right for {chosen.accuracy:.0%} of held-out "
            f"rows, but neighbors on the map are right for {bar:.0%}."
        )
        return replace(chosen, model=None, note=note)
    rows = np.arange(len(X)) if fitted is None else fitted
    if chosen.model is not known:
        rows = _fit(chosen.model, table)
    shown = Subject(model, prototypes=None if chosen.model is model else chosen.model)
    return replace(
        chosen,
        relevance_intervals=_intervals(chosen.model, table, rows),
        layouts=layouts_of(shown, data_of(table), random_state=seed),
    )


def unexplained(model: Pipeline) -> Explaining:
    """Return the explanation of a map without further fits: the map's own model."""
    if hasattr(model[-1], "prototypes_"):
        return Explaining(model, _title(model), None, None)
    return Explaining(None, "", None, None, NOT_REQUESTED)


def _intervals(model: Any, table: Table, rows: Ints) -> Floats | None:
    """Return intervals of relevances of a fitted model if they are fast to compute."""
    n_values = min(len(rows), ROWS_IN_INTERVALS) * table.X.shape[1]
    if not hasattr(model[-1], "relevance_intervals") or n_values > MOST_IN_INTERVALS:
        return None
    X, y = model[:-1].transform(table.X[rows]), np.asarray(table.y)[rows]
    groups = None if table.groups is None else np.asarray(table.groups)[rows]
    with suppress(InputError):  # a class of one row has no interval
        return np.asarray(model[-1].relevance_intervals(X, y, groups))
    return None


def _title(model: Pipeline) -> str:
    name = type(model[-1]).__name__
    return next((one.title for one in methods_of() if one.estimator == name), name)


def _fit(model: Any, table: Table) -> Ints:
    """Fit the chosen model to all rows, or to a sample of them; return these rows."""
    most = min(MOST_FITTED, max(MOST_VALUES // table.X.shape[1], 1))
    rows = fitted_rows(table.y, most)
    with ignored(Warning):  # in classes with few rows, prototypes may coincide
        model.fit(table.X[rows], np.asarray(table.y)[rows])
    return rows
