"""A map of landmarks, as many as it takes: twice as many show the whole no better."""

import inspect
import warnings
from typing import NamedTuple

import numpy as np

from labelscape._core.errors import InputWarning, Setting
from labelscape._core.points.spaces import Points
from labelscape._core.rules import either, one_of, whole
from labelscape._core.threads import row_blocks
from labelscape.embeddings.landmarks._drawing import LandmarkOrder
from labelscape.quality._internal import (
    half_width,
    neighborhoods,
    places,
    point_scores,
    seeded_clone,
)

N_LANDMARKS = either(one_of("auto"), whole(3))
# How many there are at first, and at most unless somebody asks for more.
FIRST, MOST = 1000, 50_000
# Neighbourhoods of this size are compared.
N_NEIGHBORS = 12
# So many random objects tell whether a map got better: at worst, what single ones gain
# has a standard deviation of 0.5, and 2.6 of them are an interval of 99 in 100.
FEWEST_TRIED, MOST_TRIED, WORST_REACH = 2000, 40_000, 2.6 * 0.5
# Objects that are placed at a time.
PLACED_ROWS = 2**16


class Growth(NamedTuple):
    """One step of growth: how many landmarks, and what they gained."""

    # Number of landmarks.
    n_landmarks: int
    # How much better than with those before the whole is shown at most, in the measure
    # that gained most, with 99 in 100; None for the first.
    gain: float | None


class Grown(NamedTuple):
    """A map that was fitted to landmarks, with all objects on it."""

    # The map of the landmarks.
    model: object
    # (n, q) The places of all objects.
    Z: np.ndarray
    # The sorted indices of those that it was fitted to.
    landmarks: np.ndarray
    # How it grew.
    steps: list


def grown_map(embedder, objects, n_landmarks, tolerance, random_state, *, owner):
    """Fit a map to landmarks and place the others on it."""
    order = LandmarkOrder(objects.X, objects.codes, random_state)
    seed = int(random_state.randint(2**31 - 1))

    def fitted(count):
        landmarks = order.first(count)
        model = seeded_clone(embedder, seed)
        return _Fitted(model, objects.fit(model, landmarks, owner), landmarks, owner)

    if n_landmarks == "auto":
        tried = _Tried(objects, tolerance, random_state)
        found, steps = _grown(fitted, tried, len(objects.X), tolerance)
        _warn_if_growing(steps[-1], len(objects.X), tolerance, owner)
    else:
        found = fitted(int(n_landmarks))
        steps = [Growth(len(found.landmarks), None)]
    Z = found.places_of(np.arange(len(objects.X)), objects.X)
    return Grown(found.model, Z, found.landmarks, steps)


def _grown(fitted, tried, n, tolerance):
    """Return the first map that is hardly better than with half of the landmarks."""
    count, steps, before = min(FIRST, n), [], None
    while True:
        found, gain = fitted(count), None
        m = len(found.landmarks)
        if m < n or before is not None:
            scores = tried.scores(found)
            gain = None if before is None else tried.gain(before, scores)
            before = scores
        steps.append(Growth(m, gain))
        settled = gain is not None and gain <= tolerance
        if settled or m >= n or count >= MOST:
            return found, steps
        count = min(2 * count, MOST, n)


def _warn_if_growing(last, n, tolerance, owner):
    """Warn if the last step still gained, and others could have followed."""
    if last.gain is not None and last.gain > tolerance and last.n_landmarks < n:
        warnings.warn(
            InputWarning(
                f"{owner}: the last step, to {last.n_landmarks:,} landmarks, still "
                f"gained up to {last.gain:.2g}. Pass a larger number as ",
                Setting("n_landmarks"),
                ", or a larger ",
                Setting("tolerance"),
                ".",
            ),
            stacklevel=5,
        )


class Objects(NamedTuple):
    """The objects of a map."""

    # (n, d) Their features.
    X: np.ndarray
    # (n,) Their classes; zeros where there are none.
    codes: np.ndarray
    # (n,) Class labels, and what they belong to, for maps that want them.
    y: object = None
    groups: object = None

    def fit(self, model, rows, owner):
        """Fit a map to some of the objects, and return their places."""
        X = self.X[rows]
        takes_groups = "groups" in inspect.signature(model.fit).parameters
        known = {}
        if self.groups is not None and takes_groups:
            known["groups"] = np.asarray(self.groups)[rows]
        model.fit(X, None if self.y is None else np.asarray(self.y)[rows], **known)
        Z = getattr(model, "embedding_", None)
        Z = model.transform(X) if Z is None else Z
        return places(model, Z, len(rows), owner=owner)


class _Fitted(NamedTuple):
    """A map of landmarks, and where these stand."""

    model: object
    Z: np.ndarray
    landmarks: np.ndarray
    owner: str

    def places_of(self, rows, X):
        """Return the places of X, which are these rows of the whole.

        Landmarks stay where they are.
        """
        shown = np.empty((len(rows), self.Z.shape[1]))
        at = np.searchsorted(self.landmarks, rows)
        at[at == len(self.landmarks)] = 0
        is_landmark = self.landmarks[at] == rows
        shown[is_landmark] = self.Z[at[is_landmark]]
        others = np.flatnonzero(~is_landmark)
        for part in row_blocks(len(others), 1, PLACED_ROWS):
            some = others[part]
            new = self.model.transform(X[some])
            shown[some] = places(self.model, new, len(some), owner=self.owner)
        return shown


class _Tried:
    """Random objects by which maps of the same data are compared."""

    def __init__(self, objects, tolerance, random_state):
        self.n = len(objects.X)
        wanted = int(min((WORST_REACH / tolerance) ** 2, MOST_TRIED))
        m = min(self.n, max(FEWEST_TRIED, wanted))
        self.rows = np.sort(random_state.choice(self.n, m, replace=False))
        self._X = objects.X[self.rows]
        self._codes = objects.codes[self.rows].astype(np.int64)
        self._has_classes = bool(objects.codes.max() > 0)

    def scores(self, found):
        """Return what each object gives to the measures of a map."""
        m = len(self.rows)
        counted = neighborhoods(
            Points(self._X),
            Points(found.places_of(self.rows, self._X)),
            self._codes,
            min(N_NEIGHBORS, m - 2),
            np.arange(m),
        )
        return point_scores(counted, self._has_classes)

    def gain(self, before, after):
        """Return how much better the whole is shown at most, in any measure."""
        gaps = [after[name] - before[name] for name in after]
        return max(
            float(gap.mean()) + half_width(gap, self.n, (-1.0, 1.0)) for gap in gaps
        )
