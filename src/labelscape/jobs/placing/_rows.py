"""New rows on a map that was kept: found, judged, and written down."""

import csv
from collections.abc import Sequence
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
from labelscape.datasets._internal import (
    ColumnError,
    EncodedRows,
    UnknownCategory,
    csv_options,
    encoded_rows,
    ids_in,
)
from labelscape.jobs._mapping import MapResult
from labelscape.jobs._positions import AXES, cell_text
from labelscape.jobs._scenes import counted
from labelscape.jobs.methods import AUTO, method_named, methods_of
from labelscape.newcomers import Moved, Placement, TableMap

# So many features that moved are in the record.
MOVED = 10
# So many rows, and so many categories, are named in a sentence.
LISTED = 5


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
    """New rows on a kept map, and what they are called.

    Attributes
    ----------
    placement : Placement
        Where the rows are that hold a value, and what is known of them.
    ids : ndarray of shape (n_rows,) or None
        What all rows are called; None: they have no names.
    X : ndarray of shape (n_placed, n_features)
        The features of those that are placed, as the map takes them.
    filled : ndarray of int of shape (n_rows,)
        How many cells of each row held no value and were filled with what is usual.
    rows : ndarray of int of shape (n_placed,)
        Which rows are placed: all that hold a value.
    unknown : list of UnknownCategory
        Cells with a category that the table did not have; they count as missing.
    """

    placement: Placement
    ids: NDArray[Any] | None
    X: NDArray[np.float64]
    filled: NDArray[np.intp]
    rows: NDArray[np.intp]
    unknown: list[UnknownCategory]

    @property
    def empty(self) -> list[int]:
        """The rows without any value, which are left out."""
        placed = {*self.rows.tolist()}
        return [row for row in range(len(self.filled)) if row not in placed]

    @property
    def filled_words(self) -> str:
        """How many cells were filled in, in a sentence; blank: none."""
        cells = self.filled[self.rows]
        if not cells.any():
            return ""
        n, n_rows = int(cells.sum()), int((cells > 0).sum())
        were = "was" if n == 1 else "were"
        return (
            f"{counted(n, 'cell')} without a value in {counted(n_rows, 'row')} {were} "
            "filled with what is usual."
        )

    @property
    def unknown_words(self) -> str:
        """Which categories are new, and in which rows, in a sentence; blank: none."""
        rows_of: dict[tuple[str, str], list[int]] = {}
        for one in self.unknown:
            rows_of.setdefault((one.column, one.word), []).append(one.row)
        if not rows_of:
            return ""
        parts = [
            f"{column} {word[:40]!r} in {self._named(rows)}"
            for (column, word), rows in list(rows_of.items())[:LISTED]
        ]
        if more := len(rows_of) - len(parts):
            parts.append(f"{more:,} more")
        return (
            "Categories that the table did not have, counted as missing: "
            f"{', '.join(parts)}."
        )

    @property
    def empty_words(self) -> str:
        """Which rows are left out, in a sentence; blank: none."""
        if not self.empty:
            return ""
        return f"Left out, because they hold no value: {self._named(self.empty)}."

    @property
    def words(self) -> str:
        """All that is to be said of the rows."""
        parts = (
            str(self.placement),
            self.filled_words,
            self.unknown_words,
            self.empty_words,
        )
        return "\n".join(part for part in parts if part)

    def _named(self, rows: Sequence[int]) -> str:
        """Return rows by their ids, or by the numbers that they have in the table."""
        names = [str(row if self.ids is None else self.ids[row]) for row in rows]
        more = f" and {len(names) - LISTED:,} more" if names[LISTED:] else ""
        return f"row{'s' * (len(rows) > 1)} {', '.join(names[:LISTED])}{more}"


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
        and such go. None: as that of the table was. What stood for a missing value
        there does so here, too.

    Returns
    -------
    PlacedRows
        Rows without any value are left out of it. A category that the table did not
        have counts as missing, and missing cells are filled with what is usual.
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
        options = csv_options(reading)
        words = (*encoder.options.missing_values, *options.missing_values)
        options = replace(options, missing_values=tuple(dict.fromkeys(words)))
        encoder = replace(encoder, options=options)
    if isinstance(rows, Table):
        names, groups, table = rows.ids, rows.groups, rows
        encoded = _encoded(encoder, _by_name(table))
        for j, column in enumerate(encoder.column_names):
            encoded.missing[table.imputed.get(column, []), j] = True
    else:
        names, groups = (
            None if key is None else ids_in(rows, key, encoder.options)
            for key in (ids, group)
        )
        encoded = _encoded(encoder, rows)
    # A table that was read without gaps has nothing of its own to fill them with.
    X = np.where(np.isnan(encoded.X), kept.means_, encoded.X)
    has_value = np.flatnonzero(~encoded.missing.all(axis=1))
    if not len(has_value):
        raise InputError(
            f"None of the {len(X):,} new rows holds a value in a column of the map, so "
            "there is nothing to place. Check that the right file was given."
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


def _encoded(encoder: TableEncoder, rows: Any) -> EncodedRows:
    """Return new rows as features; a cell that can't be read is refused, with advice.

    The kinds of the columns are those of the table, and can't be chosen again.
    """
    try:
        return encoded_rows(encoder, rows)
    except ColumnError as error:
        if not error.odd:
            raise
        raise InputError(
            f"{error.what} Correct it, or pass ",
            Setting("missing_values", [error.odd]),
            " if it stands for a missing value.",
        ) from error


def _by_name(table: Table) -> NDArray[Any]:
    """Return the features of a table as fields, which are found by their names."""
    fields = [(name, np.float64) for name in table.feature_names]
    return np.fromiter(map(tuple, table.X), dtype=fields, count=len(table.X))


@arguments(placed=instance(PlacedRows))
def placement_record(placed: PlacedRows) -> dict[str, Any]:
    """Return what is known of new rows, in plain values."""
    found = placed.placement
    return {
        "n_rows": len(placed.filled),
        "n_placed": len(placed.rows),
        "n_filled": int(placed.filled[placed.rows].sum()),
        "empty": placed.empty,
        "unknown": [one._asdict() for one in placed.unknown],
        "n_unlike": int(found.unlike.sum()),
        "rate": found.rate,
        "drift_p": found.drift_p,
        "has_drifted": found.has_drifted,
        "moved": [_moved(one) for one in found.moved[:MOVED]],
        "words": placed.words,
        "rows": _rows(placed),
    }


def _moved(one: Moved) -> dict[str, Any]:
    """Return a feature that moved; JSON has no number for "beyond all measure"."""
    return one._asdict() | {
        "distance": one.distance if isfinite(one.distance) else None
    }


def _rows(placed: PlacedRows) -> list[dict[str, Any]]:
    """Return all rows; one that was left out has its number, its name, and gaps."""
    place_of = {row: i for i, row in enumerate(placed.rows.tolist())}
    return [
        {
            "row": row,
            "id": None if placed.ids is None else cell_text(placed.ids[row]),
            **_placed_row(placed.placement, place_of.get(row)),
            "filled": int(placed.filled[row]) if row in place_of else None,
        }
        for row in range(len(placed.filled))
    ]


def _placed_row(found: Placement, i: int | None) -> dict[str, Any]:
    """Return what is known of one placed row; None: it was left out."""
    names = [*AXES[: found.positions.shape[1]], "class", "p_unlike", "unlike"]
    classes = [] if found.classes is None else found.classes.tolist()
    names += [f"p({cell_text(name)})" for name in classes]
    if i is None:
        return dict.fromkeys(names)
    said = None if found.predictions is None else cell_text(found.predictions[i])
    chances = [] if found.probabilities is None else found.probabilities[i].tolist()
    values = [*found.positions[i].tolist(), said, float(found.p_unlike[i])]
    return dict(zip(names, [*values, bool(found.unlike[i]), *chances], strict=True))


@arguments(placed=instance(PlacedRows))
def placement_csv(placed: PlacedRows) -> str:
    """Return the places of new rows as a text with commas, one line each."""
    rows = _rows(placed)
    file = StringIO(newline="")
    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()
