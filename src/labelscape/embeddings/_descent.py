"""One engine for the family of stresses: pivots first, then majorisation."""

import numpy as np

from labelscape.embeddings._majorise import Stress, majorised
from labelscape.embeddings._pivots import PivotRun
from labelscape.embeddings._weighting import Penalty, spread_of

# Mean, deviation and stress are those of all objects up to this number, else of so many
# of them: their 2 million pairs tell them well enough.
LARGEST_SAMPLE = 2000
# With p = 1, errors below this part of the deviation are majorised as squares.
SMOOTHED = 0.01


class Sample:
    """Some of the objects, always the same, with the spread of their dissimilarities.

    Attributes
    ----------
    objects : ndarray of shape (m,)
        Which ones.
    given : EuclideanDistances or GivenDissimilarities
        Their dissimilarities.
    spread : Spread
        Mean, deviation and lower end of these.
    """

    def __init__(self, given):
        self.objects, self.given = np.arange(given.n), given
        if given.n > LARGEST_SAMPLE:
            drawn = np.random.default_rng(0).permutation(given.n)[:LARGEST_SAMPLE]
            self._take(given, np.sort(drawn))
        delta = self.given.condensed()
        if (
            not delta.any()
        ):  # nearly all objects are the same: look at those that differ
            self._take(given, given.distinct()[0][:LARGEST_SAMPLE])
            delta = self.given.condensed()
        self.spread = spread_of(delta)

    def _take(self, given, objects):
        self.objects, self.given = objects, given.subset(objects)


class Descent:
    """The way down a stress ``sum w |delta - d|^p``, for given weights.

    Parameters
    ----------
    given : EuclideanDistances or GivenDissimilarities
        What the map must keep.
    sample : Sample
        Of the same objects.
    weights : pair of Weights
        For the pivot rule, and for stress and majorisation.
    p : {1, 2}
        Power of the error.
    lambdas : pair of float
        Where lambda begins and ends.
    """

    def __init__(self, given, sample, weights, p, lambdas):
        self.given, self.sample, self.weights = given, sample, weights
        self.std = sample.spread.std
        self.p = p if self.std > 0.0 else 2
        self.lambdas = lambdas

    def by_pivots(self, Z, n_pivots, random_state):
        """Move the map Z (q, n) in place; yield it, and lambda, 50 times."""
        penalty = Penalty(self.p, self.std / 2.0)
        how = (self.weights[0], penalty, self.lambdas)
        run = PivotRun(self.given, *how, n_pivots, random_state)
        for lam in run.stages(Z):
            yield Z, lam, None

    def by_majorisation(self, Z, max_iter, tol):
        """Yield the map, lambda and the stress after each step from Z."""
        if max_iter == 0:  # not even the stress of all pairs is asked for
            return
        stress = self._stress(self.given, self.weights[1])
        for moved, value in majorised(Z, stress, max_iter=max_iter, tol=tol):
            yield moved, self.lambdas[1], value

    def sampled_stress(self):
        """Return the function that gives the stress of a map (q, n) on the sample."""
        chosen, weights = self.sample.objects, self.weights[1]
        few = weights._replace(labels=weights.labels[chosen])
        stress = self._stress(self.sample.given, few)
        return lambda Z: stress(Z[:, chosen])

    def _stress(self, given, weights):
        penalty = Penalty(self.p, SMOOTHED * self.std)
        return Stress(given, weights, self.lambdas[1], penalty)
