import numpy as np
from numpy.testing import assert_array_equal

from labelscape.embeddings import (
    object_weights,
    picture_agreement,
    prototype_weights,
)

LABELS = ["a", "a", "b", "a", "b"]
IS_PROTOTYPE = [True, True, True, False, False]


def test_the_class_level_weighs_what_the_classifier_compares():
    light = 1e-4
    expected = [
        [0, light, 1, 1, 1],
        [light, 0, 1, 1, 1],
        [1, 1, 0, 1, 1],
        [1, 1, 1, 0, light],
        [1, 1, 1, light, 0],
    ]
    assert_array_equal(prototype_weights(LABELS, IS_PROTOTYPE), expected)


def test_prototypes_of_one_class_can_weigh_more():
    W = prototype_weights(LABELS, IS_PROTOTYPE, same_class=1.0)
    assert W[0, 1] == W[1, 0] == 1.0
    assert W[3, 4] == 1e-4


def test_classes_of_objects_do_not_change_the_weights():
    other = ["a", "a", "b", "b", "b"]
    assert_array_equal(
        prototype_weights(LABELS, IS_PROTOTYPE), prototype_weights(other, IS_PROTOTYPE)
    )


def test_the_object_level_weighs_object_to_prototype():
    W = object_weights(IS_PROTOTYPE)
    between = np.not_equal.outer(IS_PROTOTYPE, IS_PROTOTYPE)
    assert_array_equal(W[between], 1.0)
    assert_array_equal(W[~between & ~np.eye(5, dtype=bool)], 1e-4)
    assert_array_equal(np.diagonal(W), 0.0)


def test_agreement_counts_nearest_prototypes_on_the_map():
    Z = [[0, 0], [1, 1], [5, 5], [4, 4], [6, 6]]
    assert picture_agreement(Z, LABELS, IS_PROTOTYPE) == 0.5
    assert picture_agreement(Z, ["a", "a", "b", "b", "b"], IS_PROTOTYPE) == 1.0
