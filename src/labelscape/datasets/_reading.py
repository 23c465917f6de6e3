"""How a file is written and what its columns are for, as one record."""

import inspect
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Self

from numpy.typing import NDArray

from labelscape._core.arguments import arguments, dict_like, optional
from labelscape._core.arguments import text as text_rule
from labelscape._core.errors import InputError, InputWarning, Setting
from labelscape.datasets._columns import ColumnKey
from labelscape.datasets._describe import ColumnInfo, describe_columns
from labelscape.datasets._read_table import read_table
from labelscape.datasets._table import Table
from labelscape.datasets.files.delimited import CsvOptions

# How a file is written, whatever it holds.
_WRITTEN = (
    "delimiter",
    "decimal",
    "encoding",
    "header",
    "missing_values",
    "skip",
    "skip_footer",
    "sheet",
)


@dataclass(frozen=True)
class Reading:
    """How to read a table: what `read_table` takes, to be kept and used again.

    Hosts ask a user for it once, keep it beside the file, and read, describe or repeat
    by it. Missing values are filled in unless it says otherwise.

    Parameters
    ----------
    label, id : str or int, default=None
        The column with the classes, and the one that names the rows.
    group : str, int or False, default=None
        The column that says which rows belong together. None: that of the ids, if some
        occur twice, else one that is likely to name subjects. False: all rows stand
        alone.
    drop, nominal : tuple of str or int, default=()
        Columns to leave out, and columns whose numbers are categories.
    counters : {"keep", "drop"}, default="drop"
        Whether columns that count the rows or copy the classes are features.
    keep : tuple of str or int, default=()
        Columns that stay features although they count the rows, copy the classes, name
        subjects, hold dates or have no name.
    show : tuple of str or int, default=()
        Columns to look at, which are no features.
    image, text : str or int, default=None
        The column with the picture file of each row, and that with its text.
    decimal, delimiter, encoding, header, missing_values, skip, skip_footer, sheet
        How a file is written, as for `read_table`.
    unlabelled : {"error", "drop"}, default="error"
        What to do with rows without a class.
    merge_classes : {"case"}, default=None
        Whether classes whose names differ by case or spaces alone are one.
    copies : {"keep", "drop"}, default="keep"
        Whether rows that are equal to another one are kept.
    missing : {"error", "impute"}, default="impute"
        What to do with missing values of features.

    Examples
    --------
    >>> reading = Reading(label="kind", drop=("notes",))
    >>> reading.code("trees.csv")
    "read_table('trees.csv', label='kind', drop=['notes'], counters='drop', ..."
    >>> Reading.from_json(reading.to_json()) == reading
    True
    """

    label: ColumnKey | None = None
    id: ColumnKey | None = None
    group: ColumnKey | Literal[False] | None = None
    drop: tuple[ColumnKey, ...] = ()
    counters: str = "drop"
    keep: tuple[ColumnKey, ...] = ()
    nominal: tuple[ColumnKey, ...] = ()
    decimal: str | None = "."
    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None
    missing_values: tuple[str, ...] = ()
    unlabelled: str = "error"
    merge_classes: str | None = None
    copies: str = "keep"
    missing: str = "impute"
    show: tuple[ColumnKey, ...] = ()
    image: ColumnKey | None = None
    text: ColumnKey | None = None
    skip: int | None = None
    skip_footer: int | None = None
    sheet: str | int | None = None

    @arguments(name=optional(text_rule()))
    def read(self, source: Any, name: str | None = None) -> Table:
        """Return the table in a file or frame; ``name`` is what to call it."""
        table = read_table(source, **self._asked())
        if self.group is None and _are_equal(table.groups, table.ids):
            _tell_of_groups(table)
        return table if name is None else replace(table, name=name)

    def describe(self, source: Any) -> list[ColumnInfo]:
        """Say what the columns of a file or frame are, if it is written so."""
        how = {name: getattr(self, name) for name in _WRITTEN}
        return describe_columns(source, **how | {"decimal": self.decimal or "."})

    def code(self, file: str) -> str:
        """Return the Python that reads the table, with what is not usual."""
        usual = inspect.signature(read_table).parameters
        given = "".join(
            f", {name}={_plain(value)!r}"
            for name, value in self._asked().items()
            if value != usual[name].default
        )
        return f"read_table({file!r}{given})"

    def to_json(self) -> dict[str, Any]:
        """Return what is not as usual, in plain values."""
        usual = type(self)()
        return {
            name: _plain(value)
            for name, value in self._arguments().items()
            if value != getattr(usual, name)
        }

    @classmethod
    @arguments(record=dict_like())
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Return the reading that `to_json` wrote."""
        known = {field.name for field in fields(cls)}
        if unknown := sorted(record.keys() - known):
            raise InputError(
                f"there is no {unknown[0]!r}. There are: {', '.join(sorted(known))}.",
                owner=cls.__name__,
            )
        lists = {k: tuple(v) for k, v in record.items() if isinstance(v, list)}
        return cls(**{**record, **lists})

    def _asked(self) -> dict[str, Any]:
        """Return the arguments of `read_table`: ids that occur twice are groups."""
        group = self.id if self.group is None else self.group
        return self._arguments() | {"group": group}

    def _arguments(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def csv_options(reading: Reading) -> CsvOptions:
    """Return how a text file is written, as the reader of such files takes it."""
    known = {name: getattr(reading, name) for name in _WRITTEN}
    return CsvOptions(**known | {"decimal": reading.decimal or "."})


def _are_equal(groups: NDArray[Any] | None, ids: NDArray[Any] | None) -> bool:
    if groups is None or ids is None:
        return False
    return bool((groups == ids.astype(str)).all())


def _tell_of_groups(table: Table) -> None:
    n, n_rows = table.n_groups or 0, len(table.X)
    if n < n_rows:
        warnings.warn(
            InputWarning(
                f"Rows with the same {table.group_column!r} belong together: {n:,} "
                f"among {n_rows:,}. If they are independent, pass ",
                Setting("group", False),
                ".",
            ),
            stacklevel=3,
        )


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
