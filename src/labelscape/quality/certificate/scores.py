"""Scores in which every class counts the same, whatever its size."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.points.ranks import nearest_neighbors
from labelscape._core.points.spaces import Points
from labelscape.quality._knn import vote

# From this ratio of class sizes on, votes are divided by the size of their class.
UNEVEN = 3


def vote_weights(codes: NDArray[Any], n_classes: int) -> NDArray[np.float64]:
    """Return what a vote for each class counts, by the classes of those who vote."""
    counts = np.bincount(codes, minlength=n_classes)
    present = counts[counts > 0]
    if present.max() <= UNEVEN * present.min():
        return np.ones(n_classes)
    return 1.0 / np.maximum(counts, 1)


class Voters(NamedTuple):
    """Placed objects whose classes are known: those that a map was fitted to.

    Attributes
    ----------
    Z : ndarray of shape (m, q)
        Their places.
    codes, units : ndarray of int of shape (m,)
        Their classes and units.
    n_classes, k : int
        The number of classes, and how many neighbors vote at most.
    """

    Z: NDArray[Any]
    codes: NDArray[Any]
    units: NDArray[np.intp]
    n_classes: int
    k: int

    def judge(self, places: NDArray[Any]) -> NDArray[np.intp]:
        """Return the class that the nearest voters give to each place."""
        neighbors, _ = nearest_neighbors(self.Z, min(self.k, len(self.Z)), places)
        return self._vote(self.codes[neighbors])

    def judge_themselves(self) -> NDArray[np.intp]:
        """Return the class that the nearest voters of other units give to each."""
        alike = np.bincount(self.units).max() - 1
        wanted = min(self.k + alike, len(self.Z) - 1)
        neighbors, _ = Points(self.Z).kneighbors(wanted)
        is_other = self.units[neighbors] != self.units[:, None]
        # Others first, in their order; what is then not another has no vote.
        order = np.argsort(~is_other, axis=1, kind="stable")[:, : self.k]
        codes = np.where(is_other, self.codes[neighbors], -1)
        return self._vote(np.take_along_axis(codes, order, axis=1))

    def _vote(self, codes: NDArray[Any]) -> NDArray[np.intp]:
        return vote(codes, self.n_classes, vote_weights(self.codes, self.n_classes))


class Tally(NamedTuple):
    """How objects were judged, summed over splits.

    Attributes
    ----------
    right, tried : ndarray of int of shape (n,)
        How often each object was judged to be of its class, and how often at all.
    """

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
    """Return the mean over classes of the share of objects judged right."""
    hits = np.bincount(codes, judged == codes, n_classes)
    counts = np.bincount(codes, minlength=n_classes)
    return float(np.mean(hits[counts > 0] / counts[counts > 0]))
