"""New rows on a map that was kept: found, judged, and written down."""

import csv
from dataclasses import replace
from io import StringIO
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline, make_pipeline

from labelscape._core.arguments import arguments, instance, optional, text
from labelscape._core.arguments import path as path_rule
from labelscape._core.arguments import seed as seed_rule
from labelscape._core.errors import FileName, InputError, Setting
from labelscape._core.rules import either
from labelscape._model_file import load
from labelscape.crossfit import CrossFit
from labelscape.datasets import Reading, Table, TableEncoder
from labelscape.datasets._internal import csv_options, ids_in
from labelscape.jobs._mapping import MapResult
from labelscape.jobs._positions import cell_text
from labelscape.jobs.methods import AUTO, method_named, methods_of
from labelscape.newcomers import Moved, Placement, TableMap

# So many features that moved are in the record.
MOVED = 10


@arguments(name=text())
def check_kept(name: str) -> None:
    """Raise unless a map by this method can be kept, before anything is fitted."""
    if name == AUTO or method_named(name).places_alone:
        return
    kept = [one.name for one in methods_of("map") if one.places_alone]
    raise InputError(
        f"a map by {name!r} places new rows by comparing them with the old ones, "
        "which a kept map does not hold. Take ",
        Setting("method", kept[0]),
        f" or another one of: {', '.join(kept)}.",
        parameter="method",
    )


@arguments(result=instance(MapResult), seed=seed_rule())
def kept_map(result: MapResult, *, seed: int = 0) -> TableMap:
    """Return a map for rows that come later; `labelscape.save` writes it to a file.

    Parameters
    ----------
    result : MapResult
        What `map_table` returned.
    seed : int, default=0
        Seed of everything random.

    Returns
    -------
    TableMap

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> from labelscape.jobs import kept_map, map_table
    >>> kept = kept_map(map_table(load("iris"), "lfda", judge=False))
    >>> kept.place(load("iris").X[:3]).predictions.tolist()
    ['setosa', 'setosa', 'setosa']
    """
    check_kept(result.method)
    return kept_model(result.model, result.table, seed=seed)


def kept_model(model: Pipeline, table: Table, *, seed: int = 0) -> TableMap:
    """Return a map of a table for rows that come later, of its fitted pipeline."""
    kept = TableMap(model, _classifier(model, table, seed), random_state=seed)
    kept.fit(table.X, groups=table.groups)
    kept.columns_ = table.encoder.to_json()
    return kept


def _classifier(model: Pipeline, table: Table, seed: int) -> Any:
    """Return what tells the classes: the map itself, or models of their own."""
    if hasattr(model, "predict"):
        return model
    scaler, last = model[0], model[-1]
    models = getattr(getattr(last, "metric_", None), "cross_fit_", None)
    if models is None:
        models = CrossFit(random_state=seed)
        models.fit(scaler.transform(table.X), table.y, groups=table.groups)
    return make_pipeline(scaler, models)


class PlacedRows(NamedTuple):
    """New rows on a kept map, and what they are called; None: they have no names.

    ``X`` holds their features, as the map takes them.
    """

    placement: Placement
    ids: NDArray[Any] | None
    X: NDArray[np.float64] | None = None


@arguments(
    model=either(path_rule(), instance(TableMap)),
    ids=optional(text()),
    group=optional(text()),
    reading=optional(instance(Reading)),
)
def place_rows(
    model: Any,
    rows: Any,
    *,
    ids: str | None = None,
    group: str | None = None,
    reading: Reading | None = None,
) -> PlacedRows:
    """Place new rows on a map that was kept.

    Parameters
    ----------
    model : path or TableMap
        A file that ``labelscape map --model`` wrote, or what `kept_map` returned.
    rows : path, data frame or Table
        New rows, with the columns of the table by name.
    ids, group : str, default=None
        The columns that name the rows, and that say which belong together. A Table
        knows by itself.
    reading : Reading, default=None
        How the file of the new rows is written, as far as its decimal sign, delimiter
        and such go. None: as that of the table was.

    Returns
    -------
    PlacedRows
    """
    kept = model if isinstance(model, TableMap) else load(model)
    name = "The map" if kept is model else FileName(model)
    if not isinstance(kept, TableMap) or kept.columns_ is None:
        raise InputError(
            name,
            f" holds no map of a table, but {type(kept).__name__}. Write one with "
            "labelscape map --model, or labelscape.jobs.kept_map.",
        )
    encoder = TableEncoder.from_json(kept.columns_)
    if len(encoder.feature_names) != kept.n_features_in_:
        raise InputError(
            name,
            f" knows {len(encoder.feature_names)} features of columns, and "
            f"{kept.n_features_in_} of rows: it is damaged.",
        )
    if reading is not None:
        encoder = replace(encoder, options=csv_options(reading))
    if isinstance(rows, Table):
        names, groups, rows = rows.ids, rows.groups, _by_name(rows)
    else:
        names, groups = (
            None if key is None else ids_in(rows, key, encoder.options)
            for key in (ids, group)
        )
    X = encoder.transform(rows)
    found = kept.place(X, groups)
    moved = [
        one._replace(feature=encoder.feature_names[int(one.feature[1:])])
        for one in found.moved
    ]
    return PlacedRows(replace(found, moved=moved), names, X)


def _by_name(table: Table) -> NDArray[Any]:
    """Return the features of a table as fields, which are found by their names."""
    fields = [(name, np.float64) for name in table.feature_names]
    return np.fromiter(map(tuple, table.X), dtype=fields, count=len(table.X))


@arguments(placed=instance(PlacedRows))
def placement_record(placed: PlacedRows) -> dict[str, Any]:
    """Return what is known of new rows, in plain values."""
    found = placed.placement
    return {
        "n_rows": len(found.positions),
        "n_unlike": int(found.unlike.sum()),
        "rate": found.rate,
        "drift_p": found.drift_p,
        "has_drifted": found.has_drifted,
        "moved": [_moved(one) for one in found.moved[:MOVED]],
        "words": str(found),
        "rows": _rows(placed),
    }


def _moved(one: Moved) -> dict[str, Any]:
    """Return a feature that moved; JSON has no number for "beyond all measure"."""
    return one._asdict() | {
        "distance": one.distance if isfinite(one.distance) else None
    }


def _rows(placed: PlacedRows) -> list[dict[str, Any]]:
    found, ids = placed.placement, placed.ids
    axes = ("x", "y", "z")[: found.positions.shape[1]]
    return [
        {
            "row": i,
            "id": None if ids is None else cell_text(ids[i]),
            **dict(zip(axes, found.positions[i].tolist(), strict=True)),
            "class": None
            if found.predictions is None
            else cell_text(found.predictions[i]),
            "p_unlike": float(found.p_unlike[i]),
            "unlike": bool(found.unlike[i]),
        }
        for i in range(len(found.positions))
    ]


@arguments(placed=instance(PlacedRows))
def placement_csv(placed: PlacedRows) -> str:
    """Return the places of new rows as a text with commas, one line each."""
    rows = _rows(placed)
    file = StringIO(newline="")
    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()
