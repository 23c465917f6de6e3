"""p-values that are exact, and intervals."""

from itertools import permutations

import numpy as np
import pytest

from labelscape._resampling.chance import (
    Interval,
    LabelShuffle,
    chained,
    confirmed,
    split_p_value,
    unit_intervals,
)
from labelscape._resampling.voters import Tally, balanced_accuracy


def test_the_p_value_is_the_share_of_all_arrangements_that_do_as_well():
    judged, codes = np.array([0, 0, 1, 1, 1, 0]), np.array([0, 0, 1, 1, 0, 1])
    observed = balanced_accuracy(judged, codes, 2)
    scores = [
        balanced_accuracy(judged, np.array(labels), 2)
        for labels in permutations(codes.tolist())
    ]
    exact = np.mean(np.array(scores) >= observed - 1e-12)
    rng = np.random.RandomState(0)
    shuffle = LabelShuffle(codes, np.arange(6))
    p_values = [split_p_value(judged, codes, shuffle, 2, rng) for _ in range(5)]
    assert np.mean(p_values) == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("size", [1, 4])
def test_labels_that_say_nothing_have_p_values_that_are_uniform_or_larger(size):
    # Predictions that know the unit, as a map does that was fitted to its features.
    p_values = []
    for seed in range(300):
        rng = np.random.RandomState(seed)
        units = np.repeat(np.arange(30), size)
        judged = rng.randint(2, size=30)[units]
        codes = rng.randint(2, size=30)[units]
        shuffle = LabelShuffle(codes, units)
        p_values.append(split_p_value(judged, codes, shuffle, 2, rng))
    for level in (0.05, 0.1, 0.25, 0.5):
        allowed = level + 3 * np.sqrt(level * (1 - level) / 300)
        assert np.mean(np.array(p_values) <= level) <= allowed
    assert np.mean(np.array(p_values) <= 0.5) > 0.3  # and not all of them 1


def test_splits_that_overlap_are_as_good_as_the_first_if_half_confirm_it():
    assert confirmed([0.01, 0.04, 0.02, 0.5, 0.001]) == 0.02
    assert confirmed([0.3, 0.04, 0.02, 0.5, 0.001]) == 0.3


def test_p_values_of_a_chain_are_combined_as_independent_ones():
    uniform = np.random.default_rng(0).random((4000, 3))
    combined = np.array([chained(row, [40, 10, 1]) for row in uniform])
    for level in (0.01, 0.05, 0.2):
        assert np.mean(combined <= level) == pytest.approx(level, abs=0.02)
    assert chained([0.04], [7]) == pytest.approx(0.04)
    assert chained([0.1, 0.1, 0.1], [9, 9, 9]) < 0.02
    assert (
        chained([0.001, 0.001, 0.001], [9, 9, 9]) == 0.001
    )  # the smallest that is reported
    assert chained([1.0, 1.0], [9, 9]) == pytest.approx(1.0)
    # Labels that cannot move say nothing.
    assert chained([0.01, 1.0], [9, 0]) == pytest.approx(0.01)
    assert chained([1.0], [0]) == 1.0


def test_labels_move_inside_groups_only():
    codes, groups = np.arange(40) % 2, np.arange(40) // 10
    shuffle = LabelShuffle(codes, np.arange(40), groups)
    assert shuffle.n_moving == 40
    drawn = np.array([shuffle.draw(np.random.RandomState(i)) for i in range(50)])
    for group in range(4):
        assert (drawn[:, groups == group].sum(axis=1) == 5).all()
    assert len(np.unique(drawn[:, 0])) == 2


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    # Units of four rows that are right or wrong together, so rows are no evidence.
    covered = []
    for seed in range(200):
        rng = np.random.RandomState(seed)
        units = np.repeat(np.arange(60), 4)
        codes = (np.arange(60) % 2)[units]
        right = (rng.uniform(size=60) < 0.7)[units].astype(int)
        tally = Tally(right, np.ones(240, dtype=int))
        found = unit_intervals({"seen": tally, "unseen": tally}, codes, units, 2, rng)
        covered.append(found["unseen"].low <= 0.7 <= found["unseen"].high)
        assert found["gap"] == (0.0, 0.0)
    assert np.mean(covered) > 0.88


def test_intervals_do_not_depend_on_how_units_are_numbered():
    rng = np.random.default_rng(0)
    codes, units = np.repeat([0, 1], 30), np.arange(60) // 2
    tally = {"right": Tally(rng.integers(0, 2, 60), np.ones(60, dtype=int))}
    one, other = (
        unit_intervals(tally, codes, u, 2, np.random.RandomState(0))
        for u in (units, 10_000 * units + 3)
    )
    assert one == other


@pytest.mark.parametrize(("n", "low"), [(24, 0.86), (53, 0.93)])
def test_where_all_are_right_the_interval_is_that_of_so_many_units(n, low):
    codes, units = np.arange(2 * n) // 2 % 2, np.arange(2 * n) // 2
    for right, ends in ((1, (low, 1.0)), (0, (0.0, 1.0 - low))):
        tally = Tally(np.full(2 * n, right), np.ones(2 * n, dtype=int))
        found = unit_intervals({"a": tally}, codes, units, 2, np.random.RandomState(0))
        assert found["a"] == pytest.approx(ends, abs=0.005)


def test_an_interval_is_written_with_ends_that_differ():
    assert str(Interval(0.861, 1.0)) == "86% to 100%"
    assert str(Interval(0.9982, 1.0)) == "99.8% to 100.0%"


def test_hits_under_shuffled_labels_are_counted_by_class():
    from labelscape._core.points._kernels import count_hits

    rng = np.random.default_rng(0)
    labels, answers = rng.integers(4, size=(3, 60)), rng.integers(4, size=60)
    hits, counts = np.zeros((2, 3, 4), dtype=np.intp)
    count_hits(labels, answers, hits, counts)
    for row, right, known in zip(labels, hits, counts, strict=True):
        np.testing.assert_array_equal(known, np.bincount(row, minlength=4))
        right_ones = row[row == answers]
        np.testing.assert_array_equal(right, np.bincount(right_ones, minlength=4))
