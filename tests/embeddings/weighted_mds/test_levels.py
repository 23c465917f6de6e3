import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import approx_fprime
from scipy.spatial.distance import cdist, pdist, squareform

from labelscape.embeddings import (
    WeightedMDS,
    class_layout,
    object_layout,
    prototype_weights,
)
from labelscape.embeddings.weighted_mds.levels import angle_stress


def model(n_classes, seed=0):
    rng = np.random.default_rng(seed)
    prototypes, x = rng.normal(size=(n_classes, 6)), rng.normal(size=(1, 6))
    return cdist(x, prototypes)[0], squareform(pdist(prototypes)), prototypes, x


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("n_classes", [1, 2, 3, 12])
def test_prototypes_stand_at_their_exact_distances(n_classes, power):
    d, D, *_ = model(n_classes)
    layout = object_layout(d, D, power=power)
    assert_allclose(np.linalg.norm(layout.prototypes, axis=1), d**power, rtol=1e-14)
    assert_array_equal(
        np.argsort(np.linalg.norm(layout.prototypes, axis=1)), np.argsort(d)
    )


def test_a_flat_model_is_drawn_exactly_in_all_its_distances():
    rng = np.random.default_rng(0)
    prototypes = rng.normal(size=(7, 2))
    D = squareform(pdist(prototypes))
    layout = object_layout(np.linalg.norm(prototypes, axis=1), D, power=1)
    assert layout.stress < 1e-12
    assert_allclose(pdist(layout.prototypes), pdist(prototypes), rtol=1e-5)


def test_the_stress_is_that_of_the_distances_between_prototypes():
    d, D, *_ = model(5)
    layout = object_layout(d, D, power=2)
    target, shown = squareform(D) ** 2, pdist(layout.prototypes)
    assert_allclose(
        layout.stress, np.sum((shown - target) ** 2 / target) / target.sum()
    )


def test_the_slope_of_the_angles_is_that_of_the_stress():
    d, D, *_ = model(6)
    angles = np.random.default_rng(1).uniform(-3, 3, size=6)
    slope = approx_fprime(angles, lambda a: angle_stress(a, d, D)[0], 1e-7)
    assert_allclose(angle_stress(angles, d, D)[1], slope, atol=1e-6)


def test_no_map_with_exact_radii_has_less_stress():
    d, D, *_ = model(4, seed=3)
    best = object_layout(d, D, power=1).stress
    grid = np.linspace(-np.pi, np.pi, 61)
    tried = [
        angle_stress(np.array([0.0, a, b, c]), d, D)[0]
        for a in grid[30:]
        for b in grid[::2]
        for c in grid[::2]
    ]
    assert best <= min(tried) + 1e-12


def test_weighted_mds_comes_close_to_the_exact_picture():
    d, _, prototypes, x = model(4)
    mds = WeightedMDS(weights="object", power=1, random_state=0)
    Z = mds.fit_transform(
        np.vstack([x, prototypes]), is_prototype=[False, True, True, True, True]
    )
    assert_allclose(np.linalg.norm(Z[1:] - Z[0], axis=1), d, rtol=0.01)


def test_the_nearest_prototype_is_to_the_right_and_the_next_above():
    for seed in range(5):
        d, D, *_ = model(4, seed)
        places = object_layout(d, D).prototypes[np.argsort(d)]
        assert_allclose(places[0, 1], 0.0, atol=1e-12)
        assert places[0, 0] > 0
        assert places[1, 1] > 0


def test_the_unit_does_not_matter_to_the_object_layout():
    d, D, *_ = model(4)
    small, large = object_layout(d, D), object_layout(1000 * d, 1000 * D)
    assert_allclose(large.prototypes, 1e6 * small.prototypes, rtol=1e-4)
    assert_allclose(large.stress, small.stress, rtol=1e-9)


def test_an_object_that_is_a_prototype_and_equal_prototypes_are_drawn():
    layout = object_layout([0.0, 2.0, 2.0], [[0, 2, 2], [2, 0, 0], [2, 0, 0]])
    assert_allclose(layout.prototypes, [[0, 0], [4, 0], [4, 0]], atol=1e-5)
    assert_array_equal(object_layout([0, 0], np.zeros((2, 2))).prototypes, 0.0)


@pytest.mark.parametrize("distances", [[1.0], [1.0, -1.0], [1.0, np.nan]])
def test_wrong_distances_to_prototypes_are_an_error(distances):
    with pytest.raises(ValueError, match="each of the 2 prototypes"):
        object_layout(distances, [[0, 1], [1, 0]])


def test_the_class_layout_is_the_weighted_map_in_two_parts():
    rng = np.random.default_rng(0)
    prototypes, objects = rng.normal(size=(4, 5)), rng.normal(size=(6, 5))
    labels = np.array(["a", "b", "b", "c"])
    told = labels[cdist(objects, prototypes).argmin(axis=1)]
    layout = class_layout(prototypes, labels, objects, told, random_state=0)
    mds = WeightedMDS(weights="prototype", power=2, random_state=0)
    Z = mds.fit_transform(
        np.vstack([prototypes, objects]),
        np.concatenate([labels, told]),
        is_prototype=np.arange(10) < 4,
    )
    assert_array_equal(np.vstack([layout.prototypes, layout.samples]), Z)
    assert (layout.stress, layout.agreement) == (mds.stress_, mds.agreement_)


def test_a_model_can_be_drawn_without_objects():
    layout = class_layout(np.eye(3), ["a", "b", "c"], random_state=0)
    assert layout.prototypes.shape == (3, 2)
    assert layout.samples.shape == (0, 2)
    assert layout.agreement is None


def test_objects_without_the_classifiers_word_are_an_error():
    with pytest.raises(ValueError, match="give both samples and sample_labels"):
        class_layout(np.eye(3), ["a", "b", "c"], np.ones((2, 3)))


def _two_classes():
    rng = np.random.default_rng(5)
    prototypes = rng.normal(size=(6, 5))
    return prototypes, list("aaabbb"), rng.normal(size=(9, 5)), list("aaaabbbbb")


def _within(layout, prototypes):
    """Return the error of the distances between prototypes of one class."""
    wanted = squareform(pdist(prototypes) ** 2)
    gaps = np.abs(squareform(pdist(layout.prototypes)) - wanted)
    return gaps[:3, :3].mean() + gaps[3:, 3:].mean()


def test_prototypes_of_one_class_keep_their_distances_if_these_weigh_as_much():
    given = _two_classes()
    light = class_layout(*given, random_state=0)
    heavy = class_layout(*given, same_class=1.0, random_state=0)
    assert _within(heavy, given[0]) < _within(light, given[0])
    usual = class_layout(*given, same_class=1e-4, random_state=0)
    assert_array_equal(usual.prototypes, light.prototypes)


def test_the_weight_of_one_class_is_that_of_the_weighted_map():
    prototypes, labels, objects, given = _two_classes()
    layout = class_layout(
        prototypes, labels, objects, given, same_class=0.5, random_state=0
    )
    both, is_prototype = np.vstack([prototypes, objects]), np.arange(15) < 6
    W = prototype_weights(labels + given, is_prototype, same_class=0.5)
    mds = WeightedMDS(weights=W, power=2, random_state=0).fit(both)
    assert layout.stress == mds.stress_


def test_only_distances_between_objects_and_prototypes_can_count():
    prototypes, labels, objects, given = _two_classes()

    def error(weights):
        layout = class_layout(
            prototypes, labels, objects, given, weights=weights, random_state=0
        )
        wanted = cdist(objects, prototypes) ** 2
        return np.mean(
            (cdist(layout.samples, layout.prototypes) - wanted) ** 2 / wanted
        )

    assert error("object") < min(error("prototype"), error("uniform"))


def test_a_negative_weight_is_an_error():
    with pytest.raises(ValueError, match="same_class"):
        class_layout(*_two_classes(), same_class=-1.0)
