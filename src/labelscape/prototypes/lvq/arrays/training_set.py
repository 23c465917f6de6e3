"""A training set on a device: what training asks of objects, as sums over there."""

import numpy as np

from labelscape._core.points.array_objects import ArrayObjects, contracted
from labelscape._core.points.arrays import to_numpy
from labelscape.prototypes.lvq._initial import KMEANS_OBJECTS, kmeans_centers, thirds
from labelscape.prototypes.lvq._objective import TrainingSet


class ArraySet:
    """Objects on a device, and their centre; see `TrainingSet` for the methods."""

    is_chunk, patterns = False, None
    weights = 1.0  # of all objects together

    def __init__(self, objects: ArrayObjects, center, classes, shares):
        self.X, self.center = objects, center
        self.classes, self.shares = classes, shares

    def added(self, function, *model):
        """Return the sum of a function over all objects, of which it gets a set."""
        return function(self, *model)

    def gathered(self):
        """Return a set of the same objects in NumPy's arrays."""
        classes, shares = to_numpy(self.classes), to_numpy(self.shares)
        return TrainingSet(to_numpy(self.X.array), self.center, classes, shares)

    def thinned(self, most):
        """Return a set of at most so many objects, evenly spread over this one."""
        rows = slice(None, None, -(-len(self.X) // most))
        some = self.X.chosen(rows), self.center, self.classes[rows], self.shares[rows]
        return ArraySet(*some)

    def weights_of(self, thinned, weights, most):
        """Return the weights that were given to objects of a thinned set.

        ``weights`` is the sum of all, of which a set has shares.
        """
        return to_numpy(thinned.shares) * weights

    def every(self, most):
        """Return the same, with weights that add up to 1."""
        some = self.thinned(most)
        some.shares = some.shares / self.X.xp.sum(some.shares)
        return some

    def largest(self):
        """Return the size of each feature."""
        return np.maximum(np.abs(self.X.low), np.abs(self.X.high))

    def class_sizes(self, n_classes):
        """Return how many objects each class has."""
        return class_sizes(self.X.xp, self.classes, n_classes)

    def first_prototypes(self, init, counts, rng):
        """Return prototypes of all classes as they start, "random" or "kmeans"."""
        means = self.scatters(len(counts))[0] if init == "kmeans" else None
        starts = []
        for c, count in enumerate(counts):
            if means is not None and count == 1:
                starts.append(means[c : c + 1])
                continue
            rows = self.X.xp.nonzero(self.classes == c)[0]
            start = self._kmeans_centers if init == "kmeans" else self._means_of_thirds
            starts.append(start(rows, count, rng))
        return np.concatenate(starts)

    def _kmeans_centers(self, rows, count, rng):
        """Return centres of k-means in as many objects as it would take of all."""
        size = int(rows.shape[0])
        step = 1 if size <= count else -(-size // KMEANS_OBJECTS)
        some = self._chosen(rows[::step]).gathered()
        return kmeans_centers(some, np.arange(len(some.X)), count, rng)

    def _means_of_thirds(self, rows, count, rng):
        xp, draws = self.X.xp, thirds(int(rows.shape[0]), count, rng)
        places = [xp.asarray(draw, device=self.X.device) for draw in draws]
        parts = [self._chosen(xp.take(rows, place)) for place in places]
        return np.concatenate([part.mean() for part in parts])

    def _chosen(self, rows):
        xp = self.X.xp
        classes, shares = (xp.take(part, rows) for part in (self.classes, self.shares))
        return ArraySet(self.X.chosen(rows), self.center, classes, shares)

    def variances(self):
        """Return the variance of each feature, about the centre."""
        xp, about = self.X.xp, self.X.about(self.center)

        def block(rows):
            return contracted(xp, self.shares[None, rows], about(rows) ** 2)

        return self.X.added(block, 8 * self.X.shape[1])[0]

    def mean(self):
        """Return the weighted mean of the objects about the centre, (1, N)."""
        total, size = self._weighted_sums(1, lambda rows: self.shares[None, rows])
        return total / size[:, None]

    def _weighted_sums(self, k, weights):
        """Return sums (k, N) of objects about the centre, and those of weights (k,).

        ``weights`` are those (k, b) of some rows.
        """
        xp, N = self.X.xp, self.X.shape[1]
        about = self.X.about(self.center)

        def block(rows):
            centered = about(rows)
            ones = xp.ones_like(centered[:, :1])
            return contracted(xp, weights(rows), xp.concat([centered, ones], axis=1))

        sums = self.X.added(block, 8 * max(N + 1, k))
        return sums[:, :N], sums[:, N]

    def scatters(self, n_classes):
        """Return class means, class shares and the within-class covariance."""
        xp = self.X.xp
        index = xp.arange(n_classes, device=self.X.device)[:, None]

        def by_class(rows):
            is_own = index == self.classes[None, rows]
            return xp.where(is_own, self.shares[None, rows], 0.0)

        totals, shares = self._weighted_sums(n_classes, by_class)
        means = totals / shares[:, None]
        between = (means.T * shares) @ means
        return means, shares, self.X.scatter(self.center, self.shares) - between


def class_sizes(xp, classes, n_classes):
    """Return how many of the class indices (n,) are of each class, as NumPy's."""
    present, counts = xp.unique_counts(classes)
    sizes = np.zeros(n_classes, dtype=np.intp)
    sizes[to_numpy(present)] = to_numpy(counts)
    return sizes
