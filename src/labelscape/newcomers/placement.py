"""New rows on an old map, and what is to be known of them."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

# Below this p-value the rows as a whole have drifted.
DRIFTED = 0.05
SHOWN = 3


class Moved(NamedTuple):
    """A feature that is not where it was.

    Attributes
    ----------
    feature : str
        Its name.
    usual, now : float
        Its middle in the old rows, and in the new ones.
    distance : float
        How far its values have moved, in units of their spread.
    kind : {"date", "truth"} or None
        What its numbers stand for: days since 1970, or 0 and 1; None: just numbers.

    Examples
    --------
    >>> print(Moved("height", 10.27, 16.1, 2.9))
    height (usually about 10.3, now 16.1)
    >>> print(Moved("admitted", 19800.5, 20400.0, 5.2, "date"))
    admitted (usually about 2024-03-18, now 2025-11-08)
    """

    feature: str
    usual: float
    now: float
    distance: float
    kind: str | None = None

    def __str__(self) -> str:
        usual, now = self._values()
        return f"{self.feature} (usually about {usual}, now {now})"

    def _values(self) -> tuple[str, str]:
        """Return both middles as they are read; moments of one day with their time."""
        if self.kind != "date":
            return f"{self.usual:.3g}", f"{self.now:.3g}"
        unit = "m" if np.floor(self.usual) == np.floor(self.now) else "D"
        usual, now = (
            str(np.datetime64(round(days * 86400), "s").astype(f"datetime64[{unit}]"))
            for days in (self.usual, self.now)
        )
        return usual, now


@dataclass(frozen=True, eq=False, repr=False)
class Placement:
    """New rows on a map; prints as a short text.

    Attributes
    ----------
    positions : ndarray of shape (n, n_components)
        Where they stand.
    predictions : ndarray of shape (n,) or None
        Their likely classes; None if the map came without a classifier.
    p_unlike : ndarray of shape (n,)
        For each row the share of old rows, held out, that were as far from all that
        was seen: below ``rate``, it is unlike anything seen.
    rate : float
        So many rows of the same source may be called unlike, at most.
    n_held_out : int
        The old rows that this was calibrated on.
    drift_p : float
        The p-value of the hypothesis that the new rows come from where the old ones
        came from: exact, by draws of units.
    moved : list of Moved
        All features, the one that moved most first.
    probabilities : ndarray of shape (n, n_classes) or None
        How likely each class is, in the order of ``classes``; None if the classifier
        gives no probabilities.
    classes : ndarray of shape (n_classes,) or None
        The classes of ``probabilities``.
    """

    positions: NDArray[np.float64]
    predictions: NDArray[Any] | None
    p_unlike: NDArray[np.float64]
    rate: float
    n_held_out: int
    drift_p: float
    moved: list[Moved]
    probabilities: NDArray[np.float64] | None = None
    classes: NDArray[Any] | None = None

    @property
    def unlike(self) -> NDArray[np.bool_]:
        """Which rows are unlike anything seen."""
        found: NDArray[np.bool_] = self.p_unlike <= self.rate
        return found

    @property
    def has_drifted(self) -> bool:
        """Whether the rows as a whole come from elsewhere than the old ones."""
        return self.drift_p <= DRIFTED

    @property
    def can_tell(self) -> bool:
        """Whether there were enough old rows to call new ones unlike them."""
        return 1.0 / (self.n_held_out + 1) <= self.rate

    @property
    def unlike_words(self) -> str:
        """How many rows are unlike anything seen, in a sentence."""
        if not self.can_tell:
            return (
                f"Too few old rows ({self.n_held_out}) to say which new ones are "
                "unlike them."
            )
        n, n_unlike = len(self.positions), int(self.unlike.sum())
        return (
            f"{n_unlike:,} of {n:,} rows are unlike anything seen (of rows from the "
            f"same source, {self.rate:.0%} at most would be)."
        )

    @property
    def drift_words(self) -> str:
        """Whether the rows have drifted as a whole, in a sentence."""
        if self.has_drifted:
            return f"As a whole they have drifted (p = {self.drift_p:.3f})."
        return (
            "As a whole they look as if they came from the same source "
            f"(p = {self.drift_p:.3f})."
        )

    @property
    def moved_most(self) -> list[Moved]:
        """The features to look at first where rows have drifted."""
        if not self.has_drifted:
            return []
        return [one for one in self.moved[:SHOWN] if one.distance > 0]

    def __str__(self) -> str:
        words = f"{self.unlike_words}\n{self.drift_words}"
        if not self.has_drifted:
            return words
        moved = ", ".join(map(str, self.moved_most))
        return f"{words} Moved most: {moved or 'no single feature'}."

    __repr__ = __str__
