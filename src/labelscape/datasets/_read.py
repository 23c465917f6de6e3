"""Reading of a table: its columns, their roles, and the table of features."""

import os
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from labelscape._core.errors import InputError, InputWarning, Setting, readable
from labelscape._core.labels import merged
from labelscape.datasets._columns import (
    Column,
    Places,
    counts_rows,
    is_missing,
    places_of,
)
from labelscape.datasets._describe import (
    image_paths,
    likely_decimal,
    shown_column,
    shown_words,
)
from labelscape.datasets._encoder import fit_encoder
from labelscape.datasets._kinds import (
    class_labels,
    coerced,
    identifiers,
    labeled_rows,
)
from labelscape.datasets._options import ReadingOptions
from labelscape.datasets._roles import guessed_roles, revealing, warn_of_guesses
from labelscape.datasets._table import Table
from labelscape.datasets.files.cells import NAMES
from labelscape.datasets.files.frames import read_columns
from labelscape.datasets.files.images import CLASS, FILE
from labelscape.datasets.files.text import ParsedText, file_format

_NAMED = 5  # number of left-out rows that a warning lists


def table_from(source: Any, reading: ReadingOptions, scale: str | None) -> Table:
    """Return the table in a file or a data frame; see `read_table`."""
    path = _path_of(source)
    columns, reading = _columns(source, path, reading)
    at = places_of(columns, reading)
    guessed = guessed_roles(
        columns, at, reading.decimal or ".", may_group=reading.group is not False
    )
    at = at._replace(
        group=at.group if guessed.group is None else guessed.group,
        show=(*at.show, *guessed.subjects, *guessed.dates),
    )
    at = _with_row_names(columns, _with_annotations(columns, at))
    folder, name = Path(), "table"
    if path is not None:
        folder = path if path.is_dir() else path.parent
        file = Path(path.name.removesuffix(".gz"))
        name = path.resolve().name if path.is_dir() else file.stem
    table = table_of(columns, reading, readable(name), at, scale=scale, folder=folder)
    warn_of_guesses(columns, guessed)
    if reading.merge_classes is not None and table.y is not None:
        classes, codes = np.unique(table.y, return_inverse=True)
        usual, codes = merged(classes, codes)
        table = replace(table, y=usual[codes])
    return _without_copies(table) if reading.copies == "drop" else table


def _with_annotations(columns: Sequence[Column], at: Places) -> Places:
    """Return the roles of columns; cell annotations without a role are displayed."""
    free = at.aside.union(at.keep, at.nominal)
    show = [i for i, one in enumerate(columns) if one.is_annotation and i not in free]
    names = [i for i in show if columns[i].name == NAMES]
    if names and at.id is None:
        at = at._replace(id=names[0])
    return at._replace(show=(*at.show, *(i for i in show if i not in names)))


def _with_row_names(columns: Sequence[Column], at: Places) -> Places:
    """Return the roles of columns; row names from pandas or R become ids."""
    has_role = at.aside.union(at.keep, at.nominal)
    first = columns[0]
    if first.is_named or 0 in has_role or is_missing(first).any():
        return at
    if len({str(value) for value in first.values}) < len(first.values):
        return at
    return at._replace(id=0) if at.id is None else at._replace(drop=(*at.drop, 0))


def _columns(
    source: Any, path: Path | None, reading: ReadingOptions
) -> tuple[list[Column], ReadingOptions]:
    """Return the columns of a table, and the `Reading` with detected options."""
    is_archive = path is not None and file_format(path) == ".npz"
    columns = read_columns(source, reading)
    if reading.decimal is None:
        is_comma = reading.delimiter != "," and likely_decimal(columns) == ","
        reading = replace(reading, decimal="," if is_comma else ".")
        columns = read_columns(source, reading) if is_comma else columns
    if path is not None and path.is_dir():
        known = {"label": CLASS, "id": FILE, "image": FILE}
        usual: dict[str, Any] = {
            role: name for role, name in known.items() if getattr(reading, role) is None
        }
        reading = replace(reading, **usual)
    if is_archive and reading.label is None and any(c.name == "y" for c in columns):
        reading = replace(reading, label="y")
    if reading.transpose and reading.header is not False and reading.id is None:
        reading = replace(reading, id=columns[0].name)  # sample names
    if reading.unlabelled == "drop" and reading.label is not None:
        columns = labeled_rows(columns, reading.label)
    return columns, reading


def _without_copies(table: Table) -> Table:
    """Return the table without rows that equal an earlier row, with a warning."""
    rows = table.X + 0.0  # -0 becomes 0
    if table.y is not None:
        rows = np.column_stack([rows, np.unique(table.y, return_inverse=True)[1]])
    first = np.sort(np.unique(rows, axis=0, return_index=True)[1])
    n_copies = len(table.X) - len(first)
    if not n_copies:
        return table
    copies = "1 row is a copy of another row and was" if n_copies == 1 else ""
    copies = copies or f"{n_copies:,} rows are copies of other rows and were"
    warnings.warn(InputWarning(f"{table.name}: {copies} left out."), stacklevel=4)
    return table.take(first)


def _path_of(source: Any) -> Path | None:
    """Return the file of a table; None if it is in memory."""
    if isinstance(source, ParsedText):
        return source.path
    return Path(source) if isinstance(source, str | os.PathLike) else None


def table_of(
    columns: Sequence[Column],
    reading: ReadingOptions,
    name: str,
    at: Places | None = None,
    *,
    scale: str | None = None,
    folder: Path = Path(),
) -> Table:
    """Return the table made from columns and their roles."""
    at = at or places_of(columns, reading)
    at_features = _feature_places(columns, at, reading)
    if reading.missing == "impute":
        columns = _without_empty_rows(columns, at_features, at.id)
    features = [
        coerced(columns[i], "nominal") if i in at.nominal else columns[i]
        for i in at_features
    ]
    y = None if at.label is None else class_labels(columns[at.label])
    ids = None if at.id is None else identifiers(columns[at.id], role="Id")
    encoder, X, gaps = fit_encoder(features, reading, scale)
    return Table(
        X,
        y,
        encoder.feature_names,
        ids,
        encoder,
        name,
        missing={column: len(rows) for column, rows in gaps.items()},
        imputed={
            feature: gaps[code.name]
            for code in encoder.codes
            if code.name in gaps
            for feature in code.feature_names
        },
        groups=None if at.group is None else shown_words(columns[at.group]),
        shown=tuple(
            shown_column(columns[i], reading.decimal or ".", nominal=i in at.nominal)
            for i in dict.fromkeys(at.show)
        ),
        images=None if at.image is None else image_paths(columns[at.image], folder),
        texts=None if at.text is None else shown_words(columns[at.text]),
        group_column="" if at.group is None else columns[at.group].name,
        id_column=""
        if at.id is None
        else columns[at.id].name * columns[at.id].is_named,
    )


def _feature_places(
    columns: Sequence[Column], at: Places, reading: ReadingOptions
) -> list[int]:
    """Return the positions of the feature columns."""
    aside = at.aside
    if reading.row_numbers == "drop":
        label = None if at.label is None else columns[at.label]
        aside |= revealing(columns, label, aside | set(at.keep))
    wanted = {*at.keep, *at.nominal}
    features = [
        i
        for i, column in enumerate(columns)
        if i not in aside and not _is_blank(column, i in wanted)
    ]
    if not features:
        raise InputError(
            "No column is left as a feature: all columns are labels, ids, displayed or "
            "dropped. If lines were not split into cells, pass the delimiter, such as ",
            Setting("delimiter", ";"),
            ".",
        )
    return features


def _is_blank(column: Column, is_wanted: bool) -> bool:
    """Whether a column is empty and unnamed, because each line ends in a delimiter."""
    if column.is_named or is_wanted:
        return False
    if is_missing(column).all():
        return True
    # Such a column often has row numbers, which reveal the classes of a sorted table.
    raise InputError(
        f"A column has values but no name, so it is called {column.name!r}. Name it, "
        "or pass ",
        Setting("id", column.name),
        " to use it as ids, ",
        Setting("drop", [column.name]),
        " to leave it out, or ",
        Setting("keep", [column.name]),
        " to make it a feature.",
    )


def _without_empty_rows(
    columns: Sequence[Column], features: Sequence[int], at_id: int | None
) -> list[Column]:
    """Remove the rows in which all features are missing, with a warning."""
    missing = {i: is_missing(columns[i]) for i in features}
    some = [rows for rows in missing.values() if rows.any()]
    full = [columns[i] for i, rows in missing.items() if not rows.any()]
    if not some or not all(counts_rows(column) for column in full):
        return list(columns)
    is_empty = np.logical_and.reduce(some)
    if not is_empty.any() or is_empty.all():
        return list(columns)
    named = columns[features[0] if at_id is None else at_id]
    empty = np.flatnonzero(is_empty).tolist()
    places = [named.place(i) for i in empty[:_NAMED]]
    if at_id is not None:
        words = shown_words(named)
        places = [
            f"{words[i]} in {place}" for i, place in zip(empty, places, strict=False)
        ]
    rest = f" and {len(empty) - _NAMED:,} more" if len(empty) > _NAMED else ""
    rows = "1 row" if len(empty) == 1 else f"{len(empty):,} rows"
    warnings.warn(
        InputWarning(
            f"Left out: {rows} without any value in the features "
            f"({', '.join(places)}{rest})."
        ),
        stacklevel=5,
    )
    return [column.take(~is_empty) for column in columns]
