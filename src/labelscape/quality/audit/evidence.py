"""Evidence about a suspicious label: neighbors of both classes, and features."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.points.distances import nearest_neighbors, squared_distances
from labelscape._core.points.spaces import Points
from labelscape._core.types import Array, Ints
from labelscape._resampling.units import RowUnits

# Number of neighbors of each class, and of features, shown for a suspect.
NEIGHBORS, FEATURES = 3, 3
LOOK_FIRST = 20  # number of rows of the ranking shown besides the suspects
NORMAL = 1.4826  # standard deviations of a normal distribution per median deviation


@dataclass(frozen=True)
class Against:
    """A feature that contradicts a label.

    Attributes
    ----------
    feature : str
        Name of the feature.
    value : float
        Value of the feature for the sample.
    usual_given, usual_likely : float
        Medians of the feature in the given class and in the likely class.
    """

    feature: str
    value: float
    usual_given: float
    usual_likely: float


@dataclass(frozen=True)
class Suspect:
    """A sample whose label looks wrong, with the evidence.

    Attributes
    ----------
    row : int
        Number of the row in the table.
    given, likely : object
        The label of the row, and the label that fits better.
    p_given, p_likely : float
        Probabilities of both labels, by models that were fitted without the sample.
    chance_wrong : float or None
        The estimated chance that the label is wrong; None without a list of suspects,
        where only the order of the rows is known.
    near_given, near_likely : tuple of int
        The most similar rows of both classes that are not suspects.
    against : tuple of Against
        The features that contradict the label most.
    """

    row: int
    given: Any
    likely: Any
    p_given: float
    p_likely: float
    chance_wrong: float | None
    near_given: tuple[int, ...]
    near_likely: tuple[int, ...]
    against: tuple[Against, ...]


class AuditedTable(NamedTuple):
    """A table in the form that all parts of an audit use."""

    # Values X (n, d) with the names of features; the classes, and the class of each
    # row; the labels as given; units; and the features of the models (n, q).

    X: Array
    names: list[str]
    classes: Array
    codes: Ints
    given: Array
    units: RowUnits
    places: Array


class Evidence:
    """Trusted rows of each class, as evidence about the labels of other rows."""

    def __init__(self, table, trusted):
        self._table, X = table, table.X
        self._trusted = [
            trusted_members(table.codes, c, trusted) for c in range(len(table.classes))
        ]
        self._centers = np.array([np.median(X[rows], axis=0) for rows in self._trusted])
        widths = np.array(
            [
                NORMAL * np.median(np.abs(X[rows] - center), axis=0)
                for rows, center in zip(self._trusted, self._centers, strict=True)
            ]
        )
        # The width is at least half of the median, also for features without spread.
        usual = np.median(widths, axis=0)
        usual = np.where(usual > 0, usual, X.std(axis=0))
        self._widths = np.maximum(widths, 0.5 * usual)

    def near(self, rows, classes):
        """Return the nearest trusted rows of a class in other units, for each row."""
        places, units = self._table.places, self._table.units.of_row
        near = [()] * len(rows)
        alike = np.bincount(units).max() - 1
        for c in np.unique(classes):
            queries, known = np.flatnonzero(classes == c), self._trusted[c]
            wanted = min(len(known), NEIGHBORS + min(alike, 50))
            nearest, _ = nearest_neighbors(places[known], wanted, places[rows[queries]])
            for i, others in zip(queries, known[nearest], strict=True):
                others = others[units[others] != units[rows[i]]]
                near[i] = tuple(others[:NEIGHBORS].tolist())
        return near

    def against(self, row, given, likely):
        """Return the features that fit the likely class better than the given class."""
        # Ordered by |x - m_given| / s_given - |x - m_likely| / s_likely, with medians m
        # and widths s.
        x = self._table.X[row]
        with np.errstate(divide="ignore", invalid="ignore"):
            away = np.abs(x - self._centers) / self._widths
        more = np.nan_to_num(away[given] - away[likely], posinf=0.0, neginf=0.0)
        best = np.argsort(-more, kind="stable")[:FEATURES]
        medians = self._centers[[given, likely]]
        return tuple(
            Against(self._table.names[j], float(x[j]), *medians[:, j].tolist())
            for j in best
            if more[j] > 0
        )


def suspects_of(table, p, ranked, trusted):
    """Return the ranked rows as suspects, with evidence against their labels."""
    rows = ranked.ranking[: ranked.n_flagged + LOOK_FIRST * ranked.has_signal]
    rows = rows[ranked.chance_wrong[rows] > 0]
    evidence = Evidence(table, trusted)
    given, likely = table.codes[rows], p[rows].argmax(axis=1)
    near_given, near_likely = evidence.near(rows, given), evidence.near(rows, likely)
    labels, names = table.given[rows].tolist(), table.classes.tolist()
    return [
        Suspect(
            int(row),
            labels[i],
            names[likely[i]],
            float(p[row, given[i]]),
            float(p[row, likely[i]]),
            float(ranked.chance_wrong[row]) if ranked.n_flagged else None,
            near_given[i],
            near_likely[i],
            evidence.against(row, given[i], likely[i]),
        )
        for i, row in enumerate(rows)
    ]


def trusted_members(codes, c, trusted):
    """Return the trusted rows of a class, or all its rows if none is trusted."""
    rows = np.flatnonzero((codes == c) & trusted)
    return rows if len(rows) else np.flatnonzero(codes == c)


# A row is an outlier if its log distance to this neighbor exceeds the median by this
# multiple of the distance from the median to the 90% quantile. With exponential tails,
# one row in a thousand is an outlier, and with normal distributions, even fewer rows.
NEIGHBOR, FAR = 10, 4.0
# Maximum number of samples in the search for the center of a class, and maximum number
# of rows in the search for outliers, which compares all pairs.
MOST_MEMBERS, MOST_ROWS = 2000, 20_000


def typical_rows(places, codes, trusted, n_classes, random_state):
    """Return the medoid of each class (n_classes,): the row nearest to all others."""
    medoids = []
    for c in range(n_classes):
        rows = random_state.permutation(trusted_members(codes, c, trusted))
        some = np.sort(rows[:MOST_MEMBERS])
        sums = np.sqrt(squared_distances(places[some], places[some])).sum(axis=1)
        medoids.append(int(some[sums.argmin()]))
    return np.array(medoids)


def outlying_rows(places):
    """Return rows that are far from all other rows, the farthest first."""
    none = np.empty(0, dtype=np.intp)
    if not 3 * NEIGHBOR < len(places) <= MOST_ROWS:
        return none
    distances = Points(places).kneighbors(NEIGHBOR)[1][:, -1]
    if np.median(distances) <= 0:
        return none
    away = np.log(np.maximum(distances, 1e-300))
    middle, most = np.quantile(away, [0.5, 0.9])
    far = np.flatnonzero(away > middle + FAR * (most - middle))
    return far[np.argsort(-away[far], kind="stable")] if most > middle else none
