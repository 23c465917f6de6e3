"""Which objects are landmarks: some of each class, and of its sparse regions more."""

import numpy as np

from labelscape._core.points.ranks import nearest_neighbors
from labelscape._core.sampling import class_counts

# Of each class there are so many, if it has them.
FEWEST_OF_CLASS = 20
# How sparse it is around an object is its distance to so many of this many others.
N_NEAREST, N_OTHERS = 5, 500
# The half of an object's weight that grows with it does so up to this many times the
# usual one: a few far outliers shall not be most of the landmarks.
SPARSEST = 4.0


class LandmarkOrder:
    """The order in which the objects of each class become landmarks.

    More of them are the same ones and others: a map can grow.
    """

    def __init__(self, X, codes, random_state):
        self._n = len(X)
        self._by_class = []
        for c in range(int(codes.max()) + 1):
            members = np.flatnonzero(codes == c)
            weights = weights_in_class(X[members], random_state)
            # The lowest of such numbers are a draw by weight, without replacement.
            numbers = random_state.standard_exponential(len(members)) / weights
            self._by_class.append(members[np.argsort(numbers, kind="stable")])

    def first(self, count):
        """Return the sorted indices of so many landmarks, or of a few more."""
        sizes = np.array([len(members) for members in self._by_class])
        if count >= self._n:
            return np.arange(self._n)
        shares = class_counts(sizes, count)
        fewest = min(FEWEST_OF_CLASS, max(2, count // (2 * len(sizes))))
        shares = np.maximum(shares, np.minimum(sizes, fewest))
        drawn = zip(self._by_class, shares, strict=True)
        return np.sort(np.concatenate([members[:share] for members, share in drawn]))


def weights_in_class(X, random_state):
    """Return how much more likely than others each object of a class is drawn (n,).

    ``w = 1/2 + 1/2 min(r / median(r), 4)``, where r is the distance to the fifth
    nearest of 500 random objects of the class: where there are few objects, r is large.
    So an object in the densest region is drawn half as often as a usual one, and one
    far from all others two and a half times as often.
    """
    n = len(X)
    some = np.arange(n)
    if n > N_OTHERS:
        some = np.sort(random_state.choice(n, N_OTHERS, replace=False))
    k = min(N_NEAREST, len(some) - 1)
    if k < 1:
        return np.ones(n)
    distances = nearest_neighbors(X[some], k + 1, X)[1]
    # One that is among the others is its own nearest.
    reach = distances[:, k - 1].copy()
    reach[some] = distances[some, k]
    usual = np.median(reach) or reach.mean()
    if not usual > 0.0:
        return np.ones(n)
    return 0.5 + 0.5 * np.minimum(reach / usual, SPARSEST)
