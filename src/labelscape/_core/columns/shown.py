"""A column that is shown with the objects, and is no feature."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from numpy.typing import NDArray

ShownKind = Literal["number", "date", "truth", "category", "text"]


@dataclass(frozen=True, eq=False)
class ShownColumn:
    """A column to look at: what it says is shown, and no model learns from it.

    `Table.shown` has those that `read_table` was asked to show, in step with its rows.

    Attributes
    ----------
    name : str
        The column.
    kind : {"number", "date", "truth", "category", "text"}
        What its values are.
    values : ndarray of shape (n_rows,)
        Numbers with NaN where one is missing: as they are, days since the beginning of
        1970, or 0 and 1 for false and true. Of categories and text, words with None.

    Examples
    --------
    >>> import numpy as np
    >>> dose = ShownColumn("dose", "number", np.array([0.5, np.nan, 2.0]))
    >>> dose.take(np.array([0, 2])).values
    array([0.5, 2. ])
    """

    name: str
    kind: ShownKind
    values: NDArray[Any]

    def take(self, rows: NDArray[Any]) -> "ShownColumn":
        """Return the column with some rows only."""
        return replace(self, values=self.values[rows])
