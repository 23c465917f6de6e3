"""What would change a decision: values of the nearest sample with another one.

It needs only the answers of a classifier, so it is for those without an explanation.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

Matrix = NDArray[Any]
Rows = NDArray[np.intp]
Predict = Callable[[Matrix], Matrix]

# At most this many columns that were taken over are tried without.
MOST_TRIED = 20


class Changes(NamedTuple):
    """The nearest sample with another answer, and which of its values to copy."""

    # (m,) The samples.
    rows: Rows
    # (m,) The nearest sample with another answer.
    other: Rows
    # Columns: with the values that the other sample has there, the answer changes. Each
    # was tried without; fewer columns may do with other values.
    taken: list[list[int]]
    # (m,) What the classifier says then.
    answers: Matrix


def decision_changes(
    predict: Predict, X: Matrix, column_of: Rows, rows: Rows
) -> Changes | None:
    """Return the `Changes` of some rows of X (n, d); None where all answers are equal.

    Shapes: column_of (d,).
    """
    answers = predict(X)
    if len(np.unique(answers)) < 2:
        return None
    spread = X.std(axis=0)
    scaled = X / np.where(spread > 0, spread, 1.0)
    other = _nearest_with_another(scaled, answers, rows)
    # How far two samples are apart in each column (m, n_columns), squared.
    gaps = np.zeros((len(rows), column_of.max() + 1))
    np.add.at(gaps.T, column_of, np.square(scaled[rows] - scaled[other]).T)
    # A single column that does it, the least different one, or the most different ones
    # together; all of them make the other sample, so the answer changes at last.
    taken = _single(predict, X, column_of, rows, other, gaps, answers)
    several = np.flatnonzero(~taken.any(axis=1))
    taken[several] = _together(
        predict, X, column_of, rows[several], other[several], gaps[several], answers
    )
    changed = predict(_mixed(X, column_of, rows, other, taken))
    return Changes(
        rows, other, [np.flatnonzero(one).tolist() for one in taken], changed
    )


def _nearest_with_another(scaled: Matrix, answers: Matrix, rows: Rows) -> Rows:
    """Return for each row the nearest sample of which the classifier says otherwise."""
    other = np.empty(len(rows), dtype=np.intp)
    for answer in np.unique(answers[rows]):
        own, rest = answers[rows] == answer, np.flatnonzero(answers != answer)
        near = NearestNeighbors(n_neighbors=1).fit(scaled[rest])
        other[own] = rest[
            near.kneighbors(scaled[rows[own]], return_distance=False)[:, 0]
        ]
    return other


def _mixed(
    X: Matrix, column_of: Rows, rows: Rows, other: Rows, taken: Matrix
) -> Matrix:
    """Return samples with the values of others in the columns that are ``taken``."""
    return np.where(taken[:, column_of], X[other], X[rows])


def _single(
    predict: Predict,
    X: Matrix,
    column_of: Rows,
    rows: Rows,
    other: Rows,
    gaps: Matrix,
    answers: Matrix,
) -> Matrix:
    """Return the one column that changes the answer (m, n_columns), where one does."""
    taken, least = np.zeros(gaps.shape, dtype=bool), np.full(len(rows), np.inf)
    for j in range(gaps.shape[1]):
        differ = np.flatnonzero((gaps[:, j] > 0) & (gaps[:, j] < least))
        if not len(differ):
            continue
        alone = np.zeros((len(differ), gaps.shape[1]), dtype=bool)
        alone[:, j] = True
        changed = predict(_mixed(X, column_of, rows[differ], other[differ], alone))
        does = differ[changed != answers[rows[differ]]]
        taken[does], least[does] = False, gaps[does, j]
        taken[does, j] = True
    return taken


def _together(
    predict: Predict,
    X: Matrix,
    column_of: Rows,
    rows: Rows,
    other: Rows,
    gaps: Matrix,
    answers: Matrix,
) -> Matrix:
    """Return columns (m, n_columns) that change the answers, none of them in vain."""
    order = np.argsort(-gaps, axis=1, kind="stable")
    taken = np.zeros(gaps.shape, dtype=bool)
    open_ = np.arange(len(rows))
    for k in range(gaps.shape[1]):
        if not len(open_):
            break
        taken[open_, order[open_, k]] = gaps[open_, order[open_, k]] > 0
        changed = predict(_mixed(X, column_of, rows[open_], other[open_], taken[open_]))
        open_ = open_[changed == answers[rows[open_]]]
    for k in range(min(gaps.shape[1], MOST_TRIED) - 1, -1, -1):
        column = order[:, k]
        tried = np.flatnonzero(taken[np.arange(len(rows)), column])
        if not len(tried):
            continue
        without = taken[tried].copy()
        without[np.arange(len(tried)), column[tried]] = False
        changed = predict(_mixed(X, column_of, rows[tried], other[tried], without))
        does = changed != answers[rows[tried]]
        taken[tried[does]] = without[does]
    return taken
