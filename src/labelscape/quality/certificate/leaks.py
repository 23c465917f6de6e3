"""Leaks: features, and a row order, that reveal the labels."""

from collections.abc import Sequence

import numpy as np
from numpy.random import RandomState

from labelscape._core.columns import is_counter, selected_features
from labelscape._core.threads import map_blocks
from labelscape._core.types import Array, Ints
from labelscape._resampling.chance import confirmed, split_p_value
from labelscape._resampling.splits import Split
from labelscape._resampling.units import RowUnits
from labelscape._resampling.voters import balanced_accuracy, vote, vote_weights
from labelscape.quality.certificate.fits import N_SPLITS, Problem
from labelscape.quality.certificate.verdict import SIGNIFICANT
from labelscape.quality.records import Finding

# Minimum share of the accuracy of all features, and minimum accuracy, of a leak.
NEARLY_ALL, MUCH = 0.95, 0.9
# Maximum number of tested features. Tables with many features get fewer splits.
MOST_TESTED = 200
MOST_ROWS = 3000  # at most about this many rows are tested
# Nearly equal distances are ties, so that the unit of a feature has no influence.
DIGITS = 9


def find_leaks(
    X: Array,
    names: Sequence[str],
    classes: Array,
    codes: Ints,
    units: RowUnits,
    original: float,
) -> list[Finding]:
    """Return findings about features, or the row order, that reveal the labels.

    Features are tested like a map, with nearest neighbors on random halves of the rows.
    ``original`` is the balanced accuracy of all features. The ``figure`` of a finding
    is the accuracy of the leak alone.
    """
    # The seed is fixed, because the test of a map and the audit of its table report the
    # same leaks: they must state the same numbers.
    rng = RandomState(0)
    problem = Problem.of_table(X, codes, units, classes, MOST_ROWS, rng)
    if problem.why_not:
        return []
    splits = problem.splits(N_SPLITS, rng)
    k, X = problem.n_voters(splits), problem.X
    # With many features, those whose class means differ most are tested.
    tested = selected_features(X, problem.codes, MOST_TESTED)
    few = splits[: max(1, MOST_TESTED // X.shape[1])]
    alone = np.zeros(X.shape[1])

    def accuracy(x: Array) -> float:
        return _accuracy(problem, few, _answers(problem, x, few, k))

    alone[tested] = map_blocks(accuracy, X[:, tested].T)
    counters = np.array([is_counter(x, problem.rows) for x in X.T])
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
    return leaks + _order(problem, splits, k, rng)


def _answers(
    problem: Problem, values: Array, splits: Sequence[Split], k: int
) -> list[Ints]:
    """Predict the classes of held-out samples from one feature, for each split."""
    answers = []
    for fitted, unseen in splits:
        known = problem.codes[fitted]
        nearest = nearest_on_a_line(values[fitted], k, values[unseen])
        weights = vote_weights(known, problem.n_classes)
        answers.append(vote(known[nearest], problem.n_classes, weights))
    return answers


def _accuracy(problem: Problem, splits: Sequence[Split], answers: list[Ints]) -> float:
    """Return the mean balanced accuracy of predictions for held-out samples."""
    scores = [
        balanced_accuracy(answer, problem.codes[split.unseen], problem.n_classes)
        for split, answer in zip(splits, answers, strict=True)
    ]
    return float(np.mean(scores))


def _is_copy(x: Array, problem: Problem) -> bool:
    """Whether a feature has few distinct values, each of one class only."""
    values, which = np.unique(x, return_inverse=True)
    if len(values) > 2 * problem.n_classes or np.bincount(which).min() < 2:
        return False
    pairs = np.unique(which * problem.n_classes + problem.codes)
    return len(pairs) == len(values)


def _order(
    problem: Problem, splits: Sequence[Split], k: int, rng: RandomState
) -> list[Finding]:
    """Return a finding if the row number predicts the class."""
    answers = _answers(problem, problem.rows.astype(np.float64), splits, k)
    p_values = []
    for (_, unseen), answer in zip(splits, answers, strict=True):
        codes, shuffle = problem.codes[unseen], problem.shuffle(unseen)
        p_values.append(split_p_value(answer, codes, shuffle, problem.n_classes, rng))
    if confirmed(p_values) > SIGNIFICANT:
        return []
    return [Finding("order", (), 0, figure=_accuracy(problem, splits, answers))]


def nearest_on_a_line(values: Array, k: int, queries: Array) -> Ints:
    """Return indices of the k values nearest to each query, nearest first."""
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    right = np.searchsorted(ranked, queries)
    window = right[:, None] + np.arange(-k, k)
    outside = (window < 0) | (window >= len(values))
    window = np.clip(window, 0, len(values) - 1)
    span = ranked[-1] - ranked[0]
    distance = np.abs(ranked[window] - queries[:, None])
    if 0.0 < span < np.inf:
        distance = np.round(distance / span, DIGITS)
    distance = np.where(outside, np.inf, distance)
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :k]
    return order[np.take_along_axis(window, nearest, axis=1)]
