"""Units: rows that are not independent never stand on both sides of a split."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from labelscape._core.errors import InputError
from labelscape._core.threads import row_blocks

# Values that differ by less than this share of the feature's range are equal.
NEARLY = 1e-9


@dataclass(frozen=True)
class Units:
    """Which rows belong together.

    Attributes
    ----------
    of_row : ndarray of int of shape (n,)
        The unit of each row.
    first_copy : ndarray of int of shape (n,)
        The first row that is equal to each row: itself, if there is none before it.
    grouped : bool
        Whether the caller said which rows belong together.
    """

    of_row: NDArray[np.intp]
    first_copy: NDArray[np.intp]
    grouped: bool

    @property
    def n_units(self) -> int:
        """The number of units."""
        return int(self.of_row.max(initial=-1)) + 1

    @property
    def copies(self) -> NDArray[np.intp]:
        """The rows that are equal to a row before them."""
        return np.flatnonzero(self.first_copy != np.arange(len(self.first_copy)))

    @property
    def words(self) -> str:
        """What belongs together, in a sentence; empty if all rows stand alone."""
        n = len(self.of_row)
        parts = []
        if len(self.copies):
            different = n - len(self.copies)
            parts.append(f"{different:,} different rows among {n:,}")
        if self.grouped and self.n_units < n:
            parts.append(f"{self.n_units:,} units among {n:,} rows")
        if not parts:
            return ""
        kept = "what belongs together stays" if self.grouped else "copies stay"
        return f"{', '.join(parts)}; {kept} together."

    def take(self, rows: NDArray[np.intp]) -> "Units":
        """Return the units of some rows, numbered anew."""
        _, of_row = np.unique(self.of_row[rows], return_inverse=True)
        _, first, copy = np.unique(
            self.first_copy[rows], return_index=True, return_inverse=True
        )
        return Units(of_row, first[copy], self.grouped)


def units_of(
    X: NDArray[Any],
    groups: Any = None,
    *,
    owner: str = "honesty",
    hashes: NDArray[np.int64] | None = None,
) -> Units:
    """Return the units of rows: equal rows, and rows of the same group, stay together.

    ``hashes`` are those of `row_hashes`, where they are known already.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [5.0, 6.0]])
    >>> units_of(X).of_row
    array([0, 1, 0, 2])
    >>> units_of(X, ["ann", "ann", "bob", "eve"]).of_row
    array([0, 0, 0, 1])
    """
    if hashes is None:
        hashes = row_hashes(X, X.min(axis=0), X.max(axis=0))
    _, first, copy = np.unique(hashes, axis=0, return_index=True, return_inverse=True)
    if groups is None:
        return Units(_numbered(copy), first[copy], grouped=False)
    group = _group_codes(groups, len(copy), owner)
    # Rows are the edges of a graph between contents and groups.
    n_copies, n_groups = len(first), int(group.max()) + 1
    edges = coo_array(
        (np.ones(len(copy), dtype=np.int8), (copy, n_copies + group)),
        shape=(n_copies + n_groups, n_copies + n_groups),
    )
    _, component = connected_components(edges, directed=False)
    return Units(_numbered(component[copy]), first[copy], grouped=True)


def row_hashes(
    X: NDArray[Any], low: NDArray[Any], high: NDArray[Any]
) -> NDArray[np.int64]:
    """Return two hashes of each row (n, 2), equal for rows that are nearly so.

    ``low`` and ``high`` are the range of each feature. Rows are compared by 128 bits:
    whole tables of rounded values would take as much memory again as the data.
    """
    with np.errstate(over="ignore"):
        step = (high - low) * NEARLY
    step[~np.isfinite(step) | (step == 0.0)] = 1.0
    rng = np.random.default_rng(0)
    odd = rng.integers(2**62, size=(X.shape[1], 2), dtype=np.int64) * 2 + 1
    hashes = np.empty((len(X), 2), dtype=np.int64)
    for rows in row_blocks(len(X), 16 * X.shape[1]):
        steps = np.rint((X[rows] - low) / step).astype(np.int64)
        with np.errstate(over="ignore"):  # modulo 2**64
            hashes[rows] = steps @ odd
    return hashes


def _group_codes(groups: Any, n: int, owner: str) -> NDArray[np.intp]:
    """Return the group of each row; rows without one stand alone."""
    values = np.asarray(groups)
    if values.shape != (n,):
        raise InputError(
            f"groups must hold one value per object ({n}), got an array of shape "
            f"{values.shape}.",
            owner=owner,
            parameter="groups",
        )
    known: dict[Any, int] = {}
    codes = np.empty(n, dtype=np.intp)
    for i, value in enumerate(values.tolist()):
        is_missing = value is None or value != value
        codes[i] = known.setdefault(("missing", i) if is_missing else value, len(known))
    return codes


def _numbered(codes: NDArray[Any]) -> NDArray[np.intp]:
    """Return codes renumbered in the order in which they first appear."""
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]
