"""Changes of values that would change a prediction, for any classifier.

The new values come from the nearest sample with another prediction.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.neighbors import NearestNeighbors

from labelscape._core.types import Array, Bools, Floats, Ints

MOST_TRIED = 20  # at most this many changed columns are tested for removal


class Changes(NamedTuple):
    """New values of some samples, with which the predictions change."""

    rows: Ints  # (m,) indices of the samples
    other: Ints  # (m,) the nearest sample with another prediction
    # Columns in which the values of the other sample change the prediction. Up to
    # MOST_TRIED columns were tested for removal. Other values may need fewer columns.
    taken: list[list[int]]
    answers: Array  # (m,) prediction after the change


# Function that returns which of m samples get another prediction if the values in the
# marked columns are replaced by the values of the other sample.
Test = Callable[[Ints, Bools], Bools]


def decision_changes(
    predict: Callable[[Array], Array], X: Array, column_of: Ints, rows: Ints
) -> Changes | None:
    """Return `Changes` for some rows of X (n, d); None if all predictions are equal."""
    answers = predict(X)
    if len(np.unique(answers)) < 2:
        return None
    spread = X.std(axis=0)
    scaled = X / np.where(spread > 0, spread, 1.0)
    other = _nearest_with_another(scaled, answers, rows)
    # Squared distance of two samples in each column (m, n_columns).
    gaps = np.zeros((len(rows), column_of.max() + 1))
    np.add.at(gaps.T, column_of, np.square(scaled[rows] - scaled[other]).T)

    def mixed(some: Ints, taken: Bools) -> Array:
        return np.where(taken[:, column_of], X[other[some]], X[rows[some]])

    def differs(some: Ints, taken: Bools) -> Bools:
        return np.asarray(predict(mixed(some, taken)) != answers[rows[some]])

    # If one column is enough, the column that differs least. Otherwise, columns are
    # added, the most different first. With all columns, the prediction has changed.
    taken = _single(gaps, differs)
    _add_together(taken, gaps, differs)
    changed = predict(mixed(np.arange(len(rows)), taken))
    columns = [np.flatnonzero(one).tolist() for one in taken]
    return Changes(rows, other, columns, changed)


def _nearest_with_another(scaled: Array, answers: Array, rows: Ints) -> Ints:
    """Return the nearest sample with another prediction for each row."""
    other = np.empty(len(rows), dtype=np.intp)
    for answer in np.unique(answers[rows]):
        own, rest = answers[rows] == answer, np.flatnonzero(answers != answer)
        near = NearestNeighbors(n_neighbors=1).fit(scaled[rest])
        nearest = near.kneighbors(scaled[rows[own]], return_distance=False)
        other[own] = rest[nearest[:, 0]]
    return other


def _single(gaps: Floats, differs: Test) -> Bools:
    """For each sample, mark a single column that changes its prediction, if any."""
    taken, least = np.zeros(gaps.shape, dtype=bool), np.full(len(gaps), np.inf)
    for j in range(gaps.shape[1]):
        tried = np.flatnonzero((gaps[:, j] > 0) & (gaps[:, j] < least))
        if not len(tried):
            continue
        alone = np.zeros((len(tried), gaps.shape[1]), dtype=bool)
        alone[:, j] = True
        does = tried[differs(tried, alone)]
        taken[does], least[does] = False, gaps[does, j]
        taken[does, j] = True
    return taken


def _add_together(taken: Bools, gaps: Floats, differs: Test) -> None:
    """Mark columns that change the prediction together, if no single column does."""
    order = np.argsort(-gaps, axis=1, kind="stable")
    several = np.flatnonzero(~taken.any(axis=1))
    left = several
    for k in range(gaps.shape[1]):
        if not len(left):
            break
        column = order[left, k]
        taken[left, column] = gaps[left, column] > 0
        left = left[~differs(left, taken[left])]
    # Remove columns that are not necessary.
    for k in range(min(gaps.shape[1], MOST_TRIED) - 1, -1, -1):
        tried = several[taken[several, order[several, k]]]
        if not len(tried):
            continue
        without = taken[tried]
        without[np.arange(len(tried)), order[tried, k]] = False
        does = differs(tried, without)
        taken[tried[does]] = without[does]
