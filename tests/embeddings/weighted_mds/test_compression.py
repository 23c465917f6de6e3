import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from labelscape.embeddings import compress_classes


def two_classes():
    X = np.random.default_rng(0).normal(size=(53, 3))
    return X, np.repeat(["common", "rare"], [50, 3])


def test_each_class_keeps_the_same_share_and_at_least_one():
    X, y = two_classes()
    compressed = compress_classes(X, y, 0.1, random_state=0)
    assert_array_equal(compressed.labels, ["common"] * 5 + ["rare"])
    assert compressed.sizes[:5].sum() == 50
    assert compressed.sizes[5] == 3


def test_sizes_and_centres_keep_the_mean_of_a_class():
    X, y = two_classes()
    compressed = compress_classes(X, y, 0.2, random_state=0)
    common = compressed.labels == "common"
    mean = np.average(
        compressed.centers[common], axis=0, weights=compressed.sizes[common]
    )
    assert_allclose(mean, X[:50].mean(axis=0), atol=1e-12)


def test_all_of_the_objects_are_their_own_centres():
    X, y = two_classes()
    centers = compress_classes(X, y, 1.0, random_state=0).centers
    assert_allclose(np.sort(centers, axis=0), np.sort(X, axis=0))


def test_duplicates_are_not_counted_twice():
    X = np.repeat([[0.0, 0.0], [1.0, 1.0]], 10, axis=0)
    compressed = compress_classes(X, np.zeros(20), 0.5, random_state=0)
    assert len(compressed.centers) == 2
    assert_array_equal(compressed.sizes, [10, 10])


def test_the_seed_decides():
    X, y = two_classes()
    first, again = (compress_classes(X, y, 0.2, random_state=3) for _ in range(2))
    assert_array_equal(first.centers, again.centers)


@pytest.mark.parametrize("fraction", [0, 1.5, "all"])
def test_a_wrong_fraction_is_named(fraction):
    with pytest.raises(ValueError, match="compress_classes: fraction must be"):
        compress_classes(*two_classes(), fraction)


def test_differences_that_are_too_small_for_a_distance_give_no_gaps():
    X, y = two_classes()
    with pytest.raises(ValueError, match="too small to compute"):
        compress_classes(X * 1e-300, y)
    X[:50] *= 1e-300
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        compressed = compress_classes(X, y, 0.1, random_state=0)
    assert np.isfinite(compressed.centers).all()
    assert compressed.sizes.sum() == 53
