"""What the app's workers do: read tables and models, fit, explain."""

import json
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from labelscape._core.errors import InputError, sentence, shown
from labelscape.datasets import ColumnInfo, Reading, Table, load
from labelscape.datasets._internal import (
    ParsedText,
    check_enough_rows,
    classes_in,
    csv_options,
    image_paths,
)
from labelscape.hosts.app.errors import PageWording
from labelscape.hosts.app.progress import Tell, Telling
from labelscape.hosts.app.records import (
    Fit,
    ModelAbout,
    News,
    PlacedOn,
    Placing,
    RunResult,
    Source,
    TableAbout,
    written,
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

SILENT = "This run has no model that explains itself."


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
    with _noting({str(source.path): source.name}) as notes:
        table, may_stay = parsed(source.path, reading or Reading())
        if reading is None:
            columns, reading = as_it_seems(table)
        else:
            columns = reading.describe(table)
    check_columns(len(columns), limits)
    if isinstance(table, ParsedText) and may_stay:
        keep_columns(table, reading, limits)
    return TableAbout(
        columns[0].n_rows,
        len(columns),
        tuple(columns),
        reading,
        notes=tuple(notes),
        folder=None if source.beside is None else str(source.beside),
    )


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
    with _noting(order.names) as notes:
        data = _table(order.source, order.settings.reading)
        outcome = outcome_of(data, order, Telling(news, data))
        news(News(step="drawing"))
        outcome.write(order.folder, _reader(order))
    verdict = outcome.verdict
    return RunResult(
        summary=" ".join([outcome.summary, *notes]).strip(),
        verdict=str(verdict),
        finding=verdict.finding,
        lights=tuple(light._asdict() for light in verdict.lights),
        method=outcome.method,
        has_model=outcome.model is not None,
        seconds=round(time.perf_counter() - start, 3),
        accuracy=_accuracy(verdict),
    )


def _accuracy(verdict: Any) -> float | None:
    """Return how many new objects are taken for their class, if it was measured.

    On a map that is for its neighbours to say, of a classifier for its answers.
    """
    measure = "unseen" if hasattr(verdict, "unseen") else "accuracy"
    found: float | None = getattr(verdict, measure)
    return found


def place(order: Placing, news: Tell) -> RunResult:
    """Place new rows on the map of a run and write all files into a folder."""
    from labelscape.hosts.app.results import code_of, placed_on

    start, on = time.perf_counter(), order.on
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # said when the map was fitted
        table = _table(on.source, on.settings.reading)
    with _noting(order.names) as notes:
        rows, labels = _new_rows(order)
        placed = placed_on(order, table, rows, labels, Telling(news, table))
        news(News(step="drawing"))
        placed.write(order.folder, code_of(order, _reader(on), _rows_code(order)))
    return RunResult(
        summary=" ".join([placed.summary, *notes]),
        has_model=True,
        seconds=round(time.perf_counter() - start, 3),
        placement=placed.record,
    )


def _new_rows(order: Placing) -> tuple[Any, Any]:
    """Return new rows, and their classes as far as the table knows them."""
    reading = order.settings.reading
    if (embedded := _embedded(order.source)) is not None:
        data = load(embedded)
        return data, None if data.y is None else [str(one) for one in data.y]
    rows = kept(order.source.path, reading)
    if reading.label is None:
        return rows, None
    return rows, classes_in(rows, str(reading.label), csv_options(reading))


def _rows_code(order: Placing) -> Reader:
    """Return the code that gives the new rows and what their columns are for."""
    from labelscape.hosts.app.results import roles

    if (embedded := _embedded(order.source)) is not None:
        return Reader("load", f"load({embedded!r})")
    reading = order.settings.reading
    given = [repr(order.source.name)]
    given += [f"{role}={key!r}" for role, key in roles(order).items()]
    how = written(reading)
    if how == written(order.on.settings.reading):
        return Reader("", ", ".join(given))
    usual = written(Reading())
    told = ", ".join(
        f"{name}={tuple(value) if isinstance(value, list) else value!r}"
        for name, value in how.items()
        if value != usual[name] or name in ("decimal", "missing_values")
    )
    return Reader("Reading", ", ".join([*given, f"reading=Reading({told})"]))


@contextmanager
def _noting(
    names: Mapping[str, str],
) -> Iterator[dict[str, None]]:
    """Gather what is warned of, as sentences for the user, each once."""
    notes: dict[str, None] = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield notes
    told = [w.message for w in caught if isinstance(w.message, Warning)]
    notes |= dict.fromkeys(sentence(warning, PageWording(names)) for warning in told)


def explain(
    run: Path, source: Source, reading: Reading, row: int, news: Tell
) -> dict[str, Any]:
    """Explain the decision for one object of a finished run."""
    ask, n_rows = _explaining(run, source, reading)
    if not 0 <= row < n_rows:
        raise InputError(f"There is no row {row}; the table has {n_rows}.")
    return ask(row)


def check_decisions(run: Path, decisions: Mapping[int, str], news: Tell) -> None:
    """Raise an `InputError` if a decision is about what the map of a run has not."""
    n_rows, classes = _labelled(run)
    for row, label in decisions.items():
        if row >= n_rows:
            words = f"There is no row {row}; the map has rows 0 to {n_rows - 1}."
            raise InputError(words, parameter="decisions")
        if label not in classes:
            raise InputError(
                f"Row {row} can't become {shown(label)}: the classes of the map are "
                f"{', '.join(classes)}.",
                parameter="decisions",
            )


@lru_cache(maxsize=8)
def _labelled(run: Path) -> tuple[int, tuple[str, ...]]:
    """Return how many rows the map of a run has, and its classes."""
    from labelscape.scene import decode

    scene = decode((run / "scene.lscn").read_bytes())
    return scene.n_points, tuple(scene.classes)


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
    if not path.exists():
        raise InputError(SILENT)
    model, data = labelscape.load(path), _table(source, reading)
    scene = decode((run / "scene.lscn").read_bytes())
    ask = explainer(model, data.X, scene, data.feature_names, data.categories)
    if ask is None:
        raise InputError(SILENT)
    return ask, len(data.X)


def _table(source: Source, reading: Reading) -> Table:
    if (embedded := _embedded(source)) is not None:
        return load(embedded)
    if reading.label is None:
        raise InputError(
            "Say which column holds the classes: every method needs them.",
            parameter="label",
        )
    if reading.image is not None:
        return _with_pictures(source, reading)
    table = reading.read(kept(source.path, reading), source.name)
    check_enough_rows(table)
    return table


def _with_pictures(source: Source, reading: Reading) -> Table:
    """Return a table whose pictures lie where its file was opened.

    Of a file that came by the web nothing is opened: the column is shown as it is.
    """
    image = str(reading.image)
    others = tuple(key for key in reading.show if key != image)
    shown = replace(reading, image=None, show=(*others, image))
    table = shown.read(kept(source.path, shown), source.name)
    if source.beside is None:
        return table
    files = table.shown[-1]
    return replace(
        table,
        shown=table.shown[:-1],
        images=image_paths(files.values, source.beside, image),
    )


def _embedded(source: Source) -> str | None:
    """Return the name of an embedded data set, which stands in place of a file."""
    if source.path.name != EMBEDDED:
        return None
    name: str = json.loads(source.path.read_text())["embedded"]
    return name


def _reader(order: Fit | PlacedOn) -> Reader:
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
