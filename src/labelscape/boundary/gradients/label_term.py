"""The label term of the inverse map: what comes back should be classified as before.

With Z = Psi A the objects that come back, it minimises (spec 7)

    E(A) = lambda1 |X - Z|^2 / (n v) + lambda2 |r(X) - r(Z)|^2 / (n C')

v being the sum of the features' variances and r (n, C') the classifier's strength.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from labelscape._core.optimize import minimize_lbfgs
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape.boundary.gradients import analytic_pass
from labelscape.boundary.gradients.sources import (
    by_differences,
    by_formula,
    by_surrogate,
    by_user,
    formula_holds,
    is_piecewise_constant,
    values_by_formula,
)

# With more features, central differences need too many predictions.
MOST_FEATURES = 20
# The search ends when so many iterations have lowered the label term by less than this
# part of what it was. Were it E that counts, the rest of the search would undo the
# ridge penalty of the start, and with it the smoothness of the map.
PATIENCE, LEAST_GAIN = 5, 0.02
MOST_ITERATIONS = 100


@dataclass(frozen=True)
class LabelTerm:
    """What became of the label term."""

    # The weight that was used, 0 if the term was left out.
    lambda2: float
    # Where the slope of the strength came from: "analytic: ..." with the name of the
    # classifier, "given", "differences", "surrogate" or "none".
    slope: str
    # Why, in words.
    reason: str
    # Iterations.
    n_iter: int = 0
    # E at the ridge solution, and at the end.
    cost_before: float = np.nan
    cost_after: float = np.nan


def refine(A, Psi, X, strength, *, lambda1, lambda2, slope=None):
    """Improve the coefficients of an inverse map by the label term.

    Shapes: A (m, D), Psi (n, m), X (n, D).
    """
    A, X = np.asarray(A, dtype=np.float64), np.asarray(X, dtype=np.float64)
    with one_blas_thread():
        Z = _product(Psi, A)
        target, values = strength.values(X), strength.values(Z)
        chosen = _chosen_slope(strength, slope, X, Z, target, values)
        name, reason = chosen.name, chosen.reason
        if chosen.source is None:
            return A, LabelTerm(0.0, name, reason)

        cost = _Cost(Psi, X, chosen.target, chosen.source, lambda1, lambda2)
        before = cost.of(Z, values - target)
        found = _minimum(cost, A)
        Z = _product(Psi, found.x)
        after = cost.of(Z, strength.values(Z) - target)
    if not after < before:
        reason = f"No step along the slope ({name}) lowered the cost."
        return A, LabelTerm(0.0, name, reason, found.n_iter, before, before)
    return found.x, LabelTerm(lambda2, name, reason, found.n_iter, before, after)


class _Cost:
    """E and its slope, as functions of A."""

    def __init__(self, Psi, X, target, source, lambda1, lambda2):
        self.Psi, self.X, self.target, self.source = Psi, X, target, source
        # From the first, so that objects that are all the same have exactly none.
        spread = len(X) * (X - X[0]).var(axis=0).sum() or 1.0
        self.weights = lambda1 / spread, lambda2 / target.size
        self.unit = float(np.sqrt(spread / X.size))
        self.label = np.inf  # the label term where E was last asked for

    def of(self, Z, gaps):
        """Return E for objects Z that come back, with ``gaps = r(Z) - r(X)``."""
        first, second = self.weights
        self.label = float(second * np.square(gaps).sum())
        return float(first * np.square(self.X - Z).sum()) + self.label

    def with_slope(self, A):
        """Return E and dE/dA = Psi^T [2 w1 (Z - X) + 2 w2 J_r(Z)^T (r(Z) - r(X))]."""
        first, second = self.weights
        Z = _product(self.Psi, A)
        gaps, G = self.source(Z, self.target)
        G *= 2.0 * second
        G += 2.0 * first * (Z - self.X)
        return self.of(Z, gaps), _product(self.Psi.T, G)


def _minimum(cost, A):
    """Return the minimum that L-BFGS finds, in the units of the objects' spread."""
    unit = cost.unit
    labels = []  # the label term at the start and after each iteration

    def objective(vector):
        value, slope = cost.with_slope(unit * vector.reshape(A.shape))
        if not labels:
            labels.append(cost.label)
        return value, unit * slope.ravel()

    def is_done(_vector, _value):
        labels.append(cost.label)
        if len(labels) <= PATIENCE:
            return False
        return labels[-1 - PATIENCE] - labels[-1] < LEAST_GAIN * labels[0]

    found = minimize_lbfgs(
        objective, A.ravel() / unit, max_iter=MOST_ITERATIONS, on_iteration=is_done
    )
    return found._replace(x=unit * found.x.reshape(A.shape))


class _Slope(NamedTuple):
    """A source of slopes, None if r has none; its name, and why it was chosen.

    ``target`` is r(X) as the source knows it: a formula may be a smooth version of r.
    """

    source: Callable | None
    name: str
    reason: str
    target: np.ndarray | None = None


def _chosen_slope(strength, slope, X, Z, target, values):
    """Return the best slope there is, ``target`` and ``values`` being r(X) and r(Z)."""
    kind = strength.name
    if strength.kind == "label":
        return _Slope(None, "none", f"{kind} gives labels only: they have no slope.")
    if slope is not None:
        source = by_user(strength, slope)
        return _Slope(source, "given", "The slope was given.", target)

    forward = analytic_pass(strength.classifier, strength.kind)
    if forward is not None and formula_holds(values_by_formula(forward, Z), values):
        smooth = values_by_formula(forward, X)
        reason = f"{kind} has a formula."
        return _Slope(by_formula(forward), f"analytic: {kind}", reason, smooth)
    scale = X.std(axis=0)
    if is_piecewise_constant(strength, Z, scale):
        reason = f"{kind} is constant in pieces: small steps change nothing."
        return _Slope(None, "none", reason)
    reason = f"There is no formula for {kind}, and X has {X.shape[1]} features."
    if X.shape[1] <= MOST_FEATURES:
        source = by_differences(strength, scale)
        return _Slope(source, "differences", reason, target)
    source = by_surrogate(
        strength, np.concatenate([X, Z]), np.concatenate([target, values])
    )
    return _Slope(source, "surrogate", reason, target)


def _product(P, B):
    """Return ``P @ B``: each block of rows by one thread, whatever their number."""
    blocks = row_blocks(P.shape[0], 8 * P.shape[1], budget=2**20)
    return np.concatenate(map_blocks(lambda rows: P[rows] @ B, blocks))
