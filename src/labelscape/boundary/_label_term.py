"""The label term of the inverse map, which keeps the classifier's outputs.

With the samples Z = Psi A of the inverse map, the minimized cost is

    E(A) = lambda1 |X - Z|^2 / (n v) + lambda2 |r(X) - r(Z)|^2 / (n C')

where v is the sum of the features' variances and r (n, C') the classifier's scores.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from labelscape._core.errors import InputError
from labelscape._core.numerics import as_numbers, minimize_lbfgs
from labelscape._core.points.distances import squared_distances
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape.boundary._slopes import analytic_pass, radial_sum

# The search ends when PATIENCE iterations have lowered the label term by less than this
# share. A rule for E would continue the search, and the map would become less smooth
# than its start, which is a ridge regression.
PATIENCE, LEAST_GAIN = 5, 0.02
MOST_ITERATIONS = 100
# A cost that is lower by a smaller share is not lower: rounding alone can do this.
ROUNDING = 1e-12


@dataclass(frozen=True)
class LabelTerm:
    """The label term that was used, with the cost E before and after optimization."""

    lambda2: float  # 0 if the term was omitted
    # "analytic: " and the name of the classifier, "given", "surrogate", "none".
    slope: str
    reason: str
    n_iter: int = 0
    cost_before: float = np.nan
    cost_after: float = np.nan


def refine(A, Psi, X, scores, *, lambda1, lambda2, slope=None):
    """Improve A (m, D) with the label term; Psi is (n, m), X (n, D)."""
    A, X = np.asarray(A, dtype=np.float64), np.asarray(X, dtype=np.float64)
    with one_blas_thread():
        Z = _product(Psi, A)
        target, values = scores.values(X), scores.values(Z)
        chosen = _chosen_slope(scores, slope, X, Z, target, values)
        name, reason = chosen.name, chosen.reason
        if chosen.source is None:
            return A, LabelTerm(0.0, name, reason)

        cost = _Cost(Psi, X, chosen.target, chosen.source, lambda1, lambda2)
        before = cost.of(Z, values - target)
        minimum = _minimum(cost, A)
        Z = _product(Psi, minimum.x)
        after = cost.of(Z, scores.values(Z) - target)
    if not after < (1.0 - ROUNDING) * before:
        reason = f"No step along the slope ({name}) lowered the cost."
        return A, LabelTerm(0.0, name, reason, minimum.n_iter, before, before)
    return minimum.x, LabelTerm(lambda2, name, reason, minimum.n_iter, before, after)


class _Cost:
    """E and its gradient, as functions of A."""

    def __init__(self, Psi, X, target, source, lambda1, lambda2):
        self.Psi, self.X, self.target, self.source = Psi, X, target, source
        # Relative to the first sample, so that equal samples have exactly no spread.
        spread = len(X) * (X - X[0]).var(axis=0).sum() or 1.0
        self.weights = lambda1 / spread, lambda2 / target.size
        self.unit = float(np.sqrt(spread / X.size))
        self.label = np.inf  # the label term at the last evaluation of E

    def of(self, Z, gaps):
        """Return E for samples Z of the inverse map, with ``gaps = r(Z) - r(X)``."""
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
    """Return the minimum found by L-BFGS, in units of the samples' spread."""
    unit = cost.unit
    labels: list[float] = []  # the label term at the start and after each iteration

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

    minimum = minimize_lbfgs(
        objective, A.ravel() / unit, max_iter=MOST_ITERATIONS, on_iteration=is_done
    )
    return minimum._replace(x=unit * minimum.x.reshape(A.shape))


class _Slope(NamedTuple):
    """The source of gradients (or None), and the scores r(X) that belong to it."""

    source: Callable[..., Any] | None
    name: str
    reason: str
    target: np.ndarray | None = None


def _chosen_slope(scores, slope, X, Z, target, values):
    """Return the best source of gradients; ``target`` is r(X), ``values`` is r(Z)."""
    kind = scores.name
    if scores.kind == "label":
        return _Slope(None, "none", f"{kind} returns only labels, which have no slope.")
    if slope is not None:
        source = by_user(scores, slope)
        return _Slope(source, "given", "The slope was given.", target)

    forward = analytic_pass(scores.classifier, scores.kind, X)
    if forward is not None and _holds(_values_by_formula(forward, Z), values):
        smooth = _values_by_formula(forward, X)
        reason = f"The slope of {kind} is computed with a formula."
        return _Slope(by_formula(forward), f"analytic: {kind}", reason, smooth)
    if is_piecewise_constant(scores, Z, X.std(axis=0)):
        reason = f"{kind} is piecewise constant, so small steps change nothing."
        return _Slope(None, "none", reason)
    source = by_surrogate(
        scores, np.concatenate([X, Z]), np.concatenate([target, values])
    )
    return _Slope(
        source, "surrogate", (f"There is no formula for the slope of {kind}."), target
    )


def _product(P, B):
    """Return ``P @ B``, computing each block of rows in one thread."""
    blocks = row_blocks(P.shape[0], 8 * P.shape[1], budget=2**20)
    return np.concatenate(map_blocks(lambda rows: P[rows] @ B, blocks))


# Sources of gradients. A *source* is a function ``(Z, target) -> (gaps, G)`` with
# ``gaps = r(Z) - target`` (n, C') and ``G = J_r(Z)^T gaps`` (n, D). Nothing else is
# needed for the label term.

# Number of rows in a block: enough for a matrix product, few enough for the cache.
BLOCK = 256
# Steps in both directions, in units of a feature's standard deviation, that test
# whether there is a gradient. They are large enough for networks in float32.
SMALL_STEP = 1e-6
# If a small step changes r at fewer than this share of the points, r is piecewise
# constant.
LEAST_MOVED = 0.25
# A formula is used if its errors have at most this share of the variance of the values.
# Votes of pairs are smoothed, so their formula is not exact.
LEAST_LEFT = 0.1


def by_formula(forward):
    """Return the source of gradients from a forward function, computed in blocks."""

    def source(Z, target):
        gaps, G = np.empty_like(target), np.empty_like(Z)

        def block(rows):
            values, back = forward(Z[rows])
            gaps[rows] = values - target[rows]
            G[rows] = back(gaps[rows])

        map_blocks(block, row_blocks(len(Z), 1, budget=BLOCK))
        return gaps, G

    return source


def _values_by_formula(forward, Z):
    """Return the values (n, C') of a forward function, computed in blocks."""
    blocks = row_blocks(len(Z), 1, budget=BLOCK)
    return np.concatenate(map_blocks(lambda rows: forward(Z[rows])[0], blocks))


def _holds(ours, values):
    """Return whether a formula reproduces the outputs of the classifier."""
    if ours.shape != values.shape:
        return False
    left = np.square(ours - values).sum()
    return bool(left <= LEAST_LEFT * np.square(values - values.mean(axis=0)).sum())


def by_user(scores, slope):
    """Return the source for a user's function ``Z -> (n, C', D)``."""

    def source(Z, target):
        gaps, G = scores.values(Z) - target, np.empty_like(Z)
        for rows in row_blocks(len(Z), 8 * target.shape[1] * Z.shape[1]):
            wanted = (rows.stop - rows.start, target.shape[1], Z.shape[1])
            J = _checked_slope(slope(Z[rows].copy()), wanted)
            G[rows] = np.einsum("nc,ncd->nd", gaps[rows], J)
        return gaps, G

    return source


def _checked_slope(J, wanted):
    """Return the result of a user's function as floats, after a check."""
    shape = f"an array of numbers, of shape {wanted}"
    J = as_numbers(J, wanted=shape, source="ClassifierMap: slope")
    if J.shape != wanted:
        raise InputError(
            "slope must return an array of shape (points, columns of "
            f"the scores, features) = {wanted}, got {J.shape}. Its entry [i, c, j] "
            "is the slope of column c at point i along feature j.",
            owner="ClassifierMap",
            parameter="slope",
        )
    wrong = ~np.isfinite(J).all(axis=(1, 2))
    if wrong.any():
        what = "NaN" if np.isnan(J).any() else "infinity"
        raise InputError(
            f"slope returned {what}, in {wrong.sum()} of {len(J)} rows, "
            f"the first in row {wrong.argmax()}. Return 0 if the slope is undefined.",
            owner="ClassifierMap",
        )
    return J


def is_piecewise_constant(scores, Z, scale):
    """Return whether small steps change the outputs r at only a few points."""
    steps = SMALL_STEP * scale * np.random.RandomState(0).standard_normal(Z.shape)
    moved = scores.values(Z + steps) != scores.values(Z - steps)
    return bool(moved.any(axis=1).mean() < LEAST_MOVED)


# A smooth surrogate of a classifier without a gradient.
#
# Radial kernels are fitted to the outputs of the classifier at some points: to its
# decision values, or to the logarithms of its probabilities, followed by a softmax.
# Only the gradient is used, and its direction may be approximate.

# Maximum number of points, and weight of the penalty in the fit.
MOST_POINTS, RIDGE = 2000, 0.1
LEAST_PROBABILITY = 1e-6  # smaller probabilities are replaced by this value


def by_surrogate(scores, points, r):
    """Return the source with the gradient of a surrogate, and with the true r(Z)."""
    step = -(-len(points) // MOST_POINTS)
    points, r = points[::step], r[::step]
    is_probability = scores.kind == "probability"
    if is_probability:
        r = np.log(np.maximum(r, LEAST_PROBABILITY))
    kernels = _kernel_ridge(points, r)

    def source(Z, target):
        values = scores.values(Z)
        R = gaps = values - target
        if is_probability:
            # The gradient of a softmax at the values of the classifier.
            R = values * (R - np.sum(values * R, axis=1, keepdims=True))
        return gaps, kernels(Z)[1](R)

    return source


def _kernel_ridge(points, values):
    """Fit Gaussian kernels to values; return the forward function of their sum."""
    mean = values.mean(axis=0)
    centered = points - points.mean(axis=0)
    squares = squared_distances(centered, centered)
    usual = np.median(squares[squares > 0.0]) if (squares > 0.0).any() else 1.0
    gamma = 0.5 / usual
    K = np.exp(-gamma * squares)
    K.flat[:: len(K) + 1] += RIDGE
    U = cho_solve(cho_factor(K, overwrite_a=True), values - mean)
    return radial_sum(points, U, mean, gamma)
