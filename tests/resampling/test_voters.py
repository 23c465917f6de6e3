"""All classes have the same weight in a vote."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import balanced_accuracy_score

from labelscape._resampling.voters import Tally, Voters, balanced_accuracy


def slow_vote(Z, codes, place, k, allowed):
    """Count votes of the nearest allowed voters, straight from the definition."""
    near = sorted((math.dist(place, z), i) for i, z in enumerate(Z) if allowed[i])[:k]
    counts = {c: np.sum(codes == c) for c in np.unique(codes)}
    uneven = max(counts.values()) > 3 * min(counts.values())
    votes = {}
    for rank, (_, i) in enumerate(near):
        c = int(codes[i])
        score, first = votes.get(c, (0.0, rank))
        votes[c] = (score + (1.0 / counts[c] if uneven else 1.0), first)
    best = max(score for score, _ in votes.values())
    tied = [(first, c) for c, (score, first) in votes.items() if score > best - 1e-9]
    return min(tied)[1]


@pytest.mark.parametrize("shares", [[0.4, 0.3, 0.3], [0.8, 0.1, 0.1]])
@pytest.mark.parametrize("k", [1, 4, 5])
def test_votes_are_those_of_the_definition(shares, k):
    rng = np.random.default_rng(k)
    codes = rng.choice(3, size=60, p=shares)
    Z, new = rng.normal(size=(60, 2)), rng.normal(size=(30, 2))
    units = np.repeat(np.arange(20), 3)
    voters = Voters(Z, codes, units, 3, k)
    everyone = np.ones(60, dtype=bool)
    wanted = [slow_vote(Z, codes, place, k, everyone) for place in new]
    assert_array_equal(voters.judge(new), wanted)
    own = [slow_vote(Z, codes, Z[i], k, units != units[i]) for i in range(60)]
    assert_array_equal(voters.judge_themselves(), own)


def test_an_object_without_others_is_judged_to_be_nothing():
    Z, codes = np.zeros((4, 1)), np.array([0, 1, 0, 1])
    voters = Voters(Z, codes, np.zeros(4, dtype=int), 2, 3)
    assert_array_equal(voters.judge_themselves(), [-1, -1, -1, -1])


def test_balanced_accuracy_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    codes, judged = rng.integers(4, size=(2, 200))
    wanted = balanced_accuracy_score(codes, judged)
    assert balanced_accuracy(judged, codes, 4) == pytest.approx(wanted)


def test_a_tally_knows_recalls_and_who_was_never_tried():
    tally = Tally(np.array([2, 0, 1, 0]), np.array([2, 2, 1, 0]))
    assert_allclose(tally.recalls(np.array([0, 0, 1, 1]), 2), [0.5, 1.0])
    assert_allclose(tally.share, [1.0, 0.0, 1.0, np.nan])
    table = tally.in_table(np.array([1, 2, 4, 5]), 6)
    assert_array_equal(table.tried, [0, 2, 2, 0, 1, 0])


def slow_votes(Z, codes, n_classes, k, place, left_out=()):
    """The k nearest voters; those of the last place share what is left of the k votes.

    A tie goes to the nearer.
    """
    others = [i for i in range(len(Z)) if i not in left_out]
    votes, first, n_votes = np.zeros(n_classes), np.full(n_classes, np.inf), 0
    for far in np.unique([abs(Z[i, 0] - place) for i in others]):
        if n_votes >= k:
            break
        there = [codes[i] for i in others if abs(Z[i, 0] - place) == far]
        for code in there:
            votes[code] += min(1.0, (k - n_votes) / len(there))
            first[code] = min(first[code], far)
        n_votes += len(there)
    return min(range(n_classes), key=lambda c: (-round(votes[c], 9), first[c]))


@pytest.mark.parametrize("n_places", [6, 20])
def test_voters_at_the_last_place_share_the_votes_that_are_left(n_places):
    rng = np.random.default_rng(0)
    grid = 2.0 ** np.arange(n_places)  # no two places are equally far from a third
    Z, codes = rng.choice(grid, size=(60, 1)), np.arange(60) % 3
    units = np.arange(60) // 3
    voters = Voters(Z, codes, units, 3, 5)
    new = np.array([[3.3], [9.7], [0.1]])
    wanted = [slow_votes(Z, codes, 3, 5, place[0]) for place in new]
    assert_array_equal(voters.judge(new), wanted)
    own = [
        slow_votes(Z, codes, 3, 5, Z[i, 0], set(np.flatnonzero(units == units[i])))
        for i in range(60)
    ]
    assert_array_equal(voters.judge_themselves(), own)


def test_many_voters_at_the_next_place_do_not_outvote_all_at_the_own_place():
    codes = np.repeat([0, 1], [5, 7])
    voters = Voters(np.c_[codes, codes] * 1.0, codes, np.arange(12), 2, 5)
    assert_array_equal(voters.judge_themselves(), codes)
