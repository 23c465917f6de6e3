"""Leaks (features, or a row order, that reveal the labels), and impossible values."""

from collections.abc import Sequence

import numpy as np
from numpy.random import RandomState

from labelscape._core.columns import far_cells, is_counter, selected_features
from labelscape._core.threads import map_blocks
from labelscape._core.types import Array, Ints
from labelscape._resampling.chance import confirmed, split_p_value
from labelscape._resampling.classifiers import answers_on_a_line
from labelscape._resampling.trial import Problem, Split
from labelscape._resampling.units import RowUnits
from labelscape._resampling.voters import balanced_accuracy
from labelscape.quality.certificate.dependence import dependent_rows
from labelscape.quality.certificate.fits import N_SPLITS
from labelscape.quality.certificate.verdict import SIGNIFICANT
from labelscape.quality.records import Finding

# Minimum share of the accuracy of all features, and minimum accuracy, of a leak.
NEARLY_ALL, MUCH = 0.95, 0.9
# A class has one value of a feature, with at least SEVERAL values, in this share of its
# rows; and another class in this share of its rows not. Limits of rows and classes.
NEARLY_ALL_ROWS, SEVERAL, ROWS_OF_CLASS, MOST_CLASSES = 0.97, 10, 20, 10
# Maximum number of tested features. Tables with many features get fewer splits.
MOST_TESTED = 200
MOST_ROWS = 3000  # at most about this many rows are tested
# Findings about rows, not about features.
ABOUT_ROWS = ("order", "near in order", "near in space")


def find_leaks(
    X: Array,
    names: Sequence[str],
    classes: Array,
    codes: Ints,
    units: RowUnits,
    original: float,
) -> list[Finding]:
    """Return findings about features, or the row order, that reveal the labels.

    They include rows that are alike because they are near each other. Features are
    tested like a map, with nearest neighbors on random halves of the rows. ``original``
    is the balanced accuracy of all features. The ``figure`` of a finding is the
    accuracy of the leak alone.
    """
    # The seed is fixed, because the test of a map and the audit of its table report the
    # same leaks: they must state the same numbers.
    rng = RandomState(0)
    problem = Problem.of_table(X, codes, units, classes, MOST_ROWS, rng)
    if problem.why_not:
        return []
    splits = problem.halves(N_SPLITS, rng)
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
    for j in tested.tolist():
        label = "" if kinds[j] else _class_of_a_value(X[:, j], problem)
        if label:
            name = (str(names[j]),)
            leaks.append(Finding("class value", name, 1, sure="likely", column=label))
    dependent = dependent_rows(X, problem.codes, names, units, problem.rows)
    return [*leaks, *_order(problem, splits, k, rng), *dependent]


def _answers(
    problem: Problem, values: Array, splits: Sequence[Split], k: int
) -> list[Ints]:
    """Predict the classes of held-out samples from one feature, for each split."""
    answers = []
    for fitted, unseen in splits:
        known, n_classes = problem.codes[fitted], problem.n_classes
        seen, new = values[fitted], values[unseen]
        answers.append(answers_on_a_line(seen, known, new, k, n_classes))
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


def _class_of_a_value(x: Array, problem: Problem) -> str:
    """Return the class with one value of a feature, which another class never has.

    A third class may hide that such a feature separates two classes. The smallest value
    does not count, because counts are often 0 in one class, as those of marker genes.
    """
    sizes = np.bincount(problem.codes)
    values, which = np.unique(x, return_inverse=True)
    usual = np.bincount(which).argmax()
    if usual == 0 or len(values) < SEVERAL or not 3 <= len(sizes) <= MOST_CLASSES:
        return ""
    shares = np.bincount(problem.codes[which == usual], minlength=len(sizes)) / sizes
    is_known = sizes >= ROWS_OF_CLASS
    if not (is_known & (shares <= 1.0 - NEARLY_ALL_ROWS)).any():
        return ""
    full = np.flatnonzero(is_known & (shares >= NEARLY_ALL_ROWS))
    return str(problem.classes[full[0]]) if len(full) else ""


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


def far_cell_findings(X: Array, rows: Ints, names: Sequence[str]) -> list[Finding]:
    """Return a finding for each impossible value of tested rows of a table."""
    found = [(rows[[i]], str(names[j]), float(X[i, j])) for i, j, _ in far_cells(X)]
    return [
        Finding("far cell", (name,), 1, row, "likely", figure=value)
        for row, name, value in found
    ]
