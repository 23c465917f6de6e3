"""Normalized kernels: weights of centers, and least-squares coefficients.

With distances d and widths sigma the weight of center j at x is

    phi_j(x) = k_j(x) / sum_l k_l(x),   k_j(x) = exp(-d(x, x_j)^2 / (2 sigma_j^2)),

and x is mapped to ``sum_j alpha_j phi_j(x)``, with alphas fitted to known values. Maps
use this formula for new samples, and `ClassifierMap` uses it to compute samples.
"""

from collections.abc import Callable

import numpy as np
from scipy.linalg import cho_factor, cho_solve, lstsq

from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape._core.types import Floats

RCOND = 1e-10  # singular values below this share of the largest are treated as 0


def kernel_weights(squares: Floats, widths: Floats) -> Floats:
    """Return phi (b, m) from squared distances (b, m) and widths (m,)."""
    phi = squares / (-2.0 * np.square(widths))
    # A point far from all centers has the weights of the closest one.
    phi -= phi.max(axis=1, keepdims=True)
    np.exp(phi, out=phi)
    phi /= phi.sum(axis=1, keepdims=True)
    return phi


def coefficients(
    phi: Callable[[slice], Floats], Y: Floats, n_centers: int, ridge: float
) -> Floats:
    """Return alpha (m, q), which minimizes ``|Phi alpha - Y|^2 + penalty``."""
    # Values are relative to the mean, so that a penalty does not pull them to 0.
    mean: Floats = Y.mean(axis=0)
    gaps = Y - mean
    with one_blas_thread():
        alpha: Floats
        if ridge == 0.0:
            alpha = lstsq(phi(slice(0, len(Y))), gaps, cond=RCOND)[0]
        else:
            G, right = _normal_equations(phi, gaps, n_centers)
            G.flat[:: n_centers + 1] += ridge * np.trace(G) / n_centers
            alpha = cho_solve(cho_factor(G, overwrite_a=True), right)
    return mean + alpha


def _normal_equations(
    phi: Callable[[slice], Floats], gaps: Floats, m: int
) -> tuple[Floats, Floats]:
    """Return Phi^T Phi (m, m) and Phi^T ``gaps`` (m, q), from blocks of rows."""
    G, right = np.zeros((m, m)), np.zeros((m, gaps.shape[1]))
    for rows in row_blocks(len(gaps), 8 * m, budget=2**26):
        part = phi(rows)
        right += part.T @ gaps[rows]

        # One thread computes each column of G, so the order of its sums is fixed.
        def add(columns: slice, part: Floats = part) -> None:
            G[:, columns] += part.T @ part[:, columns]

        map_blocks(add, row_blocks(m, 8 * m, budget=2**22))
    return G, right
