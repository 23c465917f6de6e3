"""Gradient descent of t-SNE, with forces computed on one or all cores."""

from contextlib import nullcontext

import numpy as np

from labelscape._core.threads import as_one_of_many, map_blocks, n_workers, row_blocks

# A cell is treated as one point if its side is below this share of its distance.
ANGLE = 0.5
# A part has 256 points, or 1/128 of all points if that is more. Up to 1,000 points use
# one thread.
AT_ONCE, MOST_PARTS, FEW_OBJECTS = 256, 128, 1000
# Sums are added part by part. A thread computes at least two parts in one call, because
# it needs the interpreter lock between two calls.
FEWEST_PARTS, MOST_BLOCKS = 2, 32


class Descent:
    """Points of a map that move along the gradient of t-SNE."""

    def __init__(self, Z, P, n_jobs=1):
        self._n_components = Z.shape[1]
        # A line is a map whose second coordinate is 0.
        self._Z = np.zeros((len(Z), 2))
        self._Z[:, : Z.shape[1]] = Z
        self._P, self._n_jobs = P, n_jobs
        self._gains, self._update = np.ones_like(self._Z), np.zeros_like(self._Z)

    @property
    def places(self):
        """Positions of the points (n, q)."""
        return np.ascontiguousarray(self._Z[:, : self._n_components])

    def divergence(self):
        """Return the divergence that t-SNE minimizes."""
        return slopes_of_places(self._Z, self._P, self._n_jobs, has_error=True)[0]

    def run(self, n_iter, exaggeration=None, learning_rate="auto", watch=None):
        """Run iterations; return whether ``watch`` requested a stop."""
        from labelscape.embeddings.tsne import _tree_kernels as kernels

        factor, state = exaggeration or 1.0, (self._gains, self._update)
        P = self._P if factor == 1.0 else self._P * factor
        rate = learning_rate
        if isinstance(rate, str):
            rate = len(self._Z) / factor
        if watch is None and len(self._Z) <= FEW_OBJECTS:  # all iterations in one call
            matrix = P.indptr, P.indices, P.data
            kernels.descend(n_iter, self._Z, *state, matrix, ANGLE, float(rate))
            return False
        for i in range(n_iter):
            has_error = watch is not None
            error, slopes = slopes_of_places(self._Z, P, self._n_jobs, has_error)
            if watch and watch(i + 1, error / factor - np.log(factor), self.places):
                return True
            kernels.move(self._Z, slopes, *state, float(rate))
        return False


def slopes_of_places(Z, P, n_jobs=1, has_error=False):
    """Return the KL divergence (or 0) and the gradient of t-SNE at Z (n, 2)."""
    from labelscape.embeddings.tsne import _tree_kernels as kernels

    n, tree = len(Z), kernels.tree_of(Z)
    pull, push = np.empty_like(Z), np.empty_like(Z)
    matrix = P.indptr, P.indices, P.data
    step = max(AT_ONCE, -(-n // MOST_PARTS)) if n > FEW_OBJECTS else n
    sums = np.empty((-(-n // step), 2))

    def block(parts):
        ends = parts.start, parts.stop
        kernels.forces(ends, step, tree, Z, matrix, ANGLE, has_error, pull, push, sums)

    blocks = row_blocks(len(sums), 1, max(FEWEST_PARTS, -(-len(sums) // MOST_BLOCKS)))
    with as_one_of_many() if n_workers(n_jobs) == 1 else nullcontext():
        map_blocks(block, blocks)
    total, divergence = sums.sum(axis=0).tolist()
    if has_error:
        divergence += float(P.data.sum() * np.log(max(total, kernels.TINY)))
    return divergence, pull - push / max(total, kernels.TINY)
