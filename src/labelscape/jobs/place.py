"""Maps that can place new rows, and new rows placed on them."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline

from labelscape._core.errors import FileName, InputError
from labelscape._core.params import (
    arguments,
    either,
    instance,
    optional,
    seed_rule,
    text,
)
from labelscape._core.params import path as path_rule
from labelscape._core.types import Floats, Ints
from labelscape._model_file import load
from labelscape.crossfit import CrossFit
from labelscape.datasets import Reading, Table, TableEncoder
from labelscape.jobs.map_result import MapResult
from labelscape.jobs.methods import check_kept
from labelscape.jobs.placed_rows import PlacedRows
from labelscape.quality.drift import TableMap


@arguments(result=instance(MapResult), seed=seed_rule())
def kept_map(result: MapResult, *, seed: int = 0) -> TableMap:
    """Return a map that can place new rows, and that `labelscape.save` can write.

    Parameters
    ----------
    result : MapResult
        Result of `map_table`.
    seed : int, default=0
        Random seed.

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
    return kept_model(result.model, result.table, seed=seed, fitted=result.fitted)


def kept_model(
    model: Pipeline, table: Table, *, seed: int = 0, fitted: Ints | None = None
) -> TableMap:
    """Prepare a pipeline to place new rows; ``fitted`` are the rows of its fit."""
    classifier, held_out = model, None
    if not hasattr(model, "predict"):
        scaler, last = model[0], model[-1]
        models = getattr(getattr(last, "metric_", None), "cross_fit_", None)
        if models is None:
            models, fitted = CrossFit(random_state=seed), None
            models.fit(scaler.transform(table.X), table.y, groups=table.groups)
        classifier = make_pipeline(scaler, models)
        held_out = _held_out(models, classifier, table, fitted)
    else:
        with suppress(ValueError):  # classes with too few rows to hold some out
            models = CrossFit(clone(model), random_state=seed)
            held_out = models.fit(table.X, table.y, table.groups).probabilities_
    kept = TableMap(model, classifier, random_state=seed)
    kept.fit(table.X, table.y, table.groups, held_out)
    kept.columns_ = table.encoder.to_json()
    return kept


def _held_out(
    models: CrossFit, classifier: Any, table: Table, fitted: Ints | None
) -> Floats | None:
    """Return held-out class probabilities; None if there are none."""
    known = getattr(models, "probabilities_", None)
    rows = np.arange(len(table.X)) if fitted is None else fitted
    if known is None or len(known) != len(rows):
        return None
    P = np.asarray(classifier.predict_proba(table.X), dtype=np.float64)
    P[rows] = known
    return P


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
    """Place new rows on a saved map.

    Parameters
    ----------
    model : path or TableMap
        A file written by ``labelscape map --model``, or the result of `kept_map`.
    rows : path, data frame or Table
        New rows. Their columns are matched by name.
    ids, group : str, default=None
        The columns with names and groups of the rows. Not used for a Table.
    reading : Reading, default=None
        Format of the file with the new rows, such as its decimal sign or delimiter.
        None: as in the map's table, whose missing-value codes are always used.

    Returns
    -------
    PlacedRows
        Rows without any value are left out. Missing cells are imputed. A category that
        does not occur in the table of the map is treated as missing.
    """
    kept = model if isinstance(model, TableMap) else load(model)
    name = "The map" if kept is model else FileName(model)
    if not isinstance(kept, TableMap) or kept.columns_ is None:
        raise InputError(
            name,
            f" contains a {type(kept).__name__}, not the map of a table. Save a map "
            "with the option --model of 'labelscape map', or with jobs.kept_map.",
        )
    encoder = TableEncoder.from_json(kept.columns_)
    if len(encoder.feature_names) != kept.n_features_in_:
        raise InputError(
            name,
            f" is damaged: its columns have {len(encoder.feature_names)} features, but "
            f"its map has {kept.n_features_in_}. Save the map again.",
        )
    options = Reading(**vars(encoder.reading))
    if reading is not None:
        options = _of_new_rows(reading, options)
    encoder = replace(encoder, reading=options)
    if isinstance(rows, Table):
        names, groups = rows.ids, rows.groups
        # Features as record fields, which are matched by name.
        fields = [(name, np.float64) for name in rows.feature_names]
        named = np.fromiter(map(tuple, rows.X), dtype=fields, count=len(rows.X))
        encoded = encoder.encode(named)
        for j, column in enumerate(encoder.column_names):
            encoded.missing[rows.imputed.get(column, []), j] = True
    else:
        names, groups = (
            None if key is None else options.ids_in(rows, key) for key in (ids, group)
        )
        encoded = encoder.encode(rows)
    # If the table of the map has no missing values, its encoder does not impute.
    X = np.where(np.isnan(encoded.X), kept.means_, encoded.X)
    has_value = np.flatnonzero(~encoded.missing.all(axis=1))
    if not len(has_value):
        raise InputError(
            f"None of the {len(X):,} new rows has a value in a column that the map "
            "uses, so no row can be placed. Check that this is the right file."
        )
    X = X[has_value]
    placement = kept.place(X, None if groups is None else groups[has_value])
    kinds = dict(zip(encoder.feature_names, encoder.feature_kinds, strict=True))
    moved = []
    for one in placement.moved:
        name = encoder.feature_names[int(one.feature[1:])]
        moved.append(one._replace(feature=name, kind=kinds[name]))
    return PlacedRows(
        replace(placement, moved=moved),
        names,
        X,
        encoded.missing.sum(axis=1),
        has_value,
        encoded.unknown,
    )


def _of_new_rows(new: Reading, first: Reading) -> Reading:
    """Return the reading options of new rows, completed by those of the map's table."""
    words = (*first.missing_values, *new.missing_values)
    return replace(
        new.of_file,
        missing_values=tuple(dict.fromkeys(words)),
        rep=new.rep or first.rep,
        embed=first.embed,
        text=first.text,
        image=first.image,
    )
