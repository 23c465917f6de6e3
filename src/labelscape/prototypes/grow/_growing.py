"""Grow: split the prototypes of doubtful groups while that pays (B3 and B4)."""

from typing import Any, NamedTuple

import numpy as np

from labelscape._core.threads import map_blocks, row_blocks

# Confidences that all are this close to 1/2 say nothing: centroids coincide.
UNDECIDED = 1e-3
PERFECT = 1.0 - 1e-12


class Model(NamedTuple):
    """A prototype model of the training set.

    group : (n,) prototype that each object belongs to.
    owner : (l,) class of each prototype, ascending.
    weights : (n,) of the objects in their prototypes.
    prototypes : (l, N), or `Combinations`.
    confidences : (n,) of the objects (Def. 4.2).
    """

    group: np.ndarray
    owner: np.ndarray
    weights: np.ndarray
    prototypes: Any
    confidences: np.ndarray

    @property
    def quality(self):
        """Mean confidence (Def. 4.3)."""
        return self.confidences.mean()


class Growth(NamedTuple):
    """How far to grow.

    tol : least gain in quality that pays for a round.
    max_prototypes : largest number of prototypes, or None.
    patience : rounds to go on for without such a gain over the round before.
    one_by_one : accept each split on its own, or all of a round together.
    exact_limit : largest group whose farthest pair is found exactly.
    """

    tol: float
    max_prototypes: int | None
    patience: int
    one_by_one: bool
    exact_limit: int


def grow(train, space, classes, growth, progress):
    """Return the grown model, and the history of its rounds.

    Shapes: classes (n,).
    """
    best = current = train(classes, np.arange(classes.max() + 1))
    history = []
    waited = 0

    def told(model, accepted):
        history.append((model.quality, len(model.owner), accepted))
        return progress.step(
            iteration=len(history),
            loss=float(1.0 - model.quality),
            quality=float(model.quality),
            n_prototypes=len(model.owner),
        )

    stopped = told(best, True)
    while not stopped and current.quality <= PERFECT and waited <= growth.patience:
        found = _next(train, space, current, best.quality + growth.tol, growth)
        if found is None:
            break
        # A round that regains what the one before has lost is on its way.
        waited = 0 if found.quality - current.quality > growth.tol else waited + 1
        current = found
        accepted = current.quality - best.quality > growth.tol
        best = current if accepted else best
        stopped = told(current, accepted)
    return best, history


def candidates(space, model):
    """Return the prototypes to split, worst first.

    These are the groups of more than average doubt that have two distinct objects.
    """
    count = len(model.owner)
    sizes = np.bincount(model.group, minlength=count)
    quality = np.bincount(model.group, model.confidences, minlength=count) / sizes
    if np.abs(model.confidences - 0.5).max() < UNDECIDED:
        doubtful = np.arange(count)
    else:
        doubtful = np.flatnonzero(quality < model.quality)
    worst_first = doubtful[np.argsort(quality[doubtful], kind="stable")]
    return [
        p
        for p in worst_first
        if is_varied(space.subset(np.flatnonzero(model.group == p)))
    ]


def divided(space, model, chosen, exact_limit):
    """Return groups and their classes after some prototypes were split."""
    side = np.zeros(len(model.group), dtype=int)
    for p in chosen:
        members = np.flatnonzero(model.group == p)
        side[members] = split(
            space.subset(members), model.weights[members], exact_limit
        )
    # Halves stay neighbours, so prototypes stay sorted by class.
    names, group = np.unique(2 * model.group + side, return_inverse=True)
    return group, model.owner[names // 2]


def _next(train, space, model, target, growth):
    """Return the model of the next round; None if nothing can be split.

    All splits at once; or one by one until one is better than ``target``.
    """
    chosen = candidates(space, model)
    if growth.max_prototypes is not None:
        room = growth.max_prototypes - len(model.owner)
        if room == 0:
            return None
        if not growth.one_by_one:
            chosen = chosen[:room]
    if not chosen:
        return None
    best = None
    for trial in [[p] for p in chosen] if growth.one_by_one else [chosen]:
        grown = train(*divided(space, model, trial, growth.exact_limit))
        if best is None or grown.quality > best.quality:
            best = grown
        if best.quality > target:
            break
    return best


# Cut a group of objects in two, between its farthest objects (specification B3).

MAX_ROUNDS = 100


def split(space, weights, exact_limit):
    """Return which half each object of a space belongs to: 2-means from far apart.

    Starts from the two objects farthest apart. Neither half can run empty: were all
    objects of one nearer to the other's mean, so would be their own mean.

    Shapes: weights (n,).
    """
    ends = farthest_pair(space) if len(space) <= exact_limit else far_pair(space)
    side = _nearer(space, space.objects(np.array(ends)))
    for _ in range(MAX_ROUNDS):
        moved = _nearer(space, space.means(side, weights, 2))
        # Only rounding can leave a half empty: then the last one with both is kept.
        if (moved == side).all() or moved.min() == moved.max():
            break
        side = moved
    return side


def farthest_pair(space):
    """Return the two objects farthest apart; ties go to the lowest indices."""
    n = len(space)

    def block(rows):
        # Only with later objects: the earlier ones have met these already.
        D = space.squared_between_objects(rows, slice(rows.start, n))
        i, j = np.unravel_index(D.argmax(), D.shape)
        return D[i, j], int(rows.start + i), int(rows.start + j)

    found = map_blocks(block, row_blocks(n, 8 * (n + space.width), 2**21))
    _, i, j = max(found, key=lambda pair: pair[0])  # the first of equals
    return i, j


def far_pair(space):
    """Return two objects that are far apart, by sweeps through the objects.

    From the mean to the object farthest from it, from there to the one farthest from
    that, and so on while the distance grows: never less than half the largest.
    """
    n = len(space)
    center = space.means(np.zeros(n, dtype=int), np.ones(n), 1)
    here, there, length = 0, _farthest(space, center)[0], -1.0
    while True:
        beyond, reached = _farthest(space, space.objects(np.array([there])))
        if not reached > length:
            return min(here, there), max(here, there)
        here, there, length = there, beyond, reached


def is_varied(space):
    """Return whether at least two objects are distinct."""
    return _farthest(space, space.objects(np.array([0])))[1] > 0.0


def _farthest(space, prototype):
    D = np.concatenate(space.map(lambda rows, D: D[:, 0], prototype))
    return int(D.argmax()), D.max()


def _nearer(space, pair):
    return np.concatenate(space.map(lambda rows, D: D.argmin(axis=1), pair))
