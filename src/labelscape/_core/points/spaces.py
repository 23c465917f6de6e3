"""Spaces: data with distances, for quality measures, maps and prototypes.

`Dissimilarities` are given as a matrix. `Points` have coordinates, dense or sparse, and
compute distances only on request, so that the n × n matrix is not stored.
`space_of` creates either of these spaces from user data.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from labelscape._core.checks import (
    check_dissimilarities,
    check_finite,
    check_sparse,
    check_spread,
    numbers_in,
    unmasked,
)
from labelscape._core.errors import InputError, shown
from labelscape._core.points.distances import Neighbors, Tiles, in_blocks, squared_norms
from labelscape._core.threads import map_blocks, row_blocks
from labelscape._core.types import AnyCall, Array, Floats

Which = slice | Array  # indices of points, as a slice or an array

# Squared distances below this share of the norms have lost digits in the difference.
CLOSE = 1e-7
FEW_FEATURES = 12  # up to this many, exact differences are as fast as a product
# Size of blocks in a search: bytes that fit in the processor's cache, but at least as
# many rows as an efficient matrix product needs, up to a limit of memory.
SEARCH_BYTES, SEARCH_ROWS, MOST_SEARCH_BYTES = 4 * 2**20, 64, 2**28


class Dissimilarities:
    """Samples given by their matrix of dissimilarities, D (n, n), often symmetric."""

    n: int

    def __init__(self, D: Array) -> None:
        self.D = D
        self.n = len(D)

    @property
    def numbers(self) -> Array:
        """Data that define this space, to compare it with other spaces."""
        return self.D

    def rows(self, which: Which) -> Array:
        """Return dissimilarities (b, n) from some samples to all (read-only)."""
        return np.asarray(self.D[which])

    def squared_rows(self, which: Which) -> Array:
        """Return squared dissimilarities (b, n) from some samples to all."""
        return np.asarray(self.D[which] ** 2)

    def pairs(self, i: Array, j: Array) -> Array:
        """Return the dissimilarities of the pairs (i[k], j[k])."""
        return np.asarray(self.D[i, j])

    def distinct(self) -> tuple[Array, Array]:
        """Return first and inverse indices of distinct samples, as in ``np.unique``."""
        return first_of_each(self.D)

    def subset(self, index: Array) -> "Dissimilarities":
        """Return the space of some of the samples."""
        return Dissimilarities(self.D[np.ix_(index, index)])

    def mean_of_directions(self) -> "Dissimilarities":
        """Return the space with the mean of D[i, j] and D[j, i] for each pair."""
        if np.array_equal(self.D, self.D.T):
            return self
        return Dissimilarities((self.D + self.D.T) / 2.0)

    def squared_to_centroids(self, members: Sequence[Array]) -> Array:
        """Return squared distances (n, g) of samples to centroids, computed from D."""
        # |x - mean|^2 = mean_j D_xj^2 - 1/2 mean_jk D_jk^2.
        columns = []
        for rows in members:
            squares = self.D[:, rows] ** 2
            columns.append(squares.mean(axis=1) - squares[rows].mean() / 2.0)
        return np.stack(columns, axis=1)

    def screened_rows(self, which: Which) -> tuple[Array, Array]:
        """Return numbers (b, n) in the same order as distances, and error bounds."""
        D = self.rows(which)
        return D, np.zeros(len(D))

    @property
    def coordinates(self) -> Array:
        """Coordinates to compute nearly equal distances exactly; may be empty."""
        return np.empty((0, 0))

    def matrix(self) -> Array:
        """Return all distances (n, n)."""
        return np.concatenate(map_blocks(self.rows, row_blocks(self.n, 8 * self.n)))

    def condensed(self) -> Array:
        """Return the distances of pairs i < j, row by row, as in SciPy's ``pdist``."""
        n = self.n
        upper = np.empty(n * (n - 1) // 2)

        def fill(rows: slice) -> None:
            D = self.rows(rows)
            for i in range(rows.start, rows.stop):
                first = i * n - i * (i + 1) // 2
                upper[first : first + n - 1 - i] = D[i - rows.start, i + 1 :]

        map_blocks(fill, row_blocks(n, 8 * n))
        return upper

    def kneighbors(self, n_neighbors: int) -> Neighbors:
        """Return indices and distances (n, k) of each point's nearest neighbors."""
        from labelscape._core.points._kernels import nearest_of_screened_rows

        def block(rows: slice) -> Neighbors:
            own = np.arange(rows.start, rows.stop)
            V, slack = self.screened_rows(rows)
            indices = np.empty((len(own), n_neighbors), dtype=np.int64)
            distances = np.empty(indices.shape, dtype=V.dtype)
            nearest_of_screened_rows(
                V, slack, self.coordinates, own, indices, distances
            )
            return indices, distances

        return in_blocks(block, search_blocks(self.n, self.n))


def search_blocks(n: int, n_queries: int) -> list[slice]:
    """Return blocks of queries small enough for the processor's cache."""
    row_bytes = 2 * 8 * n
    wanted = max(SEARCH_BYTES, SEARCH_ROWS * row_bytes)
    return row_blocks(n_queries, row_bytes, min(wanted, MOST_SEARCH_BYTES))


class Points(Dissimilarities):
    """Points X (n, d), dense or sparse, with Euclidean distances on request."""

    def __init__(self, X: Any) -> None:
        self.is_sparse = hasattr(X, "tocsr")
        self.X: Any = X if self.is_sparse else np.ascontiguousarray(X, np.float64)
        self.n = X.shape[0]

    @cached_property
    def _tiles(self) -> Tiles:
        return Tiles(self.X)

    @property
    def numbers(self) -> Array:
        if self.is_sparse:
            return np.concatenate([self.X.indptr, self.X.indices, self.X.data])
        return np.asarray(self.X)

    def rows(self, which: Which) -> Array:
        D = self.squared_rows(which)
        return np.sqrt(D, out=D)

    def squared_rows(self, which: Which) -> Array:
        some = self.X[which]
        if not self.is_sparse:
            return self._tiles.squared_distances(some)
        sizes = _squares(some)[:, None] + self._norms
        D: Array = sizes - 2.0 * (some @ self.X.T).toarray()
        i, j = np.nonzero(CLOSE * sizes >= D)
        D[i, j] = _squares(some[i] - self.X[j])
        return D

    def pairs(self, i: Array, j: Array) -> Array:
        distances = np.empty(len(i))

        def block(pairs: slice) -> None:
            gaps = self.X[i[pairs]]
            gaps -= self.X[j[pairs]]
            distances[pairs] = np.sqrt(_squares(gaps))

        width = self.X.shape[1]
        if self.is_sparse:
            width = 2 * (self.X.nnz // max(self.n, 1) + 1)
        map_blocks(block, row_blocks(len(i), 24 * width))
        return distances

    def distinct(self) -> tuple[Array, Array]:
        return first_of_each(self.X)

    def subset(self, index: Array) -> "Points":
        return Points(self.X[index])

    def mean_of_directions(self) -> "Points":
        return self

    def squared_to_centroids(self, members: Sequence[Array]) -> Array:
        """Return squared distances of all points to the centroids of groups, (n, g)."""
        means = [np.asarray(self.X[rows].mean(axis=0)).ravel() for rows in members]

        def block(rows: slice) -> Array:
            X = self.X[rows].toarray() if self.is_sparse else self.X[rows]
            return np.stack([((X - c) ** 2).sum(axis=1) for c in means], axis=1)

        blocks = row_blocks(self.n, 16 * self.X.shape[1])
        return np.concatenate(map_blocks(block, blocks))

    @property
    def coordinates(self) -> Array:
        return np.empty((0, 0)) if self.is_sparse else self.X

    def screened_rows(self, which: Which) -> tuple[Array, Array]:
        """Return distances, or ``|b|^2 - 2 a.b`` if this is fast, and error bounds."""
        few = self.X.shape[1] <= FEW_FEATURES
        if self.is_sparse or few or self._blurred:
            return super().screened_rows(which)
        features = self._factor[:-1, which].T * -0.5  # exact
        V = np.column_stack([features, np.ones(len(features))]) @ self._factor
        return V, self._slack(self._norms[which] + self._norms.max())

    def _slack(self, norms: Array) -> Array:
        # There are d + 1 products and sums, each with a rounding error of at most half
        # a unit in the last place, and a root, which may make different squares equal.
        return np.asarray(2.0 * (self.X.shape[1] + 9) * np.finfo(float).eps * norms)

    @cached_property
    def _blurred(self) -> bool:
        """Whether an outlier makes the rounding error as large as typical distances."""
        return bool(self._slack(self._norms.max()) > 1e-3 * np.median(self._norms))

    @cached_property
    def _norms(self) -> Array:
        """Squared distances to the mean; for sparse points, to 0."""
        return _squares(self.X) if self.is_sparse else np.asarray(self._factor[-1])

    @cached_property
    def _factor(self) -> Array:
        """Matrix that turns ``(a, 1)`` into ``|b|^2 - 2 a.b``: ``(-2 b, |b|^2)``."""
        # Coordinates are relative to the median, which an outlier does not move.
        n, d = self.X.shape
        factor, middle = np.empty((d + 1, n)), np.empty(d)
        for columns in row_blocks(d, 8 * n):
            middle[columns] = np.median(self.X[:, columns], axis=0)
        for rows in row_blocks(n, 8 * d):
            centered = self.X[rows] - middle
            factor[-1, rows] = squared_norms(centered)
            factor[:-1, rows] = -2.0 * centered.T
        return factor


def _squares(X: Any) -> Array:
    """Return the squared length of each row."""
    if hasattr(X, "tocsr"):
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()
    return squared_norms(X)


def first_of_each(rows: Array) -> tuple[Array, Array]:
    """Return first and inverse indices of the distinct rows, as in ``np.unique``."""
    seen: dict[bytes, int] = {}
    # Adding 0 turns -0.0 into 0.0: the numbers are equal, but not their bytes.
    plain = np.ascontiguousarray(rows + 0.0)
    keys = plain.view(f"V{plain.itemsize * plain.shape[1]}").ravel().tolist()
    number = [seen.setdefault(key, len(seen)) for key in keys]
    first = np.full(len(seen), len(rows))
    np.minimum.at(first, number, np.arange(len(rows)))
    return first, np.array(number)


# Creation of a space from data and a metric.

_METRIC = """
    metric : {"euclidean", "precomputed"}, callable or object, default="euclidean"
        How distances are measured. "precomputed" means that X is a symmetric matrix of
        dissimilarities. A function takes two samples and returns a number, as in
        scikit-learn; it must be symmetric, and is called for each pair in both
        directions."""
METRIC_TEXTS = {
    "metric": f"""{_METRIC}
        An object, such as a fitted ``FisherMetric``, must have ``pairwise(X)``.""",
    "metric_of_map": f"""{_METRIC}
        An object, such as ``FisherMetric()``, must have ``fit`` and ``pairwise``; its
        fitted copy is ``metric_``.""",
}


def space_of(
    X: Any, metric: Any, *, owner: str, symmetric: bool = True
) -> Points | Dissimilarities:
    """Return the space of data X (n, d) and a metric, for all types of ``metric``."""
    # Unless symmetric, D[i, j] of a matrix or function leads from sample i to sample j.
    if isinstance(metric, str) and metric == "euclidean":
        return Points(check_matrix(X, owner=owner))
    if isinstance(metric, str) and metric == "precomputed":
        D = check_dissimilarities(X, owner=owner, symmetric=symmetric)
        return Dissimilarities(D)
    if hasattr(metric, "pairwise"):
        return Dissimilarities(check_dissimilarities(metric.pairwise(X), owner=owner))
    if callable(metric):
        return _space_by_function(X, metric, owner=owner, symmetric=symmetric)
    raise InputError(
        "metric must be 'euclidean', 'precomputed', a function of two samples that "
        f"returns a number, or an object with pairwise(X), got {shown(metric)}.",
        owner=owner,
        parameter="metric",
    )


def check_matrix(
    X: Any, *, owner: str, name: str = "X", dtype: Any = np.float64
) -> Array:
    """Return an argument as a float matrix, after a check."""
    X = unmasked(X)
    with numbers_in(X, owner=owner, name=name):
        checked: Array = check_array(
            X, dtype=dtype, ensure_all_finite=False, ensure_min_samples=1, order="C"
        )
    check_finite(checked, owner=owner, name=name)
    check_spread(checked, owner=owner, name=name)
    return checked


def _space_by_function(
    X: Any, metric: AnyCall, *, owner: str, symmetric: bool
) -> Dissimilarities:
    X = check_matrix(X, owner=owner, dtype=[np.float64, np.float32])
    D = measured(metric, X, X, owner=owner)
    D = check_dissimilarities(D, owner=owner, symmetric=symmetric)
    # The two directions may differ by rounding; methods receive an exactly symmetric
    # matrix.
    if symmetric:
        for i in range(len(D)):
            D[i + 1 :, i] = D[i, i + 1 :]
    return Dissimilarities(D)


def measured(
    metric: AnyCall, A: Array, B: Array, *, owner: str, called: str = "sample"
) -> Floats:
    """Return the distances (n, m) of rows of A and B, from a user's function."""
    dtype = np.result_type(A, B)
    A, B = A.astype(dtype, copy=False), B.astype(dtype, copy=False)
    D = np.empty((len(A), len(B)))
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            try:
                D[i, j] = metric(a, b)
            except (TypeError, ValueError) as error:
                raise InputError(
                    "metric must be a function of two samples that returns a number, "
                    f"but for {called} {i} and sample {j} it failed: "
                    f"{str(error).rstrip('.')}. If the function takes two matrices, "
                    "pass the matrix that it returns, with metric='precomputed'.",
                    owner=owner,
                    parameter="metric",
                ) from error
        if not np.isfinite(D[i]).all():
            j = int(np.isfinite(D[i]).argmin())
            raise InputError(
                f"metric must return a finite number, got {D[i, j]} for {called} {i} "
                f"and sample {j}.",
                owner=owner,
                parameter="metric",
            )
    return D


def sparse_points(X: Any, *, owner: str) -> Points:
    """Return the points of a sparse matrix, after a check."""
    check_sparse(X, owner=owner)
    checked = check_array(
        X, accept_sparse="csr", dtype=np.float64, ensure_all_finite=False
    )
    check_finite(checked, owner=owner)
    return Points(checked)
