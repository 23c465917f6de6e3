import numpy as np

from labelscape.prototypes.grow._base import first_of_each, members_of


def test_members_are_listed_by_prototype_in_ascending_order():
    found = members_of(np.array([2, 0, 2, 0, 0]), 3)
    assert [members.tolist() for members in found] == [[1, 3, 4], [], [0, 2]]


def test_of_members_with_equal_scores_the_first_is_taken():
    members = [np.array([1, 3]), np.array([0, 2])]
    assert first_of_each(np.array([5.0, 2.0, 7.0, 2.0]), members).tolist() == [1, 2]
