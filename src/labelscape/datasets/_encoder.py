"""Conversion of columns to a feature matrix, also for new rows."""

import json
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import check_finite
from labelscape._core.columns import Categories, UnknownCategory
from labelscape._core.errors import InputError, InputWarning, Part, Setting
from labelscape.datasets._columns import (
    Code,
    Column,
    ColumnError,
    Kind,
    category_values,
    count_missing,
    encode,
    fit_code,
    in_words,
    is_missing,
)
from labelscape.datasets._describe import likely_decimal
from labelscape.datasets._kinds import coerced, settled
from labelscape.datasets._options import ColumnKey, ReadingOptions
from labelscape.datasets.files.frames import read_columns

FeatureKind = Literal["date", "truth"]
# Number of unusable columns that an error describes. Other columns are only listed.
_DESCRIBED = 5
# Kinds of columns whose features, such as color=red, are true or false.
MEANINGS: dict[Kind, FeatureKind] = {
    "date": "date",
    "boolean": "truth",
    "nominal": "truth",
}


@dataclass(frozen=True, eq=False, repr=False)
class TableEncoder:
    """Fitted preprocessing of a table, which also converts new rows.

    `read_table` and `load` create a `TableEncoder`: see ``Table.encoder``.

    Attributes
    ----------
    column_names : list of str
        The columns that new rows must have. Their order does not matter, and other
        columns are ignored.
    feature_names : list of str
        The features that are computed from these columns.

    Examples
    --------
    >>> import numpy as np
    >>> from labelscape.datasets import load
    >>> iris = load("iris")
    >>> iris.encoder.transform(np.array([[5.0, 3.5, 1.5, 0.2]]))
    array([[5. , 3.5, 1.5, 0.2]])
    """

    codes: tuple[Code, ...]
    fill: NDArray[np.float64] | None
    shift: NDArray[np.float64]
    factor: NDArray[np.float64]
    reading: ReadingOptions

    @property
    def column_names(self) -> list[str]:
        """The columns that new rows must have."""
        return [code.name for code in self.codes]

    @property
    def feature_names(self) -> list[str]:
        """The features that are computed from the columns."""
        return [name for code in self.codes for name in code.feature_names]

    @property
    def feature_columns(self) -> list[str]:
        """The column that each feature comes from."""
        return [code.name for code in self.codes for _ in code.feature_names]

    @property
    def feature_kinds(self) -> list[FeatureKind | None]:
        """The meaning of the values of each feature; None for plain numbers.

        "date" is days since 1970, "truth" is 0 or 1. Scaled features are plain numbers.
        """
        kinds = [
            MEANINGS.get(code.kind) for code in self.codes for _ in code.feature_names
        ]
        plain = (self.shift == 0.0) & (self.factor == 1.0)
        return [
            kind if is_plain else None
            for kind, is_plain in zip(kinds, plain, strict=True)
        ]

    @property
    def vectors(self) -> dict[str, list[str]]:
        """The vector columns, and the features of each."""
        named = {one.name: one.feature_names for one in self.codes}
        return {one.name: named[one.name] for one in self.codes if one.kind == "vector"}

    @property
    def categories(self) -> tuple[Categories, ...]:
        """The categorical and boolean columns, and the features of each."""
        categories, at = [], 0
        for code in self.codes:
            features = np.arange(at, at := at + len(code.feature_names))
            values = category_values(code)
            if values is not None:
                scaled = (values - self.shift[features]) * self.factor[features]
                words = code.categories or ("no", "yes")
                categories.append(Categories(code.name, words, features, scaled))
        return tuple(categories)

    def transform(self, rows: Any) -> NDArray[np.float64]:
        """Return new rows as a matrix, encoded and scaled like the table.

        Parameters
        ----------
        rows : path, data frame or ndarray
            The new rows. Columns are matched by name. An ndarray has no names: its
            columns must be in the order of ``column_names``.

        Returns
        -------
        ndarray of shape (n_rows, n_features)
            The features of the new rows.

        Raises
        ------
        ValueError
            If a column is absent, a category does not occur in the table, or a value is
            missing and the table was not read with ``missing="impute"``.
        """
        columns = self._columns_of(rows)
        if self.fill is None:
            _refuse_missing(columns)
        return self._filled(columns)

    def encode(self, rows: Any) -> "EncodedRows":
        """Convert new rows to features; report missing cells and unknown categories."""
        columns, unknown = self._columns_of(rows), []
        for j, (code, column) in enumerate(zip(self.codes, columns, strict=True)):
            if code.kind != "nominal":
                continue
            values, known = column.values.copy(), {*code.categories, None}
            for i in [i for i, word in enumerate(values) if word not in known]:
                unknown.append(UnknownCategory(i, column.name, values[i]))
                values[i] = None
            columns[j] = replace(column, values=values)
        missing = np.column_stack([is_missing(column) for column in columns])
        return EncodedRows(self._filled(columns), missing, unknown)

    def to_json(self) -> str:
        """Return the encoder as JSON text, for a model file.

        Examples
        --------
        >>> from labelscape.datasets import TableEncoder, load
        >>> encoder = load("iris").encoder
        >>> again = TableEncoder.from_json(encoder.to_json())
        >>> again.column_names == encoder.column_names
        True
        """
        record = {
            "codes": [asdict(code) for code in self.codes],
            "fill": None if self.fill is None else self.fill.tolist(),
            "shift": self.shift.tolist(),
            "factor": self.factor.tolist(),
            "reading": self.reading.to_json(),
        }
        return json.dumps(record)

    @classmethod
    def from_json(cls, text: str) -> "TableEncoder":
        """Return the encoder that `to_json` wrote."""
        try:
            record = json.loads(text)
            codes = tuple(
                Code(**one | {"categories": tuple(one["categories"])})
                for one in record["codes"]
            )
            reading = ReadingOptions.from_json(record["reading"])
            reading.check("TableEncoder")
            fill, shift, factor = (
                None if record[name] is None else np.array(record[name], np.float64)
                for name in ("fill", "shift", "factor")
            )
            encoder = cls(codes, fill, shift, factor, reading)  # type: ignore[arg-type]
            n_features = len(encoder.feature_names)
            shapes = {encoder.shift.shape, encoder.factor.shape}
            shapes |= set() if fill is None else {fill.shape}
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InputError(
                "the text was not written by to_json.", owner="TableEncoder"
            ) from error
        if shapes != {(n_features,)}:
            raise InputError(
                f"the text must contain {n_features} numbers each for 'fill', 'shift' "
                "and 'factor', one per feature.",
                owner="TableEncoder",
            )
        return encoder

    def _columns_of(self, rows: Any) -> list[Column]:
        """Return the columns of new rows, with the types of the fitted table."""
        columns = read_columns(rows, self.reading)
        if not isinstance(rows, np.ndarray) or rows.dtype.names is not None:
            columns = self._by_name(columns)
        elif len(columns) != len(self.codes):
            raise ValueError(
                f"The new rows have {len(columns)} columns, but the fitted table had "
                f"{len(self.codes)} feature columns. Pass these, in the same order."
            )
        decimal = likely_decimal(columns)
        known = []
        try:
            for column, code in zip(columns, self.codes, strict=True):
                same = replace(column, name=code.name, day_first=code.day_first)
                if decimal == "," and code.kind == "number":
                    same = settled(same, decimal)
                known.append(coerced(same, code.kind))
            return known
        except ColumnError as error:
            if not error.odd:
                raise
            raise InputError(  # new rows must have the types of the fitted table
                f"{error.what} Correct it, or pass ",
                Setting("missing_values", [error.odd]),
                " if it stands for a missing value.",
            ) from error

    def _by_name(self, columns: list[Column]) -> list[Column]:
        given = {column.name: column for column in columns}
        if absent := [name for name in self.column_names if name not in given]:
            raise ValueError(
                f"The new rows lack {len(absent)} of {len(self.codes)} columns: "
                f"{', '.join(map(repr, absent[:5]))}{', …' if absent[5:] else ''}."
            )
        return [given[name] for name in self.column_names]

    def _filled(self, columns: list[Column]) -> NDArray[np.float64]:
        """Return columns as features, with missing values imputed or NaN."""
        X = encode(self.codes, columns)
        check_finite(X, self.feature_names, owner="TableEncoder", allow_nan=True)
        return _scaled(X, self.fill, self.shift, self.factor)

    def __repr__(self) -> str:
        return (
            f"TableEncoder({len(self.codes)} columns → "
            f"{len(self.feature_names)} features)"
        )


def fit_encoder(
    columns: Sequence[Column], reading: ReadingOptions, scale: str | None
) -> tuple[TableEncoder, NDArray[np.float64], dict[str, NDArray[np.intp]]]:
    """Return the encoder, the matrix, and the rows with missing values per column."""
    impute = reading.missing == "impute"
    columns, codes = _coded(columns, reading)
    for column in columns:
        _warn_of_rounding(column)
    gaps = {
        column.name: rows
        for column in columns
        if len(rows := np.flatnonzero(is_missing(column)))
    }
    if gaps and not impute:
        _refuse_missing(columns)
    X = encode(codes, columns)
    names = [name for code in codes for name in code.feature_names]
    check_finite(X, names, owner="read_table", allow_nan=True)
    # The means of the features of a categorical column are the shares of its
    # categories.
    fill = np.nanmean(X, axis=0) if impute else None
    shift, factor = _scaling(X, scale)
    encoder = TableEncoder(codes, fill, shift, factor, reading.of_features)
    return encoder, _scaled(X, fill, shift, factor), gaps


def _coded(
    columns: Sequence[Column], reading: ReadingOptions
) -> tuple[list[Column], tuple[Code, ...]]:
    """Return columns and their conversions; an error lists all unusable columns."""
    known, codes, wrong = [], [], {}
    for column in columns:
        try:
            known.append(settled(column, reading.decimal or "."))
            codes.append(fit_code(known[-1]))
        except ColumnError as error:
            wrong[column.name] = error
    if not wrong:
        return known, tuple(codes)
    gaps = [
        column
        for column in known
        if reading.missing != "impute"
        and column.name not in wrong
        and is_missing(column).any()
    ]
    if len(wrong) + len(gaps) == 1:
        raise next(iter(wrong.values()))
    raise _bad_columns(wrong, gaps, reading.drop)


def _bad_columns(
    wrong: dict[str, ColumnError], gaps: Sequence[Column], dropped: Sequence[ColumnKey]
) -> InputError:
    """Return an error that lists all unusable columns, and options that help."""
    problems = [error.what for error in wrong.values()]
    problems += [f"Column {column.name!r} has {_gaps(column)}." for column in gaps]
    others = [*wrong, *(column.name for column in gaps)][_DESCRIBED:]
    if others:
        problems = [
            *problems[:_DESCRIBED],
            f"The same applies to {', '.join(map(repr, others))}.",
        ]
    # Words of a column that may be codes for missing values.
    gap_words = {
        name: [
            word
            for one in error.advice
            if one.parameter == "missing_values"
            for word in one.value
        ]
        for name, error in wrong.items()
    }
    unusable = [name for name, words in gap_words.items() if not words]
    as_missing = list(dict.fromkeys(word for one in gap_words.values() for word in one))
    settings = [Setting("drop", [*dropped, *unusable])] if unusable else []
    settings += [Setting("missing_values", as_missing)] if as_missing else []
    settings += [Setting("missing", "impute")] if gaps else []
    then: tuple[Part, ...] = ()
    if as_missing:
        codes = in_words(as_missing)
        then = (f" Treat {codes} as missing only if it stands for a missing value.",)
    if unusable:
        both = (Setting("show"), " in place of ", Setting("drop"))
        then += (" With ", *both, ", a column is displayed, but is not a feature.")
    return InputError(
        f"{len(wrong) + len(gaps)} columns cannot be used as they are. "
        f"{' '.join(problems)} To read the {'others' if unusable else 'table'}, pass ",
        *[part for one in settings for part in (" and ", one)][1:],
        ".",
        *then,
    )


def _gaps(column: Column) -> str:
    count, first = count_missing(column), int(is_missing(column).argmax())
    values = "1 missing value" if count == 1 else f"{count} missing values"
    return f"{values}, the first in {column.place(first)}"


def _warn_of_rounding(column: Column) -> None:
    """Warn if different numbers become the same feature value."""
    if column.kind != "number" or column.exact is None:
        return
    n_numbers = len(np.unique(column.values[~np.isnan(column.values)]))
    n_words = len({word for word in column.exact if word is not None})
    if n_words > n_numbers:
        warnings.warn(
            InputWarning(
                f"Column {column.name!r} contains {n_words} different numbers, but a "
                f"feature keeps 15 to 17 digits, so only {n_numbers} of them remain "
                "different. If the column contains names or codes, pass ",
                Setting("id", column.name),
                ", ",
                Setting("nominal", [column.name]),
                " or ",
                Setting("drop", [column.name]),
                ".",
            ),
            stacklevel=4,
        )


def _refuse_missing(columns: Sequence[Column]) -> None:
    gaps = [column for column in columns if is_missing(column).any()]
    if not gaps:
        return
    total = sum(count_missing(column) for column in gaps)
    in_all = f" ({total} in {len(gaps)} columns in all)" if gaps[1:] else ""
    others = [f"{column.name!r} {count_missing(column)}" for column in gaps[1:]]
    also = f" The others: {', '.join(others)}." if others else ""
    raise InputError(
        f"Column {gaps[0].name!r} has {_gaps(gaps[0])}{in_all}.{also} Fill them in, "
        "or read the table with ",
        Setting("missing", "impute"),
        ".",
    )


def _scaling(
    X: NDArray[np.float64], scale: str | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return an offset to subtract from each feature, and a factor to multiply by."""
    if scale is None:
        return np.zeros(X.shape[1]), np.ones(X.shape[1])
    if scale == "standard":
        shift, spread = np.nanmean(X, axis=0), np.nanstd(X, axis=0)
    else:
        shift = np.nanmin(X, axis=0)
        spread = np.nanmax(X, axis=0) - shift
    # A constant feature becomes exactly 0, in spite of rounding.
    constant = np.nanmax(X, axis=0) == np.nanmin(X, axis=0)
    shift = np.where(constant, X[0], shift)
    return shift, 1.0 / np.where(constant, 1.0, spread)


def _scaled(
    X: NDArray[np.float64],
    fill: NDArray[np.float64] | None,
    shift: NDArray[np.float64],
    factor: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Impute missing values and scale X, both in place, and return X."""
    if fill is not None:
        rows, columns = np.nonzero(np.isnan(X))
        X[rows, columns] = fill[columns]
    X -= shift
    X *= factor
    return X


# New rows for a model: missing values and unknown categories are filled in and counted.


class EncodedRows(NamedTuple):
    """New rows as features, with a mask of missing cells, and unknown categories."""

    # ``X`` is NaN where a cell is missing and the encoder has no value to impute.
    # Unknown categories are treated as missing.

    X: NDArray[np.float64]
    missing: NDArray[np.bool_]
    unknown: list[UnknownCategory]
