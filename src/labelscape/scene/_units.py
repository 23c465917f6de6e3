"""Units of the data and of a model: numeric tables, scalers, columns of frames."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from sklearn.base import OneToOneFeatureMixin
from sklearn.preprocessing import StandardScaler

from labelscape._core.checks import check_sparse, named_as
from labelscape._core.columns import Categories
from labelscape._core.labels import is_label
from labelscape._core.threads import ignored
from labelscape._core.types import Array, Bools, Floats, Ints
from labelscape.datasets._internal import are_names
from labelscape.scene.scene import FeatureKind, scene_error

# X as numbers, in a form that a scene can contain.


# Maximum number of values of a sparse matrix, zeros included, to convert it.
MOST_DENSE = 50_000_000


def numbers(X: Any) -> Array | None:
    """Return a table as floats (n, d), or None if a column is not numeric."""
    if hasattr(X, "tocsr"):
        check_sparse(X)
        n, d = X.shape
        if n * d > MOST_DENSE:
            raise scene_error(
                f"the sparse X has shape {(n, d)} and needs {8e-9 * n * d:.1f} GB as a "
                "dense array. Use fewer features, for example with TruncatedSVD."
            )
        return np.asarray(X.toarray(), dtype=np.float64)
    try:
        array = np.asarray(X)
    except ValueError:  # rows of different lengths
        return None
    if array.ndim != 2 or array.dtype.kind in "USmMcV":
        return None
    if array.dtype.kind == "f" and array.dtype.itemsize >= 4:
        return array
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        return None


def first_text(X: Any) -> str:
    """Return the name of the first column that is not numeric, for a message."""
    columns = getattr(X, "columns", None)
    for j in range(np.shape(X)[1]):
        column = X[columns[j]] if columns is not None else np.asarray(X)[:, j]
        if numbers(np.asarray(column)[:, None]) is None:
            return repr(str(columns[j])) if columns is not None else str(j)
    return "0"


def can_be_undone(step: Any) -> bool:
    """Return whether a step changes each feature separately and has an inverse."""
    return isinstance(step, OneToOneFeatureMixin) and hasattr(step, "inverse_transform")


# The unit of lengths in the features of a model.
Unit = Literal["data", "standard_deviation", "model"]


class Scale(NamedTuple):
    """Linear relation of columns to features: column = slope * feature + offset."""

    # (d,) one value per feature
    slopes: Floats
    offsets: Floats

    def transform(self, X: Any) -> Array:
        """Return samples in column units as input of the next step."""
        return np.asarray((np.asarray(X) - self.offsets) / self.slopes)

    def inverse_transform(self, X: Any) -> Array:
        """Return inputs of the next step as samples in column units."""
        return np.asarray(X) * self.slopes + self.offsets


@dataclass(frozen=True, eq=False)
class Units:
    """Scalers between the data in the user's units and the input of a model."""

    # Fitted steps with an inverse, in the order of the pipeline.
    scalers: tuple[Any, ...] = ()
    from_start: bool = True  # whether the user's units are the units of X

    @property
    def unit(self) -> Unit:
        """The unit of lengths in the features of the model."""
        if not self.scalers:
            return "data"
        only, *others = self.scalers
        is_standard = isinstance(only, StandardScaler) and only.with_std
        return "standard_deviation" if is_standard and not others else "model"

    def to_data(self, X: Any) -> Floats:
        """Return inputs of the model in the units of the data."""
        values = np.array(X, dtype=np.float64)
        for scaler in reversed(self.scalers):
            values = np.asarray(scaler.inverse_transform(values), dtype=np.float64)
        return values

    def to_model(self, X: Array) -> Array:
        """Return samples in the units of the data as inputs of the model."""
        for scaler in self.scalers:
            X = np.asarray(scaler.transform(named_as(scaler, X)))
        return X

    def slopes(self, n_features: int) -> Floats | None:
        """Return the change of data per change of input; None if it is not constant."""
        if all(isinstance(one, StandardScaler | Scale) for one in self.scalers):
            known = [_slopes(one) for one in self.scalers]
            return np.asarray(np.prod([np.ones(n_features), *known], axis=0))
        steps = np.repeat(np.linspace(-1.0, 1.0, 5)[:, None], n_features, axis=1)
        # A nonlinear scale may have limits.
        with ignored(Warning), np.errstate(all="ignore"):
            gains = np.diff(self.to_data(steps), axis=0) / 0.5
        if not np.allclose(gains, gains[0], rtol=1e-6, atol=0.0):
            return None
        return np.asarray(gains.mean(axis=0))


def _slopes(scaler: StandardScaler | Scale) -> Any:
    if isinstance(scaler, Scale):
        return scaler.slopes
    return np.ones(scaler.n_features_in_) if scaler.scale_ is None else scaler.scale_


# Separator of step and feature in the names that a ColumnTransformer makes.
PREFIX = "__"
TRUTHS = {False: "no", True: "yes"}


class Mixed(NamedTuple):
    """Features of a data frame in the units of its columns."""

    names: list[str]  # names of the features: the column name, or ``color=red``
    kinds: list[FeatureKind | None]  # kinds of their numbers
    scale: Scale  # transformation from features to numeric columns
    categories: tuple[Categories, ...]  # the categorical columns, in these units
    imputed: dict[str, Ints]  # rows of features whose value was missing in the column


class _Column(NamedTuple):
    """A column with its values, and the rows that `unmixed` compares."""

    name: str
    values: Array
    known: Bools
    words: list[str] | None
    rows: list[int]


def unmixed(
    steps: Sequence[Any], frame: Any, features: Array, names: Sequence[str]
) -> Mixed | None:
    """Return the features of each column, or None if a step mixes columns."""
    import narwhals as nw

    table = nw.from_native(frame, eager_only=True)
    sheet = _Sheet(list(names))
    for column in map(_column_of, table.iter_columns()):
        if len(column.rows) < 2:
            continue
        # All other columns have the values of the first row.
        probe = nw.maybe_reset_index(table[[0] * len(column.rows)]).with_columns(
            nw.maybe_reset_index(table[column.rows])[column.name]
        )
        encoded = probe.to_native()
        for step in steps:
            encoded = step.transform(encoded)
        codes = numbers(encoded)
        if codes is None or not sheet.add(column, codes, features):
            return None
    scale = Scale(sheet.slopes, sheet.offsets)
    categories = tuple(sheet.categories)
    return Mixed(sheet.names, sheet.kinds, scale, categories, sheet.imputed)


class _Sheet:
    """The features assigned to columns so far, and their names."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.kinds: list[FeatureKind | None] = [None] * len(names)
        self.slopes, self.offsets = np.ones(len(names)), np.zeros(len(names))
        self.is_owned = np.zeros(len(names), dtype=bool)
        self.categories: list[Categories] = []
        self.imputed: dict[str, Ints] = {}

    def add(self, column: _Column, codes: Array, features: Array) -> bool:
        """Assign the features that vary with a column; return False if impossible."""
        own = np.flatnonzero(np.ptp(codes, axis=0) > 0.0)
        if self.is_owned[own].any():
            return False
        self.is_owned[own] = True
        if column.words is None:
            line = _line(column, features[:, own])
            if line is not None:
                self.names[own[0]] = column.name
                self.slopes[own], self.offsets[own] = line
        elif len(own):
            self._add_categories(_categories(column, own, codes[:, own]))
        gaps = np.flatnonzero(~column.known)
        if len(gaps):
            self.imputed |= {self.names[j]: gaps for j in own}
        return True

    def _add_categories(self, column: Categories) -> None:
        self.categories.append(column)
        for k, j in enumerate(column.features):
            name, self.kinds[j] = _feature_of(column, k)
            if PREFIX in self.names[j]:
                self.names[j] = name


def _column_of(series: Any) -> _Column:
    """Return a column; ``rows`` has a row per category, or the lowest and highest."""
    values = series.to_numpy()
    known = np.array([is_label(value) for value in values], dtype=bool)
    present = np.flatnonzero(known)
    name = str(series.name)
    if series.dtype.is_numeric():
        as_numbers = np.full(len(values), np.nan)
        as_numbers[present] = values[present]
        order = present[np.argsort(as_numbers[present], kind="stable")].tolist()
        # The lowest and the highest number, if they differ.
        differ = order and as_numbers[order[0]] != as_numbers[order[-1]]
        ends = [order[0], order[-1]] if differ else []
        return _Column(name, as_numbers, known, None, ends)
    first: dict[str, int] = {}
    for row in present.tolist():
        value = values[row]
        is_truth = isinstance(value, bool | np.bool_)
        first.setdefault(TRUTHS[bool(value)] if is_truth else str(value), row)
    if are_names(len(first), len(present)):
        return _Column(name, values, known, [], [])
    words = sorted(first)
    return _Column(name, values, known, words, [first[word] for word in words])


def _line(column: _Column, features: Array) -> tuple[float, float] | None:
    """Return slope and offset from a feature to its column; None if not linear."""
    if features.shape[1] != 1:
        return None
    seen, values = features[column.known, 0], column.values[column.known]
    low, high = int(values.argmin()), int(values.argmax())
    slope = (values[high] - values[low]) / (seen[high] - seen[low])
    offset = values[low] - slope * seen[low]
    size = np.abs(values).max()
    fits = np.allclose(slope * seen + offset, values, rtol=1e-6, atol=1e-6 * size)
    return (float(slope), float(offset)) if fits else None


def _categories(column: _Column, own: Ints, codes: Array) -> Categories:
    """Return a categorical column; categories with equal codes become one category."""
    assert column.words is not None
    groups: dict[bytes, list[int]] = {}
    for k, code in enumerate(codes):
        groups.setdefault(code.tobytes(), []).append(k)
    alike = list(groups.values())
    words = [" or ".join(column.words[k] for k in group) for group in alike]
    firsts = codes[[group[0] for group in alike]]
    return Categories(column.name, tuple(words), own, firsts)


def _feature_of(column: Categories, k: int) -> tuple[str, FeatureKind | None]:
    """Return the name of a feature of a column, and the kind of its numbers."""
    values = column.codes[:, k]
    hot = np.flatnonzero(values == values.max())
    if len(hot) == 1 and len(np.unique(values)) == 2:
        is_truth = set(np.unique(values)) == {0.0, 1.0}
        name = f"{column.name}={column.words[hot[0]]}"
        return name, "truth" if is_truth else None
    many = len(column.features) > 1
    return f"{column.name} ({k + 1})" if many else column.name, None
