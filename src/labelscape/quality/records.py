"""Records that several reports hold: pairs of classes, and findings about a table.

They are plain values first and sentences last, so that a scene, a page or a JSON file
can hold them as they are.
"""

from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import missing_extra
from labelscape._core.errors import PYTHON, Setting, Wording

Sure = Literal["certain", "likely"]
Rows = NDArray[np.uint32]
# At most this many names are listed in a sentence.
MOST_NAMED = 5


def _no_rows() -> Rows:
    return np.empty(0, dtype=np.uint32)


def data_frame(data: Any, **options: Any) -> Any:
    """Return a pandas data frame, or raise the error that names the missing package."""
    try:
        import pandas as pd
    except ImportError:
        missing_extra("pandas", "dev", "to_frame()")
    return pd.DataFrame(data, **options)


# The color of a light; "none" is gray.
State = Literal["good", "fair", "bad", "none"]


@dataclass(frozen=True)
class Light:
    """One line of a summary: a question and its answer, with a color.

    Attributes
    ----------
    question : str
        What the line is about ("Are the classes really separated?", "Labels").
    state : {"good", "fair", "bad", "none"}
        The color; "none" is gray.
    answer : str
        The answer in a word or two ("Yes"); empty if the figure says it all.
    figure : str
        The number behind it, as the rest of the sentence.
    detail : str
        Technical figures, such as an interval and a p-value.
    measured : str
        How it is measured, in a paragraph.

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
        return f"{self.question}{colon} {answer}"


@dataclass(frozen=True, eq=False)
class MixedPair:
    """Two classes that are mixed up, for samples that were held out.

    Attributes
    ----------
    a, b : object
        The classes.
    share : float
        Share of their samples that is taken for the other class; both classes count
        the same.
    rows : ndarray of int
        The rows that are taken for the other class, where they are known.
    """

    a: Any
    b: Any
    share: float
    rows: Rows = field(default_factory=_no_rows)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", np.asarray(self.rows, dtype=np.uint32))


def mixed_pairs(
    confusion: NDArray[Any],
    classes: NDArray[Any],
    most: int | None = None,
    is_left_out: NDArray[np.bool_] | None = None,
) -> list[MixedPair]:
    """Return the pairs of classes that are mixed up, the worst first.

    Shapes: confusion (C, C), the class and what it is taken for; classes,
    is_left_out (C,).
    """
    shares = confusion / np.maximum(confusion.sum(axis=1, keepdims=True), 1)
    mixed = (shares + shares.T) / 2
    if is_left_out is not None:
        mixed[is_left_out] = mixed[:, is_left_out] = 0.0
    a, b = np.triu_indices(len(mixed), 1)
    order = np.argsort(-mixed[a, b], kind="stable")[:most]
    labels = classes.tolist()
    return [
        MixedPair(labels[a[i]], labels[b[i]], float(mixed[a[i], b[i]]))
        for i in order
        if mixed[a[i], b[i]] > 0
    ]


@dataclass(frozen=True, eq=False)
class Finding:
    """Something about a table that its owner should know.

    Attributes
    ----------
    code : str
        What it is: "copies", "contradictions", "near copies", "constant", "nearly
        constant", "stand-in", "class names", "rare classes", "counter", "copy",
        "one feature", "order", "telling gaps", "hidden groups", "rim", "batch" or
        "batch and class".
    subjects : tuple of str
        The columns or classes that it is about; empty if it is about rows alone.
    count : int
        How many rows (or columns, where no row is to blame) are concerned.
    rows : ndarray of int
        Their numbers, ascending; empty where a column or all rows are meant.
    sure : {"certain", "likely"}
        Whether it is a fact, or a guess that a person should look at.
    remedy : Setting or None
        The option of the reader that corrects it, with its value, if there is one.
    figure : float or None
        The number behind it: an accuracy, a p-value, the value itself.
    column : str
        The column that explains it, if one does.

    Examples
    --------
    >>> import numpy as np
    >>> print(Finding("copies", (), 2, np.array([4, 9])))
    2 rows are equal to a row before them in all features. If they are one object
    entered twice, leave them out.
    """

    code: str
    subjects: tuple[str, ...]
    count: int
    rows: Rows = field(default_factory=_no_rows)
    sure: Sure = "certain"
    remedy: Setting | None = None
    figure: float | None = None
    column: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", np.asarray(self.rows, dtype=np.uint32))

    def words(self, wording: Wording = PYTHON) -> str:
        """Return the finding as sentences, with its remedy in the words of a host."""
        said = _SENTENCES[self.code].format_map(self._parts())
        if self.remedy is not None:
            aim = _AIMS.get(self.code, "To leave {them} out").format_map(self._parts())
            return f"{said} {aim}, {wording.remedy(self.remedy)}."
        return f"{said} Leave it out." if self.code in _NO_MEASUREMENT else said

    def __str__(self) -> str:
        return self.words()

    def record(self) -> dict[str, Any]:
        """Return the finding in plain values."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return values | {
            "subjects": list(self.subjects),
            "rows": self.rows.tolist(),
            "remedy": self.remedy and {self.remedy.parameter: self.remedy.value},
            "words": str(self),
        }

    def _parts(self) -> dict[str, Any]:
        """Return what the sentences are made of, in the singular or the plural."""
        named = ", ".join(repr(name) for name in self.subjects[:MOST_NAMED])
        more = len(self.subjects) - MOST_NAMED
        n, one, alone = len(self.subjects), self.count == 1, len(self.subjects) == 1
        by = f" The column {self.column!r} separates the groups." * bool(self.column)
        return {
            "names": named + (f" and {more:,} more" if more > 0 else ""),
            "n": n,
            "rows": counted(self.count, "row"),
            "columns": counted(self.count, "column"),
            "figure": self.figure,
            "are": "is" if one else "are",
            "have": "has" if one else "have",
            "they_are": "it is" if one else "they are",
            "them_rows": "it" if one else "them",
            "them": "it" if alone else "them",
            "classes_have": "class has" if alone else "classes have",
            "the_classes": "The class" if alone else f"{n:,} classes",
            "seem": "seems to be two groups" if alone else "seem to be two groups each",
            "smaller": "the smaller of" if alone else "the smaller ones together of",
            "explained": by,
        }


def counted(n: int, noun: str) -> str:
    """Return a number of things."""
    return f"{n:,} {noun}{'s' * (n != 1)}"


# Columns that are not measurements, but the class or the row number in disguise.
_NO_MEASUREMENT = ("counter", "copy")
# What a remedy is for, where it is not to leave a column out.
_AIMS = {
    "stand-in": "If it does",
    "one feature": "If it is a result",
    "class names": "To make them one",
    "copies": "To keep the first of each",
}
_SENTENCES = {
    "copies": "{rows} {are} equal to a row before {them_rows} in all features. If "
    "{they_are} one object entered twice, leave {them_rows} out.",
    "contradictions": "{rows} are equal to rows of another class in all features: no "
    "model can be right about all of them. Look at their labels.",
    "near copies": "{rows} are nearly equal to another row, much nearer than chance "
    "would put them. If they are one object measured twice, name the column that says "
    "so, and they are never split.",
    "constant": "{columns} {are} constant: {names}.",
    "nearly constant": "{columns} {have} one value in nearly all rows: {names}.",
    "stand-in": "{names} is {figure:g} in {rows}, far outside the rest: it seems to "
    "stand for a missing value.",
    "class names": "The classes {names} differ in nothing but case or spaces ({rows} "
    "of the rarer spellings).",
    "rare classes": "{n:,} {classes_have} too few rows to be judged: {names}.",
    "counter": "{names} is just a row number, and predicts the class of {figure:.0%} "
    "of held-out rows alone.",
    "copy": "{names} is a copy of the classes: alone, it predicts the class of "
    "{figure:.0%} of held-out rows.",
    "one feature": "{names} alone predicts the class of {figure:.0%} of held-out rows, "
    "as all features together do. Is it a result of the class, or known before?",
    "order": "The class can be predicted from the row number alone ({figure:.0%} of "
    "held-out rows): what changed while the table was made looks like a difference of "
    "classes.",
    "telling gaps": "Whether {names} is missing predicts the class (p = {figure:.2g}), "
    "and what is filled in for it may do so, too.",
    "hidden groups": "{the_classes} {names} {seem}, {smaller} {rows} (p = "
    "{figure:.2g}).{explained}",
    "rim": "{rows} {are} far from everything else.",
    "batch": "The batch of {figure:.0%} of held-out rows can be predicted from the "
    "features: what changed between batches may look like a difference of classes.",
    "batch and class": "Batches go with classes (Cramér's V = {figure:.2f}): what "
    "separates the classes may be what separates the batches.",
}
