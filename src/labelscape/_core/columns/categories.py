"""A column of categories, and the features that stand for it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Categories:
    """A column of categories as a matrix holds it.

    `Table.categories` has one for each such column. What changes, explains or shows an
    object takes the column as a whole by it: its features only make sense together.
    """

    # The column.
    name: str
    # Its categories.
    words: tuple[str, ...]
    # (m,) The columns of the matrix that stand for it; one says it all where there are
    # two categories.
    features: NDArray[np.intp]
    # (n_categories, m) The values that these features have for each category, scaled
    # like the matrix.
    codes: NDArray[np.float64]

    def of(self, X: NDArray[Any]) -> NDArray[np.intp]:
        """Return the category of each row; -1 for one between them, as imputed are."""
        part = X[:, self.features].astype(np.float64)
        # The nearest code, by the part of the squared distance that tells them apart.
        nearest = (part @ self.codes.T - 0.5 * (self.codes**2).sum(axis=1)).argmax(1)
        is_there = np.isclose(part, self.codes[nearest], rtol=1e-6, atol=1e-9).all(1)
        return np.where(is_there, nearest, -1)
