"""New rows on a saved map: placed, tested, and written to files."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline

from labelscape._core.checks import matrix_argument
from labelscape._core.columns import UnknownCategory
from labelscape._core.errors import FileName, InputError, readable
from labelscape._core.params import (
    arguments,
    either,
    instance,
    optional,
    seed_rule,
    text,
)
from labelscape._core.params import path as path_rule
from labelscape._core.types import Array, Floats, Ints
from labelscape._model_file import load
from labelscape.crossfit import CrossFit
from labelscape.datasets import Reading, Table, TableEncoder
from labelscape.jobs.map import MapResult
from labelscape.jobs.methods import check_kept
from labelscape.jobs.words import counted
from labelscape.quality.drift import Placement, TableMap

if TYPE_CHECKING:
    from labelscape.scene import Scene

# Maximum number of shifted features in a record, and of names in a sentence.
MOVED, LISTED = 10, 5


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


class PlacedRows(NamedTuple):
    """New rows that were placed on a saved map.

    Attributes
    ----------
    placement : Placement
        Positions of the placed rows, and tests of outliers and drift.
    ids : ndarray of shape (n_rows,) or None
        The names of all new rows; None if they have no names.
    X : ndarray of shape (n_placed, n_features)
        The features of the placed rows.
    filled : ndarray of int of shape (n_rows,)
        Number of imputed cells in each row.
    rows : ndarray of int of shape (n_placed,)
        Indices of the placed rows: all rows that have at least one value.
    unknown : list of UnknownCategory
        Cells with a category that is not in the table of the map (treated as missing).
    """

    placement: Placement
    ids: Array | None
    X: Floats
    filled: Ints
    rows: Ints
    unknown: list[UnknownCategory]

    @property
    def empty(self) -> list[int]:
        """The rows without any value, which are left out."""
        placed = {*self.rows.tolist()}
        return [row for row in range(len(self.filled)) if row not in placed]

    @property
    def filled_words(self) -> str:
        """A sentence on the number of imputed cells; empty if there are none."""
        cells = self.filled[self.rows]
        if not cells.any():
            return ""
        n, n_rows = int(cells.sum()), int((cells > 0).sum())
        were = "was" if n == 1 else "were"
        missing = f"{counted(n, 'missing cell')} in {counted(n_rows, 'row')}"
        return f"{missing} {were} replaced by the mean of the column."

    @property
    def unknown_words(self) -> str:
        """A sentence on new categories and their rows; empty if there are none."""
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
            "Categories that do not occur in the training data "
            f"(treated as missing): {', '.join(parts)}."
        )

    @property
    def empty_words(self) -> str:
        """A sentence on the rows that are left out; empty if there are none."""
        if not self.empty:
            return ""
        return f"Left out because all values are missing: {self._named(self.empty)}."

    @property
    def words(self) -> str:
        """All sentences about the new rows."""
        more = (self.filled_words, self.unknown_words, self.empty_words)
        return "\n".join([str(self.placement), *filter(None, more)])

    def record(self) -> dict[str, Any]:
        """Return all results about the rows as plain values, for scripts."""
        placement = self.placement
        return {
            "n_rows": len(self.filled),
            "n_placed": len(self.rows),
            "n_filled": int(self.filled[self.rows].sum()),
            "empty": self.empty,
            "unknown": [one._asdict() for one in self.unknown],
            "n_unlike": int(placement.unlike.sum()),
            "rate": placement.rate,
            "drift_p": placement.drift_p,
            "has_drifted": placement.has_drifted,
            "moved": [
                # JSON cannot represent infinity.
                one._asdict()
                | {"distance": one.distance if isfinite(one.distance) else None}
                for one in placement.moved[:MOVED]
            ],
            "words": self.words,
            "rows": self._row_records(),
        }

    def _row_records(self) -> list[dict[str, Any]]:
        """Return a record of each new row; a row that is left out only has its name."""
        placement = self.placement
        axes = AXES[: placement.positions.shape[1]]
        classes = [] if placement.classes is None else placement.classes.tolist()
        chances = [f"p({cell_text(name)})" for name in classes]
        names = [*axes, "class", "p_unlike", "unlike", "set", *chances]
        index = {row: i for i, row in enumerate(self.rows.tolist())}
        records = []
        for row in range(len(self.filled)):
            values: list[Any] = [None] * len(names)
            if (i := index.get(row)) is not None:
                answers, P = placement.predictions, placement.probabilities
                values = [
                    *placement.positions[i].tolist(),
                    None if answers is None else cell_text(answers[i]),
                    float(placement.p_unlike[i]),
                    bool(placement.unlike[i]),
                    _set_text(placement, i),
                    *([] if P is None else P[i].tolist()),
                ]
            records.append(
                {
                    "row": row,
                    "id": None if self.ids is None else cell_text(self.ids[row]),
                    **dict(zip(names, values, strict=True)),
                    "filled": None if i is None else int(self.filled[row]),
                }
            )
        return records

    def csv(self) -> str:
        """Return a table of the new rows as CSV text."""
        rows = self._row_records()
        file = StringIO(newline="")
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return file.getvalue()

    def scene(
        self, scene: "Scene", table: Table, kept: TableMap, **about: Any
    ) -> "Scene":
        """Return the scene of the map, with the new rows added.

        Parameters
        ----------
        scene, table, kept : Scene, Table, TableMap
            The scene of the map, the table of the map, and the saved map.
        **about
            ``name`` of the new data, and ``labels``, ``shown`` columns and ``texts`` of
            the new rows, if any.
        """
        from labelscape.jobs.place_scene import placement_scene

        return placement_scene(scene, table, kept, self, **about)

    def _named(self, rows: Sequence[int]) -> str:
        """Return the names of rows as text: their ids, or else their numbers."""
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
    if reading is not None:
        encoder = replace(encoder, reading=_of_new_rows(reading, encoder.reading))
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
            None if key is None else encoder.reading.ids_in(rows, key)
            for key in (ids, group)
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


# The positions of rows as a table for other programs.


def _set_text(placement: Placement, row: int) -> str | None:
    """Return the prediction set of a row as text; None if the map has no such sets."""
    if placement.in_set is None or placement.classes is None:
        return None
    names = placement.classes[placement.in_set[row]]
    return "; ".join(map(cell_text, names)) or "none of these"


# First characters of a formula in a spreadsheet; a class named -1 is a number. The same
# rule as in csv.ts.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
AXES = ("x", "y", "z")


def cell_text(value: Any) -> str:
    """Return a name or class as text that spreadsheets do not read as a formula."""
    text = readable(str(value))
    is_safe = not text.startswith(FORMULA) or NUMBER.fullmatch(text)
    return text if is_safe else f"'{text}"


@arguments(table=instance(Table))
def positions_csv(table: Table, positions: Array) -> str:
    """Return the position of each row with its name and class, as CSV text."""
    y = table.y
    if y is None:
        raise ValueError(f"{table.name!r} has no classes to write to the CSV file.")
    positions = matrix_argument("positions_csv", "positions", positions)
    if len(positions) != len(y) or positions.shape[1] > len(AXES):
        raise InputError(
            f"positions must have {len(y):,} rows of 1 to {len(AXES)} numbers, got "
            f"an array of shape {positions.shape}.",
            owner="positions_csv",
            parameter="positions",
        )
    names = range(len(y)) if table.ids is None else table.ids.tolist()
    return _header(positions.shape[1]) + _lines(names, y, positions)


def positions_by_pieces(
    model: Any, pieces: Iterable[tuple[Any, Any, Any]], n_components: int
) -> Iterator[bytes]:
    """Yield the CSV text of all positions, for a table that is read in pieces."""
    yield _header(n_components).encode()
    first = 0
    for X, labels, ids in pieces:
        names = np.arange(first, first + len(X)) if ids is None else ids
        Z = np.asarray(model.transform(X))
        yield _lines(names.tolist(), labels, Z).encode()
        first += len(X)


def _header(n_components: int) -> str:
    return ",".join(["id", "class", *AXES[:n_components]]) + "\r\n"


def _lines(names: Iterable[Any], labels: Iterable[Any], positions: Array) -> str:
    text = StringIO(newline="")
    writer = csv.writer(text)
    for name, label, position in zip(names, labels, positions, strict=True):
        words = (cell_text(name), "" if label is None else cell_text(label))
        writer.writerow([*words, *(repr(float(v)) for v in position)])
    return text.getvalue()


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
