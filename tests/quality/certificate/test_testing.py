"""The public helpers for tests: fakes, planted tables, and the assertion."""

import numpy as np
import pytest

from labelscape.quality import certify
from labelscape.testing import FAKES, assert_certified, fake_map, planted_table


@pytest.mark.slow
@pytest.mark.parametrize("way", FAKES)
def test_each_fake_separates_as_drawn_and_is_not_real(way):
    reals = []
    for seed in range(3):
        X, y = planted_table(150, 8, 3, apart=0.0, random_state=seed)
        found = certify(X, fake_map(X, y, way, random_state=seed), y, random_state=seed)
        assert found.seen > 0.6
        reals.append(found.verdict.real)
    assert sum(real in ("yes", "partly") for real in reals) <= 1


def test_planted_classes_are_as_far_apart_as_said():
    X, y = planted_table(3000, 6, 3, apart=4.0, random_state=0)
    means = np.stack([X[y == c].mean(axis=0) for c in range(3)])
    steps = np.linalg.norm(np.diff(means, axis=0), axis=1)
    np.testing.assert_allclose(steps, 4.0, atol=0.2)
    again = planted_table(3000, 6, 3, apart=4.0, random_state=0)[0]
    np.testing.assert_array_equal(X, again)


def test_the_assertion_passes_honest_maps_only():
    X, y = planted_table(random_state=0)
    assert assert_certified(X, X, y, kept="most").verdict.real == "yes"
    y = np.random.default_rng(0).permutation(y)
    with pytest.raises(AssertionError, match="Are the classes really separated"):
        assert_certified(X, fake_map(X, y, random_state=0), y)
    with pytest.raises(ValueError, match="way"):
        fake_map(X, y, "nonsense")
