"""What a map must keep: distances of data points, or a given matrix.

Both kinds answer the same questions, so that a method asks for as much as it needs:
all distances, a block of rows, or listed pairs. Data points never need n × n numbers.
"""

from functools import cached_property, partial

import numpy as np

from labelscape._core.threads import map_blocks, row_blocks
from labelscape.embeddings._initialization import classical_mds, pca_scores
from labelscape.geometry._internal import distances_among

# Points whose features stay in a core's cache while many rows are worked out.
TILE_BYTES = 2**18


class _FromRows:
    """Questions that are answered from rows alone."""

    def matrix(self):
        """Return all dissimilarities (n, n)."""
        return np.concatenate(map_blocks(self.rows, row_blocks(self.n, 8 * self.n)))

    def condensed(self):
        """Return the pairs i < j, row after row, as SciPy's ``pdist`` does."""
        n = self.n
        upper = np.empty(n * (n - 1) // 2)

        def fill(rows):
            D = self.rows(rows)
            for i in range(rows.start, rows.stop):
                first = i * n - i * (i + 1) // 2
                upper[first : first + n - 1 - i] = D[i - rows.start, i + 1 :]

        map_blocks(fill, row_blocks(n, 8 * n))
        return upper


class EuclideanDistances(_FromRows):
    """Distances between the rows of data (n, d), worked out when asked for."""

    def __init__(self, X):
        self.X = np.ascontiguousarray(X, dtype=np.float64)
        self.n = len(X)

    def rows(self, rows):
        """Return the distances (b, n) from some points, by slice or index, to all."""
        from labelscape._core._distance_kernels import squared_differences

        A = self.X[rows]
        D = np.empty((len(A), self.n))
        for points, features in self._tiles:
            squares = np.empty((len(A), features.shape[1]))
            squared_differences(A, features, squares)
            np.sqrt(squares, out=D[:, points])
        return D

    @cached_property
    def _tiles(self):
        """Slices of the points, each with its features transposed (d, m)."""
        step = max(1, TILE_BYTES // (8 * self.X.shape[1]))
        slices = [slice(i, i + step) for i in range(0, self.n, step)]
        return [(points, np.ascontiguousarray(self.X[points].T)) for points in slices]

    def listed(self, i, j):
        """Return the distances of the pairs (i[k], j[k])."""

        def block(pairs):
            gaps = self.X[i[pairs]] - self.X[j[pairs]]
            return np.sqrt(np.einsum("kd,kd->k", gaps, gaps))

        return np.concatenate(map_blocks(block, row_blocks(len(i), 24 * len(self.X.T))))

    def distinct(self):
        """Return the first index of each different point, and each point's number."""
        return _first_of_each(self.X)

    def subset(self, index):
        """Return the same for some of the points."""
        return EuclideanDistances(self.X[index])

    def straight_map(self, n_components):
        """Return the best linear map (n, n_components): PCA scores."""
        return pca_scores(self.X, n_components)


class GivenDissimilarities(_FromRows):
    """A symmetric matrix (n, n) of dissimilarities with zero diagonal."""

    def __init__(self, D):
        self.D = D
        self.n = len(D)

    def rows(self, rows):
        """Return the dissimilarities (b, n) from a slice of the objects to all."""
        return self.D[rows]

    def listed(self, i, j):
        """Return the dissimilarities of the pairs (i[k], j[k])."""
        return self.D[i, j]

    def distinct(self):
        """Return the first index of each different object, and each object's number.

        Two objects are the same if nothing tells them apart: equal dissimilarities to
        all, 0 between them.
        """
        return _first_of_each(self.D)

    def subset(self, index):
        """Return the same for some of the objects."""
        return GivenDissimilarities(self.D[np.ix_(index, index)])

    def straight_map(self, n_components):
        """Return the best map (n, n_components) in the sense of classical MDS."""
        squares = partial(_squared_rows, self.D)
        return classical_mds(squares, self.n, n_components)


def _squared_rows(D, rows):
    return D[rows] ** 2


def _first_of_each(rows):
    """Return where each different row stands first, and the number of each row."""
    seen = {}
    # Adding 0 turns -0.0 into 0.0: equal numbers, but other bytes.
    number = [seen.setdefault((row + 0.0).tobytes(), len(seen)) for row in rows]
    first = np.full(len(seen), len(rows))
    np.minimum.at(first, number, np.arange(len(rows)))
    return first, np.array(number)


# Fisher distances of many objects: asked for when needed, never n × n.


class FisherDistances:
    """Distances among the objects that a metric was fitted to."""

    def __init__(self, metric):
        self.metric = metric

    def subset(self, index):
        """Return the distances of some of the objects, as a matrix."""
        return GivenDissimilarities(distances_among(self.metric, index))
