"""Sammon's stress of a map of any scale, on a sample of the objects."""

import numpy as np
from scipy.spatial.distance import pdist

LARGEST_SAMPLE = 2000


class SampledStress:
    """Judges maps of the same objects, all of them up to 2000, else 2000 at random.

    Pairs at dissimilarity 0 have no weight in Sammon's stress and are left out. The
    sample is always the same, so watching a fit does not change it.

    Parameters
    ----------
    dissimilarities : EuclideanDistances or GivenDissimilarities
        What the maps should keep.
    """

    def __init__(self, dissimilarities):
        n = dissimilarities.n
        chosen = np.random.default_rng(0).permutation(n)[:LARGEST_SAMPLE]
        self.objects = np.sort(chosen)
        delta = dissimilarities.subset(self.objects).condensed()
        self._differ = delta > 0.0
        self.delta = delta[self._differ]

    def stress(self, Z):
        """Return ``1 - (sum d)^2 / (sum d^2/delta * sum delta)``: 0 is exact.

        That is the stress of the map after its best scaling, ``scale(Z)``.
        """
        first, second = self._sums(Z)
        if second == 0.0:  # all in one place: right if nothing differs
            return float(len(self.delta) > 0)
        return float(1.0 - first * (first / second) / self.delta.sum())

    def scale(self, Z):
        """Return the factor ``b = sum d / sum(d^2/delta)`` that fits Z to the data."""
        first, second = self._sums(Z)
        return float(first / second) if second > 0.0 else 1.0

    def _sums(self, Z):
        d = pdist(Z[self.objects])[self._differ]
        return d.sum(), (d * (d / self.delta)).sum()
