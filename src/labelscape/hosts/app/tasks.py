"""What the app's workers do: read tables and models, fit, explain."""

import json
import time
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from labelscape._core.errors import InputError, sentence
from labelscape.datasets import ColumnInfo, Reading, Table, load
from labelscape.datasets._internal import ParsedText
from labelscape.hosts.app.errors import UserNames
from labelscape.hosts.app.progress import Tell, Telling
from labelscape.hosts.app.records import (
    Fit,
    ModelAbout,
    News,
    RunResult,
    Source,
    TableAbout,
)
from labelscape.hosts.app.script import Reader
from labelscape.hosts.app.uploads import (
    Limits,
    as_it_seems,
    check_columns,
    check_size,
    keep_columns,
    kept,
    parsed,
)
from labelscape.hosts.app.workspace import EMBEDDED


def nothing(news: Tell) -> None:
    """Do nothing: whoever hears that it is done knows that the worker is ready."""


def describe(
    source: Source, limits: Limits, news: Tell, reading: Reading | None = None
) -> TableAbout:
    """Return what is in a table, before anybody has said what it is for.

    ``reading`` says how a text file is written, None: as it seems to be.
    """
    if (embedded := _embedded(source)) is not None:
        return _about_embedded(embedded)
    check_size(source.path, limits)
    table, may_stay = parsed(source.path, reading or Reading())
    if reading is None:
        columns, reading = as_it_seems(table)
    else:
        columns = reading.describe(table)
    check_columns(len(columns), limits)
    if isinstance(table, ParsedText) and may_stay:
        keep_columns(table, reading, limits)
    return TableAbout(columns[0].n_rows, len(columns), tuple(columns), reading)


def describe_model(path: Path, news: Tell) -> ModelAbout:
    """Return what a model file holds; it never runs code."""
    import labelscape

    model = labelscape.load(path)
    if not hasattr(model, "predict"):
        raise InputError(
            f"The file holds a {type(model).__name__}, which is not a classifier."
        )
    return ModelAbout(
        kind=type(model).__name__,
        n_features=int(model.n_features_in_),
        classes=tuple(str(label) for label in model.classes_),
    )


def fit(order: Fit, news: Tell) -> RunResult:
    """Fit what was asked for and write all files of the run into its folder."""
    from labelscape.hosts.app.results import outcome_of

    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        data = _table(order.source, order.settings.reading)
        outcome = outcome_of(data, order, Telling(news, data))
        news(News(step="drawing", words="Writing the files."))
        outcome.write(order.folder, _reader(order))
    wording = UserNames(order.names)
    told = [w.message for w in caught if isinstance(w.message, Warning)]
    notes = dict.fromkeys(sentence(warning, wording) for warning in told)
    verdict = outcome.verdict
    return RunResult(
        summary=" ".join([outcome.summary, *notes]).strip(),
        verdict=str(verdict),
        finding=verdict.finding,
        lights=tuple(light._asdict() for light in verdict.lights),
        method=outcome.method,
        has_model=outcome.model is not None,
        seconds=round(time.perf_counter() - start, 3),
    )


def explain(
    run: Path, source: Source, reading: Reading, row: int, news: Tell
) -> dict[str, Any]:
    """Explain the decision for one object of a finished run."""
    ask, n_rows = _explaining(run, source, reading)
    if not 0 <= row < n_rows:
        raise InputError(f"There is no row {row}; the table has {n_rows}.")
    return ask(row)


# Who asks once asks again, and a run that has finished does not change.
@lru_cache(maxsize=1)
def _explaining(
    run: Path, source: Source, reading: Reading
) -> tuple[Callable[[int], dict[str, Any]], int]:
    """Return what explains the decisions of a run, and how many there are."""
    import labelscape
    from labelscape.hosts._questions import explainer
    from labelscape.scene import decode

    path = run / "explains.labelscape"
    model = labelscape.load(path) if path.exists() else None
    data = _table(source, reading)
    scene = decode((run / "scene.lscn").read_bytes())
    ask = explainer(model, data.X, scene, data.feature_names) if model else None
    if ask is None:
        raise InputError("This run has no model that explains itself.")
    return ask, len(data.X)


def _table(source: Source, reading: Reading) -> Table:
    if (embedded := _embedded(source)) is not None:
        return load(embedded)
    if reading.label is None:
        raise InputError(
            "Say which column holds the classes: every method needs them.",
            parameter="label",
        )
    return reading.read(kept(source.path, reading), source.name)


def _embedded(source: Source) -> str | None:
    """Return the name of an embedded data set, which stands in place of a file."""
    if source.path.name != EMBEDDED:
        return None
    name: str = json.loads(source.path.read_text())["embedded"]
    return name


def _reader(order: Fit) -> Reader:
    """Return the code that reads the table of a run."""
    if (embedded := _embedded(order.source)) is not None:
        return Reader("load", f"load({embedded!r})")
    return Reader("read_table", order.settings.reading.code(order.source.name))


def _about_embedded(name: str) -> TableAbout:
    table = load(name)
    columns = tuple(_plain_column(table, j) for j in range(len(table.feature_names)))
    return TableAbout(len(table.X), len(columns), columns, embedded=name)


def _plain_column(table: Table, j: int) -> ColumnInfo:
    values = table.X[:, j]
    shown = [f"{value:.6g}" for value in dict.fromkeys(values[:50].tolist())][:5]
    return ColumnInfo(
        name=table.feature_names[j],
        kind="number",
        n_rows=len(values),
        n_missing=0,
        n_distinct=len(np.unique(values)),
        examples=shown,
        role="feature",
    )
