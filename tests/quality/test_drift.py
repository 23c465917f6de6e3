"""Exact tests of one source, against all arrangements and pairs."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest

from labelscape.quality.drift import chance, energy, joined, steps_apart


def test_the_energy_distance_is_that_of_all_pairs():
    rng = np.random.default_rng(0)
    centers = rng.normal(size=(4, 3))
    distances = np.linalg.norm(centers[:, None] - centers, axis=2)
    old, new = np.array([3, 1, 0, 4]), np.array([1, 2, 2, 0])
    a, b = np.repeat(np.arange(4), old), np.repeat(np.arange(4), new)
    slow = 2 * np.mean([distances[i, j] for i in a for j in b])
    slow -= np.mean([distances[i, j] for i in a for j in a])
    slow -= np.mean([distances[i, j] for i in b for j in b])
    np.testing.assert_allclose(energy(old, new, distances), slow)


def test_steps_apart_is_the_mean_squared_gap_of_distribution_functions():
    old, new = np.array([3, 1, 0, 4]), np.array([1, 2, 2, 0])
    a, b = np.repeat(np.arange(4), old), np.repeat(np.arange(4), new)
    gaps = [(np.mean(a <= x) - np.mean(b <= x)) ** 2 for x in (*a, *b)]
    np.testing.assert_allclose(steps_apart(old, new), np.mean(gaps))


@pytest.mark.parametrize("way", ["cells", "bins"])
def test_the_chance_is_that_of_all_arrangements(way):
    centers = np.array([[0.0], [1.0], [3.0]])
    apart = partial(energy, distances=np.abs(centers - centers.T))
    apart = apart if way == "cells" else steps_apart
    old, new = np.array([4, 2, 0]), np.array([0, 2, 2])
    units = np.repeat(np.arange(3), old + new)
    seen, as_far = apart(old, new), []
    for drawn in combinations(range(len(units)), new.sum()):
        others = np.delete(units, drawn)
        left = np.bincount(others, minlength=3)
        as_far.append(apart(left, old + new - left) >= seen - 1e-12)
    found = chance(old, new, apart, np.random.default_rng(1))
    assert abs(found - np.mean(as_far)) < 0.01  # 9999 draws of all of these


def test_many_small_chances_are_not_dearer_than_one():
    assert joined([0.2] * 50) == pytest.approx(0.2)
    assert joined([0.001, *[1.0] * 49]) == pytest.approx(0.05)
    assert joined([0.5]) == 0.5
