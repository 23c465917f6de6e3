"""A training set in chunks: what training asks of objects, as sums over chunks."""

import numpy as np

from labelscape._core.chunks.labeled import rows_of
from labelscape._core.chunks.sums import computed, shipped, task
from labelscape.prototypes.lvq._initial import (
    KMEANS_OBJECTS,
    class_scatters,
    kmeans_centers,
    thirds,
)
from labelscape.prototypes.lvq._objective import TrainingSet, missing_patterns


class ChunkedSet:
    """Objects in chunks, and their centre; see `TrainingSet` for the methods."""

    is_chunk = False
    weights = 1.0  # of all objects together

    def __init__(self, chunks, center, incomplete=False):
        self.X, self.center, self._incomplete = chunks, center, incomplete

    def added(self, function, *model):
        """Return the sum of a function over all chunks, of which it gets sets."""
        model = (function, self.center, self._incomplete, *model)
        return self.X.added(_of_set, *model, called=function.__name__)

    def once_each(self, step, variables, rng, *model):
        """Return variables after a step with each object.

        Chunks are taken in a random order, and the objects of each in another: the
        variables go from chunk to chunk, because objects do not travel.
        """
        at, rest = shipped(variables), shipped((step, self.center, model))
        for chunk in rng.permutation(len(self.X.pieces)):
            seed = int(rng.randint(2**31 - 1))
            at = task(_after_chunk, self.X.pieces[chunk], at, rest, seed)
        return computed([at])[0]

    def thinned(self, most):
        """Return a set of at most so many objects, evenly spread over this one."""
        step = -(-len(self.X) // most)
        return _as_set(self.X.every(step), self.center, self._incomplete)

    def weights_of(self, thinned, weights, most):
        """Return the weights that were given to objects of a thinned set.

        ``weights`` is the sum of all, of which a set has shares.
        """
        return thinned.weights * weights

    def every(self, most):
        """Return the same, with weights that add up to 1."""
        some = self.thinned(most)
        return some._replace(weights=some.weights / some.weights.sum())

    def largest(self):
        """Return the size of each feature."""
        return np.maximum(np.abs(self.X.low), np.abs(self.X.high))

    def class_sizes(self, n_classes):
        """Return how many objects each class has."""
        return self.X.counts.sum(axis=0)

    def first_prototypes(self, init, counts, rng):
        """Return prototypes of all classes as they start, "random" or "kmeans"."""
        if init == "random":
            starts = [self._means_of_thirds(c, n, rng) for c, n in enumerate(counts)]
            return np.concatenate(starts)
        means = self.scatters(len(counts))[0] if 1 in counts else None
        return np.concatenate(
            [
                means[c : c + 1] if count == 1 else self._kmeans_centers(c, count, rng)
                for c, count in enumerate(counts)
            ]
        )

    def _means_of_thirds(self, c, count, rng):
        size = int(self.X.counts[:, c].sum())
        return np.stack(
            [self._mean(c, ranks) for ranks in thirds(size, count, rng)],
        )

    def _mean(self, c, ranks):
        """Return the weighted mean of some objects of a class, about the centre."""
        each = [own if len(own[1]) else None for own in self.X.places(c, ranks)]
        total, weight = self.X.added(_weighted_sum, self.center, each=each)
        return total / weight

    def _kmeans_centers(self, c, count, rng):
        """Return centres of k-means in as many objects as it would take of all."""
        size = int(self.X.counts[:, c].sum())
        step = 1 if size <= count else -(-size // KMEANS_OBJECTS)
        some = self.X.of_class(c, np.arange(0, size, step))
        data = _as_set(some, self.center, self._incomplete)
        return kmeans_centers(data, np.arange(len(data.X)), count, rng)

    def scatters(self, n_classes):
        """Return class means, class shares and the within-class covariance."""
        return self.X.added(
            _of_set, class_scatters, self.center, False, n_classes, add=_joined
        )


def _as_set(piece, center, incomplete):
    patterns = missing_patterns(piece.X) if incomplete and len(piece.X) else None
    return TrainingSet(piece.X, center, piece.classes, piece.weights, patterns)


def _of_set(piece, function, center, incomplete, *model):
    return function(_as_set(piece, center, incomplete), *model)


def _after_chunk(piece, variables, rest, seed):
    step, center, model = rest
    order = np.random.RandomState(seed).permutation(len(piece.X))
    # What is learned in place must not be what another try would start from.
    return step(_as_set(piece, center, False), variables.copied(), order, *model)


def _weighted_sum(piece, own, center):
    """Return the weighted sum of some objects of a chunk, and their weight."""
    rows = rows_of(piece, *own)
    centered = np.nan_to_num(piece.X[rows].astype(np.float64) - center, nan=0.0)
    return piece.weights[rows] @ centered, piece.weights[rows].sum()


def _joined(a, b):
    """Return means, shares and scatter within classes of two sets together."""
    (means, shares, within), (more, others, beside) = a, b
    total = shares + others
    part = np.divide(others, total, out=np.zeros_like(total), where=total > 0.0)
    gaps = more - means
    between = (gaps.T * (shares * part)) @ gaps
    return means + part[:, None] * gaps, total, within + beside + between
