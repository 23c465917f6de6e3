"""The smallest change of a sample that has categorical columns.

The features of such a column get the values of one of its categories, or do not change;
all other features can have any value. For each choice of an option for every column,
`smallest_change` finds the change of the other features.

The choices form a tree, with one column after the other. Each branch has a Lagrangian
lower bound: with t the moves of the free features, D_k^2 the squared cost of option k
and B_k its term in the planes of a winner's cell, ``A t + sum B_k <= -h``,

    g(u) = u.h + min_t (|t|^2 + u.A t) + sum_columns min_k (D_k^2 + u.B_k)

is at most the squared length of any change into that cell, for all u >= 0. The search
always continues with the branch of the lowest bound, and ends when this bound is
above the best change so far. That change is then the smallest.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from labelscape.prototypes.explain._counterfactual import (
    Change,
    allowed_moves,
    flips_of,
    images_and_slopes,
    sides,
    smallest_change,
    smallest_change_local,
)
from labelscape.prototypes.explain._polyhedron import ROUNDING

# Maximum numbers of bounds and choices; after these, the best change so far is
# returned.
MOST_BOUNDS, MOST_CHOICES = 4000, 1000
# With local metrics: number of choices tried alone, and with other features.
MOST_ALONE, MOST_LOCAL = 2000, 30
MOST_STEPS = 40  # steps that raise a bound, which is valid after any number of them
SMALLEST_STEP = 1e-3  # the search stops at relatively smaller steps
CLOSE = 1e-9  # possible rounding error between a bound and the change that attains it


def smallest_change_of_columns(
    x, prototypes, prototype_classes, categories, *, Omega=None, **wishes
):
    """Return the smallest change of numbers and categories; whether it is exact."""
    x, prototypes = np.asarray(x, float), np.asarray(prototypes, float)
    others = _without_fixed(wishes)

    def solve(z, fixed, cutoff):
        return smallest_change(
            z,
            prototypes,
            prototype_classes,
            Omega=Omega,
            fixed=fixed,
            cutoff=cutoff,
            **others,
        )

    task = question(x, categories, solve, **wishes)
    winners, rivals = sides(prototype_classes, wishes["own"], wishes.get("target"))
    if task is None or not len(winners):
        return None, True

    def cells():
        E, slopes = images_and_slopes(x, prototypes, Omega)
        slopes = slopes * task.scale
        return [_cell(task, winner, rivals, E, slopes) for winner in winners]

    return _Search(task, cells).run()


def smallest_change_of_columns_local(
    x, prototypes, prototype_classes, slopes, categories, **wishes
):
    """Return a small change for local metrics, trying the cheapest choices first."""
    others = _without_fixed(wishes)

    def solve(z, fixed, cutoff):
        return smallest_change_local(
            z, prototypes, prototype_classes, slopes, fixed=fixed, **others
        )

    task = question(np.asarray(x, float), categories, solve, **wishes)
    winners, _ = sides(prototype_classes, wishes["own"], wishes.get("target"))
    if task is None or not len(winners):
        return None, False
    choices = _cheapest(task.columns, MOST_ALONE)
    alone = (task.change_of_columns(choice) for choice in choices)
    best = next((change for change in alone if change is not None), None)
    for choice in choices[:MOST_LOCAL]:
        cutoff = np.inf if best is None else best.distance
        change = task.change(choice, cutoff)
        if change is not None and change.distance < cutoff:
            best = change
    return best, False


def _without_fixed(wishes):
    return {name: value for name, value in wishes.items() if name != "fixed"}


def _cheapest(columns, most):
    """Return the cheapest choices (at most ``most``), in the order of their cost."""
    heap, choices = [(0.0, (0,) * len(columns), 0)], list[tuple[int, ...]]()
    while heap and len(choices) < most:
        cost, choice, first = heappop(heap)
        choices.append(choice)
        # Each choice is reached once: columns before the last changed one are fixed.
        for i in range(first, len(columns)):
            k, costs = choice[i] + 1, columns[i].costs
            if k < len(costs):
                raised = (*choice[:i], k, *choice[i + 1 :])
                heappush(heap, (cost + costs[k] - costs[k - 1], raised, i))
    return choices


class _Cell(NamedTuple):
    """The planes ``A t + sum B_k <= -h`` of a winner, with normals of unit length."""

    A: np.ndarray
    h: np.ndarray
    least: np.ndarray  # (m,) the smallest ``A t`` that the free features can reach
    B: np.ndarray  # (m, K) the terms of the options of all columns, column by column


def _cell(task, winner, rivals, E, slopes):
    normals = slopes[rivals] - slopes[winner]
    h = ((E[winner] - E[rivals]) * (E[winner] + E[rivals])).sum(axis=1)
    lengths = np.linalg.norm(normals, axis=1)
    lengths[lengths == 0.0] = 1.0
    normals, h = normals / lengths[:, None], h / lengths
    A = normals[:, task.free]
    ends = np.where(A > 0, task.low, task.high)
    with np.errstate(invalid="ignore"):
        least = np.where(A == 0.0, 0.0, A * ends).sum(axis=1)
    added = [normals[:, c.features] @ c.moves.T for c in task.columns]
    return _Cell(A, h, least, np.hstack(added))


class _Branch(NamedTuple):
    """A set of choices that is still open, and a bound of its smallest change."""

    cell: _Cell
    # (K,) squared costs of the options, infinite for excluded ones
    costs: np.ndarray
    u: np.ndarray  # (m,) multipliers of the bound
    bound: float = 0.0  # lower bound of the squared length of all changes in it
    # (n,) the option of each column that attains the bound; None: not known yet
    picks: np.ndarray | None = None


class _Search:
    """The search for the smallest change, by branches in the order of their bounds."""

    def __init__(self, task, cells):
        self.task, self.cells = task, cells
        sizes = [len(column.costs) for column in task.columns]
        self._first = np.r_[0, np.cumsum(sizes)[:-1]]  # for the options of each column
        self._column = np.repeat(np.arange(len(sizes)), sizes)
        self.best, self.sure = None, True
        self._tried, self._n_bounds = set(), 0
        self._heap, self._order = [], count()

    @property
    def limit(self):
        """The squared length above which a change is not useful."""
        return np.inf if self.best is None else self.best.distance**2 * (1 - CLOSE)

    def run(self):
        """Return the best change, and whether no smaller one exists."""
        self._try(self._first)
        costs = np.concatenate([column.costs for column in self.task.columns])
        costs = np.where(costs < self.limit, costs, np.inf)
        if self._is_open(costs):
            for cell in self.cells():
                self._push(_Branch(cell, costs, np.zeros(len(cell.h))))
        while self._heap:
            bound, _, branch = heappop(self._heap)
            if bound >= self.limit:
                break
            if self._n_bounds >= MOST_BOUNDS or len(self._tried) >= MOST_CHOICES:
                return self.best, False
            branch = self._bounded(branch)
            if branch is not None and branch.bound < self.limit:
                self._try(branch.picks)
                self._split(branch)
        return self.best, self.sure

    def _try(self, picks):
        choice = tuple((picks - self._first).tolist())
        if choice in self._tried:
            return
        self._tried.add(choice)
        cutoff = np.inf if self.best is None else self.best.distance
        change = self.task.change(choice, cutoff)
        if change is not None and change.distance < cutoff:
            self.best = change
            self.sure = self.sure and change.exact

    def _split(self, branch):
        """Push a branch per option of the column whose best two options are closest."""
        # With another option, the bound rises by the difference of the two. So all
        # bounds are known, and many options of other columns can be excluded.
        reduced = branch.costs + branch.u @ branch.cell.B
        rise = reduced - reduced[branch.picks][self._column]
        costs = np.where(branch.bound + rise < self.limit, branch.costs, np.inf)
        if not self._is_open(costs):
            return
        gaps = np.where(np.isfinite(costs), rise, np.inf)
        gaps[branch.picks] = np.inf
        is_split = self._column == np.minimum.reduceat(gaps, self._first).argmin()
        for option in np.flatnonzero(is_split & np.isfinite(costs)):
            decided = np.where(is_split, np.inf, costs)
            decided[option] = costs[option]
            bound = branch.bound + float(rise[option])
            self._push(branch._replace(costs=decided, bound=bound, picks=None))

    def _is_open(self, costs):
        """Whether a column still has several options."""
        return np.isfinite(costs).sum() > len(self._first)

    def _push(self, branch):
        heappush(self._heap, (branch.bound, next(self._order), branch))

    def _bounded(self, branch):
        """Return the branch with an improved bound; None if it contains no change."""
        self._n_bounds += 1
        cell, costs, u = branch.cell, branch.costs, branch.u
        if not self._is_within_reach(cell, costs):
            return None
        best, step = None, None
        for _ in range(MOST_STEPS):
            bound, picks, slope = self._dual(cell, costs, u)
            if step is None:
                step = self.limit - bound
                step = step if np.isfinite(step) else max(1.0, abs(bound))
            if best is None or bound > best.bound:
                best = _Branch(cell, costs, u, bound, picks)
            else:
                step /= 2.0
            slope[(u <= 0.0) & (slope < 0.0)] = 0.0
            steep = slope @ slope
            is_done = steep == 0.0 or best.bound >= self.limit
            if is_done or step <= SMALLEST_STEP * abs(best.bound):
                break
            u = np.maximum(u + (step / steep) * slope, 0.0)
        return best

    def _is_within_reach(self, cell, costs):
        """Whether each plane can be crossed if the other planes are ignored."""
        is_open = np.isfinite(costs)
        if not np.logical_or.reduceat(is_open, self._first).all():
            return False
        B = np.where(is_open, cell.B, np.inf)
        reach = cell.h + cell.least + np.minimum.reduceat(B, self._first, axis=1).sum(1)
        return not (reach > ROUNDING * (np.abs(cell.h) + np.abs(cell.B).sum(1))).any()

    def _dual(self, cell, costs, u):
        """Return g(u), the option of each column that attains it, and the gradient."""
        pull = u @ cell.A
        t = np.clip(-pull / 2.0, self.task.low, self.task.high)
        reduced = costs + u @ cell.B
        lowest = np.minimum.reduceat(reduced, self._first)
        attained = np.flatnonzero(reduced == lowest[self._column])
        # The first one, if several options of a column attain it.
        picks = attained[np.diff(self._column[attained], prepend=-1) > 0]
        bound = u @ cell.h + t @ t + pull @ t + lowest.sum()
        return float(bound), picks, cell.h + cell.A @ t + cell.B[:, picks].sum(axis=1)


class Options(NamedTuple):
    """The possible values of a categorical column, cheapest first."""

    features: np.ndarray  # (m,) the features of the column
    values: np.ndarray  # (k, m) their values for each option
    moves: np.ndarray  # (k, m) their changes, in units of ``scale``
    costs: np.ndarray  # (k,) squared length of these changes


class Question(NamedTuple):
    """A sample, the options of its columns, and the allowed moves of other features."""

    x: np.ndarray
    # List of Options. A *choice* is one option number for each column.
    columns: list[Options]
    free: np.ndarray  # (N,) bool, the features outside columns that may change
    scale: np.ndarray  # (N,) units of the features
    # Limits of the moves t of the free features.
    low: np.ndarray
    high: np.ndarray
    flips: Callable[..., Any]  # whether a sample has the wanted class
    # Function from a sample, its fixed features and a maximum length to the smallest
    # `Change` of the others, or None.
    solve: Callable[..., Any]

    def with_choice(self, choice):
        """Return the sample with these options."""
        z = self.x.copy()
        for column, k in zip(self.columns, choice, strict=True):
            z[column.features] = column.values[k]
        return z

    def cost(self, choice):
        """Return the squared length of the change of the categorical columns alone."""
        return float(sum(c.costs[k] for c, k in zip(self.columns, choice, strict=True)))

    def change_of_columns(self, choice):
        """Return the change of the categorical columns, if it flips the prediction."""
        z = self.with_choice(choice)
        is_within = (self.low <= 0.0).all() and (self.high >= 0.0).all()
        if not (is_within and self.flips(z)):
            return None
        return Change(z, self.cost(choice) ** 0.5, True)

    def change(self, choice, cutoff=np.inf):
        """Return the smallest change with these options that is shorter than cutoff."""
        cost = self.cost(choice)
        if cost >= cutoff**2:
            return None
        change = self.change_of_columns(choice)
        if change is not None or not self.free.any():
            return change
        left = np.sqrt(cutoff**2 - cost)
        change = self.solve(self.with_choice(choice), ~self.free, left)
        if change is None:
            return None
        return change._replace(distance=float(np.hypot(cost**0.5, change.distance)))


def question(x, categories, solve, *, classify, own, target=None, **wishes):
    """Return the `Question` for these limits; None if they exclude all choices."""
    moves = allowed_moves(x, **wishes)
    if moves is None:
        return None
    movable = moves.free
    lower, upper = np.full(len(x), -np.inf), np.full(len(x), np.inf)
    lower[movable], upper[movable] = moves.lower, moves.upper
    scale = np.ones(len(x))
    scale[movable] = moves.scale
    columns = [_options(one, x, movable, lower, upper, scale) for one in categories]
    if not all(len(column.costs) for column in columns):
        return None
    free = movable.copy()
    for column in columns:
        free[column.features] = False

    def flips(z):
        return bool(flips_of(classify, z[None], own, target)[0])

    low, high = ((limit - x)[free] / scale[free] for limit in (lower, upper))
    return Question(x, columns, free, scale, low, high, flips, solve)


def _options(column, x, movable, lower, upper, scale):
    j = column.features
    own = column.of(x[None])[0]
    others = np.delete(column.codes, own, axis=0) if own >= 0 else column.codes
    if not movable[j].all():  # a fixed feature fixes its column
        others = others[:0]
    values = np.vstack([x[j], others])
    values = values[((values >= lower[j]) & (values <= upper[j])).all(axis=1)]
    moves = (values - x[j]) / scale[j]
    costs = (moves**2).sum(axis=1)
    order = np.argsort(costs, kind="stable")
    return Options(j, values[order], moves[order], costs[order])
