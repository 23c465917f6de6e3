"""Learning-rate schedules, and L-BFGS as the estimators use it."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Vector = NDArray[np.float64]


def decayed(start: float, decay: float, steps: int) -> float:
    """Return ``start / (1 + steps * decay)``: rates of eqs. 18 and 19, paper 000."""
    return start / (1.0 + steps * decay)


def annealed(start: Any, end: Any, t: Any) -> Any:
    """Return ``start (end/start)^t``: from start to end as t goes from 0 to 1.

    All three may be numbers, or arrays of them.
    """
    return start * (end / start) ** t


class Minimum(NamedTuple):
    """What :func:`minimize_lbfgs` found."""

    x: Vector
    value: float
    n_iter: int
    converged: bool
    stopped: bool


def minimize_lbfgs(
    objective: Callable[[Vector], tuple[float, Vector]],
    start: Vector,
    *,
    max_iter: int,
    tol: float = 1e-9,
    gradient_tol: float = 0.0,
    memory: int = 10,
    on_iteration: Callable[[Vector, float], bool] | None = None,
) -> Minimum:
    """Minimise a smooth function with L-BFGS."""
    stopped = False

    def after_iteration(intermediate_result: Any) -> None:
        nonlocal stopped
        assert on_iteration is not None
        if on_iteration(intermediate_result.x, float(intermediate_result.fun)):
            stopped = True
            raise StopIteration

    found = minimize(
        objective,
        start,
        jac=True,
        method="L-BFGS-B",
        callback=None if on_iteration is None else after_iteration,
        options={
            "maxiter": max_iter,
            "maxfun": 20 * max_iter,
            "maxcor": memory,
            "ftol": tol,
            "gtol": gradient_tol,
        },
    )
    return Minimum(
        x=found.x,
        value=float(found.fun),
        n_iter=int(found.nit),
        converged=bool(found.success),
        stopped=stopped,
    )
