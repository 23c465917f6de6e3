"""Rows that must be on the same side of a split."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from tests.quality.certificate.cases import led_digits, votes

from labelscape._resampling.units import units_of
from labelscape.datasets import load


def slow_units(X, groups=None):
    """Merge rows until nothing changes: equal in all features, or of one group."""
    n, spread = len(X), np.ptp(X, axis=0)
    spread[spread == 0.0] = 1.0
    steps = np.rint((X - X.min(axis=0)) / (spread * 1e-9))
    unit = list(range(n))
    changed = True
    while changed:
        changed = False
        for i in range(n):
            for j in range(n):
                same = (steps[i] == steps[j]).all()
                same = same or (groups is not None and groups[i] == groups[j])
                if same and unit[i] != unit[j]:
                    unit[i] = unit[j] = min(unit[i], unit[j])
                    changed = True
    return unit


def partition(units):
    return {tuple(np.flatnonzero(np.asarray(units) == u)) for u in set(units)}


@pytest.mark.parametrize("seed", range(10))
def test_units_are_those_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(9, 4))[rng.integers(9, size=25)]
    groups = rng.integers(12, size=25)
    assert partition(units_of(X).of_row.tolist()) == partition(slow_units(X))
    found = units_of(X, groups)
    assert partition(found.of_row.tolist()) == partition(slow_units(X, groups))
    assert found.n_units == len(partition(slow_units(X, groups)))


def test_rows_that_differ_by_rounding_are_copies():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 30)) * 10.0 ** np.arange(-15, 15)
    again = np.concatenate([X, X * (1 + 1e-14)])
    assert_array_equal(units_of(again).of_row, [*range(50), *range(50)])
    assert_array_equal(units_of(again).copies, range(50, 100))
    words = "50 different rows among 100; equal rows stay together."
    assert units_of(again).words == words


def test_one_far_value_does_not_make_all_others_copies():
    X = np.random.default_rng(0).normal(size=(90, 4))
    X[0] = 1e12
    assert units_of(X).n_units == 90
    again = np.concatenate([X, X * (1 + 1e-14)])
    assert_array_equal(units_of(again).of_row, [*range(90), *range(90)])


def test_features_of_any_size_can_be_compared():
    X = np.array([[1e150, 0.0], [-1e150, 0.0], [1e150, 1e-300], [1e150, 0.0]])
    X = np.c_[X, [[0.0, 1, 2], [1, 2, 0], [3, 0, 1], [0, 1, 2]]]
    assert_array_equal(units_of(X).of_row, [0, 1, 2, 0])
    many = np.random.default_rng(0).normal(size=(60, 3)) * [1e-300, 1.0, 1e300]
    assert units_of(many).n_units == 60


def test_a_row_without_a_group_stands_alone():
    X = np.arange(10.0).reshape(5, 2)
    for missing in (None, np.nan):
        groups = np.array([missing, "a", missing, "a", "b"], dtype=object)
        assert_array_equal(units_of(X, groups).of_row, [0, 1, 2, 1, 3])


def test_groups_of_the_wrong_length_are_refused():
    with pytest.raises(
        ValueError, match=r"groups must contain one value per sample \(5\)"
    ):
        units_of(np.ones((5, 2)), ["a"])


def test_rows_that_are_all_units_of_their_own_are_not_worth_a_word():
    X = np.arange(6.0).reshape(3, 2)
    assert units_of(X, ["ann", "bob", "eve"]).words == ""
    assert units_of(X, ["ann", "ann", "eve"]).words.startswith("2 groups among 3 rows")


def in_families(sizes, noise, n_features=30, seed=0):
    """Return rows that repeat one subject each, and whose they are."""
    rng = np.random.default_rng(seed)
    subject = np.repeat(np.arange(len(sizes)), sizes)
    rows = rng.normal(size=(len(sizes), n_features))[subject]
    return rows + noise * rng.normal(size=rows.shape), subject


@pytest.mark.parametrize(
    ("sizes", "noise"), [([3] * 80, 0.01), ([4] * 60, 0.3), ([2, 3, 4, 5, 6] * 12, 0.3)]
)
def test_rows_that_come_in_families_stay_together(sizes, noise):
    X, subject = in_families(sizes, noise)
    found = units_of(X)
    assert partition(found.of_row) == partition(subject)
    assert f"Sets of about {found.family_size} nearly equal rows" in found.words
    assert not len(found.copies)


def test_groups_that_are_given_are_taken_as_they_are():
    X, _ = in_families([3] * 40, 0.01)
    groups = np.arange(120) // 2
    assert partition(units_of(X, groups).of_row) == partition(groups)


@pytest.mark.parametrize("name", ["iris", "wine", "digits", "breast_cancer", "modes"])
def test_rows_of_ordinary_tables_are_no_families(name):
    table = load(name)
    found = units_of(table.X, codes=np.unique(table.y, return_inverse=True)[1])
    assert found.n_units == len(np.unique(table.X, axis=0))
    assert not found.family_size


@pytest.mark.parametrize("n", [30, 100, 300])
@pytest.mark.parametrize("d", [1, 2, 10])
def test_groups_of_many_rows_are_no_families(n, d):
    rng = np.random.default_rng(n + d)
    for spread in (0.0, 20.0):  # one cloud, and three that are far apart
        X = rng.normal(size=(n, d)) + spread * rng.normal(size=(3, d))[np.arange(n) % 3]
        assert units_of(X).n_units == n


def test_rows_on_a_grid_are_no_families():
    grid = np.stack(np.meshgrid(np.arange(12), np.arange(10)), axis=-1)
    assert units_of(grid.reshape(-1, 2).astype(float)).n_units == 120


def test_classes_of_few_rows_are_no_families():
    X, subject = in_families([2] * 50, 0.1)
    assert units_of(X, codes=subject).n_units == 100
    assert units_of(X, codes=subject % 5).n_units == 50


def test_rows_of_few_values_are_equal_by_coincidence():
    X, y = led_digits(500)
    found = units_of(X, codes=y)
    assert found.n_units == 500
    assert not len(found.copies)
    assert "count as separate rows" in found.words


def test_votes_of_a_party_are_equal_by_coincidence():
    X, y = votes(400)
    assert units_of(X, codes=y).n_units == 400
    # The labels say that rows agree within classes; without them these are copies.
    assert units_of(X).n_units == len(np.unique(X, axis=0)) < 400


@pytest.mark.parametrize("table", [led_digits, votes])
def test_a_table_that_was_repeated_has_as_many_units_as_before(table):
    X, y = table(400)
    found = units_of(np.tile(X, (3, 1)), codes=np.tile(y, 3))
    assert found.n_units == 400
    assert set(np.bincount(found.of_row)) == {3}


def test_a_category_and_its_opposite_count_once():
    X, y = votes(400)
    assert units_of(np.c_[X, 1 - X], codes=y).n_units == 400
