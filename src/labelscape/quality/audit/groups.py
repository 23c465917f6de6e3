"""Hidden groups: classes that are more than one.

A direction in which the class falls apart is looked for without a fifth of its samples,
and these get their places along it; so no sample has influenced the direction of its
place. Whether there is a gap between places is judged by their dip.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError
from labelscape.quality.audit.class_difference import ClassDifference, class_difference

# Classes of fewer units are not tested; of more rows, this many are used.
FEWEST, MOST_ROWS = 40, 1000
# Directions are searched among this many components, one for this many samples.
MOST_COMPONENTS, OBJECTS_EACH = 10, 10
# Steps towards a direction in which values avoid the middle.
STEPS = 15
N_FOLDS = 5
# False alarms that are allowed, over all classes.
SIGNIFICANT = 0.05
# A feature explains two groups if it separates this share of their held-out rows.
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
    difference : ClassDifference
        The features in which they differ.
    column : str
        The feature that separates the groups nearly perfectly; empty if none does.
    """

    label: Any
    chance: float
    rows: tuple[NDArray[np.intp], NDArray[np.intp]]
    difference: ClassDifference

    @property
    def column(self) -> str:
        """The feature that separates the groups nearly perfectly, if one does."""
        explains = self.difference.best and self.difference.accuracy[0] >= EXPLAINS
        return self.difference.best[0][0] if explains else ""


def hidden_groups(table, trusted, random_state):
    """Return the classes that seem to be two groups, the clearest first."""
    X, classes, codes, units = table.X, table.classes, table.codes, table.units.of_row
    groups = []
    members = [np.flatnonzero((codes == c) & trusted) for c in range(len(classes))]
    asked = [c for c, rows in enumerate(members) if _enough(units[rows])]
    for c in asked:
        rows, Z = members[c], table.places[members[c]]
        some = random_state.permutation(len(rows))[:MOST_ROWS]
        chance = chance_of_one(Z[some], units[rows[some]], random_state)
        if chance * len(asked) > SIGNIFICANT:
            continue
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
        except InputError:  # one unit is no group
            continue
        label = classes[c : c + 1].tolist()[0]
        groups.append(HiddenGroups(label, chance, (large, small), difference))
    return sorted(groups, key=lambda one: one.chance)


def _enough(units):
    return len(np.unique(units)) >= FEWEST


def chance_of_one(Z, units, random_state):
    """Return the chance of the gap in some samples if they were one cloud."""
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
    """Return where each sample lies in a direction that was chosen without it."""
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
    """Return on which side of its gap each sample lies, by the gap of some of them."""
    direction = max((look(Z[some]) for look in LOOKS), key=lambda w: dip(Z[some] @ w))
    values = Z @ direction
    return values > _split(np.sort(values[some]))


def widest(Z):
    """Return the direction in which samples are spread most."""
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
    best = min((_flattest(W, w) for w in np.eye(few)), key=lambda w: _fourth(W @ w))
    along = back @ best
    return along / np.linalg.norm(along)


LOOKS = (widest, flattest)


def _fourth(values):
    return float((values**4).mean())


def _flattest(W, w):
    """Return a direction of least kurtosis of whitened samples, near another one."""
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


# Of the uniform distribution, sqrt(n) times the dip exceeds these figures with these
# chances: by 20,000 samples of 200 values. Of 30 values they are 8 % less, of 1000 they
# are the same.
LEVELS = np.array([0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005])
FIGURES = np.array(
    [0.361, 0.435, 0.479, 0.521, 0.572, 0.607, 0.640, 0.684, 0.713, 0.735]
)


def dip(values):
    """Return the dip of some numbers: 1 / (2n) at least, and 1/4 for two far points."""
    x = np.sort(np.asarray(values, dtype=np.float64))
    n, low, high, widest_gap = len(x), 0, len(x) - 1, 1.0
    if x[0] == x[-1]:
        return 0.5 / n
    heights = np.arange(n, dtype=np.float64)
    while True:
        part = slice(low, high + 1)
        below = low + _convex(x[part], heights[part])
        above = low + _convex(x[part], -heights[part])
        left, right, gap = _widest(x, heights, below, above)
        if gap <= widest_gap:
            break
        under = _excess(x, heights, below[below <= left], 1.0)
        over = _excess(x, -heights, above[above >= right], 1.0)
        widest_gap = max(widest_gap, under, over)
        if (left, right) == (low, high) or right <= left:
            break
        low, high = left, right
    return float(widest_gap / (2.0 * n))


def chance_of_dip(figure, n):
    """Return the chance of a dip as large among n values of a uniform distribution."""
    scaled = figure * np.sqrt(n)
    if scaled <= FIGURES[0]:
        return float(1.0 - (1.0 - LEVELS[0]) * scaled / FIGURES[0])
    # Beyond the last figure chances go on falling: this is a bound.
    return float(np.exp(np.interp(scaled, FIGURES, np.log(LEVELS))))


def _convex(x, h):
    """Return the vertices of the greatest convex curve below the points."""
    kept = [0]
    for i in range(1, len(x)):
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            if (h[b] - h[a]) * (x[i] - x[a]) < (h[i] - h[a]) * (x[b] - x[a]):
                break
            kept.pop()
        kept.append(i)
    return np.array(kept)


def _widest(x, h, below, above):
    """Return where the curves are farthest apart: an interval, and how far."""
    at_below = np.interp(x[below], x[above], h[above]) - h[below] + 1.0
    at_above = h[above] - np.interp(x[above], x[below], h[below]) + 1.0
    if at_below.max() >= at_above.max():
        g = below[int(at_below.argmax())]
        return g, above[np.searchsorted(above, g)], float(at_below.max())
    t = above[int(at_above.argmax())]
    return below[np.searchsorted(below, t, side="right") - 1], t, float(at_above.max())


def _excess(x, h, vertices, least):
    """Return how far the points rise above the curve through some of them."""
    if len(vertices) < 2:
        return least
    part = slice(vertices[0], vertices[-1] + 1)
    curve = np.interp(x[part], x[vertices], h[vertices])
    return float(max(least, (h[part] - curve).max() + 1.0))
