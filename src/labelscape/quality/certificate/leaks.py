"""Leaks: features, and an order of rows, that give the labels away."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape._core.columns import is_counter, selected_features
from labelscape._resampling.chance import combined, split_p_value
from labelscape._resampling.splits import Split
from labelscape._resampling.voters import balanced_accuracy, vote, vote_weights
from labelscape.quality.certificate.fits import HALF, N_SPLITS, VOTERS, Problem
from labelscape.quality.certificate.verdict import SIGNIFICANT
from labelscape.quality.records import Finding

# One feature is enough if it predicts this share of what all predict, and this much.
NEARLY_ALL, MUCH = 0.95, 0.9
# Single features are judged by all splits, or by fewer if there are many features.
MOST_JUDGED = 200


def find_leaks(
    problem: Problem,
    rows: NDArray[np.intp],
    names: Sequence[str],
    splits: Sequence[Split],
    k: int,
    original: float,
    rng: RandomState,
) -> list[Finding]:
    """Return what gives the labels away: features first, then the order of rows.

    Features are judged as the map is, by k neighbors on the same splits. ``rows`` are
    the numbers of the samples in their table, ``original`` is the balanced accuracy by
    all features. The figure of each finding is that of the leak alone.
    """
    X = problem.X
    # Of many features, those are judged whose class means differ most.
    judged = selected_features(X, problem.codes, MOST_JUDGED)
    few = splits[: max(1, MOST_JUDGED // X.shape[1])]
    alone = np.zeros(X.shape[1])
    alone[judged] = [_accuracy(problem, x, few, k) for x in X[:, judged].T]
    counters = np.array([is_counter(x, rows) for x in X.T])
    copies = np.array([_is_copy(x, problem) for x in X.T]) & (alone >= MUCH)
    kinds = np.where(counters, "counter", np.where(copies, "copy", ""))
    leaks = [
        Finding(str(kinds[j]), (str(names[j]),), 1, figure=float(alone[j]))
        for j in np.flatnonzero(kinds).tolist()
    ]
    best = int(alone.argmax())
    if not kinds[best] and alone[best] >= NEARLY_ALL * original and original >= MUCH:
        figure = float(alone[best])
        best_name = (str(names[best]),)
        leaks.append(Finding("one feature", best_name, 1, sure="likely", figure=figure))
    return leaks + _order(problem, rows, splits, k, rng)


def leaks_of_table(
    problem: Problem,
    rows: NDArray[np.intp],
    names: Sequence[str],
    original: float,
    rng: RandomState,
) -> list[Finding]:
    """Return what gives the labels of a table away, judged as a map is by default."""
    if problem.why_not:
        return []
    splits = [problem.split(HALF, rng) for _ in range(N_SPLITS)]
    k = problem.n_voters(VOTERS, splits)
    return find_leaks(problem, rows, names, splits, k, original, rng)


def _by_one(
    problem: Problem, values: NDArray[Any], split: Split, k: int
) -> NDArray[np.intp]:
    """Return the classes of held-out samples by neighbors in one feature."""
    known = problem.codes[split.fitted]
    nearest = nearest_on_a_line(values[split.fitted], k, values[split.unseen])
    weights = vote_weights(known, problem.n_classes)
    return vote(known[nearest], problem.n_classes, weights)


def _accuracy(
    problem: Problem, values: NDArray[Any], splits: Sequence[Split], k: int
) -> float:
    """Return the balanced accuracy of one feature for held-out samples."""
    codes, n_classes = problem.codes, problem.n_classes
    scores = [
        balanced_accuracy(
            _by_one(problem, values, split, k), codes[split.unseen], n_classes
        )
        for split in splits
    ]
    return float(np.mean(scores))


def _is_copy(x: NDArray[Any], problem: Problem) -> bool:
    """Whether a feature has few values that repeat, each of one class."""
    values, which = np.unique(x, return_inverse=True)
    if len(values) > 2 * problem.n_classes or np.bincount(which).min() < 2:
        return False
    pairs = np.unique(which * problem.n_classes + problem.codes)
    return len(pairs) == len(values)


def _order(
    problem: Problem,
    rows: NDArray[np.intp],
    splits: Sequence[Split],
    k: int,
    rng: RandomState,
) -> list[Finding]:
    """Return that the row number predicts the class, if it does."""
    place = rows.astype(np.float64)
    p_values = []
    for split in splits:
        codes, units = problem.codes[split.unseen], problem.units[split.unseen]
        judged = _by_one(problem, place, split, k)
        p_values.append(split_p_value(judged, codes, units, problem.n_classes, rng))
    if combined(p_values) > SIGNIFICANT:
        return []
    return [Finding("order", (), 0, figure=_accuracy(problem, place, splits, k))]


def nearest_on_a_line(
    values: NDArray[Any], k: int, queries: NDArray[Any]
) -> NDArray[np.intp]:
    """Return the k nearest of some numbers for each query, nearest first."""
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    right = np.searchsorted(ranked, queries)
    window = right[:, None] + np.arange(-k, k)
    outside = (window < 0) | (window >= len(values))
    window = np.clip(window, 0, len(values) - 1)
    distance = np.where(outside, np.inf, np.abs(ranked[window] - queries[:, None]))
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :k]
    return order[np.take_along_axis(window, nearest, axis=1)]
