"""New rows on a saved map: positions, rows unlike the training data, and drift."""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_X, matrix_argument
from labelscape._core.errors import InputError, readable
from labelscape._core.estimator import Estimator
from labelscape._core.labels import labels_argument
from labelscape._core.learned import (
    Learned,
    numbers,
    or_none,
    text,
    whole_numbers,
)
from labelscape._core.learned import (
    optional as sometimes,
)
from labelscape._core.params import COMMON, Rule, check_params, number, optional
from labelscape._core.points.distances import squared_distances
from labelscape._core.threads import ignored, one_blas_thread, one_openmp_thread
from labelscape._core.types import Array, Bools, Floats
from labelscape._resampling.units import units_of

__all__ = ["Moved", "Placement", "TableMap"]

MOST_ROWS = 10_000  # at most twice this number of rows are used, in two halves


def _has(method):
    return lambda value: hasattr(value, method) and not isinstance(value, type)


class TableMap(Estimator):
    """A fitted map with a summary of its training rows, without the rows themselves.

    It returns positions and likely classes of new rows. It also tests which new rows
    are unlike the training data, and whether the new rows have drifted.

    Parameters
    ----------
    projection : fitted estimator
        The map, whose ``transform`` places rows.
    classifier : fitted estimator or None, default=None
        A classifier, whose ``predict`` returns the classes of rows.
    rate : float, default=0.05
        Maximum rate of false alarms among rows from the source of the training rows.
    random_state : int, RandomState or None, default=None
        Seed of the split of the training rows into halves: the first half is
        summarized; the second half shows which distances from it are usual.

    Attributes
    ----------
    means_, spreads_ : ndarray of shape (n_features,)
        Mean and standard deviation of each feature in the first half.
    centers_ : ndarray of shape (n_cells, n_features)
        Centers of cells (k-means clusters) of the first half, with scaled features.
    widths_ : ndarray of shape (n_cells,)
        Root mean square distance of the rows of each cell from its center.
    levels_ : ndarray of shape (n_levels, n_features)
        For each feature, means of up to 20 groups of sorted values (first half).
    far_ : ndarray of shape (n_held_out,)
        Distance of each unit of the second half to the nearest center, in widths.
    cell_counts_ : ndarray of int of shape (n_cells,)
        Number of units of the second half that are nearest to each center.
    bin_counts_ : ndarray of int of shape (n_levels, n_features)
        Number of units of the second half that are nearest to each level.
    calibration_ : ndarray of shape (n_held_out, 3)
        For rows of the second half: the index of the class, its held-out probability,
        and the distance to the nearest center; only with ``held_out``.
    columns_ : str or None
        Encoding of the columns of a table as features; None if X was an array.
    n_features_in_ : int
        Number of features in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features in ``fit``, if X had names of columns.

    Notes
    -----
    A row is unlike the training data if at most a fraction ``rate`` of the held-out
    units (rows or groups) are at least as far from the nearest center. For a row from
    the source of the training data, this has a probability of at most ``rate``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import LFDA
    >>> from labelscape.quality.drift import TableMap
    >>> X, y = load_iris(return_X_y=True)
    >>> saved = TableMap(LFDA().fit(X, y), random_state=0).fit(X)
    >>> placed = saved.place(X[:5] + [0, 0, 9, 0])
    >>> int(placed.unlike.sum()), placed.moved[0].feature
    (5, 'x2')
    """

    _rules: ClassVar = COMMON | {
        "projection": Rule("a fitted estimator with transform", _has("transform")),
        "classifier": optional(
            Rule("a fitted estimator with predict", _has("predict"))
        ),
        "rate": number(above=0, below=1),
    }
    _learned: ClassVar[Learned] = {
        "means_": numbers("features"),
        "spreads_": numbers("features", above=0),
        "centers_": numbers("cells", "features"),
        "widths_": numbers("cells", above=0),
        "levels_": numbers("levels", "features"),
        "far_": numbers("units", low=0),
        "cell_counts_": whole_numbers("cells"),
        "bin_counts_": whole_numbers("levels", "features"),
        "columns_": or_none(text()),
        "calibration_": sometimes(numbers("calibrated", 3, low=0)),
    }

    def __init__(self, projection, classifier=None, *, rate=0.05, random_state=None):
        self.projection = projection
        self.classifier = classifier
        self.rate = rate
        self.random_state = random_state

    def fit(self, X, y=None, groups=None, held_out=None):
        """Summarize the training rows; the map does not change.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The training rows, scaled as for the map.
        y : array-like of shape (n_samples,), default=None
            Classes of the rows, for prediction sets.
        groups : array-like of shape (n_samples,), default=None
            The group of each row, such as a patient.
        held_out : array-like of shape (n_samples, n_classes), default=None
            Held-out class probabilities: for each row, from a model like the classifier
            that was not fitted to this row. New rows then get prediction sets, see
            `Placement`.

        Returns
        -------
        TableMap
            The fitted object.
        """
        check_params(self)
        X, name = check_X(self, X), type(self).__name__
        units = units_of(X, groups, owner=name).of_row
        rng = check_random_state(self.random_state)
        n_units = int(units.max()) + 1
        if n_units < 4:
            raise InputError(
                f"X must contain at least 4 independent rows, got {n_units}.",
                owner=name,
                parameter="X",
            )
        first, second = _halves(units, rng)
        self.means_ = X[first].mean(axis=0, dtype=np.float64)
        spreads = X[first].std(axis=0, dtype=np.float64)
        self.spreads_ = np.where(spreads > 0, spreads, 1.0)
        self.centers_, self.widths_ = centers_of(
            self._scaled(X[first]), units[first], rng
        )
        self.levels_ = levels_of(X[first].astype(np.float64))
        # One row of each unit, because the others are not independent.
        single = X[second[_first_of(units[second])]]
        cells, far = self._nearest(self._scaled(single))
        self.far_ = np.sort(far)
        self.cell_counts_ = np.bincount(cells, minlength=len(self.centers_))
        self.bin_counts_ = bin_counts(self.levels_, single)
        self.columns_ = None
        if held_out is not None:
            if self.classifier is None:
                raise InputError(
                    "held_out needs a classifier. Pass classifier=...", owner=name
                )
            n_classes = len(self.classifier.classes_)
            size: dict[str, Any] = {"n_rows": len(X), "n_columns": n_classes}
            held_out = matrix_argument(name, "held_out", held_out, **size)
            labels = labels_argument(name, "y", y, size=len(X))[second]
            own = np.searchsorted(self.classifier.classes_, labels)
            chances = held_out[second, np.minimum(own, n_classes - 1)]
            away = self._nearest(self._scaled(X[second]))[1]
            self.calibration_ = np.column_stack([own, chances, away])
        return self

    def place(self, X, groups=None):
        """Place new rows, and compare them with the training rows.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            New rows.
        groups : array-like of shape (n_new,), default=None
            The group of each row, such as a patient.

        Returns
        -------
        Placement
        """
        check_is_fitted(self)
        X = check_X(self, X, reset=False)
        units = units_of(X, groups, owner=type(self).__name__).of_row
        cells, far = self._nearest(self._scaled(X))
        as_far = len(self.far_) - np.searchsorted(self.far_, far, side="left")
        rows, model = _first_of(units), self.classifier
        gives_p = hasattr(model, "predict_proba")
        P = model.predict_proba(X) if gives_p else None
        known = getattr(self, "calibration_", None)
        return Placement(
            np.asarray(self.projection.transform(X), dtype=np.float64),
            None if model is None else model.predict(X),
            (1 + as_far) / (1 + len(self.far_)),
            float(self.rate),
            len(self.far_),
            self._drift(X[rows], cells[rows]),
            self._moved(X),
            P,
            model.classes_ if gives_p else None,
            None if known is None or P is None else in_sets(known, P, far),
        )

    def _drift(self, X, cells):
        """Return the p-value of drift: 2 min(p of cells, p of features by Simes)."""
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        rng = np.random.default_rng(seed)
        distances = np.sqrt(squared_distances(self.centers_, self.centers_))
        counts = np.bincount(cells, minlength=len(self.centers_))
        by_cells = chance(
            self.cell_counts_, counts, partial(energy, distances=distances), rng
        )
        old, new = self.bin_counts_.T, bin_counts(self.levels_, X).T
        single = [
            chance(*both, steps_apart, rng) for both in zip(old, new, strict=True)
        ]
        return min(1.0, 2.0 * min(by_cells, joined(single)))

    def _scaled(self, X):
        return (X - self.means_) / self.spreads_

    def _nearest(self, Z):
        """Return the nearest center of each row, and its distance in widths."""
        distances = np.sqrt(squared_distances(Z, self.centers_))
        return distances.argmin(axis=1), (distances / self.widths_).min(axis=1)

    def _moved(self, X):
        distances, now = moves(self.levels_, X.astype(np.float64))
        usual = np.median(self.levels_, axis=0)
        names = getattr(self, "feature_names_in_", None)
        order = np.argsort(-distances, kind="stable")
        return [
            Moved(
                f"x{j}" if names is None else str(names[j]),
                float(usual[j]),
                float(now[j]),
                float(distances[j]),
            )
            for j in order
        ]


COVERAGE = 0.9


def in_sets(calibration, P, far):
    """Return a mask (n, n_classes) of the classes in the prediction set of each row."""
    # A class is left out if at most 10% of its held-out rows are as unusual as the new
    # row. A row is unusual if its class probability is low or if it is far from the
    # training rows, by ranks among the held-out rows; the more unusual rank is used.
    sets = np.ones(P.shape, dtype=bool)
    for c in range(P.shape[1]):
        own = calibration[calibration[:, 0] == c]
        p, away = np.sort(own[:, 1]), np.sort(own[:, 2])

        def oddness(chance, distance, p=p, away=away):
            by_p = np.searchsorted(p, chance, side="right")
            by_far = len(away) - np.searchsorted(away, distance, side="left")
            return np.minimum(by_p, by_far)

        usual = np.sort(oddness(own[:, 1], own[:, 2]))
        as_odd = np.searchsorted(usual, oddness(P[:, c], far), side="right")
        sets[:, c] = (1 + as_odd) / (1 + len(usual)) > 1.0 - COVERAGE
    return sets


def _first_of(units):
    """Return the first row of each unit."""
    return np.unique(units, return_index=True)[1]


def _halves(units, random_state):
    """Return the rows of two random halves of the units, at most 2 `MOST_ROWS`."""
    order = random_state.permutation(int(units.max()) + 1)
    is_first = np.isin(units, order[: len(order) // 2])
    rows = np.arange(len(units))
    if len(rows) > 2 * MOST_ROWS:
        rows = np.sort(random_state.permutation(len(rows))[: 2 * MOST_ROWS])
    return rows[is_first[rows]], rows[~is_first[rows]]


# Cells of training rows: minimum units in each, maximum number, units per cell.
FEWEST, MOST_CELLS, PER_CELL = 5, 100, 20
NARROWEST = 0.5  # the smallest width of a cell, relative to the median


def centers_of(Z, units, random_state):
    """Return centers (m, d) of rows, and the widths of their cells (m,)."""
    n_units = len(np.unique(units))
    m = int(np.clip(n_units // PER_CELL, 1, MOST_CELLS))
    # With fewer distinct rows than cells, empty cells are removed below.
    with one_blas_thread(), one_openmp_thread(), ignored(ConvergenceWarning):
        cell = KMeans(m, n_init=1, random_state=random_state).fit_predict(Z)
    members = [np.flatnonzero(cell == j) for j in range(m)]
    cells = [rows for rows in members if len(np.unique(units[rows])) >= FEWEST]
    cells = cells or [np.arange(len(Z))]
    centers = np.array([Z[rows].mean(axis=0) for rows in cells])
    squares = [np.square(Z[rows] - Z[rows].mean(axis=0)).sum(axis=1) for rows in cells]
    widths = np.array([np.sqrt(square.mean()) for square in squares])
    usual = float(np.median(widths)) or 1.0
    return centers, np.maximum(widths, NARROWEST * usual)


def levels_of(X):
    """Return, for each feature, means of up to 20 groups of sorted values (m, d)."""
    n_groups = int(np.clip(len(X) // FEWEST, 1, 20))
    parts = np.array_split(np.sort(X, axis=0), n_groups)
    return np.array([part.mean(axis=0) for part in parts])


def bin_counts(levels, X):
    """Return the number of rows nearest to each level of each feature."""
    counts = np.empty(levels.shape, dtype=np.int64)
    for j, own in enumerate(levels.T):
        bins = np.searchsorted((own[1:] + own[:-1]) / 2.0, X[:, j], side="right")
        counts[:, j] = np.bincount(bins, minlength=len(own))
    return counts


def moves(levels, X):
    """Return the shift of each feature (d,), and its median in X (d,)."""
    # Shift: mean distance of quantiles from levels, divided by the spread of levels.
    grid = (np.arange(len(levels)) + 0.5) / len(levels)
    gaps = np.abs(np.quantile(X, grid, axis=0) - levels).mean(axis=0)
    spread = levels.std(axis=0)
    # A constant feature has an infinite shift if it changes, and 0 otherwise.
    with np.errstate(divide="ignore", invalid="ignore"):
        distances = np.where(gaps > 0, gaps / spread, 0.0)
    return distances, np.median(X, axis=0)


DRAWS = 9999


def energy(old, new, distances):
    """Return the energy distance of counts in cells (..., m); 0 for equal fractions."""
    # -(p - q)^T D (p - q), where D contains the distances between centers.
    gap = _shares(old) - _shares(new)
    return -np.einsum("...i,ij,...j->...", gap, distances, gap)


def steps_apart(old, new):
    """Return the Cramér-von Mises distance of counts in ordered bins (..., m)."""
    gap = np.cumsum(_shares(old) - _shares(new), axis=-1)
    return (np.square(gap) * _shares(old + new)).sum(axis=-1)


def _shares(counts):
    return counts / counts.sum(axis=-1, keepdims=True)


def chance(old, new, apart, rng):
    """Return the p-value of the distance between two counts (m,), by random draws."""
    both = old + new
    drawn = rng.multivariate_hypergeometric(both, new.sum(), size=DRAWS)
    as_far = apart(both - drawn, drawn) >= apart(old, new) * (1.0 - 1e-9)
    return float((1 + as_far.sum()) / (1 + DRAWS))


def joined(chances):
    """Combine p-values into one p-value, with the rule of Simes."""
    ordered = np.sort(chances)
    n = len(ordered)
    return float(min(1.0, (ordered * n / np.arange(1, n + 1)).min()))


# Significance level of drift, and number of features to name.
DRIFTED = 0.05
SHOWN = 3


class Moved(NamedTuple):
    """The shift of one feature between training rows and new rows.

    Attributes
    ----------
    feature : str
        Name of the feature.
    usual, now : float
        Median of the feature in the training rows, and in the new rows.
    distance : float
        Size of the shift, in units of the spread of the feature.
    kind : {"date", "truth"} or None
        The meaning of the values. "date": days since 1970; "truth": 0 for false and 1
        for true; None: plain numbers.

    Examples
    --------
    >>> print(Moved("height", 10.27, 16.1, 2.9))
    height (typical value 10.3, now 16.1)
    >>> print(Moved("admitted", 19800.5, 20400.0, 5.2, "date"))
    admitted (typical value 2024-03-18, now 2025-11-08)
    """

    feature: str
    usual: float
    now: float
    distance: float
    kind: str | None = None

    def __str__(self) -> str:
        usual, now = self._values()
        return readable(f"{self.feature} (typical value {usual}, now {now})")

    def _values(self) -> tuple[str, str]:
        """Return both medians as text, with the time if both are on the same day."""
        if self.kind != "date":
            # Three significant digits, without an exponent (1.28e+03).
            usual, now = (f"{float(f'{x:.3g}'):,g}" for x in (self.usual, self.now))
            return usual, now
        unit = "m" if np.floor(self.usual) == np.floor(self.now) else "D"
        usual, now = (
            str(np.datetime64(round(days * 86400), "s").astype(f"datetime64[{unit}]"))
            for days in (self.usual, self.now)
        )
        return usual, now


@dataclass(frozen=True, eq=False, repr=False)
class Placement:
    """Results for new rows on a map, printed as a short text.

    Attributes
    ----------
    positions : ndarray of shape (n, n_components)
        Positions of the rows.
    predictions : ndarray of shape (n,) or None
        Predicted classes of the rows; None without a classifier.
    p_unlike : ndarray of shape (n,)
        For each new row, the share of held-out training units that are at least as far
        from the training data. The row is unlike the training data if this share is at
        most ``rate``.
    rate : float
        Maximum rate of false alarms among rows from the source of the training rows.
    n_held_out : int
        The number of held-out training units (rows or groups).
    drift_p : float
        The p-value of the drift test, from random draws of units.
    moved : list of Moved
        All features, the largest shift first.
    probabilities : ndarray of shape (n, n_classes) or None
        Class probabilities, in the order of ``classes``; None without a classifier
        with ``predict_proba``.
    classes : ndarray of shape (n_classes,) or None
        The classes of ``probabilities``.
    in_set : ndarray of bool of shape (n, n_classes) or None
        The prediction sets: which classes a row may have. If new rows are from the
        source of the training rows, the set contains the true class for 90% of the rows
        of each class. An empty set means that no class fits. None without ``held_out``.
    """

    positions: Floats
    predictions: Array | None
    p_unlike: Floats
    rate: float
    n_held_out: int
    drift_p: float
    moved: list[Moved]
    probabilities: Floats | None = None
    classes: Array | None = None
    in_set: Bools | None = None

    @property
    def unlike(self) -> Bools:
        """Which rows are unlike the training data."""
        return np.asarray(self.p_unlike <= self.rate)

    @property
    def has_drifted(self) -> bool:
        """Whether the new rows differ from the training data overall."""
        return self.drift_p <= DRIFTED

    @property
    def can_tell(self) -> bool:
        """Whether enough rows are held out to detect rows unlike the training data."""
        return 1.0 / (self.n_held_out + 1) <= self.rate

    @property
    def unlike_words(self) -> str:
        """A sentence with the number of rows that are unlike the training data."""
        if not self.can_tell:
            return (
                f"There are too few training rows ({self.n_held_out} held out) to find "
                "which new rows are unlike the training data."
            )
        n, n_unlike = len(self.positions), int(self.unlike.sum())
        return (
            f"{n_unlike:,} of {n:,} new rows look unlike the training data (at most "
            f"{self.rate:.0%} expected by chance)."
        )

    @property
    def drift_words(self) -> str:
        """A sentence with the result of the drift test."""
        p = f"= {self.drift_p:.3f}" if self.drift_p >= 0.001 else "< 0.001"
        verb = "differ from" if self.has_drifted else "look like"
        return f"The new rows {verb} the training data overall (drift test, p {p})."

    @property
    def moved_most(self) -> list[Moved]:
        """The three features that shifted most; empty if the rows have not drifted."""
        if not self.has_drifted:
            return []
        return [one for one in self.moved[:SHOWN] if one.distance > 0]

    @property
    def set_words(self) -> str:
        """A sentence about the sizes of the prediction sets; may be empty."""
        if self.in_set is None:
            return ""
        sizes = self.in_set.sum(axis=1)
        one, none = int((sizes == 1).sum()), int((sizes == 0).sum())
        return (
            f"Prediction sets (with the true class for {COVERAGE:.0%} of each class): "
            f"{one:,} rows have one possible class, {len(sizes) - one - none:,} have "
            f"several, and {none:,} have none (up to {1 - COVERAGE:.0%} expected by "
            "chance)."
        )

    def __str__(self) -> str:
        words = "\n".join(
            filter(None, [self.set_words, self.unlike_words, self.drift_words])
        )
        if not self.has_drifted:
            return words
        moved = ", ".join(map(str, self.moved_most))
        return f"{words} Largest shifts: {moved or 'no single feature'}."

    __repr__ = __str__
