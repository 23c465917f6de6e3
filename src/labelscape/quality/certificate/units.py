"""Units: rows that are not independent never stand on both sides of a split."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from labelscape._core.errors import InputError
from labelscape._core.threads import row_blocks
from labelscape.quality.certificate.families import families_of

# Values that differ by less than this share of the feature's range are equal.
NEARLY = 1e-9
# Equal rows are copies unless chance gives this share of the equal pairs.
BY_CHANCE = 0.1
# So few pairs are copies, whatever their share: then it makes no difference.
FEWEST_BY_CHANCE = 1.0
# A table in which so many different rows all occur a multiple of m times was repeated.
REPEATED = 8


@dataclass(frozen=True)
class Units:
    """Which rows belong together."""

    # (n,) The unit of each row.
    of_row: NDArray[np.intp]
    # (n,) The first row that is equal to each row: itself, if there is none before it.
    # Rows that agree by coincidence, as in a table of few categories, are no copies.
    first_copy: NDArray[np.intp]
    # Whether the caller said which rows belong together.
    grouped: bool
    # How many rows are equal to a row before them by coincidence.
    n_coincidences: int = 0
    # The usual size of families of rows that are nearly equal; 0 if there are none.
    family_size: int = 0

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
        parts, kept = [], "copies stay"
        if len(self.copies):
            different = n - len(self.copies)
            parts.append(f"{different:,} different rows among {n:,}")
        if self.grouped and self.n_units < n:
            parts.append(f"{self.n_units:,} units among {n:,} rows")
            kept = "what belongs together stays"
        words = [f"{', '.join(parts)}; {kept} together."] if parts else []
        if self.family_size:
            size = self.family_size
            words.append(
                f"Rows come in families of about {size}; they are kept together."
            )
        if self.n_coincidences:
            words.append(
                f"{self.n_coincidences:,} of {n:,} rows are equal to another row, as "
                "chance gives in columns of few values; they count as separate rows."
            )
        return " ".join(words)

    def take(self, rows: NDArray[np.intp]) -> "Units":
        """Return the units of some rows, numbered anew."""
        _, of_row = np.unique(self.of_row[rows], return_inverse=True)
        _, first, copy = np.unique(
            self.first_copy[rows], return_index=True, return_inverse=True
        )
        return replace(self, of_row=of_row, first_copy=first[copy])


def units_of(
    X: NDArray[Any],
    groups: Any = None,
    *,
    codes: NDArray[Any] | None = None,
    owner: str = "honesty",
    hashes: NDArray[np.int64] | None = None,
) -> Units:
    """Return the units of rows: copies, and rows of the same group, stay together.

    Without groups, so do rows that come in families: near copies, and measurements of
    the same subject. ``codes`` are the classes of rows, where they are known: rows of a
    class agree by coincidence more often than others, and a class is no family.
    ``hashes`` are those of `row_hashes`, where they are known already; X is not looked
    at then, and all equal rows are copies.
    """
    is_known = hashes is not None
    if hashes is None:
        hashes = row_hashes(X, X.min(axis=0), X.max(axis=0))
    _, first, same = np.unique(hashes, axis=0, return_index=True, return_inverse=True)
    copy, family_size = same, 0
    some_equal = 1 < len(first) < len(same)
    if some_equal and not is_known and _agree_by_chance(X, same, codes):
        copy = _repetitions(same, codes)
    unit, is_grouped = copy, groups is not None
    if is_grouped:
        unit = _joined(copy, _group_codes(groups, len(copy), owner))
    elif not is_known and copy is same:
        joined = _joined(copy, families_of(X[first])[same])
        if not _are_classes(joined, copy, codes):
            unit, family_size = joined, _usual_size(joined, copy)
    _, first_copy, of_copy = np.unique(copy, return_index=True, return_inverse=True)
    n_coincidences = len(first_copy) - len(first)
    return Units(
        _numbered(unit), first_copy[of_copy], is_grouped, n_coincidences, family_size
    )


def _agree_by_chance(
    X: NDArray[Any], same: NDArray[np.intp], codes: NDArray[Any] | None
) -> bool:
    """Return whether columns that do not depend on each other make rows as equal.

    With q_j the share of pairs of rows that agree in column j, prod_j q_j of all pairs
    are then equal: in the whole table, or within the classes.
    """
    observed = _pairs(np.bincount(same))
    columns: dict[Any, NDArray[np.intp]] = {}
    for j, x in enumerate(X.T):
        column = _numbered(x)
        # A column of yes and no, and its opposite, are one.
        columns[column.tobytes() if column.max() < 2 else j] = column
    parts = [np.arange(len(same))]
    if codes is not None:
        parts += [np.flatnonzero(codes == c) for c in np.unique(codes)]
    expected = []
    for rows in parts:
        n_pairs = max(_pairs(np.array([len(rows)])), 1.0)
        agree = [_pairs(np.bincount(c[rows])) / n_pairs for c in columns.values()]
        expected.append(n_pairs * np.prod(agree))
    by_chance = max(expected[0], sum(expected[1:]))
    return bool(by_chance >= max(BY_CHANCE * observed, FEWEST_BY_CHANCE))


def _repetitions(same: NDArray[Any], codes: NDArray[Any] | None) -> NDArray[np.intp]:
    """Return which rows are one where a whole table was repeated; else none are."""
    cell = same if codes is None else same * (int(codes.max()) + 1) + codes
    _, cell, counts = np.unique(cell, return_inverse=True, return_counts=True)
    times = int(np.gcd.reduce(counts))
    if times == 1 or len(counts) < REPEATED:
        return np.arange(len(same))
    order = np.argsort(cell, kind="stable")
    copy = np.empty(len(same), dtype=np.intp)
    copy[order] = np.arange(len(same)) // times
    return copy


def _joined(a: NDArray[np.intp], b: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the parts of rows that two partitions connect."""
    n_a, n_b = int(a.max()) + 1, int(b.max()) + 1
    edges = coo_array(
        (np.ones(len(a), dtype=np.int8), (a, n_a + b)), shape=(n_a + n_b, n_a + n_b)
    )
    _, component = connected_components(edges, directed=False)
    return np.asarray(component[a])


def _are_classes(
    joined: NDArray[np.intp], units: NDArray[np.intp], codes: NDArray[Any] | None
) -> bool:
    """Return whether most classes would be left with a single unit."""
    if codes is None:
        return False
    before, after = (
        np.unique(np.unique(np.c_[codes, one], axis=0)[:, 0], return_counts=True)[1]
        for one in (units, joined)
    )
    several = before > 1
    return bool(several.any() and np.mean(after[several] < 2) > 0.5)


def _usual_size(joined: NDArray[np.intp], units: NDArray[np.intp]) -> int:
    """Return how many units the family of a row has, as a rule; 0 without families."""
    family = np.unique(np.c_[joined, units], axis=0)[:, 0]
    sizes = np.bincount(family)[family]
    return int(np.median(sizes[sizes > 1])) if sizes.max() > 1 else 0


def _pairs(counts: NDArray[Any]) -> float:
    return float(np.sum(counts * (counts - 1.0)) / 2.0)


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
