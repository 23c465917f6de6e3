"""New rows on a saved map: their places, and whether they have drifted."""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_X
from labelscape._core.errors import InputError
from labelscape._core.estimator import Estimator
from labelscape._core.learned import Learned, numbers, or_none, text, whole_numbers
from labelscape._core.params import COMMON, Rule, check_params, number
from labelscape._core.points.distances import squared_distances
from labelscape._resampling.units import units_of
from labelscape.quality._drift import (
    bin_counts,
    centers_of,
    chance,
    energy,
    joined,
    levels_of,
    moves,
    steps_apart,
)

__all__ = ["Moved", "Placement", "TableMap"]

# More rows than this say no more about what is usual.
MOST_ROWS = 10_000


def _is_map(value):
    return hasattr(value, "transform") and not isinstance(value, type)


def _is_classifier(value):
    return value is None or (hasattr(value, "predict") and not isinstance(value, type))


class TableMap(Estimator):
    """A fitted map with what is known of its rows, and without the rows themselves.

    New rows get their places and likely classes, and are compared with the old ones:
    which of them are unlike anything seen, and whether they have drifted as a whole.

    Parameters
    ----------
    projection : fitted estimator
        Whose ``transform`` places rows.
    classifier : fitted estimator or None, default=None
        Whose ``predict`` tells their classes.
    rate : float, default=0.05
        The share of rows from the same source that may be called unlike anything seen.
    random_state : int, RandomState or None, default=None
        Divides the rows into halves: one says what is usual, the other how far from
        that rows may be.

    Attributes
    ----------
    means_, spreads_ : ndarray of shape (n_features,)
        Of the features, in the first half.
    centers_ : ndarray of shape (n_cells, n_features)
        Means of many rows of the first half each, in units of the spreads.
    widths_ : ndarray of shape (n_cells,)
        How far these rows are away, as a rule.
    levels_ : ndarray of shape (n_levels, n_features)
        Means of groups of sorted values of each feature, in the first half.
    far_ : ndarray of shape (n_held_out,)
        How far the units of the second half are from the nearest center, in widths.
    cell_counts_ : ndarray of int of shape (n_cells,)
        How many of them are nearest to each center.
    bin_counts_ : ndarray of int of shape (n_levels, n_features)
        How many of them are nearest to each level.
    columns_ : str or None
        How columns of a table become features, if it was a table.

    Notes
    -----
    A row is unlike anything seen if no more than ``rate`` of the held-out units were as
    far away as it is: rows of the same source are called so with that chance at most,
    whatever their distribution.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import LFDA
    >>> from labelscape.quality.drift import TableMap
    >>> X, y = load_iris(return_X_y=True)
    >>> kept = TableMap(LFDA().fit(X, y), random_state=0).fit(X)
    >>> placed = kept.place(X[:5] + [0, 0, 9, 0])
    >>> int(placed.unlike.sum()), placed.moved[0].feature
    (5, 'x2')
    """

    _rules: ClassVar = COMMON | {
        "projection": Rule("a fitted estimator with transform", _is_map),
        "classifier": Rule("a fitted estimator with predict, or None", _is_classifier),
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
    }

    def __init__(self, projection, classifier=None, *, rate=0.05, random_state=None):
        self.projection = projection
        self.classifier = classifier
        self.rate = rate
        self.random_state = random_state

    def fit(self, X, y=None, groups=None):
        """Learn what is usual of rows; the map stays as it is.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows, in the units that the map takes.
        y : None
            Not used.
        groups : array-like of shape (n_samples,), default=None
            What each row belongs to, such as a patient.

        Returns
        -------
        TableMap
            Itself.
        """
        check_params(self)
        X, name = check_X(self, X), type(self).__name__
        units = units_of(X, groups, owner=name).of_row
        rng = check_random_state(self.random_state)
        n_units = int(units.max()) + 1
        if n_units < 4:
            raise InputError(
                f"X must hold at least 4 rows that do not belong together, got "
                f"{n_units}.",
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
        # One row of each unit: its others are no further witnesses.
        witnesses = X[second[_first_of(units[second])]]
        cells, far = self._nearest(self._scaled(witnesses))
        self.far_ = np.sort(far)
        self.cell_counts_ = np.bincount(cells, minlength=len(self.centers_))
        self.bin_counts_ = bin_counts(self.levels_, witnesses)
        self.columns_ = None
        return self

    def place(self, X, groups=None):
        """Place new rows, and compare them with the old ones.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            New rows.
        groups : array-like of shape (n_new,), default=None
            What each row belongs to.

        Returns
        -------
        Placement
        """
        check_is_fitted(self)
        X = check_X(self, X, reset=False)
        units = units_of(X, groups, owner=type(self).__name__).of_row
        cells, far = self._nearest(self._scaled(X))
        as_far = len(self.far_) - np.searchsorted(self.far_, far, side="left")
        rows = _first_of(units)
        return Placement(
            np.asarray(self.projection.transform(X), dtype=np.float64),
            None if self.classifier is None else self.classifier.predict(X),
            (1 + as_far) / (1 + len(self.far_)),
            float(self.rate),
            len(self.far_),
            self._drift(X[rows], cells[rows]),
            self._moved(X),
            *self._probabilities(X),
        )

    def _probabilities(self, X):
        """Return how likely each class of each row is, and the classes; or Nones."""
        if not hasattr(self.classifier, "predict_proba"):
            return None, None
        return self.classifier.predict_proba(X), self.classifier.classes_

    def _drift(self, X, cells):
        """Return the p-value of one source: by cells, and by features, joined."""
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        rng = np.random.default_rng(seed)
        distances = np.sqrt(squared_distances(self.centers_, self.centers_))
        counts = np.bincount(cells, minlength=len(self.centers_))
        whole = chance(
            self.cell_counts_, counts, partial(energy, distances=distances), rng
        )
        old, new = self.bin_counts_.T, bin_counts(self.levels_, X).T
        single = [
            chance(*both, steps_apart, rng) for both in zip(old, new, strict=True)
        ]
        return min(1.0, 2.0 * min(whole, joined(single)))

    def _scaled(self, X):
        return (X - self.means_) / self.spreads_

    def _nearest(self, Z):
        """Return the nearest center of each row, and how far it is in widths."""
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


def _first_of(units):
    """Return the first row of each unit."""
    return np.unique(units, return_index=True)[1]


def _halves(units, random_state):
    """Return the rows of two halves of the units, some of them if there are many."""
    order = random_state.permutation(int(units.max()) + 1)
    half = len(order) // 2
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    rows = np.arange(len(units))
    if len(rows) > 2 * MOST_ROWS:
        rows = np.sort(random_state.permutation(len(rows))[: 2 * MOST_ROWS])
    is_first = place[units[rows]] < half
    return rows[is_first], rows[~is_first]


# Below this p-value the rows as a whole have drifted.
DRIFTED = 0.05
SHOWN = 3


class Moved(NamedTuple):
    """A feature that is not where it was.

    Attributes
    ----------
    feature : str
        Its name.
    usual, now : float
        Its middle in the old rows, and in the new ones.
    distance : float
        How far its values have moved, in units of their spread.
    kind : {"date", "truth"} or None
        What its numbers stand for: days since 1970, or 0 and 1; None: just numbers.

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
        return f"{self.feature} (typical value {usual}, now {now})"

    def _values(self) -> tuple[str, str]:
        """Return both middles as they are read; moments of one day with their time."""
        if self.kind != "date":
            # Three digits, and never as in 1.28e+03.
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
    """New rows on a map; prints as a short text.

    Attributes
    ----------
    positions : ndarray of shape (n, n_components)
        Their positions.
    predictions : ndarray of shape (n,) or None
        Their likely classes; None if the map came without a classifier.
    p_unlike : ndarray of shape (n,)
        For each row the share of old rows, held out, that were as far from all that
        was seen: below ``rate``, it is unlike anything seen.
    rate : float
        So many rows of the same source may be called unlike, at most.
    n_held_out : int
        The old rows that this was calibrated on.
    drift_p : float
        The p-value of the hypothesis that the new rows come from where the old ones
        came from: exact, by draws of units.
    moved : list of Moved
        All features, the one that moved most first.
    probabilities : ndarray of shape (n, n_classes) or None
        How likely each class is, in the order of ``classes``; None if the classifier
        gives no probabilities.
    classes : ndarray of shape (n_classes,) or None
        The classes of ``probabilities``.
    """

    positions: NDArray[np.float64]
    predictions: NDArray[Any] | None
    p_unlike: NDArray[np.float64]
    rate: float
    n_held_out: int
    drift_p: float
    moved: list[Moved]
    probabilities: NDArray[np.float64] | None = None
    classes: NDArray[Any] | None = None

    @property
    def unlike(self) -> NDArray[np.bool_]:
        """Which rows are unlike anything seen."""
        return np.asarray(self.p_unlike <= self.rate)

    @property
    def has_drifted(self) -> bool:
        """Whether the rows as a whole come from elsewhere than the old ones."""
        return self.drift_p <= DRIFTED

    @property
    def can_tell(self) -> bool:
        """Whether there were enough old rows to call new ones unlike them."""
        return 1.0 / (self.n_held_out + 1) <= self.rate

    @property
    def unlike_words(self) -> str:
        """How many rows are unlike anything seen, in a sentence."""
        if not self.can_tell:
            return (
                f"Too few training rows ({self.n_held_out} held out) to tell which new "
                "rows are unlike them."
            )
        n, n_unlike = len(self.positions), int(self.unlike.sum())
        return (
            f"{n_unlike:,} of {n:,} new rows look unlike the training data (at most "
            f"{self.rate:.0%} expected by chance)."
        )

    @property
    def drift_words(self) -> str:
        """Whether the rows have drifted as a whole, in a sentence."""
        p = f"= {self.drift_p:.3f}" if self.drift_p >= 0.001 else "< 0.001"
        verb = "differ from" if self.has_drifted else "look like"
        return f"The new rows {verb} the training data overall (drift test, p {p})."

    @property
    def moved_most(self) -> list[Moved]:
        """The features to look at first where rows have drifted."""
        if not self.has_drifted:
            return []
        return [one for one in self.moved[:SHOWN] if one.distance > 0]

    def __str__(self) -> str:
        words = f"{self.unlike_words}\n{self.drift_words}"
        if not self.has_drifted:
            return words
        moved = ", ".join(map(str, self.moved_most))
        return f"{words} Largest shifts: {moved or 'no single feature'}."

    __repr__ = __str__
