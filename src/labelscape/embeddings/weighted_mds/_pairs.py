"""Weighted stress: its pairs, two solvers, and new samples on a finished map."""

from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import coo_array, csr_array, diags_array, issparse, triu
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, cg
from scipy.spatial.distance import squareform

from labelscape._core.errors import InputError
from labelscape._core.numerics import minimize_lbfgs
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks

refused = partial(InputError, owner="WeightedMDS")
# Distances below this share of the mean are not used as divisors: nearly identical
# samples would otherwise dominate the stress.
FLOOR = 1e-6
# Minimum number of pairs in a block, and maximum number of blocks, one gradient each.
BLOCK_PAIRS = 2**16
MOST_BLOCKS = 16


class WeightedPairs(NamedTuple):
    """Targets T and factors V of the pairs i < j of n points, row by row."""

    # T is the distance to be shown, in units of the weighted mean ``unit``; V is w_ij /
    # T_ij, divided by the sum of w T: so sum V (d - T)^2 is the normalized stress.
    # Where pairs are listed, those of row i are starts[i] to starts[i + 1], with j in
    # ``partners``.
    n: int
    unit: float
    T: np.ndarray
    V: np.ndarray
    starts: np.ndarray | None = None
    partners: np.ndarray | None = None


def merged_weights(W, number, n):
    """Return weights between groups, summed over members (condensed or sparse)."""
    # ``number`` is each sample's group. W is None (weights of 1), an array or sparse.
    if W is None:
        size = np.bincount(number, minlength=n).astype(np.float64)
        return np.concatenate([size[i] * size[i + 1 :] for i in range(n)])
    if n < len(number):
        groups = csr_array((np.ones(len(number)), (np.arange(len(number)), number)))
        W = groups.T @ W @ groups
    if issparse(W):
        upper = csr_array(triu(W, k=1))
        upper.eliminate_zeros()
        upper.sort_indices()
        return upper
    return squareform(W, checks=False)  # the diagonal is not used


def weighted_pairs(dissimilarities, W, power):
    """Return the pairs for targets D^power and merged weights W."""
    n = dissimilarities.n
    if issparse(W):
        upper = coo_array(W)
        T = dissimilarities.pairs(upper.row, upper.col)
        w, lists = W.data, (W.indptr, W.indices)
    else:
        T, w, lists = dissimilarities.condensed(), W, (None, None)
    # Dividing by the largest distance first prevents overflow of powers.
    largest = T.max() or 1.0
    T = (T / largest) ** power
    total = np.sum(w * T)
    if total == 0.0:
        raise refused(
            "all distances with a positive weight are 0, so there is nothing to "
            "draw. Give positive weights to other pairs. If the features are so small "
            "that their squares are rounded to 0, rescale the features."
        )
    mean = total / np.sum(w)
    T /= mean
    V = w / np.maximum(T, FLOOR) / np.sum(w * T)
    with np.errstate(over="ignore", under="ignore"):
        unit = float(np.float64(largest) ** power * mean)
    if not 0.0 < unit < np.inf:
        raise refused(
            f"distances of up to {largest:.3g} with power={power:g} are too large "
            "or too small to compute a map. Rescale the features or lower the power."
        )
    return WeightedPairs(n, unit, T, V, *lists)


def fitted_size(Z, pairs):
    """Return the map Z (q, n), scaled to minimize the stress."""
    # Stress and gradient give both sums, because Z . gradient = 2 sum v d (d - T).
    Z = Z / np.sqrt(np.mean(Z**2))
    stress, gradient = stress_and_gradient(pairs)(Z)
    half = np.sum(Z * gradient) / 2.0
    vdT = half - stress + np.sum(pairs.V * pairs.T**2)
    return Z * (vdT / (half + vdT))


def unlinked_parts(W, n):
    """Return the number of unconnected parts, and the part of each point."""
    if not issparse(W):
        if W.all():
            return 1, np.zeros(n, dtype=int)
        W = csr_array(squareform(W))
    return connected_components(W, directed=False)


def laplacian(pairs):
    """Return V of the majorization: row sums of v on the diagonal, -v elsewhere."""
    if pairs.starts is None:
        L = -squareform(pairs.V)
        np.fill_diagonal(L, -L.sum(axis=1))
        return L
    upper = csr_array((pairs.V, pairs.partners, pairs.starts), shape=(pairs.n, pairs.n))
    both = upper + upper.T
    return csr_array(diags_array(both.sum(axis=1)) - both)


def stress_and_gradient(pairs):
    """Return the function that computes stress and gradient of a map Z (q, n)."""
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
        Z = np.ascontiguousarray(Z)  # so that kernels are compiled once
        parts = map_blocks(lambda rows: part(Z, rows), blocks)
        return sum(stress for stress, _ in parts), sum(slope for _, slope in parts)

    return evaluate


def _blocks(pairs):
    """Divide the rows into blocks with about the same number of pairs."""
    n = pairs.n
    if pairs.starts is None:
        before = np.arange(n) * (2 * n - np.arange(n) - 1) // 2
    else:
        before = pairs.starts[:-1]
    n_blocks = min(MOST_BLOCKS, 1 + len(pairs.T) // BLOCK_PAIRS)
    cuts = np.searchsorted(before, len(pairs.T) * np.arange(1, n_blocks) / n_blocks)
    return [slice(a, b) for a, b in pairwise(np.unique([0, *cuts, n]).tolist())]


# Two solvers: L-BFGS, and majorization (SMACOF).

# Up to this number of points, V is factored once; otherwise, each step solves with V.
LARGEST_FACTOR = 3000
EXACT = 1e-20  # below this stress, a map is exact


def lbfgs(evaluate, Z, *, max_iter, tol, on_iteration):
    """Minimize by L-BFGS from the map Z (q, n) and return the map and its stress."""
    last = evaluate(Z)[0]

    def objective(z):
        stress, gradient = evaluate(z.reshape(Z.shape))
        return stress, gradient.ravel()

    def after(z, stress):
        nonlocal last
        done = _converged(last, stress, tol)
        last = stress
        return on_iteration(z.reshape(Z.shape), stress) or done

    minimum = minimize_lbfgs(
        objective, Z.ravel(), max_iter=max_iter, tol=0.0, on_iteration=after
    )
    return minimum.x.reshape(Z.shape), minimum.value


def smacof(evaluate, Z, *, solve, max_iter, tol, on_iteration):
    """Minimize by majorization: every step lowers the stress, without a line search."""
    # The Guttman transform V^+ B(Z) Z is Z - V^+ gradient / 2; ``solve`` multiplies by
    # V^+.
    stress, gradient = evaluate(Z)
    for _ in range(max_iter):
        moved = Z - solve(gradient) / 2.0
        next_stress, next_gradient = evaluate(moved)
        if next_stress > stress:  # only rounding errors are left
            break
        done = _converged(stress, next_stress, tol)
        Z, stress, gradient = moved, next_stress, next_gradient
        if on_iteration(Z, stress) or done:
            break
    return Z, stress


def laplacian_solver(V):
    """Return the function that multiplies a centered gradient (q, n) by V^+."""
    n = V.shape[0]
    if issparse(V) or n > LARGEST_FACTOR:
        return lambda gradient: _by_conjugate_gradients(V, gradient)
    with one_blas_thread():
        # V^+ g = (V + c 11^T)^-1 g for g orthogonal to 1; c keeps the scale of V.
        factor = cho_factor(V + np.trace(V) / n**2)

    def solve(gradient):
        with one_blas_thread():
            return cho_solve(factor, gradient.T).T

    return solve


def _by_conjugate_gradients(V, gradient, rtol=1e-3, max_iter=100):
    # With few iterations, conjugate gradients from 0 still lower the majorizing
    # parabola, so the stress cannot rise.
    diagonal = V.diagonal()
    jacobi = LinearOperator(V.shape, matvec=lambda x: np.ravel(x) / diagonal)
    with one_blas_thread():
        columns = [
            cg(V, row, rtol=rtol, maxiter=max_iter, M=jacobi)[0] for row in gradient
        ]
    return np.array(columns)


def _converged(before, now, tol):
    return before - now <= tol * before or now <= EXACT


# New samples on a finished map: each is placed where its own stress is lowest.

PLACING_STEPS = 60
# The search ends when steps are shorter than this share of the mean distance.
PLACING_TOL = 1e-5


def placed_among(distances, n_new, Z):
    """Return the positions (n_new, q) of samples on the map Z (L, q) of landmarks."""
    # The positions minimize sum_j (|y - z_j| - D_j)^2 / D_j, the stress of the map.
    # A sample that is a landmark keeps its position.
    from labelscape.embeddings.weighted_mds._kernels import settle_rows

    columns = np.ascontiguousarray(np.asarray(Z, dtype=np.float64).T)

    def place(rows):
        D = np.ascontiguousarray(distances(rows), dtype=np.float64)
        unit = D.mean(axis=1, keepdims=True)
        V = 1.0 / np.maximum(D, FLOOR * np.where(unit > 0.0, unit, 1.0))
        Y = np.empty((len(D), len(columns)))
        settle_rows(D, V, columns, Y, PLACING_STEPS, PLACING_TOL)
        return Y

    return np.concatenate(map_blocks(place, row_blocks(n_new, 32 * len(Z))))
