"""Fits to a part of the rows: how they are planned, and what they see."""

import ast
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import labelscape
from labelscape._core import threads
from labelscape._resampling.refits import seeded_clone, share_threads
from labelscape._resampling.trial import Fit, Problem, Split, dealt_folds
from labelscape._resampling.units import units_of
from labelscape.embeddings import LFDA, FisherTSNE
from labelscape.prototypes import GMLVQ


def table(n=120, n_groups=30, seed=0):
    """Return samples of three classes, in groups of one class each."""
    rng = np.random.RandomState(seed)
    groups = rng.permutation(np.arange(n) % n_groups)
    codes = groups % 3
    return rng.normal(size=(n, 4)) + 2.0 * codes[:, None], codes, groups


def problem_of(X, codes, groups):
    units, rng = units_of(X, groups), np.random.RandomState(0)
    return Problem.of_table(X, codes, units, np.unique(codes), None, rng)


class Memory(ClassifierMixin, BaseEstimator):
    """A classifier that tells which samples it was fitted to, by their first value."""

    def fit(self, X, y):
        self.classes_, self.known_ = np.unique(y), X[:, 0]
        return self

    def predict(self, X):
        return np.isin(X[:, 0], self.known_).astype(int)

    def predict_proba(self, X):
        share = np.full(len(X), len(self.known_) / 1000)
        return np.column_stack([share, 1.0 - share])


@pytest.mark.parametrize("n_folds", [2, 5, 8])
def test_folds_hold_out_each_unit_once_and_the_same_share_of_each_class(n_folds):
    problem = problem_of(*table())
    splits = problem.folds(n_folds, np.random.RandomState(1))
    assert len(splits) == n_folds
    held_out = np.concatenate([split.unseen for split in splits])
    assert_array_equal(np.sort(held_out), np.arange(120))
    for fitted, unseen in splits:
        assert not set(problem.units[fitted]) & set(problem.units[unseen])
        assert len(fitted) + len(unseen) == 120
        n_units = [
            len(set(problem.units[unseen][problem.codes[unseen] == c]))
            for c in range(3)
        ]
        assert max(n_units) - min(n_units) <= 1


def test_crossed_groups_are_held_out_once_and_the_chain_adds_block_to_block():
    rng, rows = np.random.RandomState(0), np.arange(160)
    problem = problem_of(rng.normal(size=(160, 3)), rows % 2, rows // 8)
    assert len(np.unique(problem.units)) == 20
    assert len(np.unique(problem.independent)) == 160
    assert len(problem.halves(5, rng)) == 8  # folds of groups, not five halves
    halves = problem.by_row.halves(5, rng)
    assert [len(split.unseen) for split in halves] == [80] * 5
    chain = problem.chain(rng)
    assert len(chain) == 3
    for before, after in pairwise(chain):
        assert_array_equal(np.sort(np.concatenate(before)), np.sort(after.fitted))
    assert problem.by_row.chain(rng) == []


def test_classes_of_one_unit_are_no_part_of_the_problem():
    X, codes, groups = table()
    # One group is a class of its own, and two groups are another class.
    codes = np.select([groups == 4, groups > 27], [3, 4], codes)
    names = np.array(["a", "b", "c", "alone", "pair"])
    units, rng = units_of(X, groups), np.random.RandomState(0)
    problem = Problem.of_table(X, codes, units, names, None, rng)
    assert problem.classes.tolist() == ["a", "b", "c", "pair"]
    assert problem.fewest_units == 2
    assert_array_equal(problem.rows, np.flatnonzero(groups != 4))
    assert_array_equal(problem.X, X[problem.rows])
    assert_array_equal(names[codes[problem.rows]], problem.classes[problem.codes])
    few = problem.take(np.array([5, 2]))
    assert_array_equal(few.rows, problem.rows[[5, 2]])
    assert_array_equal(few.X, X[few.rows])


def test_labels_are_shuffled_in_each_part_of_a_split_alone():
    X, codes, _ = table()
    problem = problem_of(X, codes, None)
    split = Split(np.arange(80), np.arange(80, 120))
    fit, other = problem.null_fits([split, split], np.random.RandomState(0))
    (true,) = problem.fits([split], np.random.RandomState(0))
    assert fit.is_null
    assert not true.is_null
    assert (fit.codes != other.codes).any()
    assert fit.seed != other.seed
    for part in split:
        assert_array_equal(np.bincount(fit.codes[part]), np.bincount(codes[part]))
        assert (fit.codes[part] != codes[part]).any()


def test_a_map_is_fitted_to_one_part_and_places_the_other():
    X, codes, _ = table()
    problem = problem_of(X, codes, None)
    split = Split(np.arange(80), np.arange(80, 120))
    model, Z, Z_new = Fit(problem, split, problem.codes, 0).placed(LFDA())
    alone = LFDA().fit(X[:80], codes[:80])
    assert_array_equal(Z, alone.transform(X[:80]))
    assert_array_equal(Z_new, alone.transform(X[80:]))
    assert_array_equal(model.transform(X[80:]), Z_new)
    # Without classes, maps get no labels, and LFDA needs some.
    with pytest.raises(ValueError, match="requires y"):
        Fit(problem._replace(classes=np.empty(0)), split, codes, 0).placed(LFDA())


def test_no_prediction_is_by_a_model_that_was_fitted_to_the_unit():
    X, codes, groups = table()
    problem, steps = problem_of(X, codes, groups), []

    def stop(news):
        steps.append(news)
        return True  # a prediction of all rows cannot stop in between

    answers, _ = problem.predictions(Memory(), X, 5, np.random.RandomState(0), stop)
    assert not answers.any()
    assert len(steps) == 5


def test_rows_that_are_not_tested_are_predicted_by_one_of_the_models():
    X, codes, groups = table()
    problem = problem_of(X, codes, groups)
    problem = problem.take(np.flatnonzero(groups < 20))
    assert len(problem.rows) == 80
    answers, sure = problem.predictions(Memory(), X, 3, np.random.RandomState(0))
    assert not answers.any()
    others = np.setdiff1d(np.arange(120), problem.rows)
    assert len(np.unique(sure[others])) == 1
    first = problem.folds(3, np.random.RandomState(0))[0]
    assert sure[others][0] == np.float32(1.0 - len(first.fitted) / 1000)


@pytest.mark.parametrize("workers", [1, 2])
def test_predictions_do_not_depend_on_the_number_of_threads(monkeypatch, workers):
    monkeypatch.setattr(threads, "n_threads", lambda: workers)
    X, codes, groups = table()
    model = make_pipeline(StandardScaler(), GMLVQ(max_iter=20))
    problem, rng = problem_of(X, codes, groups), np.random.RandomState(3)
    answers, sure = problem.predictions(model, X, 4, rng)
    expected, rng = np.empty(120, dtype=int), np.random.RandomState(3)
    for fit in problem.fits(problem.folds(4, rng), rng):
        fitted, unseen = fit.split
        alone = seeded_clone(model, fit.seed).fit(X[fitted], codes[fitted])
        expected[unseen] = alone.predict(X[unseen])
        p = alone.predict_proba(X[unseen]).max(axis=1)
        assert_array_equal(sure[unseen], p.astype(np.float32))
    assert_array_equal(answers, expected)


def test_scalers_before_our_estimators_share_threads_and_other_estimators_do_not():
    assert share_threads(make_pipeline(StandardScaler(), GMLVQ()))
    assert not share_threads(make_pipeline(StandardScaler(), SVC()))
    assert not share_threads(PCA(2))


def test_without_a_seed_the_parts_of_an_estimator_keep_theirs():
    own = FisherTSNE(random_state=7)
    names = [n for n in own.get_params() if n.endswith("random_state")]
    unset = [n for n in names if own.get_params()[n] is None]
    assert {seeded_clone(own, 3).get_params()[n] for n in unset} <= {3}
    assert all(seeded_clone(own, None).get_params()[n] is None for n in unset)
    assert seeded_clone(own, 3).random_state == 7


def test_rows_of_one_unit_can_not_be_dealt():
    with pytest.raises(ValueError, match="all rows belong together"):
        dealt_folds(
            np.arange(6) % 2,
            np.zeros(6, dtype=int),
            3,
            np.random.RandomState(0),
            owner="honesty",
        )


def test_no_splitter_of_scikit_learn_deals_rows():
    # They know nothing of units, or nothing of classes: one dealer is enough.
    used = set()
    for path in Path(labelscape.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                names = {alias.name for alias in node.names}
                if node.module == "sklearn.model_selection":
                    used |= {(path.name, name) for name in names}
    assert used == {("compare.py", "train_test_split")}  # it samples rows of a table


def few(n, n_classes=2):
    """Return a problem of n rows, each its own unit."""
    X = np.random.RandomState(0).normal(size=(n, 3))
    return problem_of(X, np.arange(n) % n_classes, np.arange(n))


def test_ten_units_of_two_classes_are_enough_for_a_test():
    assert few(10).why_not == ""
    assert "only 9 independent rows" in few(9).why_not
    assert "fewer than two classes" in few(20, n_classes=1).why_not
    groups = np.repeat(np.arange(10), 2 ** np.arange(10))
    X = np.random.RandomState(0).normal(size=(len(groups), 3))
    unlike = problem_of(X, groups % 2, groups)
    assert unlike.why_not.startswith("all groups differ in size")


def test_at_most_five_neighbors_vote_and_no_more_than_a_class_has():
    all_rows = Split(np.arange(20), np.arange(20))
    assert few(20).n_voters([all_rows]) == 5
    three_of_each = Split(np.arange(6), np.arange(6, 20))
    assert few(20).n_voters([all_rows, three_of_each]) == 3
