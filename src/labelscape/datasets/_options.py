"""Options for reading a table, all in one record.

To add an option, add a field to `ReadingOptions`, and use it where tables are read. The
field contains the allowed values, the help, the command-line option and the name in the
app. The command line, the app and all error messages use this field.
"""
# ruff: noqa: RUF009 - `option` and functions that call it return dataclass fields

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from labelscape._core.errors import InputError, Setting
from labelscape._core.options import READ, Declared, call, option
from labelscape._core.params import (
    Rule,
    arguments,
    check_argument,
    dict_like,
    either,
    one_of,
    optional,
    whole,
)
from labelscape._core.params import text as text_rule

if TYPE_CHECKING:
    pass

# A column by name, or by position from 0 (from the end if negative).
ColumnKey = str | int
# None: detected. False: all rows are independent.
GroupKey = ColumnKey | Literal[False] | None
Decimal = Literal[".", ","]


def _column(flag: str, role: str, help: str, **more: Any) -> Any:  # noqa: A002
    named = {"flag": flag, "role": role, "metavar": "COLUMN"}
    return option(None, _COLUMN, help, **named, **more)


def _columns(flag: str, role: str, help: str) -> Any:  # noqa: A002
    return option((), LIST, help, flag=flag, role=role, metavar="COLUMN")


def _of_file(
    default: Any,
    rule: Rule,
    help: str,  # noqa: A002
    page: str,
    values: Mapping[Any, str] = MappingProxyType({}),
    **more: Any,
) -> Any:
    written = {"flag": READ, "page": page, "page_values": values}
    return option(default, rule, help, **written, **more)


def _is_key(value: Any) -> bool:
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return isinstance(value, str) or is_whole


KEY = Rule("the name of a column or its position", _is_key)
_COLUMN = Rule(KEY.wanted, lambda value: value is None or _is_key(value))
_GROUP = Rule(
    f"{KEY.wanted}, or False", lambda value: value is False or _COLUMN.holds(value)
)
LIST = Rule(
    "a list", lambda value: not isinstance(value, str) and isinstance(value, Sequence)
)
_DELIMITER = Rule(
    "one character",
    lambda value: (
        value is None
        or (isinstance(value, str) and len(value) == 1 and value not in '\r\n"')
    ),
)
_ENCODING = Rule(
    "the name of an encoding, or None",
    lambda value: value is None or (isinstance(value, str) and "\0" not in value),
)
_LINES = either(whole(0, 10**9), one_of(None))
_SHEET = Rule(
    "the name of a sheet, or its number from 1",
    lambda value: (
        value is None or isinstance(value, str) or (_is_key(value) and value >= 1)
    ),
)


@dataclass(frozen=True)
class ReadingOptions(Declared):
    """How to read a table: the roles of its columns, and the format of its file.

    Pass these options to `read_table` by name, or as a `Reading` for several tables.

    Parameters
    ----------
    label : str or int, default=None
        The column with the classes: its name, or its position from 0 (-1 is the last).
    id : str or int, default=None
        A column with the names of the rows. It is not a feature.
    group : str, int or False, default=None
        A column of groups, such as patients or plates; it may be the column of ids.
        Rows of one group are not independent: they are never split between fitting and
        testing. A group column is not a feature. None: a column that is likely to
        identify subjects is detected, with a warning. False: all rows are independent.
    drop : sequence of str or int, default=()
        Columns to ignore.
    keep : sequence of str or int, default=()
        Columns to use as features, even if they look like row numbers, subjects, dates
        or a copy of the classes, or have no name.
    nominal : sequence of str or int, default=()
        Columns whose numbers are categories, such as codes of regions.
    show : sequence of str or int, default=()
        Columns to display, such as a batch, a date or a comment. Displayed columns
        are stored in ``Table.shown`` and are not features.
    image, text : str or int, default=None
        A column with the path of an image file for each row, relative to the folder of
        the table, and a column with a text for each row. These columns are stored
        in ``Table.images`` and ``Table.texts`` and are not features.
    embed : str, default=None
        An installed model that computes features from texts (in the column ``text``)
        or from images (of the column ``image``, or in a folder): "wordllama",
        "sentence-transformers:NAME" or "timm:NAME". Nothing is downloaded. None: texts
        are not features, and the features of images in a folder are 16 x 16 pixels.
    rep : str, default=None
        For cells (AnnData, h5ad), the representation with the features: a name in
        ``obsm``, or "X" for the genes. None means "X_pca" if it exists, otherwise "X".
    row_numbers : {"keep", "drop"}, default="keep"
        Whether to keep columns with row numbers (which would reveal the classes of a
        sorted table), and columns that repeat the classes under other names. A warning
        lists columns that are left out.
    unlabelled : {"error", "drop"}, default="error"
        What to do with rows without a class: raise an error, or leave them out, with a
        warning that contains their number.
    merge_classes : {"case"}, default=None
        "case" merges classes whose names differ only in case or spaces; the most
        frequent name is used.
    copies : {"keep", "drop"}, default="keep"
        "drop" keeps only the first of several rows with equal features and class. A
        warning contains the number of rows that are left out.
    missing : {"error", "impute"}, default="error"
        What to do with missing values of features: raise an error, or fill in the mean
        of the column (for a nominal column, the share of each category).
        ``Table.missing`` counts missing values per column, and ``Table.imputed`` lists
        their rows.
    missing_values : sequence of str, default=()
        Words that stand for a missing value in a file, besides the usual ones: an
        empty cell, ?, NA, N/A, n/a, #N/A, NaN, nan, null, NULL.
    delimiter : str, default=None
        The character between the cells of a text file. None: it is detected, if it is a
        comma, semicolon, tab, vertical bar, or spaces.
    decimal : {".", ","} or None, default="."
        The decimal sign in a text file. None: it is detected, as on the command line.
    encoding : str, default=None
        The encoding of a text file. None: it is detected from the byte order mark;
        without such a mark, UTF-8 is tried, and then Windows-1252.
    header : bool, default=None
        Whether the first line of a text file contains the names of the columns. By
        default, it must contain names, and an error is raised if it contains numbers.
    transpose : bool, default=None
        Whether the samples of a text file or a sheet are in columns: their names in the
        first row, and the names of classes and features in the first column, as in
        files of MetaboAnalyst. None: if samples seem to be in columns, raise an error.
    skip, skip_footer : int, default=None
        Number of lines of a text file, or rows of a sheet, above the table and below
        it. None: lines that are clearly not part of the table, such as a title or a
        total, are skipped, with a warning.
    sheet : str or int, default=None
        The sheet of an Excel file: its name, or its number from 1. None: the first
        sheet that contains a table.

    Examples
    --------
    >>> from labelscape.datasets import Reading
    >>> reading = Reading(label="kind", skip=3)
    >>> reading.code("trees.csv")
    "read_table('trees.csv', label='kind', skip=3)"
    >>> Reading.from_json(reading.to_json()) == reading
    True
    """

    # The app receives this record from a browser, and accepts no other fields.
    __pydantic_config__: ClassVar = {"extra": "forbid"}

    label: ColumnKey | None = _column(
        "--label", "classes", "Column with the classes.", short="-l", is_usual=True
    )
    id: ColumnKey | None = _column(
        "--id", "names of rows", "Column with the names of the rows.", is_usual=True
    )
    group: GroupKey = option(
        None,
        _GROUP,
        "Column of groups, such as patient or plate; rows of one group are never split "
        "between fitting and testing. [default: --id if ids repeat, otherwise a column "
        "that seems to identify subjects]",
        flag="--group",
        metavar="COLUMN",
        switches={False: ("--no-group", "Treat all rows as independent.")},
        role="same subject",
        is_usual=True,
    )
    keep: tuple[ColumnKey, ...] = _columns(
        "--keep",
        "feature",
        "Use this column as a feature. By default, columns that look like row numbers, "
        "subjects, dates or a copy of the classes are not used.",
    )
    drop: tuple[ColumnKey, ...] = _columns("--drop", "left out", "Ignore this column.")
    nominal: tuple[ColumnKey, ...] = _columns(
        "--nominal", "", "Treat the numbers in this column as categories."
    )
    show: tuple[ColumnKey, ...] = _columns(
        "--show",
        "shown only",
        "Show this column, such as a batch, a comment or a link, on the page, but do "
        "not use it as a feature.",
    )
    image: ColumnKey | None = _column(
        "--image",
        "picture file",
        "Column with image files; relative paths start at the folder of DATA.",
    )
    text: ColumnKey | None = _column(
        "--text", "text of the row", "Column with a text to show for each row."
    )
    embed: str | None = option(
        None,
        optional(text_rule()),
        "Installed model that computes features from texts or images: wordllama, "
        "sentence-transformers:NAME or timm:NAME.",
        flag="--embed",
        metavar="MODEL",
    )
    rep: str | None = option(
        None,
        optional(text_rule()),
        "Representation of cells (.h5ad) with the features. [default: X_pca, else X]",
        flag="--rep",
        metavar="NAME",
    )
    row_numbers: Literal["keep", "drop"] = option("keep", one_of("keep", "drop"))
    unlabelled: Literal["error", "drop"] = option(
        "error",
        one_of("error", "drop"),
        switches={"drop": ("--drop-unlabelled", "Ignore rows without a class.")},
    )
    merge_classes: Literal["case"] | None = option(
        None,
        one_of(None, "case"),
        "Merge classes whose names differ only in case or spaces.",
        flag="--merge-classes",
        metavar="case",
        page="Classes that differ only in upper and lower case",
        page_values={"case": "are merged"},
    )
    copies: Literal["keep", "drop"] = option(
        "keep",
        one_of("keep", "drop"),
        switches={
            "drop": (
                "--drop-copies",
                "Of rows with the same features and class, keep only the first.",
            )
        },
        page="Identical rows",
        page_values={"drop": "keep only the first"},
    )
    missing: Literal["error", "impute"] = option("error", one_of("error", "impute"))
    missing_values: tuple[str, ...] = _of_file(
        (), LIST, "missing-value code, besides NA and ?", "Missing-value codes"
    )
    delimiter: str | None = _of_file(
        None,
        _DELIMITER,
        "the character between cells, or tab",
        "Separator between cells",
        {",": "a comma", ";": "a semicolon"},
    )
    decimal: Decimal | None = _of_file(
        ".",
        one_of(".", ",", None),
        "the decimal sign, . or ,",
        "Decimal sign",
        {",": "a comma: 1,5"},
    )
    encoding: str | None = _of_file(
        None, _ENCODING, "text encoding, such as cp1252", "Encoding"
    )
    header: bool | None = _of_file(
        None,
        one_of(None, True, False),
        "false if there are no column names",
        "First line",
        {True: "names of columns", False: "a row"},
    )
    transpose: bool | None = _of_file(
        None,
        one_of(None, True, False),
        "true if samples are in columns",
        "Samples are in",
        {True: "columns", False: "rows"},
        switches={True: ("--transpose", "Samples are in columns of the file.")},
    )
    skip: int | None = _of_file(
        None,
        _LINES,
        "number of lines above the table",
        "Lines above the table",
    )
    skip_footer: int | None = _of_file(
        None, _LINES, "number of lines below the table", "Lines below the table"
    )
    sheet: str | int | None = _of_file(
        None, _SHEET, "sheet of an Excel file, by name or number", "Sheet"
    )

    def __post_init__(self) -> None:
        for one in fields(self):  # as tuples, which can be hashed
            if isinstance(value := getattr(self, one.name), list):
                object.__setattr__(self, one.name, tuple(value))

    @property
    def of_file(self) -> Self:
        """The options for the file format, without those for columns."""
        own = [k for k, v in self.options().items() if v.is_of_file or k == "rep"]
        return type(self)(**{k: getattr(self, k) for k in own})

    @property
    def of_features(self) -> Self:
        """The options that also apply to the features of new rows."""
        if self.embed is None:
            return self.of_file
        same = replace(self.of_file, embed=self.embed)
        return replace(same, text=self.text, image=self.image)

    @property
    def named_columns(self) -> list[str]:
        """The columns selected by options; the class column is y by default."""
        single = (self.label or "y", self.id, self.group, self.image, self.text)
        keys = (*single, *self.nominal, *self.show)
        return [key for key in keys if isinstance(key, str)]

    def check(self, owner: str) -> None:
        """Raise a ValueError if an option has a value that is not allowed."""
        for name, one in self.options().items():
            check_argument(owner, name, getattr(self, name), one.rule)
        try:
            io.TextIOWrapper(io.BytesIO(), encoding=self.encoding or "utf-8")
        except LookupError:
            raise InputError(
                Setting("encoding"),
                f": there is no text encoding {self.encoding!r}. Pass a name such as "
                "'utf-8' or 'shift_jis'.",
                parameter="encoding",
            ) from None
        if self.delimiter is not None and self.delimiter == self.decimal:
            raise InputError(
                Setting("delimiter"),
                " and ",
                Setting("decimal"),
                f" are both {self.decimal!r}. Give two different signs.",
                owner=owner,
                parameter="delimiter",
            )

    def code(self, file: str) -> str:
        """Return Python code that reads the table, with all non-default options."""
        return call("read_table", repr(file), **self.grouped().to_json())

    def to_json(self) -> dict[str, Any]:
        """Return the options that differ from their defaults, as plain values."""
        return {
            one.name: list(value) if isinstance(value, tuple) else value
            for one in fields(self)
            if (value := getattr(self, one.name)) != one.default
        }

    @classmethod
    @arguments(record=dict_like())
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Return the `Reading` that `to_json` wrote."""
        check_names(record, cls.__name__)
        return cls(**record)

    def grouped(self) -> Self:
        """Use the ids as groups, unless ``group`` is given."""
        return replace(self, group=self.id) if self.group is None else self


def check_names(names: Iterable[str], owner: str) -> None:
    """Raise a ValueError if a name is not the name of a reading option."""
    known = ReadingOptions.options()
    for name in sorted({*names} - known.keys()):
        raise InputError(
            f"there is no option {name!r}. Available: {', '.join(sorted(known))}.",
            owner=owner,
            parameter=name,
        )
