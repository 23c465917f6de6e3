"""How far groups agree, against the definition in sets."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from labelscape.quality._islands import (
    NONE,
    best_matches,
    density_groups,
    nearest_group,
)


def jaccard(a, b):
    return len(a & b) / len(a | b) if a | b else 0.0


def slow_best_matches(groups, others, n_groups):
    """Straight from the definition, with sets of objects."""
    everyone = set(range(len(groups)))
    there = [
        {i for i in everyone if others[i] == h} for h in set(others.tolist()) - {NONE}
    ]
    found = []
    for g in range(n_groups):
        here = {i for i in everyone if groups[i] == g}
        agreements = [
            min(jaccard(here, other), jaccard(everyone - here, everyone - other))
            for other in there
        ]
        found.append(max(agreements, default=0.0) if here else np.nan)
    return found


@pytest.mark.parametrize("seed", range(20))
def test_agreement_is_the_jaccard_index_with_the_best_match(seed):
    rng = np.random.default_rng(seed)
    n, n_groups, n_others = rng.integers((1, 1, 0), (40, 6, 6))
    groups = rng.integers(-1, n_groups, size=n)
    # Half of the objects agree, so that some groups are much alike.
    others = np.where(rng.random(n) < 0.5, groups, rng.integers(-1, n_others, size=n))
    assert_allclose(
        best_matches(groups, others, n_groups),
        slow_best_matches(groups, others, n_groups),
        rtol=0,
        atol=1e-15,
    )


def test_the_names_of_groups_do_not_matter():
    groups = np.array([0, 0, 1, 1, 1, 2])
    assert best_matches(groups, (groups + 1) % 3, 3).tolist() == [1.0, 1.0, 1.0]


def test_a_group_of_nearly_everything_is_not_found_again_in_everything():
    groups = np.repeat([0, 1], [95, 5])
    assert best_matches(groups, np.zeros(100, dtype=int), 2).tolist() == [0.0, 0.0]


def test_two_heaps_are_two_groups_and_strays_go_with_the_nearest():
    rng = np.random.default_rng(0)
    heaps = rng.normal(size=(80, 2)) + np.repeat([[0, 0], [40, 0]], [50, 30], axis=0)
    Z = np.vstack([heaps, [[12.0, 0.0]]])
    groups = density_groups(Z, 5)
    assert [len(set(groups[part])) for part in (slice(50), slice(50, 80))] == [1, 1]
    assert groups[0] == groups[80] != groups[50]


@pytest.mark.parametrize("n", [1, 4, 9, 100])
def test_one_heap_is_no_group(n):
    Z = np.random.default_rng(n).normal(size=(n, 2))
    assert (density_groups(Z, 5) == NONE).all()


def test_points_that_all_coincide_are_no_group():
    assert (density_groups(np.ones((50, 2)), 5) == NONE).all()


def test_where_there_are_no_groups_new_points_have_none():
    Z = np.zeros((3, 2))
    assert nearest_group(Z, np.full(3, NONE), Z).tolist() == [NONE, NONE, NONE]
