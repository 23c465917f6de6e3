"""The two spaces that a measure compares: where distances come from.

A space is given as coordinates, as a matrix of dissimilarities, or as data and a
metric. Each kind answers the same questions, a block of rows or a list of pairs at a
time.
"""

from functools import cached_property

import numpy as np
from sklearn.utils.validation import check_array

from labelscape._core.checks import check_dissimilarities, check_finite
from labelscape._core.distances import squared_norms
from labelscape._core.errors import InputError, shown

# Columns of a tile: with 50 features it takes 100 KB and stays in the cache.
TILE = 256
# Up to here exact differences are as fast as a matrix product.
FEW_FEATURES = 12


class Coordinates:
    """Points with Euclidean distances."""

    def __init__(self, X):
        self.X = X
        self.n = len(X)

    @cached_property
    def _tiles(self):
        """Transposed points, cut into tiles of columns, and what is left over."""
        whole = self.n - self.n % TILE
        features = self.X.T
        tiles = features[:, :whole].reshape(len(features), -1, TILE)
        return (
            np.ascontiguousarray(tiles.transpose(1, 0, 2)),
            np.ascontiguousarray(features[:, whole:]),
        )

    def rows(self, points):
        """Return the distances from some points to all points."""
        from labelscape.quality._space_kernels import rows_of_squared_distances

        D = np.empty((len(points), self.n))
        rows_of_squared_distances(self.X[points], *self._tiles, D)
        return np.sqrt(D, out=D)

    @property
    def numbers(self):
        """All that distinguishes this space from another."""
        return self.X

    def screened_rows(self, points):
        """Return rows in the order of the distances, and how wrong an entry may be.

        With many features ``|b|^2 - 2 a.b`` by one matrix product is several times
        faster than exact differences, and wrong by no more than rounding allows.
        """
        if self.X.shape[1] <= FEW_FEATURES or self._blurred:
            return self.rows(points), np.zeros(len(points))
        left, right = self._factors
        V = left[points] @ right
        return V, self._slack(self._norms[points] + self._norms.max())

    def _slack(self, norms):
        # d + 1 products and sums, each wrong by half a unit in the last place at most,
        # and a root, which makes equals of squares that differ in their last bits.
        return 2.0 * (self.X.shape[1] + 9) * np.finfo(float).eps * norms

    @cached_property
    def _blurred(self):
        """Whether an outlier makes the error as large as what others differ by."""
        return self._slack(self._norms.max()) > 1e-3 * np.median(self._norms)

    @cached_property
    def _centred(self):
        # By the median, which an outlier does not draw away from the others.
        return self.X - np.median(self.X, axis=0)

    @cached_property
    def _norms(self):
        return squared_norms(self._centred)

    @cached_property
    def _factors(self):
        """Two matrices whose product is ``|b|^2 - 2 a.b``: the norms ride along."""
        left = np.column_stack([self._centred, np.ones(self.n)])
        right = np.column_stack([-2.0 * self._centred, self._norms])
        return left, np.ascontiguousarray(right.T)

    def pairs(self, i, j):
        """Return the distances of pairs of points."""
        from labelscape.quality._space_kernels import squared_distances_of_pairs

        d = np.empty(len(i))
        squared_distances_of_pairs(self.X, i, j, d)
        return np.sqrt(d)

    def squared_to_centroids(self, members):
        """Return squared distances of all points to the centroids of groups, (n, g)."""
        centroids = np.stack([self.X[rows].mean(axis=0) for rows in members])
        return np.stack([((self.X - c) ** 2).sum(axis=1) for c in centroids], axis=1)


class Dissimilarities:
    """Points known only by the matrix of their dissimilarities."""

    def __init__(self, D):
        self.D = D
        self.n = len(D)

    @property
    def numbers(self):
        """All that distinguishes this space from another."""
        return self.D

    def rows(self, points):
        """Return the dissimilarities from some points to all points."""
        return self.D[points]

    @property
    def X(self):
        """There are no coordinates; rows are exact, so nobody looks at them."""
        return np.empty((0, 0))

    def screened_rows(self, points):
        """Return the rows, which are exact."""
        return self.D[points], np.zeros(len(points))

    def pairs(self, i, j):
        """Return the dissimilarities of pairs of points."""
        return self.D[i, j]

    def squared_to_centroids(self, members):
        """Return squared distances to centroids that only exist implicitly.

        ``|x - mean|^2 = mean_j D_xj^2 - 1/2 mean_jk D_jk^2`` (spec section 3).
        """
        columns = []
        for rows in members:
            squares = self.D[:, rows] ** 2
            columns.append(squares.mean(axis=1) - squares[rows].mean() / 2.0)
        return np.stack(columns, axis=1)


def original_space(X, metric, *, owner):
    """Return the original space of a measure from what the user gave."""
    if isinstance(metric, str) and metric == "precomputed":
        return Dissimilarities(check_dissimilarities(X, owner=owner))
    if isinstance(metric, str) and metric == "euclidean":
        return Coordinates(_matrix(X, "X", owner))
    if hasattr(metric, "pairwise"):
        return Dissimilarities(check_dissimilarities(metric.pairwise(X), owner=owner))
    if callable(metric):
        return Dissimilarities(check_dissimilarities(metric(X, X), owner=owner))
    raise InputError(
        "metric must be 'euclidean', 'precomputed', a function of (X, Y) "
        f"that returns a matrix, or an object with pairwise(X), got {shown(metric)}.",
        owner=owner,
        parameter="metric",
    )


def map_space(embedding, n, *, owner):
    """Return the space of the map; it must show as many points as there are objects."""
    Y = _matrix(embedding, "embedding", owner)
    if len(Y) != n:
        raise InputError(
            f"X has {n} objects but the embedding has {len(Y)} points. "
            "Pass the map of these objects, in the same order.",
            owner=owner,
        )
    return Coordinates(Y)


def both_spaces(X, embedding, metric, *, owner):
    """Return original space and map."""
    original = original_space(X, metric, owner=owner)
    return original, map_space(embedding, original.n, owner=owner)


def _matrix(X, name, owner):
    X = check_array(
        X, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=1, order="C"
    )
    check_finite(X, owner=owner, name=name)
    return X
