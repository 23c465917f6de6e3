"""Majorisation: every point moves to where its pairs would have it, all at once."""

import numpy as np

from labelscape._core.threads import map_blocks, row_blocks
from labelscape.embeddings.stress._weights import INVERSE

# After a step that lowered the stress the next one is longer by this factor, up to ...
GROWTH, LONGEST = 1.2, 1.9
# Steps shorter than this find nothing: the stress rises by rounding alone.
SHORTEST = 1e-3
# So many steps in a row must change the stress by less than ``tol`` of it.
PATIENCE = 3
# Below this stress a map is exact.
EXACT = 1e-20


class Stress:
    """The weighted stress of maps of the same objects, free of their unit.

    sum w |delta - d|^p / sum w' delta^p over all pairs, w' the weights on an exact map.
    """

    def __init__(self, given, weights, lam, penalty):
        self.given, self.weights, self.lam, self.penalty = given, weights, lam, penalty
        self.blocks = row_blocks(given.n, 8 * given.n)
        self.size = sum(map_blocks(self._size, self.blocks))

    def __call__(self, Z):
        """Return the stress of the map Z (q, n)."""
        return self.and_pull(Z)[0]

    def and_pull(self, Z):
        """Return the stress of Z, the pull on its points (q, n) and their mass (n,)."""
        from labelscape.embeddings.stress._kernels import pull_of_rows

        Z = np.ascontiguousarray(Z)
        pull, mass = np.empty(Z.shape), np.empty(self.given.n)

        def part(rows):
            D = self.given.rows(rows)
            how = (self.weights, self.lam, self.penalty)
            return pull_of_rows(Z, D, rows.start, *how, pull, mass)

        total = sum(map_blocks(part, self.blocks))
        return (total / self.size if self.size else 0.0), pull, mass

    def _size(self, rows):
        from labelscape.embeddings.stress._kernels import size_of_rows

        D = self.given.rows(rows)
        return size_of_rows(D, rows.start, self.weights, self.lam, self.penalty.p)


def majorized(Z, stress, *, max_iter, tol):
    """Move the map Z (q, n) step by step; yield map and stress after each.

    A step of 1 takes each point to the weighted mean of where its pairs want it. One of
    1/2 can not raise the stress if the weights are constant; longer ones mostly do not
    either and get on faster. So steps grow, and one that raised the stress is taken
    back and halved. Weights that follow the map have no stress in common to compare:
    they take steps of 1.
    """
    constant = stress.weights.kind == INVERSE
    value, pull, mass = stress.and_pull(Z)
    step, calm = 1.0, 0
    for _ in range(max_iter):
        moved = _moved(Z, step, pull, mass)
        next_value, *next_pull = stress.and_pull(moved)
        while constant and next_value > value and step > SHORTEST:
            step /= 2.0
            moved = _moved(Z, step, pull, mass)
            next_value, *next_pull = stress.and_pull(moved)
        if constant and next_value > value:
            return
        if constant:
            step = min(GROWTH * step, LONGEST)
        calm = calm + 1 if abs(value - next_value) <= tol * value else 0
        Z, value, (pull, mass) = moved, next_value, next_pull
        yield Z, value
        if calm == PATIENCE or value <= EXACT:
            return


def _moved(Z, step, pull, mass):
    """Return the map after a step; a point of which no pair counts stays in place."""
    return Z + step * pull / np.where(mass > 0.0, mass, 1.0)
