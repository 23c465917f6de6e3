import numpy as np
import pytest

from labelscape._resampling.label_signal import evenly_spaced
from labelscape._resampling.sampling import (
    class_counts,
    drawn_by_class,
    spread_over,
)

CODES = np.random.RandomState(0).permutation(np.repeat([0, 1, 3], [600, 399, 1]))


def seed():
    return np.random.RandomState(0)


def test_each_class_gives_its_share_and_two_at_least():
    assert class_counts(np.array([900, 95, 4, 1]), 100).tolist() == [90, 9, 2, 1]
    assert class_counts(np.array([50, 30, 20]), 100).tolist() == [50, 30, 20]
    assert class_counts(np.array([5, 5, 5]), 7).tolist() == [3, 2, 2]


def test_drawn_objects_are_as_many_of_each_class_as_its_share():
    drawn = drawn_by_class(CODES, 100, seed())
    assert np.bincount(CODES[drawn]).tolist() == [60, 39, 0, 1]


def test_chosen_objects_have_the_classes_in_their_proportions():
    chosen = spread_over(CODES, 100, seed())
    assert np.bincount(CODES[chosen]).tolist() == [59, 40, 0, 1]


def test_even_steps_meet_each_class_by_its_size():
    chosen = evenly_spaced(CODES, 100)
    assert np.abs(np.bincount(CODES[chosen]) - [60, 39, 0, 1]).max() <= 1
    assert (evenly_spaced(CODES, 100) == chosen).all()


@pytest.mark.parametrize(
    "choose",
    [
        lambda most: drawn_by_class(CODES, most, seed()),
        lambda most: spread_over(CODES, most, seed()),
        lambda most: evenly_spaced(CODES, most),
    ],
    ids=["drawn", "spread", "even"],
)
def test_each_object_is_chosen_once_in_order_and_all_if_asked_for(choose):
    some = choose(100)
    assert len(some) == 100
    assert (np.diff(some) > 0).all()
    assert choose(len(CODES)).tolist() == list(range(len(CODES)))
