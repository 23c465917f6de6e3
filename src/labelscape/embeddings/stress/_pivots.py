"""The descent of a stress: turns of pivots first, then majorization."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from labelscape._core.optimize import annealed
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.embeddings.stress._majorization import Stress, majorized
from labelscape.embeddings.stress._weights import INVERSE, Penalty, spread_of

# A run of the pivot rule: who has a turn, in which order, with which rates.

# The part of the error that a turn takes away, at the beginning and at the end.
FIRST_ALPHA, LAST_ALPHA = 0.5, 0.01
# A run pauses this many times, so that it can be watched.
STAGES = 50
# Pivots worked off together: as many as have this number of pairs, but not more than...
BLOCK_PAIRS, LARGEST_BLOCK = 2**20, 256
# Bytes of dissimilarities, and of points, that one thread takes at a time.
ROWS_BUDGET, POINTS_BUDGET = 2**21, 2**15


class Turns(NamedTuple):
    """The pivots of a block in their order, with lambda and alpha of each turn.

    ``numbers`` tells the turns of a run apart where chance decides.
    """

    pivots: np.ndarray
    labels: np.ndarray
    lambdas: np.ndarray
    alphas: np.ndarray
    numbers: np.ndarray


class PivotRun:
    """A number of turns of the pivot rule, ready to be applied to a map.

    Pivots are drawn in a fresh order whenever all have had a turn. lambda falls evenly
    from ``lambdas[0]`` to ``lambdas[1]``, alpha from 0.5 to 0.01 by equal factors.
    """

    def __init__(self, given, weights, penalty, lambdas, n_pivots, random_state):
        self.given, self.weights, self.penalty = given, weights, penalty
        self.first_lambda = lambdas[0]
        t = np.linspace(0.0, 1.0, n_pivots)
        self.lambdas = lambdas[0] + (lambdas[1] - lambdas[0]) * t
        self.alphas = annealed(FIRST_ALPHA, LAST_ALPHA, t)
        self.pivots = pivot_order(given.n, n_pivots, random_state)
        self.numbers = random_state.randint(2**31) + np.arange(n_pivots)
        self.block = min(LARGEST_BLOCK, max(1, BLOCK_PAIRS // given.n))

    def stages(self, Z):
        """Move the map Z (q, n) in place; pause 50 times and tell lambda."""
        n_pivots = len(self.pivots)
        pauses = np.unique(np.linspace(0, n_pivots, STAGES + 1).astype(int))
        for start, stop in pairwise(pauses):
            for first in range(start, stop, self.block):
                self._work_off(Z, slice(first, min(first + self.block, stop)))
            yield float(self.lambdas[stop - 1])

    def _work_off(self, Z, span):
        from labelscape.embeddings.stress._kernels import follow, places_at_turn

        pivots = self.pivots[span]
        D, lambdas = self._rows(pivots, self.lambdas[span])
        labels = self.weights.labels[pivots]
        turns = Turns(pivots, labels, lambdas, self.alphas[span], self.numbers[span])
        # By take: indexing would give another memory layout, and one more compilation.
        among_them = (Z.take(pivots, axis=1), D.take(pivots, axis=1))
        places = places_at_turn(*among_them, turns, self.weights, self.penalty)
        everyone = np.arange(self.given.n)

        def move(points):
            them = (everyone, points.start, points.stop)
            follow(Z, *them, D, places, turns, self.weights, self.penalty)

        _in_threads(move, row_blocks(self.given.n, 8 * len(Z), POINTS_BUDGET))

    def _rows(self, pivots, lambdas):
        """Return the dissimilarities (b, n) of the pivots, and lambda of each turn."""
        from labelscape.embeddings.stress._kernels import held_lambdas

        D, held = np.empty((len(pivots), self.given.n)), lambdas.copy()

        def fill(rows):
            D[rows] = self.given.rows(pivots[rows])
            if self.weights.kind != INVERSE:
                asked = (D[rows], pivots[rows], lambdas[rows])
                held_lambdas(self.weights, *asked, self.first_lambda, held[rows])

        _in_threads(fill, row_blocks(len(pivots), 8 * self.given.n, ROWS_BUDGET))
        return D, held


def pivot_order(n, n_pivots, random_state):
    """Return who has a turn: all objects in a random order, and again in another."""
    rounds = [random_state.permutation(n) for _ in range(-(-n_pivots // n))]
    return np.concatenate([np.empty(0, dtype=np.intp), *rounds])[:n_pivots]


def _in_threads(function, blocks):
    # A block of few objects is done before a thread has woken up.
    if len(blocks) == 1:
        function(blocks[0])
    else:
        map_blocks(function, blocks)


# One engine for the family of stresses: pivots first, then majorisation.

# Mean, deviation and stress are those of all objects up to this number, else of so many
# of them: their 2 million pairs tell them well enough.
LARGEST_SAMPLE = 2000
# With p = 1, errors below this part of the deviation are majorised as squares.
SMOOTHED = 0.01


class Sample:
    """A fixed subset of the samples, with the spread of their dissimilarities."""

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
    """The way down a stress ``sum w |delta - d|^p``, for given weights."""

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

    def by_majorization(self, Z, max_iter, tol):
        """Yield the map, lambda and the stress after each step from Z."""
        if max_iter == 0:  # not even the stress of all pairs is asked for
            return
        stress = self._stress(self.given, self.weights[1])
        for moved, value in majorized(Z, stress, max_iter=max_iter, tol=tol):
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
