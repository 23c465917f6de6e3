"""Units: sets of rows that are not independent, such as copies or groups."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from sklearn.utils.validation import check_array

from labelscape._core.checks import check_finite, numbers_in
from labelscape._core.errors import InputError, shown
from labelscape._core.labels import is_label, not_one_each
from labelscape._core.points.spaces import Points
from labelscape._core.threads import map_blocks, row_blocks
from labelscape._core.types import Array, Floats, Ints

# Values that differ by less than NEARLY times the range are equal; see `_ranges`.
NEARLY, FAR, MOST = 1e-9, 1e6, (0.05, 0.95)
# Equal rows are copies, unless chance explains at least this share and at least this
# number of the equal pairs.
BY_CHANCE, FEWEST_BY_CHANCE = 0.1, 1.0
# A table is repeated m > 1 times if it has at least this many distinct rows, and each
# of these rows occurs a multiple of m times.
REPEATED = 8
# Largest size of families to detect, and the smallest number of families.
LARGEST, FEWEST = 20, 10
# A table has families (sets of nearly equal rows) if the widest step between neighbor
# distances is, as a median over rows, at least this multiple of a usual step, and at
# least this ratio of distances.
WIDER, RATIO = 3.0, 1.3
# If a larger share of steps is exactly zero, rows lie on a grid, without families.
TIES = 0.05
# Number of rows whose neighbors are computed; fewer in a large table.
MOST_SEARCHED, FEWEST_SEARCHED, PRODUCTS = 200, 50, 2e9
CACHE_BYTES = 2**21  # blocks of distances that fit in a core's cache
# Groups with several classes: at least this many groups, with this share of the rows.
FEWEST_CROSSED, MOSTLY = 3, 0.5


@dataclass(frozen=True)
class RowUnits:
    """The independent units of a table: which rows belong together."""

    of_row: Ints  # (n,) the unit of each row
    # (n,) The first copy of each row, or the row itself. Rows that are equal by
    # coincidence, as in tables with few categories, are not copies.
    first_copy: Ints
    grouped: bool  # whether the caller passed groups
    # Number of rows that equal an earlier row by coincidence.
    n_coincidences: int = 0
    # Typical number of rows in families of nearly equal rows; 0 without families.
    family_size: int = 0

    @property
    def n_units(self) -> int:
        """The number of units."""
        return int(self.of_row.max(initial=-1)) + 1

    @property
    def copies(self) -> Ints:
        """The rows that are copies of an earlier row."""
        return np.flatnonzero(self.first_copy != np.arange(len(self.first_copy)))

    def inside(self, codes: Ints) -> Ints | None:
        """Return units without groups if most rows are in groups of several classes."""
        pairs = np.unique(np.c_[self.of_row, codes], axis=0)
        is_mixed = np.bincount(pairs[:, 0], minlength=self.n_units) > 1
        are_crossed = is_mixed.sum() >= FEWEST_CROSSED
        are_crossed &= is_mixed[self.of_row].mean() >= MOSTLY
        return self.first_copy if self.grouped and are_crossed else None

    @property
    def words(self) -> str:
        """Sentences that state which rows are kept together; may be empty."""
        n, words = len(self.of_row), []
        if len(self.copies):
            words.append(
                f"{n - len(self.copies):,} different rows among {n:,}; equal rows stay "
                "together."
            )
        if self.grouped and self.n_units < n:
            words.append(
                f"{self.n_units:,} groups among {n:,} rows; rows of one group stay "
                "together."
            )
        if self.family_size:
            size = self.family_size
            words.append(f"Sets of about {size} nearly equal rows stay together.")
        if self.n_coincidences:
            words.append(
                f"{self.n_coincidences:,} of {n:,} rows are equal to another row by "
                "coincidence (columns with few values); they count as separate rows."
            )
        return " ".join(words)


def checked_rows(X: Any, *, owner: str, **options: Any) -> Array:
    """Return a table as an array of finite floats; options are for ``check_array``."""
    with numbers_in(X, owner=owner):
        X = check_array(
            X, dtype=[np.float64, np.float32], ensure_all_finite=False, **options
        )
    check_finite(X, owner=owner)
    return np.asarray(X)


def named_features(X: Any, given: Any, n_features: int) -> list[str]:
    """Return the feature names: as given, as in a data frame, or "x0", "x1", ..."""
    names = getattr(X, "columns", None) if given is None else given
    names = [f"x{j}" for j in range(n_features)] if names is None else names
    return [str(name) for name in names]


def units_of(
    X: Array,
    groups: Any = None,
    *,
    codes: Array | None = None,
    owner: str = "honesty",
    hashes: NDArray[np.int64] | None = None,
) -> RowUnits:
    """Return the units of rows: copies, and rows of the same group, stay together."""
    # Without groups, families (near copies, measurements of a subject) stay together.
    # ``codes`` are classes, if known: rows of a class are more often equal by
    # coincidence, and a class is not a family. With ``hashes``, X is not used, and all
    # equal rows are copies.
    is_known = hashes is not None
    if hashes is None:
        hashes = row_hashes(X, *_ranges(X))
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
            family = np.unique(np.c_[joined, copy], axis=0)[:, 0]
            sizes = np.bincount(family)[family]
            unit = joined
            family_size = int(np.median(sizes[sizes > 1])) if sizes.max() > 1 else 0
    _, first_copy, of_copy = np.unique(copy, return_index=True, return_inverse=True)
    n_coincidences = len(first_copy) - len(first)
    return RowUnits(
        _numbered(unit), first_copy[of_copy], is_grouped, n_coincidences, family_size
    )


def _agree_by_chance(X: Array, same: Ints, codes: Array | None) -> bool:
    """Return whether rows may be equal by chance, if columns are independent."""
    # Let q_j be the share of pairs that agree in column j. The expected share of equal
    # pairs is then prod_j q_j. It is computed for the table, and within classes.
    observed = _pairs(np.bincount(same))
    columns: dict[Any, Ints] = {}
    for j, x in enumerate(X.T):
        column = _numbered(x)
        # A column with two values and its opposite are used as one column.
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


def _repetitions(same: Array, codes: Array | None) -> Ints:
    """Return the copies as units if the whole table is repeated; else each row."""
    cell = same if codes is None else same * (int(codes.max()) + 1) + codes
    _, cell, counts = np.unique(cell, return_inverse=True, return_counts=True)
    times = int(np.gcd.reduce(counts))
    if times == 1 or len(counts) < REPEATED:
        return np.arange(len(same))
    order = np.argsort(cell, kind="stable")
    copy = np.empty(len(same), dtype=np.intp)
    copy[order] = np.arange(len(same)) // times
    return copy


def _joined(a: Ints, b: Ints) -> Ints:
    """Return the union of two partitions: parts that overlap are joined."""
    n_a, n_b = int(a.max()) + 1, int(b.max()) + 1
    edges = coo_array(
        (np.ones(len(a), dtype=np.int8), (a, n_a + b)), shape=(n_a + n_b, n_a + n_b)
    )
    _, component = connected_components(edges, directed=False)
    return np.asarray(component[a])


def _are_classes(joined: Ints, units: Ints, codes: Array | None) -> bool:
    """Return whether joined units would leave most classes with a single unit."""
    if codes is None:
        return False
    before, after = (
        np.unique(np.unique(np.c_[codes, one], axis=0)[:, 0], return_counts=True)[1]
        for one in (units, joined)
    )
    several = before > 1
    return bool(several.any() and np.mean(after[several] < 2) > 0.5)


def _pairs(counts: Array) -> float:
    return float(np.sum(counts * (counts - 1.0)) / 2.0)


def _ranges(X: Array) -> tuple[Array, Array]:
    """Return the range of each feature, without far outliers."""
    low, high = X.min(axis=0), X.max(axis=0)
    a, b = np.quantile(X[:: -(-len(X) // 1000)], MOST, axis=0)
    is_far = (b > a) & (high / FAR - low / FAR > b - a)
    return np.where(is_far, a, low), np.where(is_far, b, high)


def row_hashes(X: Array, low: Array, high: Array) -> NDArray[np.int64]:
    """Return hashes (n, 2) that are equal for nearly equal rows."""
    with np.errstate(over="ignore"):
        step = (high - low) * NEARLY
    step[~np.isfinite(step) | (step == 0.0)] = 1.0
    rng = np.random.default_rng(0)
    odd = rng.integers(2**62, size=(X.shape[1], 2), dtype=np.int64) * 2 + 1
    hashes = np.empty((len(X), 2), dtype=np.int64)

    def fill(rows: slice) -> None:
        steps = np.clip(np.rint((X[rows] - low) / step), -(2.0**62), 2.0**62)
        with np.errstate(over="ignore"):  # modulo 2**64
            hashes[rows] = steps.astype(np.int64) @ odd

    map_blocks(fill, row_blocks(len(X), 16 * X.shape[1]))
    return hashes


def _group_codes(groups: Any, n: int, owner: str) -> Ints:
    """Return the group of each row; a row without a group is its own group."""
    values = np.asarray(groups)
    if values.shape != (n,):
        raise not_one_each("groups", n, values.shape, owner=owner, what="value")
    known: dict[Any, int] = {}
    codes = np.empty(n, dtype=np.intp)
    for i, value in enumerate(values.tolist()):
        if not isinstance(value, Hashable):
            raise InputError(
                f"groups must contain numbers or words, got {shown(value)} for sample "
                f"{i}.",
                owner=owner,
                parameter="groups",
            )
        codes[i] = known.setdefault(
            value if is_label(value) else ("missing", i), len(known)
        )
    return codes


def _numbered(codes: Array) -> Ints:
    """Return codes renumbered in the order of their first occurrence."""
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]


def numbered(units: Ints) -> Ints:
    """Return units numbered from 0 without gaps, for a part of the rows."""
    return np.unique(units, return_inverse=True)[1]


def unit_classes(codes: Array, units: Ints) -> Ints:
    """Return the most frequent class of each unit."""
    counts = np.zeros((units.max() + 1, codes.max() + 1), dtype=np.intp)
    np.add.at(counts, (units, codes), 1)
    return np.asarray(counts.argmax(axis=1))


def units_per_class(codes: Ints, units: Ints, n_classes: int) -> Ints:
    """Return how many units have samples of each class."""
    pairs = np.unique(units * n_classes + codes)
    return np.bincount(pairs % n_classes, minlength=n_classes)


def families_of(X: Array) -> Ints:
    """Return the family (set of nearly equal rows) of each distinct row."""
    # Without families, k log(d_{k+1} / d_k) of a row's distances d_1 < d_2 < ... has
    # the same distribution for all k, density and dimension. With near copies and
    # repeated measurements, the step to the first row outside the family is much wider.
    n, largest = len(X), min(LARGEST, len(X) // FEWEST)
    alone = np.arange(n)
    if largest < 2:
        return alone
    with np.errstate(over="ignore", invalid="ignore"):
        spread = X.std(axis=0)
    used = np.isfinite(spread) & (spread > 0)
    if not used.any():
        return alone
    X, spread = (X, spread) if used.all() else (X[:, used], spread[used])
    steps = _steps(_sampled_distances(X, spread))
    usual = np.median(np.median(steps, axis=0) * np.arange(1, steps.shape[1] + 1))
    wide = float(np.median(steps[:, :largest].max(axis=1)))
    is_grid = np.mean(steps < 1e-9) > TIES
    if is_grid or wide < max(WIDER * usual, np.log(RATIO)):
        return alone
    neighbors, distances = Points(X / spread).kneighbors(largest + 1)
    steps = _steps(distances)
    size = steps.argmax(axis=1) + 1
    size[steps.max(axis=1) < wide / 2] = 0  # a row may have no family
    inside = np.arange(largest + 1) < size[:, None]
    rows, columns = np.nonzero(inside)
    edges = coo_array(
        (np.ones(len(rows), dtype=np.int8), (rows, neighbors[rows, columns])), (n, n)
    ).tocsr()
    # A row without its own family joins a family that includes the row.
    listed = edges.multiply(edges.T) + edges.multiply((size == 0)[None, :])
    return np.asarray(connected_components(listed, directed=False)[1])


def _sampled_distances(X: Array, spread: Floats) -> Floats:
    """Return the sorted distances of some rows to their nearest neighbors."""
    n, d = X.shape
    some = int(np.clip(PRODUCTS / (n * d), FEWEST_SEARCHED, MOST_SEARCHED))
    rows = np.sort(np.random.default_rng(0).permutation(n)[:some])
    center, n_neighbors = X.mean(axis=0), min(LARGEST + 1, n - 1)
    queries = (X[rows] - center) / spread
    norms, squares = (queries**2).sum(axis=1)[:, None], np.empty((len(rows), n))

    def fill(block: slice) -> None:
        others = (X[block] - center) / spread
        squares[:, block] = norms + ((others**2).sum(axis=1) - 2.0 * queries @ others.T)

    def nearest(some: slice) -> Floats:
        near = np.partition(squares[some], n_neighbors - 1, axis=1)[:, :n_neighbors]
        return np.asarray(np.sqrt(np.maximum(np.sort(near, axis=1), 0.0)))

    map_blocks(fill, row_blocks(n, 8 * (d + len(rows)), CACHE_BYTES))
    squares[np.arange(len(rows)), rows] = np.inf
    blocks = row_blocks(len(rows), 8 * n, CACHE_BYTES)
    return np.concatenate(map_blocks(nearest, blocks))


def _steps(distances: Floats) -> Floats:
    """Return log(d_{k+1} / d_k), k = 1, 2, ..., for each row."""
    distances = np.maximum(distances, np.finfo(float).tiny ** 0.5)
    return np.diff(np.log(distances), axis=1)
