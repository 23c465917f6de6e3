"""Hidden groups: classes that consist of two subgroups.

A direction that splits the class is fitted without a fifth of its samples, and this
fifth is projected onto it. So no sample affects the direction of its own projection.
The dip of the projections tests whether there is a gap between subgroups.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from labelscape._core.errors import InputError
from labelscape._core.threads import map_blocks
from labelscape._core.types import Ints
from labelscape._resampling.chance import drawn_seeds
from labelscape.quality.audit.class_difference import ClassDifference, class_difference

# Classes with fewer units are not tested; at most this many rows are used.
FEWEST, MOST_ROWS = 40, 1000
# Directions are searched among at most this many principal components, one per this
# number of samples.
MOST_COMPONENTS, SAMPLES_EACH = 10, 10
# Iterations of the search for a direction with few values near the center.
STEPS = 15
N_FOLDS = 5
SIGNIFICANT = 0.05  # accepted false alarms, over all classes
# A feature explains two groups if it separates this share of their held-out rows.
EXPLAINS = 0.9


@dataclass(frozen=True, eq=False)
class HiddenGroups:
    """A class that seems to consist of two subgroups.

    Attributes
    ----------
    label : object
        The class.
    chance : float
        Upper bound of the p-value of a gap in this class.
    rows : tuple of two ndarrays of int
        The rows of both subgroups, the larger one first.
    difference : ClassDifference
        The features in which the subgroups differ.
    column : str
        A feature that separates the groups almost perfectly; empty if there is none.
    """

    label: Any
    chance: float
    rows: tuple[Ints, Ints]
    difference: ClassDifference

    @property
    def column(self) -> str:
        """A feature that separates the groups almost perfectly, or empty text."""
        explains = self.difference.best and self.difference.accuracy[0] >= EXPLAINS
        return self.difference.best[0][0] if explains else ""


def hidden_groups(table, trusted, random_state):
    """Return the classes that seem to consist of two subgroups, the clearest first."""
    codes, units = table.codes, table.units.of_row
    members = [
        np.flatnonzero((codes == c) & trusted) for c in range(len(table.classes))
    ]
    tested = [c for c, m in enumerate(members) if len(np.unique(units[m])) >= FEWEST]
    seeds = drawn_seeds(random_state, len(members))

    def divided(c):
        rng = np.random.RandomState(seeds[c])
        return _divided(table, c, members[c], SIGNIFICANT / len(tested), rng)

    groups = [one for one in map_blocks(divided, tested) if one is not None]
    return sorted(groups, key=lambda one: one.chance)


def _divided(table, c, rows, level, random_state):
    """Return the two subgroups of a class, or None."""
    X, classes, units = table.X, table.classes, table.units.of_row
    Z = table.places[rows]
    some = random_state.permutation(len(rows))[:MOST_ROWS]
    chance = chance_of_one(Z[some], units[rows[some]], random_state)
    if chance > level:
        return None
    side = sides(Z, some)
    large, small = sorted((rows[side], rows[~side]), key=len, reverse=True)
    both = np.sort(np.concatenate([large, small]))
    try:
        difference = class_difference(
            X[both],
            np.isin(both, large),
            np.unique(units[both], return_inverse=True)[1],
            table.names,
            (f"{classes[c]}, larger group", f"{classes[c]}, smaller group"),
            random_state,
        )
    except InputError:  # one subgroup is a single unit
        return None
    label = classes[c : c + 1].tolist()[0]
    return HiddenGroups(label, chance, (large, small), difference)


def chance_of_one(Z, units, random_state):
    """Return a p-value for one group: twice the smaller p-value of two directions."""
    numbers = np.unique(units, return_inverse=True)[1]
    n = int(numbers.max()) + 1
    fold = (random_state.permutation(n) % N_FOLDS)[numbers]
    # One value per unit, because ten copies of a row are not a second mode.
    sizes = np.bincount(numbers)
    least = min(
        chance_of_dip(dip(np.bincount(numbers, values) / sizes), n)
        for values in (_held_out_values(Z, fold, search) for search in SEARCHES)
    )
    return min(1.0, len(SEARCHES) * least)


def _held_out_values(Z, fold, search):
    """Return the position of each sample along a direction fitted without it."""
    values, first = np.empty(len(Z)), None
    for k in range(N_FOLDS):
        direction = search(Z[fold != k])
        first = direction if first is None else first
        # Directions get the same orientation, because groups would be mixed otherwise.
        direction = -direction if direction @ first < 0 else direction
        seen = Z[fold != k] @ direction
        spread = seen.std() or 1.0
        values[fold == k] = (Z[fold == k] @ direction - seen.mean()) / spread
    return values


def sides(Z, some):
    """Return the side of each sample; the gap is computed from samples in ``some``."""
    directions = (search(Z[some]) for search in SEARCHES)
    values = Z @ max(directions, key=lambda w: dip(Z[some] @ w))
    return values > _split(np.sort(values[some]))


def widest(Z):
    """Return the direction of largest variance."""
    return np.linalg.svd(Z - Z.mean(axis=0), full_matrices=False)[2][0]


def flattest(Z):
    """Return the direction of lowest kurtosis, which has few values near the center."""
    # Computed by the fixed-point steps w <- 3 w - E[(w^T x)^3 x] of FastICA on whitened
    # samples, starting at each principal component.
    few = int(np.clip(len(Z) // SAMPLES_EACH, 1, min(MOST_COMPONENTS, Z.shape[1])))
    centered = Z - Z.mean(axis=0)
    _, s, Vt = np.linalg.svd(centered, full_matrices=False)
    few = max(1, min(few, int((s > 1e-9 * s[0]).sum())))
    back = Vt[:few].T / (s[:few] / np.sqrt(len(Z)))
    W, ends = centered @ back, np.eye(few)
    for _ in range(STEPS):
        ends = 3.0 * ends - W.T @ (W @ ends) ** 3 / len(W)
        ends /= np.maximum(np.linalg.norm(ends, axis=0), 1e-12)
    along = back @ ends[:, ((W @ ends) ** 4).mean(axis=0).argmin()]
    return along / np.linalg.norm(along)


SEARCHES = (widest, flattest)


def _split(values):
    """Return the threshold that splits values with the least variance on both sides."""
    n = len(values)
    counts = np.arange(1, n)
    sums, total = np.cumsum(values)[:-1], values.sum()
    between = sums**2 / counts + (total - sums) ** 2 / (n - counts)
    i = int(between.argmax())
    return (values[i] + values[i + 1]) / 2.0


# For the uniform distribution, sqrt(n) times the dip exceeds FIGURES with the
# probabilities LEVELS, from 20,000 samples of 200 values. FIGURES would be 8% smaller
# for samples of 30 values, and the same for 1000 values.
LEVELS = np.array([0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005])
FIGURES = np.array(
    [0.361, 0.435, 0.479, 0.521, 0.572, 0.607, 0.640, 0.684, 0.713, 0.735]
)


def dip(values):
    """Return Hartigan's dip, which is between 1 / (2n) and 1/4."""
    from labelscape.quality.certificate._dip import dip_statistic

    return dip_statistic(np.sort(np.asarray(values, dtype=np.float64)))


def chance_of_dip(figure, n):
    """Return the p-value of a dip of n values, relative to a uniform distribution."""
    scaled = figure * np.sqrt(n)
    if scaled <= FIGURES[0]:
        return float(1.0 - (1.0 - LEVELS[0]) * scaled / FIGURES[0])
    # Beyond the last value, this is an upper bound.
    return float(np.exp(np.interp(scaled, FIGURES, np.log(LEVELS))))
