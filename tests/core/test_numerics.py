import numpy as np
import pytest

from labelscape._core.numerics import (
    as_numbers,
    checked_probabilities,
    decayed,
    minimize_lbfgs,
)
from labelscape.embeddings.stress._weights import annealed


def test_rows_that_nearly_add_up_to_one_do_so_exactly():
    p = np.array([[0.5, 0.4999], [1.0, 0.0]])
    found = checked_probabilities(p, source="Map: SVC")
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-15)
    np.testing.assert_array_equal(found[1], p[1])


@pytest.mark.parametrize("row", [[np.nan, 1.0], [-0.1, 1.1], [0.7, 0.7], [np.inf, 0]])
def test_other_rows_are_counted_and_the_first_is_shown(row):
    p = np.array([[0.5, 0.5], row, row])
    words = r"^Map: SVC must return probabilities, .*; 2 of 3 rows are wrong, the first"
    with pytest.raises(ValueError, match=words):
        checked_probabilities(p, source="Map: SVC")


def test_numbers_come_in_an_array_of_their_own():
    given = np.ones((2, 2))
    found = as_numbers(given, wanted="numbers", source="Map: SVC")
    found[0] = 7.0
    assert (given == 1.0).all()


@pytest.mark.parametrize("answers", [["yes", "no"], [[1.0], [1.0, 2.0]], object()])
def test_answers_that_are_no_numbers_are_refused(answers):
    words = "^Map: SVC must return a row each; .* cannot be read as numbers"
    with pytest.raises(ValueError, match=words):
        as_numbers(answers, wanted="a row each", source="Map: SVC")


def test_an_answer_in_words_is_shown_as_the_user_wrote_it():
    with pytest.raises(ValueError, match=r"to float: 'yes'\). Pass a function that"):
        as_numbers(np.array(["yes"]), wanted="numbers", source="Map: SVC")


def bowl(x):
    return float(((x - 3.0) ** 2).sum()), 2.0 * (x - 3.0)


def test_the_minimum_of_a_bowl_is_found():
    found = minimize_lbfgs(bowl, np.zeros(4), max_iter=50)
    np.testing.assert_allclose(found.x, 3.0)
    assert found.converged
    assert not found.stopped


def test_a_callback_sees_each_iteration_and_can_stop():
    seen = []

    def watch(x, value):
        seen.append(value)
        return len(seen) == 2

    def valley(x):
        a, b = x
        value = (1 - a) ** 2 + 100 * (b - a * a) ** 2
        slope = [-2 * (1 - a) - 400 * a * (b - a * a), 200 * (b - a * a)]
        return value, np.array(slope)

    found = minimize_lbfgs(
        valley, np.array([-1.2, 1.0]), max_iter=99, on_iteration=watch
    )
    assert found.stopped
    assert found.n_iter == 2
    assert seen[1] < seen[0]


def test_rates_start_at_their_start_and_fall():
    assert decayed(0.1, 1e-2, 0) == 0.1
    assert decayed(0.1, 1e-2, 100) == pytest.approx(0.05)
    assert annealed(0.5, 0.05, 0.0) == 0.5
    assert annealed(0.5, 0.05, 1.0) == pytest.approx(0.05)
    assert annealed(0.5, 0.05, 0.5) == pytest.approx(np.sqrt(0.5 * 0.05))
