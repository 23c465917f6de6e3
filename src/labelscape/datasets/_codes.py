"""How a column becomes features: as it is, or one feature per category."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import Setting
from labelscape._core.features import is_counter
from labelscape.datasets._columns import Column, Kind, in_words
from labelscape.datasets._kinds import ColumnError
from labelscape.datasets.files.arrays import is_absent

# Beyond these, words are names or free text: too many values, or hardly any twice.
MOST_CATEGORIES = 1000
ALWAYS_ALLOWED = 50
# Of so few rows each may be the only one of its kind.
FEW = 10


@dataclass(frozen=True)
class Code:
    """How one column becomes features; categories are those of a nominal column.

    ``day_first`` is said of dates, so that those of new rows are read alike.
    """

    name: str
    kind: Kind
    categories: tuple[str, ...] = ()
    day_first: bool | None = None

    @property
    def feature_names(self) -> list[str]:
        """The names of the features, such as ``colour=red``."""
        if self.kind != "nominal":
            return [self.name]
        # With two categories, one feature says it all.
        shown = self.categories[1:] if len(self.categories) == 2 else self.categories
        return [f"{self.name}={category}" for category in shown]


def fit_code(column: Column) -> Code:
    """Return the code of a column; raise a ValueError if none would make sense."""
    n_missing = count_missing(column)
    if n_missing == len(column.values):
        raise ColumnError(
            f"Column {column.name!r} holds no value at all.",
            "Pass ",
            Setting("drop", [column.name]),
            ".",
        )
    if where := infinite(column):
        drop = Setting("drop", [column.name])
        raise ColumnError(where, "Mend such values, or pass ", drop, ".")
    if column.kind != "nominal":
        return Code(column.name, column.kind, day_first=column.day_first)
    categories = sorted({word for word in column.values if word is not None})
    n_present = len(column.values) - n_missing
    if are_names(len(categories), n_present):
        raise ColumnError(
            f"Column {column.name!r} holds {len(categories)} different words in "
            f"{n_present} rows, such as {categories[0][:40]!r}: names or free "
            "text, not categories.",
            "Pass ",
            Setting("id", column.name),
            ", ",
            Setting("show", [column.name]),
            " to look at it beside the features, or ",
            Setting("drop", [column.name]),
            ".",
        )
    return Code(column.name, "nominal", tuple(categories))


def infinite(column: Column) -> str:
    """Return where a column holds infinity, which no feature may; empty: nowhere."""
    if column.kind != "number":
        return ""
    at = np.flatnonzero(np.isinf(column.values))
    if not len(at):
        return ""
    others = f", and {len(at) - 1:,} more" if len(at) > 1 else ""
    return (
        f"Column {column.name!r} holds {column.values[at[0]]} in {column.place(at[0])}"
        f"{others}: no number that a model can learn from."
    )


def are_names(n_distinct: int, n_values: int) -> bool:
    """Whether so many different words are names of things, not categories."""
    return (
        n_distinct > MOST_CATEGORIES
        or (n_distinct > ALWAYS_ALLOWED and 2 * n_distinct > n_values)
        or (n_distinct > FEW and n_distinct == n_values)
    )


def encode(codes: Sequence[Code], columns: Sequence[Column]) -> NDArray[np.float64]:
    """Return the columns as one matrix of features, NaN where a value is missing."""
    widths = [len(code.feature_names) for code in codes]
    X = np.empty((len(columns[0].values), sum(widths)))
    at = 0
    for code, column, width in zip(codes, columns, widths, strict=True):
        if code.kind == "nominal":
            X[:, at : at + width] = _indicators(code, column)[:, -width:]
        else:
            X[:, at] = column.values
        at += width
    return X


def category_values(code: Code) -> NDArray[np.float64] | None:
    """Return the features of each category (n_categories, m); None if it has none."""
    if code.kind == "boolean":
        return np.array([[0.0], [1.0]])
    if code.kind != "nominal":
        return None
    return np.eye(len(code.categories))[:, -len(code.feature_names) :]


def count_missing(column: Column) -> int:
    """Return the number of missing values."""
    return int(is_missing(column).sum())


def is_missing(column: Column) -> NDArray[np.bool_]:
    """Return which values are missing."""
    if column.holds_words or column.kind == "other":
        absent = [is_absent(word) for word in column.values]
        return np.array(absent, dtype=bool)
    return np.asarray(np.isnan(column.values))


def _indicators(code: Code, column: Column) -> NDArray[np.float64]:
    """Return one column of 0 and 1 per category, NaN in the rows without a value."""
    index: dict[str | None, int] = {word: i for i, word in enumerate(code.categories)}
    index[None] = len(code.categories)
    try:
        codes = np.fromiter(map(index.__getitem__, column.values), np.intp)
    except KeyError as unknown:
        word = unknown.args[0]
        place = column.place(int(np.flatnonzero(column.values == word)[0]))
        raise ValueError(
            f"Column {column.name!r} holds {word!r} in {place}, which the table did "
            f"not have; it had {in_words(code.categories)}."
        ) from None
    choices = np.vstack([np.eye(len(code.categories)), np.full(len(index) - 1, np.nan)])
    return choices[codes]


def counts_rows(column: Column) -> bool:
    """Return whether a column of numbers without gaps counts the rows."""
    if column.kind != "number" or np.isnan(column.values).any():
        return False
    return is_counter(column.values)
