"""Minimization of the stress: steps of all samples, and positions of new samples.

The kernels are imported when they are used, because numba takes time to import.
"""

import numpy as np

from labelscape._core.checks import check_intact
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.embeddings.stress._weights import INVERSE, annealed

# Factor by which a step grows after one that lowered the stress, and longest step.
GROWTH, LONGEST = 1.2, 1.9
# Shorter steps are not useful: the stress changes by rounding errors only.
SHORTEST = 1e-3
PATIENCE = 3  # successive steps with a change below ``tol``
EXACT = 1e-20  # below this stress, a map is exact


class Stress:
    """The stress of maps, ``sum w |delta - d|^p / sum w' delta^p``."""

    # w' are the weights on an exact map.

    def __init__(self, given, weights, lam, penalty):
        self.given, self.weights, self.lam, self.penalty = given, weights, lam, penalty
        self.blocks = row_blocks(given.n, 8 * given.n)
        self.size = sum(map_blocks(self._size, self.blocks))

    def __call__(self, Z):
        """Return the stress of the map Z (q, n)."""
        return self.and_pull(Z)[0]

    def and_pull(self, Z):
        """Return the stress of Z, the forces on its points (q, n), and masses (n,)."""
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
    """Move the map Z (q, n) step by step; yield the map and stress after each step."""
    # A step of 1 moves each point to the weighted mean of the positions that its pairs
    # require. A step of 1/2 cannot raise the stress if the weights are constant; longer
    # steps may raise it, but are faster. So steps grow, and a step that raised the
    # stress is reverted and halved. Weights that depend on the map use steps of 1.
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
    """Return the map after a step; a point without weighted pairs does not move."""
    return Z + step * pull / np.where(mass > 0.0, mass, 1.0)


# New samples on a finished map: all fitted samples are pivots, and the new one moves.

SWEEPS = 30  # number of turns of each fitted sample as pivot
# Share of the required step that a sample moves in a sweep, first and last. Larger
# steps would move it away from its neighbor.
FIRST_PART, LAST_PART = 0.5, 0.1
LARGEST_ALPHA = 0.5  # no single pair corrects more than this share of its error


def placed(dissimilarities, n_new, Z, weights, lambdas):
    """Return the positions (n_new, q) of new samples on the map Z (n, q).

    The weights use the last lambda, or a larger one if all weights would be 0. The
    position of a new sample does not depend on other new samples.
    """
    from labelscape.embeddings.stress._kernels import held_lambdas, settle

    n = len(Z)
    Z = np.ascontiguousarray(Z)
    sound = all(np.isfinite(part).all() for part in (Z, lambdas, weights.span))
    rng = np.random.default_rng(0)
    order = np.array([rng.permutation(n) for _ in range(SWEEPS)])
    parts = annealed(FIRST_PART, LAST_PART, np.linspace(0.0, 1.0, SWEEPS))

    def place(rows):
        D = dissimilarities(rows)
        sound_D = D.shape[1] == n and bool(np.isfinite(D).all())
        check_intact(sound and sound_D, "embedding_ and training_X_")
        lam, none = np.full(len(D), lambdas[1]), np.full(len(D), -1)
        if weights.kind != INVERSE:
            held_lambdas(weights, D, none, lam.copy(), lambdas[0], lam)
        Y = Z[D.argmin(axis=1)]
        for b in np.flatnonzero(D.min(axis=1) > 0.0):
            settle(Y[b], D[b], Z, order, parts, LARGEST_ALPHA, weights, lam[b])
        return Y

    return np.concatenate(map_blocks(place, row_blocks(n_new, 8 * n, budget=2**20)))
