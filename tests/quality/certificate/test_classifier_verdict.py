"""The verdict on a classifier and its picture."""

from dataclasses import replace

import numpy as np
import pytest

from labelscape.quality.certificate.verdict import judge_classifier


def answered(shares, n=200, agreement=None, seed=0):
    """Return a verdict where each class is answered rightly for a given share."""
    rng = np.random.RandomState(seed)
    truth = np.repeat(np.arange(len(shares)), n)
    right = rng.uniform(size=len(truth)) < np.repeat(shares, n)
    answers = np.where(right, truth, (truth + 1) % len(shares))
    agrees = None if agreement is None else rng.uniform(size=len(truth)) < agreement
    units = np.arange(len(truth))
    return judge_classifier(truth, answers, agrees, units, rng)


def test_accuracy_is_balanced_and_has_an_interval():
    found = answered([0.5, 1.0])
    assert found.accuracy == pytest.approx(0.75, abs=0.04)
    low, high = found.accuracy_interval
    assert low < found.accuracy < high
    assert high - low < 0.12
    assert (found.real, found.kept) == ("yes", None)
    right = f"{found.accuracy:.0%} of held-out rows get the right class (chance 50%)."
    assert str(found).startswith(f"Is the classifier right? Mostly: {right}\n95% inter")


def test_an_answer_by_chance_is_no_answer():
    found = answered([0.5, 0.5])
    assert found.real == "no"
    assert found.lights[0].state == "bad"
    assert found.lights[0].figure.endswith("no better than chance (50%).")


def test_three_right_answers_of_four_are_not_green():
    assert answered([0.75, 0.75]).lights[0].state == "fair"
    assert answered([0.95, 0.95]).lights[0].state == "good"


@pytest.mark.parametrize(
    ("agreement", "kept", "state", "answer"),
    [
        (0.99, "all", "good", "Yes"),
        (0.9, "most", "fair", "Mostly"),
        (0.6, "little", "bad", "No"),
    ],
)
def test_the_second_light_is_that_of_the_picture(agreement, kept, state, answer):
    found = answered([0.9, 0.9], agreement=agreement)
    assert found.kept == kept
    assert f"Does the map match the classifier? {answer}: it shows" in str(found)
    assert [light.state for light in found.lights] == ["good", state]
    assert (
        found.agreement_interval.low < found.agreement < found.agreement_interval.high
    )


def test_objects_of_one_class_tell_nothing():
    same = np.zeros(20)
    found = judge_classifier(same, same, None, np.arange(20), np.random.RandomState(0))
    assert found.real == "untested"
    assert [light.state for light in found.lights] == ["none"]


def test_the_picture_is_compared_where_only_the_classifier_was_not_tested():
    found = answered([0.9, 0.9], agreement=0.99)
    untested = replace(found, real="untested", accuracy=None, why="it came from a file")
    first, second = str(untested).splitlines()[:2]
    assert first == "Not tested: it came from a file."
    assert second == str(found.lights[1])
