"""The pairs a weighted stress is summed over: all of them, or those with a weight."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array, diags_array, issparse, triu
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform

from labelscape._core.errors import InputError
from labelscape._core.threads import map_blocks
from labelscape.embeddings.weighted_mds._solvers import laplacian_solver

# Distances below this part of the mean one are not divided by: nearly identical objects
# would otherwise outweigh everything else.
FLOOR = 1e-6
# Pairs that one thread takes at a time, and gradients kept until they are added up.
BLOCK_PAIRS = 2**16
MOST_BLOCKS = 16


class Pairs(NamedTuple):
    """Targets T and factors V of the pairs i < j of n points, row after row.

    T is the distance to be shown, in units of the weighted mean ``unit``. V is w_ij /
    T_ij, divided by the sum of w T: so ``sum V (d - T)^2`` is the normalised stress. If
    only some pairs are listed, those of row i are ``starts[i]`` to ``starts[i + 1]``
    and j is in ``partners``; else both are None.
    """

    n: int
    unit: float
    T: np.ndarray
    V: np.ndarray
    starts: np.ndarray | None = None
    partners: np.ndarray | None = None

    @property
    def collapsed(self):
        """The stress of the map that has all points in one place."""
        return np.sum(self.V * self.T**2)

    def evaluation(self):
        """Return the function that gives stress and gradient (q, n) of a map Z."""
        return stress_and_gradient(self)

    def solver(self):
        """Return the function that multiplies a centred gradient (q, n) by V^+."""
        return laplacian_solver(laplacian(self))


def merged_weights(W, number, n):
    """Return the weights between groups of objects: those of the members, added up.

    ``number`` tells each object's group, 0 to n - 1. W is None (every pair weighs 1),
    an array or a sparse matrix. Comes back condensed, or as the sparse upper triangle.
    """
    if W is None:
        size = np.bincount(number, minlength=n).astype(np.float64)
        rows = [size[i] * size[i + 1 :] for i in range(n)]
        return np.concatenate(rows)
    if n < len(number):
        ones = np.ones(len(number))
        groups = csr_array((ones, (np.arange(len(number)), number)))
        W = groups.T @ W @ groups
    if issparse(W):
        upper = csr_array(triu(W, k=1))
        upper.eliminate_zeros()
        upper.sort_indices()
        return upper
    return squareform(W, checks=False)  # the diagonal is not looked at


def weighted_pairs(dissimilarities, W, power):
    """Return the pairs for targets D^power and merged weights W."""
    n = dissimilarities.n
    if issparse(W):
        upper = coo_array(W)
        T = dissimilarities.pairs(upper.row, upper.col)
        w, lists = W.data, (W.indptr, W.indices)
    else:
        T, w, lists = dissimilarities.condensed(), W, (None, None)
    # The largest distance first, so that no power overflows.
    largest = T.max() or 1.0
    T = (T / largest) ** power
    total = np.sum(w * T)
    if total == 0.0:
        raise nothing_to_draw()
    mean = total / np.sum(w)
    T /= mean
    V = w / np.maximum(T, FLOOR) / np.sum(w * T)
    return Pairs(n, unit_of(largest, mean, power), T, V, *lists)


def nothing_to_draw():
    """Return the error for objects whose weighted distances are all 0."""
    return InputError(
        "all distances with a weight are 0, so there is nothing to "
        "draw. Give weights to pairs that differ, or rescale the features if their "
        "squares are too small for a computer.",
        owner="WeightedMDS",
    )


def unit_of(largest, mean, power):
    """Return the unit of the targets: their mean, of distances up to the largest."""
    with np.errstate(over="ignore", under="ignore"):
        unit = float(np.float64(largest) ** power * mean)
    if not 0.0 < unit < np.inf:
        raise InputError(
            f"distances up to {largest:.3g} to the power {power:g} are too large "
            "or too small for a computer. Rescale the features or lower the power.",
            owner="WeightedMDS",
        )
    return unit


def fitted_size(Z, pairs):
    """Return the map Z (q, n), shrunk or stretched to the size of least stress.

    The best factor is sum(v d T) / sum(v d^2); both sums follow from stress and slope,
    because Z . gradient = 2 sum v d (d - T).
    """
    Z = Z / np.sqrt(np.mean(Z**2))
    stress, gradient = pairs.evaluation()(Z)
    half = np.sum(Z * gradient) / 2.0
    vdT = half - stress + pairs.collapsed
    return Z * (vdT / (half + vdT))


def unlinked_parts(W, n):
    """Return the number of parts that no weight links, and each point's part."""
    if not issparse(W):
        if W.all():
            return 1, np.zeros(n, dtype=int)
        W = csr_array(squareform(W))
    return connected_components(W, directed=False)


def laplacian(pairs):
    """Return V of the majorisation: row sums of v on the diagonal, -v beside it."""
    if pairs.starts is None:
        L = -squareform(pairs.V)
        np.fill_diagonal(L, -L.sum(axis=1))
        return L
    shape = (pairs.n, pairs.n)
    upper = csr_array((pairs.V, pairs.partners, pairs.starts), shape=shape)
    both = upper + upper.T
    return csr_array(diags_array(both.sum(axis=1)) - both)


def stress_and_gradient(pairs):
    """Return the function that gives stress and gradient (q, n) of a map Z (q, n)."""
    from labelscape.embeddings.weighted_mds._kernels import dense_stress, sparse_stress

    blocks = _blocks(pairs)

    def part(Z, rows):
        gradient = np.zeros(Z.shape)
        where = (rows.start, rows.stop, gradient)
        if pairs.starts is None:
            return dense_stress(Z, pairs.T, pairs.V, *where), gradient
        lists = (pairs.starts, pairs.partners)
        return sparse_stress(Z, *lists, pairs.T, pairs.V, *where), gradient

    def evaluate(Z):
        Z = np.ascontiguousarray(Z)  # one layout, so that kernels are compiled once
        parts = map_blocks(lambda rows: part(Z, rows), blocks)
        return sum(stress for stress, _ in parts), sum(slope for _, slope in parts)

    return evaluate


def _blocks(pairs):
    """Cut the rows into blocks with about the same number of pairs."""
    n = pairs.n
    if pairs.starts is None:
        before = np.arange(n) * (2 * n - np.arange(n) - 1) // 2
    else:
        before = pairs.starts[:-1]
    n_blocks = min(MOST_BLOCKS, 1 + len(pairs.T) // BLOCK_PAIRS)
    cuts = np.searchsorted(before, len(pairs.T) * np.arange(1, n_blocks) / n_blocks)
    edges = np.unique([0, *cuts, n]).tolist()
    return [slice(a, b) for a, b in pairwise(edges)]
