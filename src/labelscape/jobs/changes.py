"""What would change a decision: values of the nearest sample with another one.

It needs only the answers of a classifier, so it is for those without an explanation.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.neighbors import NearestNeighbors

from labelscape._core.types import Array, Bools, Floats, Ints

MOST_TRIED = 20  # at most this many columns that were taken over are tried without


class Changes(NamedTuple):
    """The nearest sample with another answer, and which of its values to copy."""

    rows: Ints  # (m,) the samples
    other: Ints  # (m,) the nearest sample with another answer
    # Columns: with the values that the other sample has there, the answer changes. Each
    # was tried without; fewer columns may do with other values.
    taken: list[list[int]]
    answers: Array  # (m,) what the classifier says then


# Which of some samples (of m) get another answer with the values of the other sample in
# the columns that are chosen for each.
Test = Callable[[Ints, Bools], Bools]


def decision_changes(
    predict: Callable[[Array], Array], X: Array, column_of: Ints, rows: Ints
) -> Changes | None:
    """Return `Changes` of some rows of X (n, d); None where all answers are equal."""
    answers = predict(X)
    if len(np.unique(answers)) < 2:
        return None
    spread = X.std(axis=0)
    scaled = X / np.where(spread > 0, spread, 1.0)
    other = _nearest_with_another(scaled, answers, rows)
    # How far two samples are apart in each column (m, n_columns), squared.
    gaps = np.zeros((len(rows), column_of.max() + 1))
    np.add.at(gaps.T, column_of, np.square(scaled[rows] - scaled[other]).T)

    def mixed(some: Ints, taken: Bools) -> Array:
        return np.where(taken[:, column_of], X[other[some]], X[rows[some]])

    def differs(some: Ints, taken: Bools) -> Bools:
        return np.asarray(predict(mixed(some, taken)) != answers[rows[some]])

    # A single column that does it, the least different one, or the most different ones
    # together; all of them make the other sample, so the answer changes at last.
    taken = _single(gaps, differs)
    _add_together(taken, gaps, differs)
    changed = predict(mixed(np.arange(len(rows)), taken))
    columns = [np.flatnonzero(one).tolist() for one in taken]
    return Changes(rows, other, columns, changed)


def _nearest_with_another(scaled: Array, answers: Array, rows: Ints) -> Ints:
    """Return for each row the nearest sample of which the classifier says otherwise."""
    other = np.empty(len(rows), dtype=np.intp)
    for answer in np.unique(answers[rows]):
        own, rest = answers[rows] == answer, np.flatnonzero(answers != answer)
        near = NearestNeighbors(n_neighbors=1).fit(scaled[rest])
        nearest = near.kneighbors(scaled[rows[own]], return_distance=False)
        other[own] = rest[nearest[:, 0]]
    return other


def _single(gaps: Floats, differs: Test) -> Bools:
    """Return the one column that changes the answer (m, n_columns), where one does."""
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
    """Add columns that change the answers together, where no single one does."""
    order = np.argsort(-gaps, axis=1, kind="stable")
    several = np.flatnonzero(~taken.any(axis=1))
    left = several
    for k in range(gaps.shape[1]):
        if not len(left):
            break
        column = order[left, k]
        taken[left, column] = gaps[left, column] > 0
        left = left[~differs(left, taken[left])]
    # Leave out those that are not needed.
    for k in range(min(gaps.shape[1], MOST_TRIED) - 1, -1, -1):
        tried = several[taken[several, order[several, k]]]
        if not len(tried):
            continue
        without = taken[tried]
        without[np.arange(len(tried)), order[tried, k]] = False
        does = differs(tried, without)
        taken[tried[does]] = without[does]
