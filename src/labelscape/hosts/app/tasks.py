"""The tasks of the app's workers: read tables and models, fit, explain."""

import json
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import labelscape
from labelscape._core.errors import InputError, sentence, shown
from labelscape._core.options import call
from labelscape.datasets import ColumnInfo, Reading, Table, load
from labelscape.datasets._internal import ParsedText
from labelscape.hosts.app.errors import PageWording
from labelscape.hosts.app.records import (
    ClassCount,
    Job,
    LoadedModel,
    News,
    RunPlacement,
    RunResult,
    Source,
    StoredTable,
)
from labelscape.hosts.app.results import (
    Report,
    Reporter,
    outcome_of,
    script,
    write_page,
)
from labelscape.hosts.app.uploads import Limits, check_columns, check_size
from labelscape.hosts.app.workspace import EMBEDDED
from labelscape.hosts.questions import Answer, Explain, explainer
from labelscape.jobs import Step, place_rows
from labelscape.jobs._internal import kept_model
from labelscape.scene import decode

SILENT = "This run has no model that explains predictions."


def nothing(news: Report) -> None:
    """Do nothing; this task ends as soon as the worker is ready."""


def describe(
    source: Source, limits: Limits, news: Report, reading: Reading | None = None
) -> StoredTable:
    """Describe a table; without ``reading``, the format of a text file is detected."""
    if (embedded := _embedded(source)) is not None:
        return _about_embedded(source, embedded)
    check_size(source.path, limits)
    with _collected_warnings({str(source.path): source.name}) as notes:
        table, can_be_stored = _parsed(source.path, reading or Reading())
        if reading is None:
            reading, columns = Reading().detected(table)
        else:
            columns = reading.describe(table)
    check_columns(len(columns), limits)
    if isinstance(table, ParsedText) and can_be_stored:
        _store_columns(table, limits)
    return _described(source, columns, reading=reading, notes=list(notes))


def _described(source: Source, columns: list[ColumnInfo], **more: Any) -> StoredTable:
    """Return the catalog entry of a table with these columns."""
    return StoredTable(
        id=source.path.parent.name,
        name=source.name,
        created=time.time(),
        n_rows=columns[0].n_rows,
        n_columns=len(columns),
        columns=columns,
        has_folder=source.beside is not None,
        file=source.path.name,
        folder=source.beside,
        **more,
    )


# A text file is parsed once: its columns are stored with it.

COLUMNS = "columns.parquet"


def _parsed(path: Path, reading: Reading) -> tuple[Path | ParsedText, bool]:
    """Return a file, parsed if it is text, and whether to store the parsed file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        text = ParsedText.of(path, reading)
    for warning in caught:
        warnings.warn(warning.message, stacklevel=2)
    return text or path, text is not None and not caught


def _store_columns(source: ParsedText, limits: Limits) -> None:
    """Store the columns of a file for later fits, if there is space."""
    target = source.path.with_name(COLUMNS)
    if source.words.estimated_size() > limits.unpacked:
        target.unlink(missing_ok=True)
        return
    with suppress(OSError):  # fits can read the file itself
        source.write(target)


def _stored(path: Path, reading: Reading) -> Path | ParsedText:
    """Return the stored columns of a file, or the file itself."""
    return ParsedText.load(path.with_name(COLUMNS), path, reading) or path


def describe_model(path: Path, name: str, news: Report) -> LoadedModel:
    """Describe a model file, without running any code in it."""
    model = labelscape.load(path)
    if not hasattr(model, "predict"):
        raise InputError(
            f"The file contains a {type(model).__name__}, which is not a classifier."
        )
    return LoadedModel(
        id=path.parent.name,
        name=name,
        created=time.time(),
        kind=type(model).__name__,
        n_features=int(model.n_features_in_),
        classes=[str(label) for label in model.classes_],
    )


def fit(order: Job, news: Report) -> RunResult:
    """Run a fit, and write all files of the run into its folder."""
    start = time.perf_counter()
    with _collected_warnings(order.names) as notes:
        data = _table(order.source, order.settings.reading)
        outcome = outcome_of(data, order, Reporter(news, data))
        news(News(step="drawing"))
        outcome.write(order, _table_code(order))
    fitted, verdict = outcome.fitted, outcome.fitted.verdict
    return RunResult(
        summary=" ".join([outcome.summary, *notes]).strip(),
        verdict=str(verdict),
        finding=verdict.finding,
        lights=verdict.lights,
        method=getattr(fitted, "method", order.settings.method),
        has_model=outcome.model is not None,
        seconds=round(time.perf_counter() - start, 3),
        accuracy=verdict.unseen if hasattr(verdict, "unseen") else verdict.accuracy,
    )


def place(order: Job, on: Job, news: Report) -> RunResult:
    """Place new rows on the map of a run, and write all files of the new run."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # reported before, when the map was fitted
        table = _table(on.source, on.settings.reading)
    reporter = Reporter(news, table)
    with _collected_warnings(on.names | order.names) as notes:
        rows, labels = _new_rows(order)
        path = on.folder / "model.labelscape"
        if not path.exists():
            raise InputError("This run has no model that can place new rows.")
        reporter.begin(Step("placing", order.source.name))
        kept_map = kept_model(labelscape.load(path), table, seed=on.settings.seed)
        reading = order.settings.reading
        placed = place_rows(kept_map, rows, **_roles(reading), reading=reading)
        reporter.begin(Step("drawing"))
        scene = placed.scene(
            decode((on.folder / "scene.lscn").read_bytes()),
            table,
            kept_map,
            name=order.source.name,
            labels=labels,
            **_shown_columns(reading, on.settings.reading, table, rows),
        )
        write_page(scene, order.folder)
        path = order.folder / "placed.csv"
        path.write_text(placed.csv(), encoding="utf-8", newline="")
        with warnings.catch_warnings():
            # The page says that a model file may contain rows of the table.
            warnings.simplefilter("ignore")
            labelscape.save(kept_map, order.folder / "model.labelscape")
        (order.folder / "repeat.py").write_text(
            _placing_code(order, on), encoding="utf-8"
        )
    return RunResult(
        summary=" ".join([*_placement_words(placed), *notes]),
        has_model=True,
        seconds=round(time.perf_counter() - start, 3),
        placement=_placement(placed),
    )


def _placement_words(rows: Any) -> list[str]:
    """Return the summary of all new rows as sentences."""
    placement = rows.placement
    parts = [placement.unlike_words, placement.drift_words, rows.filled_words]
    parts += [rows.unknown_words, rows.empty_words]
    return [part for part in parts if part]


def _placement(rows: Any) -> RunPlacement:
    """Return the numbers about new rows that a page shows."""
    record, labels = rows.record(), rows.placement.predictions
    counts = Counter([] if labels is None else map(str, labels.tolist()))
    classes = [ClassCount(name=name, count=n) for name, n in counts.most_common()]
    return RunPlacement(**record | {"classes": classes})


def _shown_columns(
    reading: Reading, of_map: Reading, table: Table, rows: Any
) -> dict[str, Any]:
    """Return the columns of new rows that are also displayed for rows of the map."""
    if isinstance(rows, Table):
        return {"shown": rows.shown, "texts": rows.texts}
    text = of_map.text
    names = [one.name for one in table.shown]
    return {
        "shown": reading.shown_in(rows, names) if names else (),
        "texts": None if text is None else reading.words_in(rows, text),
    }


def _roles(reading: Reading) -> dict[str, str]:
    """Return the names of the columns with the ids and groups of new rows."""
    roles = {"ids": reading.id, "group": reading.group or reading.id}
    return {role: str(key) for role, key in roles.items() if key}


def _placing_code(order: Job, on: Job) -> str:
    """Return the Python code that places the rows again."""
    reading, first = order.settings.reading, on.settings.order
    if (embedded := _embedded(order.source)) is not None:
        rows = f"load({embedded!r})"
    else:
        how = call("Reading", **reading.of_file.to_json())
        roles = "".join(f"{k}={v!r}, " for k, v in _roles(reading).items())
        rows = f"{order.source.name!r}, {roles}reading={how}"
    return script(
        f"{order.source.name} on {order.settings.placed_on_name}",
        f"table = {_table_code(on)}",
        f"fitted = {first.map_code()}",
        f"placed = place_rows(kept_map(fitted, seed={first.seed}), {rows})",
        file="placed-repeated.csv",
        text="placed.csv()",
    )


def _new_rows(order: Job) -> tuple[Any, Any]:
    """Return new rows, and their classes if the table has them."""
    reading = order.settings.reading
    if (embedded := _embedded(order.source)) is not None:
        data = load(embedded)
        return data, None if data.y is None else [str(one) for one in data.y]
    rows = _stored(order.source.path, reading)
    if reading.label is None:
        return rows, None
    return rows, reading.words_in(rows, reading.label)


@contextmanager
def _collected_warnings(names: Mapping[str, str]) -> Iterator[dict[str, None]]:
    """Collect warnings as messages for the user, each message once."""
    notes: dict[str, None] = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield notes
    messages = [w.message for w in caught if isinstance(w.message, Warning)]
    notes |= dict.fromkeys(sentence(one, PageWording(names)) for one in messages)


def explain(
    run: Path, source: Source, reading: Reading, row: int, news: Report
) -> Answer:
    """Explain the prediction for one row of a finished run."""
    ask, n_rows = _explaining(run, source, reading)
    if not 0 <= row < n_rows:
        raise InputError(f"There is no row {row}; the table has {n_rows} rows.")
    return ask(row)


def check_decisions(run: Path, decisions: Mapping[int, str], news: Report) -> None:
    """Raise an `InputError` if the map of a run lacks one of the rows or classes."""
    n_rows, classes = _rows_and_classes(run)
    for row, label in decisions.items():
        if row >= n_rows:
            words = f"There is no row {row}; the map has rows 0 to {n_rows - 1}."
            raise InputError(words, parameter="decisions")
        if label not in classes:
            raise InputError(
                f"Row {row} cannot get the class {shown(label)}: the classes of the "
                f"map are {', '.join(classes)}.",
                parameter="decisions",
            )


@lru_cache(maxsize=8)
def _rows_and_classes(run: Path) -> tuple[int, tuple[str, ...]]:
    """Return the number of rows in the map of a run, and its classes."""
    scene = decode((run / "scene.lscn").read_bytes())
    return scene.n_points, tuple(scene.classes)


# Users ask for several explanations of a run, and a finished run does not change.
@lru_cache(maxsize=1)
def _explaining(run: Path, source: Source, reading: Reading) -> tuple[Explain, int]:
    """Return a function that explains a row of a run, and the number of rows."""
    path = run / "explains.labelscape"
    if not path.exists():
        raise InputError(SILENT)
    model, data = labelscape.load(path), _table(source, reading)
    scene = decode((run / "scene.lscn").read_bytes())
    ask = explainer(model, data.X, scene, data.feature_names, data.categories)
    if ask is None:
        raise InputError(SILENT)
    return ask, len(data.X)


# Settings for reading a table in runs, as on the command line.
AS_READ: dict[str, Any] = {"missing": "impute", "row_numbers": "drop"}


def _table(source: Source, reading: Reading) -> Table:
    if (embedded := _embedded(source)) is not None:
        return load(embedded)
    if reading.label is None:
        raise InputError(
            "Choose the column with the classes, which every method needs.",
            parameter="label",
        )
    if reading.embed is not None:  # this would load a model named by a web request
        raise InputError(
            "The app cannot compute features from texts or images. Upload a table with "
            "a column of vectors, or use the command line.",
            parameter="embed",
        )
    reading = replace(reading, **AS_READ)
    if reading.image is not None:
        return _with_pictures(source, reading)
    table = reading.read(_stored(source.path, reading), source.name)
    table.check_size()
    return table


def _with_pictures(source: Source, reading: Reading) -> Table:
    """Return a table with its images, or with their paths if it was uploaded."""
    image = str(reading.image)
    others = tuple(key for key in reading.show if key != image)
    shown = replace(reading, image=None, show=(*others, image))
    table = shown.read(_stored(source.path, shown), source.name)
    return table if source.beside is None else table.with_images(source.beside)


def _embedded(source: Source) -> str | None:
    """Return the name of an example data set, or None for a file."""
    if source.path.name != EMBEDDED:
        return None
    name: str = json.loads(source.path.read_text())["embedded"]
    return name


def _table_code(order: Job) -> str:
    """Return the Python code that reads the table of a run."""
    if (embedded := _embedded(order.source)) is not None:
        return f"load({embedded!r})"
    return replace(order.settings.reading, **AS_READ).code(order.source.name)


def _about_embedded(source: Source, name: str) -> StoredTable:
    table = load(name)
    columns = [
        ColumnInfo(
            name=feature,
            kind="number",
            n_rows=len(values),
            n_missing=0,
            n_distinct=len(np.unique(values)),
            examples=[f"{v:.6g}" for v in dict.fromkeys(values[:50].tolist())][:5],
            role="feature",
        )
        for feature, values in zip(table.feature_names, table.X.T, strict=True)
    ]
    return _described(source, columns, embedded=name)
