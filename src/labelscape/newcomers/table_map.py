"""TableMap: a map that is kept for rows that come later."""

from functools import partial
from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_X
from labelscape._core.errors import InputError
from labelscape._core.fits.estimator import Estimator
from labelscape._core.fits.learned import Learned, numbers, or_none, text, whole_numbers
from labelscape._core.points.distances import squared_distances
from labelscape._core.rules import COMMON, Rule, check_params, number
from labelscape.newcomers._cells import bin_counts, centers_of, levels_of, moves
from labelscape.newcomers._drift import chance, energy, joined, steps_apart
from labelscape.newcomers.placement import Moved, Placement
from labelscape.quality._internal import units_of

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
    >>> from labelscape.newcomers import TableMap
    >>> X, y = load_iris(return_X_y=True)
    >>> kept = TableMap(LFDA().fit(X, y), random_state=0).fit(X)
    >>> found = kept.place(X[:5] + [0, 0, 9, 0])
    >>> int(found.unlike.sum()), found.moved[0].feature
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
