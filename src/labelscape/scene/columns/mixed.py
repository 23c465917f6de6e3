"""A data frame that a pipeline turns into numbers: which columns become which features.

The steps are asked, with rows that differ in one column only. So any encoder is
understood that takes each column by itself, whoever wrote it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import is_label
from labelscape._core.columns.categories import Categories
from labelscape.datasets._internal import are_names
from labelscape.scene._units import Matrix, Scale, numbers
from labelscape.scene.scene import FeatureKind

# Between the name of a step and that of a feature, in names by a ColumnTransformer.
PREFIX = "__"
TRUTHS = {False: "no", True: "yes"}


class Mixed(NamedTuple):
    """Features of a data frame in the units of its columns."""

    # Of the features: that of the column, or ``colour=red``.
    names: list[str]
    # What their numbers stand for.
    kinds: list[FeatureKind | None]
    # The way from features to the columns of numbers.
    scale: Scale
    # The columns of categories, in these units.
    categories: tuple[Categories, ...]
    # Rows of features whose value was missing in the column.
    imputed: dict[str, NDArray[np.intp]]


class Undone(NamedTuple):
    """A scale as a step of a pipeline: from the columns to the features, and back."""

    scale: Scale

    def transform(self, X: Any) -> Matrix:
        """Return objects in the units of the columns as the next step sees them."""
        return self.scale.seen(np.asarray(X))

    def inverse_transform(self, X: Any) -> Matrix:
        """Return objects as the next step sees them in the units of the columns."""
        return self.scale.shown(np.asarray(X))


class _Column(NamedTuple):
    """What is known of a column: its values, and a row for each that differs."""

    name: str
    values: NDArray[Any]
    known: NDArray[np.bool_]
    words: list[str] | None
    rows: list[int]


def unmixed(
    steps: Sequence[Any], frame: Any, features: Matrix, names: Sequence[str]
) -> Mixed | None:
    """Return what the columns of a frame became, or None where they were mixed up.

    Shapes: features (n, d).
    """
    import narwhals as nw

    table = nw.from_native(frame, eager_only=True)
    sheet = _Sheet(list(names))
    for column in map(_looked_into, table.iter_columns()):
        if len(column.rows) < 2:
            continue
        # All other columns as in the first row.
        probe = nw.maybe_reset_index(table[[0] * len(column.rows)]).with_columns(
            nw.maybe_reset_index(table[column.rows])[column.name]
        )
        codes = _encoded(steps, probe.to_native())
        if codes is None or not sheet.add(column, codes, features):
            return None
    return sheet.mixed


def _encoded(steps: Sequence[Any], frame: Any) -> Matrix | None:
    for step in steps:
        frame = step.transform(frame)
    return numbers(frame)


class _Sheet:
    """What is known of the features so far; first, what the steps call them."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.kinds: list[FeatureKind | None] = [None] * len(names)
        self.slopes, self.offsets = np.ones(len(names)), np.zeros(len(names))
        self.is_owned = np.zeros(len(names), dtype=bool)
        self.categories: list[Categories] = []
        self.imputed: dict[str, NDArray[np.intp]] = {}

    @property
    def mixed(self) -> Mixed:
        scale = Scale(self.slopes, self.offsets, "model")
        found = tuple(self.categories)
        return Mixed(self.names, self.kinds, scale, found, self.imputed)

    def add(self, column: _Column, codes: Matrix, features: Matrix) -> bool:
        """Take the features that differ with a column; False if another has them."""
        own = np.flatnonzero(np.ptp(codes, axis=0) > 0.0)
        if self.is_owned[own].any():
            return False
        self.is_owned[own] = True
        if column.words is None:
            self._add_numbers(column, own, features)
        elif len(own):
            self._add_categories(_categories(column, own, codes[:, own]))
        gaps = np.flatnonzero(~column.known)
        if len(gaps):
            self.imputed |= {self.names[j]: gaps for j in own}
        return True

    def _add_numbers(
        self, column: _Column, own: NDArray[np.intp], features: Matrix
    ) -> None:
        line = _line(column, features[:, own])
        if line is not None:
            self.names[own[0]] = column.name
            self.slopes[own], self.offsets[own] = line

    def _add_categories(self, column: Categories) -> None:
        self.categories.append(column)
        for k, j in enumerate(column.features):
            name, self.kinds[j] = _called(column, k)
            if PREFIX in self.names[j]:
                self.names[j] = name


def _looked_into(series: Any) -> _Column:
    """Return a column, and rows with all of its words, or with two of its numbers."""
    values = series.to_numpy()
    known = np.array([is_label(value) for value in values], dtype=bool)
    there = np.flatnonzero(known)
    name = str(series.name)
    if series.dtype.is_numeric():
        as_numbers = np.full(len(values), np.nan)
        as_numbers[there] = values[there]
        return _Column(name, as_numbers, known, None, _ends(as_numbers, there))
    first: dict[str, int] = {}
    for row in there.tolist():
        first.setdefault(_word(values[row]), row)
    if are_names(len(first), len(there)):
        return _Column(name, values, known, [], [])
    words = sorted(first)
    return _Column(name, values, known, words, [first[word] for word in words])


def _ends(values: NDArray[Any], there: NDArray[np.intp]) -> list[int]:
    """Return where the lowest and the highest number stand, if they differ."""
    order = there[np.argsort(values[there], kind="stable")].tolist()
    differ = order and values[order[0]] != values[order[-1]]
    return [order[0], order[-1]] if differ else []


def _word(value: Any) -> str:
    return TRUTHS[bool(value)] if isinstance(value, bool | np.bool_) else str(value)


def _line(column: _Column, features: Matrix) -> tuple[float, float] | None:
    """Return slope and offset from a feature to its column, if it is a line."""
    if features.shape[1] != 1:
        return None
    seen, values = features[column.known, 0], column.values[column.known]
    low, high = int(values.argmin()), int(values.argmax())
    slope = (values[high] - values[low]) / (seen[high] - seen[low])
    offset = values[low] - slope * seen[low]
    size = np.abs(values).max()
    fits = np.allclose(slope * seen + offset, values, rtol=1e-6, atol=1e-6 * size)
    return (float(slope), float(offset)) if fits else None


def _categories(column: _Column, own: NDArray[np.intp], codes: Matrix) -> Categories:
    """Return a column of categories; those that the features do not tell are one."""
    assert column.words is not None
    groups: dict[bytes, list[int]] = {}
    for k, code in enumerate(codes):
        groups.setdefault(code.tobytes(), []).append(k)
    alike = list(groups.values())
    words = [" or ".join(column.words[k] for k in group) for group in alike]
    firsts = codes[[group[0] for group in alike]]
    return Categories(column.name, tuple(words), own, firsts)


def _called(column: Categories, k: int) -> tuple[str, FeatureKind | None]:
    """Return the name of a feature of a column, and what its numbers stand for."""
    values = column.codes[:, k]
    hot = np.flatnonzero(values == values.max())
    if len(hot) == 1 and len(np.unique(values)) == 2:
        is_truth = set(np.unique(values)) == {0.0, 1.0}
        name = f"{column.name}={column.words[hot[0]]}"
        return name, "truth" if is_truth else None
    many = len(column.features) > 1
    return f"{column.name} ({k + 1})" if many else column.name, None
