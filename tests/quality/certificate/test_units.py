"""Which rows may not stand on both sides of a split."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from labelscape.quality.certificate.units import units_of


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
    X = rng.integers(3, size=(25, 2)).astype(float)
    groups = rng.integers(12, size=25)
    assert partition(units_of(X).of_row.tolist()) == partition(slow_units(X))
    found = units_of(X, groups)
    assert partition(found.of_row.tolist()) == partition(slow_units(X, groups))
    assert found.n_units == len(partition(slow_units(X, groups)))


def test_rows_that_differ_by_rounding_are_copies():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 30)) * 10.0 ** np.arange(-15, 15)
    again = np.concatenate([X, X * (1 + 1e-14), X + 1e-6 * np.ptp(X, axis=0)])
    assert_array_equal(
        units_of(again).of_row, [*range(50), *range(50), *range(50, 100)]
    )
    assert_array_equal(units_of(again).copies, range(50, 100))
    assert (
        units_of(again).words == "100 different rows among 150; copies stay together."
    )


def test_features_of_any_size_can_be_compared():
    X = np.array([[1e150, 0.0], [-1e150, 0.0], [1e150, 1e-300], [1e150, 0.0]])
    assert_array_equal(units_of(X).of_row, [0, 1, 2, 0])


def test_a_row_without_a_group_stands_alone():
    X = np.arange(10.0).reshape(5, 2)
    for missing in (None, np.nan):
        groups = np.array([missing, "a", missing, "a", "b"], dtype=object)
        assert_array_equal(units_of(X, groups).of_row, [0, 1, 2, 1, 3])


def test_groups_of_the_wrong_length_are_refused():
    with pytest.raises(
        ValueError, match=r"groups must hold one value per object \(5\)"
    ):
        units_of(np.ones((5, 2)), ["a"])


def test_some_rows_keep_their_units_and_copies():
    X = np.array([[1.0], [2.0], [1.0], [3.0], [2.0], [2.0]])
    part = units_of(X).take(np.array([1, 2, 4, 5]))
    assert_array_equal(part.of_row, [1, 0, 1, 1])
    assert_array_equal(part.first_copy, [0, 1, 0, 0])


def test_rows_that_are_all_units_of_their_own_are_not_worth_a_word():
    X = np.arange(6.0).reshape(3, 2)
    assert units_of(X, ["ann", "bob", "eve"]).words == ""
    assert units_of(X, ["ann", "ann", "eve"]).words.startswith("2 units among 3 rows")
