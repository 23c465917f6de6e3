"""Splits and shuffles move whole units."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from labelscape._resampling.chance import LabelShuffle
from labelscape._resampling.sampling import some_units
from labelscape._resampling.trial import draw_split


def table(seed, n_units=40, n_classes=3):
    rng = np.random.default_rng(seed)
    units = np.repeat(np.arange(n_units), rng.integers(1, 5, n_units))
    return rng.integers(n_classes, size=n_units)[units], units


@pytest.mark.parametrize("seed", range(10))
def test_no_unit_stands_on_both_sides_and_every_class_does(seed):
    codes, units = table(seed)
    split = draw_split(codes, units, 0.5, np.random.RandomState(seed))
    assert not set(units[split.fitted]) & set(units[split.unseen])
    assert_array_equal(np.sort(np.concatenate(split)), np.arange(len(codes)))
    for c in range(3):
        fitted = len(set(units[split.fitted][codes[split.fitted] == c]))
        unseen = len(set(units[split.unseen][codes[split.unseen] == c]))
        assert abs(fitted - unseen) <= 1


def test_a_class_of_two_units_has_one_on_each_side_whatever_the_share():
    codes, units = np.repeat([0, 1], [2, 50]), np.arange(52)
    for share in (0.01, 0.99):
        split = draw_split(codes, units, share, np.random.RandomState(0))
        assert [np.sum(codes[part] == 0) for part in split] == [1, 1]


@pytest.mark.parametrize("seed", range(10))
def test_shuffled_labels_of_a_unit_agree_and_none_is_lost(seed):
    codes, units = table(seed)
    shuffled = LabelShuffle(codes, units).draw(np.random.RandomState(seed))
    sizes = np.bincount(units)[units]
    for unit in np.unique(units):
        assert len(set(shuffled[units == unit])) == 1
    for size in np.unique(sizes):
        before, after = codes[sizes == size], shuffled[sizes == size]
        assert_array_equal(np.bincount(before), np.bincount(after))
    assert (shuffled != codes).any()


def test_units_of_several_classes_move_as_they_are():
    units = np.repeat(np.arange(6), 2)
    codes = np.array([0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1])
    seen = Counter()
    rng = np.random.RandomState(0)
    shuffle = LabelShuffle(codes, units)
    for _ in range(200):
        labels = shuffle.draw(rng).reshape(6, 2)
        seen.update(map(tuple, labels))
    assert set(seen) == {(0, 1), (1, 0), (0, 0), (1, 1)}


def test_all_arrangements_are_equally_likely():
    codes = np.array([0, 0, 1, 2])
    wanted = set(permutations(codes.tolist()))
    shuffle, rng = LabelShuffle(codes, np.arange(4)), np.random.RandomState(0)
    n = 6000
    seen = Counter(tuple(shuffle.draw(rng).tolist()) for _ in range(n))
    assert set(seen) == wanted
    expected = n / len(wanted)
    chi_square = sum((count - expected) ** 2 / expected for count in seen.values())
    assert chi_square < 31.3  # 11 degrees of freedom, 0.1 %


def test_units_of_different_sizes_change_labels_with_others_about_as_large():
    sizes = np.arange(8, 40)
    units = np.repeat(np.arange(32), sizes)
    of_unit = np.arange(32) % 2
    shuffle = LabelShuffle(of_unit[units], units)
    assert shuffle.n_moving == 32
    rng = np.random.RandomState(0)
    first = [shuffle.draw(rng)[units == 0][0] for _ in range(50)]
    assert set(first) == {0, 1}


def test_units_that_are_all_unlike_can_not_be_shuffled():
    units = np.repeat(np.arange(6), 4 ** np.arange(6))
    codes = np.arange(6)[units] % 2
    shuffle = LabelShuffle(codes, units)
    assert shuffle.n_moving == 0
    assert_array_equal(shuffle.draw(np.random.RandomState(0)), codes)


def test_units_that_are_not_there_are_not_drawn():
    codes, units = np.repeat([0, 1], 20), np.arange(40)
    gaps = 1000 * units + 7
    for seed in range(5):
        one, other = (
            draw_split(codes, given, 0.5, np.random.RandomState(seed))
            for given in (units, gaps)
        )
        assert_array_equal(one.unseen, other.unseen)
        assert (codes[other.unseen] == 0).sum() == 10


def test_both_sides_of_a_split_have_the_same_classes():
    # As many classes on both sides, but others, would pass a count.
    codes, units = np.array([0, 0, 1, 1, 0, 1]), np.array([0, 0, 1, 1, 2, 3])
    for seed in range(20):
        fitted, unseen = draw_split(codes, units, 0.5, np.random.RandomState(seed))
        assert set(codes[fitted]) == set(codes[unseen])


def test_classes_of_one_group_each_can_not_be_split():
    codes = np.repeat([0, 1, 2], 10)
    with pytest.raises(ValueError, match="no class has rows of two groups"):
        draw_split(codes, codes, 0.5, np.random.RandomState(0))


def test_few_rows_are_drawn_of_units_with_very_many():
    rng = np.random.RandomState(0)
    codes, units = rng.randint(3, size=60_000), np.repeat(np.arange(12), 5000)
    codes[units == 0] = 0
    rows = some_units(codes, units, 600, rng)
    pairs = {*zip(codes.tolist(), units.tolist(), strict=True)}
    assert 600 <= len(rows) <= 600 + len(pairs)
    assert {*zip(codes[rows].tolist(), units[rows].tolist(), strict=True)} == pairs
    assert (np.diff(rows) > 0).all()
    assert abs(np.mean(units[rows] == 0) - 1 / 12) < 0.01


def test_units_of_one_size_keep_one_size():
    units = np.repeat(np.arange(30), 1000)
    rows = some_units(units % 2, units, 500, np.random.RandomState(1))
    assert {*np.bincount(units[rows]).tolist()} == {17}  # 500 / 30, rounded up


def test_all_rows_of_units_are_kept_if_these_are_not_far_more():
    units = np.repeat(np.arange(30), 40)
    rows = some_units(units % 2, units, 700, np.random.RandomState(1))
    assert {*np.bincount(units[rows])} <= {0, 40}
