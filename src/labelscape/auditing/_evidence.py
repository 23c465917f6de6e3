"""Why a label is suspected: neighbours of both classes, and features against it."""

from typing import Any, NamedTuple

import numpy as np

from labelscape._core.points.ranks import nearest_neighbors

# So many neighbours of each class, and so many features, are shown of a suspect.
NEIGHBORS, FEATURES = 3, 3
# A median deviation is so many standard deviations of a normal distribution.
NORMAL = 1.4826


class Against(NamedTuple):
    """A feature that speaks against a label.

    Attributes
    ----------
    feature : str
        Its name.
    value : float
        What it is for the object.
    usual_given, usual_likely : float
        Its medians in the class that is given, and in the likely one.
    """

    feature: str
    value: float
    usual_given: float
    usual_likely: float


class Suspect(NamedTuple):
    """An object whose label seems to be wrong, and why.

    Attributes
    ----------
    row : int
        Its number in the table.
    given, likely : object
        Its label, and the one that would fit better.
    p_given, p_likely : float
        What models that never saw the object make of both.
    chance_wrong : float
        The estimated chance that the label is wrong.
    near_given, near_likely : tuple of int
        The rows of both classes that are most like it, and are not suspected
        themselves.
    against : tuple of Against
        The features that speak most against the label.
    """

    row: int
    given: Any
    likely: Any
    p_given: float
    p_likely: float
    chance_wrong: float
    near_given: tuple[int, ...]
    near_likely: tuple[int, ...]
    against: tuple[Against, ...]


class Witnesses:
    """All that speaks for and against labels: trusted objects of each class."""

    def __init__(self, X, places, codes, units, suspected, names):
        self._X, self._places, self._units, self._names = X, places, units, names
        self._trusted = [
            trusted_members(codes, c, ~suspected) for c in range(int(codes.max()) + 1)
        ]
        centers = [np.median(X[rows], axis=0) for rows in self._trusted]
        self._centers = np.array(centers)
        self._widths = np.array(
            [
                NORMAL * np.median(np.abs(X[rows] - center), axis=0)
                for rows, center in zip(self._trusted, centers, strict=True)
            ]
        )
        # A class in which a feature is constant says as much as the others allow.
        usual = np.median(self._widths, axis=0)
        usual = np.where(usual > 0, usual, X.std(axis=0))
        self._widths = np.maximum(self._widths, 0.5 * usual)

    def near(self, rows, classes):
        """Return for each row the most similar trusted ones of a class, nearest first.

        Rows of its own unit know nothing that it does not know itself.
        """
        found: list[tuple[int, ...]] = [()] * len(rows)
        for c in np.unique(classes):
            asked, known = np.flatnonzero(classes == c), self._trusted[c]
            alike = np.bincount(self._units).max() - 1
            wanted = min(len(known), NEIGHBORS + min(alike, 50))
            nearest, _ = nearest_neighbors(
                self._places[known], wanted, self._places[rows[asked]]
            )
            for i, others in zip(asked, known[nearest], strict=True):
                others = others[self._units[others] != self._units[rows[i]]]
                found[i] = tuple(others[:NEIGHBORS].tolist())
        return found

    def against(self, row, given, likely):
        """Return the features by which an object is less like its class than another.

        By how many more widths it is away from the middle of the class that is given.
        """
        x = self._X[row]
        with np.errstate(divide="ignore", invalid="ignore"):
            away = np.abs(x - self._centers) / self._widths
        more = np.nan_to_num(away[given] - away[likely], posinf=0.0, neginf=0.0)
        best = np.argsort(-more, kind="stable")[:FEATURES]
        return tuple(
            Against(
                self._names[j],
                float(x[j]),
                float(self._centers[given, j]),
                float(self._centers[likely, j]),
            )
            for j in best
            if more[j] > 0
        )


def trusted_members(codes, c, trusted):
    """Return the trusted rows of a class; all, if none is."""
    rows = np.flatnonzero((codes == c) & trusted)
    return rows if len(rows) else np.flatnonzero(codes == c)
