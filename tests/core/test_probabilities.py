import numpy as np
import pytest

from labelscape._core.probabilities import as_numbers, checked_probabilities


def test_rows_that_nearly_add_up_to_one_do_so_exactly():
    p = np.array([[0.5, 0.4999], [1.0, 0.0]])
    found = checked_probabilities(p, source="Map: SVC")
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-15)
    np.testing.assert_array_equal(found[1], p[1])


@pytest.mark.parametrize("row", [[np.nan, 1.0], [-0.1, 1.1], [0.7, 0.7], [np.inf, 0]])
def test_other_rows_are_counted_and_the_first_is_shown(row):
    p = np.array([[0.5, 0.5], row, row])
    words = r"^Map: SVC must return probabilities, .*; 2 of 3 rows are not, the first"
    with pytest.raises(ValueError, match=words):
        checked_probabilities(p, source="Map: SVC")


def test_numbers_come_in_an_array_of_their_own():
    given = np.ones((2, 2))
    found = as_numbers(given, wanted="numbers", source="Map: SVC")
    found[0] = 7.0
    assert (given == 1.0).all()


@pytest.mark.parametrize("answers", [["yes", "no"], [[1.0], [1.0, 2.0]], object()])
def test_answers_that_are_no_numbers_are_refused(answers):
    words = "^Map: SVC must return a row each; .* can not be read as numbers"
    with pytest.raises(ValueError, match=words):
        as_numbers(answers, wanted="a row each", source="Map: SVC")


def test_an_answer_in_words_is_shown_as_the_user_wrote_it():
    with pytest.raises(ValueError, match=r"to float: 'yes'\). Wrap it in a function"):
        as_numbers(np.array(["yes"]), wanted="numbers", source="Map: SVC")
