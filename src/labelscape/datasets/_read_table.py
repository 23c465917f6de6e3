"""A user's table, in whatever form it comes, ready for an estimator."""

import os
import re
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError, InputWarning, Part, Setting, readable
from labelscape._core.rules import check_argument, one_of
from labelscape._core.spelling import merged
from labelscape.datasets._aside import (
    GroupKey,
    Roles,
    guessed_roles,
    tell_of_guesses,
    telltale,
)
from labelscape.datasets._codes import are_names, counts_rows, is_missing
from labelscape.datasets._columns import (
    Column,
    ColumnKey,
    find_position,
)
from labelscape.datasets._decimals import likely_decimal
from labelscape.datasets._encoder import fit_encoder
from labelscape.datasets._kinds import coerced
from labelscape.datasets._shown import image_paths, shown_column, shown_words
from labelscape.datasets._source import read_columns
from labelscape.datasets._table import Table
from labelscape.datasets.files.delimited import LIST, CsvOptions, checked_options
from labelscape.datasets.files.parsed import ParsedText
from labelscape.datasets.files.text_file import file_format


def read_table(
    source: Any,
    label: ColumnKey | None = None,
    *,
    id: ColumnKey | None = None,  # noqa: A002 - the word that users have for it
    group: GroupKey = None,
    drop: Sequence[ColumnKey] = (),
    counters: str = "keep",
    keep: Sequence[ColumnKey] = (),
    nominal: Sequence[ColumnKey] = (),
    show: Sequence[ColumnKey] = (),
    image: ColumnKey | None = None,
    text: ColumnKey | None = None,
    scale: str | None = None,
    missing: str = "error",
    missing_values: Sequence[str] = (),
    unlabelled: str = "error",
    merge_classes: str | None = None,
    copies: str = "keep",
    delimiter: str | None = None,
    decimal: str | None = ".",
    encoding: str | None = None,
    header: bool | None = None,
    skip: int | None = None,
    skip_footer: int | None = None,
    sheet: str | int | None = None,
) -> Table:
    r"""Read a table from a file or a data frame, and make features of its columns.

    Parameters
    ----------
    source : path, data frame or ndarray
        A file (CSV or TSV, also with .gz; Excel; Parquet, Feather, Arrow; npy, npz), a
        pandas, polars or pyarrow table, or a matrix. Of an npz file, ``X`` is the
        matrix, ``y`` the labels (or ``label``), and ``feature_names`` the names, if it
        is there. Without names, columns are called x1, x2, …
    label : str or int, default=None
        The column with the classes: its name, or its position from 0 (-1 is the last).
    id : str or int, default=None
        A column that names the rows. It is kept as ids, and is no feature.
    group : str, int or False, default=None
        A column that says what each row belongs to, such as a patient or a plate; it
        may be that of the ids. Such rows are not independent: they are kept together
        when a map is judged. It is no feature. None: a column that is likely to name
        subjects, if there is one, which a warning names. False: none, all rows are
        independent.
    drop : sequence of str or int, default=()
        Columns to leave out.
    counters : {"keep", "drop"}, default="keep"
        Whether a column that counts the rows, or that holds the classes in other words,
        is a feature. It would give the classes away, a counter those of a sorted table;
        one that is left out is named in a warning.
    keep : sequence of str or int, default=()
        Columns that stay features although they count the rows, name subjects, hold
        dates or have no name.
    nominal : sequence of str or int, default=()
        Columns whose numbers are categories, such as codes of regions.
    show : sequence of str or int, default=()
        Columns to look at, such as a batch, a date or a comment: they are no features,
        and stand in ``Table.shown``.
    image, text : str or int, default=None
        A column with a picture file of each row, by its path from the folder of the
        table, and one with the text that each row stands for. They are no features,
        and stand in ``Table.images`` and ``Table.texts``.
    scale : {"standard", "minmax"}, default=None
        Whether to bring each feature to mean 0 and variance 1, or to the range from 0
        to 1. With None the values stay as they are.
    missing : {"error", "impute"}, default="error"
        What to do with missing values of features: say where they are, or put the mean
        of the column in their place. The mean of a nominal column is the share of each
        category. ``Table.missing`` counts them per column, and ``Table.imputed`` says
        where they were.
    missing_values : sequence of str, default=()
        Words that stand for a missing value in a text file, besides the usual ones: an
        empty cell, ?, NA, N/A, n/a, #N/A, NaN, nan, null, NULL.
    unlabelled : {"error", "drop"}, default="error"
        What to do with rows without a class: say where they are, or leave them out and
        warn how many they were.
    merge_classes : {"case"}, default=None
        Whether classes whose names differ by case or spaces alone are one, in the
        spelling that most rows have.
    copies : {"keep", "drop"}, default="keep"
        Whether of rows that are equal in all features and the class only the first is
        kept; a warning says how many were left out.
    delimiter : str, default=None
        What stands between the cells of a text file. None finds out whether it is a
        comma, semicolon, tab, bar, or blanks.
    decimal : {".", ","} or None, default="."
        The decimal sign in a text file. None finds out, as the command line does.
    encoding : str, default=None
        The encoding of a text file. None takes what the mark at its beginning says
        (UTF-8, UTF-16, UTF-32), else UTF-8, else Windows-1252.
    header : bool, default=None
        Whether the first line of a text file holds the names of the columns. None
        expects it, and objects to a line of numbers.
    skip, skip_footer : int, default=None
        How many lines of a text file or rows of a sheet stand above the table and below
        it. None leaves out what clearly is no part of it, such as a title or a total,
        and warns.
    sheet : str or int, default=None
        The sheet of an Excel file: its name, or its number from 1. None takes the first
        that holds a table.

    Returns
    -------
    Table
        Matrix, labels, names, ids, and the encoder for new rows.

    Raises
    ------
    ValueError
        If the data are broken or make no sense as a labelled table. The message is one
        sentence about what is wrong and where, and one about what to do.
    FileNotFoundError
        If there is no such file.

    Notes
    -----
    Numbers stay numbers, and booleans become 0 and 1. A nominal column becomes one
    feature per category, named ``colour=red``; a column with two categories becomes
    one. A column of words of which hardly any occurs twice is refused, being a name or
    a text. Constant columns stay (see ``Table.constant_features``); a column without
    any value is refused. Rows without a value in any feature are left out where others
    are filled in.

    Dates (2020-06-01, 01.06.2020, 6/1/2020, with a time or without) are shown and are
    no features, because the day of a measurement often gives its class away; with
    ``keep`` they become days since the beginning of 1970. A column that is likely to
    name subjects, such as patients with some rows each, is the ``group``, and no
    feature unless ``keep`` or ``nominal`` names it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> text = "tree;height;wood\noak;21.5;hard\npine;30;soft\noak;19;hard"
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "trees.csv")
    ...     _ = path.write_text(text)
    ...     table = read_table(path, label="tree")
    >>> table
    Table 'trees': 3 rows, 2 features, 2 classes (oak 2, pine 1)
    >>> table.feature_names
    ['height', 'wood=soft']
    >>> table.X
    array([[21.5,  0. ],
           [30. ,  1. ],
           [19. ,  0. ]])
    """
    check_argument("read_table", "scale", scale, one_of(None, "standard", "minmax"))
    check_argument("read_table", "missing", missing, one_of("error", "impute"))
    check_argument("read_table", "unlabelled", unlabelled, one_of("error", "drop"))
    check_argument("read_table", "merge_classes", merge_classes, one_of(None, "case"))
    check_argument("read_table", "copies", copies, one_of("keep", "drop"))
    check_argument("read_table", "counters", counters, one_of("keep", "drop"))
    check_argument("read_table", "drop", drop, LIST)
    check_argument("read_table", "keep", keep, LIST)
    check_argument("read_table", "nominal", nominal, LIST)
    check_argument("read_table", "show", show, LIST)
    options = checked_options(
        "read_table",
        delimiter,
        decimal if decimal is not None else ".",
        encoding,
        header,
        missing_values,
        skip,
        skip_footer,
        sheet,
    )
    path = _path_of(source)
    is_archive = path is not None and file_format(path) == ".npz"
    at_group = None if group is False else group
    words = [key for key in (label, id, at_group) if key is not None]
    words += ["y"] if is_archive and label is None else []
    looked_at = [*show, *(key for key in (image, text) if key is not None)]
    words += [*nominal, *looked_at]
    columns = read_columns(source, options, words)
    if decimal is None and delimiter != "," and likely_decimal(columns) == ",":
        options = replace(options, decimal=",")
        columns = read_columns(source, options, words)
    if is_archive and label is None and any(c.name == "y" for c in columns):
        label = "y"
    if unlabelled == "drop" and label is not None:
        columns = labeled_rows(columns, label)
    features = (*keep, *nominal)
    given = Roles(label, id, group, image, text, drop, show, features)
    guessed = guessed_roles(columns, given, options.decimal)
    show = [*show, *guessed.subjects, *guessed.dates]
    table = table_from_columns(
        columns,
        label=label,
        id=id,
        group=at_group if guessed.group is None else guessed.group,
        drop=drop,
        counters=counters,
        keep=keep,
        nominal=nominal,
        show=show,
        image=image,
        text=text,
        folder=Path() if path is None else path.parent,
        scale=scale,
        impute=missing == "impute",
        options=options,
        name="table" if path is None else readable(_stem(path)),
    )
    tell_of_guesses(columns, guessed)
    if merge_classes is not None and table.y is not None:
        classes, codes = np.unique(table.y, return_inverse=True)
        usual, codes = merged(classes, codes)
        table = replace(table, y=usual[codes])
    return without_copies(table) if copies == "drop" else table


def without_copies(table: Table) -> Table:
    """Return a table in which no row is equal to another one, and say how many were."""
    rows = table.X + 0.0  # -0 is 0
    if table.y is not None:
        rows = np.column_stack([rows, np.unique(table.y, return_inverse=True)[1]])
    kept = np.sort(np.unique(rows, axis=0, return_index=True)[1])
    n_copies = len(table.X) - len(kept)
    if not n_copies:
        return table
    copies = "1 row was left out, a copy" if n_copies == 1 else ""
    copies = copies or f"{n_copies:,} rows were left out, copies"
    warnings.warn(InputWarning(f"{table.name}: {copies} of another one."), stacklevel=3)
    return table.take(kept)


# So many rows are named that are left out.
_NAMED = 5


def _path_of(source: Any) -> Path | None:
    """Return where a table lies; None: in memory."""
    if isinstance(source, ParsedText):
        return source.path
    return Path(source) if isinstance(source, str | os.PathLike) else None


def _stem(path: Path) -> str:
    return Path(path.name.removesuffix(".gz")).stem


def table_from_columns(
    columns: Sequence[Column],
    *,
    name: str,
    label: ColumnKey | None = None,
    id: ColumnKey | None = None,  # noqa: A002
    group: ColumnKey | None = None,
    drop: Sequence[ColumnKey] = (),
    counters: str = "keep",
    keep: Sequence[ColumnKey] = (),
    nominal: Sequence[ColumnKey] = (),
    show: Sequence[ColumnKey] = (),
    image: ColumnKey | None = None,
    text: ColumnKey | None = None,
    folder: Path = Path(),
    scale: str | None = None,
    impute: bool = True,
    options: CsvOptions | None = None,
) -> Table:
    """Give each column its role, and make the table of them.

    Paths of images start at ``folder``.
    """
    names = [column.name for column in columns]
    at_label, at_id, at_group, at_image, at_text = (
        None if key is None else find_position(names, key, role=role)
        for role, key in (
            ("label", label),
            ("id", id),
            ("group", group),
            ("image", image),
            ("text", text),
        )
    )
    if at_label is not None and at_label == at_id:
        raise InputError(
            Setting("label"),
            " and ",
            Setting("id"),
            f" both name the column {names[at_label]!r}.",
            parameter="id",
        )
    if at_label is not None and at_label == at_group:
        raise InputError(
            Setting("label"),
            " and ",
            Setting("group"),
            f" both name the column {names[at_label]!r}.",
            parameter="group",
        )
    aside = {find_position(names, key, role="drop") for key in drop}
    at_shown = [find_position(names, key, role="show") for key in show]
    at_kept = {find_position(names, key, role="keep") for key in keep}
    for role, others in (
        ("label", {at_label}),
        ("id", {at_id}),
        ("drop", aside),
        ("keep", at_kept),
    ):
        _refuse_both("show", at_shown, role, others, names)
    roles = (at_label, at_id, at_group, at_image, at_text)
    aside |= {at for at in roles if at is not None} | set(at_shown)
    if counters == "drop":
        label_column = None if at_label is None else columns[at_label]
        aside |= telltale(columns, label_column, aside | at_kept)
    categories = {find_position(names, key, role="nominal") for key in nominal}
    at_features = [
        i
        for i, column in enumerate(columns)
        if i not in aside and not _is_blank(column, i in at_kept | categories)
    ]
    if not at_features:
        raise InputError(
            "No column is left to be a feature besides the label, the ids and "
            "the dropped ones. If the lines were not cut into cells, pass what "
            "stands between these, such as ",
            Setting("delimiter", ";"),
            ".",
        )
    if impute:
        columns = _without_empty_rows(columns, at_features, at_id)
    features = [
        coerced(columns[i], "nominal") if i in categories else columns[i]
        for i in at_features
    ]
    y = None if at_label is None else class_labels(columns[at_label])
    ids = None if at_id is None else identifiers(columns[at_id], role="Id")
    encoder, X, gaps = fit_encoder(
        features,
        scale=scale,
        impute=impute,
        options=options or CsvOptions(),
        dropped=drop,
    )
    missing = {column: len(rows) for column, rows in gaps.items()}
    imputed = {
        feature: gaps[code.name]
        for code in encoder.codes
        if code.name in gaps
        for feature in code.feature_names
    }
    decimal = encoder.options.decimal
    images = None if at_image is None else shown_words(columns[at_image])
    return Table(
        X,
        y,
        encoder.feature_names,
        ids,
        encoder,
        name,
        missing,
        imputed,
        None if at_group is None else shown_words(columns[at_group]),
        tuple(
            shown_column(columns[i], decimal, nominal=i in categories)
            for i in dict.fromkeys(at_shown)
        ),
        None
        if at_image is None or images is None
        else image_paths(images, folder, names[at_image], columns[at_image].place),
        None if at_text is None else shown_words(columns[at_text]),
        "" if at_group is None else names[at_group],
    )


def _refuse_both(
    one: str,
    first: Sequence[int],
    other: str,
    second: set[int | None] | set[int],
    names: Sequence[str],
) -> None:
    """Raise a ValueError if a column is named by two settings."""
    for at in first:
        if at in second:
            raise InputError(
                Setting(other),
                " and ",
                Setting(one),
                f" both name the column {names[at]!r}.",
                parameter=one,
            )


def _is_blank(column: Column, is_wanted: bool) -> bool:
    """Whether a column has neither name nor values: a delimiter ends each line."""
    if column.is_named or is_wanted:
        return False
    if is_missing(column).all():
        return True
    # Often the numbers of the rows: as a feature, they would give the classes away.
    raise InputError(
        f"A column has values but no name, and is called {column.name!r}. Name it, or "
        "pass ",
        Setting("id", column.name),
        " to keep it as ids, ",
        Setting("drop", [column.name]),
        " or ",
        Setting("keep", [column.name]),
        ".",
    )


def _without_empty_rows(
    columns: Sequence[Column], features: Sequence[int], at_id: int | None
) -> list[Column]:
    """Return the columns without the rows that no feature has a value in; warn of them.

    A counter of the rows has one in all of them, and says nothing.
    """
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
        stacklevel=4,
    )
    return [column.take(~is_empty) for column in columns]


# A column into class labels or ids.

_WHOLE = re.compile(r"0|-?[1-9]\d{0,19}")
# Of fewer rows no map can be judged.
FEWEST_ROWS = 10


def class_labels(column: Column) -> NDArray[Any]:
    """Return the classes of a label column: whole numbers where all are, else words."""
    labels = identifiers(column, role="Label")
    n_classes = len(np.unique(labels))
    if n_classes == 1:
        raise InputError(
            f"Label column {column.name!r} holds 1 class, {labels[0]!s}, and at least "
            "two are needed. With one class there is nothing to tell apart.",
            parameter="label",
        )
    if are_names(n_classes, len(labels)):
        raise InputError(
            f"Label column {column.name!r} holds {n_classes} different values in "
            f"{len(labels)} rows: names or measurements, not classes. "
            "Give another column, or bin the values first.",
            parameter="label",
        )
    return labels


def labeled_rows(columns: Sequence[Column], label: ColumnKey) -> list[Column]:
    """Return the columns without the rows that have no class, and warn of these."""
    at = find_position([column.name for column in columns], label, role="label")
    kept = ~is_missing(columns[at])
    n_left_out = len(kept) - int(kept.sum())
    if not kept.any():
        raise InputError(
            f"Label column {columns[at].name!r} holds no class at all. "
            "Give another one.",
            parameter="label",
        )
    n_kept, blocks = int(kept.sum()), _block_words(columns[at])
    if blocks and n_kept < FEWEST_ROWS:
        raise InputError(
            f"Label column {columns[at].name!r} holds a class in {n_kept} of "
            f"{len(kept):,} rows. {blocks}".strip(),
            parameter="label",
        )
    if n_left_out:
        rows = "1 row" if n_left_out == 1 else f"{n_left_out:,} rows"
        warnings.warn(
            f"Left out: {rows} without a class. {blocks}".strip(), stacklevel=3
        )
    return [column.take(kept) for column in columns]


def _block_words(column: Column) -> str:
    """Return advice where each class is written once, above the rows that have it."""
    kept = np.flatnonzero(~is_missing(column))
    n = len(column.values)
    if n < FEWEST_ROWS or not len(kept) or kept[0] != 0 or 2 * len(kept) > n:
        return ""
    words = shown_words(column)[kept]
    if len(kept) < 2 or (words[1:] == words[:-1]).any():
        return ""
    return (
        "It seems to be written once for each block of rows, as where cells are "
        "merged: unmerge them and fill the column down in a spreadsheet. "
    )


def check_enough_rows(table: Table) -> None:
    """Raise a ValueError if a table has too few rows for a map that can be judged."""
    if len(table.X) < FEWEST_ROWS:
        rows = "1 row" if len(table.X) == 1 else f"{len(table.X)} rows"
        raise InputError(
            f"{table.name} has {rows} with a class, and at least {FEWEST_ROWS} are "
            "needed. Check that the column of the classes is filled in.",
            parameter="label",
        )


def ids_in(rows: Any, name: str, options: CsvOptions) -> NDArray[Any]:
    """Return a column of a file or frame as ids."""
    columns = read_columns(rows, options, [name])
    at = find_position([column.name for column in columns], name, role="id")
    return identifiers(columns[at], role="Id")


def classes_in(rows: Any, name: str, options: CsvOptions) -> NDArray[Any] | None:
    """Return a column of a file or frame as words, None where one is missing.

    None if there is no such column.
    """
    found = [c for c in read_columns(rows, options, [name]) if c.name == name]
    return shown_words(found[0]) if found else None


def identifiers(column: Column, *, role: str) -> NDArray[Any]:
    """Return whole numbers where all values are, else words; none may be missing."""
    words: NDArray[Any] = coerced(column, "nominal").values
    gaps = np.flatnonzero(is_missing(column))
    if len(gaps):
        advice: tuple[Part, ...] = ("Fill them in or leave these rows out.",)
        if role == "Label":
            drop = Setting("unlabelled", "drop")
            advice = ("Fill them in, or pass ", drop, " to leave these rows out.")
            advice = (_block_words(column), *advice)
        raise InputError(
            f"{role} column {column.name!r} holds {len(gaps)} missing "
            f"value{'s' * (len(gaps) > 1)}, the first in {column.place(gaps[0])}. ",
            *advice,
        )
    if column.kind == "boolean":
        return column.values.astype(bool)
    # "007" and "1.0" are kept as they are written.
    if all(_WHOLE.fullmatch(word) for word in set(words)):
        for dtype in (np.int64, np.uint64):
            with suppress(OverflowError):
                return words.astype(dtype)
    return words.astype(str)
