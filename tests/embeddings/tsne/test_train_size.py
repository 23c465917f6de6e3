import numpy as np
import pytest
from numpy.testing import assert_array_equal

from labelscape.embeddings.tsne._base import drawn_samples

y = np.repeat(["a", "b", "c"], [60, 30, 10])


def drawn(train_size, labels=y, random_state=0):
    return drawn_samples(train_size, labels, 100, random_state, owner="Map")


def test_classes_get_their_shares():
    for size in (20, 0.2):
        found = drawn(size)
        assert_array_equal(np.unique(y[found], return_counts=True)[1], [12, 6, 2])
        assert_array_equal(found, np.unique(found))
    assert_array_equal(drawn(20), drawn(20))
    assert (drawn(20) != drawn(20, random_state=1)).any()


def test_none_is_all_and_so_is_the_whole_number():
    assert_array_equal(drawn(None), np.arange(100))
    assert_array_equal(drawn(100), np.arange(100))


def test_without_labels_all_objects_are_alike():
    assert len(drawn(0.25, None)) == 25


def test_more_than_there_are_is_refused():
    with pytest.raises(ValueError, match="train_size=101 is more than the 100 samples"):
        drawn(101)
