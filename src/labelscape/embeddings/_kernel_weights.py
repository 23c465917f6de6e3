"""Normalised kernels: from positions of some points to a map of all (spec 5).

With distances d and widths sigma the weight of centre j at x is

    phi_j(x) = k_j(x) / sum_l k_l(x),   k_j(x) = exp(-d(x, x_j)^2 / (2 sigma_j^2)),

and x goes to ``sum_j alpha_j phi_j(x)``, the alphas being fitted to the known places.
"""

import numpy as np
from scipy.linalg import cho_factor, cho_solve, lstsq

from labelscape._core.distances import exact_squared_distances
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks

# Widths that are tried, in units of the typical distance to the nearest neighbour.
FACTORS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
FOLDS = 5
# A point that lands farther from its place than its neighbours up to this one are is
# lost, and how far it is lost does not matter.
NEIGHBOURHOOD = 10
# Singular values below this part of the largest count as 0.
RCOND = 1e-10


def kernel_weights(squares, widths):
    """Return phi (b, m) from squared distances (b, m) and widths (m,).

    The largest exponent of a row is removed, so rows add up to 1 however far a point
    is: it then has the weights of its closest kernel.
    """
    phi = squares / (-2.0 * np.square(widths))
    phi -= phi.max(axis=1, keepdims=True)
    np.exp(phi, out=phi)
    phi /= phi.sum(axis=1, keepdims=True)
    return phi


def nearest_others(squares):
    """Return the distance (m,) of each point to its nearest other one.

    ``squares`` (m, m) holds squared distances. A point that is alone has distance 0.
    """
    if len(squares) == 1:
        return np.zeros(1)
    others = squares + np.diag(np.full(len(squares), np.inf))
    return np.sqrt(others.min(axis=1))


def global_width(nearest):
    """Return the typical distance to the nearest other point: a median, without 0.

    Where all points are in one place any width will do, and 1 is returned.
    """
    positive = nearest[nearest > 0.0]
    return float(np.median(positive)) if len(positive) else 1.0


def point_widths(nearest):
    """Return each point's own distance, the smallest positive one in place of 0."""
    positive = nearest[nearest > 0.0]
    smallest = positive.min() if len(positive) else 1.0
    return np.where(nearest > 0.0, nearest, smallest)


def coefficients(phi, Y, n_centers, ridge):
    """Return alpha (m, q) with the least ``|Phi alpha - Y|^2 + penalty``.

    Places are counted from their mean, so that a penalty does not pull the map to the
    origin: as rows of Phi add up to 1, the mean is simply added again.

    Parameters
    ----------
    phi : callable
        From a slice of the n points to their rows of Phi.
    Y : ndarray of shape (n, q)
        Known places.
    n_centers : int
        m, the columns of Phi.
    ridge : float
        Weight of ``|alpha|^2``, in units of the mean diagonal of Phi^T Phi. With 0 the
        pseudo-inverse of the paper.
    """
    mean = Y.mean(axis=0)
    gaps = Y - mean
    with one_blas_thread():
        if ridge == 0.0:
            return mean + lstsq(phi(slice(0, len(Y))), gaps, cond=RCOND)[0]
        G, right = _normal_equations(phi, gaps, n_centers)
        G.flat[:: n_centers + 1] += ridge * np.trace(G) / n_centers
        return mean + cho_solve(cho_factor(G, overwrite_a=True), right)


def _normal_equations(phi, gaps, m):
    """Return Phi^T Phi (m, m) and Phi^T gaps (m, q), from blocks of rows."""
    G, right = np.zeros((m, m)), np.zeros((m, gaps.shape[1]))
    for rows in row_blocks(len(gaps), 8 * m, budget=2**26):
        part = phi(rows)
        right += part.T @ gaps[rows]

        # One owner for each column of G, so its sums have one order.
        def add(columns, part=part):
            G[:, columns] += part.T @ part[:, columns]

        map_blocks(add, row_blocks(m, 8 * m, budget=2**22))
    return G, right


def best_factor(squares, Y, ridge, random_state):
    """Return which of ``FACTORS`` places held-out points best.

    Parameters
    ----------
    squares : ndarray of shape (m, m)
        Squared distances of points that are all centres.
    Y : ndarray of shape (m, q)
        Their places.
    ridge : float
        As for :func:`coefficients`.
    random_state : RandomState
        Draws the folds.
    """
    if len(Y) < 3:  # nothing to compare
        return FACTORS[1]
    errors = held_out_errors(squares, Y, ridge, random_state)
    return FACTORS[int(np.argmin(errors))]


def held_out_errors(squares, Y, ridge, random_state):
    """Return the summed error (n_factors,) of places of held-out points.

    Squared distances, but not more than the square of a neighbourhood on the map: else
    wide kernels would win, which put a point in doubt between two islands, where
    nothing belongs, because that is nearest to both on average.
    """
    m = len(Y)
    enough = neighbourhood_square(Y)
    fold = random_state.permutation(m) % min(FOLDS, m)
    errors = np.zeros(len(FACTORS))
    for k in range(fold.max() + 1):
        kept, left = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        inner, outer = squares[np.ix_(kept, kept)], squares[np.ix_(left, kept)]
        unit = global_width(nearest_others(inner))
        for i, factor in enumerate(FACTORS):
            widths = np.full(len(kept), factor * unit)
            Phi = kernel_weights(inner, widths)
            alpha = coefficients(Phi.__getitem__, Y[kept], len(kept), ridge)
            gaps = kernel_weights(outer, widths) @ alpha - Y[left]
            errors[i] += np.minimum(np.square(gaps).sum(axis=1), enough).sum()
    return errors


def neighbourhood_square(Y):
    """Return the median squared distance from a place to its 10th neighbour."""
    k = min(NEIGHBOURHOOD, len(Y) - 1)
    squares = exact_squared_distances(Y, Y)
    squares.partition(k, axis=1)  # the first is the place itself
    return float(np.median(squares[:, k])) or np.inf
