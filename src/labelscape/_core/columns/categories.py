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

    Attributes
    ----------
    name : str
        The column.
    words : tuple of str
        Its categories.
    features : ndarray of int of shape (m,)
        The columns of the matrix that stand for it; one says it all where there are
        two categories.
    codes : ndarray of shape (n_categories, m)
        The values that these features have for each category, scaled like the matrix.

    Examples
    --------
    >>> import numpy as np
    >>> wood = Categories("wood", ("hard", "soft"), np.array([1]), np.array([[0], [1]]))
    >>> wood.of(np.array([[21.5, 0.0], [30.0, 1.0], [19.0, 0.3]]))
    array([ 0,  1, -1])
    """

    name: str
    words: tuple[str, ...]
    features: NDArray[np.intp]
    codes: NDArray[np.float64]

    def of(self, X: NDArray[Any]) -> NDArray[np.intp]:
        """Return the category of each row; -1 for one between them, as imputed are."""
        part = X[:, self.features].astype(np.float64)
        # The nearest code, by the part of the squared distance that tells them apart.
        nearest = (part @ self.codes.T - 0.5 * (self.codes**2).sum(axis=1)).argmax(1)
        is_there = np.isclose(part, self.codes[nearest], rtol=1e-6, atol=1e-9).all(1)
        return np.where(is_there, nearest, -1)
