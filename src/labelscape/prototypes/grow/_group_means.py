"""Weighted means of groups of objects, and how far objects are from them.

Push and Grow asks nothing else of its data. So it runs on vectors, and as well on
objects of which only the dissimilarities are known (specification B8).
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from labelscape._core.points.distances import exact_squared_distances
from labelscape._core.threads import map_blocks, row_blocks


def averaging(group, weights, count):
    """Return the sparse matrix (count, n) that takes objects to their groups' means."""
    totals = np.bincount(group, weights, minlength=count)
    n = len(group)
    return csr_array((weights / totals[group], (group, np.arange(n))), shape=(count, n))


class GroupMeans:
    """Means of objects, and distances to them; what both kinds have in common."""

    def map(self, function, prototypes):
        """Return ``function(rows, squared distances)`` for block after block."""

        def block(rows):
            return function(rows, self.squared_distances(prototypes, rows))

        # `function` may hold some half a dozen arrays like D.
        row_bytes = 8 * (self.width + 8 * len(prototypes))
        return map_blocks(block, row_blocks(len(self), row_bytes, 2**21))

    def own_squared_distances(self, prototypes, group):
        """Return the squared distance of each object to the mean of its group."""

        def block(rows, D):
            return np.take_along_axis(D, group[rows, None], axis=1)[:, 0]

        return np.concatenate(self.map(block, prototypes))

    def nearest_own(self, prototypes, owner, classes):
        """Return the nearest prototype of its own class for each object."""

        def block(rows, D):
            foreign = owner != classes[rows, None]
            return np.where(foreign, np.inf, D).argmin(axis=1)

        return np.concatenate(self.map(block, prototypes))

    def between(self, prototypes, which):
        """Return the distances from prototypes ``which`` to all prototypes."""
        return np.sqrt(self.squared_between(prototypes, which))


class Vectors(GroupMeans):
    """Objects that are the rows of a matrix. A mean is a row, too."""

    def __init__(self, X):
        self.X = X
        self.width = X.shape[1]

    def __len__(self):
        return len(self.X)

    def subset(self, members):
        """Return the space of some of the objects."""
        return Vectors(self.X[members])

    def means(self, group, weights, count):
        """Return the weighted means of the groups (Def. 3.1)."""
        return averaging(group, weights, count) @ self.X

    def squared_distances(self, prototypes, rows):
        """Return squared distances of some objects to the prototypes."""
        return exact_squared_distances(self.X[rows], prototypes)

    def squared_between(self, prototypes, which):
        """Return squared distances of some prototypes to all prototypes."""
        return exact_squared_distances(prototypes[which], prototypes)

    def squared_between_objects(self, some, others):
        """Return squared distances of two sets of objects, given as slices."""
        return exact_squared_distances(self.X[some], self.X[others])

    def objects(self, which):
        """Return some objects in the role of prototypes."""
        return self.X[which]


class Combinations(NamedTuple):
    """Means of objects that are known by their dissimilarities.

    coefficients : (l, n) sparse, share of each object in each mean; rows add up to 1.
    sums : (l, n) of squared dissimilarities, ``sum_o a_o D_ox^2``.
    products : (l, l) ``a^T D^2 b`` for each two means; half the diagonal is the
        variance of a group.
    """

    coefficients: csr_array
    sums: np.ndarray
    products: np.ndarray

    def __len__(self):
        return len(self.sums)

    @property
    def variances(self):
        """Mean squared distance of a mean's objects to it."""
        return np.diagonal(self.products) / 2.0


class SquaredDissimilarities(GroupMeans):
    """Objects of which a matrix of dissimilarities is known.

    They are given by their squares (n, n). For the mean P = sum_o a_o o

        d(P, x)^2 = sum_o a_o D_ox^2 - 1/2 a^T D^2 a
    """

    def __init__(self, squares):
        self.squares = squares
        self.width = len(squares)

    def __len__(self):
        return len(self.squares)

    def subset(self, members):
        """Return the space of some of the objects."""
        return SquaredDissimilarities(self.squares[np.ix_(members, members)])

    def means(self, group, weights, count):
        """Return the weighted means of the groups."""
        A = averaging(group, weights, count)
        sums = A @ self.squares
        return Combinations(A, sums, (A @ sums.T).T)

    def squared_distances(self, prototypes, rows):
        """Return squared distances of some objects to the means."""
        return _not_negative(prototypes.sums[:, rows].T - prototypes.variances)

    def squared_between(self, prototypes, which):
        """Return squared distances of some means to all means."""
        variances = prototypes.variances
        return _not_negative(
            prototypes.products[which] - variances[which, None] - variances
        )

    def squared_between_objects(self, some, others):
        """Return squared dissimilarities of two sets of objects, given as slices."""
        return self.squares[some, others]

    def objects(self, which):
        """Return some objects in the role of means."""
        n, count = len(self), len(which)
        A = csr_array((np.ones(count), (np.arange(count), which)), shape=(count, n))
        sums = self.squares[which]
        return Combinations(A, sums, sums[:, which])


def distances_to_combinations(D, coefficients, variances):
    """Return distances of new objects, D (m, n) away from the n old ones, to means."""
    return np.sqrt(_not_negative(D**2 @ coefficients.T - variances))


def _not_negative(squares):
    # Dissimilarities that no points in any space have may give a negative square.
    return np.maximum(squares, 0.0)
