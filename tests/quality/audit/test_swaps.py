"""Only class names that were exchanged in one batch are reported."""

from itertools import permutations

import numpy as np
import pytest

import labelscape
from labelscape.quality.audit.batches import best_renaming, cycles_of, swapped_names


def batches(n_batches=4, n_classes=3, per_class=15, distance=3.0, seed=0):
    """Return rows, classes and batches; batches are shifted against each other."""
    rng = np.random.default_rng(seed)
    batch = np.repeat(np.arange(n_batches), n_classes * per_class)
    y = np.tile(np.repeat(np.arange(n_classes), per_class), n_batches)
    centers = distance / np.sqrt(2) * np.eye(n_classes, 8)
    X = centers[y] + rng.normal(scale=0.3, size=(n_batches, 8))[batch]
    return X + rng.normal(size=X.shape), y, batch


def exchanged(y, batch, where, renaming):
    """Return labels that are renamed in one batch."""
    names = np.arange(y.max() + 1)
    names[list(renaming)] = list(renaming.values())
    return np.where(batch == where, names[y], y)


def test_the_best_renaming_is_that_of_all_permutations():
    rng = np.random.default_rng(0)
    logs, codes = np.log(rng.dirichlet(np.ones(4), 30)), rng.integers(0, 4, 30)
    rows = np.arange(30)
    fits = {
        names: logs[rows, np.array(names)[codes]].sum()
        for names in permutations(range(4))
    }
    best = max(fits, key=fits.get)
    gain, renaming = best_renaming(logs, codes)
    assert gain == pytest.approx(fits[best] - fits[0, 1, 2, 3])
    assert renaming == {old: new for old, new in enumerate(best) if old != new}


def test_a_permutation_falls_into_cycles():
    assert sorted(cycles_of({0: 2, 2: 0, 1: 3, 3: 4, 4: 1})) == [[0, 2], [1, 3, 4]]


@pytest.mark.parametrize("renaming", [{0: 1, 1: 0}, {0: 1, 1: 2, 2: 0}])
def test_names_exchanged_in_one_batch_are_named(renaming):
    X, y, batch = batches()
    given = exchanged(y, batch, 2, renaming)
    rng = np.random.RandomState(0)
    swaps = swapped_names(X, given, batch, np.arange(len(y)), rng)
    assert [(swap.batch, swap.classes) for swap in swaps] == [(2, tuple(renaming))]
    assert set(swaps[0].rows) == set(np.flatnonzero((batch == 2) & (given != y)))
    assert swaps[0].n_agree > 0.8 * len(swaps[0].rows)


@pytest.mark.slow
@pytest.mark.parametrize("distance", [0.0, 1.0, 3.0])
def test_right_names_are_not_suspected(distance):
    for seed in range(4):
        X, y, batch = batches(distance=distance, seed=seed)
        rng = np.random.RandomState(0)
        assert swapped_names(X, y, batch, np.arange(len(y)), rng) == []


def test_two_batches_do_not_say_which_of_them_is_wrong():
    X, y, batch = batches(n_batches=2)
    given = exchanged(y, batch, 1, {0: 1, 1: 0})
    rng = np.random.RandomState(0)
    assert swapped_names(X, given, batch, np.arange(len(y)), rng) == []


@pytest.mark.slow
@pytest.mark.parametrize("role", ["batch", "groups"])
def test_the_report_of_an_audit_names_the_batch_or_the_group(role):
    X, y, batch = batches()
    names = np.array(["a", "b", "c"])
    given = names[exchanged(y, batch, 3, {0: 2, 2: 0})]
    report = labelscape.audit(
        X, given, random_state=0, **{role: [f"d{b}" for b in batch]}
    )
    assert [(swap.batch, swap.classes) for swap in report.swaps] == [("d3", ("a", "c"))]
    assert "In batch d3, the names of the classes 'a', 'c' look swapped" in str(report)
