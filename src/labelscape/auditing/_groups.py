"""Hidden groups: classes that are more than one.

A direction in which the class falls apart is looked for without a fifth of its objects,
and these get their places along it; so all objects have places that had no say in the
direction. Whether there is a gap between places is judged by their dip.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError
from labelscape.auditing._dip import chance_of_dip, dip
from labelscape.auditing._parting import Parting, parting

# Classes of fewer units are not asked; of more rows, so many are looked at.
FEWEST, MOST_ROWS = 40, 1000
# Directions are looked for among so many components, one for so many objects.
MOST_COMPONENTS, OBJECTS_EACH = 10, 10
# Steps towards a direction in which values avoid the middle.
STEPS = 15
N_FOLDS = 5
# False alarms that are allowed, over all classes.
SIGNIFICANT = 0.05
# A feature explains two groups if it separates so many held-out rows of them.
EXPLAINS = 0.9


@dataclass(frozen=True, eq=False)
class HiddenGroups:
    """A class that seems to be two groups.

    Attributes
    ----------
    label : object
        The class.
    chance : float
        The chance of such a gap if the class were one cloud, at most.
    rows : tuple of two ndarrays of int
        The rows of both groups, the larger one first.
    parting : Parting
        The features in which they differ.
    column : str
        The feature that separates the groups nearly perfectly; empty if none does.
    """

    label: Any
    chance: float
    rows: tuple[NDArray[np.intp], NDArray[np.intp]]
    parting: Parting

    @property
    def column(self) -> str:
        """The feature that separates the groups nearly perfectly, if one does."""
        explains = self.parting.best and self.parting.accuracy[0] >= EXPLAINS
        return self.parting.best[0][0] if explains else ""


def hidden_groups(X, places, classes, codes, units, trusted, names, random_state):
    """Return the classes that seem to be two groups, the clearest first."""
    found = []
    members = [np.flatnonzero((codes == c) & trusted) for c in range(len(classes))]
    asked = [c for c, rows in enumerate(members) if _enough(units[rows])]
    for c in asked:
        rows, Z = members[c], places[members[c]]
        some = random_state.permutation(len(rows))[:MOST_ROWS]
        chance = chance_of_one(Z[some], units[rows[some]], random_state)
        if chance * len(asked) > SIGNIFICANT:
            continue
        side = sides(Z, some)
        large, small = sorted((rows[side], rows[~side]), key=len, reverse=True)
        both = np.sort(np.concatenate([large, small]))
        try:
            parted = parting(
                X[both],
                np.isin(both, large),
                np.unique(units[both], return_inverse=True)[1],
                names,
                (f"{classes[c]}, larger group", f"{classes[c]}, smaller group"),
                random_state,
            )
        except InputError:  # one unit is no group
            continue
        label = classes[c : c + 1].tolist()[0]
        found.append(HiddenGroups(label, chance, (large, small), parted))
    return sorted(found, key=lambda one: one.chance)


def _enough(units):
    return len(np.unique(units)) >= FEWEST


def chance_of_one(Z, units, random_state):
    """Return the chance of the gap in some objects if they were one cloud."""
    numbers = np.unique(units, return_inverse=True)[1]
    n = int(numbers.max()) + 1
    fold = (random_state.permutation(n) % N_FOLDS)[numbers]
    # One value per unit: ten copies of a row are no second mode.
    sizes = np.bincount(numbers)
    least = min(
        chance_of_dip(dip(np.bincount(numbers, values) / sizes), n)
        for values in (_unseen_places(Z, fold, look) for look in LOOKS)
    )
    return min(1.0, len(LOOKS) * least)


def _unseen_places(Z, fold, look):
    """Return where each object lies in a direction that was found without it."""
    values, first = np.empty(len(Z)), None
    for k in range(N_FOLDS):
        direction = look(Z[fold != k])
        first = direction if first is None else first
        # All look the same way, or groups would be mixed.
        direction = -direction if direction @ first < 0 else direction
        seen = Z[fold != k] @ direction
        spread = seen.std() or 1.0
        values[fold == k] = (Z[fold == k] @ direction - seen.mean()) / spread
    return values


def sides(Z, some):
    """Return on which side of its gap each object lies, by the gap of some of them."""
    direction = max((look(Z[some]) for look in LOOKS), key=lambda w: dip(Z[some] @ w))
    values = Z @ direction
    return values > _split(np.sort(values[some]))


def widest(Z):
    """Return the direction in which objects are spread most."""
    return np.linalg.svd(Z - Z.mean(axis=0), full_matrices=False)[2][0]


def flattest(Z):
    """Return the direction in which values avoid the middle most: of least kurtosis.

    By the fixed-point steps of FastICA, from each principal component.
    """
    few = int(np.clip(len(Z) // OBJECTS_EACH, 1, min(MOST_COMPONENTS, Z.shape[1])))
    centered = Z - Z.mean(axis=0)
    _, s, Vt = np.linalg.svd(centered, full_matrices=False)
    few = max(1, min(few, int((s > 1e-9 * s[0]).sum())))
    back = Vt[:few].T / (s[:few] / np.sqrt(len(Z)))
    W = centered @ back
    found = min((_flattest(W, w) for w in np.eye(few)), key=lambda w: _fourth(W @ w))
    along = back @ found
    return along / np.linalg.norm(along)


LOOKS = (widest, flattest)


def _fourth(values):
    return float((values**4).mean())


def _flattest(W, w):
    """Return a direction of least kurtosis of whitened objects, near another one."""
    for _ in range(STEPS):
        w = 3.0 * w - W.T @ (W @ w) ** 3 / len(W)
        w = w / max(np.linalg.norm(w), 1e-12)
    return w


def _split(values):
    """Return the value that parts sorted ones with the least spread on both sides."""
    n = len(values)
    counts = np.arange(1, n)
    sums, total = np.cumsum(values)[:-1], values.sum()
    between = sums**2 / counts + (total - sums) ** 2 / (n - counts)
    i = int(between.argmax())
    return (values[i] + values[i + 1]) / 2.0
