"""The options for reading a table, with the methods that read it."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputWarning, Setting
from labelscape._core.params import (
    Rule,
    arguments,
    check_argument,
    instance,
    one_of,
    optional,
)
from labelscape._core.params import text as text_rule
from labelscape.datasets._columns import find_position
from labelscape.datasets._describe import (
    ColumnInfo,
    ShownColumn,
    columns_in,
    describe_with_decimal,
    described,
    shown_column,
    shown_words,
)
from labelscape.datasets._kinds import identifiers
from labelscape.datasets._options import (
    KEY,
    LIST,
    ColumnKey,
    ReadingOptions,
    check_names,
)
from labelscape.datasets._read import table_from
from labelscape.datasets._table import Table
from labelscape.datasets.files.frames import read_columns


@dataclass(frozen=True)
class Reading(ReadingOptions):
    __doc__ = ReadingOptions.__doc__

    @arguments(name=optional(text_rule()))
    def read(self, source: Any, name: str | None = None) -> Table:
        """Return the table in a file or frame, as the command line and the app read it.

        ``name`` becomes the name of the table. Rows with the same id are one group,
        unless ``group`` is given.
        """
        table = read_table(source, reading=self.grouped())
        n, n_rows = table.n_groups, len(table.X)
        ids = None if table.ids is None else table.ids.astype(str)
        is_by_id = self.group is None and np.array_equal(table.groups, ids)  # type: ignore[arg-type]
        if is_by_id and n is not None and n < n_rows:
            warnings.warn(
                InputWarning(
                    f"Rows with the same {table.group_column!r} belong together ({n:,} "
                    f"groups in {n_rows:,} rows). If all rows are independent, pass ",
                    Setting("group", False),
                    ".",
                ),
                stacklevel=4,
            )
        return table if name is None else replace(table, name=name)

    def describe(self, source: Any) -> list[ColumnInfo]:
        """Describe the columns of a file or frame, read with these options."""
        return describe_columns(source, reading=self)

    def detected(self, source: Any) -> tuple[Self, list[ColumnInfo]]:
        """Detect the decimal sign; return options with it, and column descriptions."""
        decimal, columns = describe_with_decimal(source, self)
        return replace(self, decimal=decimal), columns

    @arguments(column=KEY)
    def words_in(self, source: Any, column: ColumnKey) -> NDArray[Any] | None:
        """Return a column as text, with None for missing values; None if not found."""
        columns = self._columns_in(source, [column])
        named = (one for one in columns if one.name == str(column))
        return next(map(shown_words, named), None)

    @arguments(column=KEY)
    def ids_in(self, source: Any, column: ColumnKey) -> NDArray[Any]:
        """Return a column of a file or frame as ids."""
        columns = self._columns_in(source, [column])
        at = find_position([one.name for one in columns], column, role="id")
        return identifiers(columns[at], role="Id")

    @arguments(columns=LIST)
    def shown_in(self, source: Any, columns: Sequence[str]) -> list[ShownColumn]:
        """Return the displayed columns of a file or frame."""
        given = self._columns_in(source, columns)
        shown = [column for column in given if column.name in columns]
        return [shown_column(column, self.decimal or ".") for column in shown]

    def _columns_in(self, source: Any, wanted: Sequence[ColumnKey]) -> Any:
        return read_columns(source, replace(self, show=tuple(wanted), embed=None))


_READING = Rule("a Reading", lambda value: isinstance(value, Reading | None))


def read_table(
    source: Any,
    label: ColumnKey | None = None,
    *,
    scale: str | None = None,
    reading: ReadingOptions | None = None,
    **options: Any,
) -> Table:
    r"""Read a table from a file or a data frame, and convert its columns to features.

    Parameters
    ----------
    source : path, data frame or ndarray
        A file (CSV or TSV, also with .gz; Excel; Parquet, Feather, Arrow; npy, npz;
        h5ad), a pandas, polars or pyarrow table, an AnnData object, or a matrix. The
        features of an AnnData object are one representation (see ``rep`` of `Reading`),
        and columns of ``obs`` are displayed. In an npz file, ``X`` is the matrix, ``y``
        (or the array selected by ``label``) contains the labels, and ``feature_names``,
        if present, the names of the features. Default names are x1, x2, …
    label : str or int, default=None
        The column with the classes: its name, or its position from 0 (-1 is the last).
    scale : {"standard", "minmax"}, default=None
        Whether to scale each feature to mean 0 and variance 1, or to the range from 0
        to 1. With None, values are not scaled.
    reading : Reading, default=None
        Options for several tables; ``label`` and ``options`` override these options.
    **options
        Any other option of `Reading`: ``id``, ``group``, ``drop``, ``keep``,
        ``nominal`` and ``show`` select columns; ``missing="impute"`` fills in missing
        values; ``delimiter``, ``decimal``, ``sheet`` and others describe the format of
        a file.

    Returns
    -------
    Table
        Matrix, labels, names, ids, and the encoder for new rows.

    Raises
    ------
    ValueError
        If the data are damaged, or cannot be used as a labeled table. The message
        explains what is wrong, where it is, and what to do.
    FileNotFoundError
        If there is no such file.

    Notes
    -----
    Numbers are not changed, and booleans become 0 and 1. A nominal column becomes one
    feature per category, named ``color=red``, or a single feature if it has two
    categories. A column of vectors becomes one feature per number, named
    ``embedding[0]``. If the words of a column are almost all different, they are names
    or free text, and the column is rejected. Constant columns are kept (see
    ``Table.constant_features``); a column without any value is rejected. With
    ``missing="impute"``, rows without any value are left out.

    Dates (2020-06-01, 01.06.2020, 6/1/2020, with or without a time) are displayed but
    are not features, because the day of a measurement often reveals its class. With
    ``keep``, dates become days since the beginning of 1970. A column that is likely to
    identify subjects, such as patients with several rows each, becomes the ``group``.
    The group column is a feature only if ``keep`` or ``nominal`` contains its name.

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
    check_argument(
        "read_table",
        "reading",
        reading,
        Rule("a Reading", lambda value: isinstance(value, Reading | None)),
    )
    check_argument("read_table", "scale", scale, one_of(None, "standard", "minmax"))
    check_names(options, "read_table")
    if label is not None:
        options["label"] = label
    reading = replace(reading or Reading(), **options)
    reading.check("read_table")
    return table_from(source, reading, scale)


@arguments(reading=optional(instance(Reading)))
def describe_columns(
    source: Any, *, reading: ReadingOptions | None = None
) -> list[ColumnInfo]:
    r"""Describe the columns of a file or a data frame, and guess their roles.

    Parameters
    ----------
    source : path, data frame or ndarray
        The table, as for `read_table`.
    reading : Reading, default=None
        The format of the file. Options about columns are ignored.

    Returns
    -------
    list of ColumnInfo
        Kind, numbers of missing and different values, examples and guessed role of each
        column. At most one column has the role "label", and at most one the role "id".

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> text = "name,height,wood\na,21.5,hard\nb,,soft\nc,19,hard\nd,20,soft"
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "trees.csv")
    ...     _ = path.write_text(text)
    ...     columns = describe_columns(path)
    >>> [(column.name, column.role, column.n_missing) for column in columns]
    [('name', 'id', 0), ('height', 'feature', 1), ('wood', 'label', 0)]
    """
    reading = reading or Reading()
    return described(columns_in(source, reading), reading.decimal or ".")
