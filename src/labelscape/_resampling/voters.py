"""Nearest-neighbor classification, and scores that weigh all classes equally."""

from typing import NamedTuple

import numpy as np

from labelscape._core.points.distances import nearest_neighbors
from labelscape._core.points.spaces import Points
from labelscape._core.types import Array, Bools, Floats, Ints
from labelscape._resampling.units import row_hashes

# If class sizes have at least this ratio, votes are divided by the size of the class.
UNEVEN = 3


def vote(neighbor_codes: Array, n_classes: int, weights: Floats | None = None) -> Array:
    """Return the class with the most votes of neighbors (n, k), sorted by distance."""
    # -1 has no vote; ties go to the nearer class.
    n, k = neighbor_codes.shape
    rows = np.arange(n)
    # The last column counts neighbors without a vote.
    weights = np.append(np.ones(n_classes) if weights is None else weights, 0.0)
    scores = np.zeros((n, n_classes + 1))
    for position in range(k):
        codes = neighbor_codes[:, position]
        scores[rows, codes] += weights[codes]
    best = scores.max(axis=1, keepdims=True) * (1.0 - 1e-12)
    won = np.take_along_axis(scores, neighbor_codes % (n_classes + 1), axis=1) >= best
    return np.asarray(neighbor_codes[rows, won.argmax(axis=1)])


def vote_weights(codes: Array, n_classes: int) -> Floats:
    """Return a vote's weight for each class: 1, or 1 / size if sizes are uneven."""
    counts = np.bincount(codes, minlength=n_classes)
    present = counts[counts > 0]
    if present.max() <= UNEVEN * present.min():
        return np.ones(n_classes)
    return 1.0 / np.maximum(counts, 1)


def weighted_vote(near: Ints, codes: Array, n_classes: int) -> Ints:
    """Return the classes for which the samples ``near`` (n, k), of ``codes``, vote."""
    return np.asarray(vote(codes[near], n_classes, vote_weights(codes, n_classes)))


class Voters(NamedTuple):
    """Training samples on a map, which vote on the classes of points near them."""

    Z: Array  # (m, q) positions on the map
    # (m,) Class and unit of each voter.
    codes: Array
    units: Ints
    # Number of classes, and the largest number of voting neighbors.
    n_classes: int
    k: int

    def judge(self, places: Array) -> Ints:
        """Return the class of new points; voters at the k nearest positions vote."""
        first, place = self._places
        n_nearest = min(self.k, len(first))
        if len(first) == len(self.Z):
            neighbors, _ = nearest_neighbors(self.Z, n_nearest, places)
            return self._vote(self.codes[neighbors])
        neighbors, _ = nearest_neighbors(self.Z[first], n_nearest, places)
        return self._vote_of_places(self._counts(place)[neighbors])

    def judge_themselves(self) -> Ints:
        """Return the class of each voter from its nearest voters in other units."""
        first, place = self._places
        if len(first) < len(self.Z):
            return self._judge_others(first, place)
        alike = np.bincount(self.units).max() - 1
        wanted = min(self.k + alike, len(self.Z) - 1)
        neighbors, _ = Points(self.Z).kneighbors(wanted)
        is_other = self.units[neighbors] != self.units[:, None]
        # Voters of other units come first. Voters of the same unit have no vote.
        order = np.argsort(~is_other, axis=1, kind="stable")[:, : self.k]
        codes = np.where(is_other, self.codes[neighbors], -1)
        return self._vote(np.take_along_axis(codes, order, axis=1))

    @property
    def _places(self) -> tuple[Ints, Ints]:
        """The first voter at each position, and the position number of each voter."""
        hashes = row_hashes(self.Z, self.Z.min(axis=0), self.Z.max(axis=0))
        return np.unique(hashes, axis=0, return_index=True, return_inverse=True)[1:]

    def _counts(self, key: Ints) -> Ints:
        """Return the number of voters for each key and class (keys, n_classes)."""
        counts = np.zeros((int(key.max()) + 1, self.n_classes), dtype=np.intp)
        np.add.at(counts, (key, self.codes), 1)
        return counts

    def _judge_others(self, first: Ints, place: Ints) -> Ints:
        """Return each voter's class by votes of other units; positions may coincide."""
        n_places = len(first)
        pairs, pair = np.unique(self.units * n_places + place, return_inverse=True)
        alike = np.bincount(pairs // n_places).max()
        n_nearest = min(self.k + alike, n_places)
        neighbors, _ = nearest_neighbors(self.Z[first], n_nearest, self.Z[first])
        neighbors = neighbors[place]
        queries = self.units[:, None] * n_places + neighbors
        own = np.minimum(np.searchsorted(pairs, queries), len(pairs) - 1)
        is_own = pairs[own] == queries
        own_counts = self._counts(pair)[own] * is_own[:, :, None]
        return self._vote_of_places(self._counts(place)[neighbors] - own_counts)

    def _vote_of_places(self, counts: Ints) -> Ints:
        """Return the class with the most votes at the k nearest positions."""
        # ``counts`` (n, positions, n_classes), nearest first. A tie goes to the nearer
        # class.
        voters = counts.sum(axis=2)
        # The voters at the last position share the votes that are left.
        left = np.clip(self.k + voters - np.cumsum(voters, axis=1), 0, voters)
        share = left / np.maximum(voters, 1)
        votes = np.cumsum(counts * share[:, :, None], axis=1)
        scores = votes[:, -1] * vote_weights(self.codes, self.n_classes)
        best = scores >= scores.max(axis=1, keepdims=True) * (1.0 - 1e-12)
        nearer = np.argmax(votes > 0, axis=1)
        winner = np.where(best, nearer, votes.shape[1]).argmin(axis=1)
        return np.where(voters.any(axis=1), winner, -1)

    def _vote(self, codes: Array) -> Ints:
        return vote(codes, self.n_classes, vote_weights(self.codes, self.n_classes))


class Tally(NamedTuple):
    """How often each sample was classified correctly, over all splits."""

    # (n,) How often each sample was classified correctly, and how often it was held
    # out.
    right: Ints
    tried: Ints

    @classmethod
    def of(cls, n: int) -> "Tally":
        """Return a tally of n samples that were not classified."""
        return cls(*np.zeros((2, n), dtype=np.intp))

    def add(self, rows: Ints, is_right: Bools) -> None:
        """Count a prediction for each of some samples."""
        self.right[rows] += is_right
        self.tried[rows] += 1

    def recalls(self, codes: Array, n_classes: int) -> Floats:
        """Return the recall of each class; NaN if it was never tested."""
        right = np.bincount(codes, self.right, n_classes)
        tried = np.bincount(codes, self.tried, n_classes)
        with np.errstate(invalid="ignore"):
            return right / tried

    def in_table(self, rows: Ints, n: int) -> "Tally":
        """Return a tally for all n rows of a table: 0 for rows not in ``rows``."""
        tally = Tally.of(n)
        tally.right[rows], tally.tried[rows] = self
        return tally

    @property
    def share(self) -> Floats:
        """Share of correct predictions of each sample; NaN if it was never tested."""
        with np.errstate(invalid="ignore"):
            return self.right / self.tried


def balanced_accuracy(answers: Array, codes: Array, n_classes: int) -> float:
    """Return the mean recall over all classes that occur."""
    hits = np.bincount(codes, answers == codes, n_classes)
    counts = np.bincount(codes, minlength=n_classes)
    return float(np.mean(hits[counts > 0] / counts[counts > 0]))
