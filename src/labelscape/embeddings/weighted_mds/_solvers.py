"""Two ways down the weighted stress: L-BFGS, and majorisation (SMACOF)."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import issparse
from scipy.sparse.linalg import LinearOperator, cg

from labelscape._core.optimize import minimize_lbfgs
from labelscape._core.threads import one_blas_thread

# Up to this many points V is factored once; beyond, each step solves with it anew.
LARGEST_FACTOR = 3000
# Below this stress a map is exact.
EXACT = 1e-20


def lbfgs(evaluate, Z, *, max_iter, tol, on_iteration):
    """Minimise by L-BFGS from the map Z (q, n) and return the map and its stress."""
    last = evaluate(Z)[0]

    def objective(z):
        stress, gradient = evaluate(z.reshape(Z.shape))
        return stress, gradient.ravel()

    def after(z, stress):
        nonlocal last
        done = _converged(last, stress, tol)
        last = stress
        return on_iteration(z.reshape(Z.shape), stress) or done

    found = minimize_lbfgs(
        objective, Z.ravel(), max_iter=max_iter, tol=0.0, on_iteration=after
    )
    return found.x.reshape(Z.shape), found.value


def smacof(evaluate, Z, *, solve, max_iter, tol, on_iteration):
    """Minimise by majorisation: every step lowers the stress, none needs a length.

    The Guttman transform V^+ B(Z) Z is ``Z - V^+ gradient / 2``, because the gradient
    is 2 (V Z - B(Z) Z). ``solve`` multiplies by V^+.
    """
    stress, gradient = evaluate(Z)
    for _ in range(max_iter):
        moved = Z - solve(gradient) / 2.0
        next_stress, next_gradient = evaluate(moved)
        if next_stress > stress:  # by rounding: nothing is left to gain
            break
        done = _converged(stress, next_stress, tol)
        Z, stress, gradient = moved, next_stress, next_gradient
        if on_iteration(Z, stress) or done:
            break
    return Z, stress


def laplacian_solver(V):
    """Return the function that multiplies a centred gradient (q, n) by V^+."""
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
    # Cut short, conjugate gradients from 0 still lower the majorising parabola, so the
    # stress cannot rise.
    diagonal = V.diagonal()
    jacobi = LinearOperator(V.shape, matvec=lambda x: np.ravel(x) / diagonal)
    with one_blas_thread():
        columns = [
            cg(V, row, rtol=rtol, maxiter=max_iter, M=jacobi)[0] for row in gradient
        ]
    return np.array(columns)


def _converged(before, now, tol):
    return before - now <= tol * before or now <= EXACT
