"""Records that several reports use: summary lines, confused classes, findings.

The records consist of plain values, and their text is generated when it is shown.
Scenes, pages and JSON files contain the same records.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import PYTHON, Setting, Wording, readable
from labelscape._core.output import Printed as Printed
from labelscape._core.output import as_text as as_text
from labelscape._core.output import data_frame as data_frame
from labelscape._core.plain import attributes
from labelscape._core.types import Array, Bools

Sure = Literal["certain", "likely"]
Rows = NDArray[np.uint32]
MOST_NAMED = 5  # maximum number of names in a sentence


def same_as(path: str) -> Any:
    """Return a property that reads ``path``, such as "verdict.real"."""
    return property(attrgetter(path), doc=f"The same as ``{path}``.")


def _no_rows() -> Rows:
    return np.empty(0, dtype=np.uint32)


State = Literal["good", "fair", "bad", "none"]  # the color of a light; "none" is gray


@dataclass(frozen=True)
class Light:
    """One line of a summary: a question and its answer, with a color.

    Attributes
    ----------
    question : str
        The subject of the line ("Are the classes really separated?", "Labels").
    state : {"good", "fair", "bad", "none"}
        The color; "none" is gray.
    answer : str
        The answer in a word or two ("Yes"); empty if the figure is enough.
    figure : str
        The rest of the sentence, with the figure ("98% of held-out rows.").
    detail : str
        Technical details, such as an interval and a p-value.
    measured : str
        A paragraph that explains how the figure is measured.

    Examples
    --------
    >>> print(Light("Is it real?", "good", "Yes", "98% of held-out rows."))
    Is it real? Yes: 98% of held-out rows.
    """

    question: str
    state: State
    answer: str
    figure: str
    detail: str = ""
    measured: str = ""

    def __str__(self) -> str:
        colon = "" if self.question.endswith("?") else ":"
        answer = ": ".join(part for part in (self.answer, self.figure) if part)
        return readable(f"{self.question}{colon} {answer}")


@dataclass(frozen=True, eq=False)
class MixedPair:
    """Two classes that are confused on held-out samples.

    Attributes
    ----------
    a, b : object
        The classes.
    share : float
        Share of samples that are predicted as the other class: the mean of the shares
        of both classes.
    rows : ndarray of int
        The rows that are predicted as the other class, if known.
    """

    a: Any
    b: Any
    share: float
    rows: Rows = field(default_factory=_no_rows)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", np.asarray(self.rows, dtype=np.uint32))


def mixed_pairs(
    confusion: Array,
    classes: Array,
    most: int | None = None,
    is_left_out: Bools | None = None,
    answers: tuple[Array, Array] | None = None,
) -> list[MixedPair]:
    """Return the pairs of classes that are confused, the worst first."""
    # Shapes: confusion (C, C), by true and predicted class; classes, is_left_out (C,);
    # answers, the true and the predicted class of each row, (n,) and (n,).
    shares = confusion / np.maximum(confusion.sum(axis=1, keepdims=True), 1)
    mixed = (shares + shares.T) / 2
    if is_left_out is not None:
        mixed[is_left_out] = mixed[:, is_left_out] = 0.0
    labels, pairs = classes.tolist(), []
    both = None if answers is None else np.sort(np.column_stack(answers), axis=1)
    for a, b in closest_pairs(mixed)[:most]:
        if mixed[a, b] > 0:
            rows: Any = ()
            if both is not None:
                rows = np.flatnonzero((both == (a, b)).all(axis=1))
            pairs.append(MixedPair(labels[a], labels[b], float(mixed[a, b]), rows))
    return pairs


def closest_pairs(likeness: Array) -> list[tuple[int, int]]:
    """Return all pairs of classes, the pair with the largest value first."""
    a, b = np.triu_indices(len(likeness), 1)
    order = np.argsort(-likeness[a, b], kind="stable")
    return list(zip(a[order].tolist(), b[order].tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Finding:
    """A problem in a table, or a possible problem to check.

    Attributes
    ----------
    code : str
        Kind of the finding: "copies", "contradictions", "near copies", "constant",
        "nearly constant", "missing code", "far cell", "class names", "rare classes",
        "counter", "copy", "one feature", "class value", "order", "near in order", "near
        in space", "missing values", "hidden groups", "outliers", "swapped names",
        "batch", "batch and class" or "computed".
    subjects : tuple of str
        The columns or classes with the problem; empty if only rows have it.
    count : int
        Number of rows with the problem, or of columns if columns have it.
    rows : ndarray of int
        Sorted indices of the rows with the problem; empty for columns or all rows.
    sure : {"certain", "likely"}
        Whether the finding is a fact, or a guess to check.
    remedy : Setting or None
        The option for reading the table that would correct the problem, if any.
    figure : float or None
        The number in the sentence: an accuracy, a p-value, or a value of the table.
    column : str
        A column that explains the finding, in which near rows are most alike, or in
        which a missing-value code is an ordinary value; the batch with swapped names;
        or empty.

    Examples
    --------
    >>> import numpy as np
    >>> print(Finding("copies", (), 2, np.array([4, 9])))
    2 rows are equal to an earlier row in all features.
    """

    code: str
    subjects: tuple[str, ...]
    count: int
    rows: NDArray[np.integer[Any]] = field(default_factory=_no_rows)
    sure: Sure = "certain"
    remedy: Setting | None = None
    figure: float | None = None
    column: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", np.asarray(self.rows, dtype=np.uint32))

    def words(self, wording: Wording = PYTHON) -> str:
        """Return the finding as sentences, with a remedy for the user interface."""
        parts = self._parts()
        sentence = _SENTENCES[self.code].format_map(parts)
        if self.code == "missing code" and self.column:
            sentence += _ELSEWHERE.format_map(parts)
        if self.remedy is not None:
            aim = _AIMS.get(self.code, "To leave {them} out").format_map(parts)
            return f"{sentence} {aim}, {wording.remedy(self.remedy)}."
        return sentence + " Leave it out." * (self.code in _NO_MEASUREMENT)

    def __str__(self) -> str:
        return self.words()

    def record(self) -> dict[str, Any]:
        """Return the finding as plain values."""
        values = attributes(self, (each.name for each in fields(self)))
        remedy = self.remedy and {self.remedy.parameter: self.remedy.value}
        return values | {"remedy": remedy, "words": str(self)}

    def _parts(self) -> dict[str, Any]:
        """Return the values that the sentences contain, in singular or plural."""
        names = _listed([repr(name) for name in self.subjects])
        n, one, alone = len(self.subjects), self.count == 1, len(self.subjects) == 1
        by = f" The column {self.column!r} separates the subgroups."
        return {
            "names": names,
            "n": n,
            "rows": counted(self.count, "row"),
            "row": next(iter(self.rows.tolist()), None),
            "which": _listed([f"row {row}" for row in self.rows.tolist()]),
            "columns": counted(self.count, "column"),
            "figure": self.figure,
            "column": self.column,
            "are": "is" if one else "are",
            "have": "has" if one else "have",
            "they_are": "it is" if one else "they are",
            "them": "it" if alone else "them",
            "classes_have": "class has" if alone else "classes have",
            "subgroups": f"Class {names} looks like two subgroups (the smaller has"
            if alone
            else f"{n:,} classes look like two subgroups each: {names} (the smaller "
            "ones have",
            "explained": by * bool(self.column),
        }


def _listed(names: Sequence[str]) -> str:
    """Return the first names, and the number of the others."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


ROW_ORDER = "row order"  # a place where near rows may be alike


def near_words(place: str) -> str:
    """Return a sentence on near rows that are alike, and the groups to use."""
    blocks = "stretches of rows" if place == ROW_ORDER else f"blocks of {place}"
    return (
        f" But rows near each other in {place} are alike beyond their class. Repeat "
        f"the test with groups, such as {blocks}."
    )


def counted(n: int, noun: str) -> str:
    """Return a number with its noun, in singular or plural."""
    return f"{n:,} {noun}{'s' * (n != 1)}"


# Columns that are not measurements, but contain the class or the row number.
_NO_MEASUREMENT = ("counter", "copy")
# The purpose of a remedy, if it is not to leave a column out.
_AIMS = {
    "missing code": "If so",
    "one feature": "If so",
    "class value": "If so",
    "class names": "To merge them",
    "copies": "If {they_are} the same sample entered twice",
}
# Options for reading are about all columns of a table.
_ELSEWHERE = (
    " If so, empty these cells in the table. An option for all columns would also "
    "remove {figure:g} from {column!r}, where it is an ordinary value."
)
_SENTENCES = {
    "copies": "{rows} {are} equal to an earlier row in all features.",
    "contradictions": "{rows} are equal to rows of another class in all features: no "
    "model can be right about all of them. Check their labels.",
    "near copies": "{rows} are almost equal to another row, much closer than "
    "expected by chance. If they are repeated measurements, name the column that "
    "identifies the sample: then rows of a sample stay together in every split.",
    "constant": "{columns} {are} constant: {names}.",
    "nearly constant": "{columns} {have} the same value in nearly all rows: {names}.",
    "missing code": "{names} is {figure:g} in {rows}, far outside the other values: "
    "probably a missing-value code.",
    "far cell": "{names} is {figure:g} in row {row}, far outside the other values: "
    "probably a mistake. Check this cell.",
    "class names": "The classes {names} differ only in case or spaces ({rows} with the "
    "rarer spellings).",
    "rare classes": "{n:,} {classes_have} too few rows to be checked: {names}.",
    "counter": "{names} is a row counter, not a measurement. Alone, it predicts the "
    "class for {figure:.0%} of held-out rows.",
    "copy": "{names} is a copy of the class: alone, it predicts the class for "
    "{figure:.0%} of held-out rows.",
    "one feature": "{names} alone predicts the class for {figure:.0%} of held-out "
    "rows. Possible leakage: was it recorded after the class was known?",
    "class value": "{names} has a single value in nearly all rows of class {column!r}, "
    "and this value in hardly any row of another class. Possible leakage: was it "
    "recorded after the class was known?",
    "order": "Rows seem to be sorted by class: row order alone predicts the class for "
    "{figure:.0%} of held-out rows. This is harmless if you sorted the file. If rows "
    "were measured in this order, drift over time could look like a class difference.",
    "near in order": "Rows near each other in the table are alike beyond their class, "
    "most in {column!r}, and often have the same class: without the rows near them, "
    "neighbors in the data are right for {figure:.0%} fewer rows. Name the column of "
    "subjects, days or places as the group. If there is no such column, add one that "
    "numbers stretches of rows, longer than rows are alike.",
    "near in space": "Rows near each other in {names} are alike beyond their class, "
    "most in {column!r}, and often have the same class: without the rows near them, "
    "neighbors in the data are right for {figure:.0%} fewer rows. Name a column of "
    "regions as the group. If there is no such column, add one that numbers blocks of "
    "{names}, larger than the distance at which rows are alike.",
    "missing values": "Missing values of {names} are related to the class (p = "
    "{figure:.2g}). Imputed values may reveal the class.",
    "hidden groups": "{subgroups} {rows}; p = {figure:.2g}).{explained}",
    "outliers": "{rows} {are} far from all other rows: {which}.",
    "swapped names": "In batch {column}, the names of the classes {names} look "
    "swapped: models fitted to the other batches predict the swapped name for "
    "{figure:.0f} of {rows}. Check the names in this batch.",
    "batch": "Batch effect: features predict the batch for {figure:.0%} of held-out "
    "rows. Class differences may be batch differences.",
    "computed": "The labels seem to be computed from these features, by clustering or "
    "a threshold: {figure:.0%} of rows have the label of the nearest class mean, "
    "although there is no gap between the classes.",
    "batch and class": "Batch and class are confounded (Cramér's V = {figure:.2f}): "
    "their effects cannot be distinguished.",
}
