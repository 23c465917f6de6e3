"""What the columns of an object may become: a category as a whole, or what they are."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from labelscape._core.columns.categories import Categories
from labelscape._core.errors import InputError, ParameterError
from labelscape.prototypes.explain._counterfactual import Change, allowed_moves


class Options(NamedTuple):
    """What a column of categories may become, the cheapest first.

    features : (m,) the features of the column.
    values : (k, m) what they are with each option.
    moves : (k, m) the way there, in units of ``scale``.
    costs : (k,) squared length of that way.
    """

    features: np.ndarray
    values: np.ndarray
    moves: np.ndarray
    costs: np.ndarray


class Question(NamedTuple):
    """An object, what its columns may become, and how its other features may move.

    columns : list of Options; a *choice* is the number of an option for each.
    free : (N,) bool, the features of no column that may change.
    scale : (N,) units of the features.
    low, high : limits of the moves t of the free features.
    flips : from an object to whether it is where it should be.
    solve : from an object, its fixed features and a limit of the length to the
        smallest `Change` of the others that is shorter; None if there is none.
    """

    x: np.ndarray
    columns: list[Options]
    free: np.ndarray
    scale: np.ndarray
    low: np.ndarray
    high: np.ndarray
    flips: Callable
    solve: Callable

    def with_choice(self, choice):
        """Return the object with these options."""
        z = self.x.copy()
        for column, k in zip(self.columns, choice, strict=True):
            z[column.features] = column.values[k]
        return z

    def cost(self, choice):
        """Return the squared length of the change of the columns alone."""
        return float(sum(c.costs[k] for c, k in zip(self.columns, choice, strict=True)))

    def change_of_columns(self, choice):
        """Return the change to these options, if that is all it takes."""
        z = self.with_choice(choice)
        is_within = (self.low <= 0.0).all() and (self.high >= 0.0).all()
        if not (is_within and self.flips(z)):
            return None
        return Change(z, self.cost(choice) ** 0.5, None, True)

    def change(self, choice, cutoff=np.inf):
        """Return the smallest change with these options that is shorter than cutoff."""
        cost = self.cost(choice)
        if cost >= cutoff**2:
            return None
        found = self.change_of_columns(choice)
        if found is not None or not self.free.any():
            return found
        left = np.sqrt(cutoff**2 - cost)
        found = self.solve(self.with_choice(choice), ~self.free, left)
        if found is None:
            return None
        return found._replace(distance=float(np.hypot(cost**0.5, found.distance)))


def question(x, categories, solve, *, classify, own, target=None, **wishes):
    """Return what is asked with these wishes; None if they leave no choice at all."""
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
        decided = classify(z[None])[0]
        return bool(decided != own if target is None else decided == target)

    low, high = ((limit - x)[free] / scale[free] for limit in (lower, upper))
    return Question(x, columns, free, scale, low, high, flips, solve)


def _options(column, x, movable, lower, upper, scale):
    j = column.features
    own = column.of(x[None])[0]
    others = np.delete(column.codes, own, axis=0) if own >= 0 else column.codes
    if not movable[j].all():  # a feature that may not change holds its whole column
        others = others[:0]
    values = np.vstack([x[j], others])
    values = values[((values >= lower[j]) & (values <= upper[j])).all(axis=1)]
    moves = (values - x[j]) / scale[j]
    costs = (moves**2).sum(axis=1)
    order = np.argsort(costs, kind="stable")
    return Options(j, values[order], moves[order], costs[order])


def check_categories(categories, n_features):
    """Return columns of categories as a tuple, checked against the features."""
    is_sequence = isinstance(categories, list | tuple)
    if not is_sequence or not all(isinstance(one, Categories) for one in categories):
        wanted = "a list of Categories, as Table.categories is"
        raise ParameterError("explain", "categories", categories, wanted)
    categories = tuple(_checked(column, n_features) for column in categories)
    taken = np.zeros(n_features, dtype=int)
    for column in categories:
        np.add.at(taken, column.features, 1)
    if (taken > 1).any():
        raise InputError(
            f"Feature {taken.argmax()} stands in two columns of categories, or twice "
            "in one. Give each column once.",
            parameter="categories",
        )
    return categories


def _checked(column, n_features):
    """Return a column that has a code of finite numbers for each of its words."""
    j, codes = np.asarray(column.features), np.asarray(column.codes)
    fine = (
        j.ndim == 1
        and j.dtype.kind in "iu"
        and codes.dtype.kind in "biuf"
        and codes.shape == (len(column.words), len(j))
        and codes.size > 0
        and np.isfinite(codes).all()
    )
    if not fine:
        raise InputError(
            f"The column {column.name!r} must have a row of finite numbers in codes "
            "for each of its words, with a number for each of its features.",
            parameter="categories",
        )
    if not (j.min() >= 0 and j.max() < n_features):
        raise InputError(
            f"The column {column.name!r} has features from {j.min()} to {j.max()}, and "
            f"the model has {n_features}. Give the categories of the table that it was "
            "fitted to.",
            parameter="categories",
        )
    return replace(column, features=j.astype(np.intp), codes=codes.astype(np.float64))
