"""What the app's workers do: read tables and models, fit, explain."""

import json
import time
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from labelscape.datasets import Table, describe_columns, load, read_table
from labelscape.hosts.app.progress import News, Telling
from labelscape.hosts.app.uploads import (
    USUAL,
    Limits,
    as_written,
    check_columns,
    check_size,
)
from labelscape.hosts.app.workspace import EMBEDDED


def nothing(news: News) -> None:
    """Do nothing: whoever hears that it is done knows that the worker is ready."""


def describe(
    path: str,
    limits: Mapping[str, Any],
    news: News,
    reading: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return what is in a table, before anybody has said what it is for.

    ``reading`` says how a text file is written, None: as it seems to be.
    """
    source = Path(path)
    bounds = Limits(**limits)
    if (embedded := _embedded(source)) is not None:
        table = load(embedded)
        columns = [_plain_column(table, j) for j in range(len(table.feature_names))]
        return {"embedded": embedded, "n_rows": len(table.X), "columns": columns}
    check_size(source, bounds)
    if reading is None:
        found, reading = as_written(source)
    else:
        found = describe_columns(source, **reading)
    check_columns(len(found), bounds)
    return {
        "n_rows": found[0].n_rows,
        "reading": dict(reading),
        "columns": [column._asdict() for column in found],
    }


def describe_model(path: str, news: News) -> dict[str, Any]:
    """Return what a model file holds; it never runs code."""
    import labelscape

    model = labelscape.load(path)
    if not hasattr(model, "predict"):
        raise ValueError(f"The file holds a {type(model).__name__}: no classifier.")
    return {
        "kind": type(model).__name__,
        "n_features": int(model.n_features_in_),
        "classes": [str(label) for label in model.classes_],
    }


def fit(
    table: str,
    name: str,
    settings: Mapping[str, Any],
    folder: str,
    model: str | None,
    news: News,
) -> dict[str, Any]:
    """Fit what was asked for and write all files of the run into a folder.

    Parameters
    ----------
    table : str
        Path of the table.
    name : str
        What the user calls it.
    settings : mapping
        ``label``, ``id_column``, ``drop``, ``unlabelled``, ``method``,
        ``parameters``, ``seed``, ``honesty``; ``reading`` and ``model_name`` are
        what the session adds.
    folder : str
        Where to write.
    model : str or None
        Path of the model file for the method "model".
    news : callable
        Told how far the fit is.

    Returns
    -------
    dict
        What the catalogue says about the run.
    """
    from labelscape.hosts.app.results import outcome_of

    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        data, embedded = _table(Path(table), name, settings)
        outcome = outcome_of(data, settings, model, Telling(news, data))
        news({"words": "Writing the files."})
        outcome.write(Path(folder), _origin(settings, name, embedded))
    notes = list(dict.fromkeys(" ".join(str(w.message).split()) for w in caught))
    return {
        "summary": " ".join([outcome.summary, *notes]),
        "verdict": outcome.verdict,
        "level": outcome.level,
        "has_model": outcome.model is not None,
        "seconds": round(time.perf_counter() - start, 3),
    }


def explain(
    run: str, table: str, settings: Mapping[str, Any], row: int, news: News
) -> dict[str, Any]:
    """Explain the decision for one object of a finished run."""
    ask, n_rows = _explaining(run, table, json.dumps(settings))
    if not 0 <= row < n_rows:
        raise ValueError(f"There is no row {row}; the table has {n_rows}.")
    return ask(row)


# Who asks once asks again, and a run that has finished does not change.
@lru_cache(maxsize=1)
def _explaining(
    run: str, table: str, settings: str
) -> tuple[Callable[[int], dict[str, Any]], int]:
    """Return what explains the decisions of a run, and how many there are."""
    import labelscape
    from labelscape.hosts._questions import explainer
    from labelscape.scene import decode

    path = Path(run, "explains.labelscape")
    model = labelscape.load(path) if path.exists() else None
    data, _ = _table(Path(table), "", json.loads(settings))
    scene = decode(Path(run, "scene.lscn").read_bytes())
    ask = explainer(model, data.X, scene, data.feature_names) if model else None
    if ask is None:
        raise ValueError("This run has no model that explains itself.")
    return ask, len(data.X)


def _table(
    path: Path, name: str, settings: Mapping[str, Any]
) -> tuple[Table, str | None]:
    if (embedded := _embedded(path)) is not None:
        return load(embedded), embedded
    if settings["label"] is None:
        raise ValueError("Say which column holds the classes: every method needs them.")
    table = read_table(
        path,
        label=settings["label"],
        id=settings.get("id_column"),
        drop=list(settings.get("drop") or ()),
        missing="impute",
        unlabelled=settings.get("unlabelled", "error"),
        **settings.get("reading", USUAL),
    )
    given = {k: v for k, v in vars(table).items() if k != "name"}
    return Table(**given, name=name or table.name), None


def _embedded(path: Path) -> str | None:
    """Return the name of an embedded data set, which stands in place of a file."""
    if path.name != EMBEDDED:
        return None
    name: str = json.loads(path.read_text())["embedded"]
    return name


def _origin(
    settings: Mapping[str, Any], name: str, embedded: str | None
) -> dict[str, Any]:
    return {"settings": dict(settings), "file": name, "embedded": embedded}


def _plain_column(table: Table, j: int) -> dict[str, Any]:
    values = table.X[:, j]
    shown = [f"{value:.6g}" for value in dict.fromkeys(values[:50].tolist())][:5]
    return {
        "name": table.feature_names[j],
        "kind": "number",
        "n_rows": len(values),
        "n_missing": 0,
        "n_distinct": len(np.unique(values)),
        "examples": shown,
        "role": "feature",
    }
