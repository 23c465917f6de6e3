"""Bounds of the weight of each feature in a linear rule, from linear programs.

A linear rule ``sign(v x + b)`` separates the rows of one prototype from those of other
classes. The features are standardized, and shuffled features are added. With h the
mean hinge loss, in which both sets of rows have equal weight,

1. ``min h(v, b) + penalty |v|_1`` gives the norm that the data support;
2. ``min h(v, b)`` with ``|v|_1 <= limit``, `MORE_NORM` times that norm, gives the loss;
3. among all rules of this norm with a loss at most `TOLERANCE` standard errors larger,
   the least and the greatest ``|v_j| / limit`` are the bounds of feature j.

A feature is necessary if its lower bound is not 0. Any other feature is replaceable
if its upper bound is larger than that of shuffled features (Göpfert et al. 2018, where
the tolerance is a parameter). A feature with different class means is also replaceable:
it is useful without the other features, even if its upper bound is small.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import RandomState
from scipy.optimize import linprog
from scipy.sparse import csr_array, vstack
from scipy.stats import f_oneway, t

from labelscape._core.threads import ignored
from labelscape._core.types import Array, Bools, Floats, Ints

MORE_NORM = 3.0
# Losses of two good rules on the same rows are correlated, so that their difference
# varies less than either of them.
TOLERANCE = 0.75
NEEDED = 0.02  # a lower bound above this is treated as positive
# Number of shuffled features, which show the upper bounds reached by chance, and the
# probability that any feature exceeds them. It is low, because the tails are longer
# than assumed.
N_SHUFFLED, FALSE_ALARMS = 20, 0.001
UNLIKE = 0.005  # significance level of the test for different class means


class Bounds(NamedTuple):
    """Bounds of the relative weight of each feature, and an upper bound by chance."""

    lower: Floats
    upper: Floats
    chance: float


def relevance_bounds(
    X: Array, sides: list[tuple[Bools, Bools]], units: Ints, rng: RandomState
) -> Bounds:
    """Return the bounds over all problems; a problem separates two sets of rows.

    A feature is necessary if any of the problems needs it, so the largest bounds are
    returned. Bounds are relative to the largest limit, because two sets that can hardly
    be separated contain little information about features.
    """
    d = X.shape[1]
    Z = standardized(X)
    copied = np.resize(rng.permutation(d), N_SHUFFLED)
    shuffled = np.column_stack([rng.permutation(Z[:, j]) for j in copied])
    Z = np.column_stack([Z, shuffled])
    lower, upper, limit = np.zeros(d), np.zeros(d + N_SHUFFLED), 0.0
    for first, second in sides:
        rows = first | second
        y = np.where(first[rows], 1.0, -1.0)
        problem = Separation(Z[rows], y, units[rows])
        limit = max(limit, problem.limit)
        lower = np.maximum(lower, [problem.least(j) for j in range(d)])
        upper = np.maximum(upper, [problem.greatest(j) for j in range(len(upper))])
    lower, upper = lower / (limit or 1.0), upper / (limit or 1.0)
    return Bounds(lower, upper[:d], _exceeded_rarely(upper[d:], d))


def unlike_classes(X: Array, codes: Ints, units: Ints) -> Bools:
    """Return a mask of features whose class means differ (F-test on means of units)."""
    cells, cell = np.unique(
        np.column_stack([codes, units]), axis=0, return_inverse=True
    )
    means = np.zeros((len(cells), X.shape[1]))
    np.add.at(means, cell.ravel(), standardized(X))
    means /= np.bincount(cell.ravel())[:, None]
    with ignored(Warning):  # for constant features, whose p is NaN
        p = f_oneway(*(means[cells[:, 0] == c] for c in np.unique(codes))).pvalue
    return np.asarray(p * X.shape[1] < UNLIKE)


def standardized(X: Array) -> Floats:
    """Return features with mean 0 and variance 1; missing values become the mean."""
    mean, spread = np.nanmean(X, axis=0), np.nanstd(X, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        Z = (X - mean) / spread
    return np.where(np.isfinite(Z), Z, 0.0)


def _exceeded_rarely(values: Floats, n_features: int) -> float:
    """Return a limit that values rarely exceed if their square roots are normal."""
    roots, m = np.sqrt(np.maximum(values, 0.0)), len(values)
    rarely = t.ppf(1.0 - FALSE_ALARMS / n_features, m - 1) * np.sqrt(1.0 + 1.0 / m)
    return float((roots.mean() + rarely * roots.std(ddof=1)) ** 2)


class Separation:
    """Linear rules that separate two sets of rows nearly as well as the best rule.

    The variables of the programs are v+ (d), v- (d), b and the slack of each row.
    """

    def __init__(self, Z: Floats, y: Floats, units: Ints) -> None:
        n, self._d = Z.shape
        d = self._d
        weights = np.where(y > 0, 0.5 / np.sum(y > 0), 0.5 / np.sum(y < 0))
        # y (v x + b) >= 1 - slack
        signed = y[:, None] * Z
        self._A = csr_array(np.column_stack([-signed, signed, -y, -np.eye(n)]))
        self._right = -np.ones(n)
        self._ends = np.full((2 * d + 1 + n, 2), (0.0, np.inf))
        self._ends[2 * d, 0] = -np.inf
        loss, norm = np.zeros((2, 2 * d + 1 + n))
        loss[2 * d + 1 :], norm[: 2 * d] = weights, 1.0
        penalty = np.sqrt(np.log(2.0 * d) / n)
        self.limit = MORE_NORM * float(norm @ self._solved(loss + penalty * norm))
        if self.limit < 1e-9:  # nothing separates the sides
            self.limit = 0.0
            return
        self._require(norm, self.limit)
        slack = self._solved(loss)[2 * d + 1 :]
        of_unit = np.bincount(np.unique(units, return_inverse=True)[1], weights * slack)
        n_units = len(of_unit)
        error = max(of_unit.std(ddof=1) * np.sqrt(n_units), 1.0 / n_units)
        self._require(loss, float(weights @ slack) + TOLERANCE * error)

    def least(self, j: int) -> float:
        """Return the smallest absolute weight of a feature."""
        return self._weight(j, 1.0, 1.0)

    def greatest(self, j: int) -> float:
        """Return the largest absolute weight of a feature."""
        return max(-self._weight(j, -1.0, 1.0), -self._weight(j, 1.0, -1.0))

    def _weight(self, j: int, plus: float, minus: float) -> float:
        if not self.limit:
            return 0.0
        goal = np.zeros(len(self._ends))
        goal[j], goal[self._d + j] = plus, minus
        return float(goal @ self._solved(goal))

    def _require(self, coefficients: Floats, most: float) -> None:
        self._A = csr_array(vstack([self._A, csr_array(coefficients[None])]))
        self._right = np.append(self._right, most)

    def _solved(self, goal: Floats) -> Floats:
        solution = linprog(goal, self._A, self._right, bounds=self._ends)
        if solution.x is None:
            raise RuntimeError(f"no relevance bounds: {solution.message}")
        return np.asarray(solution.x)
