"""Scores in which every class counts the same, whatever its size."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.points.distances import nearest_neighbors
from labelscape._core.points.spaces import Points
from labelscape._resampling.units import row_hashes

# From this ratio of class sizes on, votes are divided by the size of their class.
UNEVEN = 3


def vote(
    neighbor_codes: NDArray[Any],
    n_classes: int,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[Any]:
    """Return the class with most votes in each row; ties go to the nearer class.

    ``neighbor_codes`` (n, k) are the classes of the voters, the nearest first; one of
    -1 has no vote. ``weights`` (n_classes,) is what a vote for each class counts.
    """
    n, k = neighbor_codes.shape
    rows = np.arange(n)
    # The last column is for neighbors without a vote.
    weights = np.append(np.ones(n_classes) if weights is None else weights, 0.0)
    scores = np.zeros((n, n_classes + 1))
    for position in range(k):
        codes = neighbor_codes[:, position]
        scores[rows, codes] += weights[codes]
    best = scores.max(axis=1, keepdims=True) * (1.0 - 1e-12)
    won = np.take_along_axis(scores, neighbor_codes % (n_classes + 1), axis=1) >= best
    return np.asarray(neighbor_codes[rows, won.argmax(axis=1)])


def vote_weights(codes: NDArray[Any], n_classes: int) -> NDArray[np.float64]:
    """Return what a vote for each class counts, by the classes of the voters."""
    counts = np.bincount(codes, minlength=n_classes)
    present = counts[counts > 0]
    if present.max() <= UNEVEN * present.min():
        return np.ones(n_classes)
    return 1.0 / np.maximum(counts, 1)


class Voters(NamedTuple):
    """Placed samples whose classes are known: those that a map was fitted to."""

    # (m, q) Their places.
    Z: NDArray[Any]
    # (m,) Their classes and units.
    codes: NDArray[Any]
    units: NDArray[np.intp]
    # The number of classes, and how many neighbors vote at most.
    n_classes: int
    k: int

    def judge(self, places: NDArray[Any]) -> NDArray[np.intp]:
        """Return the class that the nearest voters give to each place.

        Of voters at one place all have a vote, or none: they are equally near.
        """
        first, place = self._places
        n_nearest = min(self.k, len(first))
        if len(first) == len(self.Z):
            neighbors, _ = nearest_neighbors(self.Z, n_nearest, places)
            return self._vote(self.codes[neighbors])
        neighbors, _ = nearest_neighbors(self.Z[first], n_nearest, places)
        return self._vote_of_places(self._counts(place)[neighbors])

    def judge_themselves(self) -> NDArray[np.intp]:
        """Return the class that the nearest voters of other units give to each."""
        first, place = self._places
        if len(first) < len(self.Z):
            return self._judge_others(first, place)
        alike = np.bincount(self.units).max() - 1
        wanted = min(self.k + alike, len(self.Z) - 1)
        neighbors, _ = Points(self.Z).kneighbors(wanted)
        is_other = self.units[neighbors] != self.units[:, None]
        # Others first, in their order; what is then not another has no vote.
        order = np.argsort(~is_other, axis=1, kind="stable")[:, : self.k]
        codes = np.where(is_other, self.codes[neighbors], -1)
        return self._vote(np.take_along_axis(codes, order, axis=1))

    @property
    def _places(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The first voter at each place, and the place of each voter."""
        hashes = row_hashes(self.Z, self.Z.min(axis=0), self.Z.max(axis=0))
        return np.unique(hashes, axis=0, return_index=True, return_inverse=True)[1:]

    def _counts(self, key: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return how many voters of each class have each key (keys, n_classes)."""
        counts = np.zeros((int(key.max()) + 1, self.n_classes), dtype=np.intp)
        np.add.at(counts, (key, self.codes), 1)
        return counts

    def _judge_others(
        self, first: NDArray[np.intp], place: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """Return the class that voters of other units give, where some share places."""
        n_places = len(first)
        pairs, pair = np.unique(self.units * n_places + place, return_inverse=True)
        alike = np.bincount(pairs // n_places).max()
        n_nearest = min(self.k + alike, n_places)
        neighbors, _ = nearest_neighbors(self.Z[first], n_nearest, self.Z[first])
        neighbors = neighbors[place]
        asked = self.units[:, None] * n_places + neighbors
        own = np.minimum(np.searchsorted(pairs, asked), len(pairs) - 1)
        is_own = pairs[own] == asked
        own_counts = self._counts(pair)[own] * is_own[:, :, None]
        return self._vote_of_places(self._counts(place)[neighbors] - own_counts)

    def _vote_of_places(self, counts: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the class with most votes at the nearest places that hold k voters.

        ``counts`` (n, places, n_classes), the nearest place first. A tie goes to the
        class that is nearer.
        """
        voters = counts.sum(axis=2)
        has_vote = np.cumsum(voters, axis=1) - voters < self.k
        votes = np.cumsum(counts * has_vote[:, :, None], axis=1)
        weights = vote_weights(self.codes, self.n_classes)
        scores = votes[:, -1] * weights
        best = scores >= scores.max(axis=1, keepdims=True) * (1.0 - 1e-12)
        nearer = np.argmax(votes > 0, axis=1)
        judged = np.where(best, nearer, votes.shape[1]).argmin(axis=1)
        return np.where(voters.any(axis=1), judged, -1)

    def _vote(self, codes: NDArray[Any]) -> NDArray[np.intp]:
        return vote(codes, self.n_classes, vote_weights(self.codes, self.n_classes))


class Tally(NamedTuple):
    """How samples were judged, summed over splits."""

    # (n,) How often each object was judged to be of its class, and how often at all.
    right: NDArray[np.intp]
    tried: NDArray[np.intp]

    def recalls(self, codes: NDArray[Any], n_classes: int) -> NDArray[np.float64]:
        """Return the share of right judgements of each class; NaN without any."""
        right = np.bincount(codes, self.right, n_classes)
        tried = np.bincount(codes, self.tried, n_classes)
        with np.errstate(invalid="ignore"):
            return right / tried

    def in_table(self, rows: NDArray[np.intp], n: int) -> "Tally":
        """Return the tally of all n rows of a table, of which these were judged."""
        everyone = np.zeros((2, n), dtype=np.intp)
        everyone[:, rows] = self
        return Tally(*everyone)

    @property
    def share(self) -> NDArray[np.float64]:
        """How often each object was judged right; NaN if it was never tried."""
        with np.errstate(invalid="ignore"):
            return self.right / self.tried


def balanced_accuracy(
    judged: NDArray[Any], codes: NDArray[Any], n_classes: int
) -> float:
    """Return the mean over classes of the share of samples judged right."""
    hits = np.bincount(codes, judged == codes, n_classes)
    counts = np.bincount(codes, minlength=n_classes)
    return float(np.mean(hits[counts > 0] / counts[counts > 0]))
