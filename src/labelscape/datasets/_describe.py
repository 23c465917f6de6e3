"""What a table's columns are, before anybody has said what they are for."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from labelscape.datasets._aside import (
    Roles,
    guessed_roles,
    is_copy,
    likely_subjects,
)
from labelscape.datasets._codes import (
    are_names,
    count_missing,
    counts_rows,
    infinite,
)
from labelscape.datasets._columns import Column
from labelscape.datasets._kinds import ColumnError, coerced, settled
from labelscape.datasets._source import read_columns
from labelscape.datasets.files.delimited import checked_options
from labelscape.datasets.files.text_file import file_format

# Columns called so hold the classes more often than not.
_LABEL_NAMES = {"class", "label", "target", "species", "diagnosis", "category", "y"}
# More different values than this are no classes that a person could look at.
_MOST_CLASSES = 100
_EXAMPLES = 5
# Kept as numbers, but nobody writes them so.
_CODED = ("boolean", "date")


class ColumnInfo(NamedTuple):
    """What `describe_columns` says about one column.

    ``kind`` is "number", "boolean", "date", "nominal" or "other"; ``role`` is a guess:
    "label", "id", "group" for a column that is likely to name subjects, "show" for
    others of that kind and for dates, "feature", or "drop" for copies of the label and
    for what no feature can be made of. Why not, ``problem`` says in a sentence; ``odd``
    is the value that is to blame, if it is one. ``counts_rows`` says that as a feature
    it would give sorted classes away: hosts drop it unless it is asked for. ``remark``
    says in a few words why it is no feature though one could be made of it.
    """

    name: str
    kind: str
    n_rows: int
    n_missing: int
    n_distinct: int
    examples: list[str]
    role: str
    problem: str = ""
    odd: str = ""
    counts_rows: bool = False
    remark: str = ""


def describe_columns(
    source: Any,
    *,
    delimiter: str | None = None,
    decimal: str = ".",
    encoding: str | None = None,
    header: bool | None = None,
    missing_values: Sequence[str] = (),
    skip: int | None = None,
    skip_footer: int | None = None,
    sheet: str | int | None = None,
) -> list[ColumnInfo]:
    r"""Say what the columns of a file or a data frame are, and guess their roles.

    Parameters
    ----------
    source : path, data frame or ndarray
        What `read_table` takes.
    delimiter, decimal, encoding, header, missing_values, skip, skip_footer, sheet
        How a file is written, as for `read_table`.

    Returns
    -------
    list of ColumnInfo
        Kind, missing and different values, examples and a guessed role. At most one
        column is guessed to hold the labels, and at most one the ids.

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
    is_path = isinstance(source, str | Path)
    words = ["y"] if is_path and file_format(Path(source)) == ".npz" else []
    options = checked_options(
        "describe_columns",
        delimiter,
        decimal,
        encoding,
        header,
        missing_values,
        skip,
        skip_footer,
        sheet,
    )
    return described(read_columns(source, options, words), decimal)


def described(given: Sequence[Column], decimal: str) -> list[ColumnInfo]:
    """Say what columns are that were read, and guess their roles."""
    settling = [_settled(column, decimal) for column in given]
    columns = [column for column, _ in settling]
    counts = [_n_distinct(column) for column in columns]
    label = _likely_label(columns, counts, likely_subjects(columns, None, decimal))
    names = _likely_id(columns, counts)
    asides = _asides(columns, label, names, decimal)
    return [
        ColumnInfo(
            column.name,
            column.kind,
            len(column.values),
            count_missing(column) if column.kind != "other" else 0,
            n_distinct,
            _examples(column),
            "drop"
            if why_not[0]
            else _role(i, column, n_distinct, label, names, asides),
            *why_not,
            counts_rows=counts_rows(column),
            remark="counts the rows"
            if counts_rows(column)
            else asides.get(i, ("", ""))[1],
        )
        for i, ((column, why_not), n_distinct) in enumerate(
            zip(settling, counts, strict=True)
        )
    ]


def _asides(
    columns: list[Column], label: int | None, names: int | None, decimal: str
) -> dict[int, tuple[str, str]]:
    """Return the role and a remark of columns that are no features by default."""
    guessed = guessed_roles(columns, Roles(label=label, id=names), decimal)
    found = dict.fromkeys(guessed.subjects, ("show", "names rows or subjects"))
    found |= dict.fromkeys(guessed.dates, ("show", ""))
    if guessed.group is not None:
        found[guessed.group] = ("group", "likely a subject")
    for i, column in enumerate(columns):
        if label is not None and i not in found and is_copy(column, columns[label]):
            found[i] = ("drop", "a copy of the classes")
    return found


def _settled(column: Column, decimal: str) -> tuple[Column, tuple[str, str]]:
    """Return a column as what it is; else as it came, what is wrong, and the value."""
    try:
        found = settled(column, decimal)
        return found, (infinite(found), "")
    except ColumnError as error:  # one that can not be read must not hide the others
        return replace(column, kind="other"), (error.what, error.odd)


def _values(column: Column) -> Any:
    if column.kind == "other" or column.holds_words:
        return [str(value) for value in column.values if value is not None]
    if column.exact is not None:
        return [word for word in column.exact if word is not None]
    return column.values[~np.isnan(column.values)]


def _n_distinct(column: Column) -> int:
    values = _values(column)
    return len(set(values) if isinstance(values, list) else np.unique(values))


def _examples(column: Column) -> list[str]:
    spelled = coerced(column, "nominal") if column.kind in _CODED else column
    found: dict[str, None] = {}
    for value in _values(spelled)[:200]:
        found.setdefault(f"{value:.6g}" if isinstance(value, float) else value[:40])
    return list(found)[:_EXAMPLES]


def _likely_label(
    columns: list[Column], counts: list[int], subjects: Sequence[int]
) -> int | None:
    """Return the column that is most likely to hold the classes, if any is."""

    def score(i: int) -> float:
        column, n_distinct = columns[i], counts[i]
        words = set(re.findall(r"[a-z]+", column.name.lower()))
        named = bool(words & _LABEL_NAMES)
        is_code = column.kind in ("nominal", "boolean") or named
        if not is_code or not 2 <= n_distinct <= _MOST_CLASSES:
            return 0.0
        # Some objects of a study may have no class yet; gaps elsewhere are just gaps.
        if (count_missing(column) and not named) or 2 * n_distinct > len(column.values):
            return 0.0
        # A telling name first, most of all if it says nothing else; then the last
        # column, where labels mostly stand. A flag is less likely, a subject least.
        unlikely = 0.5 * (column.kind == "boolean") + 0.9 * (i in subjects)
        exact = named and len(words) == 1
        return 1.0 + 2.0 * named + exact - unlikely + (i + 1) / len(columns)

    best = max(range(len(columns)), key=score)
    return best if score(best) else None


def _likely_id(columns: list[Column], counts: list[int]) -> int | None:
    for i, (column, n_distinct) in enumerate(zip(columns, counts, strict=True)):
        if column.kind == "nominal" and n_distinct == len(column.values):
            return i
    return None


def _role(
    i: int,
    column: Column,
    n_distinct: int,
    label: int | None,
    names: int | None,
    asides: dict[int, tuple[str, str]],
) -> str:
    if i == label:
        return "label"
    if i == names:
        return "id"
    if i in asides:
        return asides[i][0]
    n_present = len(column.values) - (
        0 if column.kind == "other" else count_missing(column)
    )
    is_text = column.kind == "nominal" and are_names(n_distinct, n_present)
    unusable = column.kind == "other" or not n_present or not column.is_named
    return "drop" if unusable or is_text else "feature"
