"""Checks of class probabilities, softmax, and the L-BFGS optimizer."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.rows.kinds import namespace_of
from labelscape._core.types import Bools, Floats

# Tolerance of the sum of probabilities, for networks that compute in float32.
SUM_TOLERANCE = 1e-3


def answer_bytes(n_features: int, n_classes: int) -> int:
    """Return the bytes of a sample's features or pair scores, whichever is larger."""
    return 8 * max(n_features, n_classes * (n_classes - 1) // 2)


def softmax(scores: Floats) -> Floats:
    """Turn scores (n, C) into probabilities in place; SciPy's function makes copies."""
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=1, keepdims=True)
    return scores


def array_softmax(scores: Any) -> Any:
    """Return the softmax of scores (n, C), in an array of any library."""
    xp = namespace_of(scores)
    powers = xp.exp(scores - xp.max(scores, axis=1, keepdims=True))
    return powers / xp.sum(powers, axis=1, keepdims=True)


def as_numbers(answers: Any, *, wanted: str, source: str) -> Floats:
    """Return the results of a user's function as floats, in a new array."""
    try:
        return np.array(answers, dtype=np.float64)
    # Tensors of a network that still have gradients raise a RuntimeError.
    except (TypeError, ValueError, RuntimeError) as error:
        reason = re.sub(r"np\.\w+\((.*?)\)", r"\1", str(error))  # like np.str_('yes')
        raise ValueError(
            f"{source} must return {wanted}; its result cannot be read as "
            f"numbers ({reason}). Pass a function that returns an array."
        ) from error


def checked_probabilities(p: Floats, *, source: str) -> Floats:
    """Return probabilities (n, C), rescaled so that each row adds up to exactly 1."""
    sums = p.sum(axis=1, keepdims=True)
    # Comparisons with NaN are False, so NaN is detected, too.
    right = (p >= 0.0).all(axis=1) & (np.abs(sums[:, 0] - 1.0) <= SUM_TOLERANCE)
    wanted = "probabilities, not negative and adding up to 1"
    refuse_rows(~right, p, wanted=wanted, source=source)
    return np.asarray(p / sums)


def refuse_rows(wrong: Bools, rows: Floats, *, wanted: str, source: str) -> None:
    """Raise a ValueError that shows the first wrong row, if there is one."""
    if wrong.any():
        raise ValueError(
            f"{source} must return {wanted}; {wrong.sum()} of {len(rows)} rows are "
            f"wrong, the first one is {np.round(rows[wrong][0, :5], 4)}. Check these "
            "rows, or pass a function that corrects them."
        )


def distance_terms(v: Floats, Omega: Floats | None = None) -> Floats:
    """Return ``v_j (Lambda v)_j``, whose sum over j is ``|Omega v|^2``."""
    # Lambda = Omega^T Omega, Omega (M, N). A term may be negative where features are
    # correlated.
    if Omega is None:
        return v * v
    if np.ndim(Omega) == 1:
        return (Omega * v) ** 2
    return v * ((Omega @ v) @ Omega)


def decayed(start: float, decay: float, steps: int) -> float:
    """Return ``start / (1 + steps * decay)`` (eqs. 18, 19 of Bunte et al. 2012)."""
    return start / (1.0 + steps * decay)


class Minimum(NamedTuple):
    """The result of `minimize_lbfgs`."""

    x: Floats
    value: float
    n_iter: int
    converged: bool
    stopped: bool


def minimize_lbfgs(
    objective: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    *,
    max_iter: int,
    tol: float = 1e-9,
    on_iteration: Callable[[Floats, float], bool] | None = None,
) -> Minimum:
    """Minimize a smooth function with L-BFGS."""
    from scipy.optimize import minimize

    stopped, slope = False, start

    def value(x: Floats) -> float:
        nonlocal slope
        cost, slope = objective(x)
        return cost

    def after_iteration(intermediate_result: Any) -> None:
        nonlocal stopped
        assert on_iteration is not None
        if on_iteration(intermediate_result.x, float(intermediate_result.fun)):
            stopped = True
            raise StopIteration

    # SciPy's cache of the gradient would compare all values of x at each call.
    result = minimize(
        value,
        start,
        jac=lambda _: slope,  # always called after the objective
        method="L-BFGS-B",
        callback=None if on_iteration is None else after_iteration,
        options={
            "maxiter": max_iter,
            "maxfun": 20 * max_iter,
            "maxcor": 10,
            "ftol": tol,
            "gtol": 0.0,
        },
    )
    return Minimum(
        x=result.x,
        value=float(result.fun),
        n_iter=int(result.nit),
        converged=bool(result.success),
        stopped=stopped,
    )
