"""Maps that are fitted again, starting from the last map, after labels changed."""

import copy
import csv
from collections.abc import Hashable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from labelscape._core.errors import FileName, InputError, shown
from labelscape._core.estimator import Callback
from labelscape._core.params import arguments, flag, instance, mapping, optional
from labelscape._core.params import path as path_rule
from labelscape._core.types import Floats, Ints
from labelscape.datasets import Table
from labelscape.jobs.audit import NOT_REQUESTED as NOT_AUDITED
from labelscape.jobs.csv_text import cell_text
from labelscape.jobs.fitting import fitted_rows, mapped, placed_around, watched
from labelscape.jobs.map import NOT_REQUESTED, FittedMap, MapRun, map_table
from labelscape.jobs.map_result import MapResult
from labelscape.jobs.methods import Method, method_named
from labelscape.jobs.order import RunOrder
from labelscape.jobs.words import Begin, Step, silent
from labelscape.scene._internal import Classes

COLUMNS = ("row", "given", "label")  # the columns of a file of decisions
# Settings to measure quality on many rows, which take a third of the usual time.
QUICKLY = {"n_samples": 500, "max_pairs": 1_000_000}
# Why a map with changed labels has no certificate, unless the test is requested.
DECIDED = "labels were changed by hand on a map, so they agree with it by construction"


@arguments(table=instance(Table), decisions=mapping())
def relabeled(table: Table, decisions: Mapping[int, Any]) -> Table:
    """Return a table in which some labels are changed.

    Parameters
    ----------
    table : Table
        The data.
    decisions : mapping of int to label
        The new class of some rows, by row number.

    Returns
    -------
    Table

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> from labelscape.jobs import relabeled
    >>> relabeled(load("iris"), {0: "virginica"}).y[:2].tolist()
    ['virginica', 'setosa']
    """
    if table.y is None:
        raise ValueError(f"{table.name!r} has no classes to change.")
    y = np.array(table.y)
    classes = Classes(np.unique(y).tolist())
    known = dict(zip(classes.labels, classes.labels, strict=True))
    known |= dict(zip(classes.names, classes.labels, strict=True))
    for row, label in decisions.items():
        if type(row) is not int or not 0 <= row < len(y):
            why = f"contain row {shown(row)}; {table.name!r} has rows 0 to {len(y) - 1}"
        elif not isinstance(label, Hashable) or label not in known:
            why = (
                f"give row {row} the class {shown(label)}, which is not a class of "
                f"{table.name!r}"
            )
        else:
            y[row] = known[label]
            continue
        raise InputError(f"decisions {why}.", owner="relabeled", parameter="decisions")
    return replace(table, y=y)


@arguments(path=path_rule(), table=instance(Table))
def read_decisions(path: Any, table: Table) -> dict[int, str]:
    """Return the label decisions in a CSV file that was saved from a page.

    Parameters
    ----------
    path : path
        A CSV file with the columns row, given and label. If the label of a row is
        empty, the row is not changed.
    table : Table
        The data, to check that the file was saved for this table.

    Returns
    -------
    dict of int to str
        The new class of some rows.
    """
    y = np.asarray(table.y)
    names = Classes(np.unique(y).tolist()).names
    by_cell = {cell_text(name): name for name in names}
    decisions: dict[int, str] = {}
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        if not set(COLUMNS) <= set(reader.fieldnames or ()):
            raise InputError(
                FileName(path),
                f" lacks one of the columns {', '.join(COLUMNS)}. Save the decisions "
                "with the button “Save CSV” on the page.",
            )
        for line in reader:
            words, given = line["row"] or "", line["given"]
            row = int(words) if words.isascii() and words.isdecimal() else -1
            exists = 0 <= row < len(y)
            if not exists or cell_text(Classes([y[row].item()]).names[0]) != given:
                raise InputError(
                    FileName(path),
                    f" gives row {shown(words)} the label {shown(given)}, but in "
                    f"{table.name!r} its label is different. Use the same table and "
                    "options as for the page.",
                )
            if label := line["label"]:
                decisions[row] = by_cell.get(label, label)
    return decisions


@arguments(
    model=optional(instance(Pipeline)),
    explained_by=optional(instance(Pipeline)),
    **RunOrder.rules("refit") | {"audit": flag()},
)
def refit_table(
    table: Table,
    decisions: Mapping[int, Any],
    method: str,
    *,
    model: Pipeline | None = None,
    explained_by: Pipeline | None = None,
    seed: int = 0,
    judge: bool = False,
    islands: bool = False,
    audit: bool = False,
    parameters: Mapping[str, Any] | None = None,
    begin: Begin | None = None,
    callback: Callback | None = None,
) -> MapResult:
    """Fit a map again after labels were changed, starting from the last fit.

    Labels that a user changed on a map agree with the map by construction. Therefore,
    the result states the number of changes, and an audit does not list these rows.

    Parameters
    ----------
    table : Table
        The data, with the original labels.
    decisions : mapping of int to label
        The new class of some rows, as for `relabeled`.
    method : str
        The method of the map.
    model : Pipeline, default=None
        The model of the previous map, ``MapResult.model``. Prototype models and
        cross-fitted maps continue their training, maps that do not use labels are not
        changed, and other maps are fitted again. None: every map is fitted again.
    explained_by : Pipeline, default=None
        The model that explained the previous map, ``MapResult.explains.model``. It is
        not fitted again if the table has more than 5,000 rows.
    judge, islands, audit : bool, default=False
        Whether to test the map, test which clusters are stable, and audit the table.
    seed, parameters, begin, callback
        As for `map_table`.

    Returns
    -------
    MapResult

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> from labelscape.jobs import map_table, refit_table
    >>> table = load("iris")
    >>> first = map_table(table, "liram", judge=False)
    >>> again = refit_table(table, {70: "virginica"}, "liram", model=first.model)
    >>> str(again.table.y[70]), again.embedding.shape
    ('virginica', (150, 2))
    """
    begin, chosen = begin or silent, method_named(method)
    decided = relabeled(table, decisions)
    wanted: dict[str, Any] = {"judge": judge, "islands": islands, "audit": audit}
    if model is None:
        wanted |= {"parameters": parameters, "callback": callback}
        again = map_table(decided, method, seed=seed, begin=begin, **wanted)
        return _about_decisions(again, decisions)
    run = MapRun(decided, chosen, seed, begin, **wanted)
    begin(Step("fitting", chosen.estimator))
    scaler, estimator = model[0], _continued(model[-1], chosen)
    X = scaler.transform(table.X)
    with watched(estimator, callback, table):
        Z, fitted = _moved(estimator, X, table, decided, chosen, seed)
    moved = FittedMap(scaler, estimator, X, Z, fitted)
    again = run.finished(moved, QUICKLY, explained_by)
    return _about_decisions(again, decisions)


def _about_decisions(again: MapResult, decisions: Mapping[int, Any]) -> MapResult:
    """Return a map with a note on changed labels, without these rows in its audit."""
    if again.honesty is None and again.honesty_note == NOT_REQUESTED:
        again = replace(again, honesty_note=DECIDED)
    else:
        again = again.with_relabeling_note(len(decisions))
    if again.audit is not None:
        return replace(again, audit=again.audit.without(list(decisions)))
    if again.audit_note == NOT_AUDITED:
        return replace(again, audit_note=DECIDED)
    return again


def _continued(estimator: Any, method: Method) -> Any:
    """Return a copy of a fitted map that continues its training, or an unfitted map."""
    if not method.uses_labels or hasattr(estimator, "refit"):
        return copy.copy(estimator)
    if "warm_start" in estimator.get_params():
        return copy.copy(estimator).set_params(warm_start=True)
    return clone(estimator)


def _moved(
    estimator: Any, X: Floats, before: Table, after: Table, method: Method, seed: int
) -> tuple[Floats, Ints | None]:
    """Return the positions after labels were changed, and the rows of the fit."""
    if not method.uses_labels:
        return _unchanged(estimator, X, before, method, seed)
    first, second = (np.unique(np.asarray(table.y)) for table in (before, after))
    if hasattr(estimator, "refit") and np.array_equal(first, second):
        estimator.refit(X, after.y)
        drawn = estimator.train_indices_
        return estimator.embedding_, None if len(drawn) == len(X) else drawn
    moved = mapped(estimator, X, after, method.fits_rows, seed)
    if "warm_start" in estimator.get_params():
        estimator.set_params(warm_start=False)
    return moved


def _unchanged(
    estimator: Any, X: Floats, table: Table, method: Method, seed: int
) -> tuple[Floats, Ints | None]:
    """Return the positions on a map that does not use labels, so it stays the same."""
    if len(getattr(estimator, "embedding_", ())) == len(X):
        return np.array(estimator.embedding_), None
    most = method.fits_rows
    if most is None or len(X) <= most:
        return np.asarray(estimator.transform(X), dtype=np.float64), None
    fitted = fitted_rows(np.asarray(table.y), most, seed)
    return placed_around(estimator, X, fitted), fitted
