"""Islands of a map as records, with the sentence last."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import missing_extra
from labelscape._core.tables import html_table, text_table

Stays = Literal["stable", "doubtful", "falls apart"]

# From these shares on an island is stable, or at least doubtful.
STABLE, DOUBTFUL = 0.75, 0.5
# So many classes of an island are named.
MOST_CLASSES = 3

_WORDS: dict[Stays, str] = {
    "stable": "is stable",
    "doubtful": "is doubtful",
    "falls apart": "falls apart in other halves",
}


@dataclass(frozen=True, eq=False)
class Island:
    """A group of objects that stands apart on a map; prints as a sentence.

    Attributes
    ----------
    members : ndarray of int
        Its objects, by their row.
    stability : float
        How far it stays together on maps of other halves, from 0 to 1.
    classes : dict
        How many objects of each class it holds, the most frequent first; empty where
        there are no labels.

    Examples
    --------
    >>> island = Island(np.arange(50), 0.913, {"setosa": 49, "virginica": 1})
    >>> print(island)
    This island is stable (.91).
    >>> island.size, island.verdict, island.holds
    (50, 'stable', 'setosa (49), virginica (1)')
    >>> print(Island(np.arange(20), 0.377, {}))
    This island falls apart in other halves (.38).
    """

    members: NDArray[np.intp]
    stability: float
    classes: dict[Any, int]

    @property
    def size(self) -> int:
        """The number of its objects."""
        return len(self.members)

    @property
    def verdict(self) -> Stays:
        """Whether it is there for other objects, too."""
        if self.stability >= STABLE:
            return "stable"
        return "doubtful" if self.stability >= DOUBTFUL else "falls apart"

    @property
    def holds(self) -> str:
        """Its classes in words, the most frequent ones."""
        named = [f"{name} ({count})" for name, count in self.classes.items()]
        more = len(named) - MOST_CLASSES
        return ", ".join(named[:MOST_CLASSES]) + (f" and {more} more" * (more > 0))

    @property
    def figure(self) -> str:
        """Its stability as a sentence says it."""
        return f"{self.stability:.2f}".removeprefix("0")

    def __str__(self) -> str:
        return f"This island {_WORDS[self.verdict]} ({self.figure})."


@dataclass(frozen=True, eq=False, repr=False)
class IslandReport:
    """The islands of a map, the largest first, and how far each is to be believed.

    Attributes
    ----------
    islands : tuple of Island
        Groups with empty space around them; none where the map is one of a piece.
    of_object : ndarray of int of shape (n,)
        The island of each object: its index in ``islands``; -1 where there are none.
    n_resamples : int
        The number of halves that the map was fitted to.
    n_judged : int
        The number of objects that it was judged on.
    why : str
        Why there is nothing to judge; empty if there is.
    """

    islands: tuple[Island, ...]
    of_object: NDArray[np.intp]
    n_resamples: int
    n_judged: int
    why: str = ""

    def __len__(self) -> int:
        return len(self.islands)

    def __iter__(self) -> Iterator[Island]:
        return iter(self.islands)

    def __getitem__(self, index: int) -> Island:
        return self.islands[index]

    @property
    def finding(self) -> str:
        """What was found, in a sentence."""
        if self.why:
            return f"Islands were not judged: {self.why}."
        if not self.islands:
            return "This map is of one piece: it has no islands."
        stable = sum(island.verdict == "stable" for island in self.islands)
        verb = "is" if stable == 1 else "are"
        return f"{stable} of {len(self.islands)} islands {verb} stable."

    @property
    def note(self) -> str:
        """How it was found, in a sentence; empty if nothing was."""
        if not self.islands:
            return ""
        n, some = len(self.of_object), ""
        if self.n_judged < n:
            some = f" of {self.n_judged:,} random rows of {n:,}"
        return (
            f"Each was looked for on {self.n_resamples} maps of a half{some}, among "
            "the objects that the map had not seen (Jaccard index, 1 = the same ones)."
        )

    def __str__(self) -> str:
        table = text_table(*self._table(), left=(0, 3)) if self.islands else ""
        return "\n".join(part for part in (table, self.finding, self.note) if part)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        table = html_table(*self._table()) if self.islands else ""
        words = (part for part in (self.finding, self.note) if part)
        return table + "".join(f"<p>{escape(part)}</p>" for part in words)

    def to_frame(self) -> Any:
        """Return the islands as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            With columns ``size``, ``stability``, ``verdict``, ``classes``.
        """
        try:
            import pandas as pd
        except ImportError:
            missing_extra("pandas", "dev", "to_frame()")
        names = ["size", "stability", "verdict", "classes"]
        rows = [[getattr(one, name) for name in names] for one in self.islands]
        return pd.DataFrame(rows, columns=names)

    def _table(self) -> tuple[list[str], list[list[str]]]:
        header = ["island", "objects", "stability", "classes"]
        return header, [
            [one.verdict, f"{one.size:,}", one.figure, one.holds]
            for one in self.islands
        ]
