"""A finding about a table: a record first, a sentence last."""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import PYTHON, Setting, Wording

Sure = Literal["certain", "likely"]
# So many names are listed in a sentence.
MOST_NAMED = 5


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
        Their numbers, ascending; empty where the whole column or table is meant.
    sure : {"certain", "likely"}
        Whether it is a fact, or a guess that a person should look at.
    remedy : Setting or None
        The option of the reader that mends it, with its value, if there is one.
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
    rows: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    sure: Sure = "certain"
    remedy: Setting | None = None
    figure: float | None = None
    column: str = ""

    def words(self, wording: Wording = PYTHON) -> str:
        """Return the finding as sentences, with its remedy in the words of a host."""
        said = _SENTENCES[self.code](self)
        if self.remedy is None:
            return said
        them = _verb(len(self.subjects), "it", "them")
        aim = _AIMS.get(self.code, f"To leave {them} out")
        return f"{said} {aim}, {wording.remedy(self.remedy)}."

    def __str__(self) -> str:
        return self.words()

    def record(self) -> dict[str, Any]:
        """Return the finding in plain values."""
        remedy = self.remedy and {self.remedy.parameter: self.remedy.value}
        return {
            "code": self.code,
            "subjects": list(self.subjects),
            "count": self.count,
            "rows": self.rows.tolist(),
            "sure": self.sure,
            "remedy": remedy,
            "figure": self.figure,
            "column": self.column,
            "words": str(self),
        }


def counted(n: int, noun: str) -> str:
    """Return a number of things."""
    return f"{n:,} {noun}{'s' * (n != 1)}"


def _verb(n: int, one: str, many: str) -> str:
    return one if n == 1 else many


def _names(subjects: tuple[str, ...]) -> str:
    named = ", ".join(repr(name) for name in subjects[:MOST_NAMED])
    more = len(subjects) - MOST_NAMED
    return named + (f" and {more:,} more" if more > 0 else "")


def _copies(found: Finding) -> str:
    verb = _verb(found.count, "is", "are")
    it = _verb(found.count, "it is", "they are")
    return (
        f"{counted(found.count, 'row')} {verb} equal to a row before "
        f"{_verb(found.count, 'it', 'them')} in all features. If {it} one object "
        f"entered twice, leave {_verb(found.count, 'it', 'them')} out."
    )


def _contradictions(found: Finding) -> str:
    return (
        f"{counted(found.count, 'row')} are equal to rows of another class in all "
        "features: no model can be right about all of them. Look at their labels."
    )


def _near_copies(found: Finding) -> str:
    return (
        f"{counted(found.count, 'row')} are nearly equal to another row, much nearer "
        "than chance would put them. If they are one object measured twice, name "
        "the column that says so, and they are never split."
    )


def _constant(found: Finding) -> str:
    verb = _verb(found.count, "is", "are")
    return (
        f"{counted(found.count, 'column')} {verb} constant: {_names(found.subjects)}."
    )


def _nearly_constant(found: Finding) -> str:
    verb = _verb(found.count, "has", "have")
    return (
        f"{counted(found.count, 'column')} {verb} one value in nearly all rows: "
        f"{_names(found.subjects)}."
    )


def _stand_in(found: Finding) -> str:
    return (
        f"{_names(found.subjects)} is {found.figure:g} in "
        f"{counted(found.count, 'row')}, far outside the rest: it seems to stand for "
        "a missing value."
    )


def _class_names(found: Finding) -> str:
    return (
        f"The classes {_names(found.subjects)} differ in nothing but case or spaces "
        f"({counted(found.count, 'row')} of the rarer spellings)."
    )


def _rare_classes(found: Finding) -> str:
    verb = _verb(len(found.subjects), "class has", "classes have")
    return (
        f"{len(found.subjects):,} {verb} too few objects to be judged: "
        f"{_names(found.subjects)}."
    )


def _counter(found: Finding) -> str:
    return f"{_names(found.subjects)} counts the rows, and says nothing of them."


def _copy(found: Finding) -> str:
    return f"{_names(found.subjects)} is a copy of the classes."


def _one_feature(found: Finding) -> str:
    return (
        f"{_names(found.subjects)} alone tells {found.figure:.0%} of new objects, as "
        "all features together do. Is it a result of the class, or known before?"
    )


def _order(found: Finding) -> str:
    return (
        f"The class can be told from the number of the row alone ({found.figure:.0%} "
        "of new objects): what changed while the table was made looks like a "
        "difference of classes."
    )


def _telling_gaps(found: Finding) -> str:
    return (
        f"Whether {_names(found.subjects)} is missing tells the class (p = "
        f"{found.figure:.2g}), and what is filled in for it may do so, too."
    )


def _hidden_groups(found: Finding) -> str:
    n = len(found.subjects)
    which = _verb(n, "The class", f"{n:,} classes")
    verb = _verb(n, "seems to be two groups", "seem to be two groups each")
    smaller = _verb(n, "the smaller of", "the smaller ones together of")
    explained = f" The column {found.column!r} separates the groups." * bool(
        found.column
    )
    return (
        f"{which} {_names(found.subjects)} {verb}, {smaller} "
        f"{counted(found.count, 'row')} (p = {found.figure:.2g}).{explained}"
    )


def _rim(found: Finding) -> str:
    verb = _verb(found.count, "is", "are")
    return f"{counted(found.count, 'row')} {verb} far from everything else."


def _batch(found: Finding) -> str:
    return (
        f"The batch of {found.figure:.0%} of new objects can be told from the "
        "features: what changed between batches may look like a difference of classes."
    )


def _batch_and_class(found: Finding) -> str:
    return (
        f"Batches go with classes (Cramér's V = {found.figure:.2f}): what parts the "
        "classes may be what parts the batches."
    )


# What a remedy is for, where it is not to leave a column out.
_AIMS = {
    "stand-in": "If it does",
    "one feature": "If it is a result",
    "class names": "To make them one",
    "copies": "To keep the first of each",
}
_SENTENCES = {
    "copies": _copies,
    "contradictions": _contradictions,
    "near copies": _near_copies,
    "constant": _constant,
    "nearly constant": _nearly_constant,
    "stand-in": _stand_in,
    "class names": _class_names,
    "rare classes": _rare_classes,
    "counter": _counter,
    "copy": _copy,
    "one feature": _one_feature,
    "order": _order,
    "telling gaps": _telling_gaps,
    "hidden groups": _hidden_groups,
    "rim": _rim,
    "batch": _batch,
    "batch and class": _batch_and_class,
}
