import numpy as np

from labelscape.prototypes.grow._base import first_of_each, members_of, shares


def test_members_are_listed_by_prototype_in_ascending_order():
    found = members_of(np.array([2, 0, 2, 0, 0]), 3)
    assert [members.tolist() for members in found] == [[1, 3, 4], [], [0, 2]]


def test_shares_add_up_to_one_and_keep_their_ratios():
    found = shares(np.array([1.0, 2.0, 6.0]), [np.array([0, 2]), np.array([1])])
    np.testing.assert_allclose(found[0], [1 / 7, 6 / 7])
    assert found[1].tolist() == [1.0]


def test_of_members_with_equal_scores_the_first_is_taken():
    members = [np.array([1, 3]), np.array([0, 2])]
    assert first_of_each(np.array([5.0, 2.0, 7.0, 2.0]), members).tolist() == [1, 2]
